#include "tb/run/dry_run_shared.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "tb/run/dry_run_headroom.h"
#include "tb/shared/read_profiles.h"
#include "tb/text/joined.h"
#include "weir/base/field_range.h"
#include "weir/base/how_many.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::tb {

namespace {

bool has_class(const run_config& config, bool lossless) {
    for (unsigned c = 0; c < config.device.classes; ++c) {
        if ((config.flow_control.mode != flow_control_mode::none && config.shared.is_lossless(c)) == lossless) {
            return true;
        }
    }
    return false;
}

void print_shared_thresholds(std::ostream& out, const run_config& config) {
    const shared_buffer_config& shared = config.shared;
    out << "  Frames take whole "
        << (config.device.memory_cell > 0_B ? "cells of " + to_text(config.device.memory_cell) : "bytes")
        << ". ";
    const shared_files& files = config.shared_tables;
    std::vector<std::string> tables;
    for (const std::string* const file : {&files.config_db, &files.group_profiles, &files.queue_profiles}) {
        if (!file->empty()) {
            tables.push_back(*file);
        }
    }
    if (!tables.empty()) {
        out << "Values of groups and queues are from " << joined(tables, ", ")
            << "; for what these do not have: ";
    }
    if (has_class(config, true) && !files.pg_profile_lookup.empty()) {
        out << "Lossless groups have the values of " << files.pg_profile_lookup << "; their minimum is "
            << (shared.headroom_pool ? "the size there, because headroom is a pool (shared.headroom_pool). "
                                     : "size less xoff, because each group has headroom of its own. ");
    } else if (has_class(config, true)) {
        out << "Lossless groups are paused at "
            << (shared.threshold ? to_text(*shared.threshold)
                                 : field_text(shared.alpha) + " (alpha) times the free memory")
            << ", and resume "
            << (shared.xon_offset > 0_B
                    ? to_text(shared.xon_offset) + " below this threshold"
                    : "as soon as they are below this threshold (no hysteresis: shared.xon_offset = 0B)")
            << (shared.xon > 0_B ? ", or at " + to_text(shared.xon) : "") << ". ";
    }
    if (has_class(config, false)) {
        out << "Lossy groups have alpha " << field_text(shared.lossy_alpha) << ", lossy queues "
            << field_text(shared.queue_alpha) << ".";
    }
    out << '\n';
}

/// From the least to the most that some group, or queue, of that kind has.
template <class Value>
std::string span_of(const shared_buffer& memory, unsigned ports, std::optional<bool> lossless, Value&& value) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (unsigned port = 0; port < ports; ++port) {
        for (unsigned k = 0; k < memory.classes(); ++k) {
            const auto c = static_cast<pfc_class>(k);
            if (!lossless || memory.is_lossless(c) == *lossless) {
                least = std::min<std::uint64_t>(least, value(port, c));
                most = std::max<std::uint64_t>(most, value(port, c));
            }
        }
    }
    const auto text = [&](std::uint64_t cells) {
        return std::to_string(memory.bytes_of(cells).count()) + " B";
    };
    return text(least) + (most > least ? " to " + text(most) : "");
}

std::string threshold_text(const shared_buffer& memory, const cell_threshold& t) {
    return t.is_static() ? "threshold " + std::to_string(memory.bytes_of(t.fixed).count()) + " B"
                         : "alpha " + field_text(static_cast<double>(t.of) / static_cast<double>(t.in));
}

/// `headroom of all 32 groups: 2216448 B, of which the pool holds 1000000 B at a time`
void print_all_headroom(std::ostream& out, const shared_buffer& memory, unsigned ports) {
    const auto text = [&](std::uint64_t cells) {
        return std::to_string(memory.bytes_of(cells).count()) + " B";
    };
    std::uint64_t groups = 0;
    for (unsigned c = 0; c < memory.classes(); ++c) {
        groups += memory.is_lossless(static_cast<pfc_class>(c)) ? ports : 0;
    }
    if (groups == 0) {
        return;
    }
    const std::uint64_t all = memory.private_headroom();
    out << "\n    headroom of all " << how_many(groups, "group") << ": " << text(all);
    if (!memory.headroom_pool()) {
        out << ", which the memory keeps for them";
    } else if (all <= *memory.headroom_pool()) {
        out << ", which the pool holds";
    } else {
        out << ", of which the pool holds " << text(*memory.headroom_pool()) << " at a time";
    }
}

