#include "tb/replay/replay_pfc_tx.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tb/replay/frame_source.h"
#include "tb/replay/scenario.h"
#include "tb/replay/transmit_options.h"
#include "weir/model/clocked/control_frame_mux.h"
#include "weir/model/clocked/pfc_transmit_control.h"

namespace weir::tb {

namespace {

/// Edges after reset before cycle 0, in which ready signals rise.
constexpr int transmit_idle_edges = 6;

enum class control_kind { request, resend, enable };

struct transmit_change {
    std::uint64_t cycle = 0;
    control_kind kind = control_kind::request;
    unsigned value = 0;
};

struct transmit_scenario {
    scenario base;
    pfc_transmit_config config;
    /// The sink rests after each frame.
    bool gap = false;
    std::vector<transmit_change> changes;
    std::vector<offered_frame> frames;
};
using transmit_scenarios = std::map<scenario_key, transmit_scenario>;

/// In the order of the file.
std::vector<scenario_key> read_scenarios(replay_job& job, transmit_scenarios& scenarios) {
    scenario_file list(job.text("scenarios"), job.errors());
    const pause_time_columns times(list.file());
    const std::size_t gap = list.file().column("gap_mode");
    std::vector<scenario_key> order;
    while (list.next()) {
        transmit_scenario s{list.current(), transmit_config_of(job), false, {}, {}};
        s.config.data_width = s.base.data_width;
        s.config.quanta_step = s.base.quanta_step;
        std::uint64_t gap_mode = 0;
        if (times.read(list.file(), s.config) && list.file().number(gap, gap_mode, 0, 1)) {
            s.gap = gap_mode != 0;
        }
        order.push_back(s.base.key);
        scenarios.emplace(s.base.key, std::move(s));
    }
    return order;
}

void read_stimuli(replay_job& job, transmit_scenarios& scenarios) {
    csv_file file(job.text("stimuli"), job.errors());
    scenario_columns columns(file);
    const std::size_t kind = file.column("kind");
    const std::size_t cycle = file.column("cycle");
    const std::size_t value = file.column("value");
    const std::size_t octets = file.column("nbytes");
    while (file.next()) {
        transmit_scenario* const s = columns.find(scenarios);
        std::uint64_t at = 0;
        std::size_t what = 0;
        bool good = file.number(cycle, at, 0, most_cycles);
        good = file.word(kind, what, {"tx_pfc_req", "tx_pfc_resend", "cfg_tx_pfc_en", "data_frame_offered"}) &&
               good;
        if (!good || s == nullptr) {
            continue;
        }
        std::uint64_t level = 0;
        if (what < 3) {
            if (file.number(value, level, 0, what == 0 ? 0xFF : 1)) {
                s->changes.push_back({at, static_cast<control_kind>(what), static_cast<unsigned>(level)});
            }
        } else if (file.number(octets, level, 1, most_frame_octets)) {
            s->frames.push_back({at, static_cast<unsigned>(level), file.text(value)});
        }
    }
    // The stimuli of a scenario may stand one kind after the other.
    for (auto& [key, s] : scenarios) {
        const auto earlier = [](const auto& a, const auto& b) { return a.cycle < b.cycle; };
        std::stable_sort(s.changes.begin(), s.changes.end(), earlier);
        std::stable_sort(s.frames.begin(), s.frames.end(), earlier);
    }
}

/// Writes a frame when its last beat has left.
class frame_writer {
 public:
    static constexpr const char* header =
        "config,scenario,type,cycle_first_beat,cycle_last_beat,time_first_ns,time_last_ns,nbytes,class_enable,"
        "t0,t1,t2,t3,t4,t5,t6,t7,frame_hex\n";

    frame_writer(std::string& out, const scenario& of) : m_out(out), m_scenario(of) {}

    void write_data(std::uint64_t first, std::uint64_t last, unsigned octets) {
        begin("data", first, last, octets).add_nothing(2 + pfc_classes);
        m_out += m_line.end();
        check_length(m_out, m_scenario, last);
    }
    void write_pfc(std::uint64_t first, std::uint64_t last, const pause_fields& fields,
                   const mac_address& source) {
        const auto octets = encode_pause_frame(frame_kind::pfc, fields, source);
        begin("pfc", first, last, octets.size()).add_name(hex_text(fields.class_enable, 4));
        for (const std::uint16_t quanta : fields.quanta) {
            m_line.add(quanta);
        }
        m_out += m_line.add_name(octets_text(octets.data(), octets.size())).end();
        check_length(m_out, m_scenario, last);
    }

