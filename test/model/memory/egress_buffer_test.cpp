#include "weir/model/memory/egress_buffer.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

using namespace weir;
using namespace weir::model;

namespace {

struct frame_in_memory {
    frame_slot slot;
    std::uint32_t length;
};

/// One port, everything counted afresh from the frames themselves.
struct literal_port {
    const switch_config& config;
    std::array<std::deque<frame_in_memory>, pfc_classes> reserved{};  // matched, on their way over
    std::array<std::deque<frame_in_memory>, pfc_classes> queued{};
    std::array<std::deque<frame_in_memory>, pfc_classes> leaving{};  // first bit out, last bit not

    static std::int64_t sum(const std::deque<frame_in_memory>& frames) {
        std::int64_t total = 0;
        for (const frame_in_memory& f : frames) {
            total += f.length;
        }
        return total;
    }
    std::int64_t charged(unsigned c) const { return sum(queued[c]) + sum(leaving[c]); }
    std::int64_t held(unsigned c) const { return charged(c) + sum(reserved[c]); }
    std::int64_t charged() const {
        return over_classes(0, [this](unsigned c) { return charged(c); });
    }
    std::int64_t held() const {
        return over_classes(0, [this](unsigned c) { return held(c); });
    }
    std::int64_t drain(unsigned lowest) const {
        return over_classes(lowest, [this](unsigned c) { return charged(c); });
    }
    template <class Count>
    static std::int64_t over_classes(unsigned lowest, Count&& count) {
        std::int64_t total = 0;
        for (unsigned c = lowest; c < pfc_classes; ++c) {
            total += count(c);
        }
        return total;
    }

    /// switch_config.h in words: a class may hold the whole memory; memory / classes; or alpha times what is
    /// free, where a class that holds nothing may always have one frame.
    bool may_hold(unsigned c, std::int64_t more) const {
        const std::int64_t memory = config.egress_buffer.count();
        if (held() + more > memory) {
            return false;
        }
        if (config.classes == 1 || config.share == egress_share::whole) {
            return true;
        }
        if (config.share == egress_share::fixed) {
            return held(c) + more <= memory / config.classes;
        }
        return held(c) == 0 ||
               static_cast<double>(held(c) + more) <= config.share_alpha * static_cast<double>(memory - held());
    }
    class_mask room(std::int64_t largest) const {
        unsigned mask = 0;
        for (unsigned c = 0; c < config.classes; ++c) {
            mask |= static_cast<unsigned>(may_hold(c, largest)) << c;
        }
        return static_cast<class_mask>(mask);
    }
};

class rig {
 public:
    rig(const switch_config& config_in, unsigned ports_in, bool keeps_drain_in = false)
        : config(config_in),
          keeps_drain(keeps_drain_in),
          buffer(slab, config, ports_in),
          ports(ports_in, literal_port{config}) {
        if (keeps_drain) {
            buffer.keep_drain_bytes();
        }
    }

    std::uint32_t charge_of(std::uint32_t length) const {
        const std::int64_t cell = config.memory_cell.count();
        return cell == 0 ? length : static_cast<std::uint32_t>((length + cell - 1) / cell * cell);
    }
    frame_in_memory make(unsigned port, pfc_class c, std::uint32_t length) {
        const frame_slot slot = slab.put(ethernet_frame{});
        slab.route(slot).egress_port = static_cast<std::uint8_t>(port);
        slab.route(slot).frame_class = c;
        slab.route(slot).charged_bytes = charge_of(length);
        return {slot, charge_of(length)};
    }
    void check(unsigned port) {
        literal_port& o = ports[port];
        ASSERT_EQ(buffer.room(port), o.room(charge_of(static_cast<std::uint32_t>(config.max_frame.count()))));
        ASSERT_EQ(buffer.occupancy(port), bytes{o.charged()});
        unsigned backlog = 0;
        const egress_view view = buffer.view();
        ASSERT_EQ(view.levels, config.balance_thresholds.size());
        for (unsigned c = 0; c < config.classes; ++c) {
            const auto k = static_cast<pfc_class>(c);
            ASSERT_EQ(buffer.occupancy(port, k), bytes{o.charged(c)});
            ASSERT_EQ(buffer.drain_bytes(port, k), bytes{o.drain(c)});
            if (keeps_drain) {
                ASSERT_EQ(view.drain_bytes[port * pfc_classes + c], o.drain(c));
            }
            backlog |= static_cast<unsigned>(!o.queued[c].empty()) << c;
            ASSERT_EQ(buffer.head(port, k), o.queued[c].empty() ? no_slot : o.queued[c].front().slot);
            for (unsigned level = 0; level < view.levels; ++level) {
                ASSERT_EQ(view.favored[level * pfc_classes + c].test(port),
                          o.drain(c) < config.balance_thresholds[level].count())
                    << "level " << level << ", class " << c;
            }
        }
        ASSERT_EQ(buffer.backlog(port), backlog);
    }

