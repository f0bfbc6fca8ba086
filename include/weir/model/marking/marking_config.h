// Parameters of marking: those of all kinds, and each kind's own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/model/marking/ramp_marker.h"
#include "weir/model/marking/red_marker.h"
#include "weir/model/marking/step_marker.h"
#include "weir/protocol/frame.h"

namespace weir::model {

struct shared_buffer_config;
struct switch_config;

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
    marker_kind kind{};
    step_config step;
    ramp_config ramp;
    red_config red;
    marking_time at = marking_time::enqueue;
    marking_count counts = marking_count::egress;
    std::optional<std::vector<std::uint32_t>> classes;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("kind", &self::kind)
                   .needs("marker_has_an_effect")
                   .help("Which frames of ECN-capable transports are marked (ECN CE). tcp.congestion = auto "
                         "and RoCE's queue pairs then react to marks.")
                   .source("RFC 3168"));
        fields.part(&self::step);
        fields.part(&self::ramp);
        fields.part(&self::red);
        fields.all_need("marking.kind other than none");
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

    bool is_on() const { return kind != marker_kind{}; }
    bool marks(pfc_class c) const {
        return is_on() && (!classes || std::find(classes->begin(), classes->end(), c) != classes->end());
    }
    /// Ranges, and the rules of the kind. Range of `device_classes`: 1 to 8, the classes of a switch.
    config_errors validate(unsigned device_classes) const;
};

/// Refuses a threshold of a shared memory that a kind of marker replaces.
void check_shared_marks(range_check& check, const marking_config& marking, const switch_config& device,
                        const shared_buffer_config& shared);

}  // namespace weir::model
