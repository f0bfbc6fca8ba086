#include "tb/run/checks/traffic_classes.h"

#include <algorithm>
#include <map>

#include "tb/run/options/run_traits.h"
#include "tb/support/text/joined.h"
#include "weir/base/how_many.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::tb {

namespace {

/// `0, 3`
template <class List>
std::string list_of(const List& classes) {
    return joined(classes, ", ", [](unsigned c) { return std::to_string(c); });
}

bool is_lossless(const run_config& config, unsigned c) {
    return config.flow_control.mode != flow_control_mode::none &&
           (!organisation_of(config.device).is_shared || config.shared.is_lossless(c));
}

}  // namespace

unsigned class_of(const run_config& config, unsigned priority) {
    return std::min(priority, config.device.classes - 1);
}

std::vector<priority_use> priorities_in_use(const run_config& config, trace_priorities in_trace) {
    const workload_config& traffic = config.traffic;
    std::vector<priority_use> uses;
    if (workloads()[traffic.kind].reads_trace) {
        for (unsigned priority = 0; priority < pfc_classes; ++priority) {
            if ((in_trace >> priority & 1) != 0) {
                uses.push_back({priority, "traffic.file"});
            }
        }
    } else if (workloads()[traffic.kind].generated) {
        for (const unsigned priority : traffic.priorities) {
            uses.push_back({priority, "traffic.priorities"});
        }
    }
    if (traffic.background.is_on()) {
        uses.push_back({traffic.background.priority, "traffic.background_priority"});
    }
    if (traffic.stream.is_on()) {
        uses.push_back({traffic.stream.priority, "traffic.stream_priority"});
    }
    if (uses_roce(config) && config.roce.ack_priority) {
        uses.push_back({*config.roce.ack_priority, "roce.ack_priority", false});
    }
    if (uses_roce(config) && roce_heeds_marks(config) && has_marks(config)) {
        uses.push_back({config.roce.cnp_priority, "roce.cnp_priority", false});
    }
    if (marker_kinds()[config.marking.kind].notifies) {
        uses.push_back({config.qcn.priority, "qcn.priority", false});
    }
    return uses;
}

std::set<unsigned> data_classes(const run_config& config, trace_priorities in_trace) {
    std::set<unsigned> classes;
    for (const priority_use& use : priorities_in_use(config, in_trace)) {
        if (use.is_data) {
            classes.insert(class_of(config, use.priority));
        }
    }
    return classes;
}

bool has_lossless_traffic(const run_config& config, trace_priorities in_trace) {
    const std::vector<priority_use> uses = priorities_in_use(config, in_trace);
    return std::any_of(uses.begin(), uses.end(), [&](const priority_use& use) {
        return is_lossless(config, class_of(config, use.priority));
    });
}

std::optional<std::string> lossy_traffic_warning(const run_config& config, trace_priorities in_trace) {
    if (config.flow_control.mode == flow_control_mode::none || !organisation_of(config.device).is_shared) {
        return std::nullopt;
    }
    // A class without payload is shown with the option that gives its frames their priority.
    std::map<unsigned, std::string> lossy;
    bool all = true;
    const std::set<unsigned> data = data_classes(config, in_trace);
    for (const priority_use& use : priorities_in_use(config, in_trace)) {
        const unsigned c = class_of(config, use.priority);
        all = all && !is_lossless(config, c);
        if (!is_lossless(config, c)) {
            std::string& text = lossy[c];
            const bool names = data.count(c) == 0 && text.find(use.key) == std::string::npos;
            text += names ? (text.empty() ? " by " : " and ") + use.key : "";
        }
    }
    if (lossy.empty()) {
        return std::nullopt;
    }
    const std::string lossless =
        config.shared.lossless_classes ? list_of(*config.shared.lossless_classes) : "auto";
    return "shared.lossless_classes = " + lossless + ": " + (all ? "all traffic is" : "some traffic is") +
           " of other classes (" +
           joined(lossy, ", ", [](const auto& each) { return std::to_string(each.first) + each.second; }) +
           "), whose frames are dropped where memory is full";
}

std::optional<std::string> merged_classes_warning(const loaded_config& loaded, trace_priorities in_trace) {
    const run_config& config = loaded.config;
    const auto classes = loaded.origins.find("switch.classes");
    const bool by_scheme = classes != loaded.origins.end() && classes->second.preset;
    // Only the highest class has frames of several priorities.
    const unsigned top = config.device.classes - 1;
    std::map<unsigned, std::set<std::string>> merged;
    bool any_written = false;
    for (const priority_use& use : priorities_in_use(config, in_trace)) {
        // Nobody who asks for a single class expects answers to have another one.
        const bool by_default = top == 0 && !use.is_data && !loaded.is_set(use.key);
        if (use.priority >= top && !by_default) {
            merged[use.priority].insert(use.key);
            any_written = any_written || (use.is_data && use.key != "traffic.file" && loaded.is_set(use.key));
        }
    }
    if (merged.size() < 2 || (by_scheme && !any_written)) {
        return std::nullopt;
    }
    return "switch.classes = " + std::to_string(config.device.classes) +
           (by_scheme ? " (set by switch.scheme)" : "") + ": priorities " +
           joined(merged, ", ",
                  [](const auto& each) {
                      return std::to_string(each.first) + " (" + joined(each.second, ", ") + ")";
                  }) +
           " all become class " + std::to_string(top) + ", so they share its queues and thresholds; with " +
           how_many(merged.rbegin()->first + 1, "class", "classes") + " each has its own";
}

}  // namespace weir::tb
