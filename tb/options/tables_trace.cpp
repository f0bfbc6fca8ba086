// Options [trace].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

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

static void add_wave_options(option_table::block_writer& block, wave_options& wave) {
    block.add("wave", wave.format)
        .doc(
            "Writes a waveform of the switches into the output directory, into a file of this name. "
            "docs/waveforms.md.")
        .source("project");
    const relevance written{"trace.wave", [&wave] { return wave.format != wave_format::none; }};
    block.add("wave_switches", wave.switches)
        .rule("names of switches separated by commas, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters(written)
        .doc("Switches in the waveform; * stands for any text. Empty: all switches.")
        .source("project");
    block.add("wave_signals", wave.signals)
        .matters(written)
        .doc("Groups of signals that are written for each switch.")
        .source("project");
    block.add("wave_limit", wave.limit)
        .range(1, std::uint64_t{1} << 40)
        .matters(written)
        .doc(
            "Maximum number of value changes in the waveform; a bitmap counts one per 64 bits. The waveform "
            "ends there, with a warning.")
        .source("project; about 60 MB of VCD");
    block.add("wave_trigger", wave.trigger)
        .matters(written)
        .doc("Write only the time around the first event of this kind in the window.")
        .source("project");
    const auto triggered = [&](std::vector<wave_trigger> by) {
        return written && only_with("trace.wave_trigger", wave.trigger, std::move(by));
    };
    block.add("wave_before", wave.before)
        .range(picoseconds{0}, longest_time)
        .matters(triggered({wave_trigger::drop, wave_trigger::xoff, wave_trigger::deadlock}))
        .doc("Length of the time before the trigger that is written.")
        .source("project");
    block.add("wave_after", wave.after)
        .range(picoseconds{1}, longest_time)
        .matters(triggered({wave_trigger::drop, wave_trigger::xoff}))
        .doc("Length of the time after the trigger that is written.")
        .source("project");
}

static void add_journey_options(option_table::block_writer& block, journey_options& journeys) {
    block.add("perfetto", journeys.perfetto)
        .doc(
            "Writes the journey of each frame, the pauses and the drops into perfetto.json, for the Perfetto "
            "viewer. docs/perfetto.md.")
        .source("project");
    const relevance written{"trace.perfetto", [&journeys] { return journeys.perfetto; }};
    block.add("perfetto_nodes", journeys.nodes)
        .rule("names of nodes separated by commas, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters(written)
        .doc("Hosts and switches in perfetto.json; * stands for any text. Empty: all.")
        .source("project");
    block.add("perfetto_limit", journeys.limit)
        .range(1, std::uint64_t{1} << 40)
        .matters(written)
        .doc("Maximum number of slices and marks in perfetto.json. The file ends there, with a warning.")
        .source("project; about 100 MB");
}

void add_trace_options(option_table& table, run_config& config) {
    capture_options& trace = config.trace;
    auto block =
        table.block("trace", "Traces: captures, causes of pauses and drops, waveforms and frame journeys.");
    block.add_repeated("pcap", trace.pcap)
        .form("all, a link such as h0-s0, or a direction such as h*>s0")
        .doc(
            "Captures frames, as they are sent on these links, into trace.pcapng. The name of a link selects "
            "both directions, FROM>TO one direction; * stands for any text. May be given several times. "
            "docs/captures.md.")
        .source("project");
    block.add("pause_causes", trace.pause_causes)
        .doc(
            "Writes the causes of pauses: pause_causes.csv, pause_flows.csv and pause_tree.json. "
            "docs/causes.md.")
        .source("project");
    block.add("drop_causes", trace.drop_causes)
        .doc(
            "Writes drop_causes.csv: for each frame that was dropped because memory was full, which memory it "
            "was and which flows filled it.")
        .source("project");
    block.add("cause_flows", trace.cause_flows)
        .range(1, 1'000)
        .matters({"trace.pause_causes or trace.drop_causes",
                  [&trace] { return trace.pause_causes || trace.drop_causes; }})
        .doc("Maximum number of flows listed for one cause; flows with the most bytes come first.")
        .source("project");
    const relevance captured{"trace.pcap", [&trace] { return !trace.pcap.empty(); }};
    const relevance traced{"trace.pcap, trace.wave, trace.perfetto, trace.pause_causes or trace.drop_causes",
                           [&trace] {
                               return !trace.pcap.empty() || trace.wave.format != wave_format::none ||
                                      trace.journeys.perfetto || trace.pause_causes || trace.drop_causes;
                           }};
    block.add("pcap_snap", trace.pcap_snap)
        .range(0_B, 65'535_B)
        .matters(captured)
        .doc("Maximum number of bytes captured per frame: at least 64, or 0 for whole frames.")
        .source("project; PFC frames are 64 B");
    block.add("pcap_limit", trace.pcap_limit)
        .range(1, std::uint64_t{1} << 40)
        .matters(captured)
        .doc("Maximum number of frames in the capture. The capture ends there, with a warning.")
        .source("project; about 85 MB");
    add_wave_options(block, trace.wave);
    add_journey_options(block, trace.journeys);
    block.add("window_start", trace.window_start)
        .range(picoseconds{0}, longest_time)
        .matters(traced)
        .doc("Start of the time window in which captures, waveforms, journeys and causes are written.")
        .source("project");
    block.add("window_end", trace.window_end)
        .range(picoseconds{0}, longest_time)
        .matters(traced)
        .doc("End of the window. auto: the end of the run.")
        .source("project");
    table.check([&trace]() -> config_errors {
        config_errors errors;
        if (trace.window_end && *trace.window_end <= trace.window_start) {
            errors.push_back({"", 0, "trace.window_end",
                              "'" + to_text(*trace.window_end) +
                                  "' is out of range; expected above trace.window_start (" +
                                  to_text(trace.window_start) + ")"});
        }
        if (trace.pcap_snap > 0_B && trace.pcap_snap < 64_B) {
            errors.push_back(
                {"", 0, "trace.pcap_snap",
                 "'" + to_text(trace.pcap_snap) +
                     "' is too short for the headers; expected 0 for whole frames, or 64 to 65535 B"});
        }
        if (trace.wave.signals.empty()) {
            errors.push_back({"", 0, "trace.wave_signals",
                              "selects no signals; expected some of " + text_form<wave_group>::range()});
        }
        return errors;
    });
}

}  // namespace weir
