
#include <algorithm>
#include <set>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/asic/profiles/shared_tables.h"
#include "tb/run/checks/run_checks.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::tb {

namespace {

void check_classes(const run_config& config, config_errors& errors) {
    if (!config.shared.lossless_classes || config.flow_control.mode == flow_control_mode::none) {
        return;
    }
    for (const std::uint32_t c : *config.shared.lossless_classes) {
        if (c >= config.device.classes) {
            errors.push_back(option_error("shared.lossless_classes",
                                          "{} is not a class; expected below {switch.classes} ({})",
                                          {std::to_string(c), std::to_string(config.device.classes)}));
        }
    }
}

/// The option with the file that has a value of one group or queue.
const char* table_of_profiles(const run_config& config, const std::string& table, const char* key) {
    return table.empty() && !config.shared_tables.config_db.empty() ? "shared.config_db" : key;
}

/// The option that gives a queue its threshold.
const char* key_of_threshold(const run_config& config, const shared_profiles& profiles, std::size_t queue,
                             bool lossless) {
    const queue_profile own = profiles.queues.empty() ? queue_profile{} : profiles.queues[queue];
    return own.alpha || own.threshold
               ? table_of_profiles(config, config.shared_tables.queue_profiles, "shared.queue_profiles")
           : !lossless                              ? "shared.queue_alpha"
           : config.shared.lossless_queue_threshold ? "shared.lossless_queue_threshold"
                                                    : "shared.lossless_queue_alpha";
}

/// The first queue whose threshold is 0 even while its pool is empty, and whose minimum holds no frame.
std::optional<config_error> closed_queue(const run_config& config, const shared_buffer& memory,
                                         const shared_profiles& profiles) {
    const std::uint32_t frame = memory.cells_of(config.device.max_frame);
    for (std::size_t q = 0; q < std::size_t{memory.ports()} * config.device.classes; ++q) {
        const auto port = static_cast<unsigned>(q / config.device.classes);
        const auto c = static_cast<pfc_class>(q % config.device.classes);
        const queue_limits& queue = memory.queue_limits_of(port, c);
        const bool lossless = memory.is_lossless(c);
        if (queue.minimum < frame && queue.threshold.with(memory.queue_pool(lossless)) == 0) {
            return option_error(
                key_of_threshold(config, profiles, q, lossless),
                "egress port {} has a threshold of 0 for class {} ({} are shared by the {} queues of a slice), "
                "and a minimum too small for one frame of {switch.max_frame}, so it would drop all of them; "
                "expected a threshold of at least one cell, or a minimum of at least one frame",
                {std::to_string(port), std::to_string(c), to_text(memory.bytes_of(memory.queue_pool(lossless))),
                 lossless ? "lossless" : "lossy"});
        }
    }
    return std::nullopt;
}

// The pools of one switch: do they fit, and can every class store a frame at all?
config_errors errors_of_switch(const run_config& config, const shared_buffer& memory,
                               const shared_profiles& profiles) {
    config_errors errors = memory.errors();
    if (!errors.empty()) {
        return errors;
    }
    const std::uint32_t frame = memory.cells_of(config.device.max_frame);
    for (std::size_t g = 0; g < std::size_t{memory.ports()} * config.device.classes; ++g) {
        const auto port = static_cast<unsigned>(g / config.device.classes);
        const auto c = static_cast<pfc_class>(g % config.device.classes);
        const group_limits& group = memory.limits(port, c);
        if (memory.is_lossless(c)) {
            continue;
        }
        if (memory.pool(false) + group.minimum < frame) {
            errors.push_back(option_error(
                "shared.lossy_pool",
                "{} in a slice ({shared.memory} = {}), and a minimum of {}, are too small for one frame of "
                "{switch.max_frame}, so lossy classes would drop every such frame; expected at least {}",
                {to_text(memory.bytes_of(memory.pool(false))), to_text(config.shared.memory),
                 to_text(memory.bytes_of(group.minimum)),
                 to_text(memory.bytes_of(std::uint64_t{frame} * memory.slices()))}));
            break;
        }
        if (group.threshold.is_static() && group.threshold.fixed == 0 && group.minimum < frame) {
            errors.push_back(option_error(
                table_of_profiles(config, config.shared_tables.group_profiles, "shared.group_profiles"),
                "ingress port {} has a threshold of 0 for lossy class {}, and a "
                "minimum too small for one frame of {switch.max_frame}, so it would "
                "drop every such frame; expected a threshold of at least one cell, or "
                "a minimum of at least one frame",
                {std::to_string(port), std::to_string(c)}));
            break;
        }
    }
    if (const std::optional<config_error> closed = closed_queue(config, memory, profiles)) {
        errors.push_back(*closed);
    }
    return errors;
}

// A pool's size that no option sets is that of shared.config_db.
void blame_config_db(const run_config& config, const pool_profile& pools, const pool_names& names,
                     config_error& error) {
    struct sized_pool {
        const char* key;
        std::optional<bytes> shared_buffer_config::*option;
        std::optional<bytes> pool_profile::*profile;
        std::string pool_names::*name;
    };
    constexpr sized_pool all[] = {
        {"shared.lossless_pool", &shared_buffer_config::lossless_pool, &pool_profile::lossless_pool,
         &pool_names::lossless},
        {"shared.lossy_pool", &shared_buffer_config::lossy_pool, &pool_profile::lossy_pool, &pool_names::lossy},
        {"shared.queue_pool", &shared_buffer_config::queue_pool, &pool_profile::queue_pool, &pool_names::queue},
        {"shared.lossless_queue_pool", &shared_buffer_config::lossless_queue_pool,
         &pool_profile::lossless_queue_pool, &pool_names::lossless_queue},
    };
    for (const sized_pool& pool : all) {
        if (error.key == pool.key && !(config.shared.*pool.option) && pools.*pool.profile) {
            error = {config.shared_tables.config_db, 0, "BUFFER_POOL|" + names.*pool.name,
                     "size: " + error.message};
            return;
        }
    }
}

}  // namespace

