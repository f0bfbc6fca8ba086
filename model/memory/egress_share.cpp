#include "weir/model/memory/egress_share.h"

#include <algorithm>

namespace weir::model {

// A class has room while one more frame of the largest size fits, so what it holds goes up to that occupancy
// and one frame further (egress_buffer::fits).
egress_fill lone_class_fill(const switch_config& device) {
    const std::int64_t memory = device.egress_buffer.count();
    const std::int64_t frame = memory_of(device.max_frame, device.memory_cell).count();
    std::int64_t limit = memory;
    if (device.classes > 1 && device.share == egress_share::fixed) {
        limit = memory / device.classes;
    }
    std::int64_t last_with_room = limit - frame;
    if (device.classes > 1 && device.share == egress_share::dynamic) {
        // held + frame <= alpha (memory - held), alpha in 1/256.
        const auto alpha = static_cast<std::int64_t>(device.share_alpha * 256 + 0.5);
        const std::int64_t scaled = alpha * memory - 256 * frame;
        last_with_room = std::min(last_with_room, scaled < 0 ? 0 : scaled / (256 + alpha));
    }
    return {bytes{std::max<std::int64_t>(0, last_with_room - frame)}, bytes{last_with_room + frame}};
}

}  // namespace weir::model
