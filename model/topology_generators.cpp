#include "weir/model/topology_generators.h"

#include <string>

namespace weir {

namespace {

constexpr unsigned tor_tier = 1;
constexpr unsigned agg_tier = 2;
constexpr unsigned core_tier = 3;

std::string numbered(const char* what, unsigned number) {
    return what + std::to_string(number);
}
std::string numbered(const char* what, unsigned pod, unsigned number) {
    return what + std::to_string(pod) + "." + std::to_string(number);
}

/// Collects violations of ranges.
class range_check {
 public:
    range_check& at_least(const char* key, std::uint64_t value, std::uint64_t least) {
        return between(key, value, least, UINT32_MAX);
    }
    range_check& between(const char* key, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
        if (value < least || value > most) {
            std::string allowed = "is " + std::to_string(value) + "; allowed: " + std::to_string(least);
            allowed += most == UINT32_MAX ? " or more" : " to " + std::to_string(most);
            fail(key, std::move(allowed));
        }
        return *this;
    }
    /// `what`: how the number of ports comes about.
    range_check& ports(const char* key, std::uint64_t count, const char* what) {
        if (count > max_ports) {
            fail(key, std::string(what) + " makes " + std::to_string(count) + " ports; allowed: at most " +
                          std::to_string(max_ports));
        }
        return *this;
    }
    range_check& link(const std::string& key, const link_properties& l) {
        if (l.rate <= bit_rate{0}) {
            fail(key + ".rate", "is " + std::to_string(l.rate.count()) + " bit/s; allowed: above 0");
        }
        if (l.latency <= picoseconds{0}) {
            fail(key + ".latency", "is " + std::to_string(l.latency.count()) +
                                       " ps; allowed: above 0 (every link has a latency greater than zero)");
        }
        return *this;
    }
    range_check& fail(std::string key, std::string message) {
        m_errors.push_back({"", 0, std::move(key), std::move(message)});
        return *this;
    }
    config_errors take() { return std::move(m_errors); }

