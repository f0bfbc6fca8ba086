#include "weir/model/forwarding/packet_scatter_selector.h"

#include "random_member.h"

namespace weir::model {

unsigned packet_scatter_selector::select(const port_choice& choice) const {
    return random_member(choice.acceptable, choice.ports.chance);
}

}  // namespace weir::model
