#include "tb/run/checks/run_checks.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/options/run_traits.h"
#include "tb/verify/wave/wave_file.h"
#include "tb/verify/wave/wave_trace.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/forwarding/modulo_selector.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/forwarding/static_routes.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/memory/shared_memory.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::tb {

std::vector<std::size_t> table_sizes(const built_topology& built, const std::vector<switch_id>& switches) {
    std::vector<std::size_t> sizes(built.plan.switches());
    const auto consider = [&](const link_states& up) {
        for_each_route_table(built.plan, up, switches, [&](switch_id s, const route_table& computed) {
            route_table table = computed;
            add_static_routes(built.plan, built.routes, s, table);
            sizes[s] = std::max(sizes[s], table.size());
        });
    };
    link_states up = all_links_up(built.plan);
    consider(up);
    const std::vector<fabric_change> changes = in_order(built.changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        up[changes[i].link] = changes[i].up.value_or(up[changes[i].link]);
        // Tables follow when all changes of an instant have been made.
        if (changes[i].up && (i + 1 == changes.size() || changes[i + 1].at != changes[i].at)) {
            consider(up);
        }
    }
    return sizes;
}

namespace {

/// The changes in their order, each with what its link is by then.
class change_checker {
 public:
    change_checker(const run_config& config, const built_topology& built)
        : m_config(config),
          m_built(built),
          m_device(config.device),
          m_pfc(config.flow_control),
          m_ports(ports_of_links(built.plan, built.changes, config.link.wire_overhead)) {
        if (organisation_of(config.device).is_shared) {
            adapt_to_shared_memory(m_device, m_pfc);
        }
    }

    std::vector<std::string> check() {
        std::vector<port_config> now = m_ports;
        for (const fabric_change& change : in_order(m_built.changes)) {
            port_config& link = now[change.link];
            const bit_rate rate = change.rate.count() > 0 ? change.rate : link.rate;
            const picoseconds latency = change.latency.value_or(link.latency);
            check_rate(change, link.rate, rate);
            check_latency(change, latency - link.latency, rate);
            link.rate = rate;
            link.latency = latency;
        }
        return m_warnings;
    }

 private:
    std::string place(const fabric_change& change) const {
        return "fabric.link: " + m_built.plan.link(change.link).name + " at " + to_text(change.at) + ": ";
    }

    /// What there is for frames that come after XOFF has been decided.
    bytes headroom_of(link_id link) const {
        const port_config& port = m_ports[link];
        if (organisation_of(m_config.device).is_shared) {
            const group_headroom group = headroom_of_group(m_config.shared, m_device, m_pfc, port);
            // A file's may be less than the frame that meets the threshold.
            const bytes size = profiled_headroom(m_config, m_built, link).value_or(group.size);
            return size - std::min(size, group.crossing);
        }
        return resolve_flow_control(m_device, m_pfc, port).headroom;
    }

    void check_rate(const fabric_change& change, bit_rate before, bit_rate after) {
        const port_config& port = m_ports[change.link];
        const bytes headroom = headroom_of(change.link);
        const bytes needed = reserve_at_rise(m_device, m_pfc, port, before, after);
        if (after <= before || needed <= headroom || !m_seen_rates.emplace(before, after).second) {
            return;
        }
        m_warnings.push_back(place(change) + "a frame that a switch has begun to send at " + to_text(before) +
                             " delays XOFF, so that up to " + std::to_string(needed.count()) +
                             " B per class can arrive at " + to_text(after) +
                             " after the XOFF decision, but there is room for only " +
                             std::to_string(headroom.count()) +
                             " B: a frame of a lossless class can be lost, which would end the run");
    }

    void check_latency(const fabric_change& change, picoseconds growth, bit_rate rate) {
        const pause_config pause = resolve_flow_control(m_device, m_pfc, m_ports[change.link]).requests;
        const picoseconds spare =
            pause_time(pause.quanta, rate) - pause_time(pause.refresh, rate) -
            transmission_time(m_config.device.max_frame + m_config.link.wire_overhead, rate);
        if (growth <= spare || !m_seen_growths.emplace(growth, rate).second) {
            return;
        }
        m_warnings.push_back(place(change) + "the latency grows by " + to_text(growth) +
                             ", but a pause outlasts its refresh by only " + to_text(spare) +
                             ": a pause can expire before it is refreshed, and a frame of a lossless class can "
                             "then be lost, which would end the run");
    }

    const run_config& m_config;
    const built_topology& m_built;
    switch_config m_device;
    pfc_config m_pfc;
    std::vector<port_config> m_ports;
    std::set<std::tuple<bit_rate, bit_rate>> m_seen_rates;
    std::set<std::tuple<picoseconds, bit_rate>> m_seen_growths;
    std::vector<std::string> m_warnings;
};

}  // namespace

std::vector<std::string> link_change_warnings(const run_config& config, const built_topology& built) {
    return config.flow_control.mode == flow_control_mode::none ? std::vector<std::string>{}
                                                               : change_checker(config, built).check();
}

// Flow control of each kind of link once, or a fabric of thousands of ports would say the same as often.
static std::vector<port_flow_control> kinds_of_ports(const run_config& config, const built_topology& built) {
    switch_config device = config.device;
    pfc_config pfc = config.flow_control;
    if (organisation_of(config.device).is_shared) {
        adapt_to_shared_memory(device, pfc);
    }
    std::vector<port_flow_control> kinds;
    for (const port_config& port : kinds_of_links(built, config.link.wire_overhead)) {
        kinds.push_back(resolve_flow_control(device, pfc, port));
    }
    return kinds;
}

