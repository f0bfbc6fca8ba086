#include <algorithm>
#include <string>
#include <utility>

#include "tb/verify/replay/named_scenario.h"
#include "tb/verify/replay/replay_blocks.h"
#include "weir/model/host/qcn_reaction.h"
#include "weir/model/marking/qcn_point.h"

namespace weir::tb {

namespace {

using namespace model;

constexpr std::uint64_t most_qcn_bytes = std::uint64_t{1} << 40;

// --- congestion point ------------------------------------------------------------------------------------

struct point_scenario : qcn_config {
    std::string name;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = point_scenario;
        columns(column("scenario", &self::name));
        columns(column("qeq_bytes", &self::set_point).range(1, most_qcn_bytes));
        columns(column("w", &self::weight, "weight of the queue's growth"));
    }
};

constexpr std::tuple point_stimulus_columns(
    cell<std::string>("i"), cell<std::uint32_t>("frame_bytes").range(1, 65'535),
    cell<std::uint64_t>("q_bytes").range(0, most_qcn_bytes),
    cell<double>("jitter", "factor on the next interval").range(0.0, 1000.0, range_ends::low_excluded));
using point_stimulus = row_of<point_stimulus_columns>;

constexpr std::tuple point_row_columns(cell<std::string>("i"), cell<double>("fb_raw"), cell<double>("fb"),
                                       cell<unsigned>("qfb", "F_b in six bits"),
                                       cell<bool>("sampled").words("1", "0"), cell<bool>("cnm").words("1", "0"),
                                       cell<std::uint64_t>("q_old"), cell<double>("left"));
using point_row = row_of<point_row_columns>;

void run_point(replay_job& job) {
    auto scenario = read_scenario<point_scenario>(job);
    auto file = job.read<point_stimulus>("stimuli");
    if (!scenario) {
        return;
    }
    scenario->quantiser = *find_named<qcn_quantiser>(job.text("text"));
    const qcn_point rule(*scenario);
    qcn_point_state s = rule.open();
    auto out = job.table<point_row>("out");
    while (const point_stimulus* const row = file.next()) {
        const auto& [i, frame_bytes, length, jitter] = row->cells;
        const qcn_feedback said = rule.feedback(s, length);
        const bool sampled = qcn_point::is_sampled(s, frame_bytes);
        if (sampled) {
            rule.sample(s, length, said, jitter);
        }
        out.write({i, said.raw, said.clamped, said.quantised, sampled, sampled && said.quantised > 0, s.length,
                   s.left});
    }
}

// --- reaction point --------------------------------------------------------------------------------------

/// Line rate and configuration of one line.
struct limiter_scenario : qcn_config {
    std::string name;
    bit_rate line{0};

    template <class Columns>
    static void describe(Columns& columns) {
        using self = limiter_scenario;
        constexpr std::uint64_t most_rate = 1'000'000'000'000'000;
        constexpr auto open = range_ends::low_excluded;
        columns(column("scenario", &self::name));
        columns(column("c_bps", &self::line).range(1, most_rate));
        columns(column("gd", &self::gain, "G_d, the cut per unit of feedback").range(0.0, 1.0, open));
        columns(column("r_ai_bps", &self::active_increase).range(0, most_rate));
        columns(column("r_hai_bps", &self::hyper_increase).range(0, most_rate));
        columns(column("byte_limit", &self::byte_limit, "cycle of the byte counter. Unit: bytes")
                    .range(1, most_qcn_bytes));
        columns(column("timer_ns", &self::timer).range(1, UINT64_MAX));
        columns(column("fast_recovery_th", &self::fast_recovery).range(1, 1'000'000));
        columns(column("min_rate_bps", &self::min_rate).range(0, most_rate));
        columns(column("min_dec_factor", &self::least_share, "least share that a cut leaves")
                    .range(0.0, 1.0, open));
    }
};

constexpr std::tuple limiter_stimulus_columns(
    cell<picoseconds>("t_ns"),
    cell<bool>("event", "a notification comes, or frames are sent").words("CNM", "TX"),
    cell<std::uint32_t>("value", "feedback (1 to 63), or bytes sent").range(1, 1'000'000'000));
using limiter_stimulus = row_of<limiter_stimulus_columns>;

constexpr std::tuple limiter_row_columns(
    cell<picoseconds>("t_ns"), cell<const char*>("cause", "CNM, BYTE, TIMER or RELEASE"),
    cell<std::string>("fb"), cell<double>("current_bps"), cell<double>("target_bps"),
    cell<unsigned>("byte_stage"), cell<unsigned>("time_stage"),
    cell<const char*>("phase", "off, fast, active or hyper"),
    cell<double>("bytes_left", "bytes until the byte counter's cycle ends"),
    cell<std::optional<picoseconds>>("timer_expiry_ns"));
using limiter_row = row_of<limiter_row_columns>;

class limiter_replayer {
 public:
    limiter_replayer(const limiter_scenario& scenario, replay_table<limiter_row>& out)
        : m_rule(scenario, scenario.line),
          m_line(static_cast<double>(scenario.line.count())),
          m_byte_limit(static_cast<double>(scenario.byte_limit.count())),
          m_out(out) {}

    /// The timer's cycles that are over before `now`.
    void run_before(picoseconds now) {
        while (m_limit.limits() && m_limit.timer_at < now) {
            const picoseconds at = m_limit.timer_at;
            m_rule.on_timer(m_limit, 1);
            write(at, "TIMER");
        }
    }
    void notify(picoseconds now, std::uint8_t feedback) {
        m_rule.on_notification(m_limit, feedback, now, 1, 1);
        write(now, "CNM", std::to_string(feedback));
    }
    void send(picoseconds now, std::uint32_t sent_bytes) {
        if (!m_limit.limits()) {
            return;
        }
        const qcn_sent what = m_rule.on_sent(m_limit, sent_bytes, 1);
        if (what != qcn_sent::counted) {
            write(now, what == qcn_sent::released ? "RELEASE" : "BYTE");
        }
    }

 private:
    void write(picoseconds at, const char* cause, const std::string& feedback = "") {
        static constexpr const char* phases[] = {"off", "fast", "active", "hyper"};
        const bool on = m_limit.limits();
        m_out.write(
            {at, cause, feedback, on ? m_limit.current : m_line, on ? m_limit.target : m_line,
             m_limit.byte_stage, m_limit.timer_stage, phases[static_cast<unsigned>(m_rule.phase(m_limit))],
             on ? m_limit.bytes_left : m_byte_limit, on ? std::optional(m_limit.timer_at) : std::nullopt});
    }

    qcn_reaction m_rule;
    qcn_limit m_limit;
    double m_line;
    double m_byte_limit;
    replay_table<limiter_row>& m_out;
};

void run_limiter(replay_job& job) {
    auto scenario = read_scenario<limiter_scenario>(job);
    auto file = job.read<limiter_stimulus>("stimuli");
    if (!scenario) {
        return;
    }
    scenario->cycles = *find_named<qcn_cycles>(job.text("text"));
    auto out = job.table<limiter_row>("out");
    limiter_replayer replayer(*scenario, out);
    picoseconds before{0};
    while (const limiter_stimulus* const row = file.next_line()) {
        const auto& [now, is_notification, value] = row->cells;
        if (file.is_good("t_ns") && now < std::exchange(before, std::max(before, now))) {
            file.refuse_text("t_ns", "is before the line above; expected lines in the order of time");
        }
        if (file.is_good("event") && is_notification) {
            file.number("value", 1, 63);
        }
        if (file.is_good()) {
            replayer.run_before(now);
            is_notification ? replayer.notify(now, static_cast<std::uint8_t>(value))
                            : replayer.send(now, value);
        }
    }
}

void run_qcn(replay_job& job) {
    find_named<qcn_quantiser>(job.text("text")) ? run_point(job) : run_limiter(job);
}

}  // namespace

replay_block qcn_replay() {
    const char* const point = "--text msb or scaled";
    const char* const limiter = "--text pan, select or reset";
    return {
        "qcn",
        "QCN: a congestion point, frame by frame, or a reaction point, message by message",
        "With msb and scaled the congestion point of one egress queue, whose length a script says; with pan,\n"
        "select and reset a rate limiter, to which a script says what it sends and which notifications come.\n"
        "Its timer runs by itself; at one time the script comes first.\n",
        {input_option("scenarios", "Parameters, a line per scenario.")
             .table<point_scenario>(point)
             .table<limiter_scenario>(limiter),
         scenario_option(),
         input_option("stimuli", "The script.").table<point_stimulus>(point).table<limiter_stimulus>(limiter),
         word_option("text", {"msb", "scaled", "pan", "select", "reset"},
                     "msb, scaled: the congestion point with that `qcn.quantiser`. pan, select, reset: the "
                     "reaction point with these `qcn.cycles`."),
         output_option("out",
                       "Of the congestion point a line per frame; of the rate limiter a line per change.")
             .table<point_row>(point)
             .table<limiter_row>(limiter)},
        run_qcn};
}

}  // namespace weir::tb
