#include "weir/traffic/tcp/tcp_sender.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "support/loopback_network.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/newreno.h"

namespace weir::traffic {
namespace {

constexpr std::uint64_t mss = 1000;
constexpr std::uint64_t flow = 42;

tcp_config small_segments() {
    tcp_config config;
    config.mss = 1000_B;
    config.receive_window = 1_MB;
    config.min_rto = 10ms;
    config.initial_rto = 1s;
    config.rto_granularity = 1ms;
    return config;
}

/// One sender, whose ACKs are made by hand. Sequences are in segments.
class sender_bench {
 public:
    explicit sender_bench(const tcp_config& config = small_segments(), std::uint64_t segments = 1000,
                          const write_schedule* written = nullptr)
        : m_tcp(config) {
        m_context.host = &host;
        open(segments, 1, written);
    }
    void open(std::uint64_t segments, host_id destination = 1, const write_schedule* written = nullptr) {
        ethernet_frame header;
        header.kind = frame_kind::tcp_data;
        header.transfer.flow = flow & transfer_fields::flow_mask;
        header.transfer.flow_bytes = segments * mss & transfer_fields::length_mask;
        sender.open(m_context, m_tcp, header, {destination, 0}, 0, written);
    }

    void at(picoseconds time) {
        host.set_now(time);
        m_context.now = time;
    }
    bool ack(std::uint64_t segments, bool marked = false) {
        ethernet_frame frame;
        frame.flags = flag_if(marked, ecn_echo);
        frame.kind = frame_kind::tcp_ack;
        frame.transfer.flow = flow & transfer_fields::flow_mask;
        frame.transfer.sequence = segments * mss & transfer_fields::length_mask;
        return sender.on_ack(m_context, m_tcp, frame);
    }
    void duplicates(unsigned count, std::uint64_t segment) {
        for (unsigned i = 0; i < count; ++i) {
            ack(segment);
        }
    }
    /// As the transport does once the last byte is confirmed.
    void remember() { sender.remember(m_tcp); }
    void syn_ack() { sender.on_syn_ack(m_context, m_tcp); }
    /// Lets time pass, firing the timer where it is due.
    void pass_until(picoseconds time) {
        while (m_context.timers.next_time() <= time) {
            at(m_context.timers.next_time());
            const timer_entry entry = m_context.timers.pop();
            if (kind_of_timer(entry.id) == timer_kind::tcp_written) {
                sender.on_written(m_context, m_tcp);
            } else {
                sender.on_timer(m_context, m_tcp, entry);
            }
        }
        at(time);
    }
    std::size_t timers() const { return m_context.timers.size(); }
    /// Time of the next timeout; leaves the clock there.
    picoseconds next_timeout() {
        const std::uint32_t before = sender.timeouts();
        while (sender.timeouts() == before) {
            pass_until(m_context.timers.next_time());
        }
        return m_context.now;
    }
    /// Segments sent since the last call.
    std::vector<std::uint64_t> sent() {
        std::vector<std::uint64_t> segments;
        for (const ethernet_frame& frame : host.frames) {
            EXPECT_EQ(frame.transfer.sequence % mss, 0U);
            segments.push_back(frame.transfer.sequence / mss);
        }
        host.frames.clear();
        return segments;
    }
    double cwnd() { return static_cast<double>(m_tcp.window_of(0).cwnd) / mss; }
    std::uint64_t receive_window() const { return m_tcp.limit_of(0); }
    double ssthresh() { return static_cast<double>(m_tcp.window_of(0).ssthresh) / mss; }
    const transport_counters& counters() const { return m_context.counters; }

    test::recording_host host;
    tcp_sender sender;

