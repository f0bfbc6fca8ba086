#include "tb/run/dry_run_rtl.h"

#include <string>
#include <vector>

#include "tb/run/name_ranges.h"
#include "tb/run/rtl_blocks.h"
#include "weir/base/unit_text.h"

namespace weir {

namespace {

std::string cycles_text(std::int64_t cycles, picoseconds clock) {
    return std::to_string(cycles) + (cycles == 1 ? " cycle" : " cycles") + " (" + to_text(clock * cycles) + ")";
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
    const bool own = config.rtl.latency == block_kind::rtl;
    const picoseconds clock = own ? *config.rtl.clock : picoseconds{0};
    const rtl_latencies cycles;
    const bool all = names.size() == plan.switches();
    out << "RTL at " << (all ? "all switches" : name_ranges(names, most_ranges)) << ", with "
        << (own ? "latencies of its own, clock " + to_text(clock) : std::string("the model's latencies"))
        << '\n';
    if (has_rtl_arbiter(config)) {
        out << "  switch.arbiter" << (own ? ": " + cycles_text(1, clock) + " per iteration" : std::string{})
            << '\n';
    }
    if (config.rtl.tcam == block_kind::rtl) {
        out << "  switch.tcam: lookup "
            << (own ? cycles_text(cycles.lookup, clock) : to_text(config.device.lookup_delay)) << '\n';
    }
    if (has_rtl_pfc(config)) {
        out << "  mac.pfc"
            << (own ? ": to the next edge and " + cycles_text(cycles.pause, clock) +
                          " from a frame's last bit to its pause, " + cycles_text(cycles.request, clock) +
                          " from a request to its frame"
                    : std::string{})
            << '\n';
    }
}

}  // namespace weir
