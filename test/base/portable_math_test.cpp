#include "weir/base/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace weir {
namespace {

void expect_close(double ours, long double exact) {
    EXPECT_LE(std::abs(static_cast<long double>(ours) - exact), 4 * std::ldexp(std::abs(exact), -53))
        << ours << " beside " << static_cast<double>(exact);
}

TEST(portable_math, logarithms_are_those_of_wider_arithmetic) {
    std::mt19937_64 bits(1);
    for (int i = 0; i < 200'000; ++i) {
        const double x = std::uniform_real_distribution<double>(-1, 1)(bits);
        expect_close(log_one_plus(x), std::log1p(static_cast<long double>(x)));
        const double small = std::ldexp(x, -static_cast<int>(bits() % 60));
        expect_close(log_one_plus(small), std::log1p(static_cast<long double>(small)));
        const double large = std::ldexp(1 + x, static_cast<int>(bits() % 900));
        expect_close(log_one_plus(large), std::log1p(static_cast<long double>(large)));
    }
    EXPECT_EQ(log_one_plus(0), 0);
    EXPECT_EQ(log_one_plus(1e-300), 1e-300);
    EXPECT_EQ(log_one_plus(-1), -HUGE_VAL);
}

TEST(portable_math, exponentials_are_those_of_wider_arithmetic) {
    std::mt19937_64 bits(2);
    for (int i = 0; i < 200'000; ++i) {
        const double x = std::uniform_real_distribution<double>(-700, 700)(bits);
        expect_close(exponential(x), std::exp(static_cast<long double>(x)));
        const double small = std::ldexp(x, -static_cast<int>(bits() % 40));
        expect_close(exponential(small), std::exp(static_cast<long double>(small)));
    }
    EXPECT_EQ(exponential(0), 1);
    EXPECT_EQ(exponential(-1e300), 0);
    EXPECT_EQ(exponential(1e300), HUGE_VAL);
}

/// Bits that every machine has to give.
TEST(portable_math, gives_these_bits) {
    const auto bits_of = [](double x) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        return bits;
    };
    EXPECT_EQ(bits_of(log_one_plus(-0.3)), 13'823'468'941'351'141'199U);
    EXPECT_EQ(bits_of(exponential(-1.7)), 4'595'749'887'897'340'423U);
}

}  // namespace
}  // namespace weir
