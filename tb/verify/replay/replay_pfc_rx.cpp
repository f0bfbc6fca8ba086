#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/verify/replay/replay_blocks.h"
#include "tb/verify/replay/scenario.h"
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
struct enable_change {
    std::uint64_t cycle = 0;
    std::string signal;
    std::string text;
    unsigned value = 0;
};

struct receive_scenario : scenario {
    bool follows = false;
    std::uint64_t delay = 0;
    /// By the cycle of the last beat.
    std::map<std::uint64_t, received_frame> frames;
    std::vector<enable_change> changes;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = receive_scenario;
        scenario::describe(columns);
        columns(column("ack_mode", &self::follows,
                       "whether pauses are acknowledged at any time, or after a request")
                    .words("follow", "always"));
        columns(
            column("ack_delay_cycles", &self::delay, "with follow: cycles from a request to its acknowledge")
                .range(0, most_cycles));
    }
};

constexpr auto receive_stimulus_columns = with_more(
    scenario_columns, cell<std::uint64_t>("cycle_last_beat").range(0, most_cycles),
    cell<bool>("tuser_bad_fcs", "1: the FCS is wrong").words("1", "0"), cell<std::string>("frame_hex"));
using receive_stimulus = row_of<receive_stimulus_columns>;

/// The transmitter: acknowledges at any time, or a while after it first sees the request, until that falls.
class acknowledging_transmitter {
 public:
    explicit acknowledging_transmitter(const receive_scenario& of) : m_follows(of.follows), m_delay(of.delay) {}

    class_mask acknowledge(class_mask request) {
        if (!m_follows) {
            return 0xFF;
        }
        unsigned acknowledged = 0;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((request >> c & 1) == 0) {
                m_waited[c] = 0;
            } else if (m_waited[c] >= m_delay) {
                acknowledged |= 1U << c;
            } else {
                ++m_waited[c];
            }
        }
        return static_cast<class_mask>(acknowledged);
    }

 private:
    bool m_follows;
    std::uint64_t m_delay;
    /// Cycles since the request was first seen.
    std::array<std::uint64_t, pfc_classes> m_waited{};
};

void read_frames(replay_job& job, scenario_list<receive_scenario>& scenarios) {
    auto file = job.read<receive_stimulus>("stimuli");
    while (const receive_stimulus* const row = file.next_line()) {
        const auto& [config, name, last_beat, is_bad, hex] = row->cells;
        receive_scenario* const s = scenarios.find(file);
        const auto octets = parse_octets(hex);
        if (!octets || octets->empty()) {
            file.refuse(file.column("frame_hex"), "is not a frame; expected pairs of hexadecimal digits");
        }
        if (s == nullptr || !file.is_good("cycle_last_beat", "frame_hex")) {
            continue;
        }
        const pause_frame_result decoded = decode_pause_frame(octets->data(), octets->size());
        const std::uint64_t beats = (octets->size() * 8 + s->data_width - 1) / s->data_width;
        const std::string count = std::to_string(beats);
        if (last_beat + 1 < beats) {
            file.refuse_text("cycle_last_beat", "leaves no time for the frame's " + count +
                                                    " beats; expected " + std::to_string(beats - 1) +
                                                    " or more");
            continue;
        }
        const received_frame frame{last_beat + 1 - beats, decoded && !is_bad, decoded.frame};
        const auto next = s->frames.lower_bound(last_beat);
        const bool meets_next = next != s->frames.end() && next->second.begin <= last_beat;
        if (meets_next || (next != s->frames.begin() && std::prev(next)->first >= frame.begin)) {
            file.refuse_text("cycle_last_beat", "lets the frame's " + count +
                                                    " beats overlap with those of another frame; expected "
                                                    "one frame after the other");
        }
        s->frames.emplace(last_beat, frame);
    }
}

/// Columns of an event file.
constexpr auto control_columns = with_more(scenario_columns, cell<std::uint64_t>("cycle").range(0, most_cycles),
                                           cell<std::string>("signal"), cell<std::string>("value"));
using control_row = row_of<control_columns>;

void read_controls(replay_job& job, scenario_list<receive_scenario>& scenarios) {
    auto file = job.read<control_row>("controls");
    while (const control_row* const row = file.next_line()) {
        const auto& [config, name, cycle, signal, value] = row->cells;
        if (signal.compare(0, 3, "in.") != 0) {
            continue;
        }
        receive_scenario* const s = scenarios.find(file);
        std::size_t which = 0;
        const bool known = file.word(file.column("signal"), which, {"in.rx_pfc_en", "in.cfg_rx_pfc_en"});
        const auto level = known ? file.number("value", 0, which == 0 ? 0xFF : 1) : std::nullopt;
        if (s != nullptr && level) {
            s->changes.push_back({cycle, signal, value, static_cast<unsigned>(*level)});
        }
    }
    for (receive_scenario& s : scenarios) {
        sort_by_cycle(s.changes);
    }
}

