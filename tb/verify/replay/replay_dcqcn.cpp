#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "tb/verify/replay/named_scenario.h"
#include "tb/verify/replay/replay_blocks.h"
#include "weir/traffic/roce/dcqcn.h"
#include "weir/traffic/roce/dcqcn_mellanox.h"

namespace weir::tb {

namespace {

constexpr std::uint64_t most_ns = 4'000'000'000'000;

/// Of the shortest timer in one replay.
constexpr std::int64_t most_steps = 1'000'000;

struct dcqcn_scenario : dcqcn_config {
    std::string name;
    picoseconds until{0};
    bit_rate line{0};

    /// With a shorter timer the golden files leave out what changes alpha alone.
    bool shows_alpha() const { return alpha_timer >= 10us; }

    template <class Columns>
    static void describe(Columns& columns) {
        using self = dcqcn_scenario;
        constexpr std::uint64_t most_us = most_ns / 1000;
        constexpr std::uint64_t most_bps = 1'000'000'000'000'000;
        constexpr auto open = range_ends::low_excluded;
        columns(column("scenario", &self::name));
        columns(column("until_ns", &self::until).range(0, most_ns));
        columns(column("line_bps", &self::line).range(1, most_bps));
        columns(column("min_bps", &self::min_rate).range(1, most_bps));
        columns(column("g", &self::gain, "weight of the newest interval in alpha").range(0.0, 1.0, open));
        columns(
            column("rate_on_first_cnp", &self::first_rate, "share of the rate that the first CNP leaves (hpcc)")
                .range(0.0, 1.0, open));
        columns(
            column("clamp", &self::clamp_target, "1: each cut sets the target rate (hpcc)").words("1", "0"));
        columns(column("rp_timer_us", &self::increase_timer).range(1, most_us));
        columns(column("decrease_us", &self::decrease_interval, "time between cuts (hpcc)").range(1, most_us));
        columns(column("th", &self::fast_recovery).range(0, 1'000'000));
        columns(column("alpha_us", &self::alpha_timer).range(1, most_us));
        columns(column("ai_bps", &self::additive_increase).range(1, most_bps));
        columns(column("hai_bps", &self::hyper_increase).range(1, most_bps));
    }
};

struct dcqcn_stimulus {
    picoseconds at{0};
    bool is_cnp = true;