 private:
    transport_context m_context;
    tcp_context m_tcp;
};

using segments = std::vector<std::uint64_t>;

/// Grows the window to ten segments, 7 to 16 outstanding.
void ten_outstanding(sender_bench& b) {
    b.at(1ms);
    for (std::uint64_t n = 1; n <= 7; ++n) {
        b.ack(n);
    }
    ASSERT_EQ(b.cwnd(), 10);
    ASSERT_EQ(b.sender.flight(), 10 * mss);
    b.sent();
}

// Windows --------------------------------------------------------------------------------------------

TEST(tcp_sender, slow_start_adds_a_segment_for_each_segment_confirmed) {
    sender_bench b;
    EXPECT_EQ(b.sent(), (segments{0, 1, 2}));
    b.ack(1);
    EXPECT_EQ(b.sent(), (segments{3, 4}));
    b.ack(2);
    EXPECT_EQ(b.sent(), (segments{5, 6}));
    b.ack(3);
    EXPECT_EQ(b.sent(), (segments{7, 8}));
    EXPECT_EQ(b.cwnd(), 6);
    b.ack(5);  // a delayed ACK of two segments: cwnd + 1, so three may go
    EXPECT_EQ(b.sent(), (segments{9, 10, 11}));
    EXPECT_EQ(b.cwnd(), 7);
}

TEST(tcp_sender, congestion_avoidance_adds_a_segment_for_each_window_confirmed) {
    sender_bench b;
    ten_outstanding(b);
    b.next_timeout();  // ssthresh 5, cwnd 1, all from segment 7 on again
    EXPECT_EQ(b.ssthresh(), 5);
    EXPECT_EQ(b.cwnd(), 1);
    std::vector<double> windows;
    for (std::uint64_t n = 8; n <= 24; ++n) {
        b.ack(n);
        windows.push_back(b.cwnd());
    }
    EXPECT_EQ(windows, (std::vector<double>{2, 3, 4, 5,        // slow start
                                            5, 5, 5, 5, 6,     // five confirmed
                                            6, 6, 6, 6, 6, 7,  // six confirmed
                                            7, 7}));
}

/// Windows in segments after each of these ACKs, given by the segments that they confirm.
std::vector<double> windows(std::uint32_t slow_start_limit, std::uint64_t ssthresh, bool after_timeout,
                            const std::vector<std::uint64_t>& confirmed) {
    const newreno algorithm(1000_B, slow_start_limit);
    newreno_state s;
    algorithm.open(s, 4000, ssthresh * 1000);
    if (after_timeout) {
        algorithm.on_timeout(s, 2 * ssthresh * 1000, false);
    }
    std::vector<double> all;
    for (const std::uint64_t n : confirmed) {
        algorithm.on_ack(s, {n * 1000, 0, 0, 0_ps, 0_ps, false});
        all.push_back(static_cast<double>(s.cwnd) / 1000);
    }
    return all;
}

TEST(newreno, an_ack_of_many_segments_adds_as_many_in_slow_start_as_the_limit_says) {
    const std::vector<std::uint64_t> confirmed{1, 2, 3, 50};
    EXPECT_EQ(windows(1, 1000, false, confirmed), (std::vector<double>{5, 6, 7, 8}));
    EXPECT_EQ(windows(2, 1000, false, confirmed), (std::vector<double>{5, 7, 9, 11}));
    EXPECT_EQ(windows(0, 1000, false, confirmed), (std::vector<double>{5, 7, 10, 60}));
}

TEST(newreno, slow_start_in_large_steps_stops_at_ssthresh) {
    // From ssthresh on a window's worth is needed for the next segment.
    EXPECT_EQ(windows(0, 20, false, {50, 19, 1, 21}), (std::vector<double>{20, 20, 21, 22}));
    // ssthresh falls between: one segment more at most, as RFC 5681 has it.
    EXPECT_EQ(windows(2, 5, false, {2, 4, 1}), (std::vector<double>{5, 5, 6}));
}

TEST(newreno, after_a_timeout_an_ack_adds_one_segment_whatever_the_limit_until_ssthresh) {
    for (const std::uint32_t limit : {0U, 1U, 2U}) {
        EXPECT_EQ(windows(limit, 4, true, {3, 3, 3, 3}), (std::vector<double>{2, 3, 4, 4})) << limit;
    }
}

TEST(newreno, bytes_confirmed_beyond_a_window_count_for_the_next_one) {
    newreno algorithm(1000_B);
    newreno_state s;
    algorithm.open(s, 5 * mss, 5 * mss);
    std::vector<std::uint64_t> windows;
    for (int i = 0; i < 6; ++i) {
        algorithm.on_ack(s, ack_event{3 * mss, 0, 0, 0_ps, 0_ps, false});
        windows.push_back(s.cwnd / mss);
    }
    // Counted: 3, 6 - 5, 4, 7 - 6, 4, 7 - 7.
    EXPECT_EQ(windows, (std::vector<std::uint64_t>{5, 6, 6, 7, 7, 8}));
}

TEST(tcp_sender, receive_window_bounds_what_is_outstanding) {
    tcp_config config = small_segments();
    config.receive_window = 4500_B;
    config.initial_window = 10;
    sender_bench b(config);
    EXPECT_EQ(b.sent(), (segments{0, 1, 2, 3}));  // a segment that does not fit waits
    b.ack(1);
    EXPECT_EQ(b.sent(), (segments{4}));
}

TEST(tcp_sender, the_last_segment_is_short_and_flagged_and_short_frames_are_padded) {
    tcp_config config = small_segments();
    transport_context context;
    tcp_context tcp(config);
    test::recording_host host;
    context.host = &host;
    ethernet_frame header;
    header.transfer.flow_bytes = 2001;
    tcp_sender sender;
    sender.open(context, tcp, header, {}, 5);
    ASSERT_EQ(host.frames.size(), 3U);
    EXPECT_EQ(host.frames[0].frame_bytes, 1058);
    EXPECT_EQ(host.frames[1].flags, 0);
    EXPECT_EQ(host.frames[2].frame_bytes, 64);
    EXPECT_EQ(host.frames[2].flags, last_segment);
    EXPECT_EQ(host.frames[2].transfer.connection, 5U);
}

TEST(tcp_sender, is_done_when_the_last_byte_is_confirmed) {
    sender_bench b(small_segments(), 3);
    EXPECT_FALSE(b.ack(2));
    EXPECT_TRUE(b.ack(3));
    EXPECT_FALSE(b.sender.is_open());
    b.pass_until(10s);
    EXPECT_EQ(b.sender.timeouts(), 0U);
}

// Fast retransmit and recovery -----------------------------------------------------------------------

TEST(tcp_sender, fast_retransmit_comes_with_the_third_duplicate) {
    sender_bench b;
    ten_outstanding(b);
    b.duplicates(2, 7);
    EXPECT_EQ(b.sent(), segments{});
    b.duplicates(1, 7);
    ASSERT_EQ(b.host.frames.size(), 1U);
    EXPECT_EQ(b.host.frames[0].flags & retransmitted, retransmitted);
    EXPECT_EQ(b.sent(), (segments{7}));
    EXPECT_EQ(b.ssthresh(), 5);
    EXPECT_EQ(b.cwnd(), 8);  // 5 + 3
    EXPECT_EQ(b.counters().fast_retransmits, 1U);
}

TEST(tcp_sender, the_loss_of_the_very_first_segment_is_repaired_by_fast_retransmit) {
    tcp_config config = small_segments();
    config.initial_window = 4;
    sender_bench b(config);
    b.sent();
    b.duplicates(3, 0);  // four outstanding: ssthresh 2, cwnd 5, so a new one goes too
    EXPECT_EQ(b.sent(), (segments{0, 4}));
}

TEST(tcp_sender, each_further_duplicate_lets_a_new_segment_go) {
    sender_bench b;
    ten_outstanding(b);
    b.duplicates(3, 7);
    b.sent();
    b.duplicates(2, 7);  // cwnd 10, ten outstanding
    EXPECT_EQ(b.sent(), segments{});
    b.duplicates(2, 7);
    EXPECT_EQ(b.sent(), (segments{17, 18}));
}

TEST(tcp_sender, a_full_ack_ends_recovery_without_a_burst) {
    sender_bench b;
    ten_outstanding(b);
    b.duplicates(9, 7);
    b.sent();  // 7, 17, 18, 19, 20: cwnd 14
    EXPECT_EQ(b.cwnd(), 14);
    b.ack(17);  // all that was sent before recovery: four outstanding, min(5, 4 + 1)
    EXPECT_FALSE(b.sender.in_recovery());
    EXPECT_EQ(b.cwnd(), 5);
    EXPECT_EQ(b.sent(), (segments{21}));
}

TEST(tcp_sender, a_full_ack_of_everything_leaves_two_segments) {
    sender_bench b;
    ten_outstanding(b);
    b.duplicates(3, 7);
    b.sent();
    b.ack(17);  // nothing outstanding: min(5, 1 + 1)
    EXPECT_EQ(b.cwnd(), 2);
    EXPECT_EQ(b.sent(), (segments{17, 18}));
}

TEST(tcp_sender, a_partial_ack_retransmits_the_next_hole_and_deflates) {
    sender_bench b;
    ten_outstanding(b);  // 7 and 11 are lost
    b.duplicates(8, 7);
    EXPECT_EQ(b.sent(), (segments{7, 17, 18, 19}));
    EXPECT_EQ(b.cwnd(), 13);
    b.ack(11);  // four confirmed: 13 - 4 + 1 = 10; nine outstanding, so one new one
    EXPECT_TRUE(b.sender.in_recovery());
    EXPECT_EQ(b.cwnd(), 10);
    EXPECT_EQ(b.sent(), (segments{11, 20}));
    b.ack(20);
    EXPECT_FALSE(b.sender.in_recovery());
    EXPECT_EQ(b.counters().retransmits, 2U);
}

TEST(tcp_sender, only_the_first_partial_ack_restarts_the_timer) {
    sender_bench b;
    ten_outstanding(b);  // at 1 ms: RTT sample 1 ms, RTO = 1 + 2 ms, minimum 10 ms
    b.duplicates(3, 7);
    b.pass_until(5ms);
    b.ack(8);
    b.pass_until(9ms);
    b.ack(9);
    EXPECT_EQ(b.next_timeout(), 5ms + 10ms);
}

TEST(tcp_sender, threshold_zero_turns_fast_retransmit_off) {
    tcp_config config = small_segments();
    config.duplicate_acks = 0;
    sender_bench b(config);
    ten_outstanding(b);
    b.duplicates(50, 7);
    EXPECT_EQ(b.sent(), segments{});
    EXPECT_EQ(b.cwnd(), 10);
    EXPECT_EQ(b.counters().duplicate_acks, 50U);
}

TEST(tcp_sender, duplicates_that_a_timeout_caused_do_not_start_fast_retransmit) {
    sender_bench b;
    ten_outstanding(b);
    b.next_timeout();  // recover = 17
    b.sent();
    b.duplicates(5, 7);
    EXPECT_EQ(b.sent(), segments{});
    b.ack(17);
    b.sent();
    b.duplicates(5, 17);  // not more than recover
    EXPECT_EQ(b.counters().fast_retransmits, 0U);
    b.ack(18);
    b.sent();
    b.duplicates(3, 18);  // 18 to 20 are outstanding: ssthresh 2, cwnd 5
    EXPECT_EQ(b.sent(), (segments{18, 21, 22}));
}

TEST(tcp_sender, an_old_ack_and_one_of_bytes_never_sent_change_nothing) {
    sender_bench b;
    ten_outstanding(b);
    b.ack(5);
    EXPECT_EQ(b.counters().old_acks, 1U);
    EXPECT_FALSE(b.ack(500));
    EXPECT_EQ(b.counters().stale_frames, 1U);
    EXPECT_EQ(b.sent(), segments{});
    EXPECT_EQ(b.cwnd(), 10);
}

// Retransmission timer -------------------------------------------------------------------------------

TEST(tcp_sender, rto_follows_rfc_6298) {
    sender_bench b;
    EXPECT_EQ(b.sender.rto(), 1s);
    b.at(100ms);
    b.ack(1);  // SRTT 100, RTTVAR 50: 100 + 4 x 50 ms
    EXPECT_EQ(b.sender.rto(), 300ms);
    b.at(150ms);
    b.ack(3);  // segment 3, sent at 100 ms, is the one that is timed
    EXPECT_EQ(b.sender.rto(), 300ms);
    b.at(220ms);
    b.ack(4);  // R = 120: RTTVAR 3/4 x 50 + 1/4 x 20 = 42.5, SRTT 102.5; 272.5, up to a whole tick
    EXPECT_EQ(b.sender.smoothed_round_trip(), 102'500us);
    EXPECT_EQ(b.sender.rto(), 273ms);
    EXPECT_EQ(b.next_timeout(), 220ms + 273ms);
}

TEST(tcp_sender, granularity_is_the_least_margin_and_zero_is_exact) {
    tcp_config config = small_segments();
    config.min_rto = 1us;
    config.rto_granularity = 20ms;
    sender_bench coarse(config);
    coarse.at(8ms);
    coarse.ack(1);  // 8 + max(20, 16) = 28, up to 40 ms
    EXPECT_EQ(coarse.sender.rto(), 40ms);
    config.rto_granularity = 0_ps;
    sender_bench exact(config);
    exact.at(8ms + 1_ps);
    exact.ack(1);  // 8 ms + 1 ps + 4 x 4 ms (half of 8 ms + 1 ps, rounded down)
    EXPECT_EQ(exact.sender.rto(), 24ms + 1_ps);
}

TEST(tcp_sender, rto_is_at_least_the_minimum) {
    sender_bench b;
    b.at(1ms);
    b.ack(1);
    EXPECT_EQ(b.sender.rto(), 10ms);
}

TEST(tcp_sender, back_off_doubles_up_to_the_maximum) {
    sender_bench b;
    std::vector<picoseconds> gaps;
    picoseconds last{0};
    for (int i = 0; i < 9; ++i) {
        const picoseconds time = b.next_timeout();
        gaps.push_back(time - last);
        last = time;
    }
    EXPECT_EQ(gaps, (std::vector<picoseconds>{1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s, 60s}));
    EXPECT_EQ(b.sent(), (segments{0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(b.sender.retransmits(), 9U);
}

TEST(tcp_sender, every_ack_of_new_data_restarts_the_timer) {
    sender_bench b;
    b.at(1ms);
    b.ack(1);
    b.pass_until(8ms);
    b.ack(2);
    b.pass_until(16ms);
    b.ack(3);
    EXPECT_EQ(b.sender.timeouts(), 0U);
    b.sent();
    EXPECT_EQ(b.next_timeout(), 16ms + 10ms);
}

TEST(tcp_sender, segments_sent_twice_are_not_timed_and_the_back_off_lasts_until_the_next_sample) {
    sender_bench b;
    b.next_timeout();
    EXPECT_EQ(b.sender.rto(), 2s);
    b.at(1s + 5ms);
    b.ack(1);  // of segment 0, sent at 0 and at 1 s: says nothing (Karn)
    EXPECT_EQ(b.sender.rto(), 2s);
    b.at(1s + 10ms);
    b.ack(3);  // 1 and 2 were sent again too; now 3 goes for the first time
    EXPECT_EQ(b.sender.rto(), 2s);
    b.at(1s + 30ms);
    b.ack(4);
    EXPECT_EQ(b.sender.rto(), 60ms);  // 20 + 4 x 10
}

TEST(tcp_sender, fast_retransmit_spoils_the_measurement_under_way) {
    sender_bench b;
    ten_outstanding(b);
    const picoseconds before = b.sender.smoothed_round_trip();
    b.duplicates(3, 7);
    b.at(9ms);
    b.ack(17);
    EXPECT_EQ(b.sender.smoothed_round_trip(), before);
}

TEST(tcp_sender, after_a_timeout_what_is_confirmed_meanwhile_is_not_sent_again) {
    sender_bench b;
    ten_outstanding(b);
    b.next_timeout();
    EXPECT_EQ(b.sent(), (segments{7}));
    b.ack(15);  // only 7 was missing
    EXPECT_EQ(b.sent(), (segments{15, 16}));
    EXPECT_EQ(b.counters().retransmits, 3U);
}

TEST(tcp_sender, a_second_timeout_of_the_same_segment_holds_ssthresh) {
    sender_bench b;
    ten_outstanding(b);
    b.next_timeout();
    EXPECT_EQ(b.ssthresh(), 5);
    b.next_timeout();
    EXPECT_EQ(b.ssthresh(), 5);
    b.ack(9);
    b.next_timeout();  // 17 - 9 = 8 outstanding
    EXPECT_EQ(b.ssthresh(), 4);
}

/// Takes down what `on_timeout` is told.
struct timeout_probe final : newreno {
    using newreno::newreno;
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override {
        told.emplace_back(flight / 1000, repeated);
        newreno::on_timeout(s, flight, repeated);
    }
    mutable std::vector<std::pair<std::uint64_t, bool>> told;
};

TEST(tcp_sender, the_algorithm_is_told_whether_a_timeout_repeats) {
    const tcp_config config = small_segments();
    auto made = std::make_unique<timeout_probe>(config.mss);
    const timeout_probe& probe = *made;
    transport_context context;
    tcp_context tcp(config, std::move(made), nullptr);
    test::recording_host host;
    context.host = &host;
    ethernet_frame frame;
    frame.transfer.flow_bytes = 100 * mss;
    tcp_sender sender;
    sender.open(context, tcp, frame, {}, 0);
    const auto time_out = [&] {
        const std::uint32_t before = sender.timeouts();
        while (sender.timeouts() == before) {
            const timer_entry entry = context.timers.pop();
            context.now = entry.time;
            sender.on_timer(context, tcp, entry);
        }
    };
    time_out();
    time_out();
    frame.transfer.sequence = mss;
    sender.on_ack(context, tcp, frame);
    time_out();
    EXPECT_EQ(probe.told, (std::vector<std::pair<std::uint64_t, bool>>{{3, false}, {3, true}, {2, false}}));
}

TEST(tcp_sender, a_timeout_in_recovery_ends_it) {
    sender_bench b;
    ten_outstanding(b);
    b.duplicates(3, 7);
    b.sent();
    b.next_timeout();
    EXPECT_FALSE(b.sender.in_recovery());
    EXPECT_EQ(b.sent(), (segments{7}));
    EXPECT_EQ(b.cwnd(), 1);
}

TEST(tcp_sender, a_frame_that_the_nic_refuses_is_a_lost_frame) {
    sender_bench b;
    b.at(1ms);
    b.host.outcome = send_outcome::dropped;
    b.ack(1);  // 3 and 4 are refused
    b.host.outcome = send_outcome::taken;
    EXPECT_EQ(b.counters().dropped_at_nic, 2U);
    b.at(2ms);
    b.ack(3);
    EXPECT_EQ(b.sender.flight(), 5 * mss);
    b.sent();
    b.next_timeout();
    EXPECT_EQ(b.sent(), (segments{3}));
}

// Handshake ------------------------------------------------------------------------------------------

TEST(tcp_sender, a_handshake_gives_the_first_sample) {
    tcp_config config = small_segments();
    config.handshake = true;
    sender_bench b(config);
    ASSERT_EQ(b.host.frames.size(), 1U);
    EXPECT_EQ(b.host.frames[0].kind, frame_kind::tcp_syn);
    EXPECT_EQ(b.host.frames[0].frame_bytes, 64);
    b.sent();
    b.at(20ms);
    b.syn_ack();
    EXPECT_EQ(b.sender.rto(), 60ms);
    EXPECT_EQ(b.sent(), (segments{0, 1, 2}));
    b.syn_ack();  // a second one
    EXPECT_EQ(b.sent(), segments{});
}

TEST(tcp_sender, a_lost_syn_is_sent_again_and_costs_the_initial_window) {
    tcp_config config = small_segments();
    config.handshake = true;
    sender_bench b(config);
    EXPECT_EQ(b.next_timeout(), 1s);
    EXPECT_EQ(b.next_timeout(), 3s);
    ASSERT_EQ(b.host.frames.size(), 3U);
    EXPECT_EQ(b.host.frames[2].flags, retransmitted);
    EXPECT_EQ(b.host.frames[2].kind, frame_kind::tcp_syn);
    b.sent();
    b.at(3s + 20ms);
    b.syn_ack();
    EXPECT_EQ(b.sent(), (segments{0}));
    EXPECT_EQ(b.sender.rto(), 4s);  // no sample
    EXPECT_EQ(b.sender.timeouts(), 2U);
}

// What FreeBSD has beside the RFCs -----------------------------------------------------------------------

TEST(tcp_sender, the_timeout_has_a_factor_of_the_variance_and_an_addition) {
    tcp_config config = small_segments();
    config.rto_granularity = 0_ps;
    config.rto_variance_factor = 2;
    config.rto_addition = 20ms;
    sender_bench b(config);
    b.at(10ms);
    b.ack(1);
    EXPECT_EQ(b.sender.rto(), 10ms + 2 * 5ms + 20ms);
}

TEST(tcp_sender, round_trips_are_measured_in_ticks_of_the_clock_and_take_one_at_least) {
    tcp_config config = small_segments();
    config.rtt_clock = 1ms;
    sender_bench b(config);
    b.at(2'700us);
    b.ack(1);
    EXPECT_EQ(b.sender.smoothed_round_trip(), 2ms);
    sender_bench quick(config);
    quick.at(300us);
    quick.ack(1);
    EXPECT_EQ(quick.sender.smoothed_round_trip(), 1ms);
    b.at(3'100us);  // the segment that is timed now went at 2.7 ms: 0.4 ms, over a tick of the clock
    b.ack(5);
    EXPECT_EQ(b.sender.smoothed_round_trip(), 1'875us);
}

TEST(tcp_sender, a_transfer_begins_where_the_last_one_to_the_same_host_ended) {
    tcp_config config = small_segments();
    config.connection_cache = true;
    sender_bench b(config, 20);
    b.at(8ms);
    for (std::uint64_t n = 1; n <= 20; ++n) {
        b.ack(n);
    }
    ASSERT_FALSE(b.sender.is_open());
    const double window = b.cwnd();
    const picoseconds rto = b.sender.rto();
    const picoseconds srtt = b.sender.smoothed_round_trip();
    EXPECT_GT(window, 20);
    b.remember();
    b.sent();
    b.open(100);
    EXPECT_EQ(b.cwnd(), window);
    EXPECT_EQ(b.sender.rto(), rto);
    EXPECT_EQ(b.sender.smoothed_round_trip(), srtt);
    EXPECT_EQ(static_cast<double>(b.sent().size()), window);
    b.open(100, 2);
    EXPECT_EQ(b.cwnd(), 3);
    EXPECT_EQ(b.sender.rto(), 1s);
}

TEST(tcp_sender, the_receivers_window_grows_by_a_step_after_a_round_trip_that_fills_it) {
    tcp_config config = small_segments();
    config.receive_window = 8_KB;
    config.receive_window_max = 30_KB;
    config.initial_window = 100;
    sender_bench b(config);
    EXPECT_EQ(b.sender.flight(), 8 * mss);
    b.ack(1);  // ends a round trip of its own
    for (std::uint64_t n = 2; n <= 8; ++n) {
        b.ack(n);
        EXPECT_EQ(b.sender.flight(), 8 * mss) << n;
    }
    b.ack(9);  // eight segments since the first ACK, more than seven eighths of eight
    EXPECT_EQ(b.sender.flight(), 24 * mss);
    for (std::uint64_t n = 10; n <= 100; ++n) {
        b.ack(n);
    }
    EXPECT_EQ(b.sender.flight(), 30 * mss);
}

// Applications that write over time -------------------------------------------------------------------

/// A segment each millisecond.
write_schedule segment_each_ms() {
    write_schedule written;
    written.add(0_ps, 8_Mbps);
    return written;
}

TEST(tcp_sender, a_segment_goes_when_the_application_has_written_it) {
    const write_schedule written = segment_each_ms();
    sender_bench b(small_segments(), 4, &written);
    EXPECT_EQ(b.sent(), segments{});
    b.pass_until(1ms - 1_ps);
    EXPECT_EQ(b.sent(), segments{});
    b.pass_until(1ms);
    EXPECT_EQ(b.sent(), segments{0});
    b.pass_until(2ms);
    EXPECT_EQ(b.sent(), segments{1});
    b.ack(2);
    EXPECT_EQ(b.sent(), segments{});
    b.pass_until(4ms);
    EXPECT_EQ(b.sent(), (segments{2, 3}));
    EXPECT_EQ(b.host.frames.size(), 0U);
    EXPECT_TRUE(b.ack(4));
}

TEST(tcp_sender, what_the_window_holds_back_waits_in_the_socket_and_needs_no_timer) {
    write_schedule written = segment_each_ms();
    written.add(10ms, 800_Mbps);  // a hundred segments each millisecond
    tcp_config config = small_segments();
    config.receive_window = 8_KB;
    config.initial_window = 8;
    sender_bench b(config, 1000, &written);
    for (std::uint64_t n = 1; n <= 10; ++n) {
        b.pass_until(picoseconds{1ms} * static_cast<std::int64_t>(n));
        EXPECT_EQ(b.sent(), segments{n - 1});
        b.ack(n);
    }
    b.pass_until(12ms);
    EXPECT_EQ(b.sent(), (segments{10, 11, 12, 13, 14, 15, 16, 17}));
    const std::size_t timers = b.timers();
    b.pass_until(14ms);
    EXPECT_EQ(b.timers(), timers);
    EXPECT_EQ(b.sent(), segments{});
    b.ack(18);  // 418 are written by now
    EXPECT_EQ(b.sent(), (segments{18, 19, 20, 21, 22, 23, 24, 25}));
    EXPECT_EQ(b.counters().timeouts, 0U);
}

TEST(tcp_sender, the_retransmission_timer_runs_only_while_something_is_outstanding) {
    write_schedule written;
    written.add(0_ps, 8_Mbps);
    written.add(1ms, 0_bps);
    written.add(999ms, 8_Mbps);
    sender_bench b(small_segments(), 10, &written);
    b.pass_until(1ms);
    b.ack(1);
    EXPECT_EQ(b.sender.rto(), 10ms);
    b.pass_until(1s);
    EXPECT_EQ(b.sender.timeouts(), 0U);
    EXPECT_EQ(b.sent(), (segments{0, 1}));
    EXPECT_EQ(b.next_timeout(), 1s + 10ms);  // from when the segment was sent, not from the ACK before it
    EXPECT_EQ(b.sent().back(), 1U);
}

TEST(tcp_sender, a_window_that_the_application_does_not_fill_grows_up_to_the_receivers) {
    write_schedule written;
    written.add(0_ps, 8_Mbps);
    tcp_config config = small_segments();
    config.receive_window = 20_KB;
    sender_bench b(config, 1000, &written);
    for (std::uint64_t n = 1; n <= 100; ++n) {
        b.pass_until(picoseconds{1ms} * static_cast<std::int64_t>(n));
        b.ack(n);
        EXPECT_LE(b.cwnd(), 20);
        EXPECT_EQ(b.sender.flight(), 0U);
    }
    EXPECT_EQ(b.cwnd(), 20);
}

TEST(tcp_sender, the_last_segment_goes_as_soon_as_it_is_written_however_short) {
    write_schedule written;
    written.add(0_ps, 8_Mbps);
    written.add(2ms + 300us, 0_bps);
    transport_context context;
    tcp_context tcp(small_segments());
    test::recording_host host;
    context.host = &host;
    ethernet_frame header;
    header.transfer.flow_bytes = 2'300;
    tcp_sender sender;
    sender.open(context, tcp, header, {1, 0}, 0, &written);
    while (context.timers.next_time() < 3ms) {
        context.now = context.timers.next_time();
        if (kind_of_timer(context.timers.pop().id) == timer_kind::tcp_written) {
            sender.on_written(context, tcp);
        }
    }
    ASSERT_EQ(host.frames.size(), 3U);
    EXPECT_EQ(host.frames[2].transfer.sequence, 2'000U);
    EXPECT_EQ(host.frames[2].frame_bytes, frame_length(tcp.header, 300));
    EXPECT_NE(host.frames[2].flags & last_segment, 0);
}

TEST(tcp_sender, transfers_beside_one_that_is_written_over_time_keep_their_windows) {
    transport_context context;
    tcp_config config = small_segments();
    config.receive_window = 5_KB;
    config.initial_window = 10;
    tcp_context tcp(config);
    test::recording_host host;
    context.host = &host;
    ethernet_frame header;
    header.transfer.flow_bytes = 100 * mss;
    std::vector<tcp_sender> senders(3);
    const write_schedule written = segment_each_ms();
    senders[2].open(context, tcp, header, {1, 0}, 2);
    senders[0].open(context, tcp, header, {1, 0}, 0);
    senders[1].open(context, tcp, header, {1, 0}, 1, &written);
    EXPECT_EQ(host.frames.size(), 10U);
    for (const std::uint32_t slot : {0U, 2U}) {
        ethernet_frame ack;
        ack.kind = frame_kind::tcp_ack;
        ack.transfer.sequence = mss;
        senders[slot].on_ack(context, tcp, ack);
        EXPECT_EQ(senders[slot].flight(), 5 * mss);
    }
    senders[1].open(context, tcp, header, {1, 0}, 1);
    EXPECT_EQ(senders[1].flight(), 5 * mss);
}

TEST(tcp_sender, cubic_and_vegas_are_told_the_window_that_the_receiver_has_now) {
    for (const congestion_kind kind : {named<congestion_kind>("cubic"), named<congestion_kind>("vegas")}) {
        tcp_config config = small_segments();
        config.congestion = kind;
        config.receive_window = 10_KB;
        config.receive_window_max = 100_KB;
        config.initial_window = 1;
        sender_bench b(config);
        // One segment under way at a time never fills seven eighths of the window in a round trip.
        for (std::uint64_t n = 1; n <= 400; ++n) {
            b.at(picoseconds{1ms} * static_cast<std::int64_t>(n));
            b.ack(n);
            ASSERT_LT(b.cwnd(), static_cast<double>(b.receive_window()) / mss + 1);
        }
        EXPECT_GT(b.cwnd(), 1);
    }
}

TEST(tcp_sender, duplicates_start_no_fast_retransmit_in_the_recovery_that_a_mark_began) {
    tcp_config config = small_segments();
    config.congestion = named<congestion_kind>("newreno_ecn");
    config.initial_window = 10;
    for (const bool ignored : {false, true}) {
        config.ignore_duplicates_after_mark = ignored;
        sender_bench b(config);
        b.ack(1);  // segments 10 and 11 go
        b.ack(2, true);
        EXPECT_EQ(b.cwnd(), 5.5);
        b.duplicates(3, 2);
        EXPECT_EQ(b.counters().fast_retransmits, ignored ? 0U : 1U);
    }
    config.ignore_duplicates_after_mark = true;
    sender_bench b(config);
    b.ack(1);
    b.duplicates(3, 1);  // nothing was marked
    EXPECT_EQ(b.counters().fast_retransmits, 1U);
}

}  // namespace
}  // namespace weir::traffic
