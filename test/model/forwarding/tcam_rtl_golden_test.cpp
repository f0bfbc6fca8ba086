// `tcam` against what tcam.sv has done: test/golden/rtl/.
#include <gtest/gtest.h>

#include "golden/golden_rows.h"
#include "golden/rtl/tcam_golden.h"

namespace {

using namespace weir;
using namespace weir::tb;

// Without those that the build lacks.
port_bitmap ports_in(const std::string& text) {
    port_bitmap ports;
    std::istringstream numbers(text);
    for (unsigned p = 0; numbers >> p;) {
        if (p < max_ports) {
            ports.set(p);
        }
    }
    return ports;
}

TEST(tcam_rtl_golden, winners_ports_and_their_cycles) {
    golden::tcam_in_cycles model(64);
    const std::vector<golden::row> rows = golden::rows("rtl/tcam_n64.csv");
    port_bitmap seen;
    ASSERT_EQ(rows.size(), 2000U);
    for (const golden::row& row : rows) {
        golden::tcam_edge edge;
        edge.writes = row.at("write_index") != "-";
        if (edge.writes) {
            edge.index = static_cast<std::uint32_t>(std::stoul(row.at("write_index")));
            edge.entry.valid = row.at("write_valid") == "1";
            edge.entry.value = std::stoul(row.at("write_value"), nullptr, 16);
            edge.entry.mask = std::stoul(row.at("write_mask"), nullptr, 16);
            edge.ports = ports_in(row.at("write_ports"));
        }
        edge.looks_up = row.at("key") != "-";
        if (edge.looks_up) {
            edge.key = static_cast<std::uint32_t>(std::stoul(row.at("key"), nullptr, 16));
        }
        const golden::tcam_answer answer = model.clock(edge);
        ASSERT_EQ(answer.result ? std::to_string(answer.winner) : "-", row.at("winner"))
            << "cycle " << row.at("cycle");
        ASSERT_EQ(golden::text_of(answer.ports), golden::text_of(ports_in(row.at("ports"))))
            << "cycle " << row.at("cycle");
        seen |= answer.ports;
    }
    for (unsigned w = 0; w < port_bitmap::words; ++w) {
        EXPECT_NE(seen.word(w), 0U) << "word " << w;
    }
}

}  // namespace
