// All arbiters against oracles: iSLIP against a literal reading of the paper over random matrices, what
// every arbiter must keep, and queueing theory.
//
// Statistical tests: 8 fixed seeds, 95 % interval of their mean by Student's t. An oracle from a simulation
// has an interval of its own. The two means may differ by 1.7 times the root of the sum of both half widths'
// squares, which is 99.9 % (3.3 / 1.96 = 1.7): of the 30 comparisons here one in thirty sets of seeds would
// have a miss.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "slot_simulator.h"
#include "weir/model/crossbar/islip.h"
#include "weir/model/crossbar/maximum_size.h"
#include "weir/model/crossbar/pim.h"
#include "weir/model/crossbar/round_robin.h"

namespace {

using namespace weir;
using namespace weir::model;
using namespace weir::test;

// ---- random matrices ------------------------------------------------------------------------------------

/// Requests as plain truth values, beside the same in `crossbar_requests`.
struct random_case {
    random_case(unsigned n, random_stream& random)
        : n(n), requests(n), eligible(pfc_classes, std::vector<std::vector<bool>>(n, std::vector<bool>(n))) {
        for (pfc_class c = 0; c < pfc_classes; ++c) {
            const double density = random.below(3) == 0 ? 0 : std::pow(random.uniform(), 3);
            const double room_share = random.below(2) == 0 ? 1 : random.uniform();
            for (unsigned e = 0; e < n; ++e) {
                const bool room = random.uniform() < room_share;
                requests.set_room(e, c, room);
                for (unsigned i = 0; i < n; ++i) {
                    if (random.uniform() >= density) {
                        continue;
                    }
                    const bool started = random.below(4) == 0;
                    requests.add(i, e, c);
                    if (started) {
                        requests.start(i, e, c);
                    }
                    eligible[c][e][i] = room || started;
                }
            }
        }
        const double free_share = random.below(2) == 0 ? 1 : random.uniform();
        for (unsigned p = 0; p < n; ++p) {
            free_ingress.assign(p, random.uniform() < free_share);
            free_egress.assign(p, random.uniform() < free_share);
        }
    }

    unsigned n;
    crossbar_requests requests;
    std::vector<std::vector<std::vector<bool>>> eligible;  ///< [class][egress][ingress]
    port_bitmap free_ingress;
    port_bitmap free_egress;
};

const std::vector<unsigned> port_counts{1, 2, 3, 4, 5, 8, 16, 31, 63, 64, 65, 100, 128, 200, 256};

/// Many runs for few ports, few for many.
unsigned runs_for(unsigned n) {
    return n <= 16 ? 400 : n <= 65 ? 60 : 12;
}

/// Prioritised iSLIP, word by word from the paper: loops and integers.
class literal_islip {
 public:
    explicit literal_islip(unsigned ports)
        : n(ports), grant_pointer(n, std::vector<unsigned>(pfc_classes)), accept_pointer(grant_pointer) {}

    std::vector<crossbar_match> slot(const random_case& in, unsigned iterations) {
        std::vector<int> egress_of(n, -1);
        std::vector<int> ingress_of(n, -1);
        std::vector<crossbar_match> matches;
        for (unsigned iteration = 0; iterations == until_maximal || iteration < iterations; ++iteration) {
            std::vector<int> granted_to(n, -1);
            std::vector<int> granted_class(n, -1);
            bool any = false;
            for (unsigned e = 0; e < n; ++e) {
                for (int c = 7; c >= 0 && granted_to[e] < 0 && in.free_egress.test(e); --c) {
                    for (unsigned k = 0; k < n && granted_to[e] < 0 && ingress_of[e] < 0; ++k) {
                        const unsigned i = (grant_pointer[e][c] + k) % n;
                        if (in.eligible[c][e][i] && in.free_ingress.test(i) && egress_of[i] < 0) {
                            granted_to[e] = static_cast<int>(i);
                            granted_class[e] = c;
                            any = true;
                        }
                    }
                }
            }
            for (unsigned i = 0; i < n; ++i) {
                for (int c = 7; c >= 0 && egress_of[i] < 0; --c) {
                    for (unsigned k = 0; k < n && egress_of[i] < 0; ++k) {
                        const unsigned e = (accept_pointer[i][c] + k) % n;
                        if (granted_to[e] == static_cast<int>(i) && granted_class[e] == c) {
                            egress_of[i] = static_cast<int>(e);
                            ingress_of[e] = static_cast<int>(i);
                            matches.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(e),
                                               static_cast<pfc_class>(c)});
                            if (iteration == 0) {
                                grant_pointer[e][c] = (i + 1) % n;
                                accept_pointer[i][c] = (e + 1) % n;
                                break;
                            }
                        }
                    }
                }
            }
            if (!any) {
                break;
            }
        }
        return matches;
    }

    unsigned n;
    std::vector<std::vector<unsigned>> grant_pointer;  ///< [egress][class]
    std::vector<std::vector<unsigned>> accept_pointer;
};

