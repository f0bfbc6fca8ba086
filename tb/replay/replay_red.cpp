#include "tb/replay/replay_red.h"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/replay/named_scenario.h"
#include "tb/replay/ns3_red_queue.h"
#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"
#include "weir/model/marking/step_marker.h"

namespace weir::tb {

namespace {

using namespace model;

constexpr std::uint64_t most_length = std::uint64_t{1} << 40;

/// One queue, and what the scenario says of it. Lengths in its unit.
struct queue_scenario {
    step_marker::unit unit = step_marker::unit::bytes;
    std::uint64_t limit = 0;
    std::uint64_t k = 0;
};

bool read_step(csv_file& file, const std::vector<std::size_t>& columns, queue_scenario& scenario) {
    std::size_t unit = 0;
    std::uint64_t max_threshold = 0;
    double weight = 0;
    std::uint64_t gentle = 0;
    bool good = file.word(columns[0], unit, {"B", "p"});
    good = file.number(columns[1], scenario.limit, 0, most_length) && good;
    good = file.number(columns[2], scenario.k, 0, most_length) && good;
    good = file.number(columns[3], max_threshold, 0, most_length) && good;
    good = file.number(columns[4], weight) && good;
    good = file.number(columns[5], gentle, 0, 1) && good;
    scenario.unit = unit == 0 ? step_marker::unit::bytes : step_marker::unit::frames;
    if (good && (max_threshold != scenario.k || weight != 1 || gentle != 0)) {
        file.refuse(columns[3],
                    "'" + file.text(columns[3]) +
                        "' makes no step on the length that a frame finds; expected max_th = min_th, "
                        "q_weight = 1, gentle = 0");
        return false;
    }
    return good;
}

class step_replayer {
 public:
    step_replayer(csv_file& file, const queue_scenario& scenario)
        : m_file(file), m_columns(file.columns({"event", "size", "ect"})), m_scenario(scenario) {}