void print_slice(std::ostream& out, const run_config& config, const shared_buffer& memory, unsigned ports) {
    const auto text = [&](std::uint64_t cells) {
        return std::to_string(memory.bytes_of(cells).count()) + " B";
    };
    const auto headroom = [&](unsigned port, pfc_class c) { return memory.limits(port, c).headroom; };
    const auto minimum = [&](unsigned port, pfc_class c) { return memory.limits(port, c).minimum; };
    const auto queue_minimum = [&](unsigned port, pfc_class c) {
        return memory.queue_limits_of(port, c).minimum;
    };
    if (config.flow_control.mode != flow_control_mode::none) {
        out << "lossless pool " << text(memory.pool(true)) << ", headroom ";
        if (memory.headroom_pool()) {
            out << text(*memory.headroom_pool()) << " for all, ";
        }
        out << (memory.has_lossless() ? span_of(memory, ports, true, headroom) : text(0)) << " a group; ";
    }
    if (memory.has_common_pool()) {
        out << "lossy groups share the lossless pool; ";
    } else if (memory.pool(false) > 0) {
        out << "lossy pool " << text(memory.pool(false)) << "; ";
    }
    out << "minimum " << span_of(memory, ports, {}, minimum) << " a group";
    if (memory.has_lossless() && memory.has_lossy() &&
        span_of(memory, ports, true, minimum) != span_of(memory, ports, false, minimum)) {
        out << " (lossless " << span_of(memory, ports, true, minimum) << ", lossy "
            << span_of(memory, ports, false, minimum) << ")";
    }
    if (memory.has_lossy()) {
        out << "; lossy queues: " << (memory.has_common_queue_pool() ? "the lossless queues' pool " : "pool ")
            << text(memory.queue_pool(false)) << ", minimum " << span_of(memory, ports, false, queue_minimum)
            << " each";
    }
    std::set<std::string> thresholds;
    for (unsigned port = 0; port < ports; ++port) {
        for (unsigned k = 0; k < memory.classes(); ++k) {
            const auto c = static_cast<pfc_class>(k);
            const cell_threshold& threshold = memory.queue_limits_of(port, c).threshold;
            const bool is_free =
                threshold.is_none() || (threshold.is_static() && threshold.fixed >= memory.queue_pool(true));
            if (memory.is_lossless(c)) {
                thresholds.insert(is_free ? "" : ", " + threshold_text(memory, threshold));
            }
        }
    }
    const bool all_free = thresholds == std::set<std::string>{""};
    if (memory.has_lossless() && (memory.queue_pool(true) < memory.slice_cells() || !all_free)) {
        out << "; lossless queues: pool " << text(memory.queue_pool(true))
            << (thresholds.size() == 1 ? *thresholds.begin() : ", thresholds below");
    }
    if (memory.unassigned() > 0) {
        out << "; " << text(memory.unassigned()) << " of " << text(memory.slice_cells()) << " unassigned";
    }
}

std::string limits_text(const shared_buffer& memory, unsigned port, pfc_class c) {
    const group_limits& group = memory.limits(port, c);
    const auto text = [&](std::uint64_t cells) {
        return std::to_string(memory.bytes_of(cells).count()) + " B";
    };
    std::string all = "minimum " + text(group.minimum) + ", " + threshold_text(memory, group.threshold);
    if (memory.is_lossless(c)) {
        all += ", XON " + text(group.xon) + ", offset " + text(group.xon_offset) + ", headroom " +
               text(group.headroom);
    }
    return all;
}

std::string limits_text(const shared_buffer& memory, const queue_limits& queue) {
    return "minimum " + std::to_string(memory.bytes_of(queue.minimum).count()) + " B, " +
           (queue.threshold.is_none() ? "no limit" : threshold_text(memory, queue.threshold)) +
           (queue.marked_from == queue_limits::never_marks
                ? ""
                : ", ECN from " + std::to_string(memory.bytes_of(queue.marked_from).count()) + " B");
}

/// `0-27`, `28`
std::string span_text(unsigned first, unsigned last) {
    return std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
}

