// Whose fault pauses are: what nodes have kept (cause_log.h) put together over the whole fabric.
//
// A pause is caused by an XOFF of the link partner, an XOFF by the egress queues that what fills the partner's
// memory waits for, in the shares of their bytes. A queue that is not paused is a *root*: it is just wanted by
// more than it can send, and its share goes to the flows that the switch holds for it, by their bytes. A queue
// that is paused passes its share on to what paused it, one hop further. A host that pauses is a root of its
// own, a broken adapter. docs/causes.md.
//
//   pause_attribution causes(plan, end);
//   causes.add(node, log);          // of every node
//   causes.work_out();
//   causes.flows(); causes.adapters(); causes.tree();
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/model/analysis/cause_log.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// One class of one port's transmitter. `node`: hosts first, as `topology::node_index`.
struct transmitter {
    std::uint32_t node = 0;
    std::uint16_t port = 0;
    pfc_class frame_class = 0;

    friend bool operator<(const transmitter& a, const transmitter& b) {
        return std::tie(a.node, a.port, a.frame_class) < std::tie(b.node, b.port, b.frame_class);
    }
    friend bool operator==(const transmitter& a, const transmitter& b) { return !(a < b) && !(b < a); }
};

class pause_attribution {
 public:
    /// A place in the tree of pauses: a root, or a transmitter that was paused because of its parent.
    struct tree_node {
        static constexpr std::uint32_t no_parent = ~std::uint32_t{0};
        std::uint32_t parent = no_parent;
        transmitter queue;
        /// Hops from the root; 0: the root itself.
        unsigned depth = 0;
        /// Of a root: a host's adapter that pauses.
        bool adapter = false;
        /// Paused time that is the parent's fault. Unit: ps.
        double paused = 0;
    };
    /// Paused time by whom it held up. Unit: ps.
    struct fault_time {
        /// Of transmitters that held frames: for those of others, and for its own.
        double others = 0;
        double own = 0;
        /// Of transmitters that held nothing: nobody waited.
        double idle = 0;
        double all() const { return others + own + idle; }
    };
    struct flow_fault : fault_time {
        flow_bytes flow;
    };
    /// A host that pauses. `node`: as `topology::node_index`.
    struct adapter_fault : fault_time {
        std::uint32_t node = 0;
    };

    /// `plan` and the logs outlive this. `classes`: that switches have. Range: 1 to 8. `counted`: pauses of
    /// other classes are left out, because nothing was to be sent in them.
    pause_attribution(const topology& plan, picoseconds end, unsigned classes = pfc_classes,
                      class_mask counted = 0xFF)
        : m_plan(plan), m_end(end), m_classes(classes), m_counted(counted) {}
    void add(std::uint32_t node, const cause_log& log);
    void work_out();

    /// Most time of others first, then by number.
    const std::vector<flow_fault>& flows() const { return m_flow_faults; }
    /// Hosts that pause, in the order of nodes.
    const std::vector<adapter_fault>& adapters() const { return m_adapter_faults; }
    /// Time without a known cause. With it the faults of flows and adapters add up to `paused`.
    const fault_time& nobody() const { return m_nobody; }
    /// Parents before their children.
    const std::vector<tree_node>& tree() const { return m_tree; }
    /// Paused time by hops from the root, from 1. Unit: ps.
    const std::vector<double>& by_hop() const { return m_by_hop; }
    /// Of all pauses that were kept, and of those whose cause is not known. Unit: ps.
    double paused() const { return m_paused; }
    double unknown() const { return m_unknown; }

 private:
    using flow_key = std::tuple<std::uint64_t, ipv4_address, ipv4_address>;
    /// What an XOFF comes from: places in the tree whose children its pauses are, and flows, with their shares.
    struct origin {
        std::vector<std::pair<std::uint32_t, double>> places;
        std::vector<std::pair<flow_key, double>> flows;
        std::vector<std::pair<std::uint32_t, double>> adapters;
    };
    struct kept_xoff {
        transmitter asked_by;
        const xoff_record* record;
        origin from;
    };
    struct kept_pause {
        transmitter queue;
        const pause_record* record;
    };

    std::uint32_t child(std::uint32_t parent, const transmitter& queue, bool adapter);
    /// Of the pause that `queue` obeys at `time`; null: none, or none that was kept.
    const pause_record* pause_at(const transmitter& queue, picoseconds time) const;
    /// The link partner's ingress memory, as XOFFs are kept by it.
    transmitter asked_by(const transmitter& queue) const;
    /// Which of the partner's XOFFs the pause began with; `nowhere` if it was not kept.
    std::size_t first_xoff(const transmitter& queue, picoseconds begin) const;
    /// Where a pause comes from at a time within it: an adapter, or the XOFF that is in force by then. Empty if
    /// nobody knows.
    origin origin_at(const transmitter& queue, const pause_record& pause, picoseconds time);
    origin origin_of(const kept_xoff& xoff);
    void blame(const kept_pause& pause, picoseconds begin, picoseconds end);
    void blame(const kept_pause& pause);

    static constexpr std::size_t nowhere = ~std::size_t{0};
    const topology& m_plan;
    picoseconds m_end;
    unsigned m_classes;
    class_mask m_counted;
    std::vector<kept_xoff> m_xoffs;
    std::vector<kept_pause> m_pauses;
    // In the order of time.
    std::map<transmitter, std::vector<const pause_record*>> m_pauses_of;
    std::map<transmitter, std::vector<std::size_t>> m_xoffs_of;
    std::map<std::tuple<std::uint32_t, transmitter>, std::uint32_t> m_children;
    std::map<flow_key, fault_time> m_faults;
    std::map<std::uint32_t, fault_time> m_faults_of_adapters;
    std::vector<tree_node> m_tree;
    std::vector<flow_fault> m_flow_faults;
    std::vector<adapter_fault> m_adapter_faults;
    fault_time m_nobody;
    std::vector<double> m_by_hop;
    double m_paused = 0;
    double m_unknown = 0;
};

}  // namespace weir::tb
