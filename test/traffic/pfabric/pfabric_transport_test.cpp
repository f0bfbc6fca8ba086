// pFabric's sender and receiver beside a literal reading of the paper, and whole transfers between hosts that a
// delay joins.
#include "weir/traffic/pfabric/pfabric_transport.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "literal_pfabric.h"
#include "support/loopback_network.h"
#include "support/sender_app.h"
#include "weir/base/rng.h"
#include "weir/traffic/pfabric/pfabric_receiver.h"
#include "weir/traffic/pfabric/pfabric_sender.h"

namespace weir::traffic {
namespace {

using test::literal_ack;
using test::literal_pfabric_receiver;
using test::literal_pfabric_sender;
using test::loopback_network;
using test::loopback_options;
using test::recording_host;
using test::sender_app;

// --- beside the literal ends --------------------------------------------------------------------------

/// A sender and a receiver, joined by a network that loses, delays and reorders, with the literal ones beside.
class compared_ends {
 public:
    compared_ends(std::uint64_t seed, const pfabric_config& config, bytes size)
        : m_chance(seed, 0, random_purpose::bit_errors),
          m_loss_percent(m_chance.below(40)),
          m_pfabric(config, {}, timer_kind{7}),
          m_literal{static_cast<std::uint64_t>((size + config.payload - 1_B) / config.payload), *config.window,
                    *config.rto, config.probe_after,
                    static_cast<std::uint64_t>(config.receive_window / config.payload)} {
        m_context.host = &m_host;
        ethernet_frame header;
        header.kind = frame_kind::pfabric_data;
        header.transfer = {9, 9, 0, static_cast<std::uint64_t>(size.count())};
        m_sender.open(m_context, m_pfabric, header, {}, 3);
        m_receiver.open(m_pfabric, header);
    }

    void run() {
        send_what_may_be();
        while (!m_is_done && !testing::Test::HasFailure()) {
            const picoseconds next = m_context.timers.next_time();
            const picoseconds arrival = m_mail.empty() ? never : m_mail.begin()->first.first;
            ASSERT_LT(std::min(next, arrival), 1s) << "nothing comes to an end";
            m_context.now = std::min(next, arrival);
            if (arrival <= next) {
                const ethernet_frame frame = m_mail.begin()->second;
                m_mail.erase(m_mail.begin());
                frame.kind == frame_kind::pfabric_ack ? hear(frame) : receive(frame);
            } else {
                wake();
            }
            compare();
            send_what_may_be();
        }
        EXPECT_EQ(m_sender.retransmits(), m_literal.retransmits);
        EXPECT_TRUE(m_received_all);
        EXPECT_EQ(m_pfabric.bitmaps.in_use(), 0U);
    }
    std::uint64_t probes() const { return m_context.counters.sent.frames_of(frame_kind::pfabric_probe); }
    std::uint64_t retransmits() const { return m_sender.retransmits(); }

