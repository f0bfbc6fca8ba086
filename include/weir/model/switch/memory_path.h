// The part of a frame's path through a switch that depends on how its packet memory is organised.
//
//     partitioned_path          memory at each port: VOQs at ingress, a crossbar, queues at egress
//     banked_partitioned_path   the same, of SRAM with limited bandwidth
//     shared_path               one memory for all ports: from the lookup straight to the egress queue
//     banked_shared_path        the same, of SRAM with limited bandwidth
//     output_queued_path        memory at each egress port, written by all inputs at once
//     input_buffered_path       memory at each ingress port, until frames have left; none at egress
//
// The switch's memory organisation makes its path (memory_organisation.h). Frames on `direct_path` never come
// here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/base/time.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/forwarding/lookup_pipeline.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/marking/marker.h"
#include "weir/model/switch/cause_recorder.h"

namespace weir::model {

class shared_buffer;
class sram_timing;
struct switch_path;

class memory_path {
 public:
    /// `device`, whose stages it calls, outlives this.
    explicit memory_path(switch_path& device) : m_switch(device) {}
    virtual ~memory_path() = default;
    memory_path(const memory_path&) = delete;
    memory_path& operator=(const memory_path&) = delete;

    // In the order of a frame's way.
    /// The frame's last bit has come: its lookup is issued to `pipeline`. Returns when the frame goes on;
    /// `never`: there was no room for it to wait for its lookup, and it has been dropped.
    virtual picoseconds look_up(unsigned /*port*/, frame_slot, picoseconds now, lookup_pipeline& pipeline) {
        return pipeline.issue(now);
    }
    /// Whether it would have room at this egress port, which holds, and will get, `port_bytes`, of them
    /// `class_bytes` of its class.
    virtual bool has_room(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes,
                          std::uint64_t class_bytes) const = 0;
    /// The share of this egress port's memory that is taken, where it holds, and will get, `port_bytes`.
    virtual double fill(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes) const = 0;
    /// Whether frames cross from ingress to egress memory: then a frame comes to its egress queue later.
    virtual bool has_crossbar() const { return true; }
    /// Whether frames in egress queues are in ingress memory still.
    virtual bool stays_at_ingress() const { return false; }
    enum class entry : std::uint8_t {
        lost,
        crosses,  ///< it waits in its VOQ
        stored    ///< it counts as in its egress queue
    };
    /// Its egress port is selected.
    virtual entry enter(frame_slot slot, stored_frame& stored, picoseconds now) = 0;
    /// Instead: no port is acceptable. It gives back what it holds, and is dropped next.
    virtual void give_back(frame_slot) {}
    /// The frame has been trimmed after `give_back`. False: there was no memory for what is left, and it has
    /// been dropped.
    virtual bool take_again(frame_slot) { return true; }
    /// The crossbar begins to move it. Returns how much longer that takes for want of memory bandwidth.
    virtual picoseconds crossing_delay(frame_slot) { return picoseconds{0}; }
    /// An event `transfer_done`: of the crossbar, or one that this path has scheduled.
    virtual void transferred(frame_slot slot) = 0;
    /// Its port is free. What the memory says of which class is sent next.
    static constexpr int any_class = -1;
    static constexpr int none_yet = -2;
    virtual int class_read(unsigned /*port*/, class_mask /*eligible*/) { return any_class; }
    /// True: the first frame of the class can be sent now; else there will be an event.
    virtual bool read(unsigned /*port*/, pfc_class) { return true; }
    /// Frames of these classes that have been read are dropped next.
    virtual void forget_read(unsigned /*port*/, class_mask) {}
    /// Its last bit has left at `at`, or it is dropped from its egress queue.
    virtual void leave(const frame_route&, picoseconds /*at*/) {}

    /// What this path itself has charged ingress memory with. Unit: B.
    virtual std::int64_t charged_bytes() const { return 0; }
    /// Empty, or what does not add up.
    virtual std::string check() const { return {}; }
    /// The end of the warm-up.
    virtual void restart_statistics() {}
    /// Since then: frames lost because others of their port waited for their lookups.
    virtual std::uint64_t lost_for_lookup() const { return 0; }
    /// Null where ports have memories of their own.
    virtual const shared_buffer* shared() const { return nullptr; }
    /// Null where memories are as fast as they have to be.
    virtual const sram_timing* banks() const { return nullptr; }

    /// The marker that the memory's own thresholds ask for; null where there are none.
    virtual std::unique_ptr<marker> make_marker() const { return nullptr; }
    virtual std::unique_ptr<cause_recorder> make_causes(const cause_options& options) const = 0;

 protected:
    switch_path& m_switch;
};

}  // namespace weir::model
