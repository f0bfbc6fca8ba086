// Options [fabric].
#include <algorithm>

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<fabric_kind> : registered_names<fabric_kind, fabric_kinds> {};
template <>
struct enum_names<fabric_file_format> {
    static constexpr enum_name<fabric_file_format> list[] = {
        {fabric_file_format::weir, "weir", "the project's own"},
        {fabric_file_format::hpcc, "hpcc", "nodes, switches, links (HPCC simulator)"},
        {fabric_file_format::htsim, "htsim", "tiers of a fat-tree (htsim .topo)"},
    };
};
template <>
struct enum_names<core_wiring> {
    static constexpr enum_name<core_wiring> list[] = {
        {core_wiring::blocks, "blocks",
         "aggregation switch j: cores_per_agg consecutive cores from core j x cores_per_agg on"},
        {core_wiring::strides, "strides", "aggregation switch j: cores j, j + aggs_per_pod, ... (htsim)"},
    };
};

namespace {

using block_writer = option_table::block_writer;

relevance only_for(const fabric_options& fabric, std::vector<fabric_kind> kinds) {
    return only_with("fabric.topology", fabric.topology, std::move(kinds));
}

/// For the fabrics that have links of this tier.
relevance only_with_tier(const fabric_options& fabric, link_tier tier) {
    std::vector<fabric_kind> kinds;
    for (std::size_t number = 0; number < fabric_kinds().entries().size(); ++number) {
        const std::vector<link_tier>& tiers = fabric_kinds().entries()[number].traits.tiers;
        if (std::find(tiers.begin(), tiers.end(), tier) != tiers.end()) {
            kinds.push_back(static_cast<fabric_kind>(number));
        }
    }
    return only_for(fabric, std::move(kinds));
}

relevance only_with_cores(const fabric_options& fabric) {
    return only_for(fabric, {fabric_kind::pods}) &&
           relevance{"fabric.cores above 0", [&fabric] { return fabric.pods.cores > 0; }};
}

void add_sizes(block_writer& block, fabric_options& fabric) {
    block.add("hosts", fabric.single.hosts)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::single}))
        .doc("single: hosts at the switch.")
        .source("DeTail figure 3 (any number)");
    block.add("left", fabric.dumbbell.left)
        .range(dumbbell_config::hosts_range)
        .matters(only_for(fabric, {fabric_kind::dumbbell}))
        .doc("dumbbell: hosts at the first switch.")
        .source("project");
    block.add("right", fabric.dumbbell.right)
        .range(dumbbell_config::hosts_range)
        .matters(only_for(fabric, {fabric_kind::dumbbell}))
        .doc("dumbbell: hosts at the second switch.")
        .source("project");
    block.add("racks", fabric.racks.racks)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::racks}))
        .doc("racks: number of racks. racks x links_per_root must not exceed the ports of a root.")
        .source("DeTail TR 7.1: 8 racks");
    block.add("hosts_per_rack", fabric.racks.hosts_per_rack)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::racks}))
        .doc("racks: hosts per rack. Hosts and uplinks together must not exceed the ports of a ToR.")
        .source("DeTail TR 7.1: 12 servers");
    block.add("roots", fabric.racks.roots)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::racks}))
        .doc("racks: switches above the ToRs.")
        .source("DeTail TR 7.1: inferred from oversubscription 3");
    block.add("links_per_root", fabric.racks.links_per_root)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::racks}))
        .doc("racks: parallel links between one ToR and one root.")
        .source("DeTail TR 7.1");
}

