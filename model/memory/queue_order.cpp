#include "weir/model/memory/queue_order.h"

#include "weir/model/config/pfc_config.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/packet_sram.h"
#include "weir/model/memory/shared_buffer_config.h"

namespace weir::model {

registry<queue_order_kind, queue_order_traits>& queue_orders() {
    static registry<queue_order_kind, queue_order_traits> list{
        {"fifo", "first in, first out; the new frame is dropped", {}},
        {"rank",
         "the flow of the lowest rank first; the frame of the highest rank is dropped (pFabric)",
         {[] { return std::make_unique<rank_order>(); }, true}},
    };
    return list;
}

void check_queue_order(range_check& check, const switch_config& device, const pfc_config& flow_control,
                       const shared_buffer_config& shared, const sram_config& sram) {
    const memory_organisation& memory = organisation_of(device);
    const bool chooses = queue_orders()[device.queue_order].make != nullptr;
    const std::string& name = queue_orders().of(device.queue_order).name;
    check.refuse(chooses && memory.is_shared && shared.slices > 1, "switch.queue_order",
                 "'{}' may drop a frame of another slice, which makes no room for the new one; expected fifo, "
                 "or {shared.slices} = 1",
                 name);
    check.refuse(
        chooses && memory.stays_at_ingress(), "switch.queue_order",
        "'{}' drops frames from egress memory, but {switch.buffer} = input_buffered has none; expected fifo",
        name);
    check.refuse(chooses && flow_control.mode != flow_control_mode::none, "switch.queue_order",
                 "'{}' would drop frames of lossless classes ({pfc.mode} other than none); expected fifo, or "
                 "pfc.mode = none",
                 name);
    check.refuse(chooses && sram.is_limited(), "switch.queue_order",
                 "'{}' may change its choice while a frame is still being read from memory ({sram.access_time} "
                 "above 0: {}); expected fifo",
                 name, sram.access_time);
}

}  // namespace weir::model
