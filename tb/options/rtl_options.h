// Which blocks of a run are RTL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"

namespace weir::tb {

/// What `switch.arbiter` may be: the model's kinds, and iSLIP as RTL.
enum class arbiter_choice : std::uint8_t { islip, pim, round_robin, maximum_size, rtl };
constexpr auto names_of(arbiter_choice) {
    return enum_names<arbiter_choice>({
        {arbiter_choice::islip, "islip", "prioritised iSLIP (McKeown 1999)"},
        {arbiter_choice::pim, "pim", "parallel iterative matching: random grants and accepts (Anderson 1993)"},
        {arbiter_choice::round_robin, "round_robin",
         "as islip, but the pointers move at every grant and therefore do not desynchronise"},
        {arbiter_choice::maximum_size, "maximum_size",
         "maximum-size matching: an upper bound for comparison, not a hardware algorithm"},
        {arbiter_choice::rtl, "rtl",
         "islip as RTL, simulated with Verilator, in the switches that rtl.switches names"},
    });
}
/// What stands for a block, and whose latency it has.
enum class block_kind : std::uint8_t { model, rtl };
constexpr auto names_of(block_kind) {
    return enum_names<block_kind>({
        {block_kind::model, "model", "the model"},
        {block_kind::rtl, "rtl",
         "the project's RTL, simulated with Verilator, in the switches that rtl.switches names"},
    });
}

/// Keys: [rtl], and those that choose RTL for a block.
struct rtl_options {
    arbiter_choice arbiter = arbiter_choice::islip;
    block_kind tcam = block_kind::model;
    block_kind pfc = block_kind::model;
    std::vector<std::string> switches{"all"};
    block_kind latency = block_kind::model;
    /// Set where RTL has its own latency.
    std::optional<picoseconds> clock;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("switch.tcam", &self::tcam)
                   .after("tcam_entries")
                   .help("Implementation of the destination lookup.")
                   .source("project"));
        fields(field("switch.arbiter", &self::arbiter)
                   .after("cell")
                   .needs("switch.buffer = partitioned")
                   .help("Algorithm that matches ingress ports with egress ports.")
                   .source("DeTail 7.1: iSLIP"));
        fields(field("mac.pfc", &self::pfc)
                   .needs("pfc.mode = pfc")
                   .help("Implementation of PFC in the MAC: turns pause requests into PFC frames, and received "
                         "PFC frames into pauses.")
                   .source("project"));
        fields(field("switches", &self::switches)
                   .rule("all, or names of switches separated by commas, such as core*",
                         [](const std::string& name) { return !name.empty(); })
                   .needs("switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with "
                          "pfc.mode = pfc) = rtl")
                   .help("Switches in which the blocks that are set to `rtl` are RTL: all, or names; * stands "
                         "for any text. The other switches use the models of these blocks.")
                   .source("project"));
        fields(
            field("latency", &self::latency)
                .needs("a block that is rtl")
                .help("Latency of blocks that are RTL. `model`: the latency of the model, so that a run writes "
                      "the same bytes. `rtl`: the cycles that the RTL takes, each of length rtl.clock: an "
                      "arbitration one cycle per iteration; a lookup three; a PFC frame three from its last "
                      "bit to the pause (instead of pfc.response), and four from the request to its first bit.")
                .source("project; tb/rtl"));
        fields(field("clock", &self::clock)
                   .range(1_ps, 1us)
                   .needs("a block that is rtl, with rtl.latency = rtl")
                   .help("Clock period of the RTL with rtl.latency = rtl, which requires it. For mac.pfc the "
                         "period must be a whole multiple of 2 bit times of each link of the switch: 6.4ns are "
                         "64 bit times at 10 Gb/s. auto: no clock.")
                   .source("project"));
    }
};

}  // namespace weir::tb
