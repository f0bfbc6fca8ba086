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
        {wave_group::pause, "pause", "classes that are paused, and that the partner is asked to pause"},
        {wave_group::match, "match",
         "the ingress port that the crossbar connects to each egress port (switch.buffer = partitioned)"},
        {wave_group::favored, "favored", "favoured ports by threshold and class (switch.balance = adaptive)"},
        {wave_group::drops, "drops", "frames that the switch has lost"},
        {wave_group::pools, "pools", "fill of pools and headroom, and thresholds (switch.buffer = shared)"},
    };
};
template <>
struct enum_names<wave_trigger> {
    static constexpr enum_name<wave_trigger> list[] = {
        {wave_trigger::none, "none", "the whole window"},
        {wave_trigger::drop, "drop", "the first frame that one of these switches loses"},
        {wave_trigger::xoff, "xoff", "the first time that one of these switches wants a class to be paused"},
        {wave_trigger::deadlock, "deadlock", "the last transmission before a deadlock"},
    };
};

static void add_wave_options(option_table::block_writer& block, wave_options& wave) {
    block.add("wave", wave.format)
        .doc(
            "Writes a waveform of switches into a file of this name in the run's directory. docs/waveforms.md.")
        .source("project");
    const relevance written{"trace.wave", [&wave] { return wave.format != wave_format::none; }};
    block.add("wave_switches", wave.switches)
        .rule("names of switches with commas between, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters(written)
        .doc("Switches in the waveform; * stands for any text. Without one: all.")
        .source("project");
    block.add("wave_signals", wave.signals)
        .matters(written)
        .doc("What is written of each switch.")
        .source("project");
    block.add("wave_limit", wave.limit)
        .range(1, std::uint64_t{1} << 40)
        .matters(written)
        .doc(
            "Most changes of values in the waveform, one for each 64 bits of a bitmap: it ends there, with a "
            "warning.")
        .source("project; about 60 MB of VCD");
    block.add("wave_trigger", wave.trigger)
        .matters(written)
        .doc("Only the time round the first such event in the window is written.")
        .source("project");
    const auto triggered = [&](std::vector<wave_trigger> by) {
        return written && only_with("trace.wave_trigger", wave.trigger, std::move(by));
    };
    block.add("wave_before", wave.before)
        .range(picoseconds{0}, longest_time)
        .matters(triggered({wave_trigger::drop, wave_trigger::xoff, wave_trigger::deadlock}))
        .doc("What is written of the time before the trigger.")
        .source("project");
    block.add("wave_after", wave.after)
        .range(picoseconds{1}, longest_time)
        .matters(triggered({wave_trigger::drop, wave_trigger::xoff}))
        .doc("What is written of the time from the trigger on.")
        .source("project");
}

static void add_journey_options(option_table::block_writer& block, journey_options& journeys) {
    block.add("perfetto", journeys.perfetto)
        .doc(
            "Writes frames' journeys, pauses and losses into perfetto.json, for Perfetto's viewer. "
            "docs/perfetto.md.")
        .source("project");
    const relevance written{"trace.perfetto", [&journeys] { return journeys.perfetto; }};
    block.add("perfetto_nodes", journeys.nodes)
        .rule("names of nodes with commas between, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters(written)
        .doc("Hosts and switches in it; * stands for any text. Without one: all.")
        .source("project");
    block.add("perfetto_limit", journeys.limit)
        .range(1, std::uint64_t{1} << 40)
        .matters(written)
        .doc("Most slices and marks in it: it ends there, with a warning.")
        .source("project; about 100 MB");
}

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
    block.add("pause_causes", trace.pause_causes)
        .doc(
            "Writes why classes were paused: pause_causes.csv, pause_flows.csv and pause_tree.json. "
            "docs/causes.md.")
        .source("project");
    block.add("drop_causes", trace.drop_causes)
        .doc(
            "Writes what was full, and of which flows, when a frame was lost for want of memory: "
            "drop_causes.csv.")
        .source("project");
    block.add("cause_flows", trace.cause_flows)
        .range(1, 1'000)
        .matters({"trace.pause_causes or trace.drop_causes",
                  [&trace] { return trace.pause_causes || trace.drop_causes; }})
        .doc("Most flows that one cause names, those with the most bytes.")
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
        .doc("Most octets of a frame that are kept: 0 for all, or at least 64.")
        .source("project; PFC frames are 64 B");
    block.add("pcap_limit", trace.pcap_limit)
        .range(1, std::uint64_t{1} << 40)
        .matters(captured)
        .doc("Most frames in the capture: it ends there, with a warning.")
        .source("project; about 85 MB");
    add_wave_options(block, trace.wave);
    add_journey_options(block, trace.journeys);
    block.add("window_start", trace.window_start)
        .range(picoseconds{0}, longest_time)
        .matters(traced)
        .doc("Start of the window in which captures, waveforms, journeys and causes are written.")
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
            errors.push_back({"", 0, "trace.pcap_snap",
                              "'" + to_text(trace.pcap_snap) +
                                  "' cuts headers; expected 0 for whole frames, or 64 to 65535 B"});
        }
        if (trace.wave.signals.empty()) {
            errors.push_back(
                {"", 0, "trace.wave_signals",
                 "names nothing to be written; expected some of " + text_form<wave_group>::range()});
        }
        return errors;
    });
}

}  // namespace weir
