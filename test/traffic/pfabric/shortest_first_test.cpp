// The heap of waiting senders beside a sorted list.
#include "weir/traffic/pfabric/shortest_first.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weir/base/rng.h"

namespace weir::traffic {
namespace {

TEST(shortest_first, names_the_slot_with_the_least_left_after_any_changes) {
    random_stream chance(5, 0, random_purpose::bit_errors);
    shortest_first waiting;
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> literal;
    std::size_t most = 0;
    for (std::uint64_t step = 0; step < 20'000; ++step) {
        const std::uint32_t slot = chance.below(40);
        if (chance.below(3) == 0) {
            waiting.remove(slot);
            literal.erase(slot);
        } else {
            // Numbers are unique, lengths are not.
            const std::pair<std::uint64_t, std::uint64_t> key{chance.below(30), step};
            waiting.set(slot, {key.first, key.second});
            literal[slot] = key;
        }
        most = std::max(most, literal.size());
        ASSERT_EQ(waiting.empty(), literal.empty());
        if (!literal.empty()) {
            const auto least =
                std::min_element(literal.begin(), literal.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; });
            ASSERT_EQ(waiting.first(), least->first);
        }
    }
    EXPECT_GT(most, 20U);
}

}  // namespace
}  // namespace weir::traffic
