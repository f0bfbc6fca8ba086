// The usual fabrics, made from a few numbers.
//
//   pods_config slides;                       // DeTail's 2013 presentation: 128 hosts, 40 switches
//   config_errors wrong = slides.validate();
//   topology fabric = make_topology(slides);
//
// Names: hosts `h0`, `h1`, ... in the order of their edge switches; switches `tor3`, `root1`, `tor1.2` and
// `agg1.2` (pod 1, number 2), `core5`; of an XGFT `s2.5` (level 2, number 5). Switch numbers go tier by tier. A
// ToR's ports are its hosts, then its up-links; an aggregation switch's its ToRs, then its up-links; a core's
// its pods; those of an XGFT's switch its children, then its parents or the hosts at the top.
//
// `make_topology` expects a valid config and returns a finished fabric. A config that is not valid would give
// one whose `validate()` complains, or none at all.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

/// Numbers of hosts, switches and links that a switch's ports bound. What the sum of them may be, `validate`
/// says.
inline constexpr field_range ports_range{1U, max_ports};

/// Links of DeTail's fabrics: 1 Gb/s, 1.6 us propagation and 5 us transceivers (TR 7.1).
inline constexpr link_properties detail_link{1_Gbps, 6600ns};

/// One switch, `tor0`, with hosts: incast (DeTail figure 3), block tests.
struct single_config {
    unsigned hosts = 4;
    link_properties host_link = detail_link;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("hosts", &self::hosts)
                   .range(ports_range)
                   .needs("fabric.topology = single")
                   .help("single: hosts at the switch.")
                   .source("DeTail figure 3 (any number)"));
    }

    config_errors validate() const;
};

/// Two switches, `tor0` and `tor1`, hosts on both sides of one link between them.
struct dumbbell_config {
    // Hosts at `tor0`, and at `tor1`.
    unsigned left = 4;
    unsigned right = 4;
    static constexpr field_range hosts_range{1U, max_ports - 1};
    link_properties host_link = detail_link;
    /// The link between the two switches.
    link_properties bottleneck = detail_link;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("fabric.topology = dumbbell");
        fields(field("left", &self::left).range(hosts_range).help("dumbbell: hosts at the first switch."));
        fields(field("right", &self::right).range(hosts_range).help("dumbbell: hosts at the second switch."));
    }

    config_errors validate() const;
};

/// A two-tier, multi-rooted tree: each rack's ToR has up-links to each root. Defaults: DeTail TR, 8 racks
/// of 12 servers, oversubscription 3 (4 roots inferred from it).
struct racks_config {
    unsigned racks = 8;
    unsigned hosts_per_rack = 12;
    unsigned roots = 4;
    unsigned links_per_root = 1;
    link_properties host_link = detail_link;
    link_properties root_link = detail_link;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("fabric.topology = racks");
        fields(field("racks", &self::racks)
                   .range(ports_range)
                   .help("racks: number of racks. racks x links_per_root must not exceed the ports of a root.")
                   .source("DeTail TR 7.1: 8 racks"));
        fields(
            field("hosts_per_rack", &self::hosts_per_rack)
                .range(ports_range)
                .help("racks: hosts per rack. Hosts and uplinks together must not exceed the ports of a ToR.")
                .source("DeTail TR 7.1: 12 servers"));
        fields(field("roots", &self::roots)
                   .range(ports_range)
                   .help("racks: switches above the ToRs.")
                   .source("DeTail TR 7.1: inferred from oversubscription 3"));
        fields(field("links_per_root", &self::links_per_root)
                   .range(ports_range)
                   .help("racks: parallel links between one ToR and one root.")
                   .source("DeTail TR 7.1"));
    }

    config_errors validate() const;
};

/// Which cores an aggregation switch reaches; both give the same fabric, with other names.
enum class core_wiring : std::uint8_t { blocks, strides };
constexpr auto names_of(core_wiring) {
    return enum_names<core_wiring>({
        {core_wiring::blocks, "blocks",
         "aggregation switch j: cores_per_agg consecutive cores from core j x cores_per_agg on"},
        {core_wiring::strides, "strides", "aggregation switch j: cores j, j + aggs_per_pod, ... (htsim)"},
    });
}

/// A three-tier tree of pods: each ToR has links to each aggregation switch of its pod, each aggregation
/// switch to some of the cores. Defaults: the 2013 presentation of DeTail (128 servers, 4 pods of 4 ToRs and
/// 4 aggregation switches; its cores are not stated, 8 as in FlowBender's like fabric). FlowBender, table 1:
/// links_per_agg = 2.
struct pods_config {
    unsigned pods = 4;
    unsigned tors_per_pod = 4;
    unsigned aggs_per_pod = 4;
    unsigned hosts_per_tor = 8;
    /// At most aggs_per_pod x cores_per_agg, so that each is reached.
    unsigned cores = 8;
    unsigned links_per_agg = 1;
    /// Counted on from the switch's first one and wrapping at the last.
    unsigned cores_per_agg = 2;
    unsigned links_per_core = 1;
    core_wiring wiring = core_wiring::blocks;
    link_properties host_link = detail_link;
    link_properties agg_link = detail_link;
    link_properties core_link = detail_link;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("fabric.topology = pods");
        fields(field("pods", &self::pods)
                   .range(ports_range)
                   .help("pods: number of pods; 1 if there are no cores.")
                   .source("DeTail 2013 presentation: 4"));
        fields(field("tors_per_pod", &self::tors_per_pod)
                   .range(ports_range)
                   .help("pods: ToRs per pod.")
                   .source("DeTail 2013 presentation: 4"));
        fields(field("aggs_per_pod", &self::aggs_per_pod)
                   .range(ports_range)
                   .help("pods: aggregation switches per pod, each linked to every ToR of the pod.")
                   .source("DeTail 2013 presentation: 4"));
        fields(field("hosts_per_tor", &self::hosts_per_tor)
                   .range(ports_range)
                   .help("pods: hosts per ToR.")
                   .source("DeTail 2013 presentation: 8"));
        fields(field("cores", &self::cores)
                   .range(0U, max_ports * max_ports)
                   .help("pods: number of core switches. 0 is possible with one pod only.")
                   .source("FlowBender: 8; the presentation does not say"));
        fields(field("links_per_agg", &self::links_per_agg)
                   .range(ports_range)
                   .help("pods: parallel links between one ToR and one aggregation switch.")
                   .source("FlowBender table 1 needs 2 (inferred)"));
        fields.all_need("fabric.topology = pods", "fabric.cores above 0");
        fields(field("cores_per_agg", &self::cores_per_agg)
                   .range(ports_range)
                   .help("pods: cores that one aggregation switch reaches.")
                   .source("8 cores over 4 aggregation switches"));
        fields(field("links_per_core", &self::links_per_core)
                   .range(ports_range)
                   .help("pods: parallel links between one aggregation switch and one core."));
        fields(field("wiring", &self::wiring)
                   .help("pods: which cores each aggregation switch is linked to. Both give the same fabric up "
                         "to the names of the cores.")
                   .source("project; htsim"));
    }

    config_errors validate() const;
};

