#include "weir/model/forwarding/adaptive_selector.h"
#include "weir/model/forwarding/flow_hash_selector.h"
#include "weir/model/forwarding/least_loaded_selector.h"
#include "weir/model/forwarding/packet_scatter_selector.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace weir::model {
namespace {

/// Calls visit(selector) with one of each class that knows no fabric.
template <class Visit>
void for_each_selector(Visit&& visit) {
    visit(flow_hash_selector(5));
    visit(packet_scatter_selector{});
    visit(adaptive_selector{});
    visit(least_loaded_selector{});
}

/// Upper 99.9 % points of the chi-square distribution; with the fixed seeds below the tests are repeatable.
constexpr double chi_square_999_df3 = 16.27;
constexpr double chi_square_999_df7 = 24.32;
constexpr double chi_square_999_df15 = 37.70;

double chi_square(const std::map<unsigned, unsigned>& counts, const std::vector<unsigned>& cells) {
    unsigned total = 0;
    for (const auto& [cell, count] : counts) {
        total += count;
    }
    const double expected = static_cast<double>(total) / static_cast<double>(cells.size());
    double sum = 0;
    for (const unsigned cell : cells) {
        const auto found = counts.find(cell);
        const double difference = (found == counts.end() ? 0 : found->second) - expected;
        sum += difference * difference / expected;
    }
    return sum;
}

ethernet_frame make_frame(std::uint32_t src, std::uint32_t dst, std::uint32_t connection,
                          frame_kind kind = frame_kind::tcp_data) {
    ethernet_frame frame;
    frame.src = ipv4_address{src};
    frame.dst = ipv4_address{dst};
    frame.transfer.connection = connection & transfer_fields::connection_mask;
    frame.kind = kind;
    return frame;
}

/// Egress queues as the TR describes them: bytes enqueued per port and priority. Everything that a selector
/// sees is worked out from them anew, by the sentences of sections 5.3 and 5.4.
struct literal_egress {
    unsigned ports;
    std::vector<std::uint32_t> thresholds;  ///< ascending
    std::vector<std::vector<std::uint32_t>> enqueued;
    std::vector<port_bitmap> favored;
    std::vector<std::uint32_t> drain;

    literal_egress(unsigned port_count, std::vector<std::uint32_t> favored_below)
        : ports(port_count),
          thresholds(std::move(favored_below)),
          enqueued(port_count, std::vector<std::uint32_t>(pfc_classes)) {}

