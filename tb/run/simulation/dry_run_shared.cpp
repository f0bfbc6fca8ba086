#include "tb/run/simulation/dry_run.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"
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

std::string size_text(const shared_buffer& memory, std::uint64_t cells) {
    return std::to_string(memory.bytes_of(cells).count()) + " B";
}

std::string threshold_text(const shared_buffer& memory, const cell_threshold& t) {
    return t.is_static() ? size_text(memory, t.fixed)
                         : "alpha " + field_text(static_cast<double>(t.of) / static_cast<double>(t.in));
}

/// `headroom of all 32 groups: 2216448 B, of which the pool holds 1000000 B at a time`
void print_all_headroom(std::ostream& out, const shared_buffer& memory, unsigned ports) {
    const auto text = [&](std::uint64_t cells) { return size_text(memory, cells); };
    std::uint64_t groups = 0;
    for (unsigned c = 0; c < memory.classes(); ++c) {
        groups += memory.is_lossless(static_cast<pfc_class>(c)) ? ports : 0;
    }
    if (groups == 0) {
        return;
    }
    const std::uint64_t all = memory.private_headroom();
    const std::optional<std::uint64_t> pool = memory.headroom_pool();
    out << "    headroom of all " << how_many(groups, "group") << ": " << text(all)
        << (!pool          ? ", which the memory keeps for them"
            : all <= *pool ? ", which the pool holds"
                           : ", of which the pool holds " + text(*pool) + " at a time")
        << '\n';
}

/// Pools of a slice.
void print_pools(std::ostream& out, const run_config& config, const shared_buffer& memory) {
    std::vector<std::string> pools;
    const auto add = [&](const char* what, std::uint64_t cells) {
        pools.push_back(what + size_text(memory, cells));
    };
    if (config.flow_control.mode != flow_control_mode::none) {
        add("lossless pool ", memory.pool(true));
        if (memory.headroom_pool()) {
            add("headroom pool ", *memory.headroom_pool());
        }
    }
    if (memory.has_common_pool()) {
        pools.emplace_back("lossy groups share the lossless pool");
    } else if (memory.pool(false) > 0) {
        add("lossy pool ", memory.pool(false));
    }
    if (memory.has_lossy()) {
        add(memory.has_common_queue_pool() ? "lossy queues: the lossless queues' pool " : "lossy queues: pool ",
            memory.queue_pool(false));
    }
    if (memory.has_lossless() && memory.queue_pool(true) < memory.slice_cells()) {
        add("lossless queues: pool ", memory.queue_pool(true));
    }
    if (memory.unassigned() > 0) {
        pools.push_back(size_text(memory, memory.unassigned()) + " of " +
                        size_text(memory, memory.slice_cells()) + " unassigned");
    }
    out << joined(pools, "; ") << '\n';
}

/// `0-27`, `28`
std::string span_text(unsigned first, unsigned last) {
    return std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
}

/// A row for each run of classes, and of ports, that have the same.
template <class CellsOf>
void print_limits(std::ostream& out, data_table table, const shared_buffer& memory, unsigned ports,
                  CellsOf&& cells_of) {
    using lines = std::vector<std::vector<std::string>>;
    std::vector<lines> of_class(memory.classes());
    for (unsigned c = 0; c < memory.classes(); ++c) {
        const auto own = static_cast<pfc_class>(c);
        for (unsigned first = 0, last = 0; first < ports; first = last + 1) {
            std::vector<std::string> cells = cells_of(first, own);
            for (last = first; last + 1 < ports && cells_of(last + 1, own) == cells; ++last) {
            }
            cells.insert(cells.begin(),
                         {memory.is_lossless(own) ? "lossless" : "lossy", span_text(first, last)});
            of_class[c].push_back(std::move(cells));
        }
    }
    for (unsigned first = 0, last = 0; first < memory.classes(); first = last + 1) {
        for (last = first; last + 1 < memory.classes() && of_class[last + 1] == of_class[first]; ++last) {
        }
        for (const auto& cells : of_class[first]) {
            table.add_row({"class " + span_text(first, last)});
            std::copy(cells.begin(), cells.end(), table.rows.back().cells.begin() + 1);
        }
    }
    print_table(out, table, "    ");
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
        out << "    slices of ingress ports " << span_text(first, last) << ", " << own << '\n';
    }
}

/// Values that options and tables give to each group, queue and pair of ports.
void print_profiles(std::ostream& out, const shared_buffer& memory, const shared_profiles& profiles,
                    const profile_sources& lines, unsigned ports) {
    const auto text = [&](std::uint64_t cells) { return size_text(memory, cells); };
    data_table groups =
        data_table::of({"groups", "", "ports", "minimum", "threshold", "XON", "offset", "headroom", "from"});
    groups.columns.back().format = to_the_left();
    print_limits(out, std::move(groups), memory, ports,
                 [&](unsigned port, pfc_class c) -> std::vector<std::string> {
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
                     const group_limits& limits = memory.limits(port, c);
                     const auto of_lossless = [&](std::uint64_t cells) {
                         return memory.is_lossless(c) ? text(cells) : "-";
                     };
                     return {text(limits.minimum),         threshold_text(memory, limits.threshold),
                             of_lossless(limits.xon),      of_lossless(limits.xon_offset),
                             of_lossless(limits.headroom), joined(from, "; ")};
                 });
    print_limits(out, data_table::of({"queues", "", "ports", "minimum", "threshold", "ECN from"}), memory,
                 ports, [&](unsigned port, pfc_class c) -> std::vector<std::string> {
                     const queue_limits& limits = memory.queue_limits_of(port, c);
                     const bool marks = limits.marked_from != queue_limits::never_marks;
                     return {text(limits.minimum),
                             limits.threshold.is_none() ? "-" : threshold_text(memory, limits.threshold),
                             marks ? text(limits.marked_from) : "-"};
                 });
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
        std::string kind;
        for (const port_config& port : ports_of_switch(built.plan, s, links)) {
            kind +=
                to_text(port.fastest_rate()) + to_text(port.longest_latency()) + (port.to_switch ? "," : ";");
        }
        const shared_profiles& profiles = profiles_of(built, s);
        if (profiles.groups.empty() && profiles.queues.empty() && profiles.slices.empty() &&
            !seen.insert(kind).second) {
            continue;
        }
        const shared_buffer memory = memory_of_switch(config, built, s, links);
        std::ostringstream text;
        print_pools(text, config, memory);
        print_all_headroom(text, memory, memory.ports());
        print_profiles(text, memory, profiles,
                       built.profile_lines.empty() ? profile_sources{} : built.profile_lines[s],
                       memory.ports());
        const std::string what = std::to_string(memory.ports()) + " ports, each slice: " + text.str();
        if (seen.insert(what).second) {
            out << "  " << built.plan.name(self) << ", " << what;
        }
    }
}

}  // namespace weir::tb
