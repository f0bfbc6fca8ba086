#include "tb/setup/traffic_classes.h"

#include <algorithm>

#include "tb/text/joined.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::tb {

namespace {

/// `0, 3`
template <class List>
std::string list_of(const List& classes) {
    return joined(classes, ", ", [](unsigned c) { return std::to_string(c); });
}

}  // namespace

std::set<unsigned> traffic_classes(const run_config& config, class_mask in_trace) {
    const workload_config& traffic = config.traffic;
    std::set<unsigned> classes;
    const auto use = [&](unsigned priority) { classes.insert(std::min(priority, config.device.classes - 1)); };
    if (traffic.kind == workload_kind::trace) {
        for (unsigned priority = 0; priority < pfc_classes; ++priority) {
            if ((in_trace >> priority & 1) != 0) {
                use(priority);
            }
        }
    } else if (workloads()[traffic.kind].generated) {
        std::for_each(traffic.priorities.begin(), traffic.priorities.end(), use);
    }
    if (traffic.background.is_on()) {
        use(traffic.background.priority);
    }
    if (traffic.stream.is_on()) {
        use(traffic.stream.priority);
    }
    return classes;
}

bool has_lossless_traffic(const run_config& config, class_mask in_trace) {
    const std::set<unsigned> classes = traffic_classes(config, in_trace);
    return config.flow_control.mode != flow_control_mode::none &&
           (config.shared.kind != buffer_kind::shared ||
            std::any_of(classes.begin(), classes.end(),
                        [&](unsigned c) { return config.shared.is_lossless(c); }));
}

std::optional<std::string> lossy_traffic_warning(const run_config& config, class_mask in_trace) {
    std::set<unsigned> lossy = traffic_classes(config, in_trace);
    if (config.flow_control.mode == flow_control_mode::none || config.shared.kind != buffer_kind::shared) {
        return std::nullopt;
    }
    const std::size_t used = lossy.size();
    for (unsigned c = 0; c < config.device.classes; ++c) {
        if (config.shared.is_lossless(c)) {
            lossy.erase(c);
        }
    }
    if (lossy.empty()) {
        return std::nullopt;
    }
    return "shared.lossless_classes = " + list_of(*config.shared.lossless_classes) + ": " +
           (lossy.size() == used ? "all traffic is" : "some traffic is") + " of other classes (" +
           list_of(lossy) + "), whose frames are dropped where memory is full";
}

}  // namespace weir::tb
