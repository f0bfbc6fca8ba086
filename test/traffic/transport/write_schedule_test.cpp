#include "weir/traffic/transport/write_schedule.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "weir/base/rng.h"

namespace weir::traffic {
namespace {

TEST(write_schedule, writes_at_the_rate_of_each_step) {
    write_schedule written;
    EXPECT_EQ(written.at(1s), 0U);
    written.add(1ms, 800_Mbps);
    written.add(3ms, 0_bps);
    written.add(4ms, 4'000_Mbps);
    EXPECT_EQ(written.at(0_ps), 0U);
    EXPECT_EQ(written.at(1ms), 0U);
    EXPECT_EQ(written.at(2ms), 100'000U);
    EXPECT_EQ(written.at(3ms + 500us), 200'000U);
    EXPECT_EQ(written.at(6ms), 1'200'000U);
    EXPECT_EQ(written.time_of(1), 1ms + 10ns);
    EXPECT_EQ(written.time_of(200'000), 3ms);
    EXPECT_EQ(written.time_of(200'001), 4ms + 2ns);
    EXPECT_EQ(written.time_of(1'200'000), 6ms);
}

TEST(write_schedule, what_is_never_written_has_no_time) {
    write_schedule written;
    written.add(0_ps, 8_bps);
    written.add(10s, 0_bps);
    EXPECT_EQ(written.time_of(10), 10s);
    EXPECT_EQ(written.time_of(11), never);
}

TEST(write_schedule, the_time_of_a_byte_is_the_first_at_which_it_is_written) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream chance{seed, 0, random_purpose::adversary};
        write_schedule written;
        picoseconds from{chance.below(1'000'000)};
        for (unsigned step = 0; step < 5; ++step) {
            written.add(from, bit_rate{chance.below(4) == 0 ? 0 : 1 + chance.below(2'000'000'000)});
            from += picoseconds{chance.below(1'000'000'000)};
        }
        for (unsigned i = 0; i < 50; ++i) {
            const std::uint64_t byte = 1 + chance.below(1'000'000);
            const picoseconds time = written.time_of(byte);
            if (time != never) {
                ASSERT_GE(written.at(time), byte) << seed;
                ASSERT_LT(written.at(time - 1_ps), byte) << seed;
            } else {
                ASSERT_LT(written.at(longest_time), byte) << seed;
            }
        }
    }
}

}  // namespace
}  // namespace weir::traffic
