#include "tb/run/checks/rtl_blocks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tb/run/checks/run_checks.h"
#include "tb/run/options/run_traits.h"
#include "tb/support/text/fitting_places.h"
#include "tb/support/text/name_pattern.h"
#include "weir/base/unit_text.h"
#include "weir/model/flow_control/pfc_thresholds.h"

#ifdef WEIR_WITH_RTL
#include "tb/verify/rtl/pfc_clocked_port.h"
#include "tb/verify/rtl/rtl_arbiter.h"
#include "tb/verify/rtl/rtl_pfc.h"
#include "tb/verify/rtl/rtl_tcam.h"
#endif

namespace weir::tb {

namespace {

std::string switch_name(const topology& plan, switch_id s) {
    return plan.name(node_ref::of_switch(s));
}

/// Switches of `rtl.switches`; `refuse` is called for each name that is none.
template <class Refuse>
std::vector<switch_id> named_switches(const run_config& config, const topology& plan, Refuse&& refuse) {
    return fitting_places(
        config.rtl.switches, plan.switches(),
        [&](const std::string& pattern, switch_id s) {
            return pattern == "all" || fits_pattern(pattern, switch_name(plan, s));
        },
        refuse);
}

void check_names(const run_config& config, const topology& plan, config_errors& errors) {
    if (config.rtl.switches.empty()) {
        errors.push_back({{}, 0, "rtl.switches", "'' selects no switch; expected all, or names of switches"});
    }
    named_switches(config, plan, [&](const std::string& pattern) {
        errors.push_back(
            {{},
             0,
             "rtl.switches",
             "'" + pattern +
                 "' matches no switch; expected all, a switch that `weir run --dry-run` lists, such "
                 "as " +
                 switch_name(plan, 0) + "; * stands for any text"});
    });
}

}  // namespace

std::vector<switch_id> rtl_switches(const run_config& config, const topology& plan) {
    return has_rtl(config) ? named_switches(config, plan, [](const std::string&) {}) : std::vector<switch_id>{};
}

picoseconds shortest_lookup(const run_config& config, const topology& plan) {
    const picoseconds model = config.device.lookup_delay;
    const std::size_t chosen = rtl_switches(config, plan).size();
    if (!has_rtl_lookup(config) || config.rtl.latency != rtl_latency::rtl || chosen == 0) {
        return model;
    }
    const picoseconds own = config.rtl.clock.value_or(picoseconds{0}) * rtl_latencies{}.lookup;
    return chosen == plan.switches() ? own : std::min(model, own);
}

#ifdef WEIR_WITH_RTL

static_assert(rtl_latencies{}.lookup == tcam_rtl_cycles);
static_assert(rtl_latencies{}.pause == pfc_receive_clocked_port::latency);
static_assert(rtl_latencies{}.request == pfc_transmit_clocked_port::latency);

static void refuse(config_errors& errors, const char* key, const std::string& what, const std::string& where,
                   const std::string& allowed) {
    errors.push_back(option_error(key, "'rtl' has " + what + " of {}; expected " + allowed, {where}));
}

static void check_arbiter(const run_config& config, const topology& plan, config_errors& errors) {
    const unsigned most = arbiter_rtl_sizes().back();
    for (const switch_id s : rtl_switches(config, plan)) {
        const std::size_t ports = plan.ports(node_ref::of_switch(s)).size();
        if (ports > most) {
            refuse(errors, "switch.arbiter", "no RTL arbiter for the " + std::to_string(ports) + " ports",
                   switch_name(plan, s),
                   "rtl at switches of up to " + std::to_string(most) +
                       " ports ({rtl.switches}), or islip, the same as a model");
            return;
        }
    }
}

static void check_tcam(const run_config& config, const built_topology& built, config_errors& errors) {
    const std::uint32_t most = tcam_rtl_sizes().back();
    const std::vector<std::size_t> sizes = table_sizes(built, all_switches(built.plan));
    for (const switch_id s : rtl_switches(config, built.plan)) {
        if (sizes[s] > most) {
            refuse(errors, "switch.tcam", "no RTL table for the " + std::to_string(sizes[s]) + " routes",
                   switch_name(built.plan, s),
                   "rtl at switches of up to " + std::to_string(most) + " routes ({rtl.switches}), or model");
            return;
        }
    }
}

// Rates that a link has in the run.
static std::vector<bit_rate> rates_of(const built_topology& built, link_id link) {
    std::vector<bit_rate> rates{built.plan.link(link).rate};
    for (const fabric_change& change : built.changes) {
        if (change.link == link && change.rate.count() > 0) {
            rates.push_back(change.rate);
        }
    }
    return rates;
}

// Counters of PFC's RTL lose whole steps in each cycle.
static void check_pfc_clock(const run_config& config, const built_topology& built, config_errors& errors) {
    const picoseconds clock = *config.rtl.clock;
    for (const switch_id s : rtl_switches(config, built.plan)) {
        for (const link_id link : built.plan.ports(node_ref::of_switch(s))) {
            for (const bit_rate rate : rates_of(built, link)) {
                if (!pfc_clock_fits(clock, rate)) {
                    errors.push_back({{},
                                      0,
                                      "rtl.clock",
                                      "'" + to_text(clock) + "' is not a whole number of 2 bit times of " +
                                          built.plan.link(link).name + " (" + to_text(rate) +
                                          "), the unit in which the PFC timers count; expected multiples of " +
                                          to_text(smallest_pfc_clock(rate)) + " up to 1us"});
                    return;
                }
            }
        }
    }
}

// A matching has to be there when its slot begins.
static void check_slots(const run_config& config, const built_topology& built, config_errors& errors) {
    const picoseconds clock = *config.rtl.clock;
    for (const switch_id s : rtl_switches(config, built.plan)) {
        bit_rate fastest{1};
        const auto& links = built.plan.ports(node_ref::of_switch(s));
        for (const link_id link : links) {
            fastest = std::max(fastest, built.plan.link(link).rate);
        }
        const picoseconds slot = transmission_time(config.device.cell, fastest * config.device.speedup);
        const auto most =
            static_cast<std::int64_t>(config.device.iterations != 0 ? config.device.iterations : links.size());
        if (clock * most >= slot) {
            errors.push_back(
                option_error("rtl.clock",
                             "'{}' is too slow: a matching of {} cycles does not end within a slot of {} ({}); "
                             "expected below {} / {} ({switch.iterations}, {switch.cell})",
                             {to_text(clock), std::to_string(most), switch_name(built.plan, s), to_text(slot),
                              to_text(slot), std::to_string(most)}));
            return;
        }
    }
}

static void check_clock(const run_config& config, const built_topology& built, config_errors& errors) {
    if (config.rtl.latency != rtl_latency::rtl) {
        return;
    }
    if (has_rtl_pfc(config)) {
        check_pfc_clock(config, built, errors);
    }
    if (has_rtl_arbiter(config) && config.device.crossbar == crossbar_mode::cell) {
        check_slots(config, built, errors);
    }
}

config_errors check_rtl(const run_config& config, const built_topology& built) {
    config_errors errors;
    if (has_rtl(config)) {
        check_names(config, built.plan, errors);
        check_clock(config, built, errors);
    }
    if (has_rtl_arbiter(config)) {
        check_arbiter(config, built.plan, errors);
    }
    if (has_rtl_lookup(config)) {
        check_tcam(config, built, errors);
    }
    return errors;
}

static pfc_transmit_config transmit_config(const run_config& config, const std::vector<bit_rate>& rates) {
    // Quanta do not depend on the port.
    const pause_config requests = resolve_flow_control(config.device, config.flow_control, {rates[0]}).requests;
    pfc_transmit_config transmit;
    transmit.quanta.fill(static_cast<std::uint16_t>(requests.quanta.count()));
    transmit.refresh.fill(static_cast<std::uint16_t>(requests.refresh.count()));
    return transmit;
}

static std::vector<bit_rate> rates_of_ports(const topology& plan, switch_id s) {
    std::vector<bit_rate> rates;
    for (const link_id link : plan.ports(node_ref::of_switch(s))) {
        rates.push_back(plan.link(link).rate);
    }
    return rates;
}

rtl_blocks::rtl_blocks(const run_config& config, const built_topology& built, fabric& network) {
    std::vector<switch_id> chosen = rtl_switches(config, built.plan);
    // Other ranks have theirs.
    chosen.erase(std::remove_if(chosen.begin(), chosen.end(),
                                [&](switch_id s) { return !network.is_here(node_ref::of_switch(s)); }),
                 chosen.end());
    const picoseconds period =
        config.rtl.latency == rtl_latency::rtl ? config.rtl.clock.value_or(picoseconds{0}) : picoseconds{0};
    const bool tcam = has_rtl_lookup(config) && !chosen.empty();
    const std::vector<std::size_t> routes = tcam ? table_sizes(built, chosen) : std::vector<std::size_t>{};
    for (const switch_id s : chosen) {
        switch_node& device = network.device(s);
        const std::string prefix = "rtl_" + std::string(device.basename()) + "_";
        if (has_rtl_arbiter(config)) {
            const std::size_t ports = built.plan.ports(node_ref::of_switch(s)).size();
            auto block = std::make_unique<rtl_arbiter>((prefix + "arbiter").c_str(),
                                                       make_arbiter_pins(static_cast<unsigned>(ports)), period);
            device.arbiter.bind(block->block);
            keep(switch_name(built.plan, s), "arbiter", std::move(block));
        }
        if (has_rtl_pfc(config)) {
            const std::vector<bit_rate> rates = rates_of_ports(built.plan, s);
            const pfc_transmit_config transmit = transmit_config(config, rates);
            const std::string name = prefix + "pfc";
            const auto place = [&](auto block) {
                device.pfc.bind(block->block);
                keep(switch_name(built.plan, s), "pfc", std::move(block));
            };
            if (period > picoseconds{0}) {
                place(std::make_unique<rtl_pfc<pfc_receive_clocked_port, pfc_transmit_clocked_port>>(
                    name.c_str(), transmit, rates, period));
            } else {
                place(std::make_unique<rtl_pfc<pfc_receive_port, pfc_transmit_port>>(name.c_str(), transmit,
                                                                                     rates));
            }
        }
        if (tcam) {
            auto block = std::make_unique<rtl_tcam>(
                (prefix + "tcam").c_str(), make_tcam_pins(static_cast<std::uint32_t>(routes[s])), period);
            device.lookup.bind(block->block);
            keep(switch_name(built.plan, s), "tcam", std::move(block));
        }
    }
}

#else

config_errors check_rtl(const run_config& config, const built_topology& built) {
    config_errors errors;
    const std::string missing =
        "'rtl' needs a program that was built with Verilator (package verilator, WEIR_WITH_RTL=ON)";
    if (has_rtl_arbiter(config)) {
        errors.push_back({{}, 0, "switch.arbiter", missing + "; expected islip, the same as a model"});
    }
    if (has_rtl_pfc(config)) {
        errors.push_back({{}, 0, "mac.pfc", missing + "; expected model"});
    }
    if (has_rtl_lookup(config)) {
        errors.push_back({{}, 0, "switch.tcam", missing + "; expected model"});
    }
    if (has_rtl(config)) {
        check_names(config, built.plan, errors);
    }
    return errors;
}

rtl_blocks::rtl_blocks(const run_config&, const built_topology&, fabric&) {}

#endif

std::vector<rtl_use> rtl_blocks::uses() const {
    std::vector<rtl_use> all;
    for (const counted_block& each : m_counted) {
        all.push_back(each.use);
        all.back().cycles = each.cycles();
    }
    return all;
}

}  // namespace weir::tb
