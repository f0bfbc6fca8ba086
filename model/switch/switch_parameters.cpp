#include "weir/model/switch/switch_parameters.h"

#include "weir/model/memory/memory_organisation.h"

#include <algorithm>

namespace weir::model {

bool frames_wait_before_memory(const switch_parameters& parameters) {
    return organisation_of(parameters.device).is_shared &&
           (parameters.device.lookup_interval > 0_ps || parameters.sram.is_limited());
}

serializer crossbar_link(const switch_config& device, const std::vector<port_config>& ports) {
    bit_rate fastest{1};
    for (const port_config& port : ports) {
        fastest = std::max(fastest, port.rate);
    }
    return serializer{fastest * device.speedup};
}

}  // namespace weir::model
