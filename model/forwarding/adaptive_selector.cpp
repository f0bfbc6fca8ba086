#include "weir/model/forwarding/adaptive_selector.h"

#include "random_member.h"

namespace weir::model {

unsigned adaptive_selector::select(const port_choice& choice) const {
    const egress_view& egress = choice.egress;
    const port_bitmap* const favored = egress.favored + choice.frame.priority;
    if (egress.one_word) {
        const std::uint64_t acceptable = choice.acceptable.word(0);
        for (unsigned level = 0; level < egress.levels; ++level) {
            const std::uint64_t candidates = acceptable & favored[level * pfc_classes].word(0);
            if (candidates != 0) {
                return random_member(candidates, choice.ports.chance);
            }
        }
        return acceptable != 0 ? random_member(acceptable, choice.ports.chance) : no_port;
    }
    for (unsigned level = 0; level < egress.levels; ++level) {
        const port_bitmap candidates = choice.acceptable & favored[level * pfc_classes];
        if (candidates.any()) {
            return random_member(candidates, choice.ports.chance);
        }
    }
    return random_member(choice.acceptable, choice.ports.chance);
}

}  // namespace weir::model
