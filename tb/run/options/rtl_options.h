// Where a run's blocks are RTL, and how long they take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"

namespace weir::tb {

/// Whose latency blocks have that are RTL.
enum class rtl_latency : std::uint8_t { model, rtl };
constexpr auto names_of(rtl_latency) {
    return enum_names<rtl_latency>({
        {rtl_latency::model, "model", "the model's"},
        {rtl_latency::rtl, "rtl", "the RTL's cycles"},
    });
}

/// Keys: [rtl].
struct rtl_options {
    std::vector<std::string> switches{"all"};
    rtl_latency latency = rtl_latency::model;
    /// Set where RTL has its own latency.
    std::optional<picoseconds> clock;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("switches", &self::switches)
                   .rule("all, or names of switches separated by commas, such as core*",
                         [](const std::string& name) { return !name.empty(); })
                   .needs("some_block_is_rtl")
                   .help("Switches in which the blocks that are set to `rtl` are RTL: all, or names; * stands "
                         "for any text. The other switches use the models of these blocks."));
        fields(
            field("latency", &self::latency)
                .needs("some_block_is_rtl")
                .help("Latency of blocks that are RTL. `model`: the latency of the model, so that a run writes "
                      "the same bytes. `rtl`: the cycles that the RTL takes, each of length rtl.clock: an "
                      "arbitration one cycle per iteration; a lookup three; a PFC frame three from its last "
                      "bit to the pause (instead of pfc.response), and four from the request to its first bit.")
                .source("project; tb/verify/verilog"));
        fields(field("clock", &self::clock)
                   .range(1_ps, 1us)
                   .needs("some_block_is_rtl", "rtl.latency = rtl")
                   .help("Clock period of the RTL with rtl.latency = rtl, which requires it. For mac.pfc the "
                         "period must be a whole multiple of 2 bit times of each link of the switch: 6.4ns are "
                         "64 bit times at 10 Gb/s. auto: no clock."));
    }
};

}  // namespace weir::tb
