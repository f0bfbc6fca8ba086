#include "weir/base/port_bitmap.h"

#include <gtest/gtest.h>

#include <bitset>
#include <iterator>
#include <random>
#include <set>

using namespace weir;

namespace {

using oracle = std::set<unsigned>;

oracle random_set(std::mt19937_64& random) {
    oracle ports;
    const unsigned range = 1 + static_cast<unsigned>(random() % max_ports);
    for (unsigned n = static_cast<unsigned>(random() % 40); n > 0; --n) {
        ports.insert(static_cast<unsigned>(random() % range));
    }
    return ports;
}
port_bitmap bitmap_of(const oracle& ports) {
    port_bitmap bits;
    for (unsigned p : ports) {
        bits.set(p);
    }
    return bits;
}
oracle members(const port_bitmap& bits) {
    oracle ports;
    unsigned last = 0;
    bits.for_each([&](unsigned p) {
        EXPECT_TRUE(ports.empty() || p > last) << "not ascending";
        last = p;
        ports.insert(p);
    });
    return ports;
}

TEST(port_bitmap, is_a_set_of_ports) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 5000; ++round) {
        const oracle a = random_set(random);
        port_bitmap bits = bitmap_of(a);
        EXPECT_EQ(members(bits), a);
        EXPECT_EQ(bits.count(), a.size());
        EXPECT_EQ(bits.any(), !a.empty());
        EXPECT_EQ(bits.none(), a.empty());
        for (unsigned p = 0; p < max_ports; ++p) {
            ASSERT_EQ(bits.test(p), a.count(p) == 1);
        }
        for (unsigned n = 0; n < a.size(); ++n) {
            EXPECT_EQ(bits.nth(n), *std::next(a.begin(), n));
        }
        if (!a.empty()) {
            EXPECT_EQ(bits.first(), *a.begin());
            const unsigned gone = *std::next(a.begin(), static_cast<long>(random() % a.size()));
            bits.reset(gone);
            oracle rest = a;
            rest.erase(gone);
            EXPECT_EQ(members(bits), rest);
        }
    }
}

TEST(port_bitmap, round_robin_picks_the_first_port_at_or_after_the_pointer_and_wraps) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 500; ++round) {
        const oracle a = random_set(random);
        if (a.empty()) {
            continue;
        }
        const port_bitmap bits = bitmap_of(a);
        for (unsigned pointer = 0; pointer < max_ports; ++pointer) {
            unsigned walk = pointer;
            while (a.count(walk) == 0) {
                walk = (walk + 1) % max_ports;
            }
            ASSERT_EQ(bits.first_from(pointer), walk);
        }
    }
}

TEST(port_bitmap, intersection_union_and_difference_are_those_of_bitset) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 5000; ++round) {
        const oracle a = random_set(random);
        const oracle b = random_set(random);
        std::bitset<max_ports> x;
        std::bitset<max_ports> y;
        for (unsigned p : a) {
            x.set(p);
        }
        for (unsigned p : b) {
            y.set(p);
        }
        const auto same = [](const port_bitmap& bits, const std::bitset<max_ports>& wanted) {
            for (unsigned p = 0; p < max_ports; ++p) {
                if (bits.test(p) != wanted.test(p)) {
                    return false;
                }
            }
            return true;
        };
        EXPECT_TRUE(same(bitmap_of(a) & bitmap_of(b), x & y));
        EXPECT_TRUE(same(bitmap_of(a) | bitmap_of(b), x | y));
        EXPECT_TRUE(same(bitmap_of(a) - bitmap_of(b), x & ~y));
        EXPECT_EQ(bitmap_of(a) == bitmap_of(b), a == b);
        EXPECT_EQ(bitmap_of(a) != bitmap_of(b), a != b);
    }
}

TEST(port_bitmap, first_ports_are_the_lowest_and_assign_sets_or_resets) {
    for (unsigned n = 0; n <= max_ports; ++n) {
        const port_bitmap bits = port_bitmap::first_ports(n);
        EXPECT_EQ(bits.count(), n);
        EXPECT_TRUE(n == 0 || bits.test(n - 1));
        EXPECT_TRUE(n == max_ports || !bits.test(n));
    }
    port_bitmap bits{1, 63};
    bits.assign(1, false);
    bits.assign(max_ports - 1, true);
    EXPECT_EQ(members(bits), (oracle{63, max_ports - 1}));
}

TEST(port_bitmap, words_are_64_ports_each_and_the_empty_set_has_no_nth_member) {
    port_bitmap bits;
    bits.set_word(port_bitmap::words - 1, 5);
    EXPECT_EQ(members(bits), (oracle{max_ports - 64, max_ports - 62}));
    EXPECT_EQ(bits.word(port_bitmap::words - 1), 5U);
    EXPECT_EQ(bits.nth(2), max_ports);
    EXPECT_EQ(port_bitmap{}.nth(0), max_ports);
}

}  // namespace
