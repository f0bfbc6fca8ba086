// The cycle-level models of PFC against what pfc_receive.sv and pfc_transmit.sv have done: test/golden/rtl/.
#include <gtest/gtest.h>

#include "golden/golden_rows.h"
#include "golden/rtl/pfc_golden.h"

namespace {

using namespace weir;
using namespace weir::tb;

class_mask mask_in(const std::string& text) {
    return static_cast<class_mask>(std::stoul(text, nullptr, 16));
}

std::array<std::uint16_t, pfc_classes> quanta_in(const std::string& text) {
    std::array<std::uint16_t, pfc_classes> quanta{};
    std::istringstream words(text);
    for (std::uint16_t& q : quanta) {
        words >> q;
    }
    return quanta;
}

TEST(pfc_rtl_golden, receive_side) {
    pfc_receive_control model(64);
    const std::vector<golden::row> rows = golden::rows("rtl/pfc_receive_d64.csv");
    ASSERT_EQ(rows.size(), 1500U);
    for (const golden::row& row : rows) {
        golden::receive_edge edge;
        edge.in.pfc_enable = row.at("enable") == "1";
        edge.in.class_enable = mask_in(row.at("enable_class"));
        edge.in.acknowledge = mask_in(row.at("acknowledge"));
        if (row.at("frame") != "-") {
            edge.frame.emplace();
            edge.frame->kind = row.at("frame") == "pfc" ? frame_kind::pfc : frame_kind::pause;
            edge.frame->fields.class_enable = mask_in(row.at("frame_enable"));
            edge.frame->fields.quanta = quanta_in(row.at("frame_quanta"));
        }
        model.clock(edge.inputs());
        ASSERT_EQ(golden::text_of(model.outputs()), row.at("control_frame") + "," + row.at("pfc_frame") + "," +
                                                        row.at("xoff") + "," + row.at("xon") + "," +
                                                        row.at("request"))
            << "cycle " << row.at("cycle");
    }
}

TEST(pfc_rtl_golden, transmit_side) {
    pfc_transmit_control model(golden::transmit_config(64));
    const std::vector<golden::row> rows = golden::rows("rtl/pfc_transmit_d64.csv");
    ASSERT_EQ(rows.size(), 1500U);
    for (const golden::row& row : rows) {
        pfc_transmit_inputs in;
        in.request = mask_in(row.at("request"));
        in.resend = row.at("resend") == "1";
        in.pfc_enable = row.at("enable") == "1";
        in.taken = row.at("taken") == "1";
        model.clock(in);
        ASSERT_EQ(golden::text_of(model.outputs(), model.frame()),
                  row.at("pfc_frame") + "," + row.at("xoff") + "," + row.at("xon") + "," + row.at("paused") +
                      "," + row.at("frame_enable") + "," + row.at("frame_quanta"))
            << "cycle " << row.at("cycle");
    }
}

}  // namespace