std::vector<std::string> threshold_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings = link_change_warnings(config, built);
    if (uses_transport(config, &transport_traits::sets_ranks) &&
        !queue_orders()[config.device.queue_order].reads_ranks) {
        warnings.push_back(
            "traffic.transport = pfabric: switches ignore the ranks of its frames (switch.queue_order = " +
            queue_orders().of(config.device.queue_order).name + ")");
    }
    if (organisation_of(config.device).is_shared) {
        const std::vector<std::string> more = shared_memory_warnings(config, built);
        warnings.insert(warnings.end(), more.begin(), more.end());
        return warnings;
    }
    for (const port_flow_control& port : kinds_of_ports(config, built)) {
        if (port.can_lose) {
            const bool by_profile = !config.flow_control.xoff && port.profile == reserve_profile::detail;
            warnings.push_back(
                "pfc.xoff = " + std::to_string(port.limits.xoff) + " B" +
                (by_profile ? " (pfc.profile = detail)" : "") + " is too high: a class has " +
                std::to_string(port.class_memory.count()) +
                " B of switch.ingress_buffer, and the frame that crosses XOFF and " +
                std::to_string((config.flow_control.reserve ? port.reserve : port.worst_case).count()) +
                " B after it do not fit. In the worst case a frame of a lossless class is lost" +
                consequence_of_loss(config));
        }
    }
    return warnings;
}

static void check_waves(const run_config& config, range_check& check) {
    const wave_options& wave = config.trace.wave;
    check.refuse(
        wave.format == wave_format::fst && !fst_is_supported(), "trace.wave",
        "'run.fst' cannot be written: this program was built without FST (it needs Verilator's copy of "
        "fstapi, and zlib); expected run.vcd, or a program built with them");
    check.refuse(
        wave.format != wave_format::none &&
            std::none_of(wave.signals.begin(), wave.signals.end(),
                         [&](wave_group g) { return has_wave_group(config, g); }),
        "trace.wave_signals",
        "selects only signals that these switches do not have; expected at least occupancy or drops, which "
        "all switches have (docs/waveforms.md says what the others need)");
}

static void check_routes(const run_config& config, const built_topology& built, range_check& check) {
    const std::vector<std::size_t> sizes = table_sizes(built, all_switches(built.plan));
    const std::size_t most = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    check.refuse(
        most > config.device.tcam_entries, "switch.tcam_entries",
        "{} entries are too few for the routes of the fabric, with its scheduled changes; expected at least {}",
        config.device.tcam_entries, most);
}

/// Links of the longest of the shortest paths between hosts.
static std::uint32_t longest_path(const topology& plan) {
    std::vector<bool> has_hosts(plan.switches());
    for (host_id h = 0; h < plan.hosts(); ++h) {
        has_hosts[plan.edge_switch(h)] = true;
    }
    std::uint32_t longest = 0;
    for (switch_id to = 0; to < plan.switches(); ++to) {
        if (!has_hosts[to]) {
            continue;
        }
        const std::vector<std::uint32_t> distances = distances_to(plan, all_links_up(plan), to);
        for (switch_id from = 0; from < plan.switches(); ++from) {
            if (has_hosts[from] && distances[from] != unreachable) {
                longest = std::max(longest, distances[from] + 2);
            }
        }
    }
    return longest;
}

static void check_levels(const run_config& config, const topology& plan, range_check& check) {
    const balance_policy balance = config.device.balance;
    const link_id across = balance_policies()[balance].needs_levels ? first_link_across_levels(plan) : no_link;
    check.refuse(across != no_link, "switch.balance",
                 "'{}' needs a tree, but {} does not connect neighbouring tiers; expected a fabric in levels "
                 "({fabric.topology} = single, racks, pods, fat_tree or xgft), or another policy",
                 name_of(balance), across == no_link ? "a link" : plan.link(across).name);
}

static void check_ttl(const run_config& config, const built_topology& built, range_check& check) {
    const bool counts = overflow_kinds()[config.device.overflow].detours;
    const std::uint32_t longest = counts ? longest_path(built.plan) : 0;
    check.refuse(config.detour.ttl < longest, "detour.ttl",
                 "'{}' is too small: the fabric's longest path has {} links, and no frame would arrive over "
                 "it; expected at least {}",
                 config.detour.ttl, longest, longest);
}

config_errors check_run(const run_config& config, const built_topology& built) {
    const topology& plan = built.plan;
    config_errors errors = config.traffic.validate(plan.hosts(), config.fabric.options_of_hosts());
    for (const port_flow_control& port : kinds_of_ports(config, built)) {
        for (const config_error& error : port.errors) {
            errors.push_back(error);
            errors.back().say(" (links are set by " + config.fabric.options_of_links() + ")");
        }
    }
    errors.add(check_shared_memory(config, built));
    const picoseconds lookahead = smallest_latency(plan, built.changes);
    const std::string smallest = lookahead < plan.smallest_latency()
                                     ? "the smallest link latency, scheduled changes included"
                                     : "the smallest link latency";
    range_check check;
    check.refuse(config.run.quantum > lookahead, "run.quantum",
                 "{} is longer than " + smallest + "; expected at most {}", config.run.quantum, lookahead);
    const picoseconds delay = config.files.trigger_delay;
    check.refuse(delay > 0_ps && delay < lookahead, "traffic.trigger_delay",
                 "{} is shorter than " + smallest + "; expected 0, or at least {}", delay, lookahead);
    check.add(check_end(config, built));
    check_waves(config, check);
    check_routes(config, built, check);
    check_levels(config, plan, check);
    check_ttl(config, built, check);
    check.add(check_rtl(config, built));
    errors.add(check.take());
    return errors;
}

}  // namespace weir::tb
