#include "weir/traffic/host/traffic_endpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/errors_said.h"
#include "support/loopback_network.h"
#include "weir/traffic/udp/udp_transport.h"

namespace weir::traffic {
namespace {

using test::loopback_network;
using test::loopback_options;

/// Starts a list of transfers at their times, and takes down what it hears.
class scripted final : public application {
 public:
    struct step {
        picoseconds time;
        transfer_request request;
    };
    explicit scripted(std::vector<step> steps = {}, std::optional<std::uint8_t> tag = std::nullopt)
        : m_steps(std::move(steps)), m_tag(tag) {}

    void start(application_services& services) override {
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            services.set_timer(m_steps[i].time, i);
        }
    }
    void on_timer(application_services& services, std::uint64_t cookie) override {
        order.push_back(cookie);
        services.start_transfer(m_steps[cookie].request);
    }
    void on_received(application_services& services, const received_transfer& transfer) override {
        received.push_back(transfer);
        if (transfer.reply_bytes > 0_B) {
            transfer_request reply;
            reply.dst = transfer.src;
            reply.flow_bytes = transfer.reply_bytes;
            reply.flow = services.next_flow();
            reply.job = transfer.job;
            services.start_transfer(reply);
        }
    }
    void on_sent(application_services&, const transfer_request& transfer) override { sent.push_back(transfer); }
    bool exhausted() const override { return order.size() == m_steps.size(); }
    std::optional<std::uint8_t> claimed_tag() const override { return m_tag; }

    std::vector<std::uint64_t> order;
    std::vector<received_transfer> received;
    std::vector<transfer_request> sent;

 private:
    std::vector<step> m_steps;
    std::optional<std::uint8_t> m_tag;
};

scripted& add_script(traffic_endpoint& endpoint, std::vector<scripted::step> steps = {},
                     std::optional<std::uint8_t> tag = std::nullopt) {
    auto app = std::make_unique<scripted>(std::move(steps), tag);
    scripted& kept = *app;
    endpoint.add(std::move(app));
    return kept;
}

transfer_request to(host_id dst, bytes flow_bytes, std::uint64_t flow) {
    transfer_request request;
    request.dst = dst;
    request.flow_bytes = flow_bytes;
    request.flow = flow;
    request.job = flow;
    return request;
}
transfer_request datagrams_to(host_id dst, bytes flow_bytes, std::uint64_t flow, bit_rate rate = 0_bps) {
    transfer_request request = to(dst, flow_bytes, flow);
    request.transport = datagram_transport;
    request.udp_rate = rate;
    return request;
}

/// Runs one transfer from host 0 to host 1 and gives its completion time.
picoseconds completion(loopback_network& net, const transfer_request& request) {
    add_script(net[0], {{0_ps, request}});
    net.start();
    net.run();
    const auto& deliveries = net[1].log().deliveries;
    EXPECT_EQ(deliveries.size(), 1U);
    return deliveries.empty() ? never : deliveries[0].end - deliveries[0].start;
}

/// Its transfers are jobs by themselves; it does not hear of what was sent.
class reporting final : public application {
 public:
    explicit reporting(bool other_jobs) : m_other_jobs(other_jobs) {}

    void start(application_services&) override {}
    void on_timer(application_services&, std::uint64_t) override {}
    void on_received(application_services& services, const received_transfer& transfer) override {
        if (m_other_jobs) {
            job_record other;
            other.job = 1'000 + transfer.job;
            other.end = services.now();
            services.job_done(other);
        }
    }
    void on_sent(application_services&, const transfer_request&) override { ADD_FAILURE() << "told"; }
    bool awaits_sent() const override { return false; }
    bool exhausted() const override { return true; }
    bool is_job(std::uint8_t) const override { return true; }

