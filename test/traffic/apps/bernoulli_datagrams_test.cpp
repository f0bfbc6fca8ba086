#include "weir/traffic/apps/plain_flow_app.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

// Seeds are fixed; counts are held to 4 standard deviations, chi-squares to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config bernoulli(double load, std::int64_t slots) {
    workload_config c;
    c.kind = named<workload_kind>("bernoulli");
    c.load = load;
    c.slot = 2us;
    c.stop = picoseconds{2us} * slots;
    return c;
}

TEST(bernoulli_datagrams_statistical, sends_one_datagram_in_its_share_of_slots) {
    fake_fabric fabric(bernoulli(0.8, 5000), 16, 1);
    fabric.run_until(never);
    std::set<std::pair<host_id, picoseconds>> seen;
    std::map<std::int64_t, std::uint64_t> pairs;
    for (const fake_transfer& t : fabric.transfers()) {
        ASSERT_EQ(t.time % 2us, 0_ps);
        ASSERT_TRUE(seen.emplace(t.src, t.time).second) << "at most one in a slot";
        ASSERT_EQ(t.request.flow_bytes, 1472_B);
        ASSERT_EQ(t.request.transport, datagram_transport);
        ASSERT_NE(t.request.dst, t.src);
        ++pairs[t.src * 16 + t.request.dst];
    }
    EXPECT_NEAR(static_cast<double>(seen.size()), 64'000, 4 * std::sqrt(80'000 * 0.8 * 0.2));
    EXPECT_EQ(pairs.size(), 240U);
    EXPECT_LT(chi_square(pairs, 240), 310.0);  // 239 degrees of freedom
    EXPECT_EQ(fabric.jobs().size(), seen.size());
    EXPECT_TRUE(fabric.exhausted());
}

TEST(bernoulli_datagrams, a_slot_is_a_full_datagram_unless_it_is_given) {
    workload_config c = bernoulli(1, 0);
    c.slot = 0_ps;
    c.stop = 1ms;
    fake_fabric fabric(c, 2, 1);
    fabric.run_until(never);
    // 1,538 B at 1 Gb/s.
    EXPECT_EQ(fabric.transfers().size(), 2 * static_cast<std::size_t>(1ms / 12304ns + 1));
    EXPECT_EQ(fabric.transfers().back().time % 12304ns, 0_ps);
}

TEST(bernoulli_datagrams, equal_seeds_send_the_same) {
    fake_fabric a(bernoulli(0.5, 1000), 4, 5);
    fake_fabric b(bernoulli(0.5, 1000), 4, 5);
    a.run_until(never);
    b.run_until(never);
    EXPECT_EQ(identities(a), identities(b));
}

}  // namespace
}  // namespace weir::traffic
