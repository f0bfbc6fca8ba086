#include "weir/model/switch/partitioned_path.h"

#include "weir/model/switch/partitioned_causes.h"

namespace weir::model {

std::unique_ptr<cause_recorder> partitioned_path::make_causes(const cause_options& options,
                                                              const switch_view& view) const {
    return std::make_unique<partitioned_causes>(options, view, m_parameters.flow_control, m_parameters.device);
}

}  // namespace weir::model