std::string consequence_of_loss(const run_config& config) {
    return config.flow_control.losses == loss_action::end_run ? ", which ends the run" : ", and counted";
}

config_errors check_shared_memory(const run_config& config, const built_topology& built) {
    config_errors errors;
    if (!organisation_of(config.device).is_shared) {
        return errors;
    }
    check_classes(config, errors);
    if (!errors.empty() || !config.shared.validate().empty()) {
        return errors;
    }
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    const std::string links_from = "; links are set by " + config.fabric.options_of_links() + ")";
    std::set<std::string> seen;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        for (config_error& error :
             errors_of_switch(config, memory_of_switch(config, built, s, links), profiles_of(built, s))) {
            if (seen.insert(error.message).second) {
                error.say(" (at {}" + links_from, {built.plan.name(node_ref::of_switch(s))});
                if (s < built.profile_lines.size()) {
                    blame_config_db(config, profiles_of(built, s).pools, built.profile_lines[s].pools, error);
                }
                errors.push_back(std::move(error));
            }
        }
    }
    return errors;
}

static std::string name_of_switch(const topology& plan, switch_id s) {
    return plan.name(node_ref::of_switch(s));
}

/// `shared.group_profiles: groups.csv:4: `: who gives a group its headroom.
static std::string source_of_headroom(const run_config& config, const profile_sources& lines, std::size_t port,
                                      unsigned c) {
    const auto place = [](const char* key, const std::string& file, int line) {
        return std::string(key) + ": " + file + ":" + std::to_string(line) + ": ";
    };
    const std::size_t group = port * config.device.classes + c;
    const int own = profile_sources::line_of(lines.line_of_headroom, group);
    if (own == 0 && group < lines.entry_has_headroom.size() && lines.entry_has_headroom[group]) {
        return "shared.config_db: " + config.shared_tables.config_db + ": " + lines.entry_of(group) + ": ";
    }
    return own > 0 ? place("shared.group_profiles", config.shared_tables.group_profiles, own)
                   : place("shared.pg_profile_lookup", config.shared_tables.pg_profile_lookup,
                           profile_sources::line_of(lines.line_of_port, port));
}