 private:
    void compare() {
        if (m_is_done) {
            return;
        }
        EXPECT_EQ(m_sender.window(), m_literal.window);
        EXPECT_EQ(m_sender.left(), m_literal.left());
        EXPECT_EQ(m_sender.is_probing(), m_literal.probing);
        EXPECT_EQ(m_sender.timeouts(), m_literal.timeouts);
        EXPECT_EQ(m_sender.may_send(m_pfabric), m_literal.to_send().has_value());
    }
    void send_what_may_be() {
        while (!m_is_done && m_sender.may_send(m_pfabric) && !testing::Test::HasFailure()) {
            const auto expected = m_literal.to_send();
            ASSERT_TRUE(expected.has_value());
            m_host.outcome = m_chance.below(4) == 0 ? send_outcome::not_now : send_outcome::taken;
            m_host.frames.clear();
            const bool again = m_literal.ever_sent.count(*expected) != 0;
            if (!m_sender.send_next(m_context, m_pfabric)) {
                continue;
            }
            ASSERT_EQ(m_host.frames.size(), 1U);
            const ethernet_frame& f = m_host.frames[0];
            EXPECT_EQ(f.kind, frame_kind::pfabric_data);
            EXPECT_EQ(f.transfer.sequence, *expected * m_pfabric.payload);
            EXPECT_EQ(f.transfer.rank(), m_literal.left());
            EXPECT_EQ((f.flags & retransmitted) != 0, again);
            EXPECT_EQ((f.flags & last_segment) != 0, *expected + 1 == m_literal.frames);
            m_literal.send(*expected, m_context.now);
            post(f);
        }
        m_host.outcome = send_outcome::taken;
    }
    void post(const ethernet_frame& frame) {
        if (m_chance.below(100) >= m_loss_percent) {
            const auto late = picoseconds{1us} * static_cast<std::int64_t>(1 + m_chance.below(20));
            m_mail.emplace(std::make_pair(m_context.now + late, m_order++), frame);
        }
    }
    void receive(const ethernet_frame& frame) {
        if (m_received_all) {  // as the transport does for transfers that are over
            post(make_ack(m_pfabric, frame, frame.transfer.flow_bytes));
            return;
        }
        m_host.frames.clear();
        const std::uint64_t delivered = m_context.counters.delivered_bytes;
        m_received_all = m_receiver.on_frame(m_context, m_pfabric, frame);
        ASSERT_EQ(m_host.frames.size(), 1U);
        const ethernet_frame& ack = m_host.frames[0];
        const std::uint64_t number = frame.transfer.sequence / m_pfabric.payload;
        const literal_ack expected = frame.kind == frame_kind::pfabric_probe
                                         ? literal_ack{m_literal_receiver.next(), std::nullopt}
                                         : m_literal_receiver.take(number);
        EXPECT_EQ(ack.transfer.sequence,
                  std::min<std::uint64_t>(expected.next * m_pfabric.payload, frame.transfer.flow_bytes));
        EXPECT_EQ(ack.transfer.selected(), expected.which ? *expected.which - expected.next : 0);
        EXPECT_EQ(ack.transfer.rank(), 0U);
        EXPECT_EQ(m_received_all, expected.next == m_literal.frames);
        EXPECT_EQ(m_context.counters.delivered_bytes, ack.transfer.sequence);
        EXPECT_GE(m_context.counters.delivered_bytes, delivered);
        post(ack);
    }
    void hear(const ethernet_frame& ack) {
        const std::uint64_t next = (ack.transfer.sequence + m_pfabric.payload - 1) / m_pfabric.payload;
        const std::uint32_t selected = ack.transfer.selected();
        m_literal.hear({next, selected > 0 ? std::optional(next + selected) : std::nullopt}, m_context.now);
        m_is_done = m_sender.on_ack(m_context, m_pfabric, ack);
        EXPECT_EQ(m_is_done, m_literal.left() == 0);
    }
    void wake() {
        const timer_entry entry = m_context.timers.pop();
        EXPECT_EQ(kind_of_timer(entry.id), timer_kind{7});
        EXPECT_EQ(index_of_timer(entry.id), 3U);
        m_host.frames.clear();
        m_sender.on_timer(m_context, m_pfabric, entry);
        if (m_literal.deadline != m_context.now) {
            EXPECT_TRUE(m_host.frames.empty());
            return;
        }
        const bool probes = m_literal.time_out(m_context.now);
        ASSERT_EQ(m_host.frames.size(), probes ? 1U : 0U);
        if (probes) {
            EXPECT_EQ(m_host.frames[0].kind, frame_kind::pfabric_probe);
            EXPECT_EQ(m_host.frames[0].frame_bytes, 64);
            EXPECT_EQ(m_host.frames[0].transfer.rank(), m_literal.left());
            post(m_host.frames[0]);
        }
    }

