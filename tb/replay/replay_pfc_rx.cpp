#include "tb/replay/replay_pfc_rx.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/replay/scenario.h"
#include "weir/model/clocked/pfc_receive_control.h"

namespace weir::tb {

namespace {

struct received_frame {
    /// Of its first beat.
    std::uint64_t begin = 0;
    /// Good FCS, destination and type; of others comes nothing.
    bool good = false;
    pause_frame frame;
};

/// An enable that changes.
struct control_change {
    std::uint64_t cycle = 0;
    std::string signal;
    std::string text;
    unsigned value = 0;
};

struct receive_scenario {
    scenario base;
    /// Cycles from a request that is seen until it is acknowledged; none: acknowledged at any time.
    std::optional<std::uint64_t> acknowledge_delay;
    /// By the cycle of the last beat.
    std::map<std::uint64_t, received_frame> frames;
    std::vector<control_change> changes;
};
using receive_scenarios = std::map<scenario_key, receive_scenario>;

/// The transmitter: acknowledges at any time, or a while after it first sees the request, until that falls.
class acknowledging_transmitter {
 public:
    explicit acknowledging_transmitter(std::optional<std::uint64_t> delay) : m_delay(delay) {}

    class_mask acknowledge(class_mask request) {
        if (!m_delay) {
            return 0xFF;
        }
        unsigned acknowledged = 0;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((request >> c & 1) == 0) {
                m_waited[c] = 0;
            } else if (m_waited[c] >= *m_delay) {
                acknowledged |= 1U << c;
            } else {
                ++m_waited[c];
            }
        }
        return static_cast<class_mask>(acknowledged);
    }

 private:
    std::optional<std::uint64_t> m_delay;
    /// Cycles since the request was first seen.
    std::array<std::uint64_t, pfc_classes> m_waited{};
};

/// In the order of the file.
std::vector<scenario_key> read_scenarios(replay_job& job, receive_scenarios& scenarios) {
    scenario_file list(job.text("scenarios"), job.errors());
    const std::size_t mode = list.file().column("ack_mode");
    const std::size_t delay = list.file().column("ack_delay_cycles");
    std::vector<scenario_key> order;
    while (list.next()) {
        receive_scenario s{list.current(), std::nullopt, {}, {}};
        std::size_t follow = 0;
        std::uint64_t cycles_late = 0;
        if (list.file().word(mode, follow, {"always", "follow"}) &&
            list.file().number(delay, cycles_late, 0, most_cycles) && follow != 0) {
            s.acknowledge_delay = cycles_late;
        }
        order.push_back(s.base.key);
        scenarios.emplace(s.base.key, std::move(s));
    }
    return order;
}

void read_frames(replay_job& job, receive_scenarios& scenarios) {
    csv_file file(job.text("stimuli"), job.errors());
    scenario_columns columns(file);
    const std::size_t last_beat = file.column("cycle_last_beat");
    const std::size_t bad = file.column("tuser_bad_fcs");
    const std::size_t hex = file.column("frame_hex");
    while (file.next()) {
        receive_scenario* const s = columns.find(scenarios);
        std::uint64_t beat = 0;
        std::uint64_t is_bad = 0;
        bool good = file.number(last_beat, beat, 0, most_cycles);
        good = file.number(bad, is_bad, 0, 1) && good;
        const auto octets = parse_octets(file.text(hex));
        if (!octets || octets->empty()) {
            file.refuse(hex, "is not a frame; expected pairs of hexadecimal digits");
            continue;
        }
        if (s == nullptr || !good) {
            continue;
        }
        const pause_frame_result decoded = decode_pause_frame(octets->data(), octets->size());
        const std::uint64_t beats = (octets->size() * 8 + s->base.data_width - 1) / s->base.data_width;
        if (beat + 1 < beats) {
            file.refuse(last_beat, "'" + file.text(last_beat) + "' leaves no time for the frame's " +
                                       std::to_string(beats) + " beats; expected " + std::to_string(beats - 1) +
                                       " or more");
            continue;
        }
        const received_frame frame{beat + 1 - beats, decoded && is_bad == 0, decoded.frame};
        const auto next = s->frames.lower_bound(beat);
        const bool meets_next = next != s->frames.end() && next->second.begin <= beat;
        if (meets_next || (next != s->frames.begin() && std::prev(next)->first >= frame.begin)) {
            file.refuse(last_beat,
                        "'" + file.text(last_beat) + "': the frame's " + std::to_string(beats) +
                            " beats overlap with those of another frame; expected one frame after the other");
        }
        s->frames.emplace(beat, frame);
    }
}

void read_controls(replay_job& job, receive_scenarios& scenarios) {
    csv_file file(job.text("controls"), job.errors());
    scenario_columns columns(file);
    const std::size_t cycle = file.column("cycle");
    const std::size_t signal = file.column("signal");
    const std::size_t value = file.column("value");
    while (file.next()) {
        if (file.text(signal).compare(0, 3, "in.") != 0) {
            continue;
        }
        receive_scenario* const s = columns.find(scenarios);
        control_change change;
        change.signal = file.text(signal);
        change.text = file.text(value);
        std::size_t which = 0;
        std::uint64_t level = 0;
        bool good = file.word(signal, which, {"in.rx_pfc_en", "in.cfg_rx_pfc_en"});
        good = good && file.number(value, level, 0, which == 0 ? 0xFF : 1);
        good = file.number(cycle, change.cycle, 0, most_cycles) && good;
        if (s != nullptr && good) {
            change.value = static_cast<unsigned>(level);
            s->changes.push_back(change);
        }
    }
    for (auto& [key, s] : scenarios) {
        std::stable_sort(s.changes.begin(), s.changes.end(),
                         [](const control_change& a, const control_change& b) { return a.cycle < b.cycle; });
    }
}

/// Writes a pause when it ends.
class interval_writer {
 public:
    static constexpr const char* header =
        "config,scenario,class,start_cycle,end_cycle,duration_cycles,duration_ns,duration_quanta\n";