// Headroom that a file gives: the group that misses most of what its link needs.
static void warn_of_profiled_headroom(const run_config& config, const built_topology& built,
                                      const std::vector<port_config>& links,
                                      std::vector<std::string>& warnings) {
    bytes worst{0};
    std::string text;
    std::size_t groups = 0;
    for (switch_id s = 0; s < built.profiles.size(); ++s) {
        const std::vector<group_profile>& profiles = built.profiles[s].groups;
        const std::vector<port_config> ports = ports_of_switch(built.plan, s, links);
        for (std::size_t port = 0; !profiles.empty() && port < ports.size(); ++port) {
            const bytes needed =
                headroom_of_group(config.shared, config.device, config.flow_control, ports[port]).needed;
            for (unsigned c = 0; c < config.device.classes; ++c) {
                const std::optional<bytes> own = profiles[port * config.device.classes + c].headroom;
                if (!own || *own >= needed || !is_held_back(config, c)) {
                    continue;
                }
                ++groups;
                if (needed - *own > worst) {
                    worst = needed - *own;
                    text =
                        source_of_headroom(config, built.profile_lines[s], port, c) + "headroom of " +
                        to_text(*own) + " of " + name_of_switch(built.plan, s) + ", ingress port " +
                        std::to_string(port) + ", class " + std::to_string(c) + " is less than the " +
                        std::to_string(needed.count()) +
                        " B that can arrive there after XOFF: in the worst case a frame of a lossless class is "
                        "lost" +
                        consequence_of_loss(config);
                }
            }
        }
    }
    if (groups > 0) {
        warnings.push_back(text +
                           (groups > 1 ? "; this applies to " + std::to_string(groups) + " groups" : ""));
    }
}

/// Static threshold with which no lossless queue of these switches loses a frame, if nothing else limits them.
static bytes safe_queue_threshold(const run_config& config, const built_topology& built,
                                  const std::vector<port_config>& links,
                                  const std::vector<switch_id>& switches) {
    shared_buffer_config safe = config.shared;
    safe.lossless_queue_pool.reset();
    safe.common_queue_pool = false;
    safe.lossless_queue_alpha.reset();
    safe.lossless_queue_threshold = 0_B;
    for (const switch_id s : switches) {
        shared_profiles profiles = profiles_of(built, s);
        profiles.queues.clear();
        profiles.pools.lossless_queue_pool.reset();
        // Each step leaves one class less that brings more; a slice's memory is enough for all.
        for (std::optional<queue_risk> risk = queue_risk{}; risk;) {
            const shared_buffer memory = make_shared_buffer(safe, config.device, config.flow_control,
                                                            ports_of_switch(built.plan, s, links), profiles);
            risk = memory.queue_at_risk(memory.cells_of(config.device.max_frame));
            if (risk) {
                safe.lossless_queue_threshold = memory.bytes_of(risk->admitted);
            }
        }
    }
    return *safe.lossless_queue_threshold;
}

/// What has to go so that a threshold alone limits the lossless queues; empty: nothing.
static std::string other_queue_limits(const run_config& config) {
    std::string others;
    for (const auto& [set, key] :
         {std::pair(config.shared.lossless_queue_pool.has_value(), "shared.lossless_queue_pool"),
          std::pair(config.shared.lossless_queue_alpha.has_value(), "shared.lossless_queue_alpha"),
          std::pair(config.shared.common_queue_pool.value_or(false), "shared.common_queue_pool"),
          std::pair(!config.shared_tables.queue_profiles.empty(),
                    "limits of lossless queues in shared.queue_profiles"),
          std::pair(!config.shared_tables.config_db.empty(),
                    "limits of lossless queues in shared.config_db")}) {
        others += set ? (others.empty() ? " and without " : ", ") + std::string(key) : "";
    }
    return others;
}

