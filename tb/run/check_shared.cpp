#include "tb/run/check_shared.h"

#include <algorithm>
#include <set>

#include "tb/run/check_links.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric_changes.h"
#include "weir/model/shared_memory.h"

namespace weir {

namespace {

config_error error_of(const char* key, const std::string& message) {
    return {{}, 0, key, message};
}

void check_classes(const run_config& config, config_errors& errors) {
    if (!config.shared.lossless_classes || config.pfc.mode == flow_control_mode::none) {
        return;
    }
    for (const std::uint32_t c : *config.shared.lossless_classes) {
        if (c >= config.device.classes) {
            errors.push_back(error_of("shared.lossless_classes",
                                      std::to_string(c) + " is no class; allowed: below switch.classes (" +
                                          std::to_string(config.device.classes) + ")"));
        }
    }
}

// The pools of one switch: do they fit, and can every class store a frame at all?
config_errors errors_of_switch(const run_config& config, const std::vector<port_config>& ports) {
    const shared_buffer memory = make_shared_buffer(config.shared, config.device, config.pfc, ports);
    config_errors errors = memory.errors();
    if (!errors.empty()) {
        return errors;
    }
    const std::uint32_t frame = memory.cells_of(config.device.max_frame);
    bool any_lossy = false;
    for (unsigned c = 0; c < config.device.classes; ++c) {
        any_lossy = any_lossy || !memory.is_lossless(static_cast<pfc_class>(c));
    }
    if (any_lossy && memory.pool(false) + memory.group_minimum() < frame) {
        errors.push_back(error_of(
            "shared.lossy_pool", to_text(memory.bytes_of(memory.pool(false))) +
                                     " in a slice, and shared.minimum (" + to_text(config.shared.minimum) +
                                     "), do not hold one frame of switch.max_frame, so that lossy classes lose "
                                     "every one; allowed: at least " +
                                     to_text(memory.bytes_of(std::uint64_t{frame} * memory.slices()))));
    }
    return errors;
}

}  // namespace

config_errors check_shared_memory(const run_config& config, const built_topology& built) {
    config_errors errors;
    if (config.shared.kind == buffer_kind::partitioned) {
        return errors;
    }
    check_classes(config, errors);
    if (!errors.empty() || !config.shared.validate().empty()) {
        return errors;
    }
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    std::set<std::string> seen;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        std::vector<port_config> ports;
        for (const link_id link : built.plan.ports(node_ref::of_switch(s))) {
            ports.push_back(links[link]);
        }
        for (const config_error& error : errors_of_switch(config, ports)) {
            if (seen.insert(error.message).second) {
                errors.push_back(error_of(
                    error.key.c_str(), error.message + " (" + built.plan.name(node_ref::of_switch(s)) + ")"));
            }
        }
    }
    return errors;
}

// Frames of a port are in the slice that the map gives it, so slices beyond the ports stay empty.
static void warn_of_empty_slices(const run_config& config, const topology& plan,
                                 std::vector<std::string>& warnings) {
    std::size_t switches = 0;
    std::string first;
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const std::size_t ports = plan.ports(node_ref::of_switch(s)).size();
        if (ports >= config.shared.slices) {
            continue;
        }
        ++switches;
        if (first.empty()) {
            first = plan.name(node_ref::of_switch(s)) + " has " + std::to_string(ports) + " ports, so that " +
                    std::to_string(config.shared.slices - ports) +
                    " of its slices, with their part of every pool, never hold a frame";
        }
    }
    if (switches > 0) {
        warnings.push_back(
            "shared.slices = " + std::to_string(config.shared.slices) + ": " + first +
            (switches > 1 ? "; so it is at " + std::to_string(switches) + " switches in all" : ""));
    }
}

std::vector<std::string> shared_memory_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings;
    if (config.shared.kind == buffer_kind::partitioned) {
        return warnings;
    }
    warn_of_empty_slices(config, built.plan, warnings);
    group_headroom worst;
    for (const port_config& port : kinds_of_links(built, config.link.wire_overhead)) {
        const group_headroom each = headroom_of_group(config.shared, config.device, config.pfc, port);
        worst = each.needed > worst.needed ? each : worst;
    }
    const std::string too_little = " is less than the " + std::to_string(worst.needed.count()) +
                                   " B that can arrive at some port after XOFF: in the worst case a frame of a "
                                   "lossless class is lost, which ends "
                                   "the run";
    if (worst.size < worst.needed) {
        warnings.push_back("shared.headroom = " + to_text(worst.size) + too_little);
    }
    // Of one group alone; that the pool does not hold all of them at once is what a pool is for.
    if (config.shared.headroom_pool && worst.needed > 0_B) {
        const bytes pool{config.shared.headroom_pool->count() / config.shared.slices};
        if (pool < worst.needed) {
            warnings.push_back("shared.headroom_pool = " + to_text(*config.shared.headroom_pool) +
                               (config.shared.slices > 1 ? ", " + to_text(pool) + " in a slice," : "") +
                               too_little);
        }
    }
    return warnings;
}

}  // namespace weir
