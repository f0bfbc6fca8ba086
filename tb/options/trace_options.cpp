#include "tb/options/trace_options.h"

#include "tb/text/joined.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

config_errors capture_options::validate() const {
    range_check check("trace");
    check.require(!window_end || *window_end > window_start, "window_end", window_end,
                  "above {trace.window_start} ({})", window_start);
    check.refuse(pcap_snap > 0_B && pcap_snap < 64_B, "pcap_snap",
                 "'{}' is too short for the headers; expected 0 for whole frames, or 64 to 65535 B", pcap_snap);
    check.refuse(wave.signals.empty(), "wave_signals",
                 "selects no signals; expected some of " +
                     joined(names_of(wave_group{}), ", ", [](const auto& each) { return each.name; }));
    return check.take();
}

}  // namespace weir::tb
