// An adapter with VOQs: turns, classes, memory, rate limiters, against a literal one that looks at every VOQ.
#include "weir/model/host/voq_queues.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <vector>

using namespace weir;
using namespace weir::model;

namespace {

constexpr bit_rate line = 10_Gbps;
constexpr bytes overhead{20};

struct adapter {
    explicit adapter(const host_config& host_in = {}, const qcn_config& qcn_in = plain())
        : host(host_in), qcn(qcn_in), queues({host, line, slab, qcn, overhead}) {}

    static qcn_config plain() {
        qcn_config config;
        config.cycle_jitter = 0;
        config.min_rate = 100'000_bps;
        return config;
    }
    static ethernet_frame frame(std::uint32_t dst, std::uint64_t flow = 0, pfc_class priority = 0,
                                std::uint16_t length = 1480) {
        ethernet_frame f;
        f.kind = frame_kind::tcp_data;
        f.dst = ipv4_address{dst};
        f.priority = priority;
        f.frame_bytes = length;
        f.transfer.flow = flow & transfer_fields::flow_mask;
        return f;
    }
    void put(const ethernet_frame& f, picoseconds now = 0_ps) {
        ASSERT_EQ(queues.admit(f, bytes{held}, now), send_outcome::taken);
        enqueue(f, now);
    }
    /// One that was admitted.
    void enqueue(const ethernet_frame& f, picoseconds now = 0_ps) {
        held += f.frame_bytes;
        const frame_slot slot = slab.put(f);
        slab.route(slot).frame_class = f.priority;
        ASSERT_EQ(queues.enqueue(slot, now), no_slot);
    }
    std::optional<ethernet_frame> take(picoseconds now, class_mask classes = 0xFF) {
        const frame_slot slot = queues.dequeue(classes, now);
        if (slot == no_slot) {
            return std::nullopt;
        }
        const ethernet_frame f = slab.frame(slot);
        slab.release(slot);
        held -= f.frame_bytes;
        return f;
    }
    std::uint32_t taken_destination(picoseconds now, class_mask classes = 0xFF) {
        const auto f = take(now, classes);
        return f ? to_uint(f->dst) : 0;
    }
    void notify(std::uint32_t dst, std::uint8_t feedback, picoseconds now, std::uint64_t flow = 0,
                pfc_class c = 0) {
        ethernet_frame message;
        message.kind = frame_kind::qcn;
        message.notification = notification_fields{};
        message.notification.sampled_dst = ipv4_address{dst};
        message.notification.flow = flow;
        message.notification.sampled_class = c;
        message.notification.feedback = feedback;
        EXPECT_TRUE(queues.takes_notification(message, now));
    }

