#include "weir/model/config/marking_config.h"

#include <algorithm>

namespace weir::model {

bool marking_config::marks(pfc_class c) const {
    return kind != marker_kind::none &&
           (!classes || std::find(classes->begin(), classes->end(), c) != classes->end());
}

config_errors marking_config::validate() const {
    return check_ranges(*this, "marking").take();
}

}  // namespace weir::model
