// The usual fabrics, made from a few numbers.
//
//   pods_config slides;                       // DeTail's 2013 presentation: 128 hosts, 40 switches
//   config_errors wrong = slides.validate();
//   topology fabric = make_topology(slides);
//
// Names: hosts `h0`, `h1`, ... in the order of their edge switches; switches `tor3`, `root1`, `tor1.2` and
// `agg1.2` (pod 1, number 2), `core5`. Switch numbers go tier by tier. A ToR's ports are its hosts, then its
// up-links; an aggregation switch's its ToRs, then its up-links; a core's its pods.
//
// `make_topology` expects a valid config and returns a finished fabric. A config that is not valid would give
// one whose `validate()` complains, or none at all.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/model/topology/topology.h"

namespace weir {

/// Numbers of hosts, switches and links that a switch's ports bound. What the sum of them may be, `validate`
/// says.
inline constexpr field_range ports_range{1U, max_ports};

/// Links of DeTail's fabrics: 1 Gb/s, 1.6 us propagation and 5 us transceivers (TR 7.1).
inline constexpr link_properties detail_link{1_Gbps, 6600ns};

/// One switch, `tor0`, with hosts: incast (DeTail figure 3), block tests.
struct single_config {
    /// Range: `ports_range`.
    unsigned hosts = 4;
    link_properties host_link = detail_link;

    config_errors validate() const;
};

/// Two switches, `tor0` and `tor1`, hosts on both sides of one link between them.
struct dumbbell_config {
    /// Hosts at `tor0`.
    unsigned left = 4;
    /// Hosts at `tor1`.
    unsigned right = 4;
    /// Of either side.
    static constexpr field_range hosts_range{1U, max_ports - 1};
    link_properties host_link = detail_link;
    /// The link between the two switches.
    link_properties bottleneck = detail_link;

    config_errors validate() const;
};

/// A two-tier, multi-rooted tree: each rack's ToR has up-links to each root. Defaults: DeTail TR, 8 racks
/// of 12 servers, oversubscription 3 (4 roots inferred from it). Range of all numbers: `ports_range`.
struct racks_config {
    /// Times links_per_root at most max_ports.
    unsigned racks = 8;
    /// With the up-links at most max_ports.
    unsigned hosts_per_rack = 12;
    unsigned roots = 4;
    /// Parallel links between one ToR and one root.
    unsigned links_per_root = 1;
    link_properties host_link = detail_link;
    link_properties root_link = detail_link;

    config_errors validate() const;
};

/// Which cores an aggregation switch reaches; both give the same fabric, with other names.
enum class core_wiring : std::uint8_t {
    blocks,  ///< aggregation switch j: cores j x cores_per_agg and the following
    strides  ///< aggregation switch j: cores j, j + aggs_per_pod, j + 2 x aggs_per_pod, ... (htsim)
};

/// A three-tier tree of pods: each ToR has links to each aggregation switch of its pod, each aggregation
/// switch to some of the cores. Defaults: the 2013 presentation of DeTail (128 servers, 4 pods of 4 ToRs and
/// 4 aggregation switches; its cores are not stated, 8 as in FlowBender's like fabric). FlowBender, table 1:
/// links_per_agg = 2. Range of all numbers but `cores`: `ports_range`.
struct pods_config {
    /// 1 without cores.
    unsigned pods = 4;
    unsigned tors_per_pod = 4;
    unsigned aggs_per_pod = 4;
    unsigned hosts_per_tor = 8;
    /// At most aggs_per_pod x cores_per_agg, so that each is reached; 0 with one pod only.
    unsigned cores = 8;
    static constexpr field_range cores_range{0U, max_ports* max_ports};
    /// Parallel links between one ToR and one aggregation switch of its pod.
    unsigned links_per_agg = 1;
    /// Cores that one aggregation switch reaches, counted on from its first one and wrapping at the last.
    /// At most cores. Default 2: 8 cores over 4 aggregation switches.
    unsigned cores_per_agg = 2;
    /// Parallel links between one aggregation switch and one core.
    unsigned links_per_core = 1;
    core_wiring wiring = core_wiring::blocks;
    link_properties host_link = detail_link;
    link_properties agg_link = detail_link;
    link_properties core_link = detail_link;

    config_errors validate() const;
};

/// A k-ary fat-tree: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores, and k/2 hosts per edge
/// switch, or more where it is oversubscribed there. Default: DIBS, k = 8, 128 hosts at 1 Gb/s. (DIBS
/// oversubscribes by slower links between switches: set agg_link and core_link.)
struct fat_tree_config {
    /// Ports of a switch.
    unsigned k = 8;
    /// The largest k is that of the largest fabric: (5/4) k^2 switches.
    static constexpr field_range k_range{2U, max_ports < 160U ? max_ports : 160U, range_ends::even};
    static_assert(160U * 160 / 4 * 5 <= most_switches && 162U * 162 / 4 * 5 > most_switches);
    /// Hosts per edge switch over k/2. Range: `ports_range`.
    unsigned oversubscription = 1;
    /// Hosts per edge switch; 0 = k/2 x oversubscription.
    unsigned hosts_per_edge = 0;
    static constexpr field_range hosts_per_edge_range{0U, max_ports};
    link_properties host_link = detail_link;
    link_properties agg_link = detail_link;
    link_properties core_link = detail_link;

    /// The same fabric as pods.
    pods_config as_pods() const;
    config_errors validate() const;
};

topology make_topology(const single_config& config);
topology make_topology(const dumbbell_config& config);
topology make_topology(const racks_config& config);
topology make_topology(const pods_config& config);
topology make_topology(const fat_tree_config& config);

}  // namespace weir
