// A switch with a crossbar of cells against what cell_switch.sv, a whole switch, has done: test/golden/rtl/.
#include <gtest/gtest.h>

#include "golden/golden_rows.h"
#include "support/traced_switch.h"

namespace {

using namespace weir;
using namespace weir::tb;
using namespace weir::test;

TEST(switch_rtl_golden, departures_of_a_trace) {
    const std::vector<golden::row> rows = golden::rows("rtl/cell_switch_n8.csv");
    ASSERT_GT(rows.size(), 1000U);
    const auto number = [](const golden::row& row, const char* column) { return std::stoll(row.at(column)); };
    std::vector<traced_frame> frames;
    for (const golden::row& row : rows) {
        frames.push_back(
            {traced_clock * number(row, "arrival_edge"), static_cast<unsigned>(number(row, "ingress")),
             static_cast<unsigned>(number(row, "egress")), static_cast<pfc_class>(number(row, "class")),
             static_cast<std::uint16_t>(number(row, "frame_bytes"))});
    }
    const std::vector<picoseconds> departures =
        model_departures(8, traced_device(golden_switch(8).device, crossbar_mode::cell), frames);
    for (std::size_t n = 0; n < rows.size(); ++n) {
        // The RTL has a register in front of the line.
        ASSERT_EQ(departures[n] / traced_clock + 1, number(rows[n], "departure_edge")) << "frame " << n;
    }
}

}  // namespace
