// Delays that differ from one to the next: of a host's network stack, of servers that look for an answer.
//
//   const delay_distribution stack(24us, delay_shape::exponential, 0.25);
//   random_stream chance{seed, host, random_purpose::stack_in};
//   const picoseconds delay = stack.draw(chance);   // 18 us, and 6 us more on average
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "weir/base/enum_names.h"
#include "weir/base/portable_math.h"
#include "weir/base/rng.h"
#include "weir/base/time.h"

namespace weir {

enum class delay_shape : std::uint8_t { fixed, exponential, lognormal };
constexpr auto names_of(delay_shape) {
    return enum_names<delay_shape>({
        {delay_shape::fixed, "fixed", "each delay is the mean"},
        {delay_shape::exponential, "exponential",
         "a floor, mean x (1 - deviation), and an exponential delay on top"},
        {delay_shape::lognormal, "lognormal", "the logarithm of the delay is normal"},
    });
}

class delay_distribution {
 public:
    /// `deviation`: standard deviation over mean. No unit. Range: above 0; exponential: at most 1.
    delay_distribution(picoseconds mean, delay_shape shape, double deviation) : m_shape(shape) {
        const auto whole = static_cast<double>(mean.count());
        if (shape == delay_shape::exponential) {
            m_scale = whole * deviation;
            m_least = picoseconds{std::llround(whole - m_scale)};
        } else if (shape == delay_shape::lognormal) {
            const double variance = log_one_plus(deviation * deviation);
            m_sigma = std::sqrt(variance);
            m_scale = whole * exponential(-variance / 2);
        } else {
            m_least = mean;
        }
    }

    /// No draw is below this.
    picoseconds least() const { return m_least; }
    /// At most `longest_time`. Fixed delays take no draw from the stream.
    picoseconds draw(random_stream& chance) const {
        switch (m_shape) {
            case delay_shape::exponential:
                return m_least + whole_ps(-m_scale * log_one_plus(-chance.uniform()));
            case delay_shape::lognormal:
                return whole_ps(m_scale * exponential(m_sigma * draw_normal(chance)));
            case delay_shape::fixed:
                break;
        }
        return m_least;
    }

 private:
    static picoseconds whole_ps(double delay) {
        return picoseconds{std::llround(std::min(delay, static_cast<double>(longest_time / 1_ps)))};
    }
    /// Marsaglia's polar method, of which one of the two results is kept.
    static double draw_normal(random_stream& chance) {
        for (;;) {
            const double x = 2 * chance.uniform() - 1;
            const double y = 2 * chance.uniform() - 1;
            const double square = x * x + y * y;
            if (square > 0 && square < 1) {
                return x * std::sqrt(-2 * log_one_plus(square - 1) / square);
            }
        }
    }

    delay_shape m_shape;
    picoseconds m_least{0};
    /// Exponential: mean above the floor; lognormal: median. Unit: ps.
    double m_scale = 0;
    /// Lognormal: of the logarithm.
    double m_sigma = 0;
};

}  // namespace weir