constexpr auto interval_columns =
    with_more(scenario_columns, cell<unsigned>("class"), cell<std::uint64_t>("start_cycle"),
              cell<std::uint64_t>("end_cycle"), cell<std::uint64_t>("duration_cycles"),
              cell<std::string>("duration_ns"), cell<double>("duration_quanta").decimals(4));
using interval_row = row_of<interval_columns>;

/// Writes a pause when it ends.
class interval_writer {
 public:
    interval_writer(replay_table<interval_row>& out, const scenario& of) : m_out(out), m_scenario(of) {}

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
        write_row(m_out, m_scenario, end, c, m_start[c], end, duration,
                  cycle_ns_text(duration, m_scenario.clock_period),
                  static_cast<double>(duration) * m_scenario.data_width / 512);
    }

    replay_table<interval_row>& m_out;
    const scenario& m_scenario;
    std::array<std::uint64_t, pfc_classes> m_start{};
};

/// Returns the classes that are paused still at the end.
class_mask replay(const receive_scenario& s, pfc_receive_config config, replay_table<signal_row>& events_out,
                  replay_table<interval_row>& intervals_out) {
    config.data_width = s.data_width;
    config.quanta_step = s.quanta_step;
    pfc_receive_control control(config);
    acknowledging_transmitter transmitter(s);
    event_writer events(events_out, s);
    interval_writer intervals(intervals_out, s);
    auto frame = s.frames.begin();
    auto change = s.changes.begin();
    pfc_receive_inputs in;
    class_mask request = 0;
    for (std::uint64_t cycle = 0; cycle <= s.end_cycle; ++cycle) {
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
    scenario_list<receive_scenario> scenarios(job);
    if (!job.errors().empty()) {
        return;  // what the other files name would be unknown
    }
    read_frames(job, scenarios);
    if (job.given("controls")) {
        read_controls(job, scenarios);
    }
    pfc_receive_config config;
    config.parsed = job.cycles_of("parsed-latency");
    config.statistics = job.cycles_of("statistics-latency");
    config.request = job.cycles_of("request-latency");
    config.acknowledged_timers = job.text("timers") == "acknowledged";
    for (config_error& error : config.validate("-")) {
        // `-.request`: the option --request-latency
        job.errors().push_back(
            {"", 0, "-" + error.key.substr(0, 1) + error.key.substr(2) + "-latency", error.message});
    }
    if (!job.errors().empty()) {
        return;
    }
    auto events = job.table<signal_row>("out-events");
    auto intervals = job.table<interval_row>("out-intervals");
    for (const receive_scenario& s : scenarios) {
        const auto late = std::distance(s.frames.upper_bound(s.end_cycle), s.frames.end());
        note_late_stimuli(job, s, static_cast<std::uint64_t>(late) + count_late(s.changes, s));
        if (replay(s, config, events, intervals) != 0) {
            job.notes().push_back(s.config + " " + s.name +
                                  ": a pause lasts beyond end_cycle and is not written to the intervals");
        }
    }
}

}  // namespace

replay_block pfc_rx_replay() {
    const char* const rtl = "verilog-ethernet, mac_ctrl_rx and mac_pause_ctrl_rx";
    return {"pfc-rx",
            "the receive side of PFC, cycle by cycle: from control frames to pauses and pulses",
            "Times are clock cycles; a value at cycle n is what the n-th edge samples. A frame's last beat at\n"
            "L is parsed at L+1, counted at L+2, and its pauses are requested from L+3 on. A quantum is 512\n"
            "bit times: 512 / data width cycles.\n",
            {input_option("scenarios", "The scenarios.").table<receive_scenario>(),
             input_option("stimuli", "Frames that arrive.").table<receive_stimulus>(),
             input_option("controls",
                          "Enables that change: the lines of an event file whose signal is in.rx_pfc_en or "
                          "in.cfg_rx_pfc_en; outputs are not read. Default: none change.")
                 .optional()
                 .table<control_row>(),
             output_option("out-intervals", "A line when a pause ends.").table<interval_row>(),
             output_option("out-events", "Inputs that change, statistics and requests.").table<signal_row>(),
             number_option("parsed-latency", 1, 1, 1'000'000, "Cycles from the last beat to mcf_valid.", rtl),
             number_option("statistics-latency", 2, 2, 1'000'000,
                           "Cycles from the last beat to the stat_ pulses and the timers.", rtl),
             number_option("request-latency", 3, 3, 1'000'000, "Cycles from the last beat to rx_pfc_req.", rtl),
             word_option("timers", {"acknowledged", "always"},
                         "A class's timer counts while its pause is acknowledged, or always.", rtl)},
            run_pfc_rx};
}

}  // namespace weir::tb
