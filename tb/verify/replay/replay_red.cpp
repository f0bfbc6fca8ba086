#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <string>

#include "tb/verify/replay/named_scenario.h"
#include "tb/verify/replay/replay_blocks.h"
#include "weir/model/marking/red_rule.h"
#include "weir/model/marking/step_marker.h"

namespace weir::tb {

namespace {

using namespace model;

/// One queue. Lengths in its unit.
struct step_scenario : red_parameters {
    std::string name;
    /// Unit: as of the thresholds.
    std::uint64_t limit = 0;

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
    double link_bps = 0;
    bool use_ecn = false;
    bool use_hard_drop = false;

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

void check_step(record_reader<step_scenario>& file, const step_scenario& read) {
    if (!file.is_good("min_th", "max_th", "q_weight", "gentle")) {
        return;
    }
    if (read.max != read.min || read.min != std::floor(read.min) || read.weight != 1 || read.gentle) {
        file.refuse_text(
            "max_th",
            "makes no step on the length that a frame finds; expected max_th = min_th, q_weight = 1, "
            "gentle = 0");
    }
}

void check_average(record_reader<average_scenario>& file, const average_scenario& read) {
    if (file.is_good("min_th", "max_th") && read.max < read.min) {
        file.refuse_text("max_th", "is out of range; expected at least min_th");
    }
    if (file.is_good("q_weight") && (read.weight <= 0 || read.weight > 1)) {
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

/// The next line without mistakes; an arrival has a length.
template <class Stimulus>
const Stimulus* next_stimulus(record_reader<Stimulus>& file) {
    while (const Stimulus* const row = file.next_line()) {
        if (file.is_good("event") && std::get<1>(row->cells)) {
            file.number("size", 1, 65'535);
        }
        if (file.is_good()) {
            return row;
        }
    }
    return nullptr;
}

/// Frames in the order of their arrival, up to the scenario's limit.
class frame_fifo {
 public:
    explicit frame_fifo(const step_scenario& scenario) : m_scenario(scenario) {}

    /// In the scenario's unit.
    std::uint64_t length() const { return m_scenario.in_bytes ? m_bytes : m_sizes.size(); }

 protected:
    /// False, and the frame is lost, if there is no room.
    bool push(std::uint32_t frame_bytes) {
        if (length() + (m_scenario.in_bytes ? frame_bytes : 1) > m_scenario.limit) {
            return false;
        }
        m_sizes.push_back(frame_bytes);
        m_bytes += frame_bytes;
        return true;
    }
    /// False if there is no frame.
    bool pop() {
        if (m_sizes.empty()) {
            return false;
        }
        m_bytes -= m_sizes.front();
        m_sizes.pop_front();
        return true;
    }

    const step_scenario& m_scenario;
    std::deque<std::uint32_t> m_sizes;
    std::uint64_t m_bytes = 0;
};

class step_queue : public frame_fifo {
 public:
    using frame_fifo::frame_fifo;

    std::array<mark, 3> arrive(std::uint16_t size, bool ect) {
        ethernet_frame frame;
        frame.frame_bytes = size;
        const queue_sight sight{0_ps,  0,       0, frame, m_bytes, static_cast<std::uint32_t>(m_sizes.size()),
                                never, m_chance};
        std::array<mark, 3> marks{};
        for (std::size_t rule = 0; rule < marks.size(); ++rule) {
            marks[rule] = m_rules[rule].decide(sight) == frame_action::mark;
        }
        // RFC 3168 5: what may not be marked is dropped instead.
        if (ect || !*marks[0]) {
            push(size);
        }
        return marks;
    }
    void depart() { pop(); }

 private:
    step_marker marker_with(step_rule rule) const {
        return {{static_cast<std::uint64_t>(m_scenario.min)},
                1,
                m_scenario.in_bytes ? step_marker::unit::bytes : step_marker::unit::frames,
                rule};
    }

    // In the order of the columns.
    std::array<step_marker, 3> m_rules{marker_with(step_rule::at_least), marker_with(step_rule::above),
                                       marker_with(step_rule::above_with_frame)};
    random_stream m_chance{1, 0, random_purpose::marking};
};

/// The queue behind the `red` sets of transport goldens: a RedQueueDisc of ns-3 3.37, whose decisions say how
/// long the queue is that each arrival finds. What a replay compares is computed from these lengths; nothing
/// else of ns-3 comes out. Its rule differs from the papers' in how it counts idle time, arrivals and bytes.
class ns3_red_queue : public frame_fifo {
 public:
    explicit ns3_red_queue(const average_scenario& scenario) : frame_fifo(scenario), m_red(scenario) {}

    /// When the last frame was taken that left nothing behind; nothing while there is a frame.
    std::optional<picoseconds> empty_since() const { return m_empty_since; }
    /// `draw`: what ns-3's uniform variable returned, or would have.
    void arrive(std::uint32_t frame_bytes, bool ecn_capable, double draw, picoseconds now) {
        const drop answer = decide(frame_bytes, draw, now);
        const bool marks = m_red.use_ecn && ecn_capable;
        const bool is_dropped =
            answer == drop::early ? !marks : answer == drop::forced && (m_red.use_hard_drop || !marks);
        if (!is_dropped && push(frame_bytes)) {
            m_empty_since.reset();
        }
    }
    void depart(picoseconds now) {
        if (!pop()) {
            m_idle_since = now;
            return;
        }
        m_idle_since.reset();
        if (m_sizes.empty()) {
            m_empty_since = now;
        }
    }

 private:
    enum class drop : std::uint8_t { none, early, forced };

    drop decide(std::uint32_t frame_bytes, double draw, picoseconds now) {
        const red_parameters& red = m_red;
        double idle_frames = 0;
        if (m_idle_since) {
            const double idle_s = static_cast<double>((now - *m_idle_since).count()) * 1e-12;
            idle_frames = std::floor(idle_s * m_red.link_bps / (8 * red.mean_frame));
            m_idle_since.reset();
        }
        const auto found = static_cast<double>(length());
        m_average = m_average * std::pow(1 - red.weight, idle_frames + 1) + red.weight * found;
        ++m_count;
        m_count_bytes += frame_bytes;
        if (m_average < red.min || found <= 1) {
            m_was_above = false;
            return drop::none;
        }
        if (m_average >= (red.gentle ? 2 : 1) * red.max) {
            return drop::forced;
        }
        if (!m_was_above) {
            m_was_above = true;
            m_count = 1;
            m_count_bytes = frame_bytes;
            return drop::none;
        }
        if (draw > probability(frame_bytes)) {
            return drop::none;
        }
        m_count = m_count_bytes = 0;
        return drop::early;
    }

    double probability(std::uint32_t frame_bytes) const {
        const red_parameters& red = m_red;
        double p = red.gentle && m_average >= red.max
                       ? (1 - red.p_max) / red.max * m_average + 2 * red.p_max - 1
                       : red.p_max * (m_average - red.min) / (red.max - red.min);
        p = std::min(p, 1.0);
        const double count = red.in_bytes ? std::floor(static_cast<double>(m_count_bytes) / red.mean_frame)
                                          : static_cast<double>(m_count);
        const double expected = count * p;
        if (red.wait) {
            p = expected < 1 ? 0 : expected < 2 ? p / (2 - expected) : 1;
        } else {
            p = expected < 1 ? p / (1 - expected) : 1;
        }
        if (red.in_bytes && p < 1) {
            p *= frame_bytes / red.mean_frame;
        }
        return std::min(p, 1.0);
    }

    const average_scenario& m_red;
    std::optional<picoseconds> m_empty_since = 0_ps;
    // Of ns-3: since when it knows that the queue is empty.
    std::optional<picoseconds> m_idle_since = 0_ps;
    double m_average = 0;
    std::uint64_t m_count = 0;
    std::uint64_t m_count_bytes = 0;
    bool m_was_above = false;
};

void run_step(replay_job& job) {
    const auto scenario = read_scenario<step_scenario>(job, check_step);
    auto file = job.read<step_stimulus>("stimuli");
    if (!scenario) {
        return;
    }
    step_queue queue(*scenario);
    auto out = job.table<step_row>("out");
    while (const step_stimulus* const row = next_stimulus(file)) {
        const auto& [i, arrives, size, ect] = row->cells;
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
    while (const average_stimulus* const row = next_stimulus(file)) {
        const auto& [i, arrives, size, ect, now, draw] = row->cells;
        const std::uint64_t before = queue.length();
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
