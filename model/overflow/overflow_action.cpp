#include "weir/model/overflow/overflow_action.h"

#include "weir/model/overflow/detour.h"

namespace weir::model {

namespace {

class drop_when_full final : public overflow_action {
 public:
    overflow_answer resolve(const port_choice&, unsigned, ethernet_frame&) override { return {no_port}; }
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

}  // namespace weir::model
