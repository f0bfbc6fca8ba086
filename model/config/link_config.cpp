#include "weir/model/config/link_config.h"

namespace weir {

config_errors link_config::validate() const {
    range_check check("link");
    check.within("rate", rate, rate_range);
    check.within("latency", latency, latency_range);
    check.within("wire_overhead", wire_overhead, wire_overhead_range);
    return check.take();
}

}  // namespace weir
