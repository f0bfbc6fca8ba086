#include <optional>
#include <string>

#include "tb/verify/replay/named_scenario.h"
#include "tb/verify/replay/replay_blocks.h"
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

enum class event_kind : std::uint8_t { ack, loss, recovered, ecn, cwr_end, rto, loss_end };
constexpr auto names_of(event_kind) {
    return enum_names<event_kind>({{event_kind::ack, "ACK"},
                                   {event_kind::loss, "LOSS"},
                                   {event_kind::recovered, "RECOVERED"},
                                   {event_kind::ecn, "ECN"},
                                   {event_kind::cwr_end, "CWR_END"},
                                   {event_kind::rto, "RTO"},
                                   {event_kind::loss_end, "LOSS_END"}});
}

/// One line of the script.
struct scripted_event : ack_event {
    std::string i;
    event_kind kind = event_kind::ack;
    bool grows = false;
    std::uint64_t flight = 0;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = scripted_event;
        columns(column("i", &self::i));
        columns(column("t_ns", &self::now));
        columns(column("event", &self::kind));
        columns(column("acked_bytes", &self::acked_bytes).range(0, most_outstanding));
        columns(column("rtt_ns", &self::round_trip, "round-trip time that is measured, or 0"));
        columns(column("ece", &self::ecn_echo, "1: the ACK echoes marks").words("1", "0"));
        columns(column("grow", &self::grows, "1: the window grows").words("1", "0"));
        columns(column("una", &self::una, "bytes confirmed: the ones before and acked_bytes")
                    .range(0, most_sequence));
        columns(column("snd_max", &self::max).range(0, most_sequence + most_outstanding));
        columns(column("flight", &self::flight).range(0, most_outstanding));
    }
};

