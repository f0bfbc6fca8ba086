// Why a switch pauses its link partners and loses frames: what fills its memories, for cause_log.h.
//
// A switch of which no causes are wanted has none. `partitioned_causes` is for one with memory at each port,
// `shared_causes` for one with a memory for all.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "weir/model/analysis/cause_log.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/switch/switch_services.h"

namespace weir::model {

class cause_recorder {
 public:
    /// `view` and `flow_control` outlive this.
    cause_recorder(const cause_options& options, const switch_view& view, const pfc_config& flow_control)
        : m_view(view), m_flow_control(flow_control), m_log(options) {}
    virtual ~cause_recorder() = default;
    cause_recorder(const cause_recorder&) = delete;
    cause_recorder& operator=(const cause_recorder&) = delete;

    const cause_log& log() const { return m_log; }

    /// What the link partner has paused at the port may have changed.
    void note_paused(unsigned port);
    /// The port asks its link partner to pause these classes; of a shared memory: those of the groups that ask.
    /// `crossing`: the frame that was charged last, which is neither in the lookup nor in a queue yet;
    /// `no_slot` where an XOFF is repeated.
    void note_xoff(unsigned port, class_mask classes, frame_slot crossing);
    /// The frame is about to be dropped.
    void note_drop(frame_slot slot, unsigned port, drop_reason reason);

 protected:
    /// Frames that wait for one queue, by the port that they came in by.
    struct filling {
        std::uint32_t bytes = 0;
        std::map<std::uint16_t, flow_bytes_list> flows;

        void add(const stored_frame& stored, std::uint32_t charged);
        std::vector<filling_flow> sorted() const;
    };
    /// By egress port (`filling_queue::lookup`: none yet) and class.
    using filled_queues = std::map<std::pair<std::uint16_t, pfc_class>, filling>;

    /// Classes that one pause is about: all of an 802.3x link's.
    bool is_whole_link() const { return m_flow_control.mode == flow_control_mode::pause; }
    /// Counts the frame as one of those that filled the memory.
    void count(frame_slot slot, bool looked_up, std::uint32_t charged, xoff_record& record,
               filled_queues& queues) const;
    /// Frames of one egress queue. `visit(slot)`.
    template <class Visit>
    void for_each_queued(unsigned egress_port, pfc_class c, Visit&& visit) const {
        for (frame_slot slot = m_view.egress().head(egress_port, c); slot != no_slot;
             slot = m_view.slab().route(slot).next) {
            visit(slot);
        }
    }

    const switch_view& m_view;
    const pfc_config& m_flow_control;

 private:
    /// Classes of which a record is made where these ask.
    virtual class_mask recorded(class_mask classes) const = 0;
    /// Completes the record: why, and what fills the memory.
    virtual void explain_xoff(xoff_record& record, class_mask classes, frame_slot crossing,
                              filled_queues& queues) const = 0;
    virtual void explain_drop(drop_record& record, frame_slot slot) const = 0;
    /// What waits for the queue elsewhere than in the queue itself.
    virtual void add_held_elsewhere(unsigned egress_port, pfc_class c, flow_bytes_list& flows) const = 0;
    std::vector<flow_bytes> held_for(unsigned egress_port, pfc_class c) const;

    cause_log m_log;
};

}  // namespace weir::model