void sort_by_ingress(std::vector<crossbar_match>& matches) {
    std::sort(matches.begin(), matches.end(),
              [](const crossbar_match& a, const crossbar_match& b) { return a.ingress_port < b.ingress_port; });
}

TEST(islip, agrees_with_a_literal_reading_of_the_paper_on_random_matrices) {
    random_stream random{1, 0, random_purpose::adversary};
    for (unsigned n : port_counts) {
        islip arbiter(n);
        literal_islip literal(n);
        for (unsigned run = 0; run < runs_for(n); ++run) {
            const random_case in(n, random);
            const unsigned iterations = random.below(5);
            std::vector<crossbar_match> matches;
            arbiter.arbitrate(in.requests, in.free_ingress, in.free_egress, iterations, matches);
            std::vector<crossbar_match> expected = literal.slot(in, iterations);
            sort_by_ingress(matches);
            sort_by_ingress(expected);
            ASSERT_EQ(matches, expected) << n << " ports, run " << run;
            for (unsigned p = 0; p < n; ++p) {
                for (pfc_class c = 0; c < pfc_classes; ++c) {
                    ASSERT_EQ(arbiter.grant_pointer(p, c), literal.grant_pointer[p][c]);
                    ASSERT_EQ(arbiter.accept_pointer(p, c), literal.accept_pointer[p][c]);
                }
            }
        }
    }
}

// ---- what every arbiter keeps ---------------------------------------------------------------------------

template <class Arbiter>
Arbiter make(unsigned ports, std::uint64_t /*seed*/) {
    return Arbiter(ports);
}
template <>
pim make<pim>(unsigned ports, std::uint64_t seed) {
    return {ports, random_stream{seed, 0, random_purpose::arbitration}};
}

template <class Arbiter>
class any_arbiter : public testing::Test {};

struct arbiter_names {
    template <class Arbiter>
    static std::string GetName(int index) {
        return std::array<const char*, 4>{"islip", "pim", "round_robin", "maximum_size"}.at(index);
    }
};
using arbiters = testing::Types<islip, pim, round_robin, maximum_size>;
TYPED_TEST_SUITE(any_arbiter, arbiters, arbiter_names);

