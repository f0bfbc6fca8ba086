// What a sender tells its congestion control and its choice of a path, and what it does with their answers.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "support/loopback_network.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/newreno_ecn.h"
#include "weir/traffic/congestion/path_choices.h"
#include "weir/traffic/tcp/tcp_sender.h"

namespace weir::traffic {
namespace {

constexpr std::uint64_t segment = 1000;

tcp_config ten_segments(bool handshake) {
    tcp_config config;
    config.handshake = handshake;
    config.mss = 1000_B;
    config.initial_window = 10;
    config.initial_rto = 10ms;
    return config;
}

/// Keeps more of a transfer than NewReno, and takes down the round-trip times that it is told.
struct round_trip_probe final : newreno {
    using newreno::newreno;
    struct state : newreno_state {
        std::uint64_t acks = 0;
        std::uint64_t room[9]{};
    };
    std::size_t state_bytes() const override { return sizeof(state); }
    void on_ack(congestion_state& s, const ack_event& ack) const override {
        told.push_back(ack.round_trip);
        ++static_cast<state&>(s).acks;
        newreno::on_ack(s, ack);
    }
    bool wants_round_trips() const override { return true; }
    mutable std::vector<picoseconds> told;
};

/// Counts marks, and goes to the next path with each marked ACK and each timeout.
struct path_probe final : path_choice {
    struct state : path_state {
        std::uint32_t marks = 0;
    };
    std::size_t state_bytes() const override { return sizeof(state); }
    void on_ack(path_state& s, const ack_event& ack) const override {
        if (ack.ecn_echo) {
            s.tag = static_cast<std::uint16_t>(100 + ++static_cast<state&>(s).marks);
        }
    }
    void on_timeout(path_state& s) const override { s.tag = 7; }
};

class bench {
 public:
    explicit bench(std::unique_ptr<const congestion_control> algorithm,
                   std::unique_ptr<const path_choice> path = nullptr, bool handshake = false)
        : tcp(ten_segments(handshake), std::move(algorithm), std::move(path)) {
        m_context.host = &host;
        ethernet_frame header;
        header.kind = frame_kind::tcp_data;
        header.path_tag = 55;
        header.transfer.flow_bytes = 1000 * segment;
        sender.open(m_context, tcp, header, {1, 0}, 3);
    }
    void ack(picoseconds time, std::uint64_t segments, bool marked = false) {
        host.set_now(time);
        m_context.now = time;
        ethernet_frame frame;
        frame.transfer.sequence = segments * segment & transfer_fields::length_mask;
        frame.flags = flag_if(marked, ecn_echo);
        sender.on_ack(m_context, tcp, frame);
    }
    void time_out() {
        const std::uint32_t before = sender.timeouts();
        while (sender.timeouts() == before) {
            const timer_entry entry = m_context.timers.pop();
            m_context.now = entry.time;
            sender.on_timer(m_context, tcp, entry);
        }
    }

    test::recording_host host;
    tcp_context tcp;
    tcp_sender sender;