void add_pods(block_writer& block, fabric_options& fabric) {
    block.add("pods", fabric.pods.pods)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::pods}))
        .doc("pods: number of pods; 1 if there are no cores.")
        .source("DeTail 2013 presentation: 4");
    block.add("tors_per_pod", fabric.pods.tors_per_pod)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::pods}))
        .doc("pods: ToRs per pod.")
        .source("DeTail 2013 presentation: 4");
    block.add("aggs_per_pod", fabric.pods.aggs_per_pod)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::pods}))
        .doc("pods: aggregation switches per pod, each linked to every ToR of the pod.")
        .source("DeTail 2013 presentation: 4");
    block.add("hosts_per_tor", fabric.pods.hosts_per_tor)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::pods}))
        .doc("pods: hosts per ToR.")
        .source("DeTail 2013 presentation: 8");
    block.add("cores", fabric.pods.cores)
        .range(pods_config::cores_range)
        .matters(only_for(fabric, {fabric_kind::pods}))
        .doc("pods: number of core switches. 0 is possible with one pod only.")
        .source("FlowBender: 8; the presentation does not say");
    block.add("links_per_agg", fabric.pods.links_per_agg)
        .range(ports_range)
        .matters(only_for(fabric, {fabric_kind::pods}))
        .doc("pods: parallel links between one ToR and one aggregation switch.")
        .source("FlowBender table 1 needs 2 (inferred)");
    block.add("cores_per_agg", fabric.pods.cores_per_agg)
        .range(ports_range)
        .matters(only_with_cores(fabric))
        .doc("pods: cores that one aggregation switch reaches.")
        .source("8 cores over 4 aggregation switches");
    block.add("links_per_core", fabric.pods.links_per_core)
        .range(ports_range)
        .matters(only_with_cores(fabric))
        .doc("pods: parallel links between one aggregation switch and one core.")
        .source("project");
    block.add("wiring", fabric.pods.wiring)
        .matters(only_with_cores(fabric))
        .doc(
            "pods: which cores each aggregation switch is linked to. Both give the same fabric up to the names "
            "of the cores.")
        .source("project; htsim");
    block.add("k", fabric.fat_tree.k)
        .range(fat_tree_config::k_range)
        .matters(only_for(fabric, {fabric_kind::fat_tree}))
        .doc(
            "fat_tree: ports per switch. The fabric has k pods, each with k/2 edge and k/2 aggregation "
            "switches, and (k/2)^2 cores.")
        .source("DIBS: 8");
    block.add("oversubscription", fabric.fat_tree.oversubscription)
        .range(ports_range)
        .matters(
            only_for(fabric, {fabric_kind::fat_tree}) &&
            relevance{"fabric.hosts_per_edge = 0", [&fabric] { return fabric.fat_tree.hosts_per_edge == 0; }})
        .doc("fat_tree: hosts per edge switch, divided by k/2.")
        .source("DIBS: 1");
    block.add("hosts_per_edge", fabric.fat_tree.hosts_per_edge)
        .range(fat_tree_config::hosts_per_edge_range)
        .matters(only_for(fabric, {fabric_kind::fat_tree}))
        .doc("fat_tree: hosts per edge switch. 0: k/2 x oversubscription.")
        .source("project");
}

void add_link_choice(block_writer& block, const char* tier, link_choice& choice, const std::string& which,
                     const char* source, const relevance& when) {
    block.add((std::string(tier) + "_rate").c_str(), choice.rate)
        .range(link_config::rate_range)
        .matters(when)
        .doc("Rate of the links " + which + ". auto: link.rate.")
        .source(source);
    block.add((std::string(tier) + "_latency").c_str(), choice.latency)
        .range(link_config::latency_range)
        .matters(when)
        .doc("One-way latency of the links " + which + ". auto: link.latency.")
        .source(source);
}

/// `host_link.rate` of a generator is the option `fabric.host_rate`; other fields have their option's name.
std::string option_of(const std::string& field) {
    const std::size_t at = field.find("_link.");
    if (at != std::string::npos) {
        return "fabric." + field.substr(0, at) + "_" + field.substr(at + 6);
    }
    const std::size_t dot = field.find('.');
    return "fabric." + (dot == std::string::npos ? field : field.substr(0, dot) + "_" + field.substr(dot + 1));
}

config_errors check_fabric(const fabric_options& fabric) {
    if (fabric.topology == fabric_kind::file && fabric.file.empty()) {
        return {{"", 0, "fabric.file", "'' is empty; expected a path, because fabric.topology = file"}};
    }
    const auto& validate = fabric_kinds()[fabric.topology].validate;
    config_errors errors = validate ? validate(fabric) : config_errors{};
    for (config_error& error : errors) {
        error.key = option_of(error.key);
    }
    return errors;
}

}  // namespace

