// Which of several resources stands for its kind in the results.
#include "tb/run/samples/limits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weir::tb {
namespace {

/// `port`: none of its own below 0.
resource_use memory(int port, double busy, double stalled, double used, std::uint64_t lost) {
    resource_use use;
    use.kind = resource_kind::memory;
    static const std::string node = "tor0";
    use.node_name = &node;
    if (port >= 0) {
        use.part_kind = resource_part::rx;
        use.part_number = static_cast<std::uint32_t>(port);
    }
    use.busy_percent = busy;
    use.stalled_percent = stalled;
    use.port_used_percent = used;
    use.lost_frames = lost;
    return use;
}

TEST(limits_summary, names_what_binds_before_what_is_busier) {
    // Its port stood still for it, and had no time left.
    const resource_use stalls = memory(0, 60, 5, 95, 0);
    const resource_use busy = memory(1, 89, 0, 0, 0);
    // Stood still, but had time left.
    const resource_use idle = memory(2, 88, 5, 89, 0);
    ASSERT_TRUE(stalls.binds());
    ASSERT_FALSE(busy.binds());
    ASSERT_FALSE(idle.binds());
    for (const auto& all : {std::vector<resource_use>{stalls, busy, idle}, {idle, busy, stalls}}) {
        const std::vector<resource_summary> found = summary_of(all);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].of, 3U);
        EXPECT_EQ(found[0].binding, 1U);
        EXPECT_EQ(found[0].worst.part(), "rx0");
    }
}

TEST(limits_summary, names_what_lost_most_then_what_is_busiest) {
    const resource_use lossy = memory(0, 70, 0, 0, 3);
    const resource_use full = memory(1, 99, 0, 0, 0);
    const resource_use fuller = memory(2, 100, 0, 0, 0);
    EXPECT_EQ(summary_of({full, lossy, fuller})[0].worst.part(), "rx0");
    EXPECT_EQ(summary_of({full, fuller})[0].worst.part(), "rx2");
    EXPECT_EQ(summary_of({lossy, full, fuller})[0].binding, 3U);
    EXPECT_TRUE(summary_of({}).empty());
}

TEST(limits_summary, puts_what_lost_frames_or_made_ports_wait_before_what_was_busy) {
    const auto use_of = [](resource_kind kind, double busy, double stalled, std::uint64_t lost) {
        resource_use use = memory(-1, busy, stalled, 95, lost);
        use.kind = kind;
        return use;
    };
    const std::vector<resource_summary> all =
        summary_of({use_of(resource_kind::link, 97, 0, 0), use_of(resource_kind::host_link, 100, 0, 0),
                    use_of(resource_kind::lookup, 91, 0, 2), use_of(resource_kind::crossbar, 50, 0, 0),
                    use_of(resource_kind::memory, 80, 5, 0), use_of(resource_kind::memory_write, 99, 0, 0)});
    std::vector<resource_kind> kinds;
    for (const resource_summary& kind : limiting_of(all)) {
        kinds.push_back(kind.kind);
    }
    EXPECT_EQ(kinds, (std::vector<resource_kind>{resource_kind::lookup, resource_kind::memory,
                                                 resource_kind::memory_write, resource_kind::link,
                                                 resource_kind::host_link}));
}

TEST(limits_summary, names_the_three_that_bind_longest) {
    std::vector<resource_use> all;
    for (const double bound : {3.0, 40.0, 0.0, 8.0, 57.0, 40.0}) {
        resource_use use = memory(static_cast<int>(all.size()), 60, 0, 0, 0);
        use.bound_percent = bound;
        all.push_back(use);
    }
    const resource_summary found = summary_of(all)[0];
    EXPECT_EQ(found.binding, 5U);
    std::vector<std::string> names;
    for (const resource_use& use : found.fullest) {
        names.push_back(use.part());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"rx4", "rx1", "rx5"}));
    EXPECT_EQ(found.worst.part(), "rx4");
}

TEST(limits_summary, leaves_out_what_binds_for_less_than_a_tenth_of_its_busy_time) {
    const auto limits = [](double busy, double bound, std::uint64_t lost) {
        resource_use use = memory(0, busy, 0, 0, lost);
        use.bound_percent = bound;
        return !limiting_of(summary_of({use})).empty();
    };
    EXPECT_FALSE(limits(65, 6.4, 0));
    EXPECT_TRUE(limits(65, 6.6, 0));
    EXPECT_TRUE(limits(65, 6.4, 1)) << "lost a frame";
    EXPECT_TRUE(limits(90, 0, 0)) << "binds over the whole time";
    // All that a link carried in a long run, it carried at once.
    EXPECT_TRUE(limits(1.1, 1.1, 0));
    EXPECT_FALSE(limits(0, 0, 0));
}

}  // namespace
}  // namespace weir::tb
