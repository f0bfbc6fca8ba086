#include "tb/run/checks/queue_reach.h"

#include <algorithm>
#include <sstream>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/asic/profiles/shared_tables.h"
#include "tb/run/options/run_traits.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/shared_memory.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::tb {

namespace {

using texts = std::vector<std::string>;

bytes full_frame(const run_config& config) {
    return memory_of(config.device.max_frame, config.device.memory_cell);
}

egress_fill fill_up_to(const run_config& config, bytes most) {
    return {std::max(0_B, most - full_frame(config)), most};
}

/// Most that one class holds of an ingress port's memory. With PFC the partner stops at XOFF.
bytes most_at_ingress(const run_config& config, const port_config& port) {
    const bytes memory = config.device.ingress_buffer;
    if (config.flow_control.mode != flow_control_mode::pfc) {
        return memory;
    }
    const port_flow_control control = resolve_flow_control(config.device, config.flow_control, port);
    return std::min(memory, bytes{control.limits.xoff} + full_frame(config) + control.worst_case);
}

/// Whether a switch may send a frame back to where it came from: detours, and routes that are not the shortest.
bool may_come_back(const run_config& config, const built_topology& built) {
    return (overflow_kinds()[config.device.overflow].detours && config.detour.back) || !built.routes.empty() ||
           !built.changes.empty();
}

/// Frames that wait at ingress for one egress port: those of all ports but one.
bytes most_bound(const run_config& config, const std::vector<port_config>& ports, unsigned but) {
    bytes most{0};
    for (unsigned port = 0; port < ports.size(); ++port) {
        most += port == but ? 0_B : most_at_ingress(config, ports[port]);
    }
    return most;
}

std::string option_text(const char* key, const std::string& value) {
    return std::string(key) + " = " + value;
}

}  // namespace

std::vector<queue_reach> longest_queues(const run_config& config, const built_topology& built,
                                        const std::set<unsigned>& classes, marking_count counts) {
    std::vector<queue_reach> queues;
    const bool is_shared = organisation_of(config.device).is_shared;
    const bool counts_bound = organisation_of(config.device).has_crossbar() && counts == marking_count::bound;
    const bytes at_egress =
        organisation_of(config.device).has_egress_memories ? lone_class_fill(config.device).most : 0_B;
    if (!is_shared && at_egress > 0_B && !counts_bound) {
        for (const unsigned c : classes) {
            queues.push_back({0, 0, c, lone_class_fill(config.device), {}});
        }
        return queues;
    }
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    const bool comes_back = may_come_back(config, built);
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        const std::vector<port_config> ports = ports_of_switch(built.plan, s, links);
        if (!is_shared) {
            for (unsigned port = 0; port < ports.size(); ++port) {
                const bytes most = at_egress + most_bound(config, ports, comes_back ? no_port : port);
                for (const unsigned c : classes) {
                    queues.push_back({s, port, c, fill_up_to(config, most), {}});
                }
            }
            continue;
        }
        const shared_profiles& profiles = profiles_of(built, s);
        const shared_buffer memory = memory_of_switch(config, built, s, links);
        const std::uint32_t frame = memory.cells_of(config.device.max_frame);
        for (unsigned port = 0; port < ports.size(); ++port) {
            for (const unsigned each : classes) {
                const auto c = static_cast<pfc_class>(each);
                const std::uint32_t marked = memory.queue_limits_of(port, c).marked_from;
                queue_reach queue{
                    s, port, each, fill_up_to(config, memory.most_queued(port, c, frame, comes_back)), {}};
                if (marked != queue_limits::never_marks) {
                    queue.marked_from = memory.bytes_of(marked);
                    const std::size_t number = std::size_t{port} * config.device.classes + c;
                    queue.is_profiled = !profiles.queues.empty() && profiles.queues[number].ecn_threshold;
                }
                queues.push_back(queue);
            }
        }
    }
    return queues;
}

