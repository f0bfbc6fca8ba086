// What a run records besides its results: captures, causes, waveforms, journeys of frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::tb {

enum class wave_format : std::uint8_t { none, vcd, fst };
constexpr auto names_of(wave_format) {
    return enum_names<wave_format>({
        {wave_format::none, "none", "no waveform"},
        {wave_format::vcd, "run.vcd", "text, IEEE 1364-2005 clause 18"},
        {wave_format::fst, "run.fst", "GTKWave's format, a tenth of the size or less; not in every build"},
    });
}
enum class wave_group : std::uint8_t { occupancy, drain, pause, match, favored, drops, pools };
constexpr auto names_of(wave_group) {
    return enum_names<wave_group>({
        {wave_group::occupancy, "occupancy", "bytes in packet memory, by port and class"},
        {wave_group::drain, "drain", "drain bytes, by port and class"},
        {wave_group::pause, "pause",
         "classes that are paused, and classes that the link partner is asked to pause"},
        {wave_group::match, "match",
         "the ingress port that the crossbar connects to each egress port (switch.buffer = partitioned)"},
        {wave_group::favored, "favored",
         "favoured ports by threshold and class (a switch.balance that reads thresholds)"},
        {wave_group::drops, "drops", "frames that the switch has dropped"},
        {wave_group::pools, "pools", "fill of pools and headroom, and thresholds (switch.buffer = shared)"},
    });
}
enum class wave_trigger : std::uint8_t { none, drop, xoff, deadlock };
constexpr auto names_of(wave_trigger) {
    return enum_names<wave_trigger>({
        {wave_trigger::none, "none", "the whole window"},
        {wave_trigger::drop, "drop", "the first frame that one of these switches drops"},
        {wave_trigger::xoff, "xoff", "the first time that one of these switches requests a pause"},
        {wave_trigger::deadlock, "deadlock", "the last transmission before a deadlock"},
    });
}

/// Keys: [trace], wave and those that begin with wave_.
struct wave_options {
    wave_format format = wave_format::none;
    /// Names, as text.
    std::vector<std::string> switches;
    std::vector<wave_group> signals{wave_group::occupancy, wave_group::drain,   wave_group::pause,
                                    wave_group::match,     wave_group::favored, wave_group::drops,
                                    wave_group::pools};
    std::uint64_t limit = 4'000'000;
    wave_trigger trigger = wave_trigger::none;
    picoseconds before{100us};
    picoseconds after{100us};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("wave", &self::format)
                   .help("Writes a waveform of the switches into the output directory, into a file of this "
                         "name. docs/waveforms.md."));
        fields.all_need("trace.wave");
        fields(field("wave_switches", &self::switches)
                   .rule("names of switches separated by commas, such as core*",
                         [](const std::string& name) { return !name.empty(); })
                   .help("Switches in the waveform; * stands for any text. Empty: all switches."));
        fields(
            field("wave_signals", &self::signals).help("Groups of signals that are written for each switch."));
        fields(field("wave_limit", &self::limit)
                   .range(1, std::uint64_t{1} << 40)
                   .help("Maximum number of value changes in the waveform; a bitmap counts one per 64 bits. "
                         "The waveform ends there, with a warning.")
                   .source("project; about 60 MB of VCD"));
        fields(field("wave_trigger", &self::trigger)
                   .help("Write only the time around the first event of this kind in the window."));
        fields(field("wave_before", &self::before)
                   .range(0_ps, longest_time)
                   .needs("trace.wave_trigger = drop or xoff or deadlock")
                   .help("Length of the time before the trigger that is written."));
        fields(field("wave_after", &self::after)
                   .range(picoseconds{1}, longest_time)
                   .needs("trace.wave_trigger = drop or xoff")
                   .help("Length of the time after the trigger that is written."));
    }
};

