#include "weir/model/marking/marker.h"

#include "weir/model/marking/ramp_marker.h"
#include "weir/model/marking/step_marker.h"

namespace weir::model {

/// A table by queue, of what each class has.
template <class OfClass>
static auto by_queue(const marker_setup& setup, OfClass of_class) {
    std::vector<decltype(of_class(pfc_class{0}))> table;
    for (std::size_t queue = 0; queue < setup.queues(); ++queue) {
        table.push_back(of_class(static_cast<pfc_class>(queue % setup.classes)));
    }
    return table;
}

static std::uint64_t count_of(const std::vector<bytes>& of_classes, pfc_class c) {
    return static_cast<std::uint64_t>(value_of_class(of_classes, c).count());
}

static std::unique_ptr<marker> make_step(const marker_setup& setup) {
    const marking_config& config = setup.config;
    const auto from = [&](pfc_class c) -> std::uint64_t {
        return config.threshold_frames ? value_of_class(*config.threshold_frames, c)
                                       : count_of(config.threshold, c);
    };
    return std::make_unique<step_marker>(
        by_queue(setup, from), setup.classes,
        config.threshold_frames ? step_marker::unit::frames : step_marker::unit::bytes, config.rule);
}

static std::unique_ptr<marker> make_ramp(const marker_setup& setup) {
    const marking_config& config = setup.config;
    const auto ramp = [&](pfc_class c) {
        return ramp_marker::ramp{count_of(config.k_min, c), count_of(config.k_max, c), config.p_max};
    };
    return std::make_unique<ramp_marker>(by_queue(setup, ramp), setup.classes);
}

registry<marker_kind, marker_maker>& marker_kinds() {
    static registry<marker_kind, marker_maker> list{
        {"none", "nothing is marked", [](const marker_setup&) { return nullptr; }},
        {"step", "each frame that finds its queue at or above a threshold (DCTCP)", make_step},
        {"ramp", "by chance, the more often the longer the queue is (DCQCN, RED without average)", make_ramp},
    };
    return list;
}

}  // namespace weir::model
