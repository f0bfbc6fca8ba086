#include "tb/support/record/column_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "tb/support/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

/// Place of the unit of a column whose values other than 0 have this range (`fit_to`). `first`: the smallest
/// unit.
static std::size_t unit_for(double smallest, double largest, double first) {
    constexpr double steps[] = {1, 1e3, 1e6, 1e9};
    // Returns the last unit of which the value, as it is printed, is at least `share`.
    const auto place_of = [&](double value, double share) {
        std::size_t place = std::size(steps) - 1;
        while (place > 0 && std::round(value / first / steps[place] * 1'000) < share * 1'000) {
            --place;
        }
        return place;
    };
    const std::size_t own = place_of(smallest, 1);
    const std::size_t common = own == place_of(largest, 1) ? own : place_of(smallest, 0.1);
    return largest / first / steps[common] < 1e7 ? common : fitting_unit;
}

column_format column_format::fit_to(const std::vector<const ordered_json*>& values) const {
    column_format fitted = *this;
    bool all_whole = true;
    double largest = 0;
    double smallest = HUGE_VAL;
    for (const ordered_json* value : values) {
        if (value->is_number()) {
            all_whole = all_whole && value->is_number_integer();
            const double size = std::fabs(value->get<double>());
            largest = std::max(largest, size);
            smallest = size > 0 ? std::min(smallest, size) : smallest;
        }
    }
    if (largest > 0 && (unit == metric_unit::time || unit == metric_unit::rate)) {
        fitted.unit_place = unit_for(smallest, largest, unit == metric_unit::rate ? 1'000 : 1);
    }
    if (decimals < 0 && !all_whole && unit != metric_unit::percent) {
        fitted.decimals = largest < 100 ? 3 : largest < 1'000 ? 2 : largest < 10'000 ? 1 : 0;
    }
    return fitted;
}

std::string people_text(const ordered_json& value, const column_format& format) {
    if (value.is_null()) {
        return "-";
    }
    if (!value.is_number()) {
        return plain_text(value);
    }
    const int decimals = format.fit_to({&value}).decimals;
    switch (format.unit) {
        case metric_unit::time:
            return time_text(value, format.unit_place);
        case metric_unit::rate:
            return rate_text(std::llround(value.get<double>()), format.unit_place);
        case metric_unit::percent:
            return percent_text(value, format.decimals < 0 ? 2 : format.decimals);
        default:
            break;
    }
    const std::string text = decimals < 0 ? value.dump() : decimal_text(value.get<double>(), decimals);
    return (format.is_grouped ? grouped(text) : text) +
           (format.unit == metric_unit::bytes ? " B" : format.suffix);
}

std::string time_text(const ordered_json& ns, std::size_t unit) {
    if (!ns.is_number()) {
        return "-";
    }
    return ns.is_number_float() ? duration_text(picoseconds{std::llround(ns.get<double>() * 1000)}, unit)
           : ns.get<std::int64_t>() > INT64_MAX / 1000
               ? count_text(ns.get<std::uint64_t>() / 1'000'000'000) + " s"
               : duration_text(picoseconds{ns.get<std::int64_t>() * 1000}, unit);
}

std::string tally_text(const ordered_json& count) {
    return count.is_null() ? "-" : count_text(count.get<std::uint64_t>());
}

std::string percent_text(const ordered_json& percent, int decimals) {
    return percent.is_null() ? "-" : decimal_text(percent.get<double>(), decimals) + " %";
}

double rounded(double value, int digits) {
    std::array<char, 64> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1);
    double back = value;
    std::from_chars(text.data(), written.ptr, back);
    return back;
}

std::string decimal_text(double value) {
    std::array<char, 400> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value == 0 ? 0 : value, std::chars_format::fixed);
    return {text.data(), written.ptr};
}

std::string plain_text(const ordered_json& value) {
    if (value.is_array()) {
        const auto text_of = [](const ordered_json& each) { return each.get<std::string>(); };
        return value.empty() ? "none" : joined(value, ", ", text_of);
    }
    // The library's own text of a number need not be the shortest.
    return value.is_null()           ? ""
           : value.is_string()       ? value.get<std::string>()
           : value.is_number_float() ? decimal_text(value.get<double>())
                                     : value.dump();
}

std::vector<std::string> names_in(const ordered_json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) {
        names.push_back(name);
    }
    return names;
}

std::vector<std::string> plain_texts(const ordered_json& object) {
    std::vector<std::string> texts(object.size());
    std::transform(object.begin(), object.end(), texts.begin(), plain_text);
    return texts;
}

ordered_json plain_number(double value) {
    const double short_value = rounded(value, 12);
    const bool is_whole = std::fabs(short_value) < 1e15 && short_value == std::floor(short_value);
    return !is_whole          ? ordered_json(short_value)
           : short_value >= 0 ? ordered_json(static_cast<std::uint64_t>(short_value))
                              : ordered_json(static_cast<std::int64_t>(short_value));
}

std::string lower_bound_key(const std::string& percentile) {
    return percentile + "_is_lower_bound";
}

ordered_json json_of(const mean_interval& interval) {
    ordered_json j{{"n", interval.n}};
    j["mean"] = interval.n > 0 ? plain_number(interval.mean) : ordered_json();
    j["low"] = interval.has_width() ? plain_number(interval.low()) : ordered_json();
    j["high"] = interval.has_width() ? plain_number(interval.high()) : ordered_json();
    return j;
}

std::string width_text(const mean_interval& interval) {
    const double percent = 100 * interval.half_width / std::fabs(interval.mean);
    return interval.has_width() && interval.mean != 0
               ? " +-" + decimal_text(percent, percent < 100 ? 1 : 0) + "%"
               : "";
}

}  // namespace weir::tb
