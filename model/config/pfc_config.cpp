#include "weir/model/config/pfc_config.h"

#include <string>

#include "weir/base/unit_text.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/switch_config.h"

namespace weir {

config_errors pfc_config::validate(const switch_config& device) const {
    range_check check("pfc");
    check.within("quanta", quanta, quanta_range);
    check.within("refresh", refresh, refresh_range);
    check.within("response", response, response_range);
    const bytes memory = device.ingress_buffer;
    bool reserve_fits = true;
    if (reserve) {
        reserve_fits = check.within("reserve", *reserve, reserve_range);
        const std::int64_t classes = mode == flow_control_mode::pause ? 1 : device.classes;
        if (reserve_fits && mode != flow_control_mode::none && *reserve * classes >= memory) {
            reserve_fits = false;
            check.fail("reserve", "'" + to_text(*reserve) + "' for each of " + std::to_string(classes) +
                                      " lossless classes uses up switch.ingress_buffer (" + to_text(memory) +
                                      "); expected less than " + to_text(memory) + " in all");
        }
    }
    bool xoff_fits = true;
    if (xoff) {
        const bytes kept = reserve && reserve_fits ? *reserve : 0_B;
        const bytes most = memory > kept ? memory - kept : 0_B;
        xoff_fits = check.require(
            1_B <= *xoff && *xoff <= most, "xoff", *xoff,
            "1B to " + to_text(most) + " (switch.ingress_buffer" + (reserve ? " less pfc.reserve)" : ")"));
    }
    if (xon && check.within("xon", *xon, xon_range)) {
        if (xoff && xoff_fits) {
            check.require(*xon <= *xoff, "xon", *xon, "at most pfc.xoff (" + to_text(*xoff) + ")");
        } else if (!xoff) {
            check.require(*xon <= memory, "xon", *xon,
                          "at most switch.ingress_buffer (" + to_text(memory) + ")");
        }
    }
    return check.take();
}

}  // namespace weir
