#include "weir/model/config/host_config.h"

namespace weir::model {

config_errors host_config::validate() const {
    return check_ranges(*this, "host").take();
}

}  // namespace weir::model
