#include "tb/run/options/trace_options.h"

#include "tb/support/text/csv_file.h"
#include "tb/support/text/joined.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

std::optional<frame_choice> frame_choice::parse(const std::string& text) {
    if (text == "most_detours") {
        return frame_choice{true, 0, 0};
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    const auto flow = parse_whole_number(text.substr(0, colon));
    const auto offset = parse_whole_number(text.substr(colon + 1));
    return flow && offset ? std::optional(frame_choice{false, *flow, *offset}) : std::nullopt;
}

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
