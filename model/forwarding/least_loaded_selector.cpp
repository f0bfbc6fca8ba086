#include "weir/model/forwarding/least_loaded_selector.h"

#include "random_member.h"

namespace weir::model {

unsigned least_loaded_selector::select(const port_choice& choice) const {
    port_bitmap least_loaded;
    std::uint32_t least = ~std::uint32_t{0};
    choice.acceptable.for_each([&](unsigned egress_port) {
        const std::uint32_t drain_bytes =
            choice.egress.drain_bytes[egress_port * pfc_classes + choice.frame.priority];
        if (drain_bytes < least) {
            least = drain_bytes;
            least_loaded = port_bitmap{};
        }
        if (drain_bytes == least) {
            least_loaded.set(egress_port);
        }
    });
    return random_member(least_loaded, choice.ports.chance);
}

}  // namespace weir::model
