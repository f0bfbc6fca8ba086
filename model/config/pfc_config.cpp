#include "weir/model/config/pfc_config.h"

#include <algorithm>

#include "weir/base/unit_text.h"
#include "weir/model/config/switch_config.h"

namespace weir::model {

config_errors pfc_config::validate(const switch_config& device) const {
    range_check check = check_ranges(*this, "pfc");
    const bytes memory = device.ingress_buffer;
    const std::int64_t classes = mode == flow_control_mode::pause ? 1 : device.classes;
    check.refuse(
        mode != flow_control_mode::none && check.fits("reserve") && reserve.value_or(0_B) * classes >= memory,
        "reserve",
        "'{}' for each of {} lossless classes uses up {switch.ingress_buffer} ({}); expected less than {} in "
        "all",
        reserve, classes, memory, memory);
    const bytes most = memory - std::min(memory, check.fits("reserve") ? reserve.value_or(0_B) : 0_B);
    check.require(reserve || !xoff || *xoff <= memory, "xoff", xoff, "1B to {} ({switch.ingress_buffer})",
                  memory);
    check.require(!reserve || !xoff || *xoff <= most, "xoff", xoff,
                  "1B to {} ({switch.ingress_buffer} less {pfc.reserve})", most);
    check.require(!xoff || !xon || *xon <= *xoff, "xon", xon, "at most {pfc.xoff} ({})", xoff);
    check.require(xoff || !xon || *xon <= memory, "xon", xon, "at most {switch.ingress_buffer} ({})", memory);
    const picoseconds shortest = std::min(watchdog_detection, watchdog_restoration);
    check.require(watchdog == watchdog_action::off || watchdog_period() <= shortest, "watchdog_interval",
                  watchdog_period(), "up to {pfc.watchdog_detection} and {pfc.watchdog_restoration} ({})",
                  shortest);
    return check.take();
}

}  // namespace weir::model
