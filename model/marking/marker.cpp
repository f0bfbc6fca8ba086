#include "weir/model/marking/marker.h"

#include <string>

#include "weir/model/marking/marking_config.h"
#include "weir/model/marking/qcn_marker.h"

namespace weir::model {

registry<marker_kind, marker_traits>& marker_kinds() {
    static registry<marker_kind, marker_traits> list{
        {"none", "nothing is marked", {nullptr, false}},
        step_marker_kind(),
        ramp_marker_kind(),
        red_marker_kind(),
        qcn_marker_kind(),
    };
    return list;
}

void check_class_values(range_check& check, const char* field, std::size_t values, unsigned classes) {
    check.refuse(values != 1 && values != classes, field,
                 "has {} values; expected one, or one for each class ({switch.classes} = {})",
                 std::to_string(values), classes);
}

}  // namespace weir::model