/// A line for each run of ports, and of classes, that have the same.
template <class Text>
void print_runs(std::ostream& out, const char* what, const shared_buffer& memory, unsigned ports, Text&& text) {
    std::vector<std::string> lines_of_class;
    for (unsigned c = 0; c < memory.classes(); ++c) {
        std::string lines;
        for (unsigned first = 0, last = 0; first < ports; first = last + 1) {
            const std::string own = text(first, static_cast<pfc_class>(c));
            for (last = first; last + 1 < ports && text(last + 1, static_cast<pfc_class>(c)) == own; ++last) {
            }
            lines += (lines.empty() ? "" : "; ") + std::string(last > first ? "ports " : "port ") +
                     span_text(first, last) + ": " + own;
        }
        lines_of_class.push_back(lines);
    }
    for (unsigned first = 0, last = 0; first < memory.classes(); first = last + 1) {
        // Lossy and lossless ones have different pools.
        const auto is_same = [&](unsigned c) {
            return lines_of_class[c] == lines_of_class[first] &&
                   memory.is_lossless(static_cast<pfc_class>(c)) ==
                       memory.is_lossless(static_cast<pfc_class>(first));
        };
        for (last = first; last + 1 < memory.classes() && is_same(last + 1); ++last) {
        }
        out << "\n    " << what << " of class " << span_text(first, last) << ", " << lines_of_class[first];
    }
}

/// `egress 0-15: 0, 16-31: 1`: slices of an ingress port's frames, by egress port.
std::string slices_text(const shared_buffer& memory, unsigned ports, unsigned ingress) {
    std::string all;
    const auto slice = [&](unsigned egress) { return memory.slice_of({ingress, 0, egress}); };
    for (unsigned first = 0, last = 0; first < ports; first = last + 1) {
        for (last = first; last + 1 < ports && slice(last + 1) == slice(first); ++last) {
        }
        all += (all.empty() ? "egress " : ", ") + span_text(first, last) + ": " + std::to_string(slice(first));
    }
    return all;
}

void print_slice_map(std::ostream& out, const shared_buffer& memory, unsigned ports) {
    for (unsigned first = 0, last = 0; first < ports; first = last + 1) {
        const std::string own = slices_text(memory, ports, first);
        for (last = first; last + 1 < ports && slices_text(memory, ports, last + 1) == own; ++last) {
        }
        out << "\n    slices of ingress ports " << span_text(first, last) << ", " << own;
    }
}

// What tables have made of each group, queue and pair of ports.
void print_profiles(std::ostream& out, const shared_buffer& memory, const shared_profiles& profiles,
                    const profile_sources& lines, unsigned ports) {
    if (!profiles.groups.empty()) {
        print_runs(out, "groups", memory, ports, [&](unsigned port, pfc_class c) {
            const std::size_t group = std::size_t{port} * memory.classes() + c;
            std::vector<std::string> from;
            if (const std::string entry = lines.entry_of(group); !entry.empty()) {
                from.push_back(entry);
            } else if (const int line = profile_sources::line_of(lines.line_of_port, port);
                       line > 0 && memory.is_lossless(c)) {
                from.push_back("shared.pg_profile_lookup, line " + std::to_string(line));
            }
            if (const int row = profile_sources::line_of(lines.line_of_group, group); row > 0) {
                from.push_back("shared.group_profiles, line " + std::to_string(row));
            }
            return limits_text(memory, port, c) + (from.empty() ? "" : " (" + joined(from, "; ") + ")");
        });
    }
    if (!profiles.queues.empty()) {
        print_runs(out, "queues", memory, ports, [&](unsigned port, pfc_class c) {
            return limits_text(memory, memory.queue_limits_of(port, c));
        });
    }
    if (!profiles.slices.empty()) {
        print_slice_map(out, memory, ports);
    }
}

}  // namespace

void print_shared_memory(std::ostream& out, const run_config& config, const built_topology& built) {
    out << "\nSwitch: lookup " << to_text(config.device.lookup_delay) << ", one memory of "
        << to_text(config.shared.memory) << " for all ports in " << how_many(config.shared.slices, "slice")
        << ", " << how_many(config.device.classes, "class", "classes") << '\n';
    print_shared_thresholds(out, config);
    print_shared_headroom(out, config, built);
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    std::set<std::string> seen;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        const node_ref self = node_ref::of_switch(s);
        std::vector<port_config> ports;
        for (const link_id link : built.plan.ports(self)) {
            ports.push_back(links[link]);
        }
        const shared_buffer memory =
            make_shared_buffer(config.shared, config.device, config.flow_control, ports, profiles_of(built, s));
        std::ostringstream text;
        print_slice(text, config, memory, static_cast<unsigned>(ports.size()));
        print_all_headroom(text, memory, static_cast<unsigned>(ports.size()));
        print_profiles(text, memory, profiles_of(built, s),
                       built.profile_lines.empty() ? profile_sources{} : built.profile_lines[s],
                       static_cast<unsigned>(ports.size()));
        const std::string what = std::to_string(ports.size()) + " ports, each slice: " + text.str();
        if (seen.insert(what).second) {
            out << "  " << built.plan.name(self) << ", " << what << '\n';
        }
    }
}

}  // namespace weir::tb
