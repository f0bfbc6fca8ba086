#include "weir/model/switch/memory_path.h"

#include "weir/model/memory/egress_buffer.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/banked_paths.h"
#include "weir/model/switch/partitioned_causes.h"
#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

std::unique_ptr<memory_path> make_memory_path(const switch_parameters& parameters,
                                              const std::vector<port_config>& ports, switch_services& device,
                                              const std::string& name) {
    const bool banked = parameters.sram.is_limited();
    if (organisation_of(parameters.device).is_shared) {
        if (banked) {
            return std::make_unique<banked_shared_path>(parameters, ports, device, name);
        }
        return std::make_unique<shared_path>(parameters, ports, device, name);
    }
    if (organisation_of(parameters.device).is_at_egress_only()) {
        return std::make_unique<output_queued_path>(parameters, device);
    }
    if (organisation_of(parameters.device).stays_at_ingress()) {
        return std::make_unique<input_buffered_path>(parameters, device);
    }
    if (banked) {
        return std::make_unique<banked_partitioned_path>(parameters, ports, device);
    }
    return std::make_unique<partitioned_path>(parameters, device);
}

// Of a buffer that is not ours only the size is known.
bool partitioned_path::has_room(const frame_route& route, unsigned /*egress_port*/, std::uint64_t port_bytes,
                                std::uint64_t class_bytes) const {
    const auto capacity = static_cast<std::uint64_t>(m_parameters.device.egress_buffer.count());
    return m_egress != nullptr ? m_egress->would_fit(port_bytes, class_bytes, route.charged_bytes)
                               : port_bytes + route.charged_bytes <= capacity;
}

std::unique_ptr<cause_recorder> partitioned_path::make_causes(const cause_options& options,
                                                              const switch_view& view) const {
    return std::make_unique<partitioned_causes>(options, view, m_parameters.flow_control, m_parameters.device,
                                                stays_at_ingress());
}

}  // namespace weir::model
