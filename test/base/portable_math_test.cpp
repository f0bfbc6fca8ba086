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
/// Half a unit in the last place, and what wider arithmetic itself rounds.
void expect_rounded_once(double ours, long double exact) {
    const long double last = std::nextafter(std::abs(ours), HUGE_VAL) - std::abs(ours);
    EXPECT_LE(std::abs(static_cast<long double>(ours) - exact), 0.502L * last) << ours;
}

TEST(portable_math, cubes_and_cube_roots_are_those_of_wider_arithmetic) {
    std::mt19937_64 bits(3);
    for (int i = 0; i < 200'000; ++i) {
        const double x = std::uniform_real_distribution<double>(-10, 10)(bits);
        expect_rounded_once(cube(x), static_cast<long double>(x) * x * x);
        expect_rounded_once(cube_root(x),
                            std::copysign(std::pow(std::fabs(static_cast<long double>(x)), 1.0 / 3), x));
        const double far = std::ldexp(x, static_cast<int>(bits() % 1800) - 900);
        expect_rounded_once(cube_root(far),
                            std::copysign(std::pow(std::fabs(static_cast<long double>(far)), 1.0 / 3), x));
    }
    EXPECT_EQ(cube_root(0), 0);
    EXPECT_EQ(cube_root(-27), -3);
    EXPECT_EQ(cube_root(1), 1);
}

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
