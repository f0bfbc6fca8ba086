#include "tb/replay/replay_tcp_cc.h"

#include <memory>
#include <string>
#include <vector>

#include "tb/replay/named_scenario.h"
#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"
#include "weir/traffic/congestion/dctcp.h"

namespace weir::tb {

namespace {

using namespace traffic;

/// Most bytes that may be outstanding, as with the largest receive window.
constexpr std::uint64_t most_outstanding = std::uint64_t{1} << 30;
constexpr std::uint64_t most_sequence = transfer_fields::length_mask;

enum event_kind : std::size_t { ack, loss, recovered, ecn, cwr_end, rto, loss_end };
const std::vector<std::string> event_names{"ACK", "LOSS", "RECOVERED", "ECN", "CWR_END", "RTO", "LOSS_END"};

std::unique_ptr<const newreno_ecn> make_algorithm(const std::string& text, bytes mss) {
    if (text == "rfc8257") {
        return std::make_unique<const dctcp>(mss);
    }
    const auto growth = text == "rfc5681" ? avoidance_growth::per_ack : avoidance_growth::per_window;
    return std::make_unique<const newreno_ecn>(mss, 1, growth);
}

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
void apply(const newreno_ecn& algorithm, dctcp_state& s, const scripted_event& event) {
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
            algorithm.note_marks(s, event.said);
            if (event.kind == recovered) {
                s.cwnd = s.ssthresh;
            } else if (event.grows) {
                // The script says when marks cut the window: ECN.
                algorithm.newreno::on_ack(s, event.said);
            }
            break;
    }
}

void run_tcp_cc(replay_job& job) {
    csv_file scenarios(job.text("scenarios"), job.errors());
    const std::vector<std::size_t> columns =
        scenarios.columns({"mss", "initial_window_segments", "initial_ssthresh"});
    csv_file file(job.text("stimuli"), job.errors());
    const std::size_t number = file.column("i");
    script events(file);
    std::uint64_t mss = 0;
    std::uint64_t window = 0;
    std::uint64_t ssthresh = 0;
    if (!go_to_scenario(scenarios, job) || !scenarios.number(columns[0], mss, 1, 65'535) ||
        !scenarios.number(columns[1], window, 1, 65'535) ||
        !scenarios.number(columns[2], ssthresh, 1, most_sequence)) {
        return;
    }
    const std::string& text = job.text("text");
    const bool estimates = text == "rfc8257";
    const auto algorithm = make_algorithm(text, bytes{static_cast<std::int64_t>(mss)});
    // The richest state; the other algorithms use its beginning.
    dctcp_state s;
    algorithm->open(s, window * mss, ssthresh);
    std::string& out = job.output("out");
    out = std::string("i,event,cwnd,ssthresh") + (estimates ? ",alpha,m\n" : "\n");
    csv_line line;
    while (file.next()) {
        scripted_event event;
        if (!events.read(event)) {
            continue;
        }
        const dctcp_state before = s;
        apply(*algorithm, s, event);
        line.add_name(file.text(number)).add_name(event_names[event.kind]).add(s.cwnd).add(s.ssthresh);
        if (estimates) {
            line.add_real(s.alpha);
            if (s.window_end != before.window_end) {
                const std::uint64_t acked = event.said.acked_bytes;
                const std::uint64_t marked = before.marked + (event.said.ecn_echo ? acked : 0);
                line.add_real(static_cast<double>(marked) / static_cast<double>(before.acked + acked));
            } else {
                line.add_nothing();
            }
        }
        out += line.end();
    }
}

}  // namespace

replay_block tcp_cc_replay() {
    return {
        "tcp_cc",
        "a congestion control of TCP: its window after each ACK, loss, mark and timeout of a script",
        "The script says when the window grows, when it is cut, and what is outstanding; a recovery ends at\n"
        "ssthresh at once. The algorithms are those of `tcp.congestion`: newreno_ecn and dctcp, with\n"
        "`tcp.slow_start_limit` 1.\n",
        {input_option("scenarios", "Columns scenario, mss, initial_window_segments, initial_ssthresh (B)."),
         scenario_option(),
         input_option(
             "stimuli",
             "Columns i, t_ns, event (ACK, LOSS, RECOVERED, ECN, CWR_END, RTO, LOSS_END), acked_bytes, "
             "rtt_ns, ece, grow, una, snd_max, flight (B)."),
         word_option("text", {"rfc5681", "abc1", "rfc8257"},
                     "rfc5681: NewReno with tcp.avoidance = per_ack. abc1: NewReno with per_window (RFC 3465, "
                     "L = 1). rfc8257: DCTCP with the same growth."),
         output_option("out",
                       "i, event, cwnd, ssthresh; with rfc8257 also alpha, and m (share of marked bytes) "
                       "where a window of data ends.")},
        run_tcp_cc};
}

}  // namespace weir::tb
