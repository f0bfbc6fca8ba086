#include "tb/replay/replay_red.h"

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "tb/replay/named_scenario.h"
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

bool read_scenario(csv_file& file, const std::vector<std::size_t>& columns, queue_scenario& scenario) {
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

class red_replayer {
 public:
    red_replayer(csv_file& file, const queue_scenario& scenario)
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

void run_red(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> columns =
        scenarios.columns({"unit", "limit", "min_th", "max_th", "q_weight", "gentle"});
    csv_file file(job.text("stimuli"), job.errors());
    const std::size_t number = file.column("i");
    queue_scenario scenario;
    if (!go_to_scenario(scenarios, job) || !read_scenario(scenarios, columns, scenario)) {
        return;
    }
    red_replayer replayer(file, scenario);
    std::string& out = job.output("out");
    out = "i,event,q_before,q_after,q_ge_k,q_gt_k,q_incl_gt_k\n";
    csv_line line;
    while (file.next()) {
        line.add_name(file.text(number));
        if (replayer.next(line)) {
            out += line.end();
        } else {
            (void)line.end();
        }
    }
}

}  // namespace

replay_block red_replay() {
    return {
        "red",
        "marking of an egress queue: which arrivals a step at K marks",
        "One queue, first in, first out. A frame that would exceed the limit is lost, and one that `at_least`\n"
        "(`marking.rule`) marks and that is not ECN-capable. Scenarios are steps: max_th = min_th = K,\n"
        "q_weight = 1, gentle = 0.\n",
        {input_option("scenarios",
                      "Columns scenario, unit (p: frames, B: bytes), limit, min_th, max_th, q_weight, gentle."),
         scenario_option(), input_option("stimuli", "Columns i, event (ENQ, DEQ), size (B), ect."),
         word_option("text", {"dctcp"}, "DCTCP's step, read in the three ways of `marking.rule`."),
         output_option("out",
                       "i, event, q_before, q_after (in the unit), and of arrivals q_ge_k, q_gt_k, "
                       "q_incl_gt_k: marked with at_least, above, above_with_frame.")},
        run_red};
}

}  // namespace weir::tb