 private:
    transport_context m_context;
};

TEST(tcp_sender, each_ack_measures_a_round_trip_where_the_algorithm_asks_for_it) {
    auto made = std::make_unique<round_trip_probe>(1000_B);
    const round_trip_probe& probe = *made;
    bench b(std::move(made));
    b.ack(100us, 1);  // segments 10 and 11 go at 100 us
    b.ack(103us, 3);  // segments 12 to 15
    b.ack(110us, 10);
    b.ack(225us, 12);
    b.ack(235us, 13);
    EXPECT_EQ(probe.told, (std::vector<picoseconds>{100us, 103us, 110us, 125us, 132us}));
    EXPECT_EQ(b.tcp.windows.of<round_trip_probe::state>(3).acks, 5U);
}

TEST(tcp_sender, what_was_sent_twice_measures_nothing) {
    auto made = std::make_unique<round_trip_probe>(1000_B);
    const round_trip_probe& probe = *made;
    bench b(std::move(made));
    b.time_out();
    b.ack(11ms, 1);
    b.ack(12ms, 3);
    EXPECT_EQ(probe.told, (std::vector<picoseconds>{0_ps, 0_ps}));
    b.ack(13ms, 10);  // segments that were sent once; the later ones are new
    b.ack(14ms, 11);
    EXPECT_EQ(probe.told.back(), 1ms);
}

TEST(tcp_sender, a_path_is_kept_where_nothing_chooses_another) {
    bench b(std::make_unique<newreno>(1000_B));
    b.ack(1ms, 1, true);
    b.time_out();
    for (const ethernet_frame& frame : b.host.frames) {
        EXPECT_EQ(frame.path_tag, 55);
    }
}

TEST(tcp_sender, marks_and_timeouts_change_the_path_of_what_is_sent_after_them) {
    bench b(std::make_unique<newreno>(1000_B), std::make_unique<path_probe>());
    b.host.frames.clear();
    const auto tag_after = [&] {
        EXPECT_FALSE(b.host.frames.empty());
        const std::uint16_t tag = b.host.frames.back().path_tag;
        b.host.frames.clear();
        return tag;
    };
    b.ack(1ms, 1);
    EXPECT_EQ(tag_after(), 55);
    b.ack(1ms, 2, true);
    EXPECT_EQ(tag_after(), 101);
    b.ack(1ms, 2, true);  // duplicates tell of marks too
    b.ack(1ms, 3, false);
    EXPECT_EQ(tag_after(), 102);
    b.time_out();
    EXPECT_EQ(tag_after(), 7);
}

TEST(tcp_sender, a_handshake_that_times_out_goes_by_another_path) {
    bench b(std::make_unique<newreno>(1000_B), std::make_unique<path_probe>(), true);
    ASSERT_EQ(b.host.frames.size(), 1U);
    EXPECT_EQ(b.host.frames.back().path_tag, 55);
    b.time_out();
    ASSERT_EQ(b.host.frames.size(), 2U);
    EXPECT_EQ(b.host.frames.back().path_tag, 7);
}

TEST(tcp_sender, the_first_new_segment_after_a_cut_has_cwr_and_only_that) {
    bench b(std::make_unique<newreno_ecn>(1000_B));
    // Sequence numbers of what has CWR, of what was sent since the last call.
    const auto reduced = [&] {
        std::vector<std::uint64_t> found;
        for (const ethernet_frame& frame : b.host.frames) {
            if ((frame.flags & window_reduced) != 0) {
                found.push_back(frame.transfer.sequence / segment);
            }
        }
        b.host.frames.clear();
        return found;
    };
    b.ack(1ms, 1);
    EXPECT_EQ(reduced(), (std::vector<std::uint64_t>{}));  // 10 and 11
    // Halved to 5 or 6 segments: nothing new goes until 7 of the 12 are confirmed.
    b.ack(1ms, 2, true);
    b.ack(1ms, 3, true);
    EXPECT_EQ(reduced(), (std::vector<std::uint64_t>{}));
    b.ack(1ms, 8, true);
    b.ack(1ms, 10, true);
    EXPECT_EQ(reduced(), (std::vector<std::uint64_t>{12}));
    // What is sent again after a timeout has none; the first new segment has.
    b.time_out();
    EXPECT_EQ(reduced(), (std::vector<std::uint64_t>{}));
    const std::uint64_t sent = (b.sender.una() + b.sender.flight()) / segment;
    for (std::uint64_t next = 11; next <= sent + 3; ++next) {
        b.ack(12ms, next);
    }
    EXPECT_EQ(reduced(), (std::vector<std::uint64_t>{sent}));
}

TEST(tcp_sender, without_ecn_no_segment_has_cwr) {
    bench b(std::make_unique<newreno>(1000_B));
    b.time_out();
    for (std::uint64_t next = 1; next <= 20; ++next) {
        b.ack(12ms, next);
    }
    for (const ethernet_frame& frame : b.host.frames) {
        EXPECT_EQ(frame.flags & window_reduced, 0);
    }
}

TEST(congestion_kinds, are_made_by_their_names) {
    const auto& kinds = congestion_kinds();
    EXPECT_EQ(kinds.find("newreno_ecn"), named<congestion_kind>("newreno_ecn"));
    tcp_config config;
    EXPECT_FALSE(tcp_context(config).congestion->ecn_capable());
    config.congestion = named<congestion_kind>("newreno_ecn");
    EXPECT_TRUE(tcp_context(config).congestion->ecn_capable());
    EXPECT_TRUE(tcp_context(config).latches_echo);
    config.congestion = named<congestion_kind>("dctcp");
    EXPECT_EQ(kinds.find("dctcp"), named<congestion_kind>("dctcp"));
    EXPECT_TRUE(tcp_context(config).congestion->ecn_capable());
    EXPECT_FALSE(tcp_context(config).latches_echo);
    EXPECT_EQ(tcp_context(config).path, nullptr);
    for (const char* name : {"cubic", "vegas"}) {
        config.congestion = kinds.find(name);
        EXPECT_FALSE(tcp_context(config).congestion->ecn_capable()) << name;
        config.congestion = kinds.find(std::string(name) + "_ecn");
        EXPECT_TRUE(tcp_context(config).latches_echo) << name;
    }
}

TEST(path_choices, one_from_outside_is_made_by_its_name) {
    tcp_config config;
    config.path_choice =
        path_choices().add({"probe", "", [](const tcp_config&) { return std::make_unique<path_probe>(); }});
    EXPECT_EQ(path_choices().find("probe"), config.path_choice);
    EXPECT_NE(tcp_context(config).path, nullptr);
}

}  // namespace
}  // namespace weir::traffic
