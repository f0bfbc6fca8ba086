#include "weir/model/config/host_config.h"

#include "weir/base/share_text.h"

namespace weir::model {

config_errors host_config::validate() const {
    range_check check = check_ranges(*this, "host");
    check.require(stack_distribution != delay_shape::exponential || stack_deviation <= 1, "stack_deviation",
                  share_text(stack_deviation), "at most 100% with {stack_distribution} = exponential");
    return check.take();
}

}  // namespace weir::model
