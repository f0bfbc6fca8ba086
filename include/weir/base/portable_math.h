// Logarithm, exponential and cube root from + - x / and fma alone, which IEEE 754 defines to the last bit:
// libraries of different machines round theirs differently, and results would depend on it. Relative error
// below 4 x 2^-53.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace weir {

/// ln 2 in two parts, of which the first times an exponent of two is exact.
inline constexpr double ln2_high = 0x1.62e42fee00000p-1;
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;

/// ln(1 + x). Range: finite; -infinity where x is -1 or less.
inline double log_one_plus(double x) {
    // ln m = 2 artanh((m - 1) / (m + 1)), for m from 0.707 to 1.414.
    const auto log_of_mantissa = [](double f) {
        double sum = 0;
        for (int n = 23; n >= 3; n -= 2) {
            sum = (sum + 1.0 / n) * (f * f);
        }
        return 2 * (f + f * sum);
    };
    if (x > -0.29 && x < 0.41) {
        return log_of_mantissa(x / (2 + x));
    }
    if (x <= -1) {
        return -HUGE_VAL;
    }
    const double u = 1 + x;
    // As std::frexp of a number that is at least 2^-53: exact; 0.5 to 1.
    constexpr std::uint64_t exponent_bits = std::uint64_t{0x7FF} << 52;
    constexpr std::uint64_t one_half = std::uint64_t{1022} << 52;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &u, sizeof(bits));
    int exponent = static_cast<int>(bits >> 52) - 1022;
    bits = (bits & ~exponent_bits) | one_half;
    double mantissa = 0;
    std::memcpy(&mantissa, &bits, sizeof(bits));
    if (mantissa < 0.70710678118654752) {
        mantissa *= 2;
        --exponent;
    }
    const double lost = (x >= 1 ? 1 - (u - x) : x - (u - 1)) / u;
    const double log_mantissa = log_of_mantissa((mantissa - 1) / (mantissa + 1));
    return exponent * ln2_high + (exponent * ln2_low + (log_mantissa + lost));
}

/// e^x. Range: finite x; 0 or infinity where the result is out of range.
inline double exponential(double x) {
    if (x < -746) {
        return 0;
    }
    if (x > 710) {
        return HUGE_VAL;
    }
    const double twos = std::floor(x / (ln2_high + ln2_low) + 0.5);
    const double rest = (x - twos * ln2_high) - twos * ln2_low;  // at most 0.347
    double sum = 0;
    for (int n = 15; n >= 1; --n) {
        sum = (sum + 1) * (rest / n);
    }
    return std::ldexp(1 + sum, static_cast<int>(twos));
}

/// x^3, rounded once.
inline double cube(double x) {
    const double square = x * x;
    const double result = square * x;
    return result + (std::fma(square, x, -result) + std::fma(x, x, -square) * x);
}

/// x^(1.0 / 3), rounded once: 1.0 / 3 is a little less than a third. Of negative numbers too. Range: 0, or from
/// 2^-1000 to 2^1000.
inline double cube_root(double x) {
    if (x == 0) {
        return 0;
    }
    int exponent = 0;
    double mantissa = std::frexp(std::fabs(x), &exponent);
    while (exponent % 3 != 0) {
        mantissa /= 2;
        ++exponent;
    }
    // Newton's steps double the digits that are right, from 1 at least: the mantissa is 0.125 to 1.
    double root = 0.4 + 0.6 * mantissa;
    for (int step = 0; step < 6; ++step) {
        root -= (root - mantissa / (root * root)) / 3;
    }
    // What the last one lacks, from the cube in twice the digits; and the exponent's rest, 2^-54 / 3.
    const double square = root * root;
    const double product = square * root;
    const double low = std::fma(square, root, -product) + std::fma(root, root, -square) * root;
    const double lacks = ((mantissa - product) - low) / (3 * square);
    const double log = exponent * (ln2_high + ln2_low) + log_one_plus(mantissa - 1);
    const double rest = root * log * (0x1p-54 / 3);
    return std::copysign(std::ldexp(root + (lacks - rest), exponent / 3), x);
}

}  // namespace weir
