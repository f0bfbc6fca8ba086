#include "weir/traffic/transport/flow_states.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace weir::traffic {
namespace {

struct small {
    std::uint64_t a;
};
struct large : small {
    std::uint64_t b[10];
};

TEST(flow_states, each_slot_has_a_state_of_its_own_that_stays_when_others_come) {
    flow_states states(sizeof(large));
    for (std::uint32_t slot = 0; slot < 100; ++slot) {
        states.clear(slot);
        states.of<small>(slot).a = slot;
        states.of<large>(slot).b[9] = 1000 + slot;
    }
    for (std::uint32_t slot = 0; slot < 100; ++slot) {
        EXPECT_EQ(states.of<small>(slot).a, slot);
        EXPECT_EQ(states.of<large>(slot).b[9], 1000U + slot);
    }
    states.clear(50);
    EXPECT_EQ(states.of<large>(50).b[9], 0U);
    EXPECT_EQ(states.of<large>(49).b[9], 1049U);
    EXPECT_EQ(states.of<large>(51).a, 51U);
}

TEST(flow_states, a_state_that_fits_a_cache_line_lies_in_one) {
    for (const std::size_t bytes : {8U, 24U, 40U, 64U}) {
        flow_states states(bytes);
        for (std::uint32_t slot = 0; slot < 20; ++slot) {
            states.clear(slot);
        }
        for (std::uint32_t slot = 0; slot < 20; ++slot) {
            const auto first = reinterpret_cast<std::uintptr_t>(&states.of<char>(slot));
            EXPECT_EQ(first / 64, (first + bytes - 1) / 64) << bytes;
        }
    }
}

}  // namespace
}  // namespace weir::traffic