    interval_writer(std::string& out, const scenario& of) : m_out(out), m_scenario(of) {}

    void see(std::uint64_t cycle, unsigned before, unsigned now) {
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if (((now & ~before) >> c & 1) != 0) {
                m_start[c] = cycle;
            } else if (((before & ~now) >> c & 1) != 0) {
                write(c, cycle);
            }
        }
    }

 private:
    void write(unsigned c, std::uint64_t end) {
        const std::uint64_t duration = end - m_start[c];
        m_out += m_line.add_name(m_scenario.key.first)
                     .add_name(m_scenario.key.second)
                     .add(c)
                     .add(m_start[c])
                     .add(end)
                     .add(duration)
                     .add_name(cycle_ns_text(duration, m_scenario.clock_period))
                     .add_decimal(static_cast<double>(duration) * m_scenario.data_width / 512, 4)
                     .end();
        check_length(m_out, m_scenario, end);
    }

    std::string& m_out;
    const scenario& m_scenario;
    std::array<std::uint64_t, pfc_classes> m_start{};
    csv_line m_line;
};

/// Returns the classes that are paused still at the end.
class_mask replay(const receive_scenario& s, pfc_receive_config config, std::string& events_out,
                  std::string& intervals_out) {
    config.data_width = s.base.data_width;
    config.quanta_step = s.base.quanta_step;
    pfc_receive_control control(config);
    acknowledging_transmitter transmitter(s.acknowledge_delay);
    event_writer events(events_out, s.base);
    interval_writer intervals(intervals_out, s.base);
    auto frame = s.frames.begin();
    auto change = s.changes.begin();
    pfc_receive_inputs in;
    class_mask request = 0;
    for (std::uint64_t cycle = 0; cycle <= s.base.end_cycle; ++cycle) {
        for (; change != s.changes.end() && change->cycle == cycle; ++change) {
            events.write(cycle, change->signal, change->text);
            if (change->signal == "in.rx_pfc_en") {
                in.class_enable = static_cast<class_mask>(change->value);
            } else {
                in.pfc_enable = change->value != 0;
            }
        }
        const pfc_receive_outputs& out = control.outputs();
        if (out.control_frame) {
            events.write(cycle, "mcf_valid", "1");
        }
        if (out.pfc_frame) {
            events.write(cycle, "stat_rx_pfc_pkt", "1");
        }
        events.write_mask(cycle, "stat_rx_pfc_xoff", out.xoff);
        events.write_mask(cycle, "stat_rx_pfc_xon", out.xon);
        if (out.request != request) {
            events.write_changes(cycle, "rx_pfc_req", request, out.request);
            intervals.see(cycle, request, out.request);
            request = out.request;
        }
        in.frame = nullptr;
        if (frame != s.frames.end() && frame->first == cycle) {
            in.frame = frame->second.good ? &frame->second.frame : nullptr;
            ++frame;
        }
        in.acknowledge = transmitter.acknowledge(request);
        control.clock(in);
    }
    return request;
}

