#include <optional>
#include <string>
#include <vector>

#include "tb/verify/replay/replay_blocks.h"
#include "tb/verify/replay/scenario.h"
#include "tb/verify/replay/transmitter.h"
#include "weir/model/clocked/control_frame_mux.h"
#include "weir/model/clocked/pfc_transmit_control.h"

namespace weir::tb {

namespace {

/// Edges after reset before cycle 0, in which ready signals rise.
constexpr int transmit_idle_edges = 6;

enum class transmit_kind : std::uint8_t { request, resend, enable, frame };
constexpr auto names_of(transmit_kind) {
    return enum_names<transmit_kind>({{transmit_kind::request, "tx_pfc_req"},
                                      {transmit_kind::resend, "tx_pfc_resend"},
                                      {transmit_kind::enable, "cfg_tx_pfc_en"},
                                      {transmit_kind::frame, "data_frame_offered"}});
}

constexpr auto transmit_stimulus_columns = with_more(
    scenario_columns, cell<transmit_kind>("kind", "a level per class, a pulse, a level, or a data frame"),
    cell<std::uint64_t>("cycle").range(0, most_cycles),
    cell<std::string>("value", "the level, or the name of the data frame"), cell<std::string>("nbytes"));
using transmit_stimulus = row_of<transmit_stimulus_columns>;

struct transmit_change {
    std::uint64_t cycle = 0;
    transmit_kind kind{};
    unsigned value = 0;
};

struct transmit_scenario : scenario, pause_times {
    /// The sink rests after each frame.
    bool gap = false;
    std::vector<transmit_change> changes;
    std::vector<offered_frame> frames;

    template <class Columns>
    static void describe(Columns& columns) {
        scenario::describe(columns);
        pause_times::describe(columns);
        columns(
            column("gap_mode", &transmit_scenario::gap, "1: the sink rests after each frame").words("1", "0"));
    }
};

void read_transmit_stimuli(replay_job& job, scenario_list<transmit_scenario>& scenarios) {
    auto file = job.read<transmit_stimulus>("stimuli");
    while (const transmit_stimulus* const row = file.next_line()) {
        const auto& [config, name, kind, cycle, value, octets] = row->cells;
        transmit_scenario* const s = scenarios.find(file);
        const bool is_frame = kind == transmit_kind::frame;
        const char* const column = is_frame ? "nbytes" : "value";
        const std::uint64_t most = is_frame ? most_frame_octets : kind == transmit_kind::request ? 0xFF : 1;
        const auto number = file.is_good("kind") ? file.number(column, is_frame ? 1 : 0, most) : std::nullopt;
        if (s == nullptr || !number) {
            continue;
        }
        if (is_frame) {
            s->frames.push_back({cycle, static_cast<unsigned>(*number), value});
        } else {
            s->changes.push_back({cycle, kind, static_cast<unsigned>(*number)});
        }
    }
    for (transmit_scenario& s : scenarios) {
        sort_by_cycle(s.changes);
        sort_by_cycle(s.frames);
    }
}

using pause_quanta_cell = std::optional<std::uint16_t>;
constexpr auto transmit_frame_columns =
    with_more(scenario_columns, cell<const char*>("type"), cell<std::uint64_t>("cycle_first_beat"),
              cell<std::uint64_t>("cycle_last_beat"), cell<std::string>("time_first_ns"),
              cell<std::string>("time_last_ns"), cell<std::uint64_t>("nbytes", "length without FCS"),
              cell<std::string>("class_enable"), cell<pause_quanta_cell>("t0"), cell<pause_quanta_cell>("t1"),
              cell<pause_quanta_cell>("t2"), cell<pause_quanta_cell>("t3"), cell<pause_quanta_cell>("t4"),
              cell<pause_quanta_cell>("t5"), cell<pause_quanta_cell>("t6"), cell<pause_quanta_cell>("t7"),
              cell<std::string>("frame_hex", "octets of a PFC frame"));
using transmit_frame = row_of<transmit_frame_columns>;

/// One scenario, edge by edge.
class transmit_replay {
 public:
    transmit_replay(const transmit_scenario& s, const replay_job& job, replay_table<transmit_frame>& frames,
                    replay_table<signal_row>& events)
        : m_scenario(s),
          m_source_address(source_address_of(job)),
          m_gap(s.gap ? frame_beats(static_cast<unsigned>(job.number("gap-octets")), s.data_width) : 0),
          m_control(transmit_config_of(job, s, s)),
          m_mux(s.data_width),
          m_source(s.frames, s.data_width),
          m_frames(frames),
          m_events(events, s) {}

    void run() {
        for (int edge = 0; edge < transmit_idle_edges; ++edge) {
            clock();
        }
        auto change = m_scenario.changes.begin();
        for (std::uint64_t cycle = 0; cycle <= m_scenario.end_cycle; ++cycle) {
            m_in.resend = false;
            for (; change != m_scenario.changes.end() && change->cycle == cycle; ++change) {
                apply(*change);
            }
            note_statistics(cycle);
            m_source.advance(cycle);
            const bool accepted = m_source.valid() && m_mux.accepts_data();
            if (accepted && m_source.first()) {
                m_events.write(cycle, "data_accepted_first_beat", m_source.frame().id);
            }
            sink(cycle);
            clock();
            if (accepted) {
                m_source.take();
            }
        }
    }

