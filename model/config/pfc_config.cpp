#include "weir/model/config/pfc_config.h"

#include <string>

#include "weir/base/unit_text.h"
#include "weir/model/config/switch_config.h"

namespace weir::model {

config_errors pfc_config::validate(const switch_config& device) const {
    range_check check = check_ranges(*this, "pfc");
    const bytes memory = device.ingress_buffer;
    bool reserve_fits = check.fits("reserve");
    if (reserve && reserve_fits) {
        const std::int64_t classes = mode == flow_control_mode::pause ? 1 : device.classes;
        if (mode != flow_control_mode::none && *reserve * classes >= memory) {
            reserve_fits = false;
            check.fail("reserve", "'" + to_text(*reserve) + "' for each of " + std::to_string(classes) +
                                      " lossless classes uses up switch.ingress_buffer (" + to_text(memory) +
                                      "); expected less than " + to_text(memory) + " in all");
        }
    }
    if (xoff && check.fits("xoff")) {
        const bytes kept = reserve && reserve_fits ? *reserve : 0_B;
        const bytes most = memory > kept ? memory - kept : 0_B;
        check.require(
            *xoff <= most, "xoff", *xoff,
            "1B to " + to_text(most) + " (switch.ingress_buffer" + (reserve ? " less pfc.reserve)" : ")"));
    }
    if (xon && check.fits("xon")) {
        if (xoff && check.fits("xoff")) {
            check.require(*xon <= *xoff, "xon", *xon, "at most pfc.xoff (" + to_text(*xoff) + ")");
        } else if (!xoff) {
            check.require(*xon <= memory, "xon", *xon,
                          "at most switch.ingress_buffer (" + to_text(memory) + ")");
        }
    }
    if (watchdog != watchdog_action::off) {
        const picoseconds most = std::min(watchdog_detection, watchdog_restoration);
        check.require(watchdog_period() <= most, "watchdog_interval", watchdog_period(),
                      "up to pfc.watchdog_detection and pfc.watchdog_restoration (" + to_text(most) + ")");
    }
    return check.take();
}

}  // namespace weir::model
