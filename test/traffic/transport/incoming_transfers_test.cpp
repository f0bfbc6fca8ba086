#include "weir/traffic/transport/incoming_transfers.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace weir::traffic {
namespace {

ipv4_address address(host_id host) {
    return ipv4_address{0x0A000000 + host};
}

TEST(incoming_transfers, a_transfer_begins_is_under_way_and_is_over) {
    incoming_transfers transfers(4);
    EXPECT_EQ(transfers.receiver_of(address(1), 0), incoming_transfers::none);
    EXPECT_EQ(transfers.stage_of(1, address(1), 0), transfer_stage::begins);
    transfers.begin(address(1), 0, 17);
    EXPECT_EQ(transfers.receiver_of(address(1), 0), 17U);
    EXPECT_EQ(transfers.receiver_of(address(2), 0), incoming_transfers::none);
    transfers.finish(address(1), 0);
    EXPECT_EQ(transfers.stage_of(1, address(1), 0), transfer_stage::over);
    EXPECT_EQ(transfers.stage_of(2, address(2), 0), transfer_stage::begins);
}

TEST(incoming_transfers,
     asking_what_is_over_tells_the_unknown_the_overtaken_and_the_open_from_it_and_changes_nothing) {
    incoming_transfers transfers(4);
    EXPECT_FALSE(transfers.is_over(1, address(1), 0));
    EXPECT_EQ(transfers.unfinished(), 0U);
    ASSERT_EQ(transfers.stage_of(1, address(1), 1), transfer_stage::begins);
    transfers.begin(address(1), 1, 17);
    EXPECT_FALSE(transfers.is_over(1, address(1), 0));
    EXPECT_FALSE(transfers.is_over(1, address(1), 1));
    transfers.finish(address(1), 1);
    EXPECT_FALSE(transfers.is_over(1, address(1), 0));
    EXPECT_TRUE(transfers.is_over(1, address(1), 1));
    EXPECT_FALSE(transfers.is_over(2, address(2), 1));
    EXPECT_EQ(transfers.unfinished(), 1U);
}

TEST(incoming_transfers, one_that_was_overtaken_by_a_thousand_still_begins_and_costs_one_entry) {
    incoming_transfers transfers(4);
    for (std::uint32_t ordinal = 1; ordinal <= 1000; ++ordinal) {
        ASSERT_EQ(transfers.stage_of(1, address(1), ordinal), transfer_stage::begins);
        transfers.begin(address(1), ordinal, 0);
        transfers.finish(address(1), ordinal);
        EXPECT_EQ(transfers.unfinished(), 1U);
    }
    EXPECT_EQ(transfers.stage_of(1, address(1), 0), transfer_stage::begins);
    EXPECT_EQ(transfers.stage_of(1, address(1), 500), transfer_stage::over);
}

TEST(incoming_transfers, an_ordinal_far_ahead_is_refused_and_leaves_nothing) {
    incoming_transfers transfers(4);
    EXPECT_EQ(transfers.stage_of(1, address(1), incoming_transfers::furthest_ahead),
              transfer_stage::impossible);
    EXPECT_EQ(transfers.stage_of(1, address(1), transfer_fields::ordinals - 1), transfer_stage::impossible);
    EXPECT_EQ(transfers.unfinished(), 0U);
    EXPECT_EQ(transfers.stage_of(1, address(1), 3), transfer_stage::begins);
    EXPECT_EQ(transfers.unfinished(), 4U);
}

TEST(incoming_transfers, who_is_no_host_counts_as_one_source) {
    incoming_transfers transfers(100);
    EXPECT_EQ(transfers.stage_of(100, address(700), 0), transfer_stage::begins);
    transfers.begin(address(700), 0, 0);
    transfers.finish(address(700), 0);
    EXPECT_EQ(transfers.stage_of(~host_id{0}, address(700), 0), transfer_stage::over);
    EXPECT_EQ(transfers.stage_of(99, address(99), 0), transfer_stage::begins);
}

// Against two sets that remember everything: what sources have under way, and what is over.
TEST(incoming_transfers,
     any_order_of_beginnings_ends_and_late_duplicates_is_told_as_by_one_who_forgets_nothing) {
    random_stream chance(7, 0, random_purpose::adversary);
    constexpr host_id hosts = 130;
    incoming_transfers transfers(hosts);
    using name = std::pair<host_id, std::uint32_t>;
    std::map<host_id, std::uint32_t> started;
    std::set<name> open;       // started, not a segment of it has come
    std::set<name> under_way;  // begun
    std::set<name> over;
    const auto any_of = [&](const std::set<name>& set) {
        const name from{chance.below(hosts), chance.below(200)};
        const auto at = set.lower_bound(from);
        return at == set.end() ? *set.begin() : *at;
    };
    std::size_t most = 0;
    for (int step = 0; step < 300'000; ++step) {
        const std::uint32_t what = chance.below(7);
        if (what < 2 && open.size() + under_way.size() < 50) {
            const host_id host = chance.below(hosts);
            open.insert({host, started[host]++});
        } else if (what < 4 && !open.empty()) {
            const name first = any_of(open);
            ASSERT_EQ(transfers.receiver_of(address(first.first), first.second), incoming_transfers::none);
            ASSERT_EQ(transfers.stage_of(first.first, address(first.first), first.second),
                      transfer_stage::begins);
            transfers.begin(address(first.first), first.second, first.first);
            open.erase(first);
            under_way.insert(first);
        } else if (what < 6 && !under_way.empty()) {
            const name last = any_of(under_way);
            ASSERT_EQ(transfers.receiver_of(address(last.first), last.second), last.first);
            transfers.finish(address(last.first), last.second);
            under_way.erase(last);
            over.insert(last);
        } else if (!over.empty()) {
            const name late = any_of(over);
            ASSERT_EQ(transfers.receiver_of(address(late.first), late.second), incoming_transfers::none);
            ASSERT_EQ(transfers.stage_of(late.first, address(late.first), late.second), transfer_stage::over);
        }
        most = std::max(most, transfers.unfinished());
        ASSERT_LE(transfers.unfinished(), open.size() + under_way.size());
    }
    EXPECT_GT(over.size(), 40'000U);
    EXPECT_LE(most, 50U);
}

}  // namespace
}  // namespace weir::traffic
