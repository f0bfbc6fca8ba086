// voq_crossbar.sv beside a switch with `switch.crossbar = cell` at speedup 4, slot by slot: both get the same
// frames and see the same room, and have to move the same cells.
#include <gtest/gtest.h>

#include "voq_driver.h"

namespace {

using namespace weir;
using namespace weir::tb;
using namespace weir::test;

TEST(voq_crossbar_rtl, moves_the_cells_that_the_switch_moves_in_a_million_cycles) {
    std::uint64_t slots = 0;
    std::uint64_t cells = 0;
    std::uint64_t without_room = 0;
    voq_driver both([&](const slot_record& slot, const std::vector<moved_cell>& moved) {
        if (HasFailure()) {
            return;
        }
        EXPECT_EQ(text_of(moved), text_of(slot.moved)) << "slot " << slots;
        ++slots;
        cells += moved.size();
        for (const std::uint64_t ports : slot.room) {
            without_room += ports != 0xF ? 1 : 0;
        }
    });
    log_slots(160ms, 1, [&](const slot_record& slot) { both.take(slot); });
    both.finish();
    EXPECT_FALSE(both.rtl().overflow());
    EXPECT_GE(both.rtl().cycles(), 1'000'000U);
    // The stimulus is worth something: ports contend, and room comes and goes.
    EXPECT_GT(cells, slots);
    EXPECT_GT(without_room, slots / 10);
}

// The model's switch begins anew with the log.
TEST(voq_crossbar_rtl, is_as_new_after_a_reset_in_mid_run) {
    std::vector<slot_record> slots;
    log_slots(2ms, 2, [&](const slot_record& slot) { slots.push_back(slot); });
    ASSERT_GT(slots.size(), 5'000U);
    std::size_t compared = 0;
    voq_driver both([&](const slot_record& slot, const std::vector<moved_cell>& moved) {
        ASSERT_EQ(text_of(moved), text_of(slot.moved)) << "slot " << compared;
        ++compared;
    });
    for (const std::size_t cut : {std::size_t{1}, std::size_t{100}, std::size_t{1'001}, slots.size()}) {
        for (std::size_t n = 0; n < cut; ++n) {
            both.take(slots[n]);
        }
        EXPECT_EQ(compared, cut - 1);
        both.reset();
        compared = 0;
    }
}

TEST(voq_crossbar_rtl, a_frame_that_arrives_while_a_slot_runs_asks_from_the_next_one_on) {
    voq_crossbar_rtl rtl;
    std::array<std::uint64_t, pfc_classes> room{};
    room.fill(0xF);
    // Egress port 2 is refused in the first two iterations, by ports 0 and 1; in the third one port 2 would do.
    for (const auto& [ingress, egress] : {std::pair{0U, 0U}, {0U, 1U}, {0U, 2U}, {1U, 1U}, {1U, 2U}}) {
        rtl.arrive(ingress, egress, 0, 1);
    }
    rtl.begin_slot(4, room);
    rtl.arrive(2, 2, 0, 1);
    EXPECT_EQ(rtl.finish_slot().moved, 0b011U);
    rtl.begin_slot(4, room);
    EXPECT_EQ(rtl.finish_slot().moved & 0b100U, 0b100U);
}

}  // namespace
