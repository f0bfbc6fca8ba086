#include "tb/replay/replay_tcp_cc.h"

#include <string>
#include <vector>

#include "tb/replay/named_scenario.h"
#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"
#include "weir/traffic/congestion/classic_ecn.h"
#include "weir/traffic/congestion/cubic.h"
#include "weir/traffic/congestion/dctcp.h"
#include "weir/traffic/congestion/vegas.h"

namespace weir::tb {

namespace {

using namespace traffic;

/// Most bytes that may be outstanding, as with the largest receive window.
constexpr std::uint64_t most_outstanding = std::uint64_t{1} << 30;
constexpr std::uint64_t most_sequence = transfer_fields::length_mask;

enum event_kind : std::size_t { ack, loss, recovered, ecn, cwr_end, rto, loss_end };
const std::vector<std::string> event_names{"ACK", "LOSS", "RECOVERED", "ECN", "CWR_END", "RTO", "LOSS_END"};

/// One line of the script.
struct scripted_event {
    std::size_t kind = ack;
    bool grows = false;
    std::uint64_t flight = 0;
    ack_event said{};
};

class script {
 public:
    explicit script(csv_file& file)
        : m_file(file),
          m_columns(file.columns(
              {"t_ns", "event", "acked_bytes", "rtt_ns", "ece", "grow", "una", "snd_max", "flight"})) {}

    /// The current line; false, and errors, where it does not hold or does not follow from the one before.
    bool read(scripted_event& event) {
        std::uint64_t time_ns = 0;
        std::uint64_t round_trip_ns = 0;
        std::uint64_t echo = 0;
        std::uint64_t grows = 0;
        ack_event& said = event.said;
        constexpr std::uint64_t most_ns = latest_time.count() / 1000;
        bool good = m_file.number(m_columns[0], time_ns, 0, most_ns);
        good = m_file.word(m_columns[1], event.kind, event_names) && good;
        good = m_file.number(m_columns[2], said.acked_bytes, 0, most_outstanding) && good;
        good = m_file.number(m_columns[3], round_trip_ns, 0, most_ns) && good;
        good = m_file.number(m_columns[4], echo, 0, 1) && good;
        good = m_file.number(m_columns[5], grows, 0, 1) && good;
        good = m_file.number(m_columns[6], said.una, 0, most_sequence) && good;
        good = good && m_file.number(m_columns[7], said.max, said.una, said.una + most_outstanding);
        good = m_file.number(m_columns[8], event.flight, 0, most_outstanding) && good;
        if (good && said.una != m_una + said.acked_bytes) {
            m_file.refuse(m_columns[6], "'" + m_file.text(m_columns[6]) + "' does not follow from " +
                                            std::to_string(m_una) + " and acked_bytes; expected " +
                                            std::to_string(m_una + said.acked_bytes));
            good = false;
        }
        m_una = said.una;
        said.now = picoseconds{static_cast<std::int64_t>(time_ns * 1000)};
        said.round_trip = picoseconds{static_cast<std::int64_t>(round_trip_ns * 1000)};
        said.smoothed_round_trip = said.round_trip;
        said.ecn_echo = echo != 0;
        event.grows = grows != 0;
        return good;
    }

