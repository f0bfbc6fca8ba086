// PIM: chance is fair, repeatable, and adds up to the known throughput.
#include "weir/model/crossbar/pim.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace weir;
using namespace weir::model;

random_stream stream(std::uint64_t seed) {
    return {seed, 0, random_purpose::arbitration};
}

/// Five standard deviations of a count of `n` trials of probability p: one test in 1.7 million fails.
double five_sigma(double n, double p) {
    return 5 * std::sqrt(n * p * (1 - p));
}

class pim_of_any_width_statistical : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(one_word_and_more, pim_of_any_width_statistical, testing::Values(8U, 64U, 128U, 256U));

TEST_P(pim_of_any_width_statistical, grants_each_asking_ingress_port_equally_often) {
    const unsigned n = GetParam();
    const std::vector<unsigned> asking{0, 2, 3, n / 2, n - 1};
    crossbar_requests requests(n);
    for (unsigned i : asking) {
        requests.add(i, 1, 3);
    }
    const port_bitmap all = port_bitmap::first_ports(n);
    pim arbiter(n, stream(1));
    std::vector<crossbar_match> matches;
    const unsigned runs = 20'000;
    for (unsigned r = 0; r < runs; ++r) {
        arbiter.arbitrate(requests, all, all, 1, matches);
    }
    ASSERT_EQ(matches.size(), runs);
    std::vector<unsigned> count(n);
    for (const crossbar_match& m : matches) {
        ASSERT_EQ(m.egress_port, 1);
        ++count[m.ingress_port];
    }
    for (unsigned i : asking) {
        EXPECT_NEAR(count[i], runs / 5.0, five_sigma(runs, 0.2)) << i;
    }
}

TEST_P(pim_of_any_width_statistical, accepts_each_granting_egress_port_equally_often) {
    const unsigned n = GetParam();
    const std::vector<unsigned> granting{1, 2, n / 2, n - 1};
    crossbar_requests requests(n);
    for (unsigned e : granting) {
        requests.add(5, e, 0);
    }
    const port_bitmap all = port_bitmap::first_ports(n);
    pim arbiter(n, stream(2));
    std::vector<crossbar_match> matches;
    const unsigned runs = 20'000;
    for (unsigned r = 0; r < runs; ++r) {
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
    }
    ASSERT_EQ(matches.size(), runs);
    std::vector<unsigned> count(n);
    for (const crossbar_match& m : matches) {
        ++count[m.egress_port];
    }
    for (unsigned e : granting) {
        EXPECT_NEAR(count[e], runs / 4.0, five_sigma(runs, 0.25)) << e;
    }
}

TEST(pim, a_higher_class_is_granted_and_accepted_first) {
    const port_bitmap all = port_bitmap::first_ports(8);
    crossbar_requests requests(8);
    requests.add(0, 1, 2);
    requests.add(3, 1, 6);  // egress 1 grants ingress 3
    requests.add(3, 4, 1);  // refused: ingress 3 accepts class 6
    pim arbiter(8, stream(3));
    for (unsigned r = 0; r < 100; ++r) {
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, all, all, 1, matches);
        ASSERT_EQ(matches, (std::vector<crossbar_match>{{3, 1, 6}}));
    }
}

TEST(pim_statistical, one_iteration_matches_0_6439_of_a_saturated_16_by_16_crossbar) {
    const unsigned n = 16;
    crossbar_requests requests(n);
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned e = 0; e < n; ++e) {
            requests.add(i, e, 0);
        }
    }
    const port_bitmap all = port_bitmap::first_ports(n);
    pim arbiter(n, stream(4));
    const unsigned runs = 100'000;
    double sum = 0;
    double squares = 0;
    for (unsigned r = 0; r < runs; ++r) {
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, all, all, 1, matches);
        const double share = static_cast<double>(matches.size()) / n;
        sum += share;
        squares += share * share;
    }
    const double mean = sum / runs;
    const double half_width = 3.3 * std::sqrt((squares / runs - mean * mean) / runs);  // 99.9 %
    RecordProperty("measured", std::to_string(mean));
    EXPECT_NEAR(mean, 1 - std::pow(1 - 1.0 / 16, 16), half_width);
    EXPECT_LT(half_width, 0.001);
}

TEST(pim, the_same_seed_gives_the_same_matches) {
    const unsigned n = 16;
    crossbar_requests requests(n);
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned e = i % 3; e < n; e += 2) {
            requests.add(i, e, static_cast<pfc_class>(i % 2));
        }
    }
    const port_bitmap all = port_bitmap::first_ports(n);
    const auto matches_of = [&](std::uint64_t seed) {
        pim arbiter(n, stream(seed));
        std::vector<crossbar_match> matches;
        for (unsigned r = 0; r < 50; ++r) {
            arbiter.arbitrate(requests, all, all, 3, matches);
        }
        return matches;
    };
    EXPECT_EQ(matches_of(7), matches_of(7));
    EXPECT_FALSE(matches_of(7) == matches_of(8));
}

}  // namespace
