#include "tb/run/simulation/dry_run.h"

#include <algorithm>
#include <bitset>
#include <set>
#include <string_view>

#include "tb/asic/headroom/headroom_options.h"
#include "tb/asic/profiles/read_profiles.h"
#include "tb/asic/profiles/shared_tables.h"
#include "tb/support/text/port_text.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::tb {

namespace {

/// Flow control as a shared memory has it.
port_flow_control shared_flow_control(const run_config& config, const port_config& link) {
    switch_config device = config.device;
    pfc_config pfc = config.flow_control;
    adapt_to_shared_memory(device, pfc);
    return resolve_flow_control(device, pfc, link);
}

/// The budget of `weir headroom` for a group behind this link, with the model's frames, cells and delays. The
/// link's latency is a cable of 5 ns/m; what is no whole millimetre of it is mac_phy.
headroom_budget_config budget_of_link(const run_config& config, const port_config& link) {
    const port_flow_control control = shared_flow_control(config, link);
    headroom_budget_config budget;
    budget.rate = link.fastest_rate();
    const std::int64_t latency = link.longest_latency().count();
    budget.cable = std::min(millimetres{latency / 5}, headroom_budget_config::cable_range.high);
    budget.mac_phy = line_delay{delay_unit::picoseconds, latency - 5 * budget.cable.count()};
    const picoseconds quantum = pause_time(pause_quanta{1}, budget.rate);
    budget.response = line_delay{delay_unit::quanta, (control.response + quantum - 1_ps) / quantum};
    budget.pipeline = line_delay{delay_unit::picoseconds, control.terms.t_lookup.count()};
    budget.port_mtu = config.device.max_frame;
    budget.wire_overhead = link.wire_overhead;
    budget.cell = config.device.memory_cell;
    budget.full_pool = control.crossing > 0_B;
    if (control.profile == reserve_profile::detail) {
        budget.profile = headroom_profile::detail;
    }
    const std::bitset<pfc_classes> lossless = lossless_classes_of(config);
    budget.lossless_classes = std::max(1U, static_cast<std::uint32_t>(lossless.count()));
    return budget;
}

/// `weir headroom --rate=40Gbps ...`, with the options that are not at their defaults.
std::string headroom_command_of(const headroom_budget_config& budget) {
    headroom_request request;
    const option_table table = make_headroom_table(request);
    request.budget = budget;
    std::string text = "weir headroom";
    for (const auto& each : table.options()) {
        const std::string value = each->value->text();
        text += value != each->default_text ? " --" + each->name + "=" + value : "";
    }
    return text;
}

void print_link(std::ostream& out, const run_config& config, const port_config& link) {
    const port_flow_control control = shared_flow_control(config, link);
    const group_headroom group = headroom_of_group(config.shared, config.device, config.flow_control, link);
    out << "  Headroom of a group at " << to_text(link.fastest_rate()) << ", "
        << to_text(link.longest_latency()) << " one way: needed " << group.needed.count() << " B"
        << (config.shared.headroom ? ", shared.headroom " + std::to_string(group.size.count()) + " B" : "")
        << '\n';
    out << "  ";
    print_reserve_terms(out, control);
    if (group.crossing > 0_B) {
        out << "    + " << group.crossing.count()
            << " B of the frame that meets the threshold = " << group.needed.count() << " B\n";
    }
    const picoseconds refresh = pause_time(control.requests.refresh, link.fastest_rate());
    out << "    XOFF pauses for " << control.requests.quanta.count() << " quanta ("
        << to_text(pause_time(control.requests.quanta, link.fastest_rate())) << "), repeated after "
        << to_text(refresh) << "; response time " << to_text(control.response) << '\n';
    const headroom_budget_config budget = budget_of_link(config, link);
    const bytes computed = make_headroom_budget(budget).headroom;
    out << "    " << headroom_command_of(budget);
    if (computed != group.needed) {
        // Terms there are exact; here times are whole picoseconds.
        out << "   (" << computed.count() << " B: rounded once)";
    }
    out << '\n';
}

}  // namespace

void print_reserve_terms(std::ostream& out, const port_flow_control& control) {
    const std::string_view profile = control.profile == reserve_profile::detail ? "detail" : "worst_case";
    const pfc_headroom_terms& t = control.terms;
    out << "  Reserve, " << profile << ": " << to_text(t.t_o_local) << " our frame";
    if (t.t_pfc > 0_ps) {
        out << " + " << to_text(t.t_pfc) << " PFC frame";
    }
    out << " + " << to_text(t.t_p_out) << " to the partner + " << to_text(t.t_r) << " its response + "
        << to_text(t.t_o_partner) << " its frame + " << to_text(t.t_p_back) << " back";
    if (t.t_lookup > 0_ps) {
        out << " + " << to_text(t.t_lookup) << " lookup";
    }
    out << " = " << to_text(t.total()) << " = " << t.total_bytes().count() << " B";
    if (t.total_bytes() != control.reserve) {
        out << ", " << control.reserve.count() << " B in memory cells";
    }
    out << '\n';
}

void print_port_headroom(std::ostream& out, const run_config& config, const built_topology& built) {
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    const std::int64_t classes =
        config.flow_control.mode == flow_control_mode::pause ? 1 : config.device.classes;
    std::set<std::string> seen;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        const node_ref self = node_ref::of_switch(s);
        bytes needed{0};
        bytes left{0};
        for (const link_id link : built.plan.ports(self)) {
            const port_flow_control control =
                resolve_flow_control(config.device, config.flow_control, links[link]);
            needed += (control.reserve + control.crossing) * classes;
            left += (control.class_memory - bytes{control.limits.xoff}) * classes;
        }
        const auto ports = static_cast<std::int64_t>(built.plan.ports(self).size());
        const std::string text = how_many(static_cast<std::uint64_t>(ports), "port") + " x " +
                                 how_many(static_cast<std::uint64_t>(classes), "class", "classes") + ": " +
                                 std::to_string(needed.count()) + " B; the thresholds leave " +
                                 std::to_string(left.count()) + " B of " +
                                 std::to_string((config.device.ingress_buffer * ports).count()) +
                                 " B of ingress memory" + (needed > left ? ", which is too little" : "");
        if (seen.insert(text).second) {
            out << "  Headroom in all: " << built.plan.name(self) << ", " << text << '\n';
        }
    }
}

void print_shared_headroom(std::ostream& out, const run_config& config, const built_topology& built) {
    if (config.flow_control.mode == flow_control_mode::none) {
        return;
    }
    const std::string lossless = classes_text(lossless_classes_of(config), ", ");
    out << "  Lossless classes: " << (lossless.empty() ? "none" : lossless)
        << (config.flow_control.mode == flow_control_mode::pause ? " (PAUSE stops the whole link)" : "")
        << '\n';
    for (const port_config& link : kinds_of_links(built, config.link.wire_overhead)) {
        if (!lossless.empty()) {
            print_link(out, config, link);
        }
    }
}

}  // namespace weir::tb
