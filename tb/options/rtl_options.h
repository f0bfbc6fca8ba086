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
