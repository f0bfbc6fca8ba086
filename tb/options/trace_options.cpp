#include "tb/options/trace_options.h"

#include "tb/text/joined.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

config_errors capture_options::validate() const {
    config_errors errors;
    if (window_end && *window_end <= window_start) {
        errors.push_back({"", 0, "trace.window_end",
                          "'" + to_text(*window_end) +
                              "' is out of range; expected above trace.window_start (" + to_text(window_start) +
                              ")"});
    }
    if (pcap_snap > 0_B && pcap_snap < 64_B) {
        errors.push_back({"", 0, "trace.pcap_snap",
                          "'" + to_text(pcap_snap) +
                              "' is too short for the headers; expected 0 for whole frames, or 64 to 65535 B"});
    }
    if (wave.signals.empty()) {
        errors.push_back(
            {"", 0, "trace.wave_signals",
             "selects no signals; expected some of " +
                 joined(names_of(wave_group{}), ", ", [](const auto& each) { return each.name; })});
    }
    return errors;
}

}  // namespace weir::tb
