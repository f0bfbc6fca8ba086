// `islip` against what islip_arbiter.sv has done: test/golden/rtl/.
#include <gtest/gtest.h>

#include "golden/golden_rows.h"
#include "golden/rtl/arbiter_golden.h"

namespace {

using namespace weir;
using namespace weir::tb;

void repeat(const std::string& name, unsigned ports, std::size_t runs) {
    islip arbiter(ports);
    golden::moved_pointers grant_pointers(ports);
    golden::moved_pointers accept_pointers(ports);
    const std::vector<golden::row> rows = golden::rows(name);
    ASSERT_EQ(rows.size(), runs);
    for (const golden::row& row : rows) {
        crossbar_requests requests(ports);
        golden::for_each_asking(row.at("asking"), [&](pfc_class c, unsigned egress, std::uint64_t set) {
            golden::ports_of(set).for_each([&](unsigned ingress) { requests.add(ingress, egress, c); });
        });
        const auto iterations = static_cast<unsigned>(std::stoul(row.at("iterations")));
        golden::arbiter_recorder made;
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, golden::ports_of(std::stoull(row.at("free_ingress"), nullptr, 16)),
                          golden::ports_of(std::stoull(row.at("free_egress"), nullptr, 16)), iterations,
                          matches, made);
        std::string grants;
        for (unsigned n = 0;; ++n) {
            grants += (n == 0 ? "" : " | ") + golden::text_of(made.at(n));
            if (golden::is_last(made.at(n), n, iterations)) {
                break;
            }
        }
        ASSERT_EQ(grants, row.at("grants")) << name << ", run " << row.at("run");
        ASSERT_EQ(grant_pointers.take([&](unsigned p, pfc_class c) { return arbiter.grant_pointer(p, c); }),
                  row.at("grant_pointers"))
            << name << ", run " << row.at("run");
        ASSERT_EQ(accept_pointers.take([&](unsigned p, pfc_class c) { return arbiter.accept_pointer(p, c); }),
                  row.at("accept_pointers"))
            << name << ", run " << row.at("run");
    }
}

TEST(islip_rtl_golden, grants_accepts_and_pointers_of_8_ports) {
    repeat("rtl/islip_n8.csv", 8, 300);
}
TEST(islip_rtl_golden, grants_accepts_and_pointers_of_16_ports) {
    repeat("rtl/islip_n16.csv", 16, 60);
}

}  // namespace
