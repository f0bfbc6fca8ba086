// Detours against DIBS's rule, read literally (EuroSys 2014, sections 2, 5.1, 5.5.3 and 7): which ports a frame
// may take is worked out anew as a set of numbers; chance is counted.
#include "weir/model/overflow/detour.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

namespace weir::model {
namespace {

constexpr unsigned ports = 8;

/// What a switch's ports hold, set by hand.
struct scripted_room final : egress_room {
    std::set<unsigned> full;
    std::map<unsigned, std::uint64_t> bytes;
    double share = 0;
    bool has_room(unsigned port) const override { return full.count(port) == 0; }
    std::uint64_t held(unsigned port) const override {
        const auto found = bytes.find(port);
        return found == bytes.end() ? 0 : found->second;
    }
    double fill(unsigned) const override { return share; }
};

port_bitmap bitmap_of(const std::set<unsigned>& members) {
    port_bitmap bits;
    for (const unsigned port : members) {
        bits.set(port);
    }
    return bits;
}

/// One switch, its rule, and one frame after the other.
struct rig {
    switch_config device;
    detour_config config;
    std::set<unsigned> to_switches{4, 5, 6, 7};
    std::set<unsigned> acceptable{0};
    class_mask lossless = 0;
    unsigned ingress_port = 5;
    scripted_room room;
    ethernet_frame frame;
    random_stream chance{3, 1, random_purpose::port_selection};