    switch_config config;
    bool keeps_drain;
    frame_slab slab;
    egress_buffer buffer;
    std::vector<literal_port> ports;
};

/// Each step reserves, commits, begins to send or finishes to send one frame somewhere.
void compare_with_literal(std::mt19937_64& random, const switch_config& config) {
    rig r(config, 4, random() % 2 == 0);
    bool filling = true;
    picoseconds now{0};
    for (int step = 0; step < 800; ++step) {
        now += 1ns;
        filling = random() % 60 == 0 ? !filling : filling;
        const auto port = static_cast<unsigned>(random() % r.ports.size());
        const auto c = static_cast<pfc_class>(random() % config.classes);
        const auto length = static_cast<std::uint32_t>(64 + random() % (config.max_frame.count() - 63));
        literal_port& o = r.ports[port];
        const unsigned action = static_cast<unsigned>(random() % (filling ? 3 : 6));
        if (action < 2) {
            if ((r.buffer.room(port) >> c & 1) != 0) {
                const frame_in_memory f = r.make(port, c, length);
                o.reserved[c].push_back(f);
                ASSERT_EQ(r.buffer.reserve(port, c, f.length),
                          o.room(r.charge_of(static_cast<std::uint32_t>(config.max_frame.count()))));
            }
        } else if (action == 2 && !o.reserved[c].empty()) {
            o.queued[c].push_back(o.reserved[c].front());
            o.reserved[c].pop_front();
            r.buffer.commit(o.queued[c].back().slot, now);
        } else if (action < 5 && !o.queued[c].empty()) {
            o.leaving[c].push_back(o.queued[c].front());
            o.queued[c].pop_front();
            ASSERT_EQ(r.buffer.dequeue(port, c), o.leaving[c].back().slot);
        } else if (!o.leaving[c].empty()) {
            const frame_in_memory f = o.leaving[c].front();
            o.leaving[c].pop_front();
            ASSERT_EQ(r.buffer.release(port, c, f.length, now),
                      o.room(r.charge_of(static_cast<std::uint32_t>(config.max_frame.count()))));
            r.slab.release(f.slot);
        }
        ASSERT_NO_FATAL_FAILURE(r.check(port));
        ASSERT_LE(o.held(), config.egress_buffer.count());
    }
}

TEST(egress_buffer, room_queues_and_favoured_ports_are_those_of_all_frames_summed_afresh) {
    std::mt19937_64 random(1);
    const egress_share shares[] = {egress_share::whole, egress_share::fixed, egress_share::dynamic};
    // Alpha in steps of 1/256 is exact; other values are rounded to it.
    const double alphas[] = {1.0 / 16, 0.25, 0.5, 1, 2, 7.5, 64};
    for (int round = 0; round < 300; ++round) {
        switch_config config;
        config.max_frame = random() % 2 == 0 ? 1530_B : 9000_B;
        config.egress_buffer = config.max_frame + bytes{static_cast<std::int64_t>(random() % 100'000)};
        config.share = shares[random() % 3];
        config.share_alpha = alphas[random() % 7];
        config.classes = 1 + static_cast<std::uint32_t>(random() % 8);
        config.memory_cell = random() % 3 == 0 ? 208_B : 0_B;
        config.balance_thresholds.clear();
        bytes threshold{0};
        for (auto levels = random() % 4; levels > 0; --levels) {
            threshold += bytes{static_cast<std::int64_t>(1 + random() % 20'000)};
            config.balance_thresholds.push_back(threshold);
        }
        compare_with_literal(random, config);
        if (HasFatalFailure()) {
            FAIL() << "round " << round;
        }
    }
}

TEST(egress_buffer, where_nothing_is_reserved_a_frame_is_admitted_as_long_as_its_own_length_fits) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 100; ++round) {
        switch_config config;
        config.drop = drop_policy::egress_tail;
        config.egress_buffer = bytes{static_cast<std::int64_t>(1530 + random() % 20'000)};
        config.share = random() % 2 == 0 ? egress_share::fixed : egress_share::dynamic;
        config.classes = 1 + static_cast<std::uint32_t>(random() % 8);
        rig r(config, 1);
        literal_port& o = r.ports[0];
        int refused = 0;
        for (int step = 0; step < 400; ++step) {
            const auto c = static_cast<pfc_class>(random() % config.classes);
            if (random() % 3 != 0) {
                const frame_in_memory f = r.make(0, c, static_cast<std::uint32_t>(64 + random() % 1467));
                const bool fits = o.may_hold(c, f.length);
                refused += fits ? 0 : 1;
                ASSERT_EQ(r.buffer.admit(f.slot, 1_ps), fits);
                if (fits) {
                    o.queued[c].push_back(f);
                } else {
                    r.slab.release(f.slot);
                }
            } else if (!o.queued[c].empty()) {
                const frame_in_memory f = o.queued[c].front();
                o.queued[c].pop_front();
                r.buffer.dequeue(0, c);
                r.buffer.release(0, c, f.length, 1_ps);
                r.slab.release(f.slot);
            }
            ASSERT_NO_FATAL_FAILURE(r.check(0));
        }
        EXPECT_GT(refused, 0);
    }
}

TEST(egress_buffer, one_paused_class_leaves_the_others_their_dynamic_share) {
    // Choudhury and Hahne: one class that only fills holds alpha B / (1 + alpha), to within a frame.
    switch_config config;
    config.egress_buffer = 128_KiB;
    config.share_alpha = 1;
    rig r(config, 1);
    std::int64_t filled = 0;
    while ((r.buffer.room(0) & 1) != 0) {
        r.buffer.reserve(0, 0, 1530);
        filled += 1530;
    }
    EXPECT_NEAR(static_cast<double>(filled), 65'536, 1530);
    EXPECT_EQ(r.buffer.room(0), 0b1111'1110);
}

TEST(egress_buffer, a_port_is_favoured_below_its_threshold_not_at_it) {
    rig r(switch_config{}, 2);
    const frame_in_memory f = r.make(1, 4, 16'384);
    r.buffer.reserve(1, 4, f.length);
    EXPECT_TRUE(r.buffer.view().favored[4].test(1)) << "reserved is not yet there";
    r.buffer.commit(f.slot, 0_ps);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        EXPECT_EQ(r.buffer.view().favored[c].test(1), c > 4) << c;
        EXPECT_TRUE(r.buffer.view().favored[pfc_classes + c].test(1)) << "64 KiB";
        EXPECT_TRUE(r.buffer.view().favored[c].test(0));
    }
}

}  // namespace
