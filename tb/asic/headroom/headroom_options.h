// Options of `weir headroom`, block [headroom]: those of a budget, and of what is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/asic/headroom/profile_file.h"
#include "tb/asic/headroom/verify.h"
#include "tb/run/fields/option_table.h"
#include "weir/model/flow_control/headroom_budget.h"

namespace weir::tb {

using weir::to_text;

struct headroom_request {
    headroom_budget_config budget;
    /// Rows of a table.
    std::vector<bit_rate> speeds{10_Gbps, 25_Gbps, 40_Gbps, 50_Gbps, 100_Gbps, 200_Gbps, 400_Gbps, 800_Gbps};
    std::vector<millimetres> cables{millimetres{5'000}, millimetres{40'000}, millimetres{300'000}};
    /// Columns of a SONiC file that headroom does not decide: log2 of alpha, and the hysteresis of XON.
    std::int32_t threshold = 0;
    std::optional<bytes> xon_offset;
    verify_config attack;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        using budget_config = headroom_budget_config;
        constexpr auto exponents = profile_row::threshold_range;
        fields.part(&self::budget);
        fields(field("speeds", &self::speeds)
                   .range(budget_config::rate_range)
                   .help("Link rates of the rows of --table; replaces rate."));
        fields(field("cables", &self::cables)
                   .rule(budget_config::cables, budget_config::in_cable_range)
                   .help("Cable lengths of the rows of --table; replaces cable."));
        fields(field("threshold", &self::threshold)
                   .range(static_cast<std::int32_t>(exponents.low), static_cast<std::int32_t>(exponents.high))
                   .help("Value of the column threshold in a SONiC file: log2 of alpha. Headroom does not "
                         "depend on it."));
        fields(field("xon_offset", &self::xon_offset)
                   .range(budget_config::size_range)
                   .help("Value of the column xon_offset in a SONiC file. auto: no such column. Headroom does "
                         "not depend on it."));
        fields.part(&self::attack);
    }
};

/// Registers all options; the table refers to `request`.
option_table make_headroom_table(headroom_request& request);

/// `5m` as SONiC's files have it.
parse_result<millimetres> parse_length(std::string_view text);
/// `1.6us`, `8192bt`, `67q`, `0.8KiB`.
std::string to_text(const line_delay& delay);
parse_result<line_delay> parse_delay(std::string_view text);
/// `198000km/s`
parse_result<metres_per_second> parse_velocity(std::string_view text);
/// `64B:60%`
parse_result<frame_share> parse_frame_share(std::string_view text);

}  // namespace weir::tb
