#include "weir/model/config/host_config.h"

namespace weir {

config_errors host_config::validate() const {
    range_check check("host");
    check.within("stack_out", stack_out, stack_range);
    check.within("stack_in", stack_in, stack_range);
    check.within("nic_buffer", nic_buffer, nic_buffer_range);
    return check.take();
}

}  // namespace weir