    random_stream m_chance;
    std::uint64_t m_loss_percent;
    recording_host m_host;
    transport_context m_context;
    pfabric_context m_pfabric;
    pfabric_sender m_sender;
    pfabric_receiver m_receiver;
    literal_pfabric_sender m_literal;
    literal_pfabric_receiver m_literal_receiver;
    std::map<std::pair<picoseconds, std::uint64_t>, ethernet_frame> m_mail;
    std::uint64_t m_order = 0;
    bool m_received_all = false;
    bool m_is_done = false;
};

TEST(pfabric, both_ends_do_frame_by_frame_what_the_paper_says_whatever_is_lost_late_and_reordered) {
    std::uint64_t probes = 0;
    std::uint64_t retransmits = 0;
    for (std::uint64_t seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        random_stream chance(seed, 1, random_purpose::bit_errors);
        pfabric_config config;
        config.payload = bytes{1 + static_cast<std::int64_t>(chance.below(1'460))};
        config.window = static_cast<std::uint32_t>(1 + chance.below(30));
        config.rto = picoseconds{5us} * static_cast<std::int64_t>(1 + chance.below(20));
        config.probe_after = static_cast<std::uint32_t>(1 + chance.below(6));
        config.receive_window = config.payload * static_cast<std::int64_t>(1 + chance.below(70));
        const auto size = bytes{1 + static_cast<std::int64_t>(chance.below(
                                        static_cast<std::uint32_t>(150 * config.payload.count())))};
        compared_ends ends(seed, config, size);
        ends.run();
        probes += ends.probes();
        retransmits += ends.retransmits();
    }
    EXPECT_GT(probes, 1'000U);
    EXPECT_GT(retransmits, 10'000U);
}

TEST(pfabric, window_and_timeout_follow_from_the_longest_round_trip_unless_they_are_set) {
    pfabric_config config;
    const auto made = [&](picoseconds round_trip) {
        return pfabric_context(config, {10_Gbps, 20_B, round_trip}, timer_kind{7});
    };
    // A full frame of 1,538 B takes 1.2304 us.
    EXPECT_EQ(made(12'304ns).window, 10U);
    EXPECT_EQ(made(12'304ns + 1_ps).window, 11U);
    EXPECT_EQ(made(12'304ns).rto, 36'912ns);
    EXPECT_EQ(made(0_ps).window, 12U) << "the paper's, where the fabric is not known";
    EXPECT_EQ(made(0_ps).rto, 45us);
    EXPECT_EQ(made(1_ps).window, 1U);
    EXPECT_EQ(made(1s).window, 65'535U) << "the longest";
    config.window = 3;
    config.rto = 350us;
    EXPECT_EQ(made(12'304ns).window, 3U);
    EXPECT_EQ(made(12'304ns).rto, 350us);
}

TEST(pfabric_config, a_receive_window_holds_a_frame_and_at_most_1048576) {
    pfabric_config config;
    for (const std::int64_t payload : {1, 2, 1460}) {
        config.payload = bytes{payload};
        const auto errors = [&](std::int64_t window) {
            config.receive_window = bytes{window};
            return config.validate().size();
        };
        EXPECT_EQ(errors(payload), 0U);
        EXPECT_EQ(errors(payload - 1), 1U);
        const std::int64_t frames =
            std::min<std::int64_t>(std::int64_t{1} << 20, (std::int64_t{1} << 30) / payload);
        EXPECT_EQ(errors(frames * payload), 0U);
        if (frames == std::int64_t{1} << 20) {
            EXPECT_EQ(errors((frames + 1) * payload), 1U) << payload;
        }
    }
}

// --- whole hosts --------------------------------------------------------------------------------------

sender_app& send(loopback_network& net, std::vector<bytes> sizes) {
    return test::send_over(net, named<transport_kind>("pfabric"), std::move(sizes));
}

TEST(pfabric_transport, delivers_every_byte_once_whatever_is_lost_and_late) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        loopback_options options;
        options.endpoint.pfabric.rto = 100us;
        loopback_network net(options);
        random_stream chance(seed, 0, random_purpose::bit_errors);
        const auto percent = static_cast<std::uint32_t>(1 + 3 * seed);
        net.set_rule([&](const ethernet_frame&) {
            return loopback_network::fate{chance.below(100) < percent,
                                          chance.below(100) < 30 ? picoseconds{20us} : 0_ps};
        });
        const sender_app& app = send(net, {300_KB, 1_B, 77'777_B, 1460_B, 1_MB});
        EXPECT_EQ(app.sent, 5U);
        EXPECT_EQ(net[1].log().deliveries.size(), 5U);
        EXPECT_EQ(net[1].counters().delivered_bytes, 300'000U + 1 + 77'777 + 1'460 + 1'000'000);
        EXPECT_EQ(net[0].flows_open(), 0U);
        EXPECT_EQ(net[1].incoming(), 0U);
        EXPECT_GT(net[0].counters().retransmits, 0U);
    }
}

TEST(pfabric_transport, a_sender_that_nobody_answers_probes_once_per_timeout_and_goes_on_at_the_answer) {
    loopback_options options;
    options.endpoint.pfabric.rto = 50us;
    loopback_network net(options);
    std::vector<picoseconds> probes;
    net.set_rule([&](const ethernet_frame& frame) {
        if (frame.kind == frame_kind::pfabric_probe) {
            EXPECT_EQ(frame.frame_bytes, 64);
            EXPECT_EQ(frame.transfer.rank(), 20U) << "nothing has arrived";
            probes.push_back(net.now());
        }
        return loopback_network::fate{net.now() < 500us, 0_ps};
    });
    send(net, {20 * 1460_B});
    ASSERT_EQ(net[1].log().deliveries.size(), 1U);
    // Data at 0, 50, 100, 150 and 200 us; then probes.
    ASSERT_EQ(probes.size(), 6U);
    for (std::size_t i = 0; i < probes.size(); ++i) {
        EXPECT_EQ(probes[i], 250us + 50us * static_cast<std::int64_t>(i));
    }
    EXPECT_EQ(net[0].counters().timeouts, 10U);
    // The window of 12, four times the first frame, and the window again.
    EXPECT_EQ(net[0].counters().retransmits, 4U + 12U);
    EXPECT_LT(net[1].log().deliveries[0].end, 550us);
}

/// One that takes so many frames of data and says "not now" to more.
class short_nic final : public host_services {
 public:
    send_outcome send(const ethernet_frame& frame) override {
        if (room == 0) {
            return send_outcome::not_now;
        }
        --room;
        sent.push_back(frame.transfer.flow);
        return send_outcome::taken;
    }
    picoseconds now() const override { return 0_ps; }
    void wake_at(picoseconds) override {}
    host_id id() const override { return 0; }
    ipv4_address address() const override { return ipv4_address{0x0A000001}; }
    bit_rate link_rate() const override { return 10_Gbps; }
    bytes nic_backlog() const override { return 0_B; }
    void fail(const std::string& what) override { ADD_FAILURE() << what; }

    unsigned room = 1;
    std::vector<std::uint64_t> sent;
};

TEST(pfabric_transport, the_nic_gets_the_frame_of_the_transfer_with_the_least_left) {
    const loopback_network addresses{{}};
    loopback_options options;
    options.endpoint.addresses = &addresses;
    options.endpoint.pfabric.window = 2;
    traffic_endpoint host(options.endpoint);
    host.add(
        std::make_unique<sender_app>(named<transport_kind>("pfabric"),
                                     std::vector<bytes>{50 * 1460_B, 3 * 1460_B, 1_B, 3 * 1460_B, 9 * 1460_B}));
    short_nic nic;
    host.start(nic);
    for (int i = 0; i < 20; ++i) {
        nic.room = 1;
        host.ready();
    }
    // The first was alone when it began; two at a time are under way, and of equals the first goes first.
    EXPECT_EQ(nic.sent, (std::vector<std::uint64_t>{0, 4, 2, 2, 6, 6, 8, 8, 0}));
}

}  // namespace
}  // namespace weir::traffic
