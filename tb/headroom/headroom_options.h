// Options of `weir headroom`, block [headroom]: those of a budget, and of what is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/headroom/verify.h"
#include "tb/options/option_table.h"
#include "weir/model/flow_control/headroom_budget.h"

namespace weir {

struct headroom_request {
    headroom_budget_config budget;
    /// Rows of a table.
    std::vector<bit_rate> speeds{10_Gbps, 25_Gbps, 40_Gbps, 50_Gbps, 100_Gbps, 200_Gbps, 400_Gbps, 800_Gbps};
    std::vector<millimetres> cables{millimetres{5'000}, millimetres{40'000}, millimetres{300'000}};
    /// Columns of a SONiC file that headroom does not decide: log2 of alpha, and the hysteresis of XON.
    std::int32_t threshold = 0;
    std::optional<bytes> xon_offset;
    verify_config attack;
    static constexpr field_range search_cases_range{0U, 1'000'000U};
};

/// Registers all options; the table refers to `request`.
option_table make_headroom_table(headroom_request& request);

/// `300m`, `1.5km`: exact, down to a millimetre.
std::string to_text(millimetres length);
/// `5m` as SONiC's files have it.
parse_result<millimetres> parse_length(std::string_view text);
/// `1.6us`, `8192bt`, `67q`, `0.8KiB`.
std::string to_text(const line_delay& delay);
parse_result<line_delay> parse_delay(std::string_view text);
/// `198000km/s`
parse_result<metres_per_second> parse_velocity(std::string_view text);
/// `64B:60%`
parse_result<frame_share> parse_frame_share(std::string_view text);
/// The option's name of a profile.
std::string to_text(headroom_profile profile);
std::string to_text(attacked_memory memory);

}  // namespace weir
