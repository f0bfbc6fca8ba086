#include "weir/model/overflow/overflow_action.h"

#include "weir/model/config/pfc_config.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/detour.h"

namespace weir::model {

namespace {

class drop_when_full final : public overflow_action {
 public:
    frame_action resolve(const port_choice&, unsigned, ethernet_frame&) override { return frame_action::drop; }
};

}  // namespace

registry<overflow_kind, overflow_traits>& overflow_kinds() {
    static registry<overflow_kind, overflow_traits> list{
        {"hold", "the frame goes on: it waits in its VOQ, or is lost as switch.drop says", {{}, false, false}},
        {"drop",
         "it is dropped after its lookup, if the frames in the port and on their way to it leave no room",
         {[](const overflow_setup&) { return std::make_unique<drop_when_full>(); }}},
        {"detour",
         "it takes another port with room, also one that leads away from its destination (DIBS)",
         {[](const overflow_setup& setup) { return std::make_unique<detour>(setup); }, true, false}},
    };
    return list;
}

void check_overflow(range_check& check, const switch_config& device, const pfc_config& flow_control,
                    const detour_config& detour) {
    const overflow_traits& kind = overflow_kinds()[device.overflow];
    const std::string& name = overflow_kinds().of(device.overflow).name;
    const bool chooses = queue_orders()[device.queue_order].make != nullptr;
    const bool lossless = flow_control.mode != flow_control_mode::none;
    check.refuse(chooses && kind.may_drop_lossless, "switch.overflow",
                 "'{}' drops the new frame, but {switch.queue_order} chooses which frame is dropped; expected "
                 "hold",
                 name);
    check.refuse(chooses && kind.detours, "switch.overflow",
                 "'{}' stores a count of hops in the field in which {switch.queue_order} expects a rank; "
                 "expected hold",
                 name);
    check.refuse(
        organisation_of(device).stays_at_ingress() && kind.make, "switch.overflow",
        "'{}' has no effect: with {switch.buffer} = input_buffered no egress port is ever full; expected hold",
        name);
    check.refuse(lossless && kind.detours && !detour.lossless, "switch.overflow",
                 "'{}' can close a cycle of pauses ({pfc.mode} other than none); expected hold, pfc.mode = "
                 "none, or {detour.lossless} = on",
                 name);
    check.refuse(lossless && kind.may_drop_lossless, "switch.overflow",
                 "'{}' would drop frames of lossless classes ({pfc.mode} other than none); expected hold, or "
                 "pfc.mode = none",
                 name);
}

}  // namespace weir::model