/// A k-ary fat-tree: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores, and k/2 hosts per edge
/// switch, or more where it is oversubscribed there. Default: DIBS, k = 8, 128 hosts at 1 Gb/s. (DIBS
/// oversubscribes by slower links between switches: set agg_link and core_link.)
struct fat_tree_config {
    unsigned k = 8;
    // The largest k is that of the largest fabric: (5/4) k^2 switches.
    static_assert(160U * 160 / 4 * 5 <= most_switches && 162U * 162 / 4 * 5 > most_switches);
    unsigned oversubscription = 1;
    unsigned hosts_per_edge = 0;
    link_properties host_link = detail_link;
    link_properties agg_link = detail_link;
    link_properties core_link = detail_link;

    /// The same fabric as pods.
    pods_config as_pods() const;
    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("fabric.topology = fat_tree");
        fields(field("k", &self::k)
                   .range(2U, max_ports < 160U ? max_ports : 160U, range_ends::even)
                   .help("fat_tree: ports per switch. The fabric has k pods, each with k/2 edge and k/2 "
                         "aggregation switches, and (k/2)^2 cores.")
                   .source("DIBS: 8"));
        fields(field("oversubscription", &self::oversubscription)
                   .range(ports_range)
                   .needs("fabric.hosts_per_edge = 0")
                   .help("fat_tree: hosts per edge switch, divided by k/2.")
                   .source("DIBS: 1"));
        fields(field("hosts_per_edge", &self::hosts_per_edge)
                   .range(0U, max_ports)
                   .help("fat_tree: hosts per edge switch. 0: k/2 x oversubscription."));
    }

    config_errors validate() const;
};

/// XGFT(h; m_1, ..., m_h; w_1, ..., w_h), an extended generalised fat-tree: the leaves, level 0, are hosts; a
/// switch of level i has m_i children, and a node of level i w_(i+1) parents. It is m_h copies of the tree of
/// height h - 1 below common tops: the top number k of each copy has the parents k w_h to (k + 1) w_h - 1.
/// k-ary n-trees, `racks` and `fat_tree` are such trees. Default: the paper's with 64 hosts in 4 racks.
struct xgft_config {
    /// m_1 to m_h. Their number is the height.
    std::vector<unsigned> children{16, 4};
    /// w_1 to w_h. A host has one link, so w_1 is 1.
    std::vector<unsigned> parents{1, 2};
    /// Hosts at each switch of level h. They have the numbers after those of the leaves.
    unsigned top_hosts = 0;
    link_properties host_link = detail_link;
    /// Between levels 1 and 2.
    link_properties agg_link = detail_link;
    /// Between all levels above.
    link_properties core_link = detail_link;
    static constexpr std::size_t most_levels = 16;

    std::size_t height() const { return children.size(); }
    /// Nodes of a level, 0 to the height: the product of the m above it and the w up to it. At most 2^32: what
    /// is beyond counts as that.
    std::uint64_t nodes_of_level(std::size_t level) const;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("fabric.topology = xgft");
        fields(
            field("xgft_children", &self::children)
                .range(ports_range)
                .help("xgft: m_1 to m_h, the children of a switch of level 1 to h. Level 1 has hosts below it.")
                .source("Crisan et al. 2012, III-B1: XGFT(2; 16, 4; 1, 2)"));
        fields(
            field("xgft_parents", &self::parents)
                .range(ports_range)
                .help("xgft: w_1 to w_h, the parents of a node of level 0 to h - 1. w_1 is 1: a host has one "
                      "link.")
                .source("Crisan et al. 2012, III-B1: XGFT(2; 16, 4; 1, 2)"));
        fields(field("xgft_top_hosts", &self::top_hosts)
                   .range(0U, max_ports)
                   .help("xgft: hosts at each switch of level h, numbered after all others.")
                   .source("Crisan et al. 2012, figure 3: 16 sources of queries, 8 at each switch of level 2"));
    }

    config_errors validate() const;
};

topology make_topology(const single_config& config);
topology make_topology(const dumbbell_config& config);
topology make_topology(const racks_config& config);
topology make_topology(const pods_config& config);
topology make_topology(const fat_tree_config& config);
topology make_topology(const xgft_config& config);

}  // namespace weir::model
