// Round robin: what tells it from iSLIP. Properties common to all arbiters are in arbiter_oracle_test.cpp.
#include "weir/model/crossbar/round_robin.h"

#include <gtest/gtest.h>

#include <vector>

#include "weir/base/rng.h"

namespace {

using namespace weir;
using namespace weir::model;

crossbar_requests full(unsigned n) {
    crossbar_requests requests(n);
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned e = 0; e < n; ++e) {
            requests.add(i, e, 0);
        }
    }
    return requests;
}

TEST(round_robin, a_grant_pointer_moves_even_when_the_grant_is_refused) {
    const port_bitmap all = port_bitmap::first_ports(4);
    crossbar_requests requests(4);
    requests.add(2, 0, 4);
    requests.add(2, 1, 4);
    round_robin arbiter(4);
    std::vector<crossbar_match> matches;
    arbiter.arbitrate(requests, all, all, 1, matches);
    EXPECT_EQ(matches, (std::vector<crossbar_match>{{2, 0, 4}}));
    EXPECT_EQ(arbiter.grant_pointer(0, 4), 3U);
    EXPECT_EQ(arbiter.grant_pointer(1, 4), 3U);
    EXPECT_EQ(arbiter.accept_pointer(2, 4), 1U);
    EXPECT_EQ(arbiter.grant_pointer(1, 3), 0U);
}

TEST(round_robin, pointers_move_in_later_iterations_too) {
    const port_bitmap all = port_bitmap::first_ports(4);
    crossbar_requests requests(4);
    requests.add(0, 0, 0);
    requests.add(0, 1, 0);
    requests.add(1, 1, 0);
    round_robin arbiter(4);
    std::vector<crossbar_match> matches;
    arbiter.arbitrate(requests, all, all, 2, matches);
    EXPECT_EQ(matches, (std::vector<crossbar_match>{{0, 0, 0}, {1, 1, 0}}));
    EXPECT_EQ(arbiter.grant_pointer(1, 0), 2U);
    EXPECT_EQ(arbiter.accept_pointer(1, 0), 2U);
}

TEST(round_robin, carries_half_of_a_saturated_2_by_2_crossbar) {
    // McKeown 1999, section on RRM: the grant pointers stay in step.
    const crossbar_requests requests = full(2);
    const port_bitmap all = port_bitmap::first_ports(2);
    round_robin arbiter(2);
    std::vector<crossbar_match> matches;
    for (unsigned slot = 0; slot < 1000; ++slot) {
        arbiter.arbitrate(requests, all, all, 1, matches);
    }
    EXPECT_EQ(matches.size(), 1000U);
}

}  // namespace
