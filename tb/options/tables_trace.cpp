// Options [trace].
#include "tb/options/option_tables.h"

namespace weir::tb {

template <>
struct enum_names<wave_format> {
    static constexpr enum_name<wave_format> list[] = {
        {wave_format::none, "none", "no waveform"},
        {wave_format::vcd, "run.vcd", "text, IEEE 1364-2005 clause 18"},
        {wave_format::fst, "run.fst", "GTKWave's format, a tenth of the size or less; not in every build"},
    };
};
template <>
struct enum_names<wave_group> {
    static constexpr enum_name<wave_group> list[] = {
        {wave_group::occupancy, "occupancy", "bytes in packet memory, by port and class"},
        {wave_group::drain, "drain", "drain bytes, by port and class"},
        {wave_group::pause, "pause",
         "classes that are paused, and classes that the link partner is asked to pause"},
        {wave_group::match, "match",
         "the ingress port that the crossbar connects to each egress port (switch.buffer = partitioned)"},
        {wave_group::favored, "favored", "favoured ports by threshold and class (switch.balance = adaptive)"},
        {wave_group::drops, "drops", "frames that the switch has dropped"},
        {wave_group::pools, "pools", "fill of pools and headroom, and thresholds (switch.buffer = shared)"},
    };
};
template <>
struct enum_names<wave_trigger> {
    static constexpr enum_name<wave_trigger> list[] = {
        {wave_trigger::none, "none", "the whole window"},
        {wave_trigger::drop, "drop", "the first frame that one of these switches drops"},
        {wave_trigger::xoff, "xoff", "the first time that one of these switches requests a pause"},
        {wave_trigger::deadlock, "deadlock", "the last transmission before a deadlock"},
    };
};

void add_trace_options(option_table& table, run_config& config) {
    table.block("trace", "Traces: captures, causes of pauses and drops, waveforms and frame journeys.")
        .add(config.trace);
}

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
        errors.push_back({"", 0, "trace.wave_signals",
                          "selects no signals; expected some of " + text_form<wave_group>::range()});
    }
    return errors;
}

}  // namespace weir::tb
