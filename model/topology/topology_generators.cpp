#include "weir/model/topology/topology_generators.h"

#include <algorithm>
#include <string>

#include "weir/base/unit_text.h"

namespace weir::model {

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

/// `what`: how the number of ports comes about.
void check_ports(range_check& check, const char* key, std::uint64_t count, const char* what) {
    check.refuse(count > max_ports, key,
                 std::string(what) + " makes {} ports; expected at most " + std::to_string(max_ports), count);
}

void check_size(range_check& check, const char* key, std::uint64_t hosts, std::uint64_t switches) {
    if (std::string size = too_large(hosts, switches); !size.empty()) {
        check.fail(key, std::move(size));
    }
}

void check_link(range_check& check, const std::string& key, const link_properties& link) {
    if (link.rate <= bit_rate{0}) {
        check.fail(key + ".rate", out_of_range(to_text(link.rate), "above 0"));
    }
    if (link.latency <= picoseconds{0}) {
        check.fail(key + ".latency",
                   out_of_range(to_text(link.latency), "above 0 (every link has a latency greater than zero)"));
    }
}

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
    range_check check = check_ranges(*this);
    check_link(check, "host_link", host_link);
    return check.take();
}

config_errors dumbbell_config::validate() const {
    range_check check = check_ranges(*this);
    check_link(check, "host_link", host_link);
    check_link(check, "bottleneck", bottleneck);
    return check.take();
}

config_errors racks_config::validate() const {
    const std::uint64_t up_links = std::uint64_t{roots} * links_per_root;
    range_check check = check_ranges(*this);
    check_ports(check, "hosts_per_rack", hosts_per_rack + up_links,
                "a ToR's {hosts_per_rack} + {roots} x {links_per_root}");
    check_ports(check, "racks", std::uint64_t{racks} * links_per_root, "a root's {racks} x {links_per_root}");
    check_link(check, "host_link", host_link);
    check_link(check, "root_link", root_link);
    return check.take();
}

config_errors pods_config::validate() const {
    const std::uint64_t tor_up = std::uint64_t{aggs_per_pod} * links_per_agg;
    const std::uint64_t agg_down = std::uint64_t{tors_per_pod} * links_per_agg;
    const std::uint64_t agg_up = cores == 0 ? 0 : std::uint64_t{cores_per_agg} * links_per_core;
    const std::uint64_t agg_to_core = std::uint64_t{aggs_per_pod} * cores_per_agg;
    range_check check = check_ranges(*this);
    check_ports(check, "hosts_per_tor", hosts_per_tor + tor_up,
                "a ToR's {hosts_per_tor} + {aggs_per_pod} x {links_per_agg}");
    check_ports(
        check, "tors_per_pod", agg_down + agg_up,
        "an aggregation switch's {tors_per_pod} x {links_per_agg} + {cores_per_agg} x {links_per_core}");
    check_link(check, "host_link", host_link);
    check_link(check, "agg_link", agg_link);
    const std::uint64_t tors = std::uint64_t{pods} * tors_per_pod;
    if (check.fits("cores")) {
        check_size(check, "pods", tors * hosts_per_tor, tors + std::uint64_t{pods} * aggs_per_pod + cores);
    }
    check.refuse(cores == 0 && pods != 1, "cores", "is 0 with {} {pods}; expected at least 1, or one pod",
                 pods);
    const std::uint32_t most_reached = cores == 0 ? cores_per_agg : std::min<std::uint32_t>(cores, max_ports);
    check.require(cores_per_agg <= most_reached || cores < max_ports, "cores_per_agg", cores_per_agg, "1 to {}",
                  most_reached);
    check.require(cores_per_agg <= most_reached || cores >= max_ports, "cores_per_agg", cores_per_agg,
                  "1 to {} ({cores})", most_reached);
    if (cores > 0) {
        check_link(check, "core_link", core_link);
    }
    const std::uint64_t of_a_core = cores == 0 ? 0 : agg_to_core / cores;
    check.refuse(
        cores > agg_to_core, "cores",
        "is {}, more than {aggs_per_pod} x {cores_per_agg} = {} links can reach; expected at most that number",
        cores, agg_to_core);
    check.refuse(
        0 < cores && cores <= agg_to_core && of_a_core * cores != agg_to_core, "cores",
        "is {}, which does not divide {aggs_per_pod} x {cores_per_agg} = {}; expected a number of cores that "
        "gives each the same number of links",
        cores, agg_to_core);
    check_ports(check, "pods", pods * of_a_core * links_per_core,
                "a core's {pods} x {aggs_per_pod} x {cores_per_agg} / {cores} x {links_per_core}");
    check.refuse(cores > 0 && wiring == core_wiring::strides && agg_to_core != cores, "wiring",
                 "is strides with {} {cores}; expected blocks, or {aggs_per_pod} x {cores_per_agg} = {} cores",
                 cores, agg_to_core);
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
    range_check check = check_ranges(*this);
    const std::uint64_t per_edge = as_pods().hosts_per_tor;
    const std::uint64_t edges = std::uint64_t{k} * k / 2;
    check_ports(check, "hosts_per_edge", per_edge + k / 2,
                "an edge switch's hosts ({hosts_per_edge}, or {k}/2 x {oversubscription}) + k/2 up-links");
    if (check.fits("k") && check.fits("hosts_per_edge") && check.fits("oversubscription")) {
        check_size(check, "k", edges * per_edge, edges * 2 + std::uint64_t{k} * k / 4);
    }
    check_link(check, "host_link", host_link);
    check_link(check, "agg_link", agg_link);
    check_link(check, "core_link", core_link);
    return check.take();
}

