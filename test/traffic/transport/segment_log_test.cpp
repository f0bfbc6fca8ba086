#include "weir/traffic/transport/segment_log.h"

#include <gtest/gtest.h>

namespace weir::traffic {
namespace {

ethernet_frame frame_of(frame_kind kind, std::uint8_t tag, std::uint8_t flags = 0, std::uint16_t path = 0) {
    ethernet_frame frame;
    frame.kind = kind;
    frame.flags = flags;
    frame.transfer.flow = 5;
    frame.transfer.flow_bytes = 90'000;
    frame.transfer.tag = tag;
    frame.path_tag = static_cast<std::uint16_t>(path_tag_of(5) + path);
    return frame;
}

TEST(segment_log, counts_data_and_acks_by_tag_with_their_marks_and_paths) {
    segment_log log;
    log.on_frame(frame_of(frame_kind::tcp_data, 2, ecn_marked, 3));
    log.on_frame(frame_of(frame_kind::udp, 2));
    log.on_frame(frame_of(frame_kind::roce_data, 1));
    log.on_frame(frame_of(frame_kind::tcp_ack, 2, ecn_echo));
    log.on_frame(frame_of(frame_kind::roce_ack, 1));
    log.on_frame(frame_of(frame_kind::tcp_syn, 2));
    ASSERT_EQ(log.counts().size(), 3U);
    const segment_counts& counts = log.counts()[2];
    EXPECT_EQ(counts.received, 2U);
    EXPECT_EQ(counts.marked, 1U);
    EXPECT_EQ(counts.by_path, (std::vector<std::uint64_t>{1, 0, 0, 1}));
    EXPECT_EQ(counts.acks, 1U);
    EXPECT_EQ(counts.echoes, 1U);
    EXPECT_EQ(log.counts()[1].received, 1U);
    EXPECT_EQ(log.counts()[1].echoes, 0U);

    segment_counts sum = counts;
    log.on_late(frame_of(frame_kind::tcp_data, 2), 100'000);
    sum.add(log.counts()[2]);
    EXPECT_EQ(sum.received, 4U);
    EXPECT_EQ(sum.late, 1U);
    EXPECT_EQ(sum.late_by.size(), segment_log::most_behind + 1);
    EXPECT_EQ(sum.by_path, (std::vector<std::uint64_t>{2, 0, 0, 2}));
    log.end_warmup();
    EXPECT_TRUE(log.counts().empty());
}

TEST(segment_log, stays_on_paths_follow_each_other_without_a_gap) {
    segment_log log;
    ethernet_frame header = frame_of(frame_kind::tcp_data, 1);
    header.transfer.set_start(10us);
    const std::uint16_t home = path_tag_of(5);
    const auto tag = [home](unsigned path) { return static_cast<std::uint16_t>(home + path); };
    log.leave_path(header, {tag(0), tag(6)}, 50us, 30'000, path_end::marks);
    log.leave_path(header, {tag(6), tag(1)}, 70us, 80'000, path_end::timeout);
    log.finish(header, tag(1), 90us);
    ASSERT_EQ(log.stays().size(), 3U);
    picoseconds reached = 10us;
    std::uint64_t sent = 0;
    std::uint16_t path = 0;
    for (const path_stay& stay : log.stays()) {
        EXPECT_EQ(stay.from, reached);
        EXPECT_EQ(stay.path, path);
        reached = stay.to;
        path = stay.next_path;
        sent += stay.sent_bytes;
    }
    EXPECT_EQ(reached, 90us);
    EXPECT_EQ(sent, 90'000U);
    EXPECT_EQ(log.stays()[1].why, path_end::timeout);
    EXPECT_EQ(log.counts()[1].path_changes, 2U);

    log.clear_stays();
    log.finish(header, tag(1), 95us);
    EXPECT_TRUE(log.stays().empty()) << "a transfer that has never changed its path has no stays";
}

}  // namespace
}  // namespace weir::traffic
