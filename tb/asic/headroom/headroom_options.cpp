#include "tb/asic/headroom/headroom_options.h"

#include <cmath>

namespace weir::tb {

namespace {

constexpr weir::detail::unit_scale length_units[] = {{"km", 1'000'000}, {"m", 1'000}, {"cm", 10}, {"mm", 1}};
constexpr weir::detail::unit_scale velocity_units[] = {{"km/s", 1'000}, {"m/s", 1}};
constexpr const char* delay_forms =
    "a number with ps, ns, us, ms or s, bt (bit times), q (512 bit times), B, KB or KiB";

std::string_view unit_of(std::string_view text) {
    const std::size_t at = text.find_last_of("0123456789. ");
    return at == std::string_view::npos ? text : text.substr(at + 1);
}

}  // namespace

// A foot is 304.8 mm: such a length is rounded up to a whole millimetre, which takes 5 ps at most.
parse_result<millimetres> parse_length(std::string_view text) {
    constexpr const char* forms = "a number with mm, cm, ft, m or km";
    if (unit_of(text) == "ft") {
        static constexpr weir::detail::unit_scale tenths_of_millimetres[] = {{"ft", 3'048}};
        const auto read = weir::detail::parse_scaled(text, tenths_of_millimetres, forms);
        return {millimetres{(read.value + 9) / 10}, read.error};
    }
    const auto read = weir::detail::parse_scaled(text, length_units, forms);
    return {millimetres{read.value}, read.error};
}

parse_result<metres_per_second> parse_velocity(std::string_view text) {
    const auto read = weir::detail::parse_scaled(text, velocity_units, "a number with m/s or km/s");
    return {metres_per_second{read.value}, read.error};
}

parse_result<line_delay> parse_delay(std::string_view text) {
    // Bytes in thousandths.
    static constexpr std::pair<weir::detail::unit_scale, delay_unit> units[] = {
        {{"MiB", 1'048'576'000}, delay_unit::millibytes},
        {{"MB", 1'000'000'000}, delay_unit::millibytes},
        {{"KiB", 1'024'000}, delay_unit::millibytes},
        {{"KB", 1'000'000}, delay_unit::millibytes},
        {{"B", 1'000}, delay_unit::millibytes},
        {{"bt", 1}, delay_unit::bit_times},
        {{"q", 1}, delay_unit::quanta}};
    for (const auto& [scale, unit] : units) {
        if (scale.suffix == unit_of(text)) {
            const weir::detail::unit_scale only[] = {scale};
            const auto read = weir::detail::parse_scaled(text, only, delay_forms);
            return {{unit, read.value}, read.error};
        }
    }
    const auto read = weir::detail::parse_scaled(text, weir::detail::time_units, delay_forms);
    return {{delay_unit::picoseconds, read.value}, read.error};
}
std::string to_text(const line_delay& delay) {
    switch (delay.unit) {
        case delay_unit::picoseconds:
            return to_text(picoseconds{delay.count});
        case delay_unit::bit_times:
            return std::to_string(delay.count) + "bt";
        case delay_unit::quanta:
            return std::to_string(delay.count) + "q";
        case delay_unit::millibytes: {
            constexpr weir::detail::unit_scale printed[] = {{"KiB", 1'024'000}, {"B", 1'000}};
            if (delay.count % 1'024'000 == 0 && delay.count > 0) {
                return weir::detail::format_scaled(delay.count, printed, false);
            }
            std::string text = std::to_string(delay.count / 1000);
            if (delay.count % 1000 != 0) {
                text += "." + std::to_string(1000 + delay.count % 1000).substr(1);
                text.erase(text.find_last_not_of('0') + 1);
            }
            return text + "B";
        }
    }
    return {};
}

parse_result<frame_share> parse_frame_share(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return {{},
                "'" + std::string(text) + "' is not an entry of a mix; expected LENGTH:SHARE, such as 64B:60%"};
    }
    const auto length = parse_bytes(text.substr(0, colon));
    const auto share = detail::parse_share(text.substr(colon + 1));
    if (!length || !share) {
        return {{}, length ? share.error : length.error};
    }
    if (share.value < 0 || share.value > 1) {
        const std::string percent = detail::share_in_percent(text);
        const auto read = detail::parse_share(std::string_view(percent).substr(colon + 1));
        return {{},
                out_of_range(std::string(text), "shares from 0% to 100%") +
                    (read && read.value >= 0 && read.value <= 1 ? detail::percent_advice(percent) : "")};
    }
    return {{length.value, std::llround(share.value * 1'000'000)}, {}};
}

template <>
struct text_form<millimetres> : quantity_form<millimetres, parse_length> {
    static std::string unit() { return "length"; }
};
template <>
struct text_form<metres_per_second> : quantity_form<metres_per_second, parse_velocity> {
    static std::string unit() { return "velocity"; }
};
template <>
struct text_form<line_delay> : plain_form {
    static parse_result<line_delay> parse(std::string_view text) { return parse_delay(text); }
    static std::string format(const line_delay& value) { return to_text(value); }
    static std::string unit() { return "time, bit times (bt), quanta (q) or bytes"; }
};
template <>
struct text_form<frame_share> : plain_form {
    static parse_result<frame_share> parse(std::string_view text) { return parse_frame_share(text); }
    static std::string format(const frame_share& value) {
        return to_text(value.length) + ":" + share_text(static_cast<double>(value.millionths) / 1'000'000);
    }
    static std::string unit() { return "LENGTH:SHARE"; }
};

option_table make_headroom_table(headroom_request& request) {
    option_table table;
    table.count_cells_of("headroom.cell");
    table.block("headroom", "PFC headroom of one port and class. `--rate` is short for `--headroom.rate`.", "")
        .add(request);
    table.finish();
    table.check([&request] { return request.budget.validate(); });
    return table;
}

}  // namespace weir::tb
