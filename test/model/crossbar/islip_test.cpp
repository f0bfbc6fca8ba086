// iSLIP against golden matchings and pointers, and its rules one by one. The comparison with a literal
// reading over random matrices is in arbiter_oracle_test.cpp.
#include "weir/model/crossbar/islip.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "golden/golden_rows.h"

namespace {

using namespace weir;
using namespace weir::tb;

using ports = std::vector<int>;

std::string text(const ports& values) {
    std::string joined;
    for (int v : values) {
        joined += (joined.empty() ? "" : " ") + std::to_string(v);
    }
    return joined;
}

/// Grants and accepts per iteration, as the golden files write them.
struct recorder {
    recorder(unsigned ports_count, unsigned iterations)
        : grants(iterations, ports(ports_count, -1)), accepts(iterations, ports(ports_count, -1)) {}

    void granted(unsigned iteration, unsigned egress, unsigned ingress, pfc_class) {
        grants.at(iteration).at(egress) = static_cast<int>(ingress);
    }
    void accepted(unsigned iteration, unsigned egress, unsigned ingress, pfc_class) {
        accepts.at(iteration).at(ingress) = static_cast<int>(egress);
    }
    static std::string text_of(const std::vector<ports>& iterations) {
        std::string joined;
        for (const ports& p : iterations) {
            joined += (joined.empty() ? "" : "|") + text(p);
        }
        return joined;
    }

