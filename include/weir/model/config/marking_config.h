// Parameters of marking. Defaults are DCTCP's at 1 Gb/s (SIGCOMM 2010, section 3.5).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Kinds of marker; marking/marker.h registers them.
enum class marker_kind : std::uint8_t { none, step, ramp, red, qcn };
enum class marking_time : std::uint8_t { enqueue, dequeue };
constexpr auto names_of(marking_time) {
    return enum_names<marking_time>({
        {marking_time::enqueue, "enqueue", "when the frame comes to its egress queue"},
        {marking_time::dequeue, "dequeue", "when its first bit leaves; frames behind it count"},
    });
}
enum class marking_count : std::uint8_t { egress, bound };
constexpr auto names_of(marking_count) {
    return enum_names<marking_count>({
        {marking_count::egress, "egress", "frames in the egress queue"},
        {marking_count::bound, "bound", "frames in the egress queue, in VOQs for it, and crossing to it"},
    });
}

enum class step_rule : std::uint8_t { at_least, above, above_with_frame };
constexpr auto names_of(step_rule) {
    return enum_names<step_rule>({
        {step_rule::at_least, "at_least", "length >= K, as ns-3's RED with both thresholds at K"},
        {step_rule::above, "above", "length > K (DCTCP 3.1: greater than K)"},
        {step_rule::above_with_frame, "above_with_frame", "length + the frame itself > K"},
    });
}

/// What a class has of a list with one value for each class, or one for all.
template <class T>
const T& value_of_class(const std::vector<T>& values, pfc_class c) {
    return values[c < values.size() ? c : values.size() - 1];
}

/// Which frames egress queues mark (ECN CE), or drop early. Keys: [marking].
struct marking_config {
    marker_kind kind = marker_kind::none;
    /// For each class, or for all; so are `k_min` and `k_max`.
    std::vector<bytes> threshold{30'000_B};
    std::optional<std::vector<std::uint32_t>> threshold_frames;
    step_rule rule = step_rule::at_least;
    std::vector<bytes> k_min{5'000_B};
    std::vector<bytes> k_max{200'000_B};
    double p_max = 0.01;
    std::optional<std::vector<std::uint32_t>> k_min_frames;
    std::optional<std::vector<std::uint32_t>> k_max_frames;
    double weight = 0.002;
    bool gentle = false;
    bool wait = false;
    bytes mean_frame{1500};
    bool spares_control = true;
    std::optional<bool> may_drop;
    marking_time at = marking_time::enqueue;
    marking_count counts = marking_count::egress;
    std::optional<std::vector<std::uint32_t>> classes;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* marked = "marking.kind other than none";
        constexpr const char* step = "marking.kind = step";
        constexpr const char* ramp = "marking.kind = ramp or red";
        constexpr const char* red = "marking.kind = red";
        fields(field("kind", &self::kind)
                   .needs("traffic that heeds marks (tcp.congestion, roce.rate_control), or marking.kind = red "
                          "or qcn")
                   .help("Which frames of ECN-capable transports are marked (ECN CE). tcp.congestion = auto "
                         "and RoCE's queue pairs then react to marks.")
                   .source("RFC 3168"));
        fields.all_need(step);
        fields(
            field("threshold", &self::threshold)
                .memory()
                .range(0_B, largest_memory)
                .needs("marking.threshold_frames = auto")
                .help("K: a frame is marked if its queue holds this much; the frame itself is not counted. One "
                      "value for all classes, or one for each.")
                .source("DCTCP 3.5: 20 frames at 1 Gb/s"));
        fields(field("threshold_frames", &self::threshold_frames)
                   .range(0U, 1'000'000U)
                   .help("marking.threshold in frames. auto: marking.threshold counts.")
                   .source("DCTCP 3.1: K in packets"));
        fields(field("rule", &self::rule).help("How the length and the threshold are compared."));
        fields.all_need(ramp, "marking.k_min_frames = auto");
        fields(field("k_min", &self::k_min)
                   .memory()
                   .range(0_B, largest_memory)
                   .help("Up to this length of its queue no frame is marked. One value for all classes, or one "
                         "for each.")
                   .source("DCQCN, SIGCOMM 2015, fig. 14"));
        fields(
            field("k_max", &self::k_max)
                .memory()
                .range(0_B, largest_memory)
                .help("Above this length every frame is marked. Between marking.k_min and this length the "
                      "probability of a mark grows linearly from 0 to marking.p_max. At least marking.k_min.")
                .source("DCQCN, SIGCOMM 2015, fig. 14"));
        fields.all_need(ramp);
        fields(field("p_max", &self::p_max)
                   .range(0, 1)
                   .share()
                   .help("Probability of a mark at marking.k_max.")
                   .source("DCQCN, SIGCOMM 2015, fig. 14"));
        fields.all_need(red);
        fields(field("k_min_frames", &self::k_min_frames)
                   .range(0U, 1'000'000U)
                   .help("marking.k_min in frames. auto: marking.k_min counts, and frames are marked in "
                         "proportion to their length.")
                   .source("Floyd and Jacobson 1993, section 5: packets or bytes"));
        fields(field("k_max_frames", &self::k_max_frames)
                   .range(0U, 1'000'000U)
                   .help("marking.k_max in frames. auto: marking.k_max counts.")
                   .source("Floyd and Jacobson 1993, section 5: packets or bytes"));
        fields(field("weight", &self::weight)
                   .range(0.0, 1.0, range_ends::low_excluded)
                   .help("W_q: weight of the present length in the average length. 1: no averaging.")
                   .source("Floyd and Jacobson 1993, section 6, and cross-layer study: 0.002"));
        fields(field("gentle", &self::gentle)
                   .help("The probability grows on from marking.p_max at marking.k_max to 1 at twice that "
                         "length. off: it is 1 from marking.k_max on.")
                   .source("Floyd 2000"));
        fields(field("wait", &self::wait)
                   .help("At least 1 / probability frames come between two marks.")
                   .source("ns-2 and ns-3"));
        fields(field("mean_frame", &self::mean_frame)
                   .range(64_B, 65'535_B)
                   .help("Length of a typical frame. It sets how fast the average decays while the queue is "
                         "empty. Frames of this length are marked as often as the probability says.")
                   .source("cross-layer study: frames of 1,500 B"));
        fields(field("spare_control", &self::spares_control)
                   .help("Up to the maximum, frames without payload (ACKs, SYNs, notifications) are neither "
                         "marked nor dropped.")
                   .source("cross-layer study V-B5"));
        fields(field("may_drop", &self::may_drop)
                   .help("Whether frames that cannot be marked are dropped early, and all frames above the "
                         "maximum. off: frames above the maximum are marked. auto: on in classes without flow "
                         "control, off in others. on: in all classes, lossless ones too.")
                   .source("RFC 3168 5; Floyd and Jacobson 1993"));
        fields.all_need(marked);
        fields(field("at", &self::at)
                   .needs("marking.kind = step or ramp")
                   .help("When the queue's length is compared.")
                   .source("DCTCP 3.1: enqueue"));
        fields(field("counts", &self::counts)
                   .needs("switch.buffer = partitioned")
                   .help("What counts as the length of an egress queue."));
        fields(field("classes", &self::classes)
                   .range(0U, pfc_classes - 1)
                   .help("Classes whose frames are marked. auto: all."));
    }

    bool marks(pfc_class c) const {
        return kind != marker_kind::none &&
               (!classes || std::find(classes->begin(), classes->end(), c) != classes->end());
    }
};

}  // namespace weir::model