    /// The current line's event; false, and errors, where it does not hold.
    bool next(csv_line& line) {
        std::size_t event = 0;
        std::uint64_t ect = 0;
        std::uint64_t size = 0;
        const std::vector<std::string> names{"ENQ", "DEQ"};
        bool good = m_file.word(m_columns[0], event, names);
        good = m_file.number(m_columns[1], size, event == 0 ? 1 : 0, 65'535) && good;
        if (!m_file.number(m_columns[2], ect, 0, 1) || !good) {
            return false;
        }
        line.add_name(names[event]).add(length());
        event == 0 ? arrive(static_cast<std::uint16_t>(size), ect != 0, line) : depart(line);
        return true;
    }

 private:
    std::uint64_t length() const {
        return m_scenario.unit == step_marker::unit::bytes ? m_bytes : m_sizes.size();
    }

    void arrive(std::uint16_t size, bool ect, csv_line& line) {
        ethernet_frame frame;
        frame.frame_bytes = size;
        const queue_sight sight{0_ps,  0,       0, frame, m_bytes, static_cast<std::uint32_t>(m_sizes.size()),
                                never, m_chance};
        std::array<bool, 3> marks{};
        for (std::size_t rule = 0; rule < marks.size(); ++rule) {
            marks[rule] = m_rules[rule].decide(sight) == marking::mark;
        }
        // RFC 3168 5: what may not be marked is dropped instead.
        const std::uint64_t more = m_scenario.unit == step_marker::unit::bytes ? size : 1;
        if (length() + more <= m_scenario.limit && (ect || !marks[0])) {
            m_sizes.push_back(size);
            m_bytes += size;
        }
        line.add(length());
        for (const bool mark : marks) {
            line.add(mark ? 1 : 0);
        }
    }

    void depart(csv_line& line) {
        if (!m_sizes.empty()) {
            m_bytes -= m_sizes.front();
            m_sizes.pop_front();
        }
        line.add(length()).add_nothing(3);
    }

    step_marker marker_with(step_rule rule) const { return {{m_scenario.k}, 1, m_scenario.unit, rule}; }

    csv_file& m_file;
    std::vector<std::size_t> m_columns;
    queue_scenario m_scenario;
    // In the order of the columns.
    std::array<step_marker, 3> m_rules{marker_with(step_rule::at_least), marker_with(step_rule::above),
                                       marker_with(step_rule::above_with_frame)};
    random_stream m_chance{1, 0, random_purpose::marking};
    std::deque<std::uint16_t> m_sizes;
    std::uint64_t m_bytes = 0;
};

bool read_average(csv_file& file, const std::vector<std::size_t>& columns, red_scenario& scenario) {
    std::size_t unit = 0;
    double inverse = 0;
    std::uint64_t gentle = 0;
    std::uint64_t wait = 0;
    std::uint64_t use_ecn = 0;
    std::uint64_t use_hard_drop = 0;
    red_parameters& red = scenario.red;
    bool good = file.word(columns[0], unit, {"B", "p"});
    good = file.number(columns[1], scenario.limit, 0, most_length) && good;
    good = file.number(columns[2], red.min) && good;
    good = file.number(columns[3], red.max) && good;
    good = file.number(columns[4], red.weight) && good;
    good = file.number(columns[5], gentle, 0, 1) && good;
    good = file.number(columns[6], inverse) && good;
    good = file.number(columns[7], wait, 0, 1) && good;
    good = file.number(columns[8], red.mean_frame) && good;
    good = file.number(columns[9], scenario.link_bps) && good;
    good = file.number(columns[10], use_ecn, 0, 1) && good;
    good = file.number(columns[11], use_hard_drop, 0, 1) && good;
    const auto in_range = [&](std::size_t column, bool fits, const char* range) {
        if (good && !fits) {
            file.refuse(column, "'" + file.text(column) + "' is out of range; expected " + range);
            good = false;
        }
    };
    in_range(columns[3], red.max >= red.min, "at least min_th");
    in_range(columns[4], red.weight > 0 && red.weight <= 1, "above 0, at most 1");
    in_range(columns[6], inverse >= 1, "at least 1");
    in_range(columns[8], red.mean_frame > 0, "above 0");
    in_range(columns[9], scenario.link_bps > 0, "above 0");
    red.in_bytes = unit == 0;
    red.gentle = gentle != 0;
    red.wait = wait != 0;
    red.p_max = good ? 1 / inverse : 0;
    scenario.use_ecn = use_ecn != 0;
    scenario.use_hard_drop = use_hard_drop != 0;
    return good;
}

class average_replayer {
 public:
    average_replayer(csv_file& file, const red_scenario& scenario)
        : m_file(file),
          m_columns(file.columns({"event", "size", "ect", "t_ns", "u"})),
          m_mean_frame_time(8 * scenario.red.mean_frame / scenario.link_bps),
          m_queue(scenario),
          m_rule(scenario.red) {}