    template <class Columns>
    static void describe(Columns& columns) {
        columns(column("t_ns", &dcqcn_stimulus::at).range(0, most_ns));
        columns(
            column("event", &dcqcn_stimulus::is_cnp, "a CNP, or an expiry of the byte counter. Default: CNP")
                .words("CNP", "BYTE")
                .may_be_missing());
    }
};

/// Each step may be a line of the output, so a small file could ask for any number of them.
void check_steps(record_reader<dcqcn_scenario>& file, const dcqcn_scenario& read) {
    if (!file.is_good("until_ns", "rp_timer_us", "decrease_us", "alpha_us")) {
        return;
    }
    const picoseconds timer = std::min({read.increase_timer, read.decrease_interval, read.alpha_timer});
    if (const std::int64_t steps = read.until / timer; steps > most_steps) {
        file.refuse_text("until_ns", "has " + std::to_string(steps) +
                                         " periods of the shortest timer; expected at most " +
                                         std::to_string(most_steps));
    }
}

/// In the order of time; of one time, in that of the file.
std::vector<dcqcn_stimulus> read_dcqcn_stimuli(replay_job& job) {
    auto file = job.read<dcqcn_stimulus>("stimuli");
    std::vector<dcqcn_stimulus> stimuli;
    while (const dcqcn_stimulus* const read = file.next()) {
        stimuli.push_back(*read);
    }
    std::stable_sort(stimuli.begin(), stimuli.end(),
                     [](const dcqcn_stimulus& a, const dcqcn_stimulus& b) { return a.at < b.at; });
    return stimuli;
}

/// As C's `%.17g`, which reads back as the same number.
std::string exact_text(double value) {
    char text[64];
    const auto [end, code] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17);
    return code == std::errc{} ? std::string(text, end) : std::string{"?"};
}

constexpr std::tuple paper_columns(cell<picoseconds>("t_ns"),
                                   cell<std::string>("cause",
                                                     "START, CNP, ALPHA, or TIMER_ or BYTE_ with the phase"),
                                   cell<double>("rc_bps").decimals(6), cell<double>("rt_bps").decimals(6),
                                   cell<std::string>("alpha"), cell<unsigned>("timer_stage"),
                                   cell<unsigned>("byte_stage"));
using paper_row = row_of<paper_columns>;

constexpr std::tuple mellanox_columns(cell<picoseconds>("t_ns"),
                                      cell<std::string>("cause", "START, CNP, ALPHA, DECREASE, or the phase"),
                                      cell<bit_rate>("rate_bps"), cell<bit_rate>("target_bps"),
                                      cell<std::string>("alpha"), cell<unsigned>("stage"));
using mellanox_row = row_of<mellanox_columns>;

std::string phase_text(dcqcn_event event) {
    static constexpr const char* phases[] = {"ALPHA", "", "fast", "additive", "hyper"};
    return phases[static_cast<std::size_t>(event)];
}

// The paper's rule: a line for each event.
picoseconds next_step(const dcqcn_state& s) {
    return dcqcn::next_timer(s);
}
std::string step(const dcqcn& rule, dcqcn_state& s) {
    const dcqcn_event event = rule.expire(s);
    return (event == dcqcn_event::alpha ? "" : "TIMER_") + phase_text(event);
}
std::string count_bytes(const dcqcn& rule, dcqcn_state& s) {
    return "BYTE_" + phase_text(rule.on_byte_counter(s));
}
bool is_shown(const dcqcn_state&, const dcqcn_state&) {
    return true;
}
paper_row row_at(picoseconds at, const std::string& cause, const dcqcn_state& s) {
    return {at, cause, s.current, s.target, exact_text(s.alpha), s.timer_stage, s.byte_stage};
}

// The adapters' rule: a line for each event that changes something.
picoseconds next_step(const dcqcn_mellanox_state& s) {
    return dcqcn_mellanox::next_tick(s);
}
std::string step(const dcqcn_mellanox& rule, dcqcn_mellanox_state& s) {
    static constexpr const char* causes[] = {"ALPHA", "DECREASE", "FAST_RECOVERY", "ADDITIVE", "HYPER"};
    return causes[static_cast<std::size_t>(rule.tick(s))];
}
std::string count_bytes(const dcqcn_mellanox&, dcqcn_mellanox_state&) {
    return "BYTE";
}
bool is_shown(const dcqcn_mellanox_state& before, const dcqcn_mellanox_state& s) {
    return before.rate != s.rate || before.target != s.target || before.alpha != s.alpha ||
           before.stage != s.stage;
}
mellanox_row row_at(picoseconds at, const std::string& cause, const dcqcn_mellanox_state& s) {
    return {at, cause, s.rate, s.target, exact_text(s.alpha), s.stage};
}

/// Stimuli come before timers of the same time.
template <class Rule, class State>
void run_trace(replay_job& job, const dcqcn_scenario& scenario, const std::vector<dcqcn_stimulus>& stimuli) {
    const Rule rule(scenario, scenario.line);
    State s;
    rule.open(s);
    auto out = job.table<decltype(row_at({}, {}, s))>("out");
    out.write(row_at(picoseconds{0}, "START", s));
    const auto write_after = [&](picoseconds at, const auto& event) {
        const State before = s;
        const std::string cause = event();
        if (is_shown(before, s) && (cause != "ALPHA" || scenario.shows_alpha())) {
            out.write(row_at(at, cause, s));
        }
    };
    const auto expire = [&] { write_after(next_step(s), [&] { return step(rule, s); }); };
    for (const dcqcn_stimulus& each : stimuli) {
        if (each.at > scenario.until) {
            break;
        }
        while (next_step(s) < each.at) {
            expire();
        }
        write_after(each.at, [&]() -> std::string {
            return each.is_cnp ? (rule.on_notification(s, each.at), "CNP") : count_bytes(rule, s);
        });
    }
    while (next_step(s) <= scenario.until) {
        expire();
    }
}

void run_dcqcn(replay_job& job) {
    const std::optional<dcqcn_scenario> scenario = read_scenario<dcqcn_scenario>(job, check_steps);
    const std::vector<dcqcn_stimulus> stimuli = read_dcqcn_stimuli(job);
    if (!scenario || !job.errors().empty()) {
        return;
    }
    if (job.text("variant") == "paper") {
        run_trace<dcqcn, dcqcn_state>(job, *scenario, stimuli);
    } else {
        run_trace<dcqcn_mellanox, dcqcn_mellanox_state>(job, *scenario, stimuli);
    }
}

}  // namespace

replay_block dcqcn_replay() {
    return {
        "dcqcn",
        "DCQCN's reaction point: from CNPs to a queue pair's rate",
        "Runs one queue pair from time 0 to until_ns. CNPs and expiries of the byte counter come before\n"
        "timers of the same time; those after until_ns have no effect.\n",
        {input_option("scenarios", "Every parameter of the rule, a line per scenario.").table<dcqcn_scenario>(),
         scenario_option(),
         input_option("stimuli", "CNPs and expiries of the byte counter.").table<dcqcn_stimulus>(),
         output_option(
             "out",
             "A line per event; with hpcc of events that change something; without those of the alpha "
             "timer if alpha_us is below 10.")
             .table<paper_row>("--variant paper")
             .table<mellanox_row>("--variant hpcc"),
         word_option("variant", {"paper", "hpcc"},
                     "The paper's rules, in real numbers, or those of Mellanox's adapters as HPCC's simulator "
                     "has them, in whole bit/s; these have no byte counter, and ignore BYTE.")},
        run_dcqcn};
}

}  // namespace weir::tb