 private:
    csv_file& m_file;
    std::vector<std::size_t> m_columns;
    std::uint64_t m_una = 0;
};

/// What a sender does that is told these events, except that it goes to ssthresh at once in a recovery.
template <class Algorithm>
void apply(const Algorithm& algorithm, typename Algorithm::state& s, const scripted_event& event) {
    switch (event.kind) {
        case loss:
            algorithm.on_loss(s, event.flight, 0);
            break;
        case rto:
            algorithm.on_timeout(s, event.flight, false);
            break;
        case ecn:
            algorithm.on_marks(s, event.flight);
            break;
        case cwr_end:
            break;
        default:
            algorithm.note_ack(s, event.said);
            if (event.kind == recovered) {
                s.cwnd = s.ssthresh;
            } else if (event.grows) {
                // The script says when marks cut the window: ECN.
                algorithm.grow(s, event.said);
            }
            break;
    }
}

/// How a scenario begins. Lengths in B.
struct beginning {
    bytes mss{0};
    std::uint64_t window = 0;
    std::uint64_t ssthresh = 0;
};

/// Writes a line after each event; `more` adds the columns `names` to it, from the states before and after.
template <class Algorithm, class More>
void replay(replay_job& job, csv_file& file, const beginning& first, const Algorithm& algorithm,
            const std::string& names, const More& more) {
    const std::size_t number = file.column("i");
    script events(file);
    typename Algorithm::state s;
    algorithm.open(s, first.window, first.ssthresh);
    std::string& out = job.output("out");
    out = "i,event,cwnd,ssthresh" + names + "\n";
    csv_line line;
    while (file.next()) {
        scripted_event event;
        if (!events.read(event)) {
            continue;
        }
        const typename Algorithm::state before = s;
        apply(algorithm, s, event);
        line.add_name(file.text(number)).add_name(event_names[event.kind]).add(s.cwnd).add(s.ssthresh);
        more(line, event, before, s);
        out += line.end();
    }
}

void replay_newreno(replay_job& job, csv_file& file, const beginning& first, avoidance_growth growth) {
    replay(job, file, first, newreno_ecn(first.mss, 1, growth), "",
           [](csv_line&, const scripted_event&, const newreno_ecn::state&, const newreno_ecn::state&) {});
}

void replay_dctcp(replay_job& job, csv_file& file, const beginning& first) {
    replay(job, file, first, dctcp(first.mss), ",alpha,m",
           [](csv_line& line, const scripted_event& event, const dctcp_state& before, const dctcp_state& s) {
               line.add_real(s.alpha);
               if (s.window_end == before.window_end) {
                   line.add_nothing();
                   return;
               }
               const std::uint64_t acked = event.said.acked_bytes;
               const std::uint64_t marked = before.marked + (event.said.ecn_echo ? acked : 0);
               line.add_real(static_cast<double>(marked) / static_cast<double>(before.acked + acked));
           });
}

void replay_cubic(replay_job& job, csv_file& file, const beginning& first, cubic_rules rules) {
    cubic_config config;
    config.rules = rules;
    config.fast_convergence = job.text("fast-convergence") == "on";
    replay(job, file, first, classic_ecn<cubic>(first.mss, 1, config), ",w_max_seg,k_s,region",
           [](csv_line& line, const scripted_event& event, const cubic_state&, const cubic_state& s) {
               line.add_real(s.w_max).add_real(s.k);
               if (event.kind == ack && event.grows) {
                   line.add_name(name_of(s.region));
               } else {
                   line.add_nothing();
               }
           });
}

void replay_vegas(replay_job& job, csv_file& file, const beginning& first) {
    const classic_ecn<vegas> algorithm(first.mss, 1, vegas_config{});
    replay(job, file, first, algorithm, ",diff_seg,decision",
           [&](csv_line& line, const scripted_event& event, vegas_state before, const vegas_state& s) {
               if (s.cycle_end == before.cycle_end) {
                   line.add_nothing(2);
                   return;
               }
               before.base_round_trip = s.base_round_trip;
               line.add_real(algorithm.waiting_segments(before, event.said.round_trip));
               line.add_name(s.decision == vegas_decision::slow_start ? "" : name_of(s.decision));
           });
}

void run_tcp_cc(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> columns =
        scenarios.columns({"mss", "initial_window_segments", "initial_ssthresh"});
    csv_file file(job.text("stimuli"), job.errors());
    std::uint64_t mss = 0;
    beginning first;
    if (!go_to_scenario(scenarios, job) || !scenarios.number(columns[0], mss, 1, 65'535) ||
        !scenarios.number(columns[1], first.window, 1, 65'535) ||
        !scenarios.number(columns[2], first.ssthresh, 1, most_sequence)) {
        return;
    }
    first.mss = bytes{static_cast<std::int64_t>(mss)};
    first.window *= mss;
    const std::string& text = job.text("text");
    if (text == "rfc8257") {
        replay_dctcp(job, file, first);
    } else if (text == "rfc9438" || text == "rfc8312") {
        replay_cubic(job, file, first, text == "rfc9438" ? cubic_rules::rfc9438 : cubic_rules::rfc8312);
    } else if (text == "paper") {
        replay_vegas(job, file, first);
    } else {
        replay_newreno(job, file, first,
                       text == "rfc5681" ? avoidance_growth::per_ack : avoidance_growth::per_window);
    }
}

}  // namespace

replay_block tcp_cc_replay() {
    return {
        "tcp_cc",
        "a congestion control of TCP: its window after each ACK, loss, mark and timeout of a script",
        "The script says when the window grows, when it is cut, and what is outstanding; a recovery ends at\n"
        "ssthresh at once. The algorithms are those of `tcp.congestion`: newreno_ecn, dctcp, cubic_ecn and\n"
        "vegas_ecn, with `tcp.slow_start_limit` 1.\n",
        {input_option("scenarios", "Columns scenario, mss, initial_window_segments, initial_ssthresh (B)."),
         scenario_option(),
         input_option(
             "stimuli",
             "Columns i, t_ns, event (ACK, LOSS, RECOVERED, ECN, CWR_END, RTO, LOSS_END), acked_bytes, "
             "rtt_ns, ece, grow, una, snd_max, flight (B)."),
         word_option("text", {"rfc5681", "abc1", "rfc8257", "rfc9438", "rfc8312", "paper"},
                     "rfc5681: NewReno with tcp.avoidance = per_ack. abc1: NewReno with per_window (RFC 3465, "
                     "L = 1). rfc8257: DCTCP with the same growth. rfc9438, rfc8312: CUBIC. paper: Vegas."),
         word_option("fast-convergence", {"on", "off"}, "Of CUBIC: cubic.fast_convergence."),
         output_option("out",
                       "i, event, cwnd, ssthresh; with rfc8257 also alpha, and m (share of marked bytes) "
                       "where a window of data ends; with rfc9438 and rfc8312 w_max_seg, k_s, and the region "
                       "of an ACK; with paper, where a cycle ends, diff_seg and the decision.")},
        run_tcp_cc};
}

}  // namespace weir::tb
