#include "tb/replay/replay_qcn.h"

#include <cmath>
#include <string>
#include <vector>

#include "tb/replay/named_scenario.h"
#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"
#include "weir/model/host/qcn_reaction.h"
#include "weir/model/marking/qcn_point.h"

namespace weir::tb {

namespace {

using namespace model;

constexpr std::uint64_t most_ns = latest_time.count() / 1000;
constexpr std::uint64_t most_rate = 1'000'000'000'000'000;

bytes whole_bytes(std::uint64_t count) {
    return bytes{static_cast<std::int64_t>(count)};
}
picoseconds whole_ns(std::uint64_t count) {
    return picoseconds{static_cast<std::int64_t>(count * 1000)};
}

bool read_above_zero(csv_file& file, std::size_t column, double& value, double most) {
    if (!file.number(column, value)) {
        return false;
    }
    if (value <= 0 || value > most) {
        file.refuse(column, "'" + file.text(column) + "' is out of range; expected above 0, at most " +
                                decimal_text(most, 0));
        return false;
    }
    return true;
}

// --- congestion point ------------------------------------------------------------------------------------

void run_point(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> of = scenarios.columns({"qeq_bytes", "w"});
    csv_file file(job.text("stimuli"), job.errors());
    const std::vector<std::size_t> at = file.columns({"i", "frame_bytes", "q_bytes", "jitter"});
    std::uint64_t set_point = 0;
    qcn_config config;
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
    if (!go_to_scenario(scenarios, job) || !scenarios.number(of[0], set_point, 1, most_bytes) ||
        !scenarios.number(of[1], config.weight)) {
        return;
    }
    config.set_point = whole_bytes(set_point);
    config.quantiser = *find_named<qcn_quantiser>(job.text("text"));
    const qcn_point rule(config);
    qcn_point_state s = rule.open();
    std::string& out = job.output("out");
    out = "i,fb_raw,fb,qfb,sampled,cnm,q_old,left\n";
    csv_line line;
    while (file.next()) {
        std::uint64_t frame_bytes = 0;
        std::uint64_t length = 0;
        double jitter = 0;
        bool good = file.number(at[1], frame_bytes, 1, 65'535);
        good = file.number(at[2], length, 0, most_bytes) && good;
        if (!read_above_zero(file, at[3], jitter, 1000) || !good) {
            continue;
        }
        const qcn_feedback said = rule.feedback(s, length);
        const bool sampled = qcn_point::is_sampled(s, static_cast<std::uint32_t>(frame_bytes));
        if (sampled) {
            rule.sample(s, length, said, jitter);
        }
        line.add_name(file.text(at[0])).add_real(said.raw).add_real(said.clamped).add(said.quantised);
        line.add(sampled ? 1 : 0).add(sampled && said.quantised > 0 ? 1 : 0).add(s.length).add_real(s.left);
        out += line.end();
    }
}

// --- reaction point --------------------------------------------------------------------------------------

/// Line rate and configuration of one line.
struct limiter_scenario {
    bit_rate line{0};
    qcn_config config;
};

bool read_limiter(csv_file& file, const std::vector<std::size_t>& columns, limiter_scenario& scenario) {
    qcn_config& config = scenario.config;
    std::uint64_t line = 0;
    std::uint64_t active = 0;
    std::uint64_t hyper = 0;
    std::uint64_t byte_limit = 0;
    std::uint64_t timer_ns = 0;
    std::uint64_t threshold = 0;
    std::uint64_t least = 0;
    bool good = file.number(columns[0], line, 1, most_rate);
    good = read_above_zero(file, columns[1], config.gain, 1) && good;
    good = file.number(columns[2], active, 0, most_rate) && good;
    good = file.number(columns[3], hyper, 0, most_rate) && good;
    good = file.number(columns[4], byte_limit, 1, std::uint64_t{1} << 40) && good;
    good = file.number(columns[5], timer_ns, 1, most_ns) && good;
    good = file.number(columns[6], threshold, 1, 1'000'000) && good;
    good = file.number(columns[7], least, 0, most_rate) && good;
    good = read_above_zero(file, columns[8], config.least_share, 1) && good;
    const auto rate = [](std::uint64_t bits) { return bit_rate{static_cast<std::int64_t>(bits)}; };
    scenario.line = rate(line);
    config.active_increase = rate(active);
    config.hyper_increase = rate(hyper);
    config.byte_limit = whole_bytes(byte_limit);
    config.timer = whole_ns(timer_ns);
    config.fast_recovery = static_cast<std::uint32_t>(threshold);
    config.min_rate = rate(least);
    return good;
}

class limiter_replayer {
 public:
    limiter_replayer(const limiter_scenario& scenario, std::string& out)
        : m_rule(scenario.config, scenario.line),
          m_line(static_cast<double>(scenario.line.count())),
          m_byte_limit(static_cast<double>(scenario.config.byte_limit.count())),
          m_out(out) {}

    /// The timer's cycles that are over before `now`.
    void run_before(picoseconds now) {
        while (m_limit.limits() && m_limit.timer_at < now) {
            const picoseconds at = m_limit.timer_at;
            m_rule.on_timer(m_limit, 1);
            add_row(at, "TIMER", "");
        }
    }
    void notify(picoseconds now, std::uint8_t feedback) {
        m_rule.on_notification(m_limit, feedback, now, 1, 1);
        add_row(now, "CNM", std::to_string(feedback));
    }
    void send(picoseconds now, std::uint32_t sent_bytes) {
        if (!m_limit.limits()) {
            return;
        }
        const qcn_sent what = m_rule.on_sent(m_limit, sent_bytes, 1);
        if (what != qcn_sent::counted) {
            add_row(now, what == qcn_sent::released ? "RELEASE" : "BYTE", "");
        }
    }

 private:
    void add_row(picoseconds at, const char* cause, const std::string& feedback) {
        static constexpr const char* phases[] = {"off", "fast", "active", "hyper"};
        const bool on = m_limit.limits();
        m_row.add_ns(at).add_name(cause).add_name(feedback);
        m_row.add_real(on ? m_limit.current : m_line).add_real(on ? m_limit.target : m_line);
        m_row.add(m_limit.byte_stage).add(m_limit.timer_stage);
        m_row.add_name(phases[static_cast<unsigned>(m_rule.phase(m_limit))]);
        m_row.add_real(on ? m_limit.bytes_left : m_byte_limit);
        on ? m_row.add_ns(m_limit.timer_at) : m_row.add_nothing();
        m_out += m_row.end();
    }

    qcn_reaction m_rule;
    qcn_limit m_limit;
    double m_line;
    double m_byte_limit;
    std::string& m_out;
    csv_line m_row;
};

void run_limiter(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> of =
        scenarios.columns({"c_bps", "gd", "r_ai_bps", "r_hai_bps", "byte_limit", "timer_ns", "fast_recovery_th",
                           "min_rate_bps", "min_dec_factor"});
    csv_file file(job.text("stimuli"), job.errors());
    const std::vector<std::size_t> at = file.columns({"t_ns", "event", "value"});
    limiter_scenario scenario;
    if (!go_to_scenario(scenarios, job) || !read_limiter(scenarios, of, scenario)) {
        return;
    }
    scenario.config.cycles = *find_named<qcn_cycles>(job.text("text"));
    std::string& out = job.output("out");
    out = "t_ns,cause,fb,current_bps,target_bps,byte_stage,time_stage,phase,bytes_left,timer_expiry_ns\n";
    limiter_replayer replayer(scenario, out);
    std::uint64_t before_ns = 0;
    while (file.next()) {
        std::uint64_t time_ns = 0;
        std::size_t event = 0;
        std::uint64_t value = 0;
        if (!file.number(at[0], time_ns, before_ns, most_ns) || !file.word(at[1], event, {"CNM", "TX"}) ||
            !file.number(at[2], value, 1, event == 0 ? 63 : 1'000'000'000)) {
            continue;
        }
        before_ns = time_ns;
        replayer.run_before(whole_ns(time_ns));
        if (event == 0) {
            replayer.notify(whole_ns(time_ns), static_cast<std::uint8_t>(value));
        } else {
            replayer.send(whole_ns(time_ns), static_cast<std::uint32_t>(value));
        }
    }
}

void run_qcn(replay_job& job) {
    const std::string& text = job.text("text");
    find_named<qcn_quantiser>(text) ? run_point(job) : run_limiter(job);
}

}  // namespace

replay_block qcn_replay() {
    return {
        "qcn",
        "QCN: a congestion point, frame by frame, or a reaction point, message by message",
        "With msb and scaled the congestion point of one egress queue, whose length a script says; with pan,\n"
        "select and reset a rate limiter, to which a script says what it sends and which notifications come.\n"
        "Its timer runs by itself; at one time the script comes first.\n",
        {input_option("scenarios",
                      "msb, scaled: columns scenario, qeq_bytes, w. Others: scenario, c_bps, gd, r_ai_bps, "
                      "r_hai_bps, byte_limit, timer_ns, fast_recovery_th, min_rate_bps, min_dec_factor."),
         scenario_option(),
         input_option("stimuli",
                      "msb, scaled: columns i, frame_bytes, q_bytes (with the frame), jitter (factor on the "
                      "next interval). Others: t_ns, event (CNM, TX), value (feedback 1-63; bytes sent)."),
         word_option("text", {"msb", "scaled", "pan", "select", "reset"},
                     "msb, scaled: the congestion point with that `qcn.quantiser`. pan, select, reset: the "
                     "reaction point with these `qcn.cycles`."),
         output_option("out",
                       "msb, scaled: i, fb_raw, fb, qfb, sampled, cnm, q_old, left. Others: t_ns, cause, "
                       "fb, current_bps, target_bps, byte_stage, time_stage, phase, bytes_left, "
                       "timer_expiry_ns, whenever something changes.")},
        run_qcn};
}

}  // namespace weir::tb
