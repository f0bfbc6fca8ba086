#include "tb/run/samples/series.h"

#include <gtest/gtest.h>

#include <map>

namespace weir::tb {
namespace {

using rows = std::vector<int>;

std::map<picoseconds, rows> written(const views_over_time<int>& views, const std::vector<picoseconds>& times) {
    std::map<picoseconds, rows> all;
    views.for_each(times, [&](picoseconds time, const std::vector<int>& seen) {
        if (!seen.empty()) {
            all[time] = seen;
        }
    });
    return all;
}

TEST(views_over_time, what_is_there_holds_until_it_changes) {
    views_over_time<int> views(10us);
    views.keep(10us, {});
    views.keep(20us, {1, 2});
    views.keep(30us, {1, 2});
    views.keep(50us, {});
    EXPECT_EQ(views.size(), 2U);
    EXPECT_EQ(views.rows(), 2U);
    EXPECT_EQ(written(views, {0us, 10us, 20us, 30us, 40us, 50us, 60us}),
              (std::map<picoseconds, rows>{{20us, {1, 2}}, {30us, {1, 2}}, {40us, {1, 2}}}));
}

TEST(views_over_time, thinned_out_it_has_at_each_kept_time_what_was_there) {
    views_over_time<int> views(10us);
    std::map<picoseconds, rows> all;
    std::vector<picoseconds> times;
    for (int i = 1; i <= 32; ++i) {
        const picoseconds now = 10us * i;
        const rows there(static_cast<std::size_t>(i / 3 % 3), i / 3);
        views.keep(now, there);
        if (i % 4 == 0) {
            times.push_back(now);
            if (!there.empty()) {
                all[now] = there;
            }
        }
    }
    views.thin_out();
    views.thin_out();
    EXPECT_EQ(views.interval(), picoseconds{40us});
    EXPECT_LE(views.size(), 8U);
    EXPECT_EQ(written(views, times), all);
}

}  // namespace
}  // namespace weir::tb