 private:
    void apply(const transmit_change& change) {
        if (change.kind == transmit_kind::request) {
            m_in.request = static_cast<class_mask>(change.value);
            m_events.write(change.cycle, "in.tx_pfc_req", hex_text(change.value, 2));
        } else if (change.kind == transmit_kind::resend) {
            m_in.resend = change.value != 0;
            m_events.write(change.cycle, "in.tx_pfc_resend", std::to_string(change.value));
        } else {
            m_in.pfc_enable = change.value != 0;
            m_events.write(change.cycle, "in.cfg_tx_pfc_en", std::to_string(change.value));
        }
    }
    void note_statistics(std::uint64_t cycle) {
        const pfc_transmit_outputs& out = m_control.outputs();
        if (out.pfc_frame) {
            m_events.write(cycle, "stat_tx_pfc_pkt", "1");
        }
        m_events.write_mask(cycle, "stat_tx_pfc_xoff", out.xoff);
        m_events.write_mask(cycle, "stat_tx_pfc_xon", out.xon);
        if (out.paused != m_paused) {
            m_paused = out.paused;
            m_events.write(cycle, "stat_tx_pfc_paused", hex_text(m_paused, 2));
        }
    }
    /// Takes what is at the output, unless it rests after a frame.
    void sink(std::uint64_t cycle) {
        m_ready = m_resting == 0;
        m_resting -= m_resting > 0 ? 1 : 0;
        const control_frame_mux_beat& beat = m_mux.output();
        if (!beat.valid || !m_ready) {
            return;
        }
        if (!m_within_frame) {
            m_first_beat = cycle;
        }
        m_within_frame = !beat.last;
        if (!beat.last) {
            return;
        }
        const bool pfc = beat.control;
        const auto octets = encode_pause_frame(frame_kind::pfc, beat.fields, m_source_address);
        const auto quanta = [&](unsigned c) {
            return pfc ? pause_quanta_cell(beat.fields.quanta[c]) : std::nullopt;
        };
        const std::uint64_t period = m_scenario.clock_period;
        write_row(m_frames, m_scenario, cycle, pfc ? "pfc" : "data", m_first_beat, cycle,
                  cycle_ns_text(m_first_beat, period), cycle_ns_text(cycle, period),
                  pfc ? octets.size() : m_scenario.frames[beat.tag].octets,
                  pfc ? hex_text(beat.fields.class_enable, 4) : "", quanta(0), quanta(1), quanta(2), quanta(3),
                  quanta(4), quanta(5), quanta(6), quanta(7),
                  pfc ? octets_text(octets.data(), octets.size()) : "");
        m_resting = m_gap;
    }
    void clock() {
        control_frame_mux_inputs in;
        in.control = m_control.outputs().waiting ? &m_control.frame() : nullptr;
        in.data_valid = m_source.valid();
        in.data_last = m_source.last();
        in.data_tag = static_cast<std::uint32_t>(m_source.number());
        in.ready = m_ready;
        m_in.taken = m_mux.takes_last_control_beat();
        m_mux.clock(in);  // reads the frame that waits, which the next line may replace
        m_control.clock(m_in);
    }

    const transmit_scenario& m_scenario;
    mac_address m_source_address;
    /// Unit: cycle.
    unsigned m_gap;
    pfc_transmit_control m_control;
    control_frame_mux m_mux;
    frame_source m_source;
    replay_table<transmit_frame>& m_frames;
    event_writer m_events;

    pfc_transmit_inputs m_in;
    bool m_ready = true;
    unsigned m_resting = 0;
    bool m_within_frame = false;
    std::uint64_t m_first_beat = 0;
    class_mask m_paused = 0;
};

void run_pfc_tx(replay_job& job) {
    check_transmit_options(job);
    scenario_list<transmit_scenario> scenarios(job);
    if (!job.errors().empty()) {
        return;  // what the other file names would be unknown
    }
    read_transmit_stimuli(job, scenarios);
    if (!job.errors().empty()) {
        return;
    }
    auto frames = job.table<transmit_frame>("out-frames");
    auto events = job.table<signal_row>("out-events");
    for (const transmit_scenario& s : scenarios) {
        note_late_stimuli(job, s, count_late(s.changes, s) + count_late(s.frames, s));
        transmit_replay(s, job, frames, events).run();
    }
}

}  // namespace

replay_block pfc_tx_replay() {
    std::vector<replay_option> options{
        input_option("scenarios", "The scenarios.").table<transmit_scenario>(),
        input_option("stimuli", "Requests and data frames.").table<transmit_stimulus>(),
        output_option("out-frames", "Every frame that leaves.").table<transmit_frame>(),
        output_option("out-events", "Inputs, statistics and accepted frames.").table<signal_row>(),
        number_option("gap-octets", 24, 0, 10'000,
                      "Number of cycles that the sink is not ready after each frame with gap_mode 1, at one "
                      "beat per cycle.",
                      "preamble, FCS and inter-frame gap: 8 + 4 + 12")};
    add_transmit_options(options);
    return {
        "pfc-tx",
        "the transmit side of PFC, cycle by cycle: from requests and data frames to the frames that leave the "
        "MAC",
        "Times are clock cycles; a value at cycle n is what the n-th edge samples. On an idle link a request\n"
        "at R is counted at R+2 and its frame's first beat leaves at R+4. A control frame waits for the end\n"
        "of a data frame and goes before the next.\n",
        options, run_pfc_tx};
}

}  // namespace weir::tb