struct tcp_scenario {
    std::string name;
    bytes mss{0};
    std::uint64_t initial_segments = 0;
    std::uint64_t ssthresh = 0;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = tcp_scenario;
        columns(column("scenario", &self::name));
        columns(column("mss", &self::mss, "segment. Unit: bytes").range(1, 65'535));
        columns(column("initial_window_segments", &self::initial_segments).range(1, 65'535));
        columns(
            column("initial_ssthresh", &self::ssthresh, "first ssthresh. Unit: bytes").range(1, most_sequence));
    }
};

/// What a sender does that is told these events, except that it goes to ssthresh at once in a recovery.
template <class Algorithm>
void apply(const Algorithm& algorithm, typename Algorithm::state& s, const scripted_event& event) {
    switch (event.kind) {
        case event_kind::loss:
            algorithm.on_loss(s, event.flight, 0);
            break;
        case event_kind::rto:
            algorithm.on_timeout(s, event.flight, false);
            break;
        case event_kind::ecn:
            algorithm.on_marks(s, event.flight);
            break;
        case event_kind::cwr_end:
            break;
        default:
            algorithm.note_ack(s, event);
            if (event.kind == event_kind::recovered) {
                s.cwnd = s.ssthresh;
            } else if (event.grows) {
                // The script says when marks cut the window: ECN.
                algorithm.grow(s, event);
            }
            break;
    }
}

constexpr std::tuple tcp_columns(cell<std::string>("i"), cell<event_kind>("event"), cell<std::uint64_t>("cwnd"),
                                 cell<std::uint64_t>("ssthresh"));
using newreno_row = row_of<tcp_columns>;
using maybe_real = std::optional<double>;
constexpr auto dctcp_columns =
    with_more(tcp_columns, cell<double>("alpha"),
              cell<maybe_real>("m", "share of marked bytes, where a window of data ends"));
using dctcp_row = row_of<dctcp_columns>;
constexpr auto cubic_columns =
    with_more(tcp_columns, cell<double>("w_max_seg"), cell<double>("k_s"),
              cell<std::optional<cubic_region>>("region", "region of an ACK that grows the window"));
using cubic_row = row_of<cubic_columns>;
constexpr auto vegas_columns =
    with_more(tcp_columns, cell<maybe_real>("diff_seg", "segments that wait, where a cycle ends"),
              cell<std::optional<vegas_decision>>("decision", "what the window does then"));
using vegas_row = row_of<vegas_columns>;

/// Writes a line after each event; more(event, state before, state after) are the columns of the algorithm.
template <class Row, class Algorithm, class More>
void replay(replay_job& job, const tcp_scenario& first, const Algorithm& algorithm, const More& more) {
    auto events = job.read<scripted_event>("stimuli");
    auto out = job.table<Row>("out");
    typename Algorithm::state s;
    algorithm.open(s, first.initial_segments * static_cast<std::uint64_t>(first.mss.count()), first.ssthresh);
    // Nothing if the line above does not say it.
    std::optional<std::uint64_t> una = 0;
    while (const scripted_event* const read = events.next_line()) {
        scripted_event event = *read;
        event.smoothed_round_trip = event.round_trip;
        const bool has_una = events.is_good("una");
        if (has_una && una && events.is_good("acked_bytes") && event.una != *una + event.acked_bytes) {
            events.refuse_text("una", "does not follow from the line above and acked_bytes; expected " +
                                          std::to_string(*una + event.acked_bytes));
        } else if (has_una) {
            events.number("snd_max", event.una, event.una + most_outstanding);
        }
        una = has_una ? std::optional(event.una) : std::nullopt;
        if (events.is_good()) {
            const typename Algorithm::state before = s;
            apply(algorithm, s, event);
            const auto write = [&](const auto&... cells) {
                out.write({event.i, event.kind, s.cwnd, s.ssthresh, cells...});
            };
            std::apply(write, more(event, before, s));
        }
    }
}

void replay_newreno(replay_job& job, const tcp_scenario& first, avoidance_growth growth) {
    replay<newreno_row>(job, first, newreno_ecn(first.mss, 1, growth),
                        [](const auto&...) { return std::tuple(); });
}

void replay_dctcp(replay_job& job, const tcp_scenario& first) {
    replay<dctcp_row>(job, first, dctcp(first.mss), [](const auto& event, const auto& before, const auto& s) {
        maybe_real share;
        if (s.window_end != before.window_end) {
            const std::uint64_t marked = before.marked + (event.ecn_echo ? event.acked_bytes : 0);
            share = static_cast<double>(marked) / static_cast<double>(before.acked + event.acked_bytes);
        }
        return std::tuple(s.alpha, share);
    });
}

void replay_cubic(replay_job& job, const tcp_scenario& first, cubic_rules rules) {
    cubic_config config;
    config.rules = rules;
    config.fast_convergence = job.text("fast-convergence") == "on";
    replay<cubic_row>(job, first, classic_ecn<cubic>(first.mss, 1, config),
                      [](const auto& event, const auto&, const auto& s) {
                          const bool grew = event.kind == event_kind::ack && event.grows;
                          return std::tuple(s.w_max, s.k, grew ? std::optional(s.region) : std::nullopt);
                      });
}

void replay_vegas(replay_job& job, const tcp_scenario& first) {
    const classic_ecn<vegas> algorithm(first.mss, 1, vegas_config{});
    replay<vegas_row>(job, first, algorithm, [&](const auto& event, auto before, const auto& s) {
        maybe_real waiting;
        std::optional<vegas_decision> decision;
        if (s.cycle_end != before.cycle_end) {
            before.base_round_trip = s.base_round_trip;
            waiting = algorithm.waiting_segments(before, event.round_trip);
            if (s.decision != vegas_decision::slow_start) {
                decision = s.decision;
            }
        }
        return std::tuple(waiting, decision);
    });
}

void run_tcp_cc(replay_job& job) {
    const auto first = read_scenario<tcp_scenario>(job);
    if (!first) {
        return;
    }
    const std::string& text = job.text("text");
    if (text == "rfc8257") {
        replay_dctcp(job, *first);
    } else if (text == "rfc9438" || text == "rfc8312") {
        replay_cubic(job, *first, text == "rfc9438" ? cubic_rules::rfc9438 : cubic_rules::rfc8312);
    } else if (text == "paper") {
        replay_vegas(job, *first);
    } else {
        replay_newreno(job, *first,
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
        {input_option("scenarios", "Segments and first windows, a line per scenario.").table<tcp_scenario>(),
         scenario_option(), input_option("stimuli", "The script.").table<scripted_event>(),
         word_option("text", {"rfc5681", "abc1", "rfc8257", "rfc9438", "rfc8312", "paper"},
                     "rfc5681: NewReno with tcp.avoidance = per_ack. abc1: NewReno with per_window (RFC 3465, "
                     "L = 1). rfc8257: DCTCP with the same growth. rfc9438, rfc8312: CUBIC. paper: Vegas."),
         word_option("fast-convergence", {"on", "off"}, "Of CUBIC: cubic.fast_convergence."),
         output_option("out", "A line per event.")
             .table<newreno_row>("--text rfc5681 or abc1")
             .table<dctcp_row>("--text rfc8257")
             .table<cubic_row>("--text rfc9438 or rfc8312")
             .table<vegas_row>("--text paper")},
        run_tcp_cc};
}

}  // namespace weir::tb
