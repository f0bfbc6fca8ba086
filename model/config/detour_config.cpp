#include "weir/model/config/detour_config.h"

namespace weir::model {

config_errors detour_config::validate() const {
    return check_ranges(*this, "detour").take();
}

}  // namespace weir::model
