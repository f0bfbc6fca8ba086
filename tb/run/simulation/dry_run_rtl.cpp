#include "tb/run/simulation/dry_run.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/options/run_traits.h"
#include "tb/run/topology/name_ranges.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

std::string cycles_text(std::int64_t cycles, picoseconds clock) {
    return how_many(static_cast<std::uint64_t>(cycles), "cycle") + " (" + to_text(clock * cycles) + ")";
}

/// What the fastest link of the chosen switches carries while a request waits for its frame.
std::string not_counted(const run_config& config, const topology& plan, picoseconds clock) {
    bit_rate fastest{0};
    for (const switch_id s : rtl_switches(config, plan)) {
        for (const link_id link : plan.ports(node_ref::of_switch(s))) {
            fastest = std::max(fastest, plan.link(link).rate);
        }
    }
    const std::int64_t cycles = rtl_latencies{}.request + 1;
    constexpr std::int64_t byte_time = 8'000'000'000'000;
    const double carried = static_cast<double>(fastest.count()) *
                           static_cast<double>((clock * cycles).count()) / static_cast<double>(byte_time);
    return "; thresholds do not account for this delay of up to " + cycles_text(cycles, clock) + ", " +
           std::to_string(static_cast<std::int64_t>(std::ceil(carried))) + " B at " + to_text(fastest);
}

}  // namespace

void print_rtl(std::ostream& out, const run_config& config, const topology& plan) {
    std::vector<std::string> names;
    for (const switch_id s : rtl_switches(config, plan)) {
        names.push_back(plan.name(node_ref::of_switch(s)));
    }
    if (names.empty()) {
        return;
    }
    constexpr std::size_t most_ranges = 12;
    const bool own = config.rtl.latency == rtl_latency::rtl;
    const picoseconds clock = own ? *config.rtl.clock : picoseconds{0};
    const rtl_latencies cycles;
    const bool all = names.size() == plan.switches();
    out << "RTL in " << (all ? "all switches" : name_ranges(names, most_ranges)) << ", with "
        << (own ? "latencies of its own, clock " + to_text(clock) : std::string("the model's latencies"))
        << '\n';
    if (has_rtl_arbiter(config)) {
        out << "  switch.arbiter" << (own ? ": " + cycles_text(1, clock) + " per iteration" : std::string{})
            << '\n';
    }
    if (has_rtl_lookup(config)) {
        out << "  switch.tcam: lookup "
            << (own ? cycles_text(cycles.lookup, clock) : to_text(config.device.lookup_delay)) << '\n';
    }
    if (has_rtl_pfc(config)) {
        out << "  mac.pfc"
            << (own ? ": to the next edge and " + cycles_text(cycles.pause, clock) +
                          " from a frame's last bit to its pause, " + cycles_text(cycles.request, clock) +
                          " from a request to its frame" + not_counted(config, plan, clock)
                    : std::string{})
            << '\n';
    }
}

}  // namespace weir::tb