    std::vector<ports> grants;
    std::vector<ports> accepts;
};

struct golden_set {
    unsigned n;
    unsigned iterations;
};

class islip_golden : public testing::TestWithParam<golden_set> {};

TEST_P(islip_golden, matches_pointers_grants_and_accepts_agree_in_every_slot) {
    const auto [n, iterations] = GetParam();
    const auto requests_csv = golden::lines("islip/requests_n" + std::to_string(n) + ".csv");
    const auto results = golden::lines("islip/mckeown_booksim2_n" + std::to_string(n) + "_i" +
                                       std::to_string(iterations) + ".csv");
    ASSERT_EQ(results.size(), n == 4 ? 1000U : 800U);
    ASSERT_EQ(requests_csv.size(), results.size());

    // Any class will do: pointers of different classes know nothing of each other.
    const auto c = static_cast<pfc_class>(iterations);
    const port_bitmap all = port_bitmap::first_ports(n);
    islip arbiter(n);
    islip unobserved(n);
    for (std::size_t slot = 0; slot < results.size(); ++slot) {
        crossbar_requests requests(n);
        for (unsigned ingress = 0; ingress < n; ++ingress) {
            const unsigned long wanted = std::stoul(requests_csv[slot][2 + ingress], nullptr, 16);
            for (unsigned egress = 0; egress < n; ++egress) {
                if ((wanted >> egress & 1) != 0) {
                    requests.add(ingress, egress, c);
                }
            }
        }
        recorder seen(n, iterations);
        std::vector<crossbar_match> matches;
        std::vector<crossbar_match> matches_unobserved;
        arbiter.arbitrate(requests, all, all, iterations, matches, seen);
        unobserved.arbitrate(requests, all, all, iterations, matches_unobserved);
        ASSERT_EQ(matches, matches_unobserved);

        ports match(n, -1);
        ports grant_pointers(n);
        ports accept_pointers(n);
        for (const crossbar_match& m : matches) {
            match[m.ingress_port] = m.egress_port;
        }
        for (unsigned p = 0; p < n; ++p) {
            grant_pointers[p] = static_cast<int>(arbiter.grant_pointer(p, c));
            accept_pointers[p] = static_cast<int>(arbiter.accept_pointer(p, c));
        }
        ASSERT_EQ(results[slot][0], requests_csv[slot][0]);
        ASSERT_EQ(text(match), results[slot][1]) << "slot " << slot;
        ASSERT_EQ(text(grant_pointers), results[slot][2]) << "slot " << slot;
        ASSERT_EQ(text(accept_pointers), results[slot][3]) << "slot " << slot;
        ASSERT_EQ(recorder::text_of(seen.grants), results[slot][4]) << "slot " << slot;
        ASSERT_EQ(recorder::text_of(seen.accepts), results[slot][5]) << "slot " << slot;
    }
}

INSTANTIATE_TEST_SUITE_P(all_sets, islip_golden,
                         testing::Values(golden_set{4, 1}, golden_set{4, 2}, golden_set{4, 3}, golden_set{4, 4},
                                         golden_set{8, 1}, golden_set{8, 2}, golden_set{8, 3},
                                         golden_set{8, 4}),
                         [](const testing::TestParamInfo<golden_set>& set) {
                             return "ports_" + std::to_string(set.param.n) + "_iterations_" +
                                    std::to_string(set.param.iterations);
                         });

const port_bitmap four_ports = port_bitmap::first_ports(4);

TEST(islip, pointer_moves_only_on_first_iteration_accept) {
    // Egress 0 and 1 both grant ingress 0, which accepts egress 0; egress 1 gets ingress 1 in the second.
    crossbar_requests requests(4);
    requests.add(0, 0, 2);
    requests.add(0, 1, 2);
    requests.add(1, 1, 2);
    islip arbiter(4);
    std::vector<crossbar_match> matches;
    arbiter.arbitrate(requests, four_ports, four_ports, 4, matches);
    EXPECT_EQ(matches, (std::vector<crossbar_match>{{0, 0, 2}, {1, 1, 2}}));
    EXPECT_EQ(arbiter.grant_pointer(0, 2), 1U);
    EXPECT_EQ(arbiter.accept_pointer(0, 2), 1U);
    EXPECT_EQ(arbiter.grant_pointer(1, 2), 0U);
    EXPECT_EQ(arbiter.accept_pointer(1, 2), 0U);
}

TEST(islip, each_class_has_pointers_of_its_own) {
    crossbar_requests requests(4);
    requests.add(2, 1, 5);
    islip arbiter(4);
    std::vector<crossbar_match> matches;
    arbiter.arbitrate(requests, four_ports, four_ports, 1, matches);
    for (pfc_class c = 0; c < pfc_classes; ++c) {
        EXPECT_EQ(arbiter.grant_pointer(1, c), c == 5 ? 3U : 0U);
        EXPECT_EQ(arbiter.accept_pointer(2, c), c == 5 ? 2U : 0U);
    }
}

TEST(islip, an_egress_port_grants_its_highest_class_whatever_the_pointers_say) {
    crossbar_requests requests(4);
    requests.add(0, 3, 1);
    requests.add(2, 3, 6);
    islip arbiter(4);
    std::vector<crossbar_match> matches;
    arbiter.arbitrate(requests, four_ports, four_ports, 1, matches);
    EXPECT_EQ(matches, (std::vector<crossbar_match>{{2, 3, 6}}));
}

TEST(islip, an_ingress_port_accepts_its_highest_granted_class_whatever_the_pointers_say) {
    crossbar_requests requests(4);
    requests.add(0, 1, 0);
    requests.add(0, 3, 7);
    islip arbiter(4);
    std::vector<crossbar_match> matches;
    arbiter.arbitrate(requests, four_ports, four_ports, 1, matches);
    EXPECT_EQ(matches, (std::vector<crossbar_match>{{0, 3, 7}}));
    EXPECT_EQ(arbiter.grant_pointer(1, 0), 0U);
}

TEST(islip, pointers_wrap_at_the_last_port) {
    for (unsigned n : {1U, 3U, 64U, 65U, 256U}) {
        crossbar_requests requests(n);
        const auto last = static_cast<std::uint8_t>(n - 1);
        requests.add(last, last, 0);
        islip arbiter(n);
        const port_bitmap all = port_bitmap::first_ports(n);
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
        EXPECT_EQ(matches, (std::vector<crossbar_match>{{last, last, 0}}));
        EXPECT_EQ(arbiter.grant_pointer(last, 0), 0U);
        EXPECT_EQ(arbiter.accept_pointer(last, 0), 0U);
    }
}

TEST(islip, one_iteration_serves_a_saturated_crossbar_fully_once_pointers_have_spread) {
    const unsigned n = 16;
    crossbar_requests requests(n);
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned e = 0; e < n; ++e) {
            requests.add(i, e, 0);
        }
    }
    islip arbiter(n);
    const port_bitmap all = port_bitmap::first_ports(n);
    std::vector<crossbar_match> matches;
    for (unsigned slot = 0; slot < 10 * n; ++slot) {
        matches.clear();
        arbiter.arbitrate(requests, all, all, 1, matches);
        ASSERT_EQ(matches.size(), slot < n ? slot + 1 : n) << "slot " << slot;
    }
}

TEST(islip, serves_a_backlogged_voq_that_maximum_size_matching_would_starve) {
    crossbar_requests requests(2);
    requests.add(0, 0, 0);
    requests.add(0, 1, 0);
    requests.add(1, 0, 0);
    islip arbiter(2);
    const port_bitmap all = port_bitmap::first_ports(2);
    unsigned last_served = 0;
    for (unsigned slot = 1; slot <= 100; ++slot) {
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
        for (const crossbar_match& m : matches) {
            last_served = m.ingress_port == 0 && m.egress_port == 0 ? slot : last_served;
        }
        ASSERT_LE(slot - last_served, 4U);  // N^2
    }
}

}  // namespace
