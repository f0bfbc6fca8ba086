#include "weir/model/marking/marker.h"

#include "weir/model/marking/step_marker.h"

namespace weir::model {

static std::unique_ptr<marker> make_step(const marker_setup& setup) {
    const marking_config& config = setup.config;
    const auto from = config.threshold_frames ? std::uint64_t{*config.threshold_frames}
                                              : static_cast<std::uint64_t>(config.threshold.count());
    return std::make_unique<step_marker>(
        std::vector<std::uint64_t>(setup.queues(), from), setup.classes,
        config.threshold_frames ? step_marker::unit::frames : step_marker::unit::bytes);
}

registry<marker_kind, marker_maker>& marker_kinds() {
    static registry<marker_kind, marker_maker> list{
        {"none", "nothing is marked", [](const marker_setup&) { return nullptr; }},
        {"step", "each frame that finds its queue at or above a threshold (DCTCP)", make_step},
    };
    return list;
}

}  // namespace weir::model
