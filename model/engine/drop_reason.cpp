#include "weir/model/engine/drop_reason.h"

namespace weir::model {

const char* to_text(drop_reason reason) {
    static constexpr const char* names[drop_reasons] = {
        "ingress_full", "egress_full",  "nic_full", "no_route",          "oversized",           "link_down",
        "bit_error",    "misdelivered", "watchdog", "ingress_fifo_full", "lossless_egress_full"};
    return names[static_cast<unsigned>(reason)];
}

}  // namespace weir::model
