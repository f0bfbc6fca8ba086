// A switch with a crossbar of cells against what voq_crossbar.sv has done: test/golden/rtl/.
#include <gtest/gtest.h>

#include "golden/golden_rows.h"
#include "support/slot_log.h"

namespace {

using namespace weir;
using namespace weir::tb;
using namespace weir::test;

TEST(voq_rtl_golden, cells_of_each_slot) {
    const std::vector<golden::row> rows = golden::rows("rtl/voq_crossbar_n4.csv");
    ASSERT_GT(rows.size(), 1000U);
    std::size_t slots = 0;
    log_slots(500us, 7, [&](const slot_record& slot) {
        ASSERT_LT(slots, rows.size());
        const golden::row& row = rows[slots++];
        // The switch sees what the RTL saw, and moves what it moved.
        ASSERT_EQ(text_of(slot.arrivals), row.at("arrivals")) << "slot " << row.at("slot");
        ASSERT_EQ(text_of(slot.room), row.at("room")) << "slot " << row.at("slot");
        ASSERT_EQ(text_of(slot.moved), row.at("moved")) << "slot " << row.at("slot");
    });
    EXPECT_EQ(slots, rows.size());
}

}  // namespace