    /// "the number of enqueued bytes with higher or equal priority"
    std::uint32_t drain_bytes(unsigned egress_port, unsigned priority) const {
        std::uint32_t sum = 0;
        for (unsigned p = priority; p < pfc_classes; ++p) {
            sum += enqueued[egress_port][p];
        }
        return sum;
    }
    egress_view view() {
        favored.clear();
        for (const std::uint32_t threshold : thresholds) {
            for (unsigned c = 0; c < pfc_classes; ++c) {
                port_bitmap f;
                for (unsigned p = 0; p < ports; ++p) {
                    // "Whenever the value of the counter is below a pre-defined threshold, a logical 1"
                    f.assign(p, drain_bytes(p, c) < threshold);
                }
                favored.push_back(f);
            }
        }
        drain.clear();
        for (unsigned p = 0; p < ports; ++p) {
            for (unsigned c = 0; c < pfc_classes; ++c) {
                drain.push_back(drain_bytes(p, c));
            }
        }
        egress_view v;
        v.favored = favored.data();
        v.levels = static_cast<unsigned>(thresholds.size());
        v.drain_bytes = drain.data();
        return v;
    }
    /// Ports that DeTail may choose for the priority, from the queues themselves.
    std::vector<unsigned> candidates(const port_bitmap& acceptable_ports, unsigned priority) const {
        for (const std::uint32_t threshold : thresholds) {
            std::vector<unsigned> lightly_loaded;
            for (unsigned p = 0; p < ports; ++p) {
                if (acceptable_ports.test(p) && drain_bytes(p, priority) < threshold) {
                    lightly_loaded.push_back(p);
                }
            }
            if (!lightly_loaded.empty()) {
                return lightly_loaded;
            }
        }
        std::vector<unsigned> any;
        for (unsigned p = 0; p < ports; ++p) {
            if (acceptable_ports.test(p)) {
                any.push_back(p);
            }
        }
        return any;
    }
    void fill(random_stream& chance) {
        for (auto& port : enqueued) {
            for (std::uint32_t& queue : port) {
                queue = chance.below(3) == 0 ? 1530 * chance.below(25) : 0;
            }
        }
    }
};

port_bitmap random_ports(unsigned ports, random_stream& chance) {
    port_bitmap set{chance.below(ports)};
    for (unsigned p = 0; p < ports; ++p) {
        set.assign(p, set.test(p) || chance.below(2) == 0);
    }
    return set;
}

// ---- common rules ----

/// The answer to a frame from port 0 at time 0, in a switch that knows no other switch.
template <class Selector>
unsigned choose(const Selector& selector, const ethernet_frame& frame, const port_bitmap& acceptable,
                const egress_view& view, random_stream& chance) {
    return selector.select({0us, 0, frame, acceptable, view, port_knowledge{{}, &unlimited_room, chance}});
}

TEST(port_selector, without_acceptable_ports_answers_no_port_and_draws_nothing) {
    literal_egress egress(4, {16'384});
    const egress_view view = egress.view();
    for_each_selector([&](const auto& selector) {
        random_stream chance{1, 1, random_purpose::port_selection};
        random_stream untouched = chance;
        EXPECT_EQ(choose(selector, make_frame(1, 2, 3), {}, view, chance), no_port);
        EXPECT_EQ(chance(), untouched());
    });
}

TEST(port_selector, with_one_acceptable_port_chooses_it_and_draws_nothing) {
    literal_egress egress(max_ports, {16'384});
    const egress_view view = egress.view();
    for_each_selector([&](const auto& selector) {
        for (unsigned p = 0; p < max_ports; ++p) {
            random_stream chance{1, 1, random_purpose::port_selection};
            random_stream untouched = chance;
            EXPECT_EQ(choose(selector, make_frame(1, 2, p), {p}, view, chance), p);
            EXPECT_EQ(chance(), untouched());
        }
    });
}

TEST(port_selector, always_chooses_an_acceptable_port) {
    constexpr unsigned ports = 24;
    random_stream random{2, 0, random_purpose::adversary};
    literal_egress egress(ports, {16'384, 65'536});
    for (unsigned n = 0; n < 2000; ++n) {
        egress.fill(random);
        const egress_view view = egress.view();
        ethernet_frame frame = make_frame(random.below(100), random.below(100), random.below(100));
        frame.priority = static_cast<pfc_class>(random.below(8));
        const port_bitmap acceptable = random_ports(ports, random);
        for_each_selector([&](const auto& selector) {
            random_stream chance{n, 1, random_purpose::port_selection};
            EXPECT_TRUE(acceptable.test(choose(selector, frame, acceptable, view, chance)));
        });
    }
}

// ---- flow hash ----

TEST(flow_hash, every_frame_of_one_direction_of_a_connection_maps_alike) {
    random_stream random{3, 0, random_purpose::adversary};
    const port_bitmap acceptable = port_bitmap::first_ports(32);
    for (unsigned n = 0; n < 200; ++n) {
        const flow_hash_selector selector(random());
        const ethernet_frame first = make_frame(random.below(1000), random.below(1000), random.below(1000));
        random_stream unused{1, 1, random_purpose::port_selection};
        const unsigned expected = choose(selector, first, acceptable, {}, unused);
        for (const frame_kind kind :
             {frame_kind::tcp_data, frame_kind::tcp_ack, frame_kind::tcp_syn, frame_kind::tcp_syn_ack}) {
            ethernet_frame frame = first;
            frame.kind = kind;
            frame.flags = static_cast<std::uint8_t>(random.below(32));
            frame.priority = static_cast<pfc_class>(random.below(8));
            frame.frame_bytes = static_cast<std::uint16_t>(64 + random.below(1467));
            frame.transfer.tag = static_cast<std::uint8_t>(random.below(256));
            frame.transfer.flow = random() & transfer_fields::flow_mask;
            frame.transfer.sequence = random() & transfer_fields::length_mask;
            frame.transfer.reply_bytes = random.below(1000);
            frame.transfer.set_start(picoseconds{random.below(1000)});
            ASSERT_EQ(choose(selector, frame, acceptable, {}, unused), expected);
        }
    }
}

TEST(flow_hash, each_part_of_the_flow_and_the_salt_change_the_hash) {
    const ethernet_frame base = make_frame(0x0A000001, 0x0A000002, 7);
    std::vector<ethernet_frame> others(6, base);
    others[0].src = ipv4_address{0x0A000003};
    others[1].dst = ipv4_address{0x0A000003};
    others[2].transfer.connection = 8;
    others[3].path_tag = 1;
    others[4].kind = frame_kind::udp;
    std::swap(others[5].src, others[5].dst);
    std::set<std::uint64_t> hashes{flow_hash_of(base, 1), flow_hash_of(base, 2), flow_hash_of(base, unsalted)};
    for (const ethernet_frame& other : others) {
        hashes.insert(flow_hash_of(other, 1));
    }
    EXPECT_EQ(hashes.size(), 9U);
}

TEST(flow_hash_statistical, spreads_consecutive_flows_evenly_over_16_ports) {
    random_stream unused{1, 1, random_purpose::port_selection};
    const std::vector<unsigned> ports{0, 3, 5, 6, 17, 30, 63, 64, 65, 100, 127, 128, 200, 201, 254, 255};
    port_bitmap acceptable;
    for (const unsigned p : ports) {
        acceptable.set(p % max_ports);
    }
    if (acceptable.count() != ports.size()) {
        GTEST_SKIP() << "needs 256 ports";
    }
    enum class vary { source, destination, connection, path_tag };
    for (const vary what : {vary::source, vary::destination, vary::connection, vary::path_tag}) {
        std::map<unsigned, unsigned> counts;
        for (std::uint32_t n = 0; n < 16'000; ++n) {
            ethernet_frame frame = make_frame(0x0A000000, 0x0A010000, 0);
            switch (what) {
                case vary::source:
                    frame.src = ipv4_address{0x0A000000 + n};
                    break;
                case vary::destination:
                    frame.dst = ipv4_address{0x0A000000 + n};
                    break;
                case vary::connection:
                    frame.transfer.connection = n & transfer_fields::connection_mask;
                    break;
                case vary::path_tag:
                    frame.path_tag = static_cast<std::uint16_t>(n);
                    break;
            }
            ++counts[choose(flow_hash_selector(unsalted), frame, acceptable, {}, unused)];
        }
        EXPECT_LT(chi_square(counts, ports), chi_square_999_df15) << static_cast<int>(what);
    }
}

/// Ports that a second-tier switch uses for the flows that a first-tier switch has sent to its port 0.
std::map<unsigned, unsigned> second_tier_choices(std::uint64_t first_salt, std::uint64_t second_salt) {
    random_stream unused{1, 1, random_purpose::port_selection};
    const port_bitmap acceptable = port_bitmap::first_ports(4);
    std::map<unsigned, unsigned> counts;
    for (std::uint32_t n = 0; n < 16'000; ++n) {
        const ethernet_frame frame = make_frame(0x0A000000 + n % 64, 0x0A010000 + n % 61, n);
        if (choose(flow_hash_selector(first_salt), frame, acceptable, {}, unused) == 0) {
            ++counts[choose(flow_hash_selector(second_salt), frame, acceptable, {}, unused)];
        }
    }
    return counts;
}

std::uint64_t own_salt(std::uint64_t seed, std::uint32_t node) {
    return hash_salt(hash_salting::per_switch, seed, node);
}

TEST(flow_hash_statistical, salted_tiers_choose_independently) {
    for (std::uint32_t node = 0; node < 4; ++node) {
        EXPECT_LT(chi_square(second_tier_choices(own_salt(1, node), own_salt(1, node + 1)), {0, 1, 2, 3}),
                  chi_square_999_df3);
    }
}

TEST(flow_hash, two_switches_without_salts_choose_the_same_member_for_a_flow) {
    random_stream unused{1, 1, random_purpose::port_selection};
    const auto same_choices = [&](hash_salting salting) {
        const flow_hash_selector first(hash_salt(salting, 7, 20));
        const flow_hash_selector second(hash_salt(salting, 8, 21));
        int same = 0;
        for (std::uint32_t flow = 0; flow < 1'000; ++flow) {
            // Groups of equal size, of different ports.
            const ethernet_frame frame = make_frame(0x0A000001, 0x0A000002, flow);
            same += choose(first, frame, {0, 1, 2, 3}, {}, unused) + 4 ==
                            choose(second, frame, {4, 5, 6, 7}, {}, unused)
                        ? 1
                        : 0;
        }
        return same;
    };
    EXPECT_EQ(same_choices(hash_salting::none), 1'000);
    // One in four by chance, within four standard deviations.
    EXPECT_NEAR(same_choices(hash_salting::per_switch), 250, 55);
}

TEST(flow_hash, unsalted_tiers_polarise) {
    const std::map<unsigned, unsigned> counts = second_tier_choices(unsalted, unsalted);
    EXPECT_EQ(counts.size(), 1U);
    EXPECT_EQ(counts.begin()->first, 0U);
}

// ---- packet scatter ----

TEST(packet_scatter_statistical, chooses_each_acceptable_port_equally_often) {
    random_stream chance{4, 0, random_purpose::port_selection};
    std::map<unsigned, unsigned> counts;
    const port_bitmap acceptable{1, 2, 4, 8, 16, 32, 33, 63};
    for (unsigned n = 0; n < 16'000; ++n) {
        ++counts[choose(packet_scatter_selector{}, make_frame(1, 2, 3), acceptable, {}, chance)];
    }
    EXPECT_EQ(counts.size(), 8U);
    EXPECT_LT(chi_square(counts, {1, 2, 4, 8, 16, 32, 33, 63}), chi_square_999_df7);
}

// ---- adaptive ----

TEST(adaptive, chooses_as_a_literal_reading_of_the_report_does) {
    constexpr unsigned ports = 20;
    random_stream random{5, 0, random_purpose::adversary};
    const std::vector<std::vector<std::uint32_t>> threshold_sets = {
        {}, {16'384}, {16'384, 65'536}, {1'530, 16'384, 65'536, 131'072}};
    for (const std::vector<std::uint32_t>& thresholds : threshold_sets) {
        literal_egress egress(ports, thresholds);
        std::set<std::size_t> sizes;
        for (unsigned n = 0; n < 5000; ++n) {
            egress.fill(random);
            const egress_view view = egress.view();
            ethernet_frame frame = make_frame(1, 2, 3);
            frame.priority = static_cast<pfc_class>(random.below(8));
            const port_bitmap acceptable = random_ports(ports, random);
            const std::vector<unsigned> candidates = egress.candidates(acceptable, frame.priority);
            random_stream chance{n, 7, random_purpose::port_selection};
            random_stream same = chance;
            const unsigned p = choose(adaptive_selector{}, frame, acceptable, view, chance);
            const unsigned draw =
                candidates.size() > 1 ? same.below(static_cast<std::uint32_t>(candidates.size())) : 0;
            ASSERT_EQ(p, candidates[draw]);
            ASSERT_EQ(chance(), same()) << "draws once, and only among several";
            sizes.insert(candidates.size());
        }
        EXPECT_GT(sizes.size(), 5U);
    }
}

TEST(adaptive_statistical, chooses_equally_often_within_the_best_level) {
    literal_egress egress(8, {16'384, 65'536});
    egress.enqueued[0][0] = 100'000;
    egress.enqueued[3][0] = 20'000;
    const egress_view view = egress.view();
    random_stream chance{6, 0, random_purpose::port_selection};
    std::map<unsigned, unsigned> counts;
    for (unsigned n = 0; n < 12'000; ++n) {
        ++counts[choose(adaptive_selector{}, make_frame(1, 2, 3), {0, 1, 3, 4, 5, 6}, view, chance)];
    }
    EXPECT_EQ(counts.size(), 4U);
    EXPECT_LT(chi_square(counts, {1, 4, 5, 6}), chi_square_999_df3);
}

TEST(adaptive, takes_the_next_level_and_at_last_any_port) {
    literal_egress egress(3, {16'384, 65'536});
    egress.enqueued[0][7] = 16'384;  // not below the first threshold
    egress.enqueued[1][7] = 65'536;
    egress.enqueued[2][7] = 65'536;
    const egress_view view = egress.view();
    ethernet_frame frame = make_frame(1, 2, 3);
    frame.priority = 7;
    random_stream chance{7, 0, random_purpose::port_selection};
    std::set<unsigned> without_port_0;
    for (unsigned n = 0; n < 100; ++n) {
        EXPECT_EQ(choose(adaptive_selector{}, frame, {0, 1, 2}, view, chance), 0U);
        without_port_0.insert(choose(adaptive_selector{}, frame, {1, 2}, view, chance));
    }
    EXPECT_EQ(without_port_0, (std::set<unsigned>{1, 2}));
}

TEST(adaptive, sees_past_less_urgent_queues_as_in_the_reports_example) {
    // Section 5.4: port 1 has 10 KB of priority 7, port 2 has 20 KB of priority 0.
    literal_egress egress(3, {8'192});
    egress.enqueued[1][7] = 10'240;
    egress.enqueued[2][0] = 20'480;
    const egress_view view = egress.view();
    ethernet_frame frame = make_frame(1, 2, 3);
    random_stream chance{8, 0, random_purpose::port_selection};
    frame.priority = 7;
    EXPECT_EQ(choose(adaptive_selector{}, frame, {1, 2}, view, chance), 2U);
    EXPECT_EQ(choose(least_loaded_selector{}, frame, {1, 2}, view, chance), 2U);
    frame.priority = 0;
    EXPECT_EQ(choose(least_loaded_selector{}, frame, {1, 2}, view, chance), 1U);
}

// ---- least loaded ----

TEST(least_loaded, chooses_among_the_ports_of_fewest_drain_bytes) {
    constexpr unsigned ports = 20;
    random_stream random{9, 0, random_purpose::adversary};
    literal_egress egress(ports, {});
    std::set<std::size_t> sizes;
    for (unsigned n = 0; n < 5000; ++n) {
        egress.fill(random);
        const egress_view view = egress.view();
        ethernet_frame frame = make_frame(1, 2, 3);
        frame.priority = static_cast<pfc_class>(random.below(8));
        const port_bitmap acceptable = random_ports(ports, random);
        std::map<std::uint32_t, std::vector<unsigned>> by_drain;
        for (unsigned p = 0; p < ports; ++p) {
            if (acceptable.test(p)) {
                by_drain[egress.drain_bytes(p, frame.priority)].push_back(p);
            }
        }
        const std::vector<unsigned>& ties = by_drain.begin()->second;
        random_stream chance{n, 7, random_purpose::port_selection};
        random_stream same = chance;
        const unsigned p = choose(least_loaded_selector{}, frame, acceptable, view, chance);
        const unsigned draw = ties.size() > 1 ? same.below(static_cast<std::uint32_t>(ties.size())) : 0;
        ASSERT_EQ(p, ties[draw]);
        ASSERT_EQ(chance(), same());
        sizes.insert(ties.size());
    }
    EXPECT_GT(sizes.size(), 3U);
}

TEST(least_loaded_statistical, breaks_ties_equally_often) {
    literal_egress egress(8, {});
    egress.enqueued[2][5] = 1;
    const egress_view view = egress.view();
    random_stream chance{10, 0, random_purpose::port_selection};
    std::map<unsigned, unsigned> counts;
    for (unsigned n = 0; n < 12'000; ++n) {
        ++counts[choose(least_loaded_selector{}, make_frame(1, 2, 3), {0, 2, 3, 6, 7}, view, chance)];
    }
    EXPECT_EQ(counts.size(), 4U);
    EXPECT_LT(chi_square(counts, {0, 3, 6, 7}), chi_square_999_df3);
}

}  // namespace
}  // namespace weir::model
