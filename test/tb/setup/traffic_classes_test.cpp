// Which classes a run's frames have, and what is said of priorities that share a class or are not protected.
#include "tb/run/checks/traffic_classes.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;
using classes = std::set<unsigned>;

std::string merged(const texts& options, trace_priorities in_trace = unread_trace) {
    const loaded_config loaded = load_config(options);
    EXPECT_TRUE(loaded.errors.empty());
    return merged_classes_warning(loaded, in_trace).value_or("");
}

std::string lossy(texts options, trace_priorities in_trace = unread_trace) {
    options.insert(options.end(),
                   {"--switch.buffer=shared", "--pfc.mode=pfc", "--shared.lossless_classes=3,4"});
    const loaded_config loaded = load_config(options);
    EXPECT_TRUE(loaded.errors.empty());
    return lossy_traffic_warning(loaded.config, in_trace).value_or("");
}

const texts roce{"--traffic.transport=roce", "--marking.kind=ramp"};
texts extended(texts all, const texts& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(traffic_classes, priorities_that_share_the_highest_class_are_told) {
    EXPECT_EQ(
        merged({"--switch.classes=4", "--traffic.priorities=3,4"}),
        "switch.classes = 4: priorities 3 (traffic.priorities), 4 (traffic.priorities) all become class 3, so "
        "they share its queues and thresholds; with 5 classes each has its own");
    EXPECT_EQ(merged({"--switch.classes=5", "--traffic.priorities=3,4"}), "");
    EXPECT_EQ(merged({"--switch.classes=4", "--traffic.priorities=0,3"}), "");
    EXPECT_EQ(merged({"--switch.classes=4", "--traffic.priorities=0,6"}), "");
    EXPECT_NE(merged({"--switch.classes=2", "--traffic.priorities=1", "--traffic.stream_rate=1Gbps",
                      "--traffic.stream_priority=5"})
                  .find("1 (traffic.priorities), 5 (traffic.stream_priority) all become class 1"),
              std::string::npos);
    EXPECT_NE(merged({"--switch.classes=4", "--traffic.kind=trace", "--traffic.file=x"}, 0b11000)
                  .find("3 (traffic.file), 4 (traffic.file)"),
              std::string::npos);
    EXPECT_EQ(merged({"--switch.classes=4", "--traffic.kind=trace", "--traffic.file=x"}, 0b01001), "");
}

TEST(traffic_classes, answers_of_transports_and_switches_share_classes_too) {
    EXPECT_NE(merged(extended(roce, {"--switch.classes=4", "--traffic.priorities=3"}))
                  .find("3 (traffic.priorities), 7 (roce.cnp_priority) all become class 3"),
              std::string::npos);
    // Without marks, or with queue pairs that do not heed them, there are no CNPs.
    EXPECT_EQ(merged({"--traffic.transport=roce", "--switch.classes=4", "--traffic.priorities=3"}), "");
    EXPECT_EQ(
        merged(extended(roce, {"--roce.rate_control=none", "--switch.classes=4", "--traffic.priorities=3"})),
        "");
    EXPECT_NE(merged({"--traffic.transport=roce", "--roce.ack_priority=6", "--switch.classes=4",
                      "--traffic.priorities=3"})
                  .find("6 (roce.ack_priority)"),
              std::string::npos);
    EXPECT_NE(
        merged({"--marking.kind=qcn", "--switch.classes=2", "--traffic.priorities=1"}).find("7 (qcn.priority)"),
        std::string::npos);
}

TEST(traffic_classes, with_a_single_class_answers_are_told_only_if_they_were_set) {
    EXPECT_EQ(merged(extended(roce, {"--switch.classes=1", "--traffic.priorities=0"})), "");
    EXPECT_NE(merged(extended(roce, {"--switch.classes=1", "--traffic.priorities=0", "--roce.cnp_priority=6"})),
              "");
    EXPECT_NE(merged({"--switch.classes=1", "--traffic.priorities=0,1"}), "");
}

TEST(traffic_classes, a_scheme_of_one_class_is_told_only_if_priorities_were_set) {
    EXPECT_EQ(
        merged({"--switch.scheme=dctcp", "--traffic.priorities=3,4"}),
        "switch.classes = 1 (set by switch.scheme): priorities 3 (traffic.priorities), 4 "
        "(traffic.priorities) all become class 0, so they share its queues and thresholds; with 5 classes "
        "each has its own");
    EXPECT_EQ(merged({"--switch.scheme=dctcp", "--traffic.priorities=3"}), "");
    EXPECT_EQ(merged({"--switch.scheme=detail", "--traffic.priorities=3,4"}), "") << "it has eight classes";
    const texts traced{"--switch.scheme=dctcp", "--traffic.kind=trace", "--traffic.file=x"};
    EXPECT_EQ(merged(traced, 0b11000), "");
    const texts stream{"--traffic.stream_rate=1Gbps"};
    EXPECT_EQ(merged(extended(traced, stream), 0b11000), "");
    EXPECT_NE(merged(extended(extended(traced, stream), {"--traffic.stream_priority=5"}), 0b01000), "");
    // Answers follow the data.
    EXPECT_EQ(merged(extended(traced, {"--traffic.transport=roce", "--roce.cnp_priority=6"}), 0b01000), "");
    EXPECT_NE(merged({"--switch.scheme=baseline", "--switch.classes=2", "--traffic.priorities=1,7"}), "");
}

TEST(traffic_classes, classes_that_are_not_protected_are_told_with_their_answers) {
    EXPECT_EQ(
        lossy(extended(roce, {"--traffic.kind=trace", "--traffic.file=x"}), 0b11000),
        "shared.lossless_classes = 3, 4: some traffic is of other classes (7 by roce.cnp_priority), whose "
        "frames are dropped where memory is full");
    EXPECT_EQ(lossy({"--traffic.kind=trace", "--traffic.file=x"}, 0b11000), "");
    EXPECT_EQ(lossy({"--traffic.priorities=0,3"}),
              "shared.lossless_classes = 3, 4: some traffic is of other classes (0), whose frames are dropped "
              "where memory is full");
    EXPECT_EQ(
        lossy({"--traffic.priorities=0,1"}),
        "shared.lossless_classes = 3, 4: all traffic is of other classes (0, 1), whose frames are dropped "
        "where memory is full");
    EXPECT_EQ(lossy(extended(roce, {"--traffic.priorities=3", "--roce.cnp_priority=4"})), "");
}

TEST(traffic_classes, data_is_what_transfers_carry) {
    const loaded_config loaded = load_config(
        extended(roce, {"--switch.classes=6", "--traffic.priorities=3,7", "--roce.ack_priority=1"}));
    EXPECT_EQ(data_classes(loaded.config), (classes{3, 5}));
}

}  // namespace
}  // namespace weir::tb