 private:
    bool m_other_jobs;
};

TEST(traffic_endpoint, logs_a_transfer_that_is_a_job_once_and_other_jobs_with_their_place_among_them) {
    for (const bool other_jobs : {false, true}) {
        loopback_network net({});
        scripted& from = add_script(net[0], {{0_ps, datagrams_to(1, 1'000_B, 4)}, {5us, to(1, 3'000_B, 7)}});
        net[1].add(std::make_unique<reporting>(other_jobs));
        net.start();
        net.run();
        const host_log& log = net[1].log();
        ASSERT_EQ(log.deliveries.size(), 2U);
        EXPECT_EQ(from.sent.size(), 2U);
        EXPECT_EQ(net[1].last_job_end(), log.deliveries[1].end);
        for (std::size_t i = 0; i < 2; ++i) {
            const delivery_record& d = log.deliveries[i];
            EXPECT_EQ(d.src, 0U);
            EXPECT_TRUE(d.is_job);
            const job_record job = job_of(d);
            EXPECT_EQ(job.job, d.job);
            EXPECT_EQ(job.kind, job_kind::flow);
            EXPECT_EQ(job.src, d.src);
            EXPECT_EQ(job.job_bytes, d.flow_bytes);
            EXPECT_EQ(job.transfers, 1U);
            EXPECT_EQ(job.start, d.start);
            EXPECT_EQ(job.end, d.end);
        }
        ASSERT_EQ(log.jobs.size(), other_jobs ? 2U : 0U);
        for (std::size_t i = 0; i < log.jobs.size(); ++i) {
            EXPECT_EQ(log.jobs[i].deliveries, i + 1);
        }
        // Nothing is known of a datagram's fate.
        ASSERT_EQ(net[0].log().senders.size(), 1U);
        EXPECT_EQ(net[0].log().senders[0].flow, 7U);
        ASSERT_EQ(net[0].log().unconfirmed.size(), 1U);
        EXPECT_EQ(net[0].log().unconfirmed[0].flow, 4U);
        EXPECT_EQ(net[0].log().unconfirmed[0].dst, 1U);
    }
}

TEST(traffic_endpoint, a_receiver_says_how_much_of_an_unfinished_transfer_it_has) {
    // A short last segment, and a second one that never arrives.
    for (const transport_kind transport : {transport_kind{}, named<transport_kind>("pfabric"),
                                           named<transport_kind>("roce"), datagram_transport}) {
        loopback_network net({});
        const auto is_data = [](const ethernet_frame& frame) {
            return frame.kind == frame_kind::tcp_data || frame.kind == frame_kind::pfabric_data ||
                   frame.kind == frame_kind::roce_data || frame.kind == frame_kind::udp;
        };
        std::uint64_t payload = 0;
        net.set_rule([&](const ethernet_frame& frame) {
            const std::uint64_t offset = frame.transfer.sequence;
            payload = is_data(frame) && offset > 0 && payload == 0 ? offset : payload;
            return loopback_network::fate{is_data(frame) && offset > 0 && offset == payload, 0_ps};
        });
        transfer_request request = to(1, 7'000_B, 3);
        request.transport = transport;
        add_script(net[0], {{0_ps, request}});
        net.start();
        net.run(100us);
        ASSERT_GT(payload, 0U);
        std::vector<open_transfer> open = net[0].open_transfers(9);
        if (transport == datagram_transport) {
            EXPECT_TRUE(open.empty());
            open.push_back({});
            open[0].flow = 3;
            open[0].transport = transport;
        }
        ASSERT_EQ(open.size(), 1U);
        // Go-back-N keeps nothing behind a gap.
        EXPECT_EQ(net[1].received_bytes(open[0]),
                  transport == named<transport_kind>("roce") ? payload : 7'000 - payload)
            << static_cast<int>(transport);
    }
}

TEST(traffic_endpoint, does_not_tell_an_application_that_does_not_ask_what_was_sent) {
    class sending final : public application {
     public:
        void start(application_services& services) override {
            services.start_transfer(to(1, 100_B, 1));
            services.start_transfer(datagrams_to(1, 5'000_B, 2));
        }
        void on_timer(application_services&, std::uint64_t) override {}
        void on_received(application_services&, const received_transfer&) override {}
        void on_sent(application_services&, const transfer_request&) override { ADD_FAILURE() << "told"; }
        bool awaits_sent() const override { return false; }
        bool exhausted() const override { return true; }
    };
    loopback_network net({});
    net[0].add(std::make_unique<sending>());
    net.start();
    net.run();
    EXPECT_EQ(net[1].log().deliveries.size(), 2U);
    EXPECT_EQ(net[0].flows_open(), 0U);
}

// Unloaded completion times --------------------------------------------------------------------------

TEST(traffic_endpoint, one_segment_takes_its_serialisation_and_the_latency) {
    loopback_network net({});
    // 1,460 + 58 + 20 B at 0.8 ns/B, and 1 us.
    EXPECT_EQ(completion(net, to(1, 1460_B, 1)), 1'230'400_ps + 1us);
    EXPECT_EQ(net[0].flows_open(), 0U);
    // The sender hears of it when a minimum frame has come back: 84 B.
    ASSERT_EQ(net[0].log().senders.size(), 1U);
    EXPECT_EQ(net[0].log().senders[0].time, 1'230'400_ps + 1us + 67'200_ps + 1us);
}

TEST(traffic_endpoint, the_initial_window_goes_back_to_back) {
    loopback_network net({});
    EXPECT_EQ(completion(net, to(1, 2921_B, 1)), 2 * 1'230'400_ps + transmission_time(84_B, 10_Gbps) + 1us);
}

TEST(traffic_endpoint, slow_start_stalls_are_exact) {
    loopback_options options;
    options.latency = 50us;
    loopback_network net(options);
    // Ten segments, three at first: 0-2 at 0, 3-8 while the ACKs of 0-2 come back one serialisation apart
    // (two for each), 9 with the ACK of 3. One round trip is s + 50 us + a + 50 us for the first segment.
    const picoseconds s = 1'230'400_ps;
    const picoseconds round_trip = s + 50us + 67'200_ps + 50us;
    // ACK n of the first window is here at round_trip + (n - 1) s and releases two segments: 3 and 4 at
    // once, 5 and 6 one s later, when 4 is about to leave; so 3 to 8 leave without a gap.
    const picoseconds ack_of_3 = round_trip + round_trip;
    EXPECT_EQ(completion(net, to(1, 14'600_B, 1)), ack_of_3 + s + 50us);
}

TEST(traffic_endpoint, a_handshake_costs_one_round_trip_of_minimum_frames) {
    loopback_options options;
    options.endpoint.tcp.handshake = true;
    loopback_network net(options);
    EXPECT_EQ(completion(net, to(1, 1460_B, 0)), 2 * (67'200_ps + 1us) + 1'230'400_ps + 1us);
    EXPECT_EQ(net[0].counters().sent.frames_of(frame_kind::tcp_syn), 1U);
    EXPECT_EQ(net[1].counters().sent.bytes_of(frame_kind::tcp_syn_ack), 64U);
}

TEST(traffic_endpoint, an_unloaded_transfer_never_retransmits_while_the_minimum_rto_exceeds_the_round_trip) {
    for (const std::uint32_t ack_every : {1U, 2U}) {
        loopback_options options;
        options.latency = 400us;
        options.endpoint.tcp.min_rto = 5ms;
        options.endpoint.tcp.initial_rto = 5ms;
        options.endpoint.tcp.ack_every = ack_every;
        options.endpoint.tcp.delayed_ack_timeout = 1ms;
        loopback_network net(options);
        net.record(false);
        completion(net, to(1, 20_MB, 1));
        EXPECT_EQ(net[0].counters().retransmits, 0U);
        EXPECT_EQ(net[0].counters().timeouts, 0U);
        EXPECT_EQ(net[1].counters().delivered_bytes, 20'000'000U);
        const std::uint64_t segments = (20'000'000 + 1459) / 1460;
        EXPECT_EQ(net[0].counters().sent.frames_of(frame_kind::tcp_data), segments);
        EXPECT_LE(net[1].counters().sent.frames_of(frame_kind::tcp_ack), segments / ack_every + 10);
    }
}

// Losses ---------------------------------------------------------------------------------------------

TEST(traffic_endpoint, a_lost_segment_is_repaired_in_about_a_round_trip_by_fast_retransmit) {
    loopback_options options;
    options.endpoint.tcp.initial_window = 10;
    loopback_network net(options);
    bool lost = false;
    net.set_rule([&](const ethernet_frame& f) {
        const bool lose = !lost && f.kind == frame_kind::tcp_data && f.transfer.sequence == 2 * 1460;
        lost = lost || lose;
        return loopback_network::fate{lose, 0_ps};
    });
    EXPECT_LT(completion(net, to(1, 14'600_B, 1)), 20us);
    EXPECT_EQ(net[0].log().senders[0].retransmits, 1U);
    EXPECT_EQ(net[0].log().senders[0].timeouts, 0U);
    EXPECT_EQ(net[1].counters().out_of_order_segments, 7U);
}

TEST(traffic_endpoint, a_lost_single_segment_waits_for_the_initial_timeout) {
    loopback_network net({});
    bool lost = false;
    net.set_rule([&](const ethernet_frame&) {
        const bool lose = !lost;
        lost = true;
        return loopback_network::fate{lose, 0_ps};
    });
    EXPECT_EQ(completion(net, to(1, 1000_B, 1)), 1s + transmission_time(1078_B, 10_Gbps) + 1us);
}

TEST(traffic_endpoint, a_lost_last_ack_is_sent_again_for_a_finished_transfer) {
    loopback_network net({});
    bool lost = false;
    net.set_rule([&](const ethernet_frame& f) {
        const bool lose = !lost && f.kind == frame_kind::tcp_ack;
        lost = lost || lose;
        return loopback_network::fate{lose, 0_ps};
    });
    completion(net, to(1, 1000_B, 1));
    EXPECT_EQ(net[1].log().deliveries.size(), 1U);
    EXPECT_EQ(net[1].counters().delivered_bytes, 1000U);
    EXPECT_EQ(net[0].flows_open(), 0U);
    EXPECT_EQ(net[0].log().senders[0].timeouts, 1U);
}

/// Every congestion control of ours, and what is off by default.
void vary_tcp(tcp_config& tcp, std::uint32_t seed) {
    random_stream random(seed, 1, random_purpose::adversary);
    tcp.congestion = static_cast<congestion_kind>(random.below(7));
    tcp.cubic.rules = random.below(2) == 0 ? cubic_rules::rfc9438 : cubic_rules::rfc8312;
    tcp.ignore_duplicates_after_mark = random.below(2) == 0;
    tcp.connection_cache = random.below(2) == 0;
    tcp.reassembly_limit = random.below(3) == 0 ? 1 + random.below(10) : 0;
    tcp.rto_variance_factor = random.below(8);
    tcp.rto_addition = picoseconds{random.below(2) * 50'000'000};
    tcp.rtt_clock = picoseconds{random.below(3) * 1'000'000};
    if (random.below(3) == 0) {
        tcp.receive_window_max = tcp.receive_window + bytes{random.below(100'000)};
    }
}

/// One random case: some transfers both ways between three hosts, with loss, lateness and any settings.
void random_case(std::uint32_t seed) {
    random_stream random(seed, 0, random_purpose::adversary);
    loopback_options options;
    options.hosts = 3;
    options.latency = picoseconds{1'000'000 + random.below(50'000'000)};
    options.endpoint.tcp.mss = bytes{1 + random.below(3000)};
    options.endpoint.tcp.receive_window = bytes{options.endpoint.tcp.mss.count() * (1 + random.below(40))};
    options.endpoint.tcp.min_rto = picoseconds{100'000'000 + random.below(1'000'000'000)};
    options.endpoint.tcp.initial_rto = options.endpoint.tcp.min_rto;
    options.endpoint.tcp.max_rto = options.endpoint.tcp.min_rto * 8;
    options.endpoint.tcp.rto_granularity = picoseconds{random.below(2) * 100'000'000};
    options.endpoint.tcp.initial_window = 1 + random.below(12);
    options.endpoint.tcp.duplicate_acks = random.below(5);
    options.endpoint.tcp.handshake = random.below(2) == 1;
    options.endpoint.tcp.ack_every = 1 + random.below(2);
    options.endpoint.tcp.delayed_ack_timeout = picoseconds{1 + random.below(300'000'000)};
    options.nic_capacity = bytes{random.below(4) == 0 ? 20'000 : 1'000'000'000};
    vary_tcp(options.endpoint.tcp, seed);
    ASSERT_TRUE(options.endpoint.tcp.validate().empty());
    loopback_network net(options);
    net.record(false);
    const double loss = random.below(3) == 0 ? 0.0 : 0.3 * random.uniform();
    const std::uint32_t lateness = random.below(2) == 0 ? 1 : 1 + random.below(200'000'000);
    net.set_rule([&](const ethernet_frame&) {
        return loopback_network::fate{random.uniform() < loss, picoseconds{random.below(lateness)}};
    });
    std::map<std::uint64_t, std::int64_t> sizes;
    for (host_id h = 0; h < 3; ++h) {
        std::vector<scripted::step> steps;
        const std::uint32_t count = random.below(6);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t flow = std::uint64_t{i} * 3 + h;
            transfer_request request =
                to((h + 1 + random.below(2)) % 3,
                   bytes{1 + random.below(static_cast<std::uint32_t>(options.endpoint.tcp.mss.count()) * 60)},
                   flow);
            request.priority = static_cast<pfc_class>(random.below(8));
            sizes[flow] = request.flow_bytes.count();
            steps.push_back({picoseconds{i * 1000 + random.below(1000)} * 1'000'000, request});
        }
        add_script(net[h], steps);
    }
    net.start();
    net.run(1000s);
    std::uint64_t delivered = 0;
    std::uint64_t expected = 0;
    for (host_id h = 0; h < 3; ++h) {
        for (const delivery_record& d : net[h].log().deliveries) {
            ASSERT_EQ(sizes.erase(d.flow), 1U) << "delivered twice, seed " << seed;
            expected += static_cast<std::uint64_t>(d.flow_bytes.count());
        }
        delivered += net[h].counters().delivered_bytes;
        ASSERT_EQ(net[h].counters().outside_window, 0U);
        ASSERT_TRUE(net[h].exhausted()) << "seed " << seed;
    }
    ASSERT_TRUE(sizes.empty()) << "not delivered, seed " << seed;
    ASSERT_EQ(delivered, expected) << "seed " << seed;
}

TEST(traffic_endpoint, whatever_is_lost_or_late_each_transfer_is_delivered_once_and_each_byte_once) {
    for (std::uint32_t seed = 0; seed < 4000; ++seed) {
        random_case(seed);
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
}

// Connections ----------------------------------------------------------------------------------------

TEST(traffic_endpoint, one_after_another_a_thousand_transfers_use_one_slot_on_either_side) {
    for (const bool rising : {true, false}) {
        loopback_network net({});
        std::vector<scripted::step> steps;
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const std::uint64_t flow = 2 * (rising ? i : 999 - i);
            steps.push_back({i * 1ms, to(1, 5000_B, flow)});
            steps.push_back({i * 1ms, datagrams_to(1, 5000_B, 5000 + flow)});
        }
        add_script(net[0], steps);
        net.start();
        net.run();
        EXPECT_EQ(net[1].log().deliveries.size(), 2000U);
        EXPECT_EQ(net[0].sender_slots(), 2U);  // TCP's and UDP's
        EXPECT_EQ(net[1].receiver_slots(), 1U);
        EXPECT_EQ(net[1].incoming(), 0U);
        EXPECT_EQ(net[0].pending_timers(), 0U);
    }
}

TEST(traffic_endpoint, tables_follow_the_transfers_under_way_and_are_empty_after_them) {
    loopback_options options;
    options.hosts = 20;
    loopback_network net(options);
    net.record(false);
    random_stream random(4, 4, random_purpose::adversary);
    // One datagram in a hundred frames is lost; transfers are 5 us apart at each host, and take 2 to 30 us or,
    // after a loss, a second. One transfer of each host takes all the time.
    net.set_rule([&](const ethernet_frame& f) {
        return loopback_network::fate{f.kind == frame_kind::tcp_data && random.below(1000) == 0, 0_ps};
    });
    for (host_id h = 0; h < 20; ++h) {
        std::vector<scripted::step> steps{{0_ps, to((h + 1) % 20, 10_MB, h)}};
        for (std::uint32_t i = 1; i < 5000; ++i) {
            const host_id dst = (h + 1 + random.below(19)) % 20;
            const bytes size{1 + random.below(3000)};
            const std::uint64_t flow = std::uint64_t{i} * 20 + h;
            steps.push_back({i * 5us, i % 2 == 0 ? to(dst, size, flow) : datagrams_to(dst, size, flow)});
        }
        add_script(net[h], steps);
    }
    net.start();
    std::size_t most = 0;
    for (picoseconds time = 0_ps; time < 30ms; time += 1ms) {
        net.run(time);
        std::size_t incoming = 0;
        std::uint64_t open = 0;
        for (host_id h = 0; h < 20; ++h) {
            incoming += net[h].incoming();
            open += net[h].flows_open();
        }
        most = std::max(most, incoming);
        // UDP's are no longer open at their senders when their last datagram is on its way.
        EXPECT_LE(incoming, open + 20U * 10);
    }
    EXPECT_GE(most, 20U);
    EXPECT_LE(most, 1000U);
    net.run();
    for (host_id h = 0; h < 20; ++h) {
        EXPECT_EQ(net[h].incoming(), 0U);
        EXPECT_EQ(net[h].flows_open(), 0U);
        EXPECT_EQ(net[h].pending_timers(), 0U);
        EXPECT_LE(net[h].sender_slots(), 200U);
        EXPECT_LE(net[h].receiver_slots(), 200U);
    }
}

TEST(traffic_endpoint, the_slot_freed_last_is_used_first) {
    loopback_network net({});
    add_script(net[0], {{0_ps, to(1, 1000_B, 1)},
                        {0_ps, to(1, 500'000_B, 2)},
                        {0_ps, to(1, 2000_B, 3)},
                        {100us, to(1, 1000_B, 4)},
                        {100us, to(1, 1000_B, 5)}});
    net.start();
    net.run();
    std::map<std::uint64_t, std::uint32_t> slots;
    for (const auto& s : net.seen()) {
        slots[s.frame.transfer.flow] = s.frame.transfer.connection;
    }
    // 1 and 3 are over at 100 us, 3 last.
    EXPECT_EQ(slots, (std::map<std::uint64_t, std::uint32_t>{{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 0}}));
}

TEST(traffic_endpoint, a_late_duplicate_of_any_earlier_transfer_is_confirmed_again_and_delivered_no_more) {
    loopback_network net({});
    add_script(net[0], {{0_ps, to(1, 1000_B, 2)}, {100us, to(1, 1000_B, 4)}});
    net.start();
    net.run(50us);
    const ethernet_frame old = net.seen()[0].frame;
    const ethernet_frame old_ack = net.seen()[1].frame;
    net.inject(200us, 1, old);
    net.inject(300us, 0, old_ack);
    net.run();
    // The segment and its ACK, twice, and the duplicate's ACK, which finds the slot used by another transfer.
    ASSERT_EQ(net.seen().size(), 5U);
    EXPECT_EQ(net.seen()[4].sent, 200us);
    EXPECT_EQ(net.seen()[4].frame.kind, frame_kind::tcp_ack);
    EXPECT_EQ(net.seen()[4].frame.transfer.flow, 2U);
    EXPECT_EQ(net.seen()[4].frame.transfer.sequence, 1000U);
    EXPECT_EQ(net[1].log().deliveries.size(), 2U);
    EXPECT_EQ(net[1].counters().delivered_bytes, 2000U);
    EXPECT_EQ(net[1].counters().duplicate_segments, 1U);
    EXPECT_EQ(net[0].counters().stale_frames, 2U);  // both late ACKs
}

TEST(traffic_endpoint, a_late_syn_is_answered_and_starts_nothing) {
    loopback_options options;
    options.endpoint.tcp.handshake = true;
    loopback_network net(options);
    add_script(net[0], {{0_ps, to(1, 1000_B, 2)}, {100us, to(1, 1000_B, 4)}});
    net.start();
    net.run(50us);
    const ethernet_frame syn = net.seen()[0].frame;
    ASSERT_EQ(syn.kind, frame_kind::tcp_syn);
    net.inject(200us, 1, syn);
    net.run();
    EXPECT_EQ(net[1].log().deliveries.size(), 2U);
    EXPECT_EQ(net[1].counters().sent.frames_of(frame_kind::tcp_syn_ack), 3U);
    EXPECT_EQ(net[0].counters().stale_frames, 1U);
    EXPECT_EQ(net[1].incoming(), 0U);
}

TEST(traffic_endpoint, a_trace_may_number_its_transfers_in_any_order) {
    loopback_network net({});
    std::vector<scripted::step> steps;
    for (std::uint64_t i = 0; i < 100; ++i) {
        steps.push_back({i * 1ms, to(1, 3000_B, (i * 37) % 101)});
        steps.push_back({i * 1ms, datagrams_to(1, 3000_B, 1000 + (i * 37) % 101)});
    }
    add_script(net[0], steps);
    net.start();
    net.run();
    EXPECT_EQ(net[1].log().deliveries.size(), 200U);
}

TEST(traffic_endpoint, numbers_are_unique_in_the_fabric) {
    loopback_options options;
    options.hosts = 5;
    loopback_network net(options);
    net.start();
    std::set<std::uint64_t> flows;
    for (int i = 0; i < 100; ++i) {
        for (host_id h = 0; h < 5; ++h) {
            EXPECT_TRUE(flows.insert(net[h].next_flow()).second);
        }
    }
    EXPECT_EQ(net[3].next_flow(), 100U * 5 + 3);
    EXPECT_EQ(net[3].next_job(), 3U);
}

TEST(traffic_endpoint, data_and_acks_travel_in_the_transfers_class_and_say_what_it_is) {
    loopback_network net({});
    transfer_request request = to(1, 3000_B, 8);
    request.priority = 5;
    request.tag = 9;
    request.reply_bytes = 77_B;
    add_script(net[0], {{7us, request}});
    net.start();
    net.run();
    ASSERT_GE(net.seen().size(), 6U);
    for (const auto& s : net.seen()) {
        EXPECT_EQ(s.frame.priority, 5);
        EXPECT_EQ(s.frame.transfer.tag, 9);
        EXPECT_EQ(s.frame.transfer.flow, 8U);
        EXPECT_EQ(s.frame.transfer.flow_bytes, 3000U);
        EXPECT_EQ(s.frame.transfer.start(), 7us);
        EXPECT_EQ(s.frame.transfer.reply_bytes, s.frame.kind == frame_kind::tcp_data ? 77U : 0U);
        EXPECT_EQ(s.frame.path_tag, net.seen()[0].frame.path_tag);
    }
}

TEST(traffic_endpoint, impossible_transfers_are_refused) {
    loopback_network net({});
    net.start();
    const std::vector<std::string>& failures = net.expect_failures();
    net[0].start_transfer(to(1, 0_B, 1));
    net[0].start_transfer(to(1, bytes{(std::int64_t{1} << 48) + 1}, 1));
    net[0].start_transfer(to(0, 1_B, 2));
    net[0].start_transfer(to(2, 1_B, 3));
    transfer_request request = to(1, 1_B, 4);
    request.priority = 8;
    net[0].start_transfer(request);
    request = to(1, 1_B, 5);
    request.reply_bytes = 1_MiB * 4096;
    net[0].start_transfer(request);
    request = to(1, 1_B, 6);
    request.udp_rate = bit_rate{-1};
    net[0].start_transfer(request);
    EXPECT_EQ(failures,
              (std::vector<std::string>{
                  "transfer 1: has no bytes", "transfer 1: has more than 2^48 B",
                  "transfer 2: destination is not a different host",
                  "transfer 3: destination is not a different host", "transfer 4: priority is not 0 to 7",
                  "transfer 5: response is not 0 B to 4 GiB - 1 B", "transfer 6: rate is negative"}));
    EXPECT_EQ(net[0].flows_open(), 0U);
    EXPECT_TRUE(net.seen().empty());
}

TEST(traffic_endpoint, any_frame_of_a_foreign_module_is_survived) {
    loopback_network net({});
    net.record(false);
    net.start();
    random_stream random(1, 2, random_purpose::adversary);
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        ethernet_frame frame;
        frame.src = net.address_of(1);
        frame.dst = net.address_of(0);
        frame.kind = static_cast<frame_kind>(random.below(frame_kinds));
        frame.transfer.connection =
            (random.below(2) << 23 | random.below(3)) & transfer_fields::connection_mask;
        frame.transfer.flow = (i / 50 + random.below(3)) & transfer_fields::flow_mask;
        frame.transfer.set_ordinal(random.below(6) + (random.below(10) == 0 ? 1U << 29 : 0));
        frame.transfer.sequence = random.below(10'000);
        frame.transfer.flow_bytes = random.below(8'000);
        net.inject(i * 1ns, 0, frame);
    }
    net.run(1s);
    EXPECT_LE(net[0].receiver_slots(), 3U * 6) << "of TCP, of RoCE and of pFabric";
}

// Applications ---------------------------------------------------------------------------------------

TEST(traffic_endpoint, a_request_is_answered_and_both_sides_hear_of_it) {
    loopback_network net({});
    transfer_request request = to(1, 1460_B, 2);
    request.reply_bytes = 8_KB;
    scripted& client = add_script(net[0], {{0_ps, request}});
    scripted& server = add_script(net[1]);
    net.start();
    net.run();
    ASSERT_EQ(server.received.size(), 1U);
    EXPECT_EQ(server.received[0].src, 0U);
    ASSERT_EQ(client.received.size(), 1U);
    EXPECT_EQ(client.received[0].flow_bytes, 8000_B);
    EXPECT_EQ(client.received[0].job, 2U);
    ASSERT_EQ(client.sent.size(), 1U);
    EXPECT_EQ(client.sent[0].dst, 1U);
    EXPECT_EQ(client.sent[0].reply_bytes, 8_KB);
    EXPECT_EQ(server.sent[0].flow_bytes, 8_KB);
    EXPECT_TRUE(net[0].exhausted() && net[1].exhausted());
    // The ACK goes before the answer.
    EXPECT_EQ(net.seen()[1].frame.kind, frame_kind::tcp_ack);
}

TEST(traffic_endpoint, what_arrives_goes_to_the_application_that_claims_its_tag_or_to_the_first) {
    loopback_network net({});
    transfer_request tagged = to(1, 100_B, 1);
    tagged.tag = 7;
    scripted& first = add_script(net[0], {{0_ps, tagged}});
    scripted& second = add_script(net[0], {{0_ps, to(1, 200_B, 2)}});
    scripted& by_default = add_script(net[1]);
    scripted& by_tag = add_script(net[1], {}, std::uint8_t{7});
    net.start();
    net.run();
    ASSERT_EQ(by_default.received.size(), 1U);
    EXPECT_EQ(by_default.received[0].flow, 2U);
    ASSERT_EQ(by_tag.received.size(), 1U);
    EXPECT_EQ(by_tag.received[0].flow, 1U);
    ASSERT_EQ(first.sent.size(), 1U);
    EXPECT_EQ(first.sent[0].flow, 1U);
    ASSERT_EQ(second.sent.size(), 1U);
    EXPECT_EQ(second.sent[0].flow, 2U);
}

TEST(traffic_endpoint, timers_of_one_instant_fire_in_the_order_in_which_they_were_set) {
    loopback_network net({});
    std::vector<scripted::step> steps;
    for (std::uint64_t i = 0; i < 20; ++i) {
        steps.push_back({i < 10 ? 2us : 1us, to(1, 100_B, 100 + i)});
    }
    scripted& app = add_script(net[0], steps);
    net.start();
    net.run();
    EXPECT_EQ(app.order, (std::vector<std::uint64_t>{10, 11, 12, 13, 14, 15, 16, 17, 18, 19,  //
                                                     0,  1,  2,  3,  4,  5,  6,  7,  8,  9}));
}

TEST(traffic_endpoint, open_transfers_are_settled_at_the_end) {
    loopback_network net({});
    net.set_rule([](const ethernet_frame&) { return loopback_network::fate{true, 0_ps}; });
    add_script(net[0], {{0_ps, to(1, 100_B, 4)}, {0_ps, datagrams_to(1, 1000_MB, 6)}});
    net.start();
    net.run(1500ms);
    EXPECT_EQ(net[0].flows_open(), 1U);  // the datagrams are sent by then
    net[0].clear_log();
    net[0].settle(1500ms);
    ASSERT_EQ(net[0].log().senders.size(), 1U);
    EXPECT_EQ(net[0].log().senders[0].flow, 4U);
    EXPECT_EQ(net[0].log().senders[0].timeouts, 1U);
    EXPECT_EQ(net[0].log().senders[0].time, 1500ms);
    EXPECT_EQ(net[0].log().flows_started, 2U);
    EXPECT_FALSE(net[0].exhausted());
}

// UDP ------------------------------------------------------------------------------------------------

TEST(traffic_endpoint, datagrams_at_link_rate_keep_the_link_exactly_full) {
    loopback_network net({});
    // 100 full datagrams of 1,472 + 46 + 20 B.
    EXPECT_EQ(completion(net, datagrams_to(1, 147'200_B, 1)), 100 * 1'230'400_ps + 1us);
    for (std::size_t i = 0; i < net.seen().size(); ++i) {
        EXPECT_EQ(net.seen()[i].sent, i * 1'230'400_ps);
        EXPECT_EQ(net.seen()[i].frame.transfer.connection, 0U);
    }
    EXPECT_EQ(net.seen()[99].frame.flags, last_segment);
}

TEST(traffic_endpoint, a_rate_sets_the_gap) {
    loopback_network net({});
    completion(net, datagrams_to(1, 2000_B, 1, 1_Gbps));
    ASSERT_EQ(net.seen().size(), 2U);
    EXPECT_EQ(net.seen()[1].sent, 12'304ns);
    EXPECT_EQ(net.seen()[1].frame.frame_bytes, 2000 - 1472 + 46);
}

TEST(traffic_endpoint_statistical, random_gaps_are_exponential_with_the_same_mean) {
    loopback_options options;
    options.endpoint.udp.random_gaps = true;
    options.endpoint.seed = 5;
    loopback_network net(options);
    const int count = 20'000;
    completion(net, datagrams_to(1, 1472_B * count, 1, 1_Gbps));
    ASSERT_EQ(net.seen().size(), std::size_t{count});
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < net.seen().size(); ++i) {
        const double gap =
            static_cast<double>((net.seen()[i].sent - net.seen()[i - 1].sent).count()) / 12'304'000;
        sum += gap;
        squares += gap * gap;
    }
    // Mean 1, second moment 2: standard errors 0.0071 and 0.032; within four of them (99.99 %).
    EXPECT_NEAR(sum / count, 1, 0.0283);
    EXPECT_NEAR(squares / count, 2, 0.127);
}

TEST(traffic_endpoint, a_transfer_that_lost_a_datagram_is_never_complete) {
    loopback_network net({});
    net.set_rule([](const ethernet_frame& f) {
        return loopback_network::fate{f.transfer.sequence == 1472, 0_ps};
    });
    scripted& app = add_script(net[0], {{0_ps, datagrams_to(1, 10'000_B, 1)}});
    net.start();
    net.run();
    EXPECT_EQ(net[1].log().deliveries.size(), 0U);
    EXPECT_EQ(net[1].counters().delivered_bytes, 10'000U - 1472);
    EXPECT_EQ(app.sent.size(), 1U);
    EXPECT_EQ(net[0].flows_open(), 0U);
}

TEST(traffic_endpoint, datagrams_may_arrive_in_any_order) {
    loopback_network net({});
    random_stream random(3, 3, random_purpose::adversary);
    net.set_rule([&](const ethernet_frame&) {
        return loopback_network::fate{false, picoseconds{random.below(1'000'000'000)}};
    });
    std::vector<scripted::step> steps;
    for (std::uint64_t i = 0; i < 200; ++i) {
        steps.push_back({i * 20us, datagrams_to(1, bytes{static_cast<std::int64_t>(1 + 97 * i)}, i)});
    }
    add_script(net[0], steps);
    net.start();
    net.run();
    EXPECT_EQ(net[1].log().deliveries.size(), 200U);
    EXPECT_EQ(net[1].counters().stale_frames, 0U);
}

TEST(traffic_endpoint, a_datagram_says_how_far_apart_its_transfers_are) {
    loopback_network net({});
    add_script(net[0], {{0_ps, datagrams_to(1, 100_B, 1)},
                        {1us, datagrams_to(1, 3000_B, 2, 10_Mbps)},
                        {2us, datagrams_to(1, 3000_B, 3, 1_bps)}});
    net.start();
    net.run(3us);
    ASSERT_EQ(net.seen().size(), 3U);
    EXPECT_EQ(net.seen()[0].frame.transfer.gap_us(), 1U);     // 166 B at 10 Gb/s: 0.13 us
    EXPECT_EQ(net.seen()[1].frame.transfer.gap_us(), 1231U);  // 1,538 B at 10 Mb/s: 1,230.4 us
    EXPECT_EQ(net.seen()[2].frame.transfer.gap_us(), transfer_fields::ordinals - 1);
    EXPECT_EQ(net.seen()[0].frame.transfer.connection, 0U);
    EXPECT_EQ(net.seen()[1].frame.transfer.connection, 0U);
    EXPECT_EQ(net.seen()[2].frame.transfer.connection, 1U);
}

TEST(traffic_endpoint, an_endless_stream_runs_on) {
    loopback_network net({});
    net.record(false);
    const bytes longest{std::int64_t{1} << 48};
    add_script(net[0], {{0_ps, datagrams_to(1, longest, 1)},
                        {0_ps, datagrams_to(1, longest, 2, 1_bps)},
                        {0_ps, to(1, longest, 3)}});
    net.start();
    net.run(100ms);
    // 100 ms / 1.2304 us = 81,274.4, and the one at 0; the second transfer has sent one.
    EXPECT_EQ(net[0].counters().sent.frames_of(frame_kind::udp), 81'276U);
    EXPECT_EQ(net[0].flows_open(), 3U);
}

TEST(traffic_endpoint, udp_takes_its_paths_in_turn_at_the_pace_that_is_asked_for) {
    loopback_options options;
    options.endpoint.udp.path_every = 3;
    options.endpoint.udp.paths = 4;
    loopback_network net(options);
    add_script(net[0], {{0_ps, datagrams_to(1, 40 * 1472_B, 7)}, {1ms, datagrams_to(1, 1472_B, 7)}});
    net.start();
    net.run();
    ASSERT_EQ(net.seen().size(), 41U);
    const std::uint16_t home = net.seen()[0].frame.path_tag;
    for (unsigned i = 0; i < 40; ++i) {
        EXPECT_EQ(static_cast<std::uint16_t>(net.seen()[i].frame.path_tag - home), i / 3 % 4) << i;
    }
    EXPECT_EQ(net.seen()[40].frame.path_tag, home) << "a transfer begins on its own path";
}

TEST(traffic_endpoint, a_full_nic_costs_udp_its_datagrams) {
    loopback_options options;
    options.nic_capacity = 10'000_B;
    loopback_network net(options);
    add_script(net[0], {{0_ps, datagrams_to(1, 147'200_B, 1, 100_Gbps)}});
    net.start();
    net.run();
    EXPECT_GT(net[0].counters().dropped_at_nic, 50U);
    EXPECT_EQ(net[0].counters().dropped_at_nic + net[0].counters().sent.frames_of(frame_kind::udp), 100U);
    EXPECT_EQ(net[1].log().deliveries.size(), 0U);
}

// Parameters -----------------------------------------------------------------------------------------

TEST(transport_config, defaults_are_valid_and_all_violations_are_reported_at_once) {
    EXPECT_TRUE(tcp_config{}.validate().empty());
    EXPECT_TRUE(check_ranges(udp_config{}, "udp").take().empty());
    tcp_config tcp;
    tcp.mss = 0_B;
    tcp.header = 39_B;
    tcp.min_rto = 2s;
    tcp.initial_window = 0;
    tcp.ack_every = 3;
    std::set<std::string> keys;
    for (const config_error& e : tcp.validate()) {
        keys.insert(e.key);
        EXPECT_NE(e.message.find("expected "), std::string::npos);
    }
    EXPECT_EQ(keys, (std::set<std::string>{"tcp.mss", "tcp.header", "tcp.initial_rto", "tcp.initial_window",
                                           "tcp.ack_every"}));
    udp_config udp;
    udp.payload = 9'159_B;
    const config_errors wrong = check_ranges(udp, "udp").take();
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_TRUE(errors_are(wrong[0].message, {"9159B, 1B to 9158B"}));
}

}  // namespace
}  // namespace weir::traffic
