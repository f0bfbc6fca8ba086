#include "weir/model/marking/marker.h"

#include <utility>

#include "weir/model/marking/qcn_marker.h"
#include "weir/model/marking/ramp_marker.h"
#include "weir/model/marking/red_marker.h"
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

static std::unique_ptr<marker> make_red(const marker_setup& setup) {
    const marking_config& config = setup.config;
    const bool in_frames = config.k_min_frames.has_value();
    std::vector<red_rule> rules;
    for (unsigned each = 0; each < setup.classes; ++each) {
        const auto c = static_cast<pfc_class>(each);
        red_parameters red;
        red.weight = config.weight;
        red.min = static_cast<double>(in_frames ? value_of_class(*config.k_min_frames, c)
                                                : count_of(config.k_min, c));
        red.max = static_cast<double>(in_frames ? value_of_class(*config.k_max_frames, c)
                                                : count_of(config.k_max, c));
        red.p_max = config.p_max;
        red.gentle = config.gentle;
        red.wait = config.wait;
        red.in_bytes = !in_frames;
        red.mean_frame = static_cast<double>(config.mean_frame.count());
        rules.emplace_back(red);
    }
    std::vector<picoseconds> mean_frame_times;
    for (const port_config& link : setup.links) {
        mean_frame_times.push_back(transmission_time(config.mean_frame + link.wire_overhead, link.rate));
    }
    const unsigned lossy = config.may_drop ? (*config.may_drop ? 0xFFU : 0U) : ~unsigned{setup.lossless};
    return std::make_unique<red_marker>(
        std::move(rules), std::move(mean_frame_times),
        red_options{in_frames, config.spares_control, static_cast<class_mask>(lossy)});
}

static std::unique_ptr<marker> make_qcn(const marker_setup& setup) {
    return std::make_unique<qcn_marker>(setup.qcn, setup.queues(), setup.classes, setup.node, setup.origin);
}

static marking_start step_start(const marking_config& config, const qcn_config&, pfc_class c) {
    return config.threshold_frames
               ? marking_start{"marking.threshold_frames", 0_B, value_of_class(*config.threshold_frames, c)}
               : marking_start{"marking.threshold", value_of_class(config.threshold, c), {}};
}

static marking_start ramp_start(const marking_config& config, const qcn_config&, pfc_class c) {
    return {"marking.k_min", value_of_class(config.k_min, c), {}};
}

static marking_start red_start(const marking_config& config, const qcn_config& qcn, pfc_class c) {
    return config.k_min_frames
               ? marking_start{"marking.k_min_frames", 0_B, value_of_class(*config.k_min_frames, c)}
               : ramp_start(config, qcn, c);
}

static marking_start qcn_start(const marking_config&, const qcn_config& qcn, pfc_class) {
    return {"qcn.set_point", qcn.set_point, {}};
}

registry<marker_kind, marker_traits>& marker_kinds() {
    static registry<marker_kind, marker_traits> list{
        {"none", "nothing is marked", {[](const marker_setup&) { return nullptr; }, false, nullptr, ""}},
        {"step",
         "each frame that finds its queue at or above a threshold (DCTCP)",
         {make_step, true, step_start, "no frame is marked"}},
        {"ramp",
         "by chance, the more often the longer the queue is (DCQCN, RED without average)",
         {make_ramp, true, ramp_start, "no frame is marked"}},
        {"red",
         "RED: by chance, the more often the longer the queue is on average; frames that cannot be marked are "
         "dropped",
         {make_red, true, red_start, "no frame is marked or dropped early"}},
        {"qcn",
         "QCN: none; switches send notifications to the sources of frames that they sample",
         {make_qcn, false, qcn_start, "the queue is full before QCN holds it at that length"}},
    };
    return list;
}

}  // namespace weir::model