 private:
    csv_line& begin(const char* type, std::uint64_t first, std::uint64_t last, std::size_t octets) {
        return m_line.add_name(m_scenario.key.first)
            .add_name(m_scenario.key.second)
            .add_name(type)
            .add(first)
            .add(last)
            .add_name(cycle_ns_text(first, m_scenario.clock_period))
            .add_name(cycle_ns_text(last, m_scenario.clock_period))
            .add(octets);
    }

    std::string& m_out;
    const scenario& m_scenario;
    csv_line m_line;
};

/// One scenario, edge by edge.
class transmit_replay {
 public:
    transmit_replay(const transmit_scenario& s, const replay_job& job, std::string& frames, std::string& events)
        : m_scenario(s),
          m_source_address(source_address_of(job)),
          m_gap(s.gap ? frame_beats(static_cast<unsigned>(job.number("gap-octets")), s.base.data_width) : 0),
          m_control(s.config),
          m_mux(s.base.data_width),
          m_source(s.frames, s.base.data_width),
          m_frames(frames, s.base),
          m_events(events, s.base) {}

    void run() {
        for (int edge = 0; edge < transmit_idle_edges; ++edge) {
            clock();
        }
        auto change = m_scenario.changes.begin();
        for (std::uint64_t cycle = 0; cycle <= m_scenario.base.end_cycle; ++cycle) {
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
        if (change.kind == control_kind::request) {
            m_in.request = static_cast<class_mask>(change.value);
            m_events.write(change.cycle, "in.tx_pfc_req", hex_text(change.value, 2));
        } else if (change.kind == control_kind::resend) {
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
        if (beat.control) {
            m_frames.write_pfc(m_first_beat, cycle, beat.fields, m_source_address);
        } else {
            m_frames.write_data(m_first_beat, cycle, m_scenario.frames[beat.tag].octets);
        }
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
    frame_writer m_frames;
    event_writer m_events;

    pfc_transmit_inputs m_in;
    bool m_ready = true;
    unsigned m_resting = 0;
    bool m_within_frame = false;
    std::uint64_t m_first_beat = 0;
    class_mask m_paused = 0;
};

void run_pfc_tx(replay_job& job) {
    transmit_scenarios scenarios;
    check_transmit_options(job);
    const std::vector<scenario_key> order = read_scenarios(job, scenarios);
    if (!job.errors().empty()) {
        return;  // what the other file names would be unknown
    }
    read_stimuli(job, scenarios);
    if (!job.errors().empty()) {
        return;
    }
    std::string& frames = job.output("out-frames");
    std::string& events = job.output("out-events");
    frames = frame_writer::header;
    events = event_writer::header;
    for (const scenario_key& key : order) {
        const transmit_scenario& s = scenarios.at(key);
        const auto late = [&](const auto& stimuli) {
            return std::count_if(stimuli.begin(), stimuli.end(),
                                 [&](const auto& one) { return one.cycle > s.base.end_cycle; });
        };
        note_late_stimuli(job, s.base, static_cast<std::uint64_t>(late(s.changes) + late(s.frames)));
        transmit_replay(scenarios.at(key), job, frames, events).run();
    }
}

}  // namespace

replay_block pfc_tx_replay() {
    std::vector<replay_option> options{
        input_option("scenarios",
                     "Columns config, scenario, data_width_bits, clk_period_ps, end_cycle, gap_mode (1: the "
                     "sink is not ready for some cycles after each frame), quanta_k0..k7 and refresh_k0..k7 "
                     "(eight times with blanks between); "
                     "quanta_step (1/256 quantum per cycle) where it is not data width / 2."),
        input_option("stimuli",
                     "Columns config, scenario, kind (tx_pfc_req: a level per class; tx_pfc_resend: a pulse; "
                     "cfg_tx_pfc_en; data_frame_offered: value is its name), cycle, value, nbytes."),
        output_option("out-frames",
                      "Every frame: config, scenario, type, cycles and times of its first and last beat, "
                      "nbytes; of PFC frames class_enable, t0 to t7, frame_hex."),
        output_option("out-events", "config, scenario, cycle, time_ns, signal, value."),
        number_option("gap-octets", 24, 0, 10'000,
                      "Number of cycles that the sink is not ready after each frame with gap_mode 1, at one "
                      "beat per cycle.",
                      "preamble, FCS and inter-frame gap: 8 + 4 + 12")};
    const std::vector<replay_option> more = transmit_options();
    options.insert(options.end(), more.begin(), more.end());
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
