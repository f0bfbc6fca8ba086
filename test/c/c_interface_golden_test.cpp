// The C interface against what RTL has done: test/golden.
#include <gtest/gtest.h>

#include <vector>

#include "c/c_handles.h"
#include "golden/golden_rows.h"
#include "golden/rtl/arbiter_golden.h"
#include "golden/rtl/pfc_golden.h"
#include "golden/rtl/tcam_golden.h"

namespace {

using namespace weir;
using namespace weir::model;
using test::owned;
using test::words_of;

std::uint32_t hex_in(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
}
std::array<std::uint16_t, pfc_classes> quanta_in(const std::string& text) {
    std::array<std::uint16_t, pfc_classes> quanta{};
    std::istringstream words(text);
    for (std::uint16_t& q : quanta) {
        words >> q;
    }
    return quanta;
}

void repeat_islip(const std::string& name, unsigned ports) {
    const owned<weir_islip> arbiter(
        weir_islip_create(WEIR_C_MAJOR, ("ports=" + std::to_string(ports)).c_str(), nullptr));
    golden::moved_pointers grant_pointers(ports);
    golden::moved_pointers accept_pointers(ports);
    const std::vector<golden::row> rows = golden::rows(name);
    ASSERT_GE(rows.size(), 60U);
    for (const golden::row& row : rows) {
        for (unsigned c = 0; c < pfc_classes; ++c) {
            for (unsigned egress = 0; egress < ports; ++egress) {
                ASSERT_EQ(weir_islip_request(arbiter.get(), egress, c, test::port_words{}.data()), 0);
            }
        }
        golden::for_each_asking(row.at("asking"), [&](unsigned c, unsigned egress, std::uint64_t set) {
            ASSERT_EQ(weir_islip_request(arbiter.get(), egress, c, words_of(golden::ports_of(set)).data()), 0);
        });
        const auto free = [&](const char* column) {
            return words_of(golden::ports_of(std::stoull(row.at(column), nullptr, 16)));
        };
        const auto matches =
            weir_islip_step(arbiter.get(), static_cast<unsigned>(std::stoul(row.at("iterations"))),
                            free("free_ingress").data(), free("free_egress").data());
        std::string grants;
        int accepts = 0;
        for (unsigned n = 0; n < static_cast<unsigned>(weir_islip_iterations(arbiter.get())); ++n) {
            golden::arbiter_iteration made;
            for (unsigned egress = 0; egress < ports; ++egress) {
                std::uint32_t c = 0;
                std::uint32_t accepted = 0;
                const int ingress = weir_islip_grant(arbiter.get(), n, egress, &c, &accepted);
                if (ingress == WEIR_NONE) {
                    continue;
                }
                made.grant(egress, static_cast<unsigned>(ingress), static_cast<pfc_class>(c));
                if (accepted != 0) {
                    std::uint32_t of_match = 0;
                    made.accepted |= std::uint64_t{1} << egress;
                    ASSERT_EQ(weir_islip_match(arbiter.get(), egress, &of_match), ingress);
                    ASSERT_EQ(of_match, c);
                    ++accepts;
                }
            }
            grants += (n == 0 ? "" : " | ") + golden::text_of(made);
        }
        ASSERT_EQ(grants, row.at("grants")) << name << ", run " << row.at("run");
        ASSERT_EQ(matches, accepts);
        ASSERT_EQ(grant_pointers.take([&](unsigned p, pfc_class c) {
            return static_cast<unsigned>(weir_islip_grant_pointer(arbiter.get(), p, c));
        }),
                  row.at("grant_pointers"))
            << name << ", run " << row.at("run");
        ASSERT_EQ(accept_pointers.take([&](unsigned p, pfc_class c) {
            return static_cast<unsigned>(weir_islip_accept_pointer(arbiter.get(), p, c));
        }),
                  row.at("accept_pointers"))
            << name << ", run " << row.at("run");
    }
}

TEST(c_interface_golden, islip_grants_accepts_and_pointers) {
    repeat_islip("rtl/islip_n8.csv", 8);
    repeat_islip("rtl/islip_n16.csv", 16);
}

// Others' iSLIP, with one class.
TEST(c_interface_golden, islip_matches_of_booksim2) {
    for (const unsigned ports : {4U, 8U}) {
        const std::vector<golden::row> slots =
            golden::rows("islip/requests_n" + std::to_string(ports) + ".csv");
        for (unsigned iterations = 1; iterations <= 4; ++iterations) {
            const std::vector<golden::row> expected =
                golden::rows("islip/mckeown_booksim2_n" + std::to_string(ports) + "_i" +
                             std::to_string(iterations) + ".csv");
            ASSERT_EQ(slots.size(), expected.size());
            const owned<weir_islip> arbiter(
                weir_islip_create(WEIR_C_MAJOR, ("ports=" + std::to_string(ports)).c_str(), nullptr));
            for (std::size_t slot = 0; slot < slots.size(); ++slot) {
                for (unsigned egress = 0; egress < ports; ++egress) {
                    test::port_words asking{};
                    for (unsigned in = 0; in < ports; ++in) {
                        asking[0] |= (hex_in(slots[slot].at("in" + std::to_string(in))) >> egress & 1) << in;
                    }
                    ASSERT_EQ(weir_islip_request(arbiter.get(), egress, 0, asking.data()), 0);
                }
                ASSERT_GE(weir_islip_step(arbiter.get(), iterations, nullptr, nullptr), 0);
                std::vector<int> match(ports, -1);
                for (unsigned egress = 0; egress < ports; ++egress) {
                    const int in = weir_islip_match(arbiter.get(), egress, nullptr);
                    if (in != WEIR_NONE) {
                        match[static_cast<unsigned>(in)] = static_cast<int>(egress);
                    }
                }
                std::string text;
                for (const int egress : match) {
                    text += (text.empty() ? "" : " ") + std::to_string(egress);
                }
                ASSERT_EQ(text, expected[slot].at("match")) << ports << " ports, slot " << slot;
            }
        }
    }
}

TEST(c_interface_golden, tcam_winners_and_ports) {
    const owned<weir_tcam> table(weir_tcam_create(WEIR_C_MAJOR, "entries=64", nullptr));
    const std::vector<golden::row> rows = golden::rows("rtl/tcam_n64.csv");
    const auto set_in = [](const std::string& text) {
        port_bitmap ports;
        std::istringstream numbers(text);
        for (unsigned p = 0; numbers >> p;) {
            if (p < max_ports) {  // the golden has all that a build can have
                ports.set(p);
            }
        }
        return words_of(ports);
    };
    // The RTL's result is there after three edges.
    std::string winner[3] = {"-", "-", "-"};
    test::port_words ports[3] = {};
    for (const golden::row& row : rows) {
        std::copy_backward(winner, winner + 2, winner + 3);
        std::copy_backward(ports, ports + 2, ports + 3);
        winner[0] = "-";
        ports[0] = {};
        if (row.at("key") != "-") {
            winner[0] = std::to_string(weir_tcam_lookup(table.get(), hex_in(row.at("key")), ports[0].data()));
        }
        if (row.at("write_index") != "-") {
            const auto index = static_cast<std::uint32_t>(std::stoul(row.at("write_index")));
            ASSERT_EQ(
                weir_tcam_write(table.get(), index, row.at("write_valid") == "1", hex_in(row.at("write_value")),
                                hex_in(row.at("write_mask")), 0, set_in(row.at("write_ports")).data()),
                0);
        }
        ASSERT_EQ(winner[2], row.at("winner")) << "cycle " << row.at("cycle");
        ASSERT_EQ(ports[2], set_in(row.at("ports"))) << "cycle " << row.at("cycle");
    }
}

// Others' TCAM. Its table `noncanonical` needs the rule of that RTL.
TEST(c_interface_golden, tcam_first_matches_of_mcjtag) {
    for (const char* size : {"a3_k8", "a4_k16", "a6_k32"}) {
        std::map<std::string, owned<weir_tcam>> tables;
        for (const golden::row& row : golden::rows(std::string("tcam/table_") + size + ".csv")) {
            owned<weir_tcam>& table = tables[row.at("table")];
            if (table == nullptr) {
                table.reset(weir_tcam_create(WEIR_C_MAJOR, "entries=64 rule=canonical_values_only", nullptr));
            }
            const auto index = static_cast<std::uint32_t>(std::stoul(row.at("index")));
            if (row.at("valid") == "1") {
                ASSERT_EQ(
                    weir_tcam_write(table.get(), index, 1, hex_in(row.at("value_hex")),
                                    ~hex_in(row.at("xmask_hex(1=dont_care)")), 0, test::port_words{}.data()),
                    0)
                    << weir_error(table.get());
            }
        }
        std::size_t hits = 0;
        for (const golden::row& row : golden::rows(std::string("tcam/lookup_") + size + ".csv")) {
            const int winner =
                weir_tcam_lookup(tables.at(row.at("table")).get(), hex_in(row.at("key_hex")), nullptr);
            ASSERT_EQ(std::to_string(winner), row.at("first_index(-1=miss)"))
                << size << ", " << row.at("key_hex");
            hits += winner == WEIR_NONE ? 0 : 1;
        }
        EXPECT_GT(hits, 50U);
    }
}

TEST(c_interface_golden, pfc_receive_side) {
    const owned<weir_pfc_receive> control(weir_pfc_receive_create(WEIR_C_MAJOR, "data_width_bits=64", nullptr));
    for (const golden::row& row : golden::rows("rtl/pfc_receive_d64.csv")) {
        const std::string& frame = row.at("frame");
        const auto quanta = quanta_in(frame == "-" ? "" : row.at("frame_quanta"));
        ASSERT_EQ(weir_pfc_receive_step(control.get(), row.at("enable") == "1", hex_in(row.at("enable_class")),
                                        hex_in(row.at("acknowledge")),
                                        frame == "-"     ? WEIR_NO_FRAME
                                        : frame == "pfc" ? WEIR_PFC_FRAME
                                                         : WEIR_PAUSE_FRAME,
                                        frame == "-" ? 0 : hex_in(row.at("frame_enable")), quanta.data()),
                  0);
        std::uint32_t control_frame = 0;
        std::uint32_t pfc_frame = 0;
        std::uint32_t xoff = 0;
        std::uint32_t xon = 0;
        std::uint32_t request = 0;
        ASSERT_EQ(weir_pfc_receive_read(control.get(), &control_frame, &pfc_frame, &xoff, &xon, &request), 0);
        ASSERT_EQ(std::to_string(control_frame) + "," + std::to_string(pfc_frame) + "," + golden::hex2(xoff) +
                      "," + golden::hex2(xon) + "," + golden::hex2(request),
                  row.at("control_frame") + "," + row.at("pfc_frame") + "," + row.at("xoff") + "," +
                      row.at("xon") + "," + row.at("request"))
            << "cycle " << row.at("cycle");
    }
}

TEST(c_interface_golden, pfc_transmit_side) {
    const owned<weir_pfc_transmit> control(
        weir_pfc_transmit_create(WEIR_C_MAJOR,
                                 "data_width_bits=64 launch_edge=kept quanta=65535,1000,200,65535,40,0,7,300 "
                                 "refresh=300,20,10,32767,5,2,1,40",
                                 nullptr));
    for (const golden::row& row : golden::rows("rtl/pfc_transmit_d64.csv")) {
        ASSERT_EQ(weir_pfc_transmit_step(control.get(), row.at("enable") == "1", hex_in(row.at("request")),
                                         row.at("resend") == "1", row.at("taken") == "1"),
                  0);
        pfc_transmit_outputs out;
        std::uint32_t waiting = 0;
        std::uint32_t pfc_frame = 0;
        std::uint32_t xoff = 0;
        std::uint32_t xon = 0;
        std::uint32_t paused = 0;
        std::uint32_t enable = 0;
        pause_fields frame;
        ASSERT_EQ(weir_pfc_transmit_read(control.get(), &waiting, &pfc_frame, &xoff, &xon, &paused), 0);
        ASSERT_EQ(weir_pfc_transmit_frame(control.get(), &enable, frame.quanta.data()), 0);
        out.waiting = waiting != 0;
        out.pfc_frame = pfc_frame != 0;
        out.xoff = static_cast<class_mask>(xoff);
        out.xon = static_cast<class_mask>(xon);
        out.paused = static_cast<class_mask>(paused);
        frame.class_enable = static_cast<class_mask>(enable);
        ASSERT_EQ(golden::text_of(out, frame), row.at("pfc_frame") + "," + row.at("xoff") + "," +
                                                   row.at("xon") + "," + row.at("paused") + "," +
                                                   row.at("frame_enable") + "," + row.at("frame_quanta"))
            << "cycle " << row.at("cycle");
    }
}

// SONiC's tests of Trident2 (test/golden/sonic): one slice, alpha 1/8, minimum 6 cells; the row
// topo-any/40000_5m.
TEST(c_interface_golden, shared_buffer_pauses_and_loses_at_the_cells_of_trident2) {
    const char* error = nullptr;
    const owned<weir_shared_buffer> memory(weir_shared_buffer_create(
        WEIR_C_MAJOR,
        "ports=32 cell=208B memory=12766208B lossless_classes=3,4 lossless_pool=9158656B alpha=0.125 "
        "minimum=1248B headroom=55120B headroom_pool=2560000B",
        &error));
    ASSERT_NE(memory, nullptr) << error;
    for (const golden::row& row : golden::rows("sonic/dynamic_threshold_tests.csv")) {
        if (row.at("asic") != "td2" || row.at("testcase") != "topo-any/40000_5m") {
            continue;
        }
        const int first_paused = std::stoi(row.at("cells_to_first_pfc"));
        const int first_lost = std::stoi(row.at("cells_to_first_ingress_drop"));
        for (int cell = 1; cell < first_lost; ++cell) {
            ASSERT_EQ(weir_shared_buffer_admit(memory.get(), 1, 3, 0, 208), WEIR_STORED) << cell;
            ASSERT_EQ(weir_shared_buffer_paused(memory.get(), 1, 3), cell >= first_paused) << cell;
        }
        EXPECT_EQ(weir_shared_buffer_admit(memory.get(), 1, 3, 0, 208), WEIR_INGRESS_FULL);
        return;
    }
    FAIL() << "the golden has no such row";
}

}  // namespace
