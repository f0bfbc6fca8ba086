#include "weir/model/marking/step_marker.h"

#include "weir/model/marking/marking_config.h"

namespace weir::model {

static std::unique_ptr<marker> make_step(const marker_setup& setup) {
    const step_config& config = setup.config.step;
    const auto from = [&](pfc_class c) -> std::uint64_t {
        return config.threshold_frames ? value_of_class(*config.threshold_frames, c)
                                       : bytes_of_class(config.threshold, c);
    };
    return std::make_unique<step_marker>(
        setup.by_queue(from), setup.classes,
        config.threshold_frames ? step_marker::unit::frames : step_marker::unit::bytes, config.rule);
}

static marking_start step_start(const marking_config& config, const qcn_config&, pfc_class c) {
    const step_config& step = config.step;
    return step.threshold_frames
               ? marking_start{"marking.threshold_frames", 0_B, value_of_class(*step.threshold_frames, c)}
               : marking_start{"marking.threshold", value_of_class(step.threshold, c), {}};
}

static void check_step(range_check& check, const marking_config& config, unsigned classes) {
    const step_config& step = config.step;
    check_class_values(check, "marking.threshold", step.threshold.size(), classes);
    check_class_values(check, "marking.threshold_frames",
                       step.threshold_frames ? step.threshold_frames->size() : 1, classes);
}

marker_entry step_marker_kind() {
    marker_traits traits{make_step, true, step_start, "no frame is marked"};
    traits.check = check_step;
    return {"step", "each frame that finds its queue at or above a threshold (DCTCP)", traits};
}

}  // namespace weir::model
