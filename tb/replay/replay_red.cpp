#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <string>

#include "tb/replay/named_scenario.h"
#include "tb/replay/ns3_red_queue.h"
#include "tb/replay/replay_blocks.h"
#include "weir/model/marking/step_marker.h"

namespace weir::tb {

namespace {

using namespace model;

/// One queue. Lengths in its unit.
struct step_scenario : red_scenario {
    std::string name;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = step_scenario;
        constexpr double most = std::uint64_t{1} << 40;
        columns(column("scenario", &self::name));
        columns(column("unit", &self::in_bytes, "bytes or packets").words("B", "p"));
        columns(column("limit", &self::limit).range(0, std::uint64_t{1} << 40));
        columns(column("min_th", &self::min, "lower threshold; of a step K").range(0.0, most));
        columns(column("max_th", &self::max, "upper threshold; of a step K").range(0.0, most));
        columns(column("q_weight", &self::weight, "weight of the newest length; of a step 1"));
        columns(column("gentle", &self::gentle, "1: the gentle slope; of a step 0").words("1", "0"));
    }
};

struct average_scenario : step_scenario {
    double inverse_chance = 1;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = average_scenario;
        constexpr auto open = range_ends::low_excluded;
        step_scenario::describe(columns);
        columns(column("1/max_p", &self::inverse_chance, "inverse of the largest chance").range(1.0, 1e9));
        columns(column("wait", &self::wait, "1: marks keep a distance").words("1", "0"));
        columns(column("mean_packet_bytes", &self::mean_frame).range(0.0, 65'535.0, open));
        columns(column("link_bps", &self::link_bps).range(0.0, 1e15, open));
        columns(
            column("use_ecn", &self::use_ecn, "1: ECN-capable frames are marked, not dropped").words("1", "0"));
        columns(
            column("use_hard_drop", &self::use_hard_drop, "1: above max_th they are dropped").words("1", "0"));
    }
};

void check_step(csv_file& file, const step_scenario& read) {
    if (read.max != read.min || read.min != std::floor(read.min) || read.weight != 1 || read.gentle) {
        file.refuse_text(
            "max_th",
            "makes no step on the length that a frame finds; expected max_th = min_th, q_weight = 1, "
            "gentle = 0");
    }
}

void check_average(csv_file& file, const average_scenario& read) {
    if (read.max < read.min) {
        file.refuse_text("max_th", "is out of range; expected at least min_th");
    }
    if (read.weight <= 0 || read.weight > 1) {
        file.refuse_text("q_weight", "is out of range; expected above 0, at most 1");
    }
}

constexpr std::tuple step_stimulus_columns(
    cell<std::string>("i"),
    cell<bool>("event", "a frame arrives, or the first one leaves if there is one").words("ENQ", "DEQ"),
    cell<std::uint16_t>("size", "length of the frame that arrives. Unit: bytes"),
    cell<bool>("ect", "1: the frame is ECN-capable").words("1", "0"));
using step_stimulus = row_of<step_stimulus_columns>;
constexpr auto average_stimulus_columns =
    with_more(step_stimulus_columns, cell<picoseconds>("t_ns"), cell<double>("u", "the draw"));
using average_stimulus = row_of<average_stimulus_columns>;

constexpr std::tuple queue_columns(cell<std::string>("i"), cell<bool>("event").words("ENQ", "DEQ"),
                                   cell<std::uint64_t>("q_before"), cell<std::uint64_t>("q_after"));
using mark = std::optional<bool>;
constexpr auto step_row_columns = with_more(
    queue_columns, cell<mark>("q_ge_k", "whether `marking.rule` at_least marks the arrival").words("1", "0"),
    cell<mark>("q_gt_k", "the same of above").words("1", "0"),
    cell<mark>("q_incl_gt_k", "the same of above_with_frame").words("1", "0"));
using step_row = row_of<step_row_columns>;
using real = std::optional<double>;
constexpr auto average_row_columns = with_more(queue_columns, cell<real>("avg", "average with the arrival"),
                                               cell<real>("pb", "chance by the average, if chance decides"),
                                               cell<real>("pa", "chance corrected by the count"),
                                               cell<std::string>("count_after", "arrivals since the last mark"),
                                               cell<const char*>("act", "pass, early or forced"));
using average_row = row_of<average_row_columns>;

/// False, and an error, for an arrival without a length.
bool has_length(csv_file& file, bool arrives) {
    return !arrives || file.number("size", 1, 65'535);
}

class step_queue {
 public:
    explicit step_queue(const step_scenario& scenario) : m_scenario(scenario) {}

    std::uint64_t length() const { return m_scenario.in_bytes ? m_bytes : m_sizes.size(); }
    std::array<mark, 3> arrive(std::uint16_t size, bool ect) {
        ethernet_frame frame;
        frame.frame_bytes = size;
        const queue_sight sight{0_ps,  0,       0, frame, m_bytes, static_cast<std::uint32_t>(m_sizes.size()),
                                never, m_chance};
        std::array<mark, 3> marks{};
        for (std::size_t rule = 0; rule < marks.size(); ++rule) {
            marks[rule] = m_rules[rule].decide(sight) == marking::mark;
        }
        // RFC 3168 5: what may not be marked is dropped instead.
        const std::uint64_t more = m_scenario.in_bytes ? size : 1;
        if (length() + more <= m_scenario.limit && (ect || !*marks[0])) {
            m_sizes.push_back(size);
            m_bytes += size;
        }
        return marks;
    }
    void depart() {
        if (!m_sizes.empty()) {
            m_bytes -= m_sizes.front();
            m_sizes.pop_front();
        }
    }

 private:
    step_marker marker_with(step_rule rule) const {
        return {{static_cast<std::uint64_t>(m_scenario.min)},
                1,
                m_scenario.in_bytes ? step_marker::unit::bytes : step_marker::unit::frames,
                rule};
    }

    step_scenario m_scenario;
    // In the order of the columns.
    std::array<step_marker, 3> m_rules{marker_with(step_rule::at_least), marker_with(step_rule::above),
                                       marker_with(step_rule::above_with_frame)};
    random_stream m_chance{1, 0, random_purpose::marking};
    std::deque<std::uint16_t> m_sizes;
    std::uint64_t m_bytes = 0;
};

void run_step(replay_job& job) {
    const auto scenario = read_scenario<step_scenario>(job, check_step);
    auto file = job.read<step_stimulus>("stimuli");
    if (!scenario) {
        return;
    }
    step_queue queue(*scenario);
    auto out = job.table<step_row>("out");
    while (const step_stimulus* const row = file.next()) {
        const auto& [i, arrives, size, ect] = row->cells;
        if (!has_length(file, arrives)) {
            continue;
        }
        const std::uint64_t before = queue.length();
        std::array<mark, 3> marks{};
        if (arrives) {
            marks = queue.arrive(size, ect);
        } else {
            queue.depart();
        }
        out.write({i, arrives, before, queue.length(), marks[0], marks[1], marks[2]});
    }
}

void run_average(replay_job& job) {
    auto scenario = read_scenario<average_scenario>(job, check_average);
    auto file = job.read<average_stimulus>("stimuli");
    if (!scenario) {
        return;
    }
    scenario->p_max = 1 / scenario->inverse_chance;
    ns3_red_queue queue(*scenario);
    const red_rule rule(*scenario);
    red_state state;
    auto out = job.table<average_row>("out");
    while (const average_stimulus* const row = file.next()) {
        const auto& [i, arrives, size, ect, now, draw] = row->cells;
        const std::uint64_t before = queue.length();
        if (!has_length(file, arrives)) {
            continue;
        }
        if (!arrives) {
            queue.depart(now);
            out.write({i, arrives, before, queue.length(), real{}, real{}, real{}, "", ""});
            continue;
        }
        double idle_frames = 0;
        if (const std::optional<picoseconds> empty = queue.empty_since()) {
            const double mean_frame_s = 8 * scenario->mean_frame / scenario->link_bps;
            idle_frames = static_cast<double>((now - *empty).count()) * 1e-12 / mean_frame_s;
        }
        rule.arrive(state, static_cast<double>(before), idle_frames);
        real by_average;
        real corrected;
        if (rule.is_early(state)) {
            const red_rule::chance chance = rule.chance_of(state, size);
            by_average = chance.by_average;
            corrected = chance.corrected;
        }
        static constexpr const char* answers[] = {"pass", "early", "forced"};
        const red_answer answer = rule.decide(state, size, draw);
        queue.arrive(size, ect, draw, now);
        out.write({i, arrives, before, queue.length(), state.average, by_average, corrected,
                   std::to_string(state.count), answers[static_cast<std::size_t>(answer)]});
    }
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
        {input_option("scenarios", "Parameters of the rule, a line per scenario.")
             .table<step_scenario>("--text dctcp")
             .table<average_scenario>("--text paper"),
         scenario_option(),
         input_option("stimuli", "Arrivals and departures.")
             .table<step_stimulus>("--text dctcp")
             .table<average_stimulus>("--text paper"),
         word_option("text", {"dctcp", "paper"},
                     "dctcp: DCTCP's step, read in the three ways of `marking.rule`. paper: RED as Floyd and "
                     "Jacobson have it, with the queue lengths that ns-3's decisions make."),
         output_option("out", "A line per event; the last columns of arrivals only.")
             .table<step_row>("--text dctcp")
             .table<average_row>("--text paper")},
        run_red};
}

}  // namespace weir::tb