    host_config host;
    qcn_config qcn;
    frame_slab slab;
    voq_queues queues;
    /// What waits.
    std::int64_t held = 0;
};

TEST(voq_queues, serve_the_most_urgent_class_and_in_it_the_destinations_in_turn) {
    adapter a;
    for (int i = 0; i < 3; ++i) {
        a.put(adapter::frame(1));
    }
    for (int i = 0; i < 2; ++i) {
        a.put(adapter::frame(2));
        a.put(adapter::frame(3, 0, 5));
    }
    EXPECT_EQ(a.queues.backlog(), 0b100001);
    EXPECT_EQ(a.taken_destination(0_ps, 0b1), 1U) << "class 5 is paused";
    for (const std::uint32_t expected : {3U, 3U, 2U, 1U, 2U, 1U, 0U}) {
        EXPECT_EQ(a.taken_destination(0_ps), expected);
    }
    EXPECT_EQ(a.queues.backlog(), 0);
    EXPECT_EQ(a.queues.in_use(), 0U);
}

TEST(voq_queues, hold_as_much_as_is_free_beside_them_and_then_let_software_wait_in_its_order) {
    host_config host;
    host.nic_buffer = 8'000_B;
    adapter a(host);
    const ethernet_frame long_one = adapter::frame(1);  // 1,480 B
    const ethernet_frame short_one = adapter::frame(1, 0, 0, 64);
    a.put(long_one);
    a.put(long_one);
    EXPECT_EQ(a.queues.admit(long_one, bytes{a.held}, 0_ps), send_outcome::taken);  // 4,440 of 5,040 B free
    a.enqueue(long_one);
    EXPECT_EQ(a.queues.admit(long_one, bytes{a.held}, 0_ps), send_outcome::not_this);
    EXPECT_EQ(a.queues.admit(short_one, bytes{a.held}, 0_ps), send_outcome::not_this) << "it would overtake";
    // Another destination has room.
    a.put(adapter::frame(2));
    EXPECT_FALSE(a.queues.takes_again());
    EXPECT_EQ(a.taken_destination(1us), 1U);
    EXPECT_FALSE(a.queues.takes_again()) << "more than half of it is there";
    EXPECT_EQ(a.taken_destination(1us), 2U);
    EXPECT_EQ(a.taken_destination(1us), 1U);
    EXPECT_TRUE(a.queues.takes_again());
    EXPECT_FALSE(a.queues.takes_again()) << "told once";
    EXPECT_EQ(a.queues.admit(long_one, bytes{a.held}, 1us), send_outcome::taken);
}

TEST(voq_queues, that_starve_are_told_of_room_by_any_frame_that_leaves) {
    host_config host;
    host.nic_buffer = 2'000_B;
    adapter a(host);
    a.put(adapter::frame(1, 0, 0, 1'000));
    const ethernet_frame other = adapter::frame(2, 0, 0, 1'200);
    EXPECT_EQ(a.queues.admit(other, bytes{a.held}, 0_ps), send_outcome::not_this);
    a.take(0_ps);
    EXPECT_TRUE(a.queues.takes_again());
    EXPECT_EQ(a.queues.admit(other, bytes{a.held}, 0_ps), send_outcome::taken);
}

TEST(voq_queues, that_starved_are_forgotten_though_nobody_comes_again) {
    host_config host;
    host.nic_buffer = 2'000_B;
    adapter a(host);
    a.put(adapter::frame(1, 0, 0, 1'000));
    EXPECT_EQ(a.queues.admit(adapter::frame(2, 0, 0, 1'200), bytes{a.held}, 0_ps), send_outcome::not_this);
    EXPECT_EQ(a.queues.in_use(), 2U) << "its later frames are refused too";
    a.take(0_ps);
    EXPECT_EQ(a.queues.in_use(), 0U);
}

TEST(voq_queues, discard_what_limiters_keep_without_counting_it_as_sent) {
    adapter a;
    a.notify(1, 63, 0_ps);
    const bit_rate limited = a.queues.rate_of(adapter::frame(1), 0_ps);
    for (int i = 0; i < 3; ++i) {
        a.put(adapter::frame(1));
        a.put(adapter::frame(2));
    }
    EXPECT_EQ(a.taken_destination(0_ps), 1U);
    const picoseconds gap = a.queues.next_release(0_ps);
    for (int left = 5; left > 0; --left) {
        EXPECT_EQ(a.queues.backlog(), 1) << left;
        const frame_slot slot = a.queues.discard(1us);
        ASSERT_NE(slot, no_slot) << left;
        a.held -= a.slab.frame(slot).frame_bytes;
        a.slab.release(slot);
    }
    EXPECT_EQ(a.queues.discard(1us), no_slot);
    EXPECT_EQ(a.queues.backlog(), 0);
    EXPECT_EQ(a.queues.next_release(1us), never);
    EXPECT_EQ(a.queues.in_use(), 1U) << "the limiter stays";
    EXPECT_EQ(a.queues.rate_of(adapter::frame(1), 1us), limited);
    // The next frame waits for the one that was sent, and for none that was lost.
    a.put(adapter::frame(1), 1us);
    EXPECT_EQ(a.queues.next_release(1us), gap);
    EXPECT_EQ(a.taken_destination(gap), 1U);
}

TEST(voq_queues, drop_the_datagrams_that_find_no_room) {
    host_config host;
    host.nic_buffer = 2'000_B;
    adapter a(host);
    ethernet_frame datagram = adapter::frame(1, 0, 0, 900);
    datagram.kind = frame_kind::udp;
    a.put(datagram);
    EXPECT_EQ(a.queues.admit(datagram, bytes{a.held}, 0_ps), send_outcome::dropped);
    a.take(0_ps);
    EXPECT_FALSE(a.queues.takes_again());
    a.put(datagram);
}

TEST(voq_queues, take_one_frame_of_data_that_is_fetched_for_each_voq) {
    adapter a;
    ethernet_frame data = adapter::frame(1, 7);
    data.kind = frame_kind::roce_data;
    ethernet_frame other = adapter::frame(2, 8);
    other.kind = frame_kind::roce_data;
    a.put(data);
    EXPECT_EQ(a.queues.admit(data, bytes{a.held}, 0_ps), send_outcome::not_this);
    ethernet_frame answer = data;  // an ACK of what comes the other way has nothing to wait for
    answer.kind = frame_kind::roce_ack;
    EXPECT_EQ(a.queues.admit(answer, bytes{a.held}, 0_ps), send_outcome::taken);
    a.put(other);
    EXPECT_EQ(a.taken_destination(0_ps), 1U);
    EXPECT_TRUE(a.queues.takes_again());
    a.put(data);
    EXPECT_EQ(a.taken_destination(0_ps), 2U);
    EXPECT_FALSE(a.queues.takes_again()) << "nothing of it was refused";
    EXPECT_EQ(a.queues.in_use(), 1U);
}

TEST(voq_queues, space_the_frames_of_a_limited_destination_and_of_no_other) {
    adapter a;
    a.notify(1, 63, 0_ps);
    const double rate = 10e9 * (1 - 63.0 / 128);
    for (int i = 0; i < 3; ++i) {
        a.put(adapter::frame(1));
        a.put(adapter::frame(2));
    }
    EXPECT_EQ(a.queues.rate_of(adapter::frame(1), 0_ps), bit_rate{static_cast<std::int64_t>(rate)});
    EXPECT_EQ(a.queues.rate_of(adapter::frame(2), 0_ps), line);
    EXPECT_EQ(a.taken_destination(0_ps), 1U) << "the first one has nothing to wait for";
    EXPECT_EQ(a.taken_destination(0_ps), 2U);
    EXPECT_EQ(a.taken_destination(0_ps), 2U);
    EXPECT_EQ(a.taken_destination(0_ps), 2U);
    EXPECT_EQ(a.taken_destination(0_ps), 0U);
    const picoseconds gap{static_cast<std::int64_t>(1'500 * 8 / rate * 1e12)};
    EXPECT_EQ(a.queues.next_release(0_ps), gap);
    EXPECT_EQ(a.queues.backlog(), 1);
    EXPECT_EQ(a.taken_destination(gap - 1_ps), 0U);
    EXPECT_EQ(a.taken_destination(gap), 1U);
    EXPECT_EQ(a.queues.next_release(gap), 2 * gap);
}

TEST(voq_queues, stretch_what_is_left_of_a_wait_when_the_rate_changes) {
    adapter a;
    a.notify(1, 63, 0_ps);
    a.put(adapter::frame(1));
    a.put(adapter::frame(1));
    a.take(0_ps);
    const picoseconds gap = a.queues.next_release(0_ps);
    const picoseconds half = gap / 2;
    a.notify(1, 63, half);
    const auto left = static_cast<double>((gap - half).count()) / (1 - 63.0 / 128);
    EXPECT_NEAR(static_cast<double>((a.queues.next_release(half) - half).count()), left, 2);
}

TEST(voq_queues, wake_for_a_cycle_of_the_timer_that_shortens_a_long_wait) {
    qcn_config qcn = adapter::plain();
    qcn.timer = 1ms;
    qcn.extra_fast_recovery = false;
    adapter a({}, qcn);
    for (int i = 0; i < 40; ++i) {
        a.notify(1, 63, 0_ps);  // down to 100 kb/s: 120 ms a frame
    }
    a.put(adapter::frame(1));
    a.put(adapter::frame(1));
    a.take(0_ps);
    EXPECT_EQ(a.queues.next_release(0_ps), 1ms);
    EXPECT_EQ(a.taken_destination(1ms), 0U);
    // From 1 ms on at half of 10 Gb/s: what is left of 12,000 bits takes 2.4 us.
    EXPECT_LT(a.queues.next_release(1ms), 1ms + 3us);
    EXPECT_EQ(a.taken_destination(1ms + 3us), 1U);
}

TEST(voq_queues, by_transfer_limit_one_of_two_to_the_same_destination_and_forget_what_is_over) {
    host_config host;
    host.voq = voq_of::transfer;
    adapter a(host);
    a.notify(1, 63, 0_ps, 5);
    EXPECT_LT(a.queues.rate_of(adapter::frame(1, 5), 0_ps), line);
    EXPECT_EQ(a.queues.rate_of(adapter::frame(1, 6), 0_ps), line);
    for (std::uint64_t flow = 100; flow < 5'000; ++flow) {
        a.notify(1, 1, static_cast<int>(flow) * 1ms, flow);
    }
    EXPECT_LT(a.queues.in_use(), 800U) << "limiters without frames go when their rates have come back";
}

// --- against a literal adapter ---------------------------------------------------------------------------

/// One VOQ for each (destination, class), looked at one by one.
class literal_adapter {
 public:
    explicit literal_adapter(const qcn_config& qcn) : m_rule(qcn, line) {}

    void put(const ethernet_frame& f, picoseconds now) {
        entry& e = at(to_uint(f.dst), f.priority);
        e.frames.push_back(f);
        if (e.frames.size() == 1) {
            line_up(e, now);
        }
    }
    void notify(std::uint32_t dst, pfc_class c, std::uint8_t feedback, picoseconds now) {
        entry& e = at(dst, c);
        advance(e, now - 1_ps);
        const double before = e.limit.limits() ? e.limit.current : 10e9;
        m_rule.on_notification(e.limit, feedback, now, 1, 1);
        stretch(e, now, before);
    }
    std::optional<ethernet_frame> take(picoseconds now) {
        // Those whose wait is over take their turns in the order in which it was over.
        for (;;) {
            entry* first = nullptr;
            for (auto& [key, e] : m_voqs) {
                if (e.waits && (first == nullptr || wake(e) < wake(*first))) {
                    first = &e;
                }
            }
            if (first == nullptr || wake(*first) > now) {
                break;
            }
            advance(*first, now);
            if (first->release <= now) {
                first->waits = false;
                first->turn = ++m_turns;
            }
        }
        entry* next = nullptr;
        for (auto& [key, e] : m_voqs) {
            const bool is_ready = !e.frames.empty() && !e.waits;
            if (is_ready && (next == nullptr || e.frames[0].priority > next->frames[0].priority ||
                             (e.frames[0].priority == next->frames[0].priority && e.turn < next->turn))) {
                next = &e;
            }
        }
        if (next == nullptr) {
            return std::nullopt;
        }
        const ethernet_frame f = next->frames.front();
        next->frames.pop_front();
        advance(*next, now);
        if (next->limit.limits()) {
            m_rule.on_sent(next->limit, f.frame_bytes, 1);
        }
        if (next->limit.limits()) {
            const auto bits = static_cast<double>((f.length() + overhead).count() * 8);
            next->release = now + picoseconds{static_cast<std::int64_t>(bits / next->limit.current * 1e12)};
        }
        if (!next->frames.empty()) {
            line_up(*next, now);
        }
        return f;
    }
    picoseconds next_release() const {
        picoseconds first = never;
        for (const auto& [key, e] : m_voqs) {
            first = e.waits ? std::min(first, wake(e)) : first;
        }
        return first;
    }

 private:
    struct entry {
        std::deque<ethernet_frame> frames;
        qcn_limit limit;
        picoseconds release{0};
        std::uint64_t turn = 0;
        bool waits = false;
    };
    static picoseconds wake(const entry& e) { return std::min(e.release, e.limit.timer_at); }
    entry& at(std::uint32_t dst, pfc_class c) { return m_voqs[{dst, c}]; }
    void line_up(entry& e, picoseconds now) {
        advance(e, now);
        e.waits = e.limit.limits() && e.release > now;
        e.turn = e.waits ? 0 : ++m_turns;
    }
    void advance(entry& e, picoseconds now) {
        while (e.limit.timer_at <= now) {
            const picoseconds at = e.limit.timer_at;
            const double before = e.limit.current;
            m_rule.on_timer(e.limit, 1);
            stretch(e, at, before);
        }
    }
    static void stretch(entry& e, picoseconds now, double before) {
        if (e.release > now) {
            const auto left = static_cast<double>((e.release - now).count());
            e.release = now + picoseconds{static_cast<std::int64_t>(left * before / e.limit.current)};
        }
    }

    qcn_reaction m_rule;
    std::map<std::pair<std::uint32_t, pfc_class>, entry> m_voqs;
    std::uint64_t m_turns = 0;
};

TEST(voq_queues, send_what_a_literal_adapter_sends_when_it_does) {
    qcn_config qcn = adapter::plain();
    qcn.timer = 40us;
    qcn.byte_limit = 9'000_B;
    adapter a({}, qcn);
    literal_adapter literal(qcn);
    random_stream chance{11, 0, random_purpose::arrivals};
    picoseconds now{0};
    std::uint64_t sent = 0;
    for (int i = 0; i < 60'000; ++i) {
        const unsigned what = chance.below(20);
        if (what < 8) {
            ethernet_frame f = adapter::frame(1 + chance.below(12), static_cast<std::uint64_t>(i),
                                              static_cast<pfc_class>(chance.below(2)),
                                              static_cast<std::uint16_t>(64 + chance.below(1'400)));
            a.put(f, now);
            literal.put(f, now);
        } else if (what == 8) {
            const std::uint32_t dst = 1 + chance.below(12);
            const auto c = static_cast<pfc_class>(chance.below(2));
            const auto feedback = static_cast<std::uint8_t>(1 + chance.below(63));
            a.notify(dst, feedback, now, 0, c);
            literal.notify(dst, c, feedback, now);
        } else {
            const auto got = a.take(now);
            const auto expected = literal.take(now);
            ASSERT_EQ(got.has_value(), expected.has_value()) << i;
            if (got) {
                ASSERT_EQ(got->transfer.flow, expected->transfer.flow) << i;
                ++sent;
                now += transmission_time(got->length() + overhead, line);
            }
            ASSERT_EQ(a.queues.next_release(now), literal.next_release()) << i;
            if (!got && chance.below(3) == 0) {
                now = std::min(now + 5us, std::max(now, literal.next_release()));
            }
        }
        now += picoseconds{chance.below(300'000)};
    }
    EXPECT_GT(sent, 20'000U);
}

}  // namespace