    rig() { frame.kind = frame_kind::tcp_data; }
    detour make(unsigned node = 17) const {
        return detour({device, config, node, 99, bitmap_of(to_switches), lossless});
    }
    /// Where the frame goes; `no_port` and the reason if it is dropped.
    struct answer {
        unsigned port;
        drop_reason reason;
    };
    answer ask(detour& rule, unsigned selected) {
        const port_bitmap leads = bitmap_of(acceptable);
        const egress_view view;
        const port_knowledge known{bitmap_of(to_switches), &room, chance};
        const frame_action action =
            rule.resolve({1us, ingress_port, frame, leads, view, known}, selected, frame);
        return {action == frame_action::drop   ? no_port
                : action == frame_action::move ? action.port()
                                               : selected,
                action.reason()};
    }
    answer ask(unsigned selected) {
        detour rule = make();
        return ask(rule, selected);
    }
};

/// What the rule allows for a frame whose port is full; empty: nothing.
struct literal_answer {
    std::set<unsigned> allowed;
    bool is_detour = false;
};
literal_answer literal(const rig& r, unsigned selected) {
    std::set<unsigned> available;
    for (unsigned port = 0; port < ports; ++port) {
        if (port != selected && r.room.full.count(port) == 0) {
            available.insert(port);
        }
    }
    literal_answer answer;
    // "a bitwise AND of this bitmap and the bitmap of the desired output ports"
    for (const unsigned port : available) {
        if (r.config.shortest_first && r.acceptable.count(port) != 0) {
            answer.allowed.insert(port);
        }
    }
    if (!answer.allowed.empty()) {
        return answer;
    }
    // "a random port that is connected to another switch, and whose buffer is not full"
    answer.is_detour = true;
    for (const unsigned port : available) {
        if (r.to_switches.count(port) != 0 && (r.config.back || port != r.ingress_port)) {
            answer.allowed.insert(port);
        }
    }
    // "the output port that has the lowest current buffer usage"
    if (r.config.policy == detour_policy::load_aware) {
        std::uint64_t least = ~std::uint64_t{0};
        for (const unsigned port : answer.allowed) {
            least = std::min(least, r.room.held(port));
        }
        for (auto at = answer.allowed.begin(); at != answer.allowed.end();) {
            at = r.room.held(*at) == least ? std::next(at) : answer.allowed.erase(at);
        }
    }
    return answer;
}

void draw(std::mt19937& dice, std::set<unsigned>& members, unsigned percent) {
    members.clear();
    for (unsigned port = 0; port < ports; ++port) {
        if (dice() % 100 < percent) {
            members.insert(port);
        }
    }
}

class detours : public testing::TestWithParam<detour_policy> {};

TEST_P(detours, take_a_port_that_a_literal_rule_allows) {
    std::mt19937 dice(11);
    std::map<bool, int> seen;
    for (int i = 0; i < 20'000; ++i) {
        rig r;
        r.config.policy = GetParam();
        r.config.shortest_first = dice() % 2 == 0;
        r.config.back = dice() % 2 == 0;
        r.config.mark = dice() % 2 == 0;
        draw(dice, r.to_switches, 60);
        draw(dice, r.acceptable, 30);
        draw(dice, r.room.full, 70);
        const unsigned selected = dice() % ports;
        r.acceptable.insert(selected);
        r.room.full.insert(selected);
        for (unsigned port = 0; port < ports; ++port) {
            r.room.bytes[port] = dice() % 4;
        }
        r.ingress_port = dice() % ports;
        r.frame.flags = dice() % 2 == 0 ? ecn_capable : 0;
        r.frame.transfer.connection = dice() % 1000 & transfer_fields::connection_mask;
        const std::uint8_t flags = r.frame.flags;
        const literal_answer expected = literal(r, selected);
        const rig::answer answer = r.ask(selected);
        if (expected.allowed.empty()) {
            EXPECT_EQ(answer.port, no_port);
            EXPECT_EQ(answer.reason, drop_reason::no_detour);
            EXPECT_EQ(r.frame.flags, flags);
            continue;
        }
        // A shortest path is chosen by the policy as well, but any of them is right here.
        if (expected.is_detour || GetParam() != detour_policy::load_aware) {
            EXPECT_EQ(expected.allowed.count(answer.port), 1U) << answer.port;
        }
        EXPECT_EQ(r.frame.detours, expected.is_detour ? 1 : 0);
        const bool marked = expected.is_detour && r.config.mark && (flags & ecn_capable) != 0;
        EXPECT_EQ(r.frame.flags, flags | (expected.is_detour ? detoured : 0) | (marked ? ecn_marked : 0));
        ++seen[expected.is_detour];
    }
    EXPECT_GT(seen[false], 1'000);
    EXPECT_GT(seen[true], 1'000);
}

INSTANTIATE_TEST_SUITE_P(all_policies, detours,
                         testing::Values(detour_policy::random, detour_policy::load_aware,
                                         detour_policy::flow_based, detour_policy::probabilistic));

TEST(detour, leaves_a_frame_alone_whose_port_has_room) {
    rig r;
    r.frame.flags = ecn_capable;
    EXPECT_EQ(r.ask(0).port, 0U);
    EXPECT_EQ(r.frame.detours, 0);
    EXPECT_EQ(r.frame.flags, ecn_capable);
    // No draw: the stream is where it began.
    random_stream untouched{3, 1, random_purpose::port_selection};
    EXPECT_EQ(r.chance(), untouched());
}

// 99.9 % point of chi-square with three degrees of freedom; the seed is fixed.
TEST(detour_statistical, takes_each_port_equally_often) {
    rig r;
    r.room.full = {0};
    std::map<unsigned, int> counts;
    detour rule = r.make();
    for (int i = 0; i < 8'000; ++i) {
        r.frame.set_hops(1);
        ++counts[r.ask(rule, 0).port];
    }
    double chi_square = 0;
    for (const unsigned port : r.to_switches) {
        chi_square += std::pow(counts[port] - 2'000.0, 2) / 2'000.0;
    }
    EXPECT_LT(chi_square, 16.27);
    EXPECT_EQ(counts.size(), 4U);
}

TEST(detour, by_flow_moves_only_the_flows_whose_port_fills) {
    rig r;
    r.config.policy = detour_policy::flow_based;
    r.room.full = {0};
    std::map<unsigned, unsigned> port_of;
    std::map<unsigned, int> counts;
    const auto ask = [&](unsigned flow) {
        r.frame.transfer.connection = flow & transfer_fields::connection_mask;
        r.frame.set_hops(1);
        return r.ask(0).port;
    };
    for (unsigned flow = 0; flow < 4'000; ++flow) {
        port_of[flow] = ask(flow);
        ++counts[port_of[flow]];
        EXPECT_EQ(ask(flow), port_of[flow]) << "the next frame";
    }
    for (const unsigned port : r.to_switches) {
        EXPECT_NEAR(counts[port], 1'000, 3.9 * std::sqrt(4'000 * 0.25 * 0.75));
    }
    r.room.full.insert(6);
    for (unsigned flow = 0; flow < 4'000; ++flow) {
        EXPECT_EQ(ask(flow) == port_of[flow], port_of[flow] != 6);
    }
}

TEST(detour, by_flow_is_the_same_at_all_switches_only_without_salts) {
    for (const hash_salting salting : {hash_salting::none, hash_salting::per_switch}) {
        rig r;
        r.config.policy = detour_policy::flow_based;
        r.device.hash_salt = salting;
        r.room.full = {0};
        detour here = r.make(17);
        detour there = r.make(18);
        int same = 0;
        for (unsigned flow = 0; flow < 1'000; ++flow) {
            r.frame.transfer.connection = flow & transfer_fields::connection_mask;
            r.frame.set_hops(1);
            const unsigned port = r.ask(here, 0).port;
            r.frame.set_hops(1);
            same += r.ask(there, 0).port == port ? 1 : 0;
        }
        if (salting == hash_salting::none) {
            EXPECT_EQ(same, 1'000);
        } else {
            // One in four by chance, within four standard deviations.
            EXPECT_NEAR(same, 250, 55);
        }
    }
}

/// Classes of n, from the lowest: detours begin at start + (1 - start) c / n, and are certain at a full port.
double literal_share(double start, unsigned c, unsigned classes, double fill) {
    const double from = start + (1 - start) * c / classes;
    return fill <= from ? 0 : fill >= 1 ? 1 : (fill - from) / (1 - from);
}

TEST(detour_statistical, begins_before_the_port_is_full_the_sooner_the_lower_the_class) {
    constexpr int draws = 4'000;
    for (const unsigned classes : {1U, 2U, 8U}) {
        for (unsigned c = 0; c < classes; ++c) {
            for (const double fill : {0.2, 0.5, 0.6, 0.8, 0.95}) {
                rig r;
                r.device.classes = classes;
                r.config.policy = detour_policy::probabilistic;
                r.config.start = 0.4;
                r.room.share = fill;
                r.frame.priority = static_cast<pfc_class>(c);
                detour rule = r.make();
                int moved = 0;
                for (int i = 0; i < draws; ++i) {
                    r.frame.set_hops(1);
                    moved += r.ask(rule, 0).port != 0 ? 1 : 0;
                }
                const double p = literal_share(0.4, c, classes, fill);
                EXPECT_NEAR(rule.early_share(static_cast<pfc_class>(c), fill), p, 1e-12);
                EXPECT_NEAR(moved, draws * p, 4.5 * std::sqrt(draws * p * (1 - p)) + 1e-9)
                    << classes << " " << c << " " << fill;
            }
        }
    }
}

TEST(detour, before_the_port_is_full_stays_where_no_other_port_has_room) {
    rig r;
    r.config.policy = detour_policy::probabilistic;
    r.room.share = 1;
    r.room.full = {4, 5, 6, 7};
    EXPECT_EQ(r.ask(0).port, 0U);
    EXPECT_EQ(r.frame.detours, 0);
}

TEST(detour, holds_a_lossless_frame_that_has_no_detour) {
    rig r;
    r.room.full = {0, 4, 5, 6, 7};
    r.frame.priority = 3;
    r.lossless = 1 << 3;
    EXPECT_EQ(r.ask(0).port, 0U);
    r.frame.priority = 2;
    EXPECT_EQ(r.ask(0).port, no_port);
}

TEST(detour, drops_a_frame_at_the_switch_at_which_it_has_crossed_as_many_links_as_its_ttl) {
    for (const unsigned ttl : {2U, 12U, 255U}) {
        rig r;
        r.config.ttl = ttl;
        detour rule = r.make();
        // From a host, whatever a rank has left in the frame; then from switch to switch.
        r.frame.transfer.set_rank(1'000'000);
        r.ingress_port = 1;
        for (unsigned crossed = 1; crossed < ttl; ++crossed) {
            ASSERT_EQ(r.ask(rule, 0).port, 0U) << crossed << " of " << ttl;
            EXPECT_EQ(r.frame.hops(), crossed);
            r.ingress_port = 5;
        }
        const rig::answer last = r.ask(rule, 0);
        EXPECT_EQ(last.port, no_port);
        EXPECT_EQ(last.reason, drop_reason::ttl_expired);
    }
}

TEST(detour, counts_the_hops_of_notifications_without_touching_what_they_say) {
    rig r;
    r.frame.kind = frame_kind::qcn;
    r.frame.notification = notification_fields{};
    r.frame.notification.flow = 0x123456789ABC;
    r.frame.notification.feedback = 63;
    r.ingress_port = no_port;
    EXPECT_EQ(r.ask(0).port, 0U);
    r.ingress_port = 5;
    EXPECT_EQ(r.ask(0).port, 0U);
    EXPECT_EQ(r.frame.hops(), 2);
    EXPECT_EQ(r.frame.notification.flow, 0x123456789ABCU);
    EXPECT_EQ(r.frame.notification.feedback, 63);
}

}  // namespace
}  // namespace weir::model
