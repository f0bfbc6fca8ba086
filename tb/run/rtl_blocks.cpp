#include "tb/run/rtl_blocks.h"

#include <fnmatch.h>

#include <algorithm>
#include <string>
#include <utility>

#ifdef WEIR_WITH_RTL
#include "tb/rtl/rtl_arbiter.h"
#endif

namespace weir {

namespace {

bool names(const std::string& pattern, const std::string& name) {
    return pattern == "all" || ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool any_rtl(const run_config& config) {
    // A shared memory has no crossbar that an arbiter could serve.
    return config.shared.kind == buffer_kind::partitioned && config.device.arbiter == arbiter_kind::rtl;
}

std::string name_of(const topology& plan, switch_id s) {
    return plan.name(node_ref::of_switch(s));
}

void check_names(const run_config& config, const topology& plan, config_errors& errors) {
    for (const std::string& pattern : config.rtl.switches) {
        bool found = false;
        for (switch_id s = 0; s < plan.switches(); ++s) {
            found = found || names(pattern, name_of(plan, s));
        }
        if (!found) {
            errors.push_back(
                {{},
                 0,
                 "rtl.switches",
                 "'" + pattern +
                     "' names no switch; allowed: all, a switch that `weir run --dry-run` lists, such "
                     "as " +
                     name_of(plan, 0) + "; * stands for any text"});
        }
    }
}

}  // namespace

std::vector<switch_id> rtl_switches(const run_config& config, const topology& plan) {
    std::vector<switch_id> chosen;
    for (switch_id s = 0; s < plan.switches() && any_rtl(config); ++s) {
        const std::vector<std::string>& patterns = config.rtl.switches;
        if (std::any_of(patterns.begin(), patterns.end(),
                        [&](const std::string& pattern) { return names(pattern, name_of(plan, s)); })) {
            chosen.push_back(s);
        }
    }
    return chosen;
}

#ifdef WEIR_WITH_RTL

static void check_arbiter(const run_config& config, const topology& plan, config_errors& errors) {
    const unsigned most = arbiter_rtl_sizes().back();
    for (const switch_id s : rtl_switches(config, plan)) {
        const std::size_t ports = plan.ports(node_ref::of_switch(s)).size();
        if (ports > most) {
            errors.push_back({{},
                              0,
                              "switch.arbiter",
                              "'rtl' has no arbiter for the " + std::to_string(ports) + " ports of " +
                                  name_of(plan, s) + "; allowed: rtl at switches of up to " +
                                  std::to_string(most) +
                                  " ports (rtl.switches), or islip, the same as a model"});
            return;
        }
    }
}

config_errors check_rtl(const run_config& config, const topology& plan) {
    config_errors errors;
    if (any_rtl(config)) {
        check_names(config, plan, errors);
        check_arbiter(config, plan, errors);
    }
    return errors;
}

rtl_blocks::rtl_blocks(const run_config& config, fabric& network) {
    for (const switch_id s : rtl_switches(config, network.plan())) {
        switch_node& device = network.device(s);
        const std::string prefix = "rtl_" + std::string(device.basename()) + "_";
        if (config.device.arbiter == arbiter_kind::rtl) {
            const std::size_t ports = network.plan().ports(node_ref::of_switch(s)).size();
            auto block = std::make_unique<rtl_arbiter>((prefix + "arbiter").c_str(),
                                                       make_arbiter_pins(static_cast<unsigned>(ports)));
            device.arbiter.bind(block->block);
            m_blocks.push_back(std::move(block));
        }
    }
}

#else

config_errors check_rtl(const run_config& config, const topology& plan) {
    config_errors errors;
    const char* const missing =
        "'rtl' needs a program that was built with Verilator (package verilator, WEIR_WITH_RTL=ON)";
    if (config.device.arbiter == arbiter_kind::rtl) {
        errors.push_back(
            {{}, 0, "switch.arbiter", std::string(missing) + "; allowed: islip, the same as a model"});
    }
    if (any_rtl(config)) {
        check_names(config, plan, errors);
    }
    return errors;
}

rtl_blocks::rtl_blocks(const run_config&, fabric&) {}

#endif

}  // namespace weir
