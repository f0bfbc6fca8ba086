#include "tb/verify/capture/link_capture.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "tb/support/text/name_pattern.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// One direction of a link.
class link_capture::tap final : public wire_tap {
 public:
    tap(picoseconds begin, picoseconds end, std::uint32_t interface)
        : m_begin(begin), m_end(end), m_interface(interface) {}

    void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
        if (first_bit >= m_begin && first_bit < m_end) {
            m_frames.push_back({first_bit, m_interface, frame});
        }
    }

    /// Takes nothing from now on. At a barrier.
    void stop() { m_end = picoseconds{0}; }
    /// In the order of time.
    std::vector<captured_frame>& frames() { return m_frames; }

 private:
    picoseconds m_begin;
    picoseconds m_end;
    std::uint32_t m_interface;
    std::vector<captured_frame> m_frames;
};

link_capture::link_capture(const capture_options& options, header_lengths headers, fabric& network,
                           const std::vector<link_direction>& directions, wire_taps& taps, output_file file)
    : m_team(network.team()),
      m_octets(headers),
      m_file(std::move(file), "weir " WEIR_VERSION),
      m_snap(static_cast<std::uint32_t>(options.pcap_snap.count())),
      m_limit(options.pcap_limit) {
    const topology& plan = network.plan();
    for (const link_direction& direction : directions) {
        const topology_link& link = plan.link(direction.link);
        const link_end& from = direction.backwards ? link.b : link.a;
        const link_end& to = direction.backwards ? link.a : link.b;
        const unsigned interface = m_file.add_interface(
            {link.name, plan.name(from.node) + " to " + plan.name(to.node), link.rate, m_snap});
        m_senders.push_back(port_address(plan.node_index(from.node), from.port));
        if (!network.is_here(from.node)) {
            continue;
        }
        node* const sender = from.node.is_host() ? static_cast<node*>(network.host(from.node.index))
                                                 : &network.device(from.node.index);
        m_taps.push_back(
            std::make_unique<tap>(options.window_start, options.window_end.value_or(never), interface));
        taps.add(sender->output(from.port), *m_taps.back());
    }
}

link_capture::~link_capture() = default;

// What leaves at one port stays in its order; it has one rank's tap.
void link_capture::gather() {
    std::vector<captured_frame> own;
    for (const auto& t : m_taps) {
        own.insert(own.end(), t->frames().begin(), t->frames().end());
        t->frames().clear();
    }
    own = gathered(m_team, std::move(own));
    m_pending.insert(m_pending.end(), own.begin(), own.end());
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const captured_frame& a, const captured_frame& b) {
        return std::tie(a.time, a.interface) < std::tie(b.time, b.interface);
    });
}

void link_capture::write(const captured_frame& captured) {
    m_file.add_packet(captured.interface, captured.time,
                      m_octets.write(captured.frame, m_senders[captured.interface], m_snap),
                      captured.frame.frame_bytes);
}

void link_capture::take(picoseconds sure) {
    if (m_stopped) {
        return;
    }
    gather();
    auto next = m_pending.begin();
    for (; next != m_pending.end() && next->time <= sure; ++next) {
        if (m_written == m_limit) {
            m_cut = next->time;
            break;
        }
        ++m_written;
        write(*next);
    }
    m_pending.erase(m_pending.begin(), next);
    // Rank 0 alone has seen it.
    m_stopped = on_any(m_team, m_cut != never);
    if (m_stopped) {
        m_pending.clear();
        for (const auto& t : m_taps) {
            t->stop();
        }
    }
}

void link_capture::finish(picoseconds end) {
    take(end);
    m_file.finish();
}

std::vector<std::string> link_capture::warnings(const std::string& window) const {
    if (m_written == 0 && m_cut == never) {
        return {"trace.pcapng has no frame: none was sent on the captured links in " + window};
    }
    if (m_cut == never) {
        return {};
    }
    return {"trace.pcapng ends at " + to_text(m_cut) + ": trace.pcap_limit = " + std::to_string(m_limit) +
            " frames"};
}

namespace {

bool names(const std::string& text, const topology& plan, link_direction direction) {
    const topology_link& link = plan.link(direction.link);
    const std::size_t arrow = text.find('>');
    if (arrow == std::string::npos) {
        return text == "all" || fits_pattern(text, link.name);
    }
    const node_ref from = (direction.backwards ? link.b : link.a).node;
    const node_ref to = (direction.backwards ? link.a : link.b).node;
    const std::string_view whole = text;
    return fits_pattern(whole.substr(0, arrow), plan.name(from)) &&
           fits_pattern(whole.substr(arrow + 1), plan.name(to));
}

}  // namespace

std::vector<link_direction> chosen_directions(const std::vector<std::string>& texts, const topology& plan,
                                              config_errors& errors) {
    std::vector<bool> used(texts.size());
    std::vector<link_direction> chosen;
    for (link_id id = 0; id < plan.links().size(); ++id) {
        for (const bool backwards : {false, true}) {
            bool any = false;
            for (std::size_t t = 0; t < texts.size(); ++t) {
                if (names(texts[t], plan, {id, backwards})) {
                    used[t] = true;
                    any = true;
                }
            }
            if (any) {
                chosen.push_back({id, backwards});
            }
        }
    }
    for (std::size_t t = 0; t < texts.size(); ++t) {
        if (!used[t]) {
            const std::string such_as = plan.links().empty() ? "h0-s0" : plan.link(0).name;
            errors.push_back(
                {{},
                 0,
                 "trace.pcap[" + std::to_string(t) + "]",
                 "'" + texts[t] +
                     "' matches no link; expected all, a link that `weir run --dry-run` lists, such as " +
                     such_as + ", or FROM>TO with nodes' names; * stands for any text"});
        }
    }
    return chosen;
}

}  // namespace weir::tb
