#include "weir/model/crossbar/islip.h"

namespace weir::model {

void islip::arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                      const port_bitmap& free_egress, unsigned iterations,
                      std::vector<crossbar_match>& matches) {
    arbitrate(requests, free_ingress, free_egress, iterations, matches, silent_observer{});
}

}  // namespace weir::model
