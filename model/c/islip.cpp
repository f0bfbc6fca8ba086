#include "weir/model/crossbar/islip.h"

#include <vector>

#include "model/c/block.h"
#include "weir/base/field_range.h"

namespace weir::model {

namespace {

struct islip_grant {
    int ingress_port = WEIR_NONE;
    pfc_class frame_class = 0;
    bool accepted = false;
};

unsigned ports_in(option_text& options) {
    std::uint32_t ports = 0;
    options.read_required("ports", ports);
    range_check check;
    check.within("ports", ports, field_range{1U, max_ports});
    options.finish(check.take());
    return ports;
}

class islip_block final : public c_block {
 public:
    static constexpr const char* its_kind = "weir_islip";

    explicit islip_block(option_text& options) : islip_block(ports_in(options)) {}

    const char* kind() const override { return its_kind; }

    void request(unsigned egress_port, pfc_class c, const port_bitmap& ingress_ports) {
        check_below("egress_port", egress_port, m_ports);
        const port_bitmap before = m_requests.eligible_ingress(egress_port, c);
        (before - ingress_ports).for_each([&](unsigned p) { m_requests.remove(p, egress_port, c); });
        (ingress_ports - before).for_each([&](unsigned p) { m_requests.add(p, egress_port, c); });
    }
    int step(unsigned iterations, const port_bitmap& free_ingress, const port_bitmap& free_egress) {
        m_matches.clear();
        m_grants.clear();
        m_limit = iterations;
        m_arbiter.arbitrate(m_requests, free_ingress, free_egress, iterations, m_matches, *this);
        m_ran = true;
        return static_cast<int>(m_matches.size());
    }
    int iterations() const {
        if (!m_ran) {
            return 0;
        }
        unsigned n = 0;
        while (n < m_grants.size() && n + 1 != m_limit && any_refused(m_grants[n])) {
            ++n;
        }
        return static_cast<int>(n + 1);
    }
    islip_grant match(unsigned egress_port) const {
        check_below("egress_port", egress_port, m_ports);
        for (const crossbar_match& m : m_matches) {
            if (m.egress_port == egress_port) {
                return {m.ingress_port, m.frame_class, true};
            }
        }
        return {};
    }
    islip_grant grant(unsigned iteration, unsigned egress_port) const {
        check_below("egress_port", egress_port, m_ports);
        const auto made = static_cast<unsigned>(iterations());
        if (iteration >= made) {
            throw misuse("iteration: " + std::to_string(iteration) + "; expected less than " +
                         std::to_string(made) + ", those of the last run");
        }
        return iteration < m_grants.size() ? m_grants[iteration][egress_port] : islip_grant{};
    }
    int grant_pointer(unsigned egress_port, pfc_class c) const {
        check_below("egress_port", egress_port, m_ports);
        return static_cast<int>(m_arbiter.grant_pointer(egress_port, c));
    }
    int accept_pointer(unsigned ingress_port, pfc_class c) const {
        check_below("ingress_port", ingress_port, m_ports);
        return static_cast<int>(m_arbiter.accept_pointer(ingress_port, c));
    }
    port_bitmap free_ports(const char* name, const std::uint32_t* words) const {
        return words == nullptr ? port_bitmap::first_ports(m_ports) : ports_of(name, words, m_ports);
    }
    unsigned ports() const { return m_ports; }

    // Observes the arbiter's run.
    void granted(unsigned iteration, unsigned egress_port, unsigned ingress_port, pfc_class c) {
        if (iteration >= m_grants.size()) {
            m_grants.resize(iteration + 1, grants(m_ports));
        }
        m_grants[iteration][egress_port] = {static_cast<int>(ingress_port), c, false};
    }
    void accepted(unsigned iteration, unsigned egress_port, unsigned, pfc_class) {
        m_grants[iteration][egress_port].accepted = true;
    }

 private:
    /// By egress port.
    using grants = std::vector<islip_grant>;

    explicit islip_block(unsigned ports) : m_ports(ports), m_arbiter(ports), m_requests(ports) {}

    static bool any_refused(const grants& made) {
        for (const islip_grant& g : made) {
            if (g.ingress_port != WEIR_NONE && !g.accepted) {
                return true;
            }
        }
        return false;
    }

    unsigned m_ports;
    islip m_arbiter;
    crossbar_requests m_requests;
    // Of the last run; iterations in which no port grants are not among the grants.
    std::vector<crossbar_match> m_matches;
    std::vector<grants> m_grants;
    unsigned m_limit = 0;
    bool m_ran = false;
};

void write_class(std::uint32_t* place, const islip_grant& grant) {
    if (place != nullptr) {
        *place = grant.frame_class;
    }
}

}  // namespace

}  // namespace weir::model

using namespace weir::model;

weir_islip* weir_islip_create(std::uint32_t api_major, const char* options, const char** error) {
    return create<weir_islip, islip_block>(api_major, options, error);
}

int weir_islip_request(weir_islip* block, std::uint32_t egress_port, std::uint32_t frame_class,
                       const std::uint32_t* ingress_ports) {
    return use<islip_block>(block, [&](islip_block& b) {
        b.request(egress_port, class_of(frame_class), ports_of("ingress_ports", ingress_ports, b.ports()));
        return 0;
    });
}

int weir_islip_step(weir_islip* block, std::uint32_t iterations, const std::uint32_t* free_ingress,
                    const std::uint32_t* free_egress) {
    return use<islip_block>(block, [&](islip_block& b) {
        return b.step(iterations, b.free_ports("free_ingress", free_ingress),
                      b.free_ports("free_egress", free_egress));
    });
}

int weir_islip_match(weir_islip* block, std::uint32_t egress_port, std::uint32_t* frame_class) {
    return use<islip_block>(block, [&](islip_block& b) {
        const islip_grant match = b.match(egress_port);
        write_class(frame_class, match);
        return match.ingress_port;
    });
}

int weir_islip_iterations(weir_islip* block) {
    return use<islip_block>(block, [](islip_block& b) { return b.iterations(); });
}

int weir_islip_grant(weir_islip* block, std::uint32_t iteration, std::uint32_t egress_port,
                     std::uint32_t* frame_class, std::uint32_t* accepted) {
    return use<islip_block>(block, [&](islip_block& b) {
        check_pointer("accepted", accepted);
        const islip_grant grant = b.grant(iteration, egress_port);
        write_class(frame_class, grant);
        *accepted = grant.accepted ? 1 : 0;
        return grant.ingress_port;
    });
}

int weir_islip_grant_pointer(weir_islip* block, std::uint32_t egress_port, std::uint32_t frame_class) {
    return use<islip_block>(
        block, [&](islip_block& b) { return b.grant_pointer(egress_port, class_of(frame_class)); });
}

int weir_islip_accept_pointer(weir_islip* block, std::uint32_t ingress_port, std::uint32_t frame_class) {
    return use<islip_block>(
        block, [&](islip_block& b) { return b.accept_pointer(ingress_port, class_of(frame_class)); });
}
