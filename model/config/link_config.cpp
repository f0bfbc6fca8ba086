#include "weir/model/config/link_config.h"

namespace weir::model {

config_errors link_config::validate() const {
    return check_ranges(*this, "link").take();
}

}  // namespace weir::model
