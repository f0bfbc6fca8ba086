// Parameters of marking. Defaults are DCTCP's at 1 Gb/s (SIGCOMM 2010, section 3.5).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Kinds of marker; marking/marker.h registers them.
enum class marker_kind : std::uint8_t { none, step };
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

/// Which frames egress queues mark (ECN CE), or drop early. Keys: [marking].
struct marking_config {
    marker_kind kind = marker_kind::none;
    bytes threshold{30'000};
    /// Not set: `threshold` counts.
    std::optional<std::uint32_t> threshold_frames;
    marking_time at = marking_time::enqueue;
    marking_count counts = marking_count::egress;
    /// Not set: all.
    std::optional<std::vector<std::uint32_t>> classes;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* marked = "marking.kind other than none";
        constexpr const char* step = "marking.kind = step";
        fields(field("kind", &self::kind)
                   .needs("traffic over TCP or RoCE")
                   .help("Which frames are marked (ECN CE). Only frames of ECN-capable transports are; "
                         "tcp.congestion = auto then reacts to marks, and so do RoCE's queue pairs.")
                   .source("RFC 3168"));
        fields(field("threshold", &self::threshold)
                   .range(0_B, largest_memory)
                   .needs(step, "marking.threshold_frames = auto")
                   .help("A frame is marked if its queue holds at least this much, without the frame.")
                   .source("DCTCP 3.5: 20 frames at 1 Gb/s"));
        fields(field("threshold_frames", &self::threshold_frames)
                   .range(0U, 1'000'000U)
                   .needs(step)
                   .help("The same in frames. auto: marking.threshold counts.")
                   .source("DCTCP 3.1: K in packets"));
        fields(field("at", &self::at)
                   .needs(marked)
                   .help("When the queue's length is compared.")
                   .source("DCTCP 3.1: enqueue"));
        fields(field("counts", &self::counts)
                   .needs(marked, "switch.buffer = partitioned")
                   .help("What counts as the length of an egress queue.")
                   .source("project"));
        fields(field("classes", &self::classes)
                   .range(0U, pfc_classes - 1)
                   .needs(marked)
                   .help("Classes whose frames are marked. auto: all.")
                   .source("project"));
    }

    bool marks(pfc_class c) const;
    config_errors validate() const;
};

}  // namespace weir::model
