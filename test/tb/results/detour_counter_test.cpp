// Frames by the number of their detours: counted in front of an endpoint, summed up over hosts.
#include "tb/run/tables/detour_counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace weir::tb {
namespace {

struct counting_endpoint final : endpoint {
    int received = 0;
    int with_annex = 0;
    int ended = 0;
    void start(host_services&) override {}
    void receive(const ethernet_frame&) override { ++received; }
    void receive_with(const frame_annex&, const ethernet_frame&) override { ++with_annex; }
    void wake() override {}
    void end_warmup() override { ++ended; }
    bool needs_kernel_thread() const override { return false; }
};

ethernet_frame frame_of(std::uint8_t tag, std::uint8_t detours, frame_kind kind = frame_kind::tcp_data) {
    ethernet_frame frame;
    frame.kind = kind;
    frame.detours = detours;
    frame.transfer.tag = tag;
    return frame;
}

TEST(detour_counter, counts_by_tag_and_hands_everything_on) {
    counting_endpoint guest;
    detour_counter counter(guest);
    counter.receive(frame_of(3, 7));
    counter.end_warmup();
    counter.receive(frame_of(3, 0));
    counter.receive(frame_of(3, 255));
    counter.receive(frame_of(0, 2, frame_kind::tcp_ack));
    counter.receive_with({}, frame_of(255, 1));
    ethernet_frame cnp;
    cnp.kind = frame_kind::cnp;
    cnp.notification = notification_fields{};
    cnp.detours = 4;
    counter.receive(cnp);
    EXPECT_EQ(guest.received, 5);
    EXPECT_EQ(guest.with_annex, 1);
    EXPECT_EQ(guest.ended, 1);
    EXPECT_FALSE(counter.needs_kernel_thread());
    const detour_counts all = detours_of({&counter, &counter}, model::lone_rank::team());
    ASSERT_EQ(all.by_tag.size(), 4U);
    EXPECT_EQ(all.by_tag.at(detour_counter::place_of_tag(3))[0], 2U);
    EXPECT_EQ(all.by_tag.at(detour_counter::place_of_tag(3))[255], 2U);
    EXPECT_EQ(all.by_tag.at(detour_counter::place_of_tag(0))[2], 2U);
    EXPECT_EQ(all.by_tag.at(detour_counter::place_of_tag(255))[1], 2U);
    EXPECT_EQ(all.by_tag.at(detour_counter::no_tag)[4], 2U);
    const detour_summary s = detour_summary_of(all.all);
    EXPECT_EQ(s.frames, 10U);
    EXPECT_EQ(s.detoured, 8U);
    EXPECT_EQ(s.most, 255U);
    EXPECT_EQ(tag_at(detour_counter::no_tag, {"query"}), "");
    EXPECT_EQ(tag_at(detour_counter::place_of_tag(0), {"query"}), "query");
}

// The nearest rank, by sorting.
TEST(detour_counter, percentile_is_that_of_the_sorted_frames) {
    std::mt19937 dice(5);
    for (const std::size_t n : {1U, 2U, 99U, 100U, 101U, 250U, 1'000U, 4'321U}) {
        std::vector<unsigned> detours(n);
        detour_histogram histogram{};
        for (unsigned& d : detours) {
            d = static_cast<unsigned>(dice() % 3 == 0 ? dice() % 60 : 0);
            ++histogram[d];
        }
        std::sort(detours.begin(), detours.end());
        const std::size_t rank = (n * 99 + 99) / 100;
        EXPECT_EQ(detour_summary_of(histogram).p99, detours[rank - 1]) << n;
    }
    EXPECT_EQ(detour_summary_of(detour_histogram{}).p99, 0U);
}

}  // namespace
}  // namespace weir::tb
