#include "weir/model/overflow/overflow_action.h"

namespace weir::model {

namespace {

class drop_when_full final : public overflow_action {
 public:
    unsigned resolve(const port_choice&, unsigned, ethernet_frame&) override { return no_port; }
};

}  // namespace

registry<overflow_kind, overflow_maker>& overflow_kinds() {
    static registry<overflow_kind, overflow_maker> list{
        {"hold", "the frame goes on: it waits in its VOQ, or is lost as switch.drop says",
         [](const switch_config&) { return nullptr; }},
        {"drop",
         "it is dropped after its lookup, if what the port holds and what is bound for it leave no room",
         [](const switch_config&) { return std::make_unique<drop_when_full>(); }},
    };
    return list;
}

}  // namespace weir::model
