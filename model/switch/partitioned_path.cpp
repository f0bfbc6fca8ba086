#include "weir/model/switch/partitioned_path.h"

#include "weir/model/memory/egress_buffer.h"
#include "weir/model/switch/partitioned_causes.h"

namespace weir::model {

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
