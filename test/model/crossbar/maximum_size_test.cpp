// Maximum-size matching against brute force, and what fairness it has.
#include "weir/model/crossbar/maximum_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "weir/base/rng.h"
#include "weir/model/crossbar/islip.h"

namespace {

using namespace weir;
using namespace weir::model;

/// Tries every assignment of the egress ports from `egress` on.
unsigned brute_force(const std::vector<unsigned>& wanted, unsigned egress, unsigned ingress_used) {
    if (egress == wanted.size()) {
        return 0;
    }
    unsigned best = brute_force(wanted, egress + 1, ingress_used);
    for (unsigned i = 0; i < 8; ++i) {
        if ((wanted[egress] & ~ingress_used & (1U << i)) != 0) {
            best = std::max(best, 1 + brute_force(wanted, egress + 1, ingress_used | 1U << i));
        }
    }
    return best;
}

TEST(maximum_size, each_class_has_as_many_matches_as_brute_force_finds_for_the_ports_left) {
    random_stream random{11, 0, random_purpose::adversary};
    for (unsigned run = 0; run < 4000; ++run) {
        const unsigned n = 1 + random.below(5);
        maximum_size arbiter(n);
        for (unsigned warm = random.below(n * n); warm > 0; --warm) {  // any starting ports
            std::vector<crossbar_match> none;
            arbiter.arbitrate(crossbar_requests(n), {}, {}, 1, none);
        }
        std::array<std::vector<unsigned>, 3> wanted{std::vector<unsigned>(n), std::vector<unsigned>(n),
                                                    std::vector<unsigned>(n)};
        crossbar_requests requests(n);
        const double density = random.uniform();
        for (unsigned c = 0; c < 3; ++c) {
            for (unsigned e = 0; e < n; ++e) {
                for (unsigned i = 0; i < n; ++i) {
                    if (random.uniform() < density) {
                        wanted[c][e] |= 1U << i;
                        requests.add(i, e, static_cast<pfc_class>(3 * c));
                    }
                }
            }
        }
        port_bitmap free_ingress;
        port_bitmap free_egress;
        unsigned ingress_used = 0;
        unsigned egress_used = 0;
        for (unsigned p = 0; p < n; ++p) {
            const bool ingress_busy = random.below(4) == 0;
            const bool egress_busy = random.below(4) == 0;
            free_ingress.assign(p, !ingress_busy);
            free_egress.assign(p, !egress_busy);
            ingress_used |= static_cast<unsigned>(ingress_busy) << p;
            egress_used |= static_cast<unsigned>(egress_busy) << p;
        }
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, free_ingress, free_egress, 1, matches);
        for (unsigned c = 3; c-- > 0;) {
            for (unsigned e = 0; e < n; ++e) {
                wanted[c][e] = (egress_used >> e & 1) != 0 ? 0 : wanted[c][e];
            }
            const unsigned possible = brute_force(wanted[c], 0, ingress_used);
            unsigned found = 0;
            for (const crossbar_match& m : matches) {
                if (m.frame_class == 3 * c) {
                    ASSERT_NE(wanted[c][m.egress_port] & ~ingress_used & (1U << m.ingress_port), 0U);
                    ingress_used |= 1U << m.ingress_port;
                    egress_used |= 1U << m.egress_port;
                    ++found;
                }
            }
            ASSERT_EQ(found, possible) << "run " << run << " class " << 3 * c;
        }
    }
}

TEST(maximum_size, is_never_smaller_than_a_maximal_matching_nor_twice_as_large) {
    random_stream random{12, 0, random_purpose::adversary};
    for (unsigned n : {16U, 64U, 100U, 256U}) {
        islip heuristic(n);
        maximum_size arbiter(n);
        const port_bitmap all = port_bitmap::first_ports(n);
        for (unsigned run = 0; run < 20; ++run) {
            crossbar_requests requests(n);
            for (unsigned k = random.below(4 * n); k > 0; --k) {
                requests.add(random.below(n), random.below(n), 0);
            }
            std::vector<crossbar_match> maximal;
            std::vector<crossbar_match> maximum;
            heuristic.arbitrate(requests, all, all, until_maximal, maximal);
            arbiter.arbitrate(requests, all, all, until_maximal, maximum);
            ASSERT_GE(maximum.size(), maximal.size());
            ASSERT_LE(maximum.size(), 2 * maximal.size());
        }
    }
}

TEST(maximum_size, serves_every_voq_of_a_full_crossbar_equally) {
    const unsigned n = 5;
    crossbar_requests requests(n);
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned e = 0; e < n; ++e) {
            requests.add(i, e, 0);
        }
    }
    const port_bitmap all = port_bitmap::first_ports(n);
    maximum_size arbiter(n);
    std::array<std::array<unsigned, 5>, 5> served{};
    for (unsigned run = 0; run < n * n; ++run) {
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
        ASSERT_EQ(matches.size(), n);
        for (const crossbar_match& m : matches) {
            ++served[m.ingress_port][m.egress_port];
        }
    }
    for (const auto& row : served) {
        for (unsigned count : row) {
            EXPECT_EQ(count, n);
        }
    }
}

TEST(maximum_size, order_starves_no_port_that_a_maximum_matching_could_serve) {
    // One ingress port that all egress ports want, then one egress port that all ingress ports want.
    const unsigned n = 6;
    const port_bitmap all = port_bitmap::first_ports(n);
    for (const bool one_ingress : {true, false}) {
        crossbar_requests requests(n);
        for (unsigned p = 0; p < n; ++p) {
            one_ingress ? requests.add(3, p, 0) : requests.add(p, 3, 0);
        }
        maximum_size arbiter(n);
        std::array<unsigned, n> served{};
        for (unsigned run = 0; run < n * n; ++run) {
            std::vector<crossbar_match> matches;
            arbiter.arbitrate(requests, all, all, until_maximal, matches);
            ASSERT_EQ(matches.size(), 1U);
            ++served[one_ingress ? matches[0].egress_port : matches[0].ingress_port];
        }
        for (unsigned count : served) {
            EXPECT_EQ(count, n);
        }
    }
}

TEST(maximum_size, starves_a_voq_that_is_in_no_maximum_matching) {
    // The price of the largest matching, as the documentation says.
    crossbar_requests requests(2);
    requests.add(0, 0, 0);
    requests.add(0, 1, 0);
    requests.add(1, 0, 0);
    const port_bitmap all = port_bitmap::first_ports(2);
    maximum_size arbiter(2);
    for (unsigned run = 0; run < 100; ++run) {
        std::vector<crossbar_match> matches;
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
        ASSERT_EQ(matches.size(), 2U);
        for (const crossbar_match& m : matches) {
            ASSERT_FALSE(m.ingress_port == 0 && m.egress_port == 0);
        }
    }
}

}  // namespace