/// Keys: [trace], perfetto and those that begin with perfetto_.
struct journey_options {
    bool perfetto = false;
    /// Names, as text.
    std::vector<std::string> nodes;
    std::uint64_t limit = 500'000;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("perfetto", &self::perfetto)
                   .help("Writes the journey of each frame, the pauses and the drops into perfetto.json, for "
                         "the Perfetto viewer. docs/perfetto.md."));
        fields.all_need("trace.perfetto");
        fields(field("perfetto_nodes", &self::nodes)
                   .rule("names of nodes separated by commas, such as core*",
                         [](const std::string& name) { return !name.empty(); })
                   .help("Hosts and switches in perfetto.json; * stands for any text. Empty: all."));
        fields(
            field("perfetto_limit", &self::limit)
                .range(1, std::uint64_t{1} << 40)
                .help(
                    "Maximum number of slices and marks in perfetto.json. The file ends there, with a warning.")
                .source("project; about 100 MB"));
    }
};

/// The frame whose path is written.
struct frame_choice {
    /// That of all with most detours.
    bool most_detours = false;
    std::uint64_t flow = 0;
    /// Of its first byte, in the transfer. Unit: B.
    std::uint64_t offset = 0;

    /// `most_detours`, or `FLOW:OFFSET`; nothing for another text.
    static std::optional<frame_choice> parse(const std::string& text);
};

/// Keys: [trace].
struct capture_options {
    std::vector<std::string> pcap;
    bool pause_causes = false;
    bool drop_causes = false;
    std::uint32_t cause_flows = 8;
    bytes pcap_snap{128};
    std::uint64_t pcap_limit = 500'000;
    wave_options wave;
    journey_options journeys;
    std::string frame_path;
    picoseconds window_start{0};
    std::optional<picoseconds> window_end;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* traced =
            "trace.pcap, trace.wave, trace.perfetto, trace.frame_path, trace.pause_causes or trace.drop_causes";
        fields(field("pcap", &self::pcap)
                   .repeated()
                   .rule("all, a link such as h0-s0, or a direction such as h*>s0")
                   .help("Captures frames, as they are sent on these links, into trace.pcapng. The name of a "
                         "link selects both directions, FROM>TO one direction; * stands for any text. May be "
                         "given several times. docs/captures.md."));
        fields(field("pause_causes", &self::pause_causes)
                   .help("Writes the causes of pauses: pause_causes.csv, pause_flows.csv and pause_tree.json. "
                         "docs/causes.md."));
        fields(field("drop_causes", &self::drop_causes)
                   .help("Writes drop_causes.csv: for each frame that was dropped because memory was full, "
                         "which memory it was and which flows filled it."));
        fields(
            field("cause_flows", &self::cause_flows)
                .range(1, 1'000)
                .needs("trace.pause_causes or trace.drop_causes")
                .help("Maximum number of flows listed for one cause; flows with the most bytes come first."));
        fields(field("pcap_snap", &self::pcap_snap)
                   .range(0_B, 65'535_B)
                   .needs("trace.pcap")
                   .help("Maximum number of bytes captured per frame: at least 64, or 0 for whole frames.")
                   .source("project; PFC frames are 64 B"));
        fields(field("pcap_limit", &self::pcap_limit)
                   .range(1, std::uint64_t{1} << 40)
                   .needs("trace.pcap")
                   .help("Maximum number of frames in the capture. The capture ends there, with a warning.")
                   .source("project; about 85 MB"));
        fields.part(&self::wave);
        fields.part(&self::journeys);
        fields(
            field("frame_path", &self::frame_path)
                .rule("most_detours, or the number of a flow and an offset in it, such as 17:2920",
                      [](const std::string& text) { return text.empty() || frame_choice::parse(text); })
                .help(
                    "Writes the path of this frame, node by node, into frame_path.csv: the data frame whose "
                    "first byte is at the offset, or the one with most detours. Empty: none. docs/perfetto.md.")
                .source("DIBS, fig. 1"));
        fields.all_need(traced);
        fields(
            field("window_start", &self::window_start)
                .range(0_ps, longest_time)
                .help(
                    "Start of the time window in which captures, waveforms, journeys and causes are written."));
        fields(field("window_end", &self::window_end)
                   .range(0_ps, longest_time)
                   .help("End of the window. auto: the end of the run."));
    }

    config_errors validate() const;
};

}  // namespace weir::tb
