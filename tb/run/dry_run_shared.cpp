#include "tb/run/dry_run_shared.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "tb/shared/read_profiles.h"
#include "weir/base/field_range.h"
#include "weir/model/fabric_changes.h"
#include "weir/model/shared_memory.h"

namespace weir {

namespace {

bool has_class(const run_config& config, bool lossless) {
    for (unsigned c = 0; c < config.device.classes; ++c) {
        if ((config.pfc.mode != flow_control_mode::none && config.shared.is_lossless(c)) == lossless) {
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
    if (has_class(config, true) && !files.pg_profile_lookup.empty()) {
        out << "Lossless groups have the values of " << files.pg_profile_lookup << ". ";
    } else if (has_class(config, true)) {
        out << "Lossless groups are paused at "
            << (shared.threshold ? to_text(*shared.threshold)
                                 : "alpha " + field_text(shared.alpha) + " of what is free")
            << ", and go on " << to_text(shared.xon_offset) << " below it, or with " << to_text(shared.xon)
            << ". ";
    }
    if (has_class(config, false)) {
        out << "Lossy groups have alpha " << field_text(shared.lossy_alpha) << ", lossy queues "
            << field_text(shared.queue_alpha) << ".";
    }
    for (const std::string* const file : {&files.group_profiles, &files.queue_profiles}) {
        out << (file->empty() ? "" : " Some have values of their own: " + *file + ".");
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

void print_slice(std::ostream& out, const run_config& config, const shared_buffer& memory, unsigned ports) {
    const auto text = [&](std::uint64_t cells) {
        return std::to_string(memory.bytes_of(cells).count()) + " B";
    };
    const auto headroom = [&](unsigned port, pfc_class c) { return memory.limits(port, c).headroom; };
    const auto minimum = [&](unsigned port, pfc_class c) { return memory.limits(port, c).minimum; };
    const auto queue_minimum = [&](unsigned port, pfc_class c) {
        return memory.queue_limits_of(port, c).minimum;
    };
    if (config.pfc.mode != flow_control_mode::none) {
        out << "lossless pool " << text(memory.pool(true)) << ", headroom ";
        if (memory.headroom_pool()) {
            out << text(*memory.headroom_pool()) << " for all, ";
        }
        out << (memory.has_lossless() ? span_of(memory, ports, true, headroom) : text(0)) << " a group; ";
    }
    if (memory.pool(false) > 0) {
        out << "lossy pool " << text(memory.pool(false)) << "; ";
    }
    out << "minimum " << span_of(memory, ports, {}, minimum) << " a group";
    if (memory.has_lossy()) {
        out << "; lossy queues: pool " << text(memory.queue_pool(false)) << ", minimum "
            << span_of(memory, ports, false, queue_minimum) << " each";
    }
    if (config.shared.lossless_queue_pool && memory.has_lossless()) {
        out << "; lossless queues: pool " << text(memory.queue_pool(true));
    }
    if (memory.unassigned() > 0) {
        out << "; " << text(memory.unassigned()) << " of " << text(memory.slice_cells()) << " for nobody";
    }
}

}  // namespace

void print_shared_memory(std::ostream& out, const run_config& config, const built_topology& built) {
    out << "\nSwitch: lookup " << to_text(config.device.lookup_delay) << ", one memory of "
        << to_text(config.shared.memory) << " for all ports in " << config.shared.slices
        << (config.shared.slices == 1 ? " slice, " : " slices, ") << config.device.classes
        << (config.device.classes == 1 ? " class\n" : " classes\n");
    print_shared_thresholds(out, config);
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    std::set<std::string> seen;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        const node_ref self = node_ref::of_switch(s);
        std::vector<port_config> ports;
        for (const link_id link : built.plan.ports(self)) {
            ports.push_back(links[link]);
        }
        const shared_buffer memory =
            make_shared_buffer(config.shared, config.device, config.pfc, ports, profiles_of(built, s));
        std::ostringstream text;
        print_slice(text, config, memory, static_cast<unsigned>(ports.size()));
        // Without files a switch is like the others of its size.
        const std::string what = std::to_string(ports.size()) + " ports, each slice: " + text.str();
        if (seen.insert(built.profiles.empty() ? std::to_string(ports.size()) : what).second) {
            out << "  " << built.plan.name(self) << ", " << what << '\n';
        }
    }
}

}  // namespace weir
