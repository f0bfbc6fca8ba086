#include "weir/traffic/transport/host_counters.h"

#include <gtest/gtest.h>

#include <map>

namespace weir::traffic {
namespace {

TEST(host_counters, count_as_a_map_does) {
    host_counters counters;
    std::map<host_id, std::uint32_t> reference;
    random_stream chance(3, 0, random_purpose::adversary);
    for (int step = 0; step < 100'000; ++step) {
        const host_id host = chance.below(2) == 0 ? chance.below(1000) : chance.below(1'000'000);
        ASSERT_EQ(counters.of(host)++, reference[host]++);
    }
    EXPECT_EQ(counters.of(~host_id{0}), 0U);
}

}  // namespace
}  // namespace weir::traffic
