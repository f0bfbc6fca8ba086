#include "tb/asic/profiles/read_profiles.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "tb/asic/profiles/shared_tables.h"
#include "tb/run/options/run_traits.h"
#include "tb/support/text/fitting_places.h"
#include "tb/support/text/name_pattern.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/shared_memory.h"
#include "weir/model/overflow/overflow_action.h"

namespace weir::tb {

read_profiles read_shared_profiles(const run_config& config, const built_topology& built,
                                   config_errors& errors) {
    const shared_files& files = config.shared_tables;
    if (!organisation_of(config.device).is_shared || files.are_none()) {
        return {};
    }
    const topology& plan = built.plan;
    read_profiles read;
    read.profiles.resize(plan.switches());
    read.sources.resize(plan.switches());
    const bool any_lossless = config.flow_control.mode != flow_control_mode::none;
    if (!files.config_db.empty()) {
        read_config_db_profiles(read_config_db_file(files.config_db, "shared.config_db"), config, built, read,
                                errors);
    }
    if (!files.pg_profile_lookup.empty() && any_lossless) {
        read_sonic_profiles(files.pg_profile_lookup, config, built, read, errors);
    }
    if (!files.group_profiles.empty()) {
        read_group_profiles(files.group_profiles, config, plan, read, errors);
    }
    if (!files.queue_profiles.empty()) {
        read_queue_profiles(files.queue_profiles, config, plan, read.profiles, errors);
    }
    if (!files.slice_map.empty() && config.shared.slices > 1) {
        read_slice_table(files.slice_map, config.shared.slices, plan, read.profiles, errors);
    }
    if (errors.empty()) {
        const std::vector<std::string> idle = idle_group_options(config, plan, read);
        read.warnings.insert(read.warnings.end(), idle.begin(), idle.end());
    }
    return read;
}

std::vector<switch_id> switches_of_config_db(const run_config& config, const topology& plan,
                                             config_errors& errors) {
    const std::vector<std::string>& patterns = config.shared_tables.config_db_switches;
    return fitting_places(
        patterns.empty() ? std::vector<std::string>{"*"} : patterns, plan.switches(),
        [&](const std::string& pattern, switch_id s) {
            return fits_pattern(pattern, plan.name(node_ref::of_switch(s)));
        },
        [&](const std::string& pattern) {
            errors.push_back({{},
                              0,
                              "shared.config_db_switches",
                              "'" + pattern + "' is no switch of the fabric; expected names such as " +
                                  plan.name(node_ref::of_switch(0)) + ", * for any text"});
        });
}

const shared_profiles& profiles_of(const built_topology& built, switch_id s) {
    static const shared_profiles none;
    return built.profiles.empty() ? none : built.profiles[s];
}

std::vector<port_config> kinds_of_links(const built_topology& built, bytes wire_overhead) {
    std::set<std::tuple<bit_rate, bit_rate, picoseconds>> seen;
    std::vector<port_config> kinds;
    for (const port_config& port : ports_of_links(built.plan, built.changes, wire_overhead)) {
        if (seen.emplace(port.rate, port.fastest_rate(), port.longest_latency()).second) {
            kinds.push_back(port);
        }
    }
    return kinds;
}

std::vector<port_config> ports_of_switch(const topology& plan, switch_id s,
                                         const std::vector<port_config>& links) {
    std::vector<port_config> ports;
    for (const link_id link : plan.ports(node_ref::of_switch(s))) {
        ports.push_back(links[link]);
    }
    return ports;
}

shared_buffer memory_of_switch(const run_config& config, const built_topology& built, switch_id s,
                               const std::vector<port_config>& links) {
    return make_shared_buffer(config.shared, config.device, config.flow_control,
                              ports_of_switch(built.plan, s, links), profiles_of(built, s));
}

std::optional<bytes> profiled_headroom(const run_config& config, const built_topology& built, link_id link) {
    std::optional<bytes> least;
    for (const link_end& end : {built.plan.link(link).a, built.plan.link(link).b}) {
        if (end.node.is_host() || profiles_of(built, end.node.index).groups.empty()) {
            continue;
        }
        for (unsigned c = 0; c < config.device.classes; ++c) {
            const std::optional<bytes> own =
                built.profiles[end.node.index].groups[end.port * config.device.classes + c].headroom;
            if (own && is_held_back(config, c)) {
                least = std::min(least.value_or(*own), *own);
            }
        }
    }
    return least;
}

bool marks_frames(const run_config& config, const built_topology& built) {
    if (!heeds_marks(config)) {
        return false;
    }
    if (overflow_kinds()[config.device.overflow].detours && config.detour.mark) {
        return true;
    }
    if (config.marking.is_on() || !organisation_of(config.device).is_shared) {
        return marker_kinds()[config.marking.kind].marks;
    }
    return config.shared.ecn_threshold ||
           std::any_of(built.profiles.begin(), built.profiles.end(), [](const shared_profiles& each) {
               return std::any_of(each.queues.begin(), each.queues.end(),
                                  [](const queue_profile& queue) { return queue.ecn_threshold.has_value(); });
           });
}

}  // namespace weir::tb