void run_pfc_rx(replay_job& job) {
    receive_scenarios scenarios;
    const std::vector<scenario_key> order = read_scenarios(job, scenarios);
    if (!job.errors().empty()) {
        return;  // what the other files name would be unknown
    }
    read_frames(job, scenarios);
    if (job.given("controls")) {
        read_controls(job, scenarios);
    }
    pfc_receive_config config;
    config.parsed = cycles{static_cast<std::int64_t>(job.number("parsed-latency"))};
    config.statistics = cycles{static_cast<std::int64_t>(job.number("statistics-latency"))};
    config.request = cycles{static_cast<std::int64_t>(job.number("request-latency"))};
    config.acknowledged_timers = job.text("timers") == "acknowledged";
    for (config_error& error : config.validate("-")) {
        // `-.request`: the option --request-latency
        job.errors().push_back(
            {"", 0, "-" + error.key.substr(0, 1) + error.key.substr(2) + "-latency", error.message});
    }
    if (!job.errors().empty()) {
        return;
    }
    std::string& events = job.output("out-events");
    std::string& intervals = job.output("out-intervals");
    events = event_writer::header;
    intervals = interval_writer::header;
    for (const scenario_key& key : order) {
        const receive_scenario& s = scenarios.at(key);
        const auto late = static_cast<std::uint64_t>(
            std::distance(s.frames.upper_bound(s.base.end_cycle), s.frames.end()) +
            std::count_if(s.changes.begin(), s.changes.end(),
                          [&](const control_change& change) { return change.cycle > s.base.end_cycle; }));
        note_late_stimuli(job, s.base, late);
        if (replay(scenarios.at(key), config, events, intervals) != 0) {
            job.notes().push_back(key.first + " " + key.second +
                                  ": a pause lasts beyond end_cycle and is not written to the intervals");
        }
    }
}

}  // namespace

replay_block pfc_rx_replay() {
    const char* const source = "verilog-ethernet, mac_ctrl_rx and mac_pause_ctrl_rx";
    return {
        "pfc-rx",
        "the receive side of PFC, cycle by cycle: from control frames to pauses and pulses",
        "Times are clock cycles; a value at cycle n is what the n-th edge samples. A frame's last beat at\n"
        "L is parsed at L+1, counted at L+2, and its pauses are requested from L+3 on. A quantum is 512\n"
        "bit times: 512 / data width cycles.\n",
        {input_option("scenarios",
                      "Columns config, scenario, data_width_bits, clk_period_ps, end_cycle, ack_mode (always, "
                      "follow), ack_delay_cycles; quanta_step (1/256 quantum per cycle) where it is not "
                      "data width / 2."),
         input_option("stimuli",
                      "Frames: columns config, scenario, cycle_last_beat, tuser_bad_fcs, frame_hex."),
         optional_input_option("controls",
                               "Enables that change: the lines of an event file whose signal begins with "
                               "`in.`; the others are not read. Default: none change."),
         output_option("out-intervals",
                       "config, scenario, class, start_cycle, end_cycle, duration_cycles, duration_ns, "
                       "duration_quanta: a line when a pause ends."),
         output_option("out-events", "config, scenario, cycle, time_ns, signal, value."),
         number_option("parsed-latency", 1, 1, 1'000'000, "Cycles from the last beat to mcf_valid.", source),
         number_option("statistics-latency", 2, 2, 1'000'000,
                       "Cycles from the last beat to the stat_ pulses and the timers.", source),
         number_option("request-latency", 3, 3, 1'000'000, "Cycles from the last beat to rx_pfc_req.", source),
         word_option("timers", {"acknowledged", "always"},
                     "A class's timer counts while its pause is acknowledged, or always.", source)},
        run_pfc_rx};
}

}  // namespace weir::tb