TYPED_TEST(any_arbiter, matches_eligible_pairs_of_free_ports_once_and_until_maximal_leaves_none) {
    random_stream random{2, 0, random_purpose::adversary};
    for (unsigned n : port_counts) {
        TypeParam arbiter = make<TypeParam>(n, 1);
        for (unsigned run = 0; run < runs_for(n); ++run) {
            const random_case in(n, random);
            const unsigned iterations = random.below(4);
            const crossbar_match before{7, 8, 5};
            std::vector<crossbar_match> matches{before};
            arbiter.arbitrate(in.requests, in.free_ingress, in.free_egress, iterations, matches);
            ASSERT_EQ(matches[0], before) << "matches are appended";
            port_bitmap ingress_left = in.free_ingress;
            port_bitmap egress_left = in.free_egress;
            for (std::size_t k = 1; k < matches.size(); ++k) {
                const crossbar_match& m = matches[k];
                ASSERT_LT(m.ingress_port, n);
                ASSERT_LT(m.egress_port, n);
                ASSERT_TRUE(ingress_left.test(m.ingress_port)) << "a port is busy, or matched twice";
                ASSERT_TRUE(egress_left.test(m.egress_port)) << "a port is busy, or matched twice";
                ASSERT_TRUE(in.eligible[m.frame_class][m.egress_port][m.ingress_port]);
                ingress_left.reset(m.ingress_port);
                egress_left.reset(m.egress_port);
            }
            bool pair_left = false;
            for (unsigned c = 0; c < pfc_classes; ++c) {
                egress_left.for_each([&](unsigned e) {
                    ingress_left.for_each([&](unsigned i) { pair_left |= in.eligible[c][e][i]; });
                });
            }
            if (iterations == until_maximal) {
                ASSERT_FALSE(pair_left) << n << " ports, run " << run;
            }
            ASSERT_FALSE(pair_left && matches.size() == 1) << "a first iteration matches something";
        }
    }
}

TYPED_TEST(any_arbiter, matches_nothing_when_nothing_is_requested_or_no_port_is_free) {
    for (unsigned n : {1U, 16U, 256U}) {
        const port_bitmap all = port_bitmap::first_ports(n);
        TypeParam arbiter = make<TypeParam>(n, 1);
        std::vector<crossbar_match> matches;
        crossbar_requests requests(n);
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
        requests.add(0, 0, 0);
        arbiter.arbitrate(requests, {}, all, until_maximal, matches);
        arbiter.arbitrate(requests, all, {}, until_maximal, matches);
        requests.set_room(0, 0, false);
        arbiter.arbitrate(requests, all, all, until_maximal, matches);
        EXPECT_TRUE(matches.empty());
    }
}

// ---- queueing -------------------------------------------------------------------------------------------

void expect_agreement(const estimate& measured, const estimate& oracle, const std::string& what) {
    testing::Test::RecordProperty(
        what, std::to_string(measured.mean) + " +-" + std::to_string(measured.half_width) + ", oracle " +
                  std::to_string(oracle.mean) + " +-" + std::to_string(oracle.half_width));
    EXPECT_NEAR(measured.mean, oracle.mean, 1.7 * std::hypot(measured.half_width, oracle.half_width))
        << what << ", half width " << measured.half_width;
    EXPECT_LT(measured.half_width, 0.03 * measured.mean) << what << ": too uncertain to say anything";
}

/// One run's length per seed. Unit: slots.
struct run_length {
    std::uint64_t warm_up;
    std::uint64_t slots;
};

/// 16 x 16, uniform Bernoulli traffic, VOQs without limit.
template <class Arbiter>
estimate delay_16x16(unsigned iterations, double load, run_length length) {
    return over_seeds([&](std::uint64_t seed) {
        return mean_delay(voq_switch<Arbiter>(16, make<Arbiter>(16, seed), iterations),
                          uniform_arrivals(16, load, seed), length.warm_up, length.slots);
    });
}

/// The expected figures come from an independent slot simulator, with 95 % intervals.
void expect_delays(double load, run_length length, estimate islip_1, estimate islip_2, estimate islip_4,
                   estimate pim_4) {
    expect_agreement(delay_16x16<islip>(1, load, length), islip_1, "islip_1");
    expect_agreement(delay_16x16<islip>(2, load, length), islip_2, "islip_2");
    expect_agreement(delay_16x16<islip>(4, load, length), islip_4, "islip_4");
    expect_agreement(delay_16x16<pim>(4, load, length), pim_4, "pim_4");
}