std::uint64_t xgft_config::nodes_of_level(std::size_t level) const {
    std::uint64_t nodes = 1;
    for (std::size_t i = 0; i < height(); ++i) {
        nodes = std::min(nodes * (i < level ? parents[i] : children[i]), std::uint64_t{1} << 32);
    }
    return nodes;
}

config_errors xgft_config::validate() const {
    range_check check = check_ranges(*this);
    const std::size_t levels = height();
    check.refuse(levels == 0 || levels > most_levels, "xgft_children",
                 "has {} values, one for each level; expected 1 to {}", std::to_string(levels),
                 std::to_string(most_levels));
    check.refuse(parents.size() != levels, "xgft_parents",
                 "has {} values, {xgft_children} has {}; expected as many", std::to_string(parents.size()),
                 std::to_string(levels));
    check.refuse(!parents.empty() && parents[0] != 1, "xgft_parents",
                 "begins with {}; expected 1, because a host has one link", parents.empty() ? 1 : parents[0]);
    const bool fits = check.fits("xgft_children") && check.fits("xgft_parents") && check.fits("xgft_top_hosts");
    std::uint64_t most = 0;
    std::uint64_t switches = 0;
    for (std::size_t level = 1; fits && level <= levels; ++level) {
        const unsigned above = level < levels ? parents[level] : top_hosts;
        most = std::max<std::uint64_t>(most, children[level - 1] + above);
        switches += nodes_of_level(level);
    }
    check_ports(check, "xgft_children", most,
                "a switch's {xgft_children} and the {xgft_parents}, or at the top {xgft_top_hosts}, above it");
    if (fits) {
        check_size(check, "xgft_children", nodes_of_level(0) + nodes_of_level(levels) * top_hosts, switches);
    }
    check_link(check, "host_link", host_link);
    check_link(check, "agg_link", agg_link);
    check_link(check, "core_link", core_link);
    return check.take();
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

topology make_topology(const xgft_config& config) {
    topology t;
    // Of each level the first switch.
    std::vector<switch_id> first{0};
    for (unsigned level = 1; level <= config.height(); ++level) {
        first.push_back(t.switches());
        const auto nodes = static_cast<unsigned>(config.nodes_of_level(level));
        for (unsigned i = 0; i < nodes; ++i) {
            const switch_id made = t.add_switch(numbered("s", level, i), level);
            if (level == 1) {
                add_hosts(t, made, config.children[0], config.host_link);
            }
        }
    }
    // A switch is number k of its copy, and `tops` are alike in all copies; `copies` of them have common
    // parents.
    unsigned tops = 1;
    for (unsigned level = 1; level < config.height(); ++level) {
        const unsigned parents = config.parents[level];
        const unsigned copies = config.children[level];
        const link_properties& link = level == 1 ? config.agg_link : config.core_link;
        for (switch_id lower = first[level]; lower < first[level + 1]; ++lower) {
            const unsigned k = (lower - first[level]) % tops;
            const unsigned tree = (lower - first[level]) / tops / copies;
            for (unsigned up = 0; up < parents; ++up) {
                add_links(t, lower, first[level + 1] + (tree * tops + k) * parents + up, 1, link);
            }
        }
        tops *= parents;
    }
    for (switch_id top = first.back(); top < t.switches(); ++top) {
        add_hosts(t, top, config.top_hosts, config.host_link);
    }
    t.finish();
    return t;
}

}  // namespace weir::model