 private:
    config_errors m_errors;
};

/// Adds `count` hosts to a switch, numbered on from those that exist.
void add_hosts(topology& t, switch_id tor, unsigned count, const link_properties& link) {
    for (unsigned i = 0; i < count; ++i) {
        const host_id h = t.add_host(numbered("h", t.hosts()));
        t.add_link(node_ref::of_host(h), node_ref::of_switch(tor), link);
    }
}

void add_links(topology& t, switch_id lower, switch_id upper, unsigned count, const link_properties& link) {
    for (unsigned i = 0; i < count; ++i) {
        t.add_link(node_ref::of_switch(lower), node_ref::of_switch(upper), link);
    }
}

}  // namespace

config_errors single_config::validate() const {
    return range_check{}.between("hosts", hosts, 1, max_ports).link("host_link", host_link).take();
}

config_errors dumbbell_config::validate() const {
    return range_check{}
        .between("left", left, 1, max_ports - 1)
        .between("right", right, 1, max_ports - 1)
        .link("host_link", host_link)
        .link("bottleneck", bottleneck)
        .take();
}

config_errors racks_config::validate() const {
    const std::uint64_t up_links = std::uint64_t{roots} * links_per_root;
    return range_check{}
        .at_least("racks", racks, 1)
        .at_least("hosts_per_rack", hosts_per_rack, 1)
        .at_least("roots", roots, 1)
        .at_least("links_per_root", links_per_root, 1)
        .ports("hosts_per_rack", hosts_per_rack + up_links, "a ToR's hosts_per_rack + roots x links_per_root")
        .ports("racks", std::uint64_t{racks} * links_per_root, "a root's racks x links_per_root")
        .link("host_link", host_link)
        .link("root_link", root_link)
        .take();
}

config_errors pods_config::validate() const {
    const std::uint64_t tor_up = std::uint64_t{aggs_per_pod} * links_per_agg;
    const std::uint64_t agg_down = std::uint64_t{tors_per_pod} * links_per_agg;
    const std::uint64_t agg_up = cores == 0 ? 0 : std::uint64_t{cores_per_agg} * links_per_core;
    const std::uint64_t agg_to_core = std::uint64_t{aggs_per_pod} * cores_per_agg;
    range_check check;
    check.at_least("pods", pods, 1)
        .at_least("tors_per_pod", tors_per_pod, 1)
        .at_least("aggs_per_pod", aggs_per_pod, 1)
        .at_least("hosts_per_tor", hosts_per_tor, 1)
        .at_least("links_per_agg", links_per_agg, 1)
        .ports("hosts_per_tor", hosts_per_tor + tor_up, "a ToR's hosts_per_tor + aggs_per_pod x links_per_agg")
        .ports("tors_per_pod", agg_down + agg_up,
               "an aggregation switch's tors_per_pod x links_per_agg + cores_per_agg x links_per_core")
        .link("host_link", host_link)
        .link("agg_link", agg_link);
    if (cores == 0) {
        if (pods != 1) {
            check.fail("cores", "is 0 with " + std::to_string(pods) + " pods; allowed: 0 with one pod only");
        }
        return check.take();
    }
    check.at_least("links_per_core", links_per_core, 1)
        .between("cores_per_agg", cores_per_agg, 1, cores)
        .link("core_link", core_link);
    if (cores > agg_to_core && cores_per_agg >= 1) {
        check.fail("cores", "is " + std::to_string(cores) + ", more than aggs_per_pod x cores_per_agg = " +
                                std::to_string(agg_to_core) + " reach; allowed: at most that");
    } else if (agg_to_core % cores != 0) {
        check.fail("cores", "is " + std::to_string(cores) + ", which does not divide aggs_per_pod x " +
                                "cores_per_agg = " + std::to_string(agg_to_core) +
                                "; allowed: a number that gives each core equally many links");
    } else {
        check.ports("pods", pods * (agg_to_core / cores) * links_per_core,
                    "a core's pods x aggs_per_pod x cores_per_agg / cores x links_per_core");
    }
    if (wiring == core_wiring::strides && agg_to_core != cores) {
        check.fail("wiring", "is strides with " + std::to_string(cores) +
                                 " cores; allowed: with aggs_per_pod x cores_per_agg = " +
                                 std::to_string(agg_to_core) + " cores only");
    }
    return check.take();
}

pods_config fat_tree_config::as_pods() const {
    pods_config p;
    p.pods = k;
    p.tors_per_pod = k / 2;
    p.aggs_per_pod = k / 2;
    p.hosts_per_tor = hosts_per_edge != 0 ? hosts_per_edge : k / 2 * oversubscription;
    p.cores = k / 2 * (k / 2);
    p.links_per_agg = 1;
    p.cores_per_agg = k / 2;
    p.links_per_core = 1;
    p.host_link = host_link;
    p.agg_link = agg_link;
    p.core_link = core_link;
    return p;
}

config_errors fat_tree_config::validate() const {
    range_check check;
    check.between("k", k, 2, max_ports).at_least("oversubscription", oversubscription, 1);
    if (k % 2 != 0) {
        check.fail("k", "is " + std::to_string(k) + "; allowed: even numbers");
    }
    const unsigned half = k / 2;
    const std::uint64_t per_edge =
        hosts_per_edge != 0 ? std::uint64_t{hosts_per_edge} : std::uint64_t{half} * oversubscription;
    return check.ports("hosts_per_edge", per_edge + half, "an edge switch's hosts + k/2 up-links")
        .link("host_link", host_link)
        .link("agg_link", agg_link)
        .link("core_link", core_link)
        .take();
}

topology make_topology(const single_config& config) {
    topology t;
    add_hosts(t, t.add_switch("tor0", tor_tier), config.hosts, config.host_link);
    t.finish();
    return t;
}

topology make_topology(const dumbbell_config& config) {
    topology t;
    const switch_id left = t.add_switch("tor0", tor_tier);
    const switch_id right = t.add_switch("tor1", tor_tier);
    add_hosts(t, left, config.left, config.host_link);
    add_hosts(t, right, config.right, config.host_link);
    add_links(t, left, right, 1, config.bottleneck);
    t.finish();
    return t;
}

topology make_topology(const racks_config& config) {
    topology t;
    for (unsigned r = 0; r < config.racks; ++r) {
        const switch_id tor = t.add_switch(numbered("tor", r), tor_tier);
        add_hosts(t, tor, config.hosts_per_rack, config.host_link);
    }
    for (unsigned r = 0; r < config.roots; ++r) {
        t.add_switch(numbered("root", r), agg_tier);
    }
    for (unsigned tor = 0; tor < config.racks; ++tor) {
        for (unsigned r = 0; r < config.roots; ++r) {
            add_links(t, tor, config.racks + r, config.links_per_root, config.root_link);
        }
    }
    t.finish();
    return t;
}

topology make_topology(const pods_config& config) {
    topology t;
    const unsigned tors = config.pods * config.tors_per_pod;
    const unsigned aggs = config.pods * config.aggs_per_pod;
    for (unsigned i = 0; i < tors; ++i) {
        const std::string name = numbered("tor", i / config.tors_per_pod, i % config.tors_per_pod);
        add_hosts(t, t.add_switch(name, tor_tier), config.hosts_per_tor, config.host_link);
    }
    for (unsigned i = 0; i < aggs; ++i) {
        t.add_switch(numbered("agg", i / config.aggs_per_pod, i % config.aggs_per_pod), agg_tier);
    }
    for (unsigned i = 0; i < config.cores; ++i) {
        t.add_switch(numbered("core", i), core_tier);
    }
    for (unsigned i = 0; i < tors; ++i) {
        const unsigned first_agg = tors + i / config.tors_per_pod * config.aggs_per_pod;
        for (unsigned j = 0; j < config.aggs_per_pod; ++j) {
            add_links(t, i, first_agg + j, config.links_per_agg, config.agg_link);
        }
    }
    for (unsigned i = 0; i < aggs && config.cores > 0; ++i) {
        const unsigned j = i % config.aggs_per_pod;
        for (unsigned up = 0; up < config.cores_per_agg; ++up) {
            const unsigned core = config.wiring == core_wiring::blocks
                                      ? (j * config.cores_per_agg + up) % config.cores
                                      : j + up * config.aggs_per_pod;
            add_links(t, tors + i, tors + aggs + core, config.links_per_core, config.core_link);
        }
    }
    t.finish();
    return t;
}

topology make_topology(const fat_tree_config& config) {
    return make_topology(config.as_pods());
}

}  // namespace weir