    /// The current line's event; false, and errors, where it does not hold.
    bool next(csv_line& line) {
        std::size_t event = 0;
        std::uint64_t size = 0;
        std::uint64_t ect = 0;
        std::uint64_t time_ns = 0;
        double draw = 0;
        const std::vector<std::string> names{"ENQ", "DEQ"};
        bool good = m_file.word(m_columns[0], event, names);
        good = m_file.number(m_columns[1], size, event == 0 ? 1 : 0, 65'535) && good;
        good = m_file.number(m_columns[2], ect, 0, 1) && good;
        good = m_file.number(m_columns[3], time_ns, 0, latest_time.count() / 1000) && good;
        good = m_file.number(m_columns[4], draw) && good;
        if (!good) {
            return false;
        }
        const picoseconds now{static_cast<std::int64_t>(time_ns * 1000)};
        const std::uint64_t before = m_queue.length();
        line.add_name(names[event]).add(before);
        if (event == 0) {
            const auto frame_bytes = static_cast<std::uint32_t>(size);
            const red_answer answer = arrive(frame_bytes, draw, now);
            m_queue.arrive(frame_bytes, ect != 0, draw, now);
            add_answer(line.add(m_queue.length()), answer);
        } else {
            m_queue.depart(now);
            line.add(m_queue.length()).add_nothing(5);
        }
        return true;
    }

 private:
    red_answer arrive(std::uint32_t frame_bytes, double draw, picoseconds now) {
        double idle_frames = 0;
        if (const std::optional<picoseconds> empty = m_queue.empty_since()) {
            idle_frames = static_cast<double>((now - *empty).count()) * 1e-12 / m_mean_frame_time;
        }
        m_rule.arrive(m_state, static_cast<double>(m_queue.length()), idle_frames);
        m_chance.reset();
        if (m_rule.is_early(m_state)) {
            m_chance = m_rule.chance_of(m_state, frame_bytes);
        }
        return m_rule.decide(m_state, frame_bytes, draw);
    }
    void add_answer(csv_line& line, red_answer answer) {
        line.add_real(m_state.average);
        if (m_chance) {
            line.add_real(m_chance->by_average).add_real(m_chance->corrected);
        } else {
            line.add_nothing(2);
        }
        line.add_name(std::to_string(m_state.count));
        line.add_name(answer == red_answer::pass ? "pass" : answer == red_answer::early ? "early" : "forced");
    }

    csv_file& m_file;
    std::vector<std::size_t> m_columns;
    /// Unit: s.
    double m_mean_frame_time;
    ns3_red_queue m_queue;
    red_rule m_rule;
    red_state m_state;
    std::optional<red_rule::chance> m_chance;
};

/// Every line that holds, after its number.
template <class Replayer>
void replay_each(csv_file& file, std::size_t number, Replayer& replayer, std::string& out) {
    csv_line line;
    while (file.next()) {
        line.add_name(file.text(number));
        const bool good = replayer.next(line);
        const std::string_view text = line.end();
        if (good) {
            out += text;
        }
    }
}

void run_average(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> columns =
        scenarios.columns({"unit", "limit", "min_th", "max_th", "q_weight", "gentle", "1/max_p", "wait",
                           "mean_packet_bytes", "link_bps", "use_ecn", "use_hard_drop"});
    csv_file file(job.text("stimuli"), job.errors());
    const std::size_t number = file.column("i");
    red_scenario scenario;
    if (!go_to_scenario(scenarios, job) || !read_average(scenarios, columns, scenario)) {
        return;
    }
    average_replayer replayer(file, scenario);
    std::string& out = job.output("out");
    out = "i,event,q_before,q_after,avg,pb,pa,count_after,act\n";
    replay_each(file, number, replayer, out);
}

void run_step(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> columns =
        scenarios.columns({"unit", "limit", "min_th", "max_th", "q_weight", "gentle"});
    csv_file file(job.text("stimuli"), job.errors());
    const std::size_t number = file.column("i");
    queue_scenario scenario;
    if (!go_to_scenario(scenarios, job) || !read_step(scenarios, columns, scenario)) {
        return;
    }
    step_replayer replayer(file, scenario);
    std::string& out = job.output("out");
    out = "i,event,q_before,q_after,q_ge_k,q_gt_k,q_incl_gt_k\n";
    replay_each(file, number, replayer, out);
}

void run_red(replay_job& job) {
    job.text("text") == "paper" ? run_average(job) : run_step(job);
}

}  // namespace

replay_block red_replay() {
    return {
        "red",
        "marking of an egress queue: which arrivals a step at K, or RED, marks",
        "One queue, first in, first out. A frame that would exceed the limit is lost, and one that is to be\n"
        "marked and is not ECN-capable: with dctcp as `at_least` (`marking.rule`) says, with paper as ns-3\n"
        "says. Scenarios of dctcp are steps: max_th = min_th = K, q_weight = 1, gentle = 0.\n",
        {input_option(
             "scenarios",
             "Columns scenario, unit (p: frames, B: bytes), limit, min_th, max_th, q_weight, gentle; with "
             "paper also 1/max_p, wait, mean_packet_bytes, link_bps, use_ecn, use_hard_drop."),
         scenario_option(),
         input_option("stimuli",
                      "Columns i, event (ENQ, DEQ), size (B), ect; with paper also t_ns and u, the draw."),
         word_option("text", {"dctcp", "paper"},
                     "dctcp: DCTCP's step, read in the three ways of `marking.rule`. paper: RED as Floyd and "
                     "Jacobson have it, with the queue lengths that ns-3's decisions make."),
         output_option("out",
                       "i, event, q_before, q_after (in the unit), and of arrivals q_ge_k, q_gt_k, "
                       "q_incl_gt_k: marked with at_least, above, above_with_frame; with paper avg, pb and pa "
                       "(where chance decides), count_after, act.")},
        run_red};
}

}  // namespace weir::tb
