#include "tb/run/options/check_hosts.h"

#include "weir/base/unit_text.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/switch/switch_node.h"

namespace weir::tb {

config_errors check_sram(const run_config& config) {
    range_check check;
    const bool slow = config.sram.is_limited();
    const bool crossed = organisation_of(config.device).has_crossbar();
    const bool output_queued = organisation_of(config.device).is_at_egress_only();
    const std::string access = to_text(config.sram.access_time);
    check.refuse(slow && config.device.memory_cell == 0_B, "switch.memory_cell",
                 "0B is no size for an access: with {sram.access_time} above 0 ({}) each access moves one "
                 "cell; expected at least 1B",
                 access);
    const bool input_buffered = organisation_of(config.device).stays_at_ingress();
    check.refuse(slow && (output_queued || input_buffered), "sram.access_time",
                 "{} limits the bandwidth of memories, but with {switch.buffer} = {} all ports use one memory "
                 "at once; expected 0s, or switch.buffer = partitioned or shared",
                 access, output_queued ? "output_queued" : "input_buffered");
    check.refuse(output_queued && config.device.lookup_interval > 0_ps, "switch.lookup_interval",
                 "{} makes frames wait for a lookup, but {switch.buffer} = output_queued has no memory for "
                 "them there; expected 0s, or switch.buffer = partitioned or shared",
                 config.device.lookup_interval);
    check.refuse(slow && queue_orders()[config.device.queue_order].make, "switch.queue_order",
                 "'{}' may change its choice while a frame is still being read from memory ({sram.access_time} "
                 "above 0: {}); expected fifo",
                 queue_orders().of(config.device.queue_order).name, access);
    check.refuse(slow && crossed && config.device.crossbar == crossbar_mode::cell, "switch.crossbar",
                 "'cell' has slots of fixed length, but with {sram.access_time} above 0 ({}) cells would have "
                 "to wait for the memories; expected frame",
                 access);
    check.refuse(slow && crossed && config.flow_control.charge == charge_time::enqueue, "pfc.charge",
                 "'enqueue' does not count frames that wait to be written to memory ({sram.access_time} above "
                 "0: {}); expected arrival",
                 access);
    switch_parameters device;
    static_cast<switch_setup&>(device) = config;
    check.refuse(frames_wait_before_memory(device) && config.device.ingress_fifo < config.device.max_frame,
                 "switch.ingress_fifo",
                 "'{}' is too small for a frame of {switch.max_frame}; expected at least {}",
                 config.device.ingress_fifo, config.device.max_frame);
    return check.take();
}

}  // namespace weir::tb
