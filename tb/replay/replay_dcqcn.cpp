#include "tb/replay/replay_dcqcn.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"
#include "weir/traffic/roce/dcqcn.h"
#include "weir/traffic/roce/dcqcn_mellanox.h"

namespace weir::tb {

namespace {

constexpr std::uint64_t most_ns = 4'000'000'000'000;
constexpr std::uint64_t most_us = most_ns / 1000;

/// Of the shortest timer in one replay.
constexpr std::int64_t most_steps = 1'000'000;

struct dcqcn_scenario {
    picoseconds until{0};
    bit_rate line{0};
    dcqcn_config config;

    /// With a shorter timer the golden files leave out what changes alpha alone.
    bool shows_alpha() const { return config.alpha_timer >= 10us; }
};

struct stimulus {
    picoseconds at{0};
    bool is_cnp = true;
};

/// Reads the columns of a line, and remembers whether all were good.
class line_reader {
 public:
    explicit line_reader(csv_file& file) : m_file(file) {}

    std::uint64_t number(std::size_t column, std::uint64_t low, std::uint64_t high) {
        std::uint64_t value = 0;
        m_good = m_file.number(column, value, low, high) && m_good;
        return value;
    }
    bit_rate rate(std::size_t column) {
        return bit_rate{static_cast<std::int64_t>(number(column, 1, 1'000'000'000'000'000))};
    }
    picoseconds time_us(std::size_t column) {
        return static_cast<std::int64_t>(number(column, 1, most_us)) * picoseconds{1us};
    }
    double share(std::size_t column) {
        double value = 0;
        m_good = m_file.number(column, value) && m_good;
        if (m_good && (value <= 0 || value > 1)) {
            m_file.refuse(column, "'" + m_file.text(column) + "' is out of range; expected above 0, at most 1");
            m_good = false;
        }
        return value;
    }
    bool good() const { return m_good; }

 private:
    csv_file& m_file;
    bool m_good = true;
};

std::optional<dcqcn_scenario> read_scenario(replay_job& job) {
    csv_file file(job.text("scenarios"), job.errors());
    const std::size_t name = file.column("scenario");
    const std::vector<std::size_t> at =
        file.columns({"until_ns", "line_bps", "min_bps", "g", "rate_on_first_cnp", "clamp", "rp_timer_us",
                      "decrease_us", "th", "alpha_us", "ai_bps", "hai_bps"});
    const std::string wanted = job.text("scenario");
    std::optional<dcqcn_scenario> found;
    std::size_t lines = 0;
    bool is_there = false;
    while (file.next()) {
        ++lines;
        if (!wanted.empty() && file.text(name) != wanted) {
            continue;
        }
        if (is_there) {
            file.refuse(name, wanted.empty()
                                  ? "'" + file.text(name) + "' is a second scenario; expected --scenario WORD"
                                  : "'" + wanted + "' is in an earlier line, too; expected each scenario once");
            break;
        }
        is_there = true;
        line_reader line(file);
        dcqcn_scenario read;
        read.until = static_cast<std::int64_t>(line.number(at[0], 0, most_ns)) * picoseconds{1ns};
        read.line = line.rate(at[1]);
        read.config.min_rate = line.rate(at[2]);
        read.config.gain = line.share(at[3]);
        read.config.first_rate = line.share(at[4]);
        read.config.clamp_target = line.number(at[5], 0, 1) != 0;
        read.config.increase_timer = line.time_us(at[6]);
        read.config.decrease_interval = line.time_us(at[7]);
        read.config.fast_recovery = static_cast<std::uint32_t>(line.number(at[8], 0, 1'000'000));
        read.config.alpha_timer = line.time_us(at[9]);
        read.config.additive_increase = line.rate(at[10]);
        read.config.hyper_increase = line.rate(at[11]);
        if (line.good()) {
            // Each step may be a line of the output, so a small file could ask for any number of them.
            const picoseconds timer =
                std::min({read.config.increase_timer, read.config.decrease_interval, read.config.alpha_timer});
            if (const std::int64_t steps = read.until / timer; steps > most_steps) {
                file.refuse(at[0], "has " + std::to_string(steps) +
                                       " periods of the shortest timer; expected at most " +
                                       std::to_string(most_steps));
            } else {
                found = read;
            }
        }
    }
    if (!is_there && lines > 0) {
        job.errors().push_back({job.text("scenarios"), 0, "scenario",
                                "'" + wanted + "' is in no line; expected the name of one that is"});
    }
    return found;
}

/// In the order of time; of one time, in that of the file.
std::vector<stimulus> read_stimuli(replay_job& job) {
    csv_file file(job.text("stimuli"), job.errors());
    const std::size_t time = file.column("t_ns");
    const std::optional<std::size_t> event = file.optional_column("event");
    std::vector<stimulus> stimuli;
    while (file.next()) {
        std::uint64_t at = 0;
        std::size_t kind = 0;
        const bool good = file.number(time, at, 0, most_ns);
        if ((!event || file.word(*event, kind, {"CNP", "BYTE"})) && good) {
            stimuli.push_back({static_cast<std::int64_t>(at) * picoseconds{1ns}, kind == 0});
        }
    }
    std::stable_sort(stimuli.begin(), stimuli.end(),
                     [](const stimulus& a, const stimulus& b) { return a.at < b.at; });
    return stimuli;
}

/// As C's `%.17g`, which reads back as the same number.
std::string exact_text(double value) {
    char text[64];
    const auto [end, code] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17);
    return code == std::errc{} ? std::string(text, end) : std::string{"?"};
}

std::string ns_text(picoseconds time) {
    return std::to_string(time / picoseconds{1ns});
}

class paper_trace {
 public:
    paper_trace(std::string& out, const dcqcn_scenario& scenario)
        : m_out(out), m_rule(scenario.config, scenario.line), m_shows_alpha(scenario.shows_alpha()) {
        m_out = "t_ns,cause,rc_bps,rt_bps,alpha,timer_stage,byte_stage\n";
        m_rule.open(m_state);
        write(picoseconds{0}, "START");
    }
    void take(const stimulus& s) {
        if (s.is_cnp) {
            m_rule.on_notification(m_state, s.at);
            write(s.at, "CNP");
        } else {
            write(s.at, std::string("BYTE_") + stage_text(m_rule.on_byte_counter(m_state)));
        }
    }
    picoseconds next() const { return dcqcn::next_timer(m_state); }
    void step() {
        const picoseconds at = next();
        const dcqcn_event event = m_rule.expire(m_state);
        if (event != dcqcn_event::alpha) {
            write(at, std::string("TIMER_") + stage_text(event));
        } else if (m_shows_alpha) {
            write(at, "ALPHA");
        }
    }

 private:
    static const char* stage_text(dcqcn_event event) {
        return event == dcqcn_event::fast_recovery ? "fast"
               : event == dcqcn_event::additive    ? "additive"
                                                   : "hyper";
    }
    void write(picoseconds at, const std::string& cause) {
        m_out += m_line.add_name(ns_text(at))
                     .add_name(cause)
                     .add_name(decimal_text(m_state.current, 6))
                     .add_name(decimal_text(m_state.target, 6))
                     .add_name(exact_text(m_state.alpha))
                     .add(m_state.timer_stage)
                     .add(m_state.byte_stage)
                     .end();
    }

    std::string& m_out;
    dcqcn m_rule;
    dcqcn_state m_state;
    bool m_shows_alpha;
    csv_line m_line;
};

/// Lines of events that change something.
class mellanox_trace {
 public:
    mellanox_trace(std::string& out, const dcqcn_scenario& scenario)
        : m_out(out), m_rule(scenario.config, scenario.line), m_shows_alpha(scenario.shows_alpha()) {
        m_out = "t_ns,cause,rate_bps,target_bps,alpha,stage\n";
        m_rule.open(m_state);
        write(picoseconds{0}, "START");
    }
    void take(const stimulus& s) {
        if (s.is_cnp) {
            const dcqcn_mellanox_state before = m_state;
            m_rule.on_notification(m_state, s.at);
            write_change(before, s.at, "CNP");
        }
    }
    picoseconds next() const { return dcqcn_mellanox::next_tick(m_state); }
    void step() {
        const picoseconds at = next();
        const dcqcn_mellanox_state before = m_state;
        const dcqcn_event event = m_rule.tick(m_state);
        if (event != dcqcn_event::alpha || m_shows_alpha) {
            write_change(before, at, cause_text(event));
        }
    }

 private:
    static const char* cause_text(dcqcn_event event) {
        switch (event) {
            case dcqcn_event::alpha:
                return "ALPHA";
            case dcqcn_event::decrease:
                return "DECREASE";
            case dcqcn_event::fast_recovery:
                return "FAST_RECOVERY";
            case dcqcn_event::additive:
                return "ADDITIVE";
            case dcqcn_event::hyper:
                break;
        }
        return "HYPER";
    }
    void write_change(const dcqcn_mellanox_state& before, picoseconds at, const char* cause) {
        if (before.rate != m_state.rate || before.target != m_state.target || before.alpha != m_state.alpha ||
            before.stage != m_state.stage) {
            write(at, cause);
        }
    }
    void write(picoseconds at, const char* cause) {
        m_out += m_line.add_name(ns_text(at))
                     .add_name(cause)
                     .add(static_cast<std::uint64_t>(m_state.rate.count()))
                     .add(static_cast<std::uint64_t>(m_state.target.count()))
                     .add_name(exact_text(m_state.alpha))
                     .add(m_state.stage)
                     .end();
    }

    std::string& m_out;
    dcqcn_mellanox m_rule;
    dcqcn_mellanox_state m_state;
    bool m_shows_alpha;
    csv_line m_line;
};

/// Stimuli come before timers of the same time.
template <class Trace>
void run_trace(replay_job& job, const dcqcn_scenario& scenario, const std::vector<stimulus>& stimuli) {
    Trace trace(job.output("out"), scenario);
    for (const stimulus& each : stimuli) {
        if (each.at > scenario.until) {
            break;
        }
        while (trace.next() < each.at) {
            trace.step();
        }
        trace.take(each);
    }
    while (trace.next() <= scenario.until) {
        trace.step();
    }
}

void run_dcqcn(replay_job& job) {
    const std::optional<dcqcn_scenario> scenario = read_scenario(job);
    const std::vector<stimulus> stimuli = read_stimuli(job);
    if (!scenario || !job.errors().empty()) {
        return;
    }
    if (job.text("variant") == "paper") {
        run_trace<paper_trace>(job, *scenario, stimuli);
    } else {
        run_trace<mellanox_trace>(job, *scenario, stimuli);
    }
}

}  // namespace

replay_block dcqcn_replay() {
    replay_option scenario;
    scenario.name = "scenario";
    scenario.kind = replay_option_kind::text;
    scenario.doc = "Which line of the file of scenarios. Default: its only one.";
    scenario.required = false;
    return {
        "dcqcn",
        "DCQCN's reaction point: from CNPs to a queue pair's rate",
        "Runs one queue pair from time 0 to until_ns, and writes a line per event. A scenario's line "
        "gives\nevery parameter of the rule. CNPs and expiries of the byte counter come before timers of the "
        "same\ntime; those after until_ns have no effect.\n",
        {input_option(
             "scenarios",
             "Columns scenario, until_ns, line_bps, min_bps, g, rate_on_first_cnp, clamp, rp_timer_us, "
             "decrease_us, th, alpha_us, ai_bps, hai_bps."),
         scenario,
         input_option("stimuli",
                      "Columns t_ns, event (CNP or BYTE, an expiry of the byte counter). Without the column "
                      "event all are CNPs."),
         output_option("out",
                       "paper: t_ns, cause, rc_bps, rt_bps, alpha, timer_stage, byte_stage. hpcc: t_ns, cause, "
                       "rate_bps, target_bps, alpha, stage, lines of events that change one of them. Both "
                       "without those of the alpha timer if alpha_us is below 10."),
         word_option("variant", {"paper", "hpcc"},
                     "The paper's rules, in real numbers, or those of Mellanox's adapters as HPCC's simulator "
                     "has them, in whole bit/s; these have no byte counter, and ignore BYTE.")},
        run_dcqcn};
}

}  // namespace weir::tb