TEST(arbiter_queueing_statistical, delays_at_load_0_3_agree_with_an_independent_simulator) {
    expect_delays(0.3, {20'000, 200'000}, {0.303, 0.003}, {0.261, 0.002}, {0.261, 0.002}, {0.259, 0.002});
}
TEST(arbiter_queueing_statistical, delays_at_load_0_5_agree_with_an_independent_simulator) {
    expect_delays(0.5, {20'000, 200'000}, {1.291, 0.014}, {0.716, 0.005}, {0.715, 0.005}, {0.707, 0.004});
}
TEST(arbiter_queueing_statistical, delays_at_load_0_8_agree_with_an_independent_simulator) {
    expect_delays(0.8, {20'000, 300'000}, {44.35, 0.44}, {4.567, 0.043}, {3.737, 0.020}, {3.722, 0.031});
}
TEST(arbiter_queueing_statistical, delays_at_load_0_9_agree_with_an_independent_simulator) {
    expect_delays(0.9, {50'000, 500'000}, {114.0, 0.5}, {24.04, 0.42}, {9.760, 0.053}, {9.699, 0.063});
}
TEST(arbiter_queueing_statistical, long_run_delays_at_load_0_95_agree_with_an_independent_simulator) {
    expect_delays(0.95, {100'000, 1'000'000}, {262.8, 0.9}, {54.4, 0.9}, {24.70, 0.58}, {23.46, 0.22});
}

TEST(arbiter_queueing_statistical, one_iteration_of_pim_does_not_carry_uniform_load_0_8_and_of_islip_does) {
    // What is still queued after 100,000 slots, per ingress port. PIM carries about 63 %, so that 0.16 cells
    // per slot stay behind.
    const auto left = [](auto crossbar) {
        uniform_arrivals arrivals(16, 0.8, 1);
        for (unsigned slot = 0; slot < 100'000; ++slot) {
            arrivals(crossbar);
            crossbar.serve();
        }
        return static_cast<double>(crossbar.queued()) / 16;
    };
    EXPECT_GT(left(voq_switch<pim>(16, make<pim>(16, 1), 1)), 10'000);
    EXPECT_GT(left(voq_switch<round_robin>(16, round_robin(16), 1)), 10'000);
    EXPECT_LT(left(voq_switch<islip>(16, islip(16), 1)), 200);
}

// Saturated FIFO input queues. The number of first cells for each egress port is a Markov chain: each egress
// port that has any serves one, and as many new first cells choose an egress port each. Which one is served
// does not matter, so every arbiter has the same throughput. States are the counts in descending order.

using first_cells = std::vector<unsigned>;
using distribution = std::map<first_cells, double>;

distribution next_states(first_cells state) {
    const std::size_t n = state.size();
    std::size_t served = 0;
    for (unsigned& count : state) {
        served += count > 0 ? 1 : 0;
        count -= count > 0 ? 1 : 0;
    }
    distribution now{{state, 1.0}};
    for (; served > 0; --served) {
        distribution next;
        for (const auto& [cells, probability] : now) {
            for (std::size_t e = 0; e < n; ++e) {
                first_cells more = cells;
                ++more[e];
                std::sort(more.rbegin(), more.rend());
                next[more] += probability / static_cast<double>(n);
            }
        }
        now.swap(next);
    }
    return now;
}

double head_of_line_limit(unsigned n) {
    std::map<first_cells, distribution> transitions;
    distribution now{{first_cells(n, 1), 1.0}};
    for (unsigned step = 0; step < 300; ++step) {
        distribution next;
        for (const auto& [state, probability] : now) {
            auto at = transitions.find(state);
            if (at == transitions.end()) {
                at = transitions.emplace(state, next_states(state)).first;
            }
            for (const auto& [to, share] : at->second) {
                next[to] += probability * share;
            }
        }
        now.swap(next);
    }
    double served = 0;
    for (const auto& [state, probability] : now) {
        served += probability * static_cast<double>(std::count_if(state.begin(), state.end(),
                                                                  [](unsigned k) { return k > 0; }));
    }
    return served / n;
}

template <class Arbiter>
estimate fifo_throughput(unsigned n, std::uint64_t slots) {
    return over_seeds([&](std::uint64_t seed) {
        return saturated_fifo_throughput<Arbiter>(n, make<Arbiter>(n, seed), 500, slots, seed);
    });
}

TEST(arbiter_queueing_statistical, fifo_input_queues_reach_the_exact_head_of_line_limit) {
    const std::map<unsigned, double> published{{2, 0.7500}, {3, 0.6825}, {4, 0.6553}, {8, 0.6184}};
    for (const auto& [n, expected] : published) {
        const double exact = head_of_line_limit(n);
        const std::string what = "ports_" + std::to_string(n);
        EXPECT_NEAR(exact, expected, 0.0001) << what;  // 4 ports: 325/496, printed as 0.6553 not 0.6552
        expect_agreement(fifo_throughput<islip>(n, 100'000), {exact, 0}, what + "_islip");
        expect_agreement(fifo_throughput<pim>(n, 100'000), {exact, 0}, what + "_pim");
        expect_agreement(fifo_throughput<round_robin>(n, 100'000), {exact, 0}, what + "_round_robin");
    }
}

TEST(arbiter_queueing_statistical, fifo_input_queues_of_many_ports_reach_the_simulated_head_of_line_limit) {
    const std::map<unsigned, double> published{{16, 0.6015}, {32, 0.5936}, {64, 0.5897}};
    for (const auto& [n, expected] : published) {
        const std::string what = "ports_" + std::to_string(n);
        expect_agreement(fifo_throughput<islip>(n, 40'000), {expected, 0.0003}, what + "_islip");
        expect_agreement(fifo_throughput<pim>(n, 40'000), {expected, 0.0003}, what + "_pim");
    }
}

// Cells for one egress port leave one per slot, whichever VOQ holds them: for a work-conserving arbiter this
// is an output queue.

template <class Arbiter, class Arrivals>
estimate one_egress_delay(unsigned n, double load, run_length length) {
    return over_seeds([&](std::uint64_t seed) {
        return mean_delay(voq_switch<Arbiter>(n, make<Arbiter>(n, seed), 1), Arrivals(n, load, seed),
                          length.warm_up, length.slots);
    });
}

TEST(arbiter_queueing_statistical, cells_for_one_egress_port_wait_as_in_an_ideal_output_queue) {
    for (const double load : {0.5, 0.8, 0.9, 0.95}) {
        const double expected = 15.0 / 16 * load / (2 * (1 - load));
        const run_length length{20'000, load < 0.95 ? 600'000U : 3'000'000U};
        const std::string what = "load_" + std::to_string(load).substr(0, 4);
        expect_agreement(one_egress_delay<islip, single_egress_arrivals>(16, load, length), {expected, 0},
                         what + "_islip");
    }
    const double expected = 15.0 / 16 * 0.8 / 0.4;
    expect_agreement(one_egress_delay<pim, single_egress_arrivals>(16, 0.8, {20'000, 200'000}), {expected, 0},
                     "load_0.80_pim");
    expect_agreement(one_egress_delay<round_robin, single_egress_arrivals>(16, 0.8, {20'000, 200'000}),
                     {expected, 0}, "load_0.80_round_robin");
    expect_agreement(one_egress_delay<maximum_size, single_egress_arrivals>(16, 0.8, {20'000, 200'000}),
                     {expected, 0}, "load_0.80_maximum_size");
}

TEST(arbiter_queueing_statistical, poisson_cells_for_one_egress_port_wait_as_in_m_d_1) {
    for (const double load : {0.5, 0.8, 0.9}) {
        const double expected = load / (2 * (1 - load));
        const std::string what = "load_" + std::to_string(load).substr(0, 4);
        expect_agreement(one_egress_delay<islip, poisson_arrivals>(64, load, {20'000, 1'000'000}),
                         {expected, 0}, what + "_ports_64");
    }
    expect_agreement(one_egress_delay<islip, poisson_arrivals>(256, 0.8, {20'000, 600'000}), {2.0, 0},
                     "load_0.80_ports_256");
}

}  // namespace
