// Options [trace].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_trace_options(option_table& table, run_config& config) {
    capture_options& trace = config.trace;
    auto block = table.block("trace", "What single frames did.");
    block.add_repeated("pcap", trace.pcap)
        .form("all, a link such as h0-s0, or a direction such as h*>s0")
        .doc(
            "Captures frames as they leave an end of these links into trace.pcapng; may be given several "
            "times. "
            "A link's name means both directions, FROM>TO one; * stands for any text. docs/captures.md.")
        .source("project");
    const relevance captured{"trace.pcap", [&trace] { return !trace.pcap.empty(); }};
    block.add("pcap_snap", trace.pcap_snap)
        .range(0_B, 65'535_B)
        .matters(captured)
        .doc("Most octets of a frame that are kept: 0 for all, or at least 64.")
        .source("project; PFC frames are 64 B");
    block.add("window_start", trace.window_start)
        .range(picoseconds{0}, longest_time)
        .matters(captured)
        .doc("Start of the window in which frames are captured.")
        .source("project");
    block.add("window_end", trace.window_end)
        .range(picoseconds{0}, longest_time)
        .matters(captured)
        .doc("End of the window. auto: the end of the run.")
        .source("project");
    table.check([&trace]() -> config_errors {
        config_errors errors;
        if (trace.window_end && *trace.window_end <= trace.window_start) {
            errors.push_back({"", 0, "trace.window_end",
                              "'" + to_text(*trace.window_end) +
                                  "' is out of range; allowed: above trace.window_start (" +
                                  to_text(trace.window_start) + ")"});
        }
        if (trace.pcap_snap > 0_B && trace.pcap_snap < 64_B) {
            errors.push_back({"", 0, "trace.pcap_snap",
                              "'" + to_text(trace.pcap_snap) +
                                  "' cuts headers; allowed: 0 for whole frames, or 64 to 65535 B"});
        }
        return errors;
    });
}

}  // namespace weir