std::string limits_of_queues(const run_config& config, unsigned frame_class, marking_count counts) {
    const switch_config& device = config.device;
    const shared_buffer_config& shared = config.shared;
    std::string text;
    if (organisation_of(device).is_shared) {
        text = option_text("shared.memory", to_text(shared.memory));
        if (!is_held_back(config, frame_class)) {
            text += ", " + option_text("shared.lossy_alpha", field_text(shared.lossy_alpha)) + " and " +
                    option_text("shared.queue_alpha", field_text(shared.queue_alpha));
        } else if (shared.threshold) {
            text += " and " + option_text("shared.threshold", to_text(*shared.threshold));
        } else {
            text += " and " + option_text("shared.alpha", field_text(shared.alpha));
        }
        return text + (config.shared_tables.are_none() ? "" : ", or files of [shared]");
    }
    const bool at_ingress = !organisation_of(device).has_egress_memories;
    const bool paused = config.flow_control.mode == flow_control_mode::pfc;
    text = at_ingress ? option_text("switch.ingress_buffer", to_text(device.ingress_buffer)) +
                            (paused ? ", up to pfc.xoff and the reserve," : "") + " of all other ports"
                      : option_text("switch.egress_buffer", to_text(device.egress_buffer));
    const bool shares = !at_ingress && device.classes > 1;
    if (shares && device.share == egress_share::fixed) {
        text += " and switch.share = fixed";
    } else if (shares && device.share == egress_share::dynamic) {
        text +=
            ", switch.share = dynamic and " + option_text("switch.share_alpha", field_text(device.share_alpha));
    }
    if (!at_ingress && counts == marking_count::bound) {
        text += ", and " + option_text("switch.ingress_buffer", to_text(device.ingress_buffer)) +
                (paused ? ", up to pfc.xoff and the reserve," : "") + " of all other ports";
    }
    return text;
}

namespace {

// DeTail's report says nothing of how classes share egress memory; a rule that ends a class's share below a
// threshold makes that threshold mean nothing, and nothing else would tell.
void warn_of_balancing(const run_config& config, const std::vector<queue_reach>& queues, texts& warnings) {
    const auto longest =
        std::max_element(queues.begin(), queues.end(),
                         [](const queue_reach& a, const queue_reach& b) { return a.fill.most < b.fill.most; });
    for (const bytes threshold : config.device.balance_thresholds) {
        if (threshold <= longest->fill.sustained) {
            continue;
        }
        warnings.push_back("switch.balance_thresholds: " + to_text(threshold) + " is " +
                           (threshold > longest->fill.most ? "never" : "hardly ever") +
                           " reached by a single class, which fills an egress port up to " +
                           std::to_string(longest->fill.most.count()) + " B at most (" +
                           limits_of_queues(config, longest->frame_class, marking_count::egress) +
                           "): a full port would still count as favoured");
    }
}

/// Longest frames that a run's transports send, which is what fills queues.
bytes longest_data_frame(const run_config& config) {
    bytes longest{64};
    const endpoint_options options = endpoint_options_of(config);
    std::uint8_t number = 0;
    for (const auto& each : transports().entries()) {
        if (config.traffic.uses(static_cast<transport_kind>(number++))) {
            const transfer_framing framing = each.traits.framing(options);
            longest = std::max(longest, framing.payload + framing.header);
        }
    }
    return memory_of(longest, config.device.memory_cell);
}

/// A queue's threshold, and the option that sets it.
struct queue_threshold {
    std::string key;
    std::string value;
    bytes length{0};
};

std::optional<queue_threshold> threshold_of(const run_config& config, const queue_reach& queue) {
    const marker_traits& kind = marker_kinds()[config.marking.kind];
    const auto c = static_cast<pfc_class>(queue.frame_class);
    if (kind.start && config.marking.marks(c)) {
        const marking_start start = kind.start(config.marking, config.qcn, c);
        return start.frames ? queue_threshold{start.key, std::to_string(*start.frames),
                                              longest_data_frame(config) * std::int64_t{*start.frames}}
                            : queue_threshold{start.key, to_text(start.length), start.length};
    }
    if (queue.marked_from && !config.marking.is_on()) {
        const std::string table =
            config.shared_tables.queue_profiles.empty() ? "shared.config_db" : "shared.queue_profiles";
        return queue_threshold{queue.is_profiled ? table + ": ECN threshold" : "shared.ecn_threshold",
                               to_text(*queue.marked_from), *queue.marked_from};
    }
    return std::nullopt;
}

// Queues of one threshold are told once, by the one that comes nearest to it.
class unreached {
 public:
    unreached(const run_config& config, const built_topology& built) : m_config(config), m_built(built) {}

    void add(const queue_reach& queue) {
        const std::optional<queue_threshold> threshold = threshold_of(m_config, queue);
        if (!threshold) {
            return;
        }
        const auto found = std::find_if(m_groups.begin(), m_groups.end(), [&](const group& each) {
            return each.threshold.key == threshold->key && each.threshold.value == threshold->value;
        });
        group& its = found != m_groups.end() ? *found : m_groups.emplace_back(group{*threshold, {}, 0, 0});
        ++its.queues;
        // A frame finds the queue without itself.
        if (threshold->length > queue.fill.most - longest_data_frame(m_config)) {
            its.longest = its.beyond == 0 || queue.fill.most > its.longest.fill.most ? queue : its.longest;
            ++its.beyond;
        }
    }

    texts warnings() const {
        texts all;
        for (const group& each : m_groups) {
            if (each.beyond > 0) {
                all.push_back(warning(each));
            }
        }
        return all;
    }

