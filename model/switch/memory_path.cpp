#include "weir/model/switch/memory_path.h"

#include "weir/model/switch/banked_partitioned_path.h"
#include "weir/model/switch/banked_shared_path.h"
#include "weir/model/switch/input_buffered_path.h"
#include "weir/model/switch/output_queued_path.h"

namespace weir::model {

std::unique_ptr<memory_path> make_memory_path(const switch_parameters& parameters,
                                              const std::vector<port_config>& ports, switch_services& device,
                                              const std::string& name) {
    const bool banked = parameters.sram.is_limited();
    if (parameters.shared.kind == buffer_kind::shared) {
        if (banked) {
            return std::make_unique<banked_shared_path>(parameters, ports, device, name);
        }
        return std::make_unique<shared_path>(parameters, ports, device, name);
    }
    if (parameters.shared.kind == buffer_kind::output_queued) {
        return std::make_unique<output_queued_path>(parameters, device);
    }
    if (parameters.shared.kind == buffer_kind::input_buffered) {
        return std::make_unique<input_buffered_path>(parameters, device);
    }
    if (banked) {
        return std::make_unique<banked_partitioned_path>(parameters, ports, device);
    }
    return std::make_unique<partitioned_path>(parameters, device);
}

}  // namespace weir::model
