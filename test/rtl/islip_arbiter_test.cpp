// islip_arbiter.sv beside `islip`, clock cycle by clock cycle: grants, accepts, the end of a run, all pointers.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "golden/rtl/arbiter_golden.h"
#include "random_requests.h"
#include "tb/verify/rtl/arbiter_pins.h"
#include "weir/model/crossbar/islip.h"

namespace {

using namespace weir;
using namespace weir::tb;
using namespace weir::test;
using golden::arbiter_iteration;

class islip_arbiter_cosimulation {
 public:
    islip_arbiter_cosimulation(unsigned ports, std::uint64_t seed)
        : m_ports(ports), m_stimulus(ports, seed), m_model(ports), m_rtl(make_arbiter_pins(ports)) {}

    /// Whole runs, until so many cycles are compared.
    void compare(std::uint64_t cycles) {
        while (m_cycles < cycles && !testing::Test::HasFailure()) {
            compare_run();
        }
    }
    /// The stimulus is worth something: most cycles match, and many refuse a grant.
    void expect_much_work() const {
        EXPECT_GT(m_matches, m_cycles / 2);
        EXPECT_GT(m_refusals, m_cycles / 20);
        // Runs go on beyond what a switch would allow them.
        EXPECT_GT(m_most_iterations, m_ports < 16 ? 5U : 6U);
    }
    /// Both forget what they knew, in the midst of a run: `edges` of the next one are made before.
    void reset(unsigned edges) {
        m_stimulus.advance();
        set_requests();
        arbiter_edge edge{true, m_stimulus.iterations, m_stimulus.free_ingress.word(0),
                          m_stimulus.free_egress.word(0)};
        for (unsigned n = 0; n < edges && (n == 0 || !m_rtl->done()); ++n) {
            m_rtl->clock(edge);
            edge.start = false;
        }
        m_rtl->reset();
        m_model = islip(m_ports);
        ASSERT_FALSE(m_rtl->done());
        ASSERT_EQ(m_rtl->granted(), 0U);
        ASSERT_EQ(m_rtl->accepted(), 0U);
        compare_pointers();
        // A run that was cut off does not go on.
        m_rtl->clock({false, m_stimulus.iterations, ~std::uint64_t{0}, ~std::uint64_t{0}});
        ASSERT_FALSE(m_rtl->done());
        ASSERT_EQ(m_rtl->granted(), 0U);
    }

 private:
    void set_requests() {
        for (unsigned e = 0; e < m_ports; ++e) {
            for (pfc_class c = 0; c < pfc_classes; ++c) {
                m_rtl->ask(e, c, m_stimulus.eligible(e, c));
            }
        }
    }
    void compare_run() {
        m_stimulus.advance();
        m_log.iterations.clear();
        m_found.clear();
        m_model.arbitrate(m_stimulus.requests, m_stimulus.free_ingress, m_stimulus.free_egress,
                          m_stimulus.iterations, m_found, m_log);
        set_requests();
        arbiter_edge edge{true, m_stimulus.iterations, m_stimulus.free_ingress.word(0),
                          m_stimulus.free_egress.word(0)};
        for (unsigned n = 0;; ++n) {
            m_rtl->clock(edge);
            edge = arbiter_edge{false, m_stimulus.iterations, ~std::uint64_t{0}, ~std::uint64_t{0}};
            ++m_cycles;
            const arbiter_iteration expected = m_log.at(n);
            ASSERT_EQ(m_rtl->granted(), expected.granted) << "cycle " << m_cycles << ", iteration " << n;
            ASSERT_EQ(m_rtl->accepted(), expected.accepted) << "cycle " << m_cycles << ", iteration " << n;
            for (std::uint64_t left = expected.granted; left != 0; left &= left - 1) {
                const auto e = static_cast<unsigned>(__builtin_ctzll(left));
                ASSERT_EQ(m_rtl->grant_ingress(e), expected.ingress[e])
                    << "cycle " << m_cycles << ", egress " << e;
                ASSERT_EQ(m_rtl->grant_class(e), expected.frame_class[e])
                    << "cycle " << m_cycles << ", egress " << e;
            }
            m_matches += expected.accepted != 0 ? 1 : 0;
            m_refusals += expected.granted != expected.accepted ? 1 : 0;
            m_most_iterations = std::max(m_most_iterations, n + 1);
            const bool last = golden::is_last(expected, n, m_stimulus.iterations);
            ASSERT_EQ(m_rtl->done(), last) << "cycle " << m_cycles << ", iteration " << n;
            if (last) {
                break;
            }
        }
        compare_pointers();
    }

    // Beyond the last port that asks comes the first one, whether the RTL has more ports or not.
    void compare_pointers() {
        for (unsigned p = 0; p < m_ports; ++p) {
            for (pfc_class c = 0; c < pfc_classes; ++c) {
                ASSERT_EQ(m_rtl->grant_pointer(p, c) % m_ports, m_model.grant_pointer(p, c))
                    << "cycle " << m_cycles << ", egress " << p << ", class " << unsigned{c};
                ASSERT_EQ(m_rtl->accept_pointer(p, c) % m_ports, m_model.accept_pointer(p, c))
                    << "cycle " << m_cycles << ", ingress " << p << ", class " << unsigned{c};
            }
        }
    }

    unsigned m_ports;
    random_requests m_stimulus;
    islip m_model;
    std::unique_ptr<arbiter_pins> m_rtl;
    golden::arbiter_recorder m_log;
    std::vector<crossbar_match> m_found;
    std::uint64_t m_cycles = 0;
    std::uint64_t m_matches = 0;
    std::uint64_t m_refusals = 0;
    unsigned m_most_iterations = 0;
};

constexpr std::uint64_t million = 1'000'000;

void compare(unsigned ports, std::uint64_t cycles) {
    islip_arbiter_cosimulation both(ports, ports);
    both.compare(cycles);
    both.expect_much_work();
}

TEST(islip_arbiter_rtl, does_what_the_model_does_in_each_of_a_million_cycles_with_8_ports) {
    compare(8, million);
}
TEST(islip_arbiter_rtl, does_what_the_model_does_in_each_of_a_million_cycles_with_16_ports) {
    compare(16, million);
}
TEST(islip_arbiter_rtl, does_what_the_model_does_in_each_of_50000_cycles_with_64_ports) {
    compare(64, million / 20);
}
TEST(islip_arbiter_rtl, long_run_does_what_the_model_does_in_each_of_a_million_cycles_with_64_ports) {
    compare(64, million);
}
TEST(islip_arbiter_rtl, serves_switches_with_fewer_ports_than_it_has) {
    for (unsigned ports = 1; ports <= 64; ports += ports < 10 ? 1 : 9) {
        islip_arbiter_cosimulation(ports, ports).compare(2000);
    }
}

TEST(islip_arbiter_rtl, is_as_new_after_a_reset_in_mid_run) {
    for (const unsigned ports : {8U, 16U, 50U}) {
        islip_arbiter_cosimulation both(ports, 100 + ports);
        for (unsigned round = 0; round < 200; ++round) {
            both.compare(50 * (round + 1));
            both.reset(round % 4);
            if (HasFailure()) {
                return;
            }
        }
    }
}

TEST(islip_arbiter_rtl, has_no_size_beyond_the_largest) {
    EXPECT_EQ(make_arbiter_pins(arbiter_rtl_sizes().back() + 1), nullptr);
    for (const unsigned ports : arbiter_rtl_sizes()) {
        EXPECT_EQ(make_arbiter_pins(ports)->ports(), ports);
    }
}

}  // namespace