 private:
    struct group {
        queue_threshold threshold;
        queue_reach longest;
        std::size_t queues;
        std::size_t beyond;
    };

    std::string warning(const group& of) const {
        const queue_reach& queue = of.longest;
        const bool never = of.threshold.length > queue.fill.most;
        const bool frames = of.threshold.value != to_text(of.threshold.length);
        const bool one_place = !organisation_of(m_config.device).has_egress_memories || of.beyond < of.queues;
        const char* const in_vain = marker_kinds()[m_config.marking.kind].in_vain;
        return of.threshold.key + " = " + of.threshold.value +
               (frames ? " (" + std::to_string(of.threshold.length.count()) + " B in full frames)" : "") +
               " is " + (never ? "never" : "hardly ever") + " reached: " +
               (one_place ? m_built.plan.name(node_ref::of_switch(queue.at)) + ", egress port " +
                                std::to_string(queue.egress_port) + ": "
                          : "") +
               "a queue of class " + std::to_string(queue.frame_class) + " holds at most " +
               std::to_string(queue.fill.most.count()) + " B (" +
               limits_of_queues(m_config, queue.frame_class, m_config.marking.counts) + "), so " +
               (never ? "" : "almost always ") + (*in_vain != '\0' ? in_vain : "no frame is marked") +
               (of.beyond < of.queues
                    ? "; this applies to " + std::to_string(of.beyond) + " of " + how_many(of.queues, "queue")
                    : "") +
               "; choose a lower threshold, or more memory for a queue";
    }

    const run_config& m_config;
    const built_topology& m_built;
    std::vector<group> m_groups;
};

/// Thresholds of lossless groups that do not pause them: above their pool, or below `shared.xon`.
void warn_of_groups(const run_config& config, const built_topology& built, texts& warnings) {
    const shared_buffer_config& options = config.shared;
    const bool pauses =
        organisation_of(config.device).is_shared && config.flow_control.mode != flow_control_mode::none;
    if (!pauses || (!options.threshold && options.xon == 0_B)) {
        return;
    }
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    std::uint64_t pool = 0;
    std::uint64_t held = 0;
    bytes cell{1};
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        const shared_buffer memory = memory_of_switch(config, built, s, links);
        const std::uint32_t frame = memory.cells_of(config.device.max_frame);
        cell = memory.bytes_of(1);
        pool = std::max<std::uint64_t>(pool, memory.pool(true));
        for (std::size_t g = 0; g < std::size_t{memory.ports()} * config.device.classes; ++g) {
            const auto c = static_cast<pfc_class>(g % config.device.classes);
            const group_limits& group = memory.limits(static_cast<unsigned>(g / config.device.classes), c);
            if (memory.is_lossless(c)) {
                held = std::max(held, group.minimum + group.threshold.most_taken(memory.pool(true), frame));
            }
        }
    }
    const auto text = [&](std::uint64_t cells) {
        return std::to_string(static_cast<std::int64_t>(cells) * cell.count()) + " B";
    };
    if (held > 0 && options.threshold && *options.threshold > cell * static_cast<std::int64_t>(pool)) {
        warnings.push_back(
            "shared.threshold = " + to_text(*options.threshold) +
            " is never reached: the lossless groups share " + text(pool) +
            " in a slice, so they are paused only when these are full; choose a lower threshold, or a "
            "larger shared.lossless_pool");
    }
    if (held > 0 && options.xon >= cell * static_cast<std::int64_t>(held)) {
        warnings.push_back(
            "shared.xon = " + to_text(options.xon) + ": a lossless group holds at most " + text(held) +
            " of its minimum and its pool in a slice, so its threshold never pauses it, and it is "
            "paused only when it takes headroom; choose a lower value");
    }
}

}  // namespace

texts unreached_thresholds(const run_config& config, const built_topology& built,
                           const std::set<unsigned>& classes) {
    texts warnings;
    warn_of_groups(config, built, warnings);
    const bool balances = balance_policies()[config.device.balance].reads_favored_ports;
    const bool shared_marks = organisation_of(config.device).is_shared &&
                              (config.shared.ecn_threshold || !config.shared_tables.are_none());
    const bool marks = marker_kinds()[config.marking.kind].start || shared_marks;
    if ((!balances && !marks) || classes.empty()) {
        return warnings;
    }
    if (balances) {
        warn_of_balancing(config, longest_queues(config, built, classes, marking_count::egress), warnings);
    }
    unreached found(config, built);
    if (marks) {
        for (const queue_reach& queue : longest_queues(config, built, classes, config.marking.counts)) {
            found.add(queue);
        }
    }
    const texts marking = found.warnings();
    warnings.insert(warnings.end(), marking.begin(), marking.end());
    return warnings;
}

}  // namespace weir::tb