void fabric_options::resolve_links(const link_config& defaults) {
    const auto chosen = [&](const link_choice& choice) {
        return link_properties{choice.rate.value_or(defaults.rate), choice.latency.value_or(defaults.latency)};
    };
    single.host_link = dumbbell.host_link = racks.host_link = pods.host_link = fat_tree.host_link =
        chosen(host);
    dumbbell.bottleneck = chosen(bottleneck);
    racks.root_link = chosen(root);
    pods.agg_link = fat_tree.agg_link = chosen(agg);
    pods.core_link = fat_tree.core_link = chosen(core);
}

std::string fabric_options::options_of_hosts() const {
    return fabric_kinds()[topology].options_of_hosts;
}

std::string fabric_options::options_of_links() const {
    std::string keys = link_overrides.empty() ? "" : "fabric.link, ";
    if (topology == fabric_kind::file) {
        return keys + "fabric.file";
    }
    for (const auto& [tier, choice] :
         {std::pair("host", host), {"bottleneck", bottleneck}, {"root", root}, {"agg", agg}, {"core", core}}) {
        keys += choice.latency ? "fabric." + std::string(tier) + "_latency, " : "";
        keys += choice.rate ? "fabric." + std::string(tier) + "_rate, " : "";
    }
    return keys + "link.latency, link.rate";
}

void add_fabric_options(option_table& table, run_config& config) {
    fabric_options& fabric = config.fabric;
    auto block = table.block("fabric", "Hosts, switches and the links between them.");
    block.add("topology", fabric.topology)
        .doc("Kind of fabric. Sizes that belong to other kinds have no effect.")
        .source("DeTail, FlowBender, DIBS");
    add_sizes(block, fabric);
    add_pods(block, fabric);
    using tier = link_tier;
    add_link_choice(block, "host", fabric.host, "between hosts and switches", "DeTail 7.1",
                    only_with_tier(fabric, tier::host));
    add_link_choice(block, "bottleneck", fabric.bottleneck, "between a dumbbell's switches", "project",
                    only_with_tier(fabric, tier::bottleneck));
    add_link_choice(block, "root", fabric.root, "between ToRs and roots", "DeTail 7.1",
                    only_with_tier(fabric, tier::root));
    add_link_choice(block, "agg", fabric.agg, "between ToRs (edge) and aggregation switches",
                    "DeTail 7.1; DIBS oversubscribes here", only_with_tier(fabric, tier::agg));
    add_link_choice(block, "core", fabric.core, "between aggregation and core switches",
                    "DeTail 7.1; DIBS oversubscribes here", only_with_tier(fabric, tier::core));
    block.add("file", fabric.file)
        .path()
        .matters(only_for(fabric, {fabric_kind::file}))
        .doc("file: path of the topology file.")
        .source("project");
    block.add("format", fabric.format)
        .matters(only_for(fabric, {fabric_kind::file}))
        .doc("file: format of the topology file.")
        .source("HPCC, htsim");
    block.add_repeated("link", fabric.link_overrides)
        .form("NAME and changes, such as agg0.0-core1 rate=100Mbps, or agg0.0-core1 down at=5ms")
        .doc(
            "Changes one link in both directions; the link is named after its two ends. Changes: rate=, "
            "latency=, frame_error_rate=, bit_error_rate=, down, up; at=TIME applies them from that time on. "
            "May be given several times. The lookahead is computed from the smallest latency that any link "
            "ever has in the run. docs/blocks/link.md.")
        .source("DeTail 2013 presentation: one link down, one link at 100 Mb/s");
    block.add_repeated("route", fabric.routes)
        .form("SWITCH to HOST via NEIGHBOUR, such as s0 to h2 via s1, or agg1.0 to tor1.0 via tor1.1,core0")
        .doc(
            "A static route that replaces the shortest paths from SWITCH to one host, or to all hosts of a "
            "switch. It uses all links to the given neighbours, or only the link that is named. It does not "
            "change when links go down. May be given several times. docs/blocks/fabric.md.")
        .source("project; Hu et al., HotNets 2016: a deadlock needs paths that are not the shortest");
    block.add("reroute_delay", fabric.reroute_delay)
        .range(0_ps, 1s)
        .matters({"fabric.link with down or up", [&fabric] { return !fabric.link_overrides.empty(); }})
        .doc("Time from a link going down or up until the forwarding tables of all switches have been updated.")
        .source("project");
    table.check([&fabric] { return check_fabric(fabric); });
}

}  // namespace weir
