#include "weir/model/memory/memory_organisation.h"

#include <cmath>
#include <cstdint>

#include "weir/base/field_range.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/memory/packet_sram.h"

namespace weir::model {

// A class that takes its whole dynamic share leaves room for a frame of another.
static void check_share(range_check& check, const switch_config& device) {
    const bool shares = organisation_of(device).has_egress_memories && device.classes > 1 &&
                        device.share == egress_share::dynamic && check.fits("switch.share_alpha");
    const double left = static_cast<double>(device.egress_buffer.count()) / (1 + device.share_alpha);
    const auto frame = static_cast<double>(device.max_frame.count());
    check.refuse(shares && left < frame, "switch.share_alpha",
                 "'{}' lets one class fill {switch.egress_buffer}: only {} B of {} are then left to the "
                 "others, less than a frame of {switch.max_frame} ({}); expected a smaller factor, or at least "
                 "{} B of switch.egress_buffer",
                 device.share_alpha, static_cast<std::int64_t>(left), device.egress_buffer, device.max_frame,
                 static_cast<std::int64_t>(std::ceil(frame * (1 + device.share_alpha))));
}

static void check_lossless(range_check& check, const switch_config& device, const pfc_config& flow_control) {
    const memory_organisation& memory = organisation_of(device);
    const bool lossless = flow_control.mode != flow_control_mode::none;
    check.refuse(lossless && memory.is_at_egress_only(), "switch.buffer",
                 "'{}' has no ingress memory, so it cannot request pauses ({pfc.mode} other than none); "
                 "expected partitioned, input_buffered or shared, or pfc.mode = none",
                 memory_organisations().of(device.buffer).name);
    check.refuse(lossless && memory.has_crossbar() && device.drop == drop_policy::egress_tail, "switch.drop",
                 "'egress_tail' would drop frames of lossless classes ({pfc.mode} other than none); expected "
                 "ingress_tail");
    check.refuse(memory.has_ingress_memories && flow_control.charge == charge_time::enqueue &&
                     device.lookup_interval > 0_ps,
                 "pfc.charge",
                 "'enqueue' does not count frames that wait for a lookup ({switch.lookup_interval}); expected "
                 "arrival");
}

static void check_bandwidth(range_check& check, const switch_config& device, const pfc_config& flow_control,
                            const sram_config& sram) {
    const memory_organisation& memory = organisation_of(device);
    const bool slow = sram.is_limited();
    check.refuse(slow && device.memory_cell == 0_B, "switch.memory_cell",
                 "0B is no size for an access: with {sram.access_time} above 0 ({}) each access moves one "
                 "cell; expected at least 1B",
                 sram.access_time);
    check.refuse(slow && (memory.is_at_egress_only() || memory.stays_at_ingress()), "sram.access_time",
                 "{} limits the bandwidth of memories, but with {switch.buffer} = {} all ports use one memory "
                 "at once; expected 0s, or switch.buffer = partitioned or shared",
                 sram.access_time, memory_organisations().of(device.buffer).name);
    check.refuse(slow && memory.has_crossbar() && device.crossbar == crossbar_mode::cell, "switch.crossbar",
                 "'cell' has slots of fixed length, but with {sram.access_time} above 0 ({}) cells would have "
                 "to wait for the memories; expected frame",
                 sram.access_time);
    check.refuse(slow && memory.has_crossbar() && flow_control.charge == charge_time::enqueue, "pfc.charge",
                 "'enqueue' does not count frames that wait to be written to memory ({sram.access_time} above "
                 "0: {}); expected arrival",
                 sram.access_time);
}

void check_memories(range_check& check, const switch_config& device, const pfc_config& flow_control,
                    const sram_config& sram) {
    check_lossless(check, device, flow_control);
    check_bandwidth(check, device, flow_control, sram);
    check.refuse(organisation_of(device).is_at_egress_only() && device.lookup_interval > 0_ps,
                 "switch.lookup_interval",
                 "{} makes frames wait for a lookup, but {switch.buffer} = {} has no memory for them there; "
                 "expected 0s, or switch.buffer = partitioned or shared",
                 device.lookup_interval, memory_organisations().of(device.buffer).name);
    check_share(check, device);
}

}  // namespace weir::model
