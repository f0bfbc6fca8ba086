// Options [marking].
#include "tb/options/option_tables.h"
#include "weir/model/marking/marker.h"

namespace weir::tb {

template <>
struct enum_names<marker_kind> : registered_names<marker_kind, marker_kinds> {};
template <>
struct enum_names<marking_time> {
    static constexpr enum_name<marking_time> list[] = {
        {marking_time::enqueue, "enqueue", "when the frame comes to its egress queue"},
        {marking_time::dequeue, "dequeue", "when its first bit leaves; frames behind it count"},
    };
};
template <>
struct enum_names<marking_count> {
    static constexpr enum_name<marking_count> list[] = {
        {marking_count::egress, "egress", "frames in the egress queue"},
        {marking_count::bound, "bound", "frames in the egress queue, in VOQs for it, and crossing to it"},
    };
};

void add_marking_options(option_table& table, run_config& config) {
    table.block("marking", "Marking of frames (ECN) by the length of their egress queue.").add(config.marking);
    table.condition("marking.kind other than none",
                    [&config] { return config.marking.kind != marker_kind::none; });
}

}  // namespace weir::tb
