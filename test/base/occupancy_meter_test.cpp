#include "weir/base/occupancy_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace weir;

namespace {

/// Every interval with its fill, kept.
struct literal_meter {
    struct stay {
        std::uint32_t fill;
        std::int64_t length;
    };
    std::vector<stay> stays;
    std::uint32_t watermark = 0;

    double mean() const {
        double sum = 0;
        double span = 0;
        for (const stay& s : stays) {
            sum += static_cast<double>(s.fill) * static_cast<double>(s.length);
            span += static_cast<double>(s.length);
        }
        return span > 0 ? sum / span : 0;
    }
    /// Smallest fill that was not exceeded for `share` of the time.
    std::uint32_t percentile(double share) {
        std::sort(stays.begin(), stays.end(), [](const stay& a, const stay& b) { return a.fill < b.fill; });
        double span = 0;
        for (const stay& s : stays) {
            span += static_cast<double>(s.length);
        }
        double below = 0;
        for (const stay& s : stays) {
            below += static_cast<double>(s.length);
            if (below >= share * span) {
                return s.fill;
            }
        }
        return watermark;
    }
};

TEST(occupancy_meter, mean_watermark_and_percentiles_are_those_of_all_intervals_kept) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        occupancy_meter meter;
        literal_meter oracle;
        picoseconds now{0};
        std::uint32_t fill = 0;
        const std::uint32_t largest = 1U << (random() % 24);
        const int changes = 1 + static_cast<int>(random() % 300);
        for (int i = 0; i < changes; ++i) {
            const auto stay = static_cast<std::int64_t>(random() % 20'000'000);
            now += picoseconds{stay};
            oracle.stays.push_back({fill, stay});
            if (random() % 4 == 0) {
                meter.settle(now);  // settling in between changes nothing
            }
            fill = static_cast<std::uint32_t>(random() % (largest + 1));
            meter.change(fill, now);
            oracle.watermark = std::max(oracle.watermark, fill);
            EXPECT_EQ(meter.current(), bytes{fill});
        }
        oracle.stays.push_back({fill, 5'000'000});
        meter.settle(now + 5us);
        EXPECT_EQ(meter.watermark(), bytes{oracle.watermark});
        EXPECT_NEAR(meter.mean(), oracle.mean(), 1e-9 * (1 + oracle.mean()));
        for (const double share : {0.1, 0.5, 0.9, 0.99, 0.999}) {
            // The bucket's upper edge, at most a quarter above, and never above the watermark.
            const std::uint32_t exact = oracle.percentile(share);
            const std::int64_t told = meter.percentile(share).count();
            EXPECT_GE(told, exact);
            EXPECT_LE(static_cast<double>(told), exact * 1.25 + 1e-9) << "share " << share;
            EXPECT_LE(told, oracle.watermark);
        }
    }
}

TEST(occupancy_meter, leaves_idle_time_out_of_mean_and_percentiles) {
    const auto after = [](picoseconds idle) {
        occupancy_meter meter;
        meter.change(3, idle + 1us);
        meter.change(0, idle + 4us);
        meter.settle(idle + 10us);
        return meter;
    };
    const occupancy_meter early = after(0us);
    const occupancy_meter late = after(2s);
    EXPECT_DOUBLE_EQ(early.mean(), 0.9);
    EXPECT_EQ(early.percentile(0.7), 0_B);
    EXPECT_EQ(early.percentile(0.71), 3_B);
    EXPECT_EQ(late.mean(2s), early.mean());
    for (const double share : {0.5, 0.7, 0.71, 0.99}) {
        EXPECT_EQ(late.percentile(share, 2s), early.percentile(share)) << share;
    }
    EXPECT_EQ(late.percentile(0.99), 0_B);
    // No more can be left out than the time in which the memory was empty.
    EXPECT_DOUBLE_EQ(early.mean(1s), 3);
}

TEST(occupancy_meter, small_fills_have_exact_percentiles) {
    occupancy_meter meter;
    for (std::uint32_t fill = 0; fill < 8; ++fill) {
        meter.change(fill, picoseconds{fill * 100});
    }
    meter.settle(800_ps);
    for (std::uint32_t fill = 0; fill < 8; ++fill) {
        EXPECT_EQ(meter.percentile((fill + 1) / 8.0), bytes{fill});
    }
}

TEST(occupancy_meter, a_restart_forgets_what_was_and_keeps_the_fill) {
    occupancy_meter meter;
    meter.change(100'000, 1us);
    meter.change(2'000, 2us);
    meter.restart(10us);
    EXPECT_EQ(meter.watermark(), 2'000_B);
    meter.change(4'000, 11us);
    meter.settle(14us);
    EXPECT_DOUBLE_EQ(meter.mean(), (2'000 * 1 + 4'000 * 3) / 4.0);
    EXPECT_EQ(meter.watermark(), 4'000_B);
}

TEST(occupancy_meter, an_integral_over_minutes_does_not_overflow) {
    occupancy_meter meter;
    meter.change(0xFFFF'FFFF, 0_ps);
    meter.settle(4'000s);  // 1.7e25 B ps: 84 bits
    EXPECT_NEAR(meter.mean(), 4294967295.0, 1);
    EXPECT_EQ(meter.percentile(0.5), bytes{0xFFFF'FFFFLL});
}

TEST(occupancy_meter, without_any_time_the_mean_is_zero) {
    occupancy_meter meter;
    meter.settle(0_ps);
    EXPECT_DOUBLE_EQ(meter.mean(), 0.0);
}

}  // namespace