// A limit of the queues' side does not pause anybody: what it refuses is lost.
static void warn_of_lossless_queues(const run_config& config, const built_topology& built,
                                    const std::vector<port_config>& links, std::vector<std::string>& warnings) {
    const shared_buffer_config& options = config.shared;
    if (!options.lossless_queue_pool && !options.lossless_queue_alpha && !options.lossless_queue_threshold &&
        !options.common_queue_pool.value_or(false) && config.shared_tables.queue_profiles.empty() &&
        config.shared_tables.config_db.empty()) {
        return;
    }
    std::string first;
    std::vector<switch_id> switches;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        const shared_buffer memory = memory_of_switch(config, built, s, links);
        const std::optional<queue_risk> risk = memory.queue_at_risk(memory.cells_of(config.device.max_frame));
        if (!risk) {
            continue;
        }
        switches.push_back(s);
        if (first.empty()) {
            const auto text = [&](std::uint64_t cells) {
                return std::to_string(memory.bytes_of(cells).count()) + " B";
            };
            first =
                name_of_switch(built.plan, s) +
                (risk->of_pool ? ", lossless queues: their pool has " + text(risk->limit) +
                                     " in a slice, but ingress admits up to "
                               : ", egress port " + std::to_string(risk->egress_port) + ", class " +
                                     std::to_string(risk->frame_class) + ": the queue may be limited to " +
                                     text(risk->limit) + " in a slice, but ingress admits up to ") +
                text(risk->admitted) +
                ": a frame beyond that limit is dropped although its class is lossless (lossless_egress_full)";
        }
    }
    if (!switches.empty()) {
        warnings.push_back(
            first +
            (switches.size() > 1 ? "; this applies to " + std::to_string(switches.size()) + " switches" : "") +
            "; no frame is dropped there with shared.lossless_queue_threshold = " +
            std::to_string(safe_queue_threshold(config, built, links, switches).count()) + "B or more" +
            other_queue_limits(config));
    }
}

/// Slices that hold frames at a switch with a map from a file.
static std::size_t slices_in_use(const shared_profiles& profiles) {
    return std::set<std::uint8_t>(profiles.slices.begin(), profiles.slices.end()).size();
}

// Frames of a port are in the slice that the map gives it, so slices beyond the ports stay empty.
static void warn_of_empty_slices(const run_config& config, const built_topology& built,
                                 std::vector<std::string>& warnings) {
    const topology& plan = built.plan;
    std::size_t switches = 0;
    std::string first;
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const std::size_t ports = plan.ports(node_ref::of_switch(s)).size();
        const bool from_file = !profiles_of(built, s).slices.empty();
        const std::size_t used = from_file ? slices_in_use(profiles_of(built, s)) : ports;
        if (used >= config.shared.slices) {
            continue;
        }
        ++switches;
        if (first.empty()) {
            first = name_of_switch(plan, s) +
                    (from_file ? ": shared.slice_map_file names " + std::to_string(used) + " slices"
                               : " has " + std::to_string(ports) + " ports") +
                    ", so " + std::to_string(config.shared.slices - used) +
                    " of its slices, each with its part of every pool, stay empty";
        }
    }
    if (switches > 0) {
        warnings.push_back("shared.slices = " + std::to_string(config.shared.slices) + ": " + first +
                           (switches > 1 ? "; this applies to " + std::to_string(switches) + " switches" : ""));
    }
}

std::vector<std::string> shared_memory_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings;
    if (!organisation_of(config.device).is_shared) {
        return warnings;
    }
    warn_of_empty_slices(config, built, warnings);
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    warn_of_profiled_headroom(config, built, links, warnings);
    warn_of_lossless_queues(config, built, links, warnings);
    group_headroom worst;
    for (const port_config& port : kinds_of_links(built, config.link.wire_overhead)) {
        const group_headroom each = headroom_of_group(config.shared, config.device, config.flow_control, port);
        worst = each.needed > worst.needed ? each : worst;
    }
    const std::string too_little = " is less than the " + std::to_string(worst.needed.count()) +
                                   " B that can arrive at some port after XOFF: in the worst case a frame of a "
                                   "lossless class is lost" +
                                   consequence_of_loss(config);
    if (worst.size < worst.needed && config.shared_tables.pg_profile_lookup.empty()) {
        warnings.push_back("shared.headroom = " + to_text(worst.size) + too_little);
    }
    // Of one group alone; that the pool does not hold all of them at once is what a pool is for.
    std::optional<bytes> headroom_pool = config.shared.headroom_pool;
    for (const shared_profiles& profiles : built.profiles) {
        headroom_pool = with_pools(config.shared, profiles.pools).headroom_pool;
        if (headroom_pool) {
            break;
        }
    }
    if (headroom_pool && worst.needed > 0_B) {
        const bytes pool{headroom_pool->count() / config.shared.slices};
        if (pool < worst.needed) {
            warnings.push_back((config.shared.headroom_pool
                                    ? "shared.headroom_pool = "
                                    : "shared.config_db: the xoff of the lossless groups' BUFFER_POOL, ") +
                               to_text(*headroom_pool) +
                               (config.shared.slices > 1 ? ", " + to_text(pool) + " in a slice," : "") +
                               too_little);
        }
    }
    return warnings;
}

}  // namespace weir::tb
