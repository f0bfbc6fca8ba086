#include "tb/sweep/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "tb/text/joined.h"

namespace weir::tb {

quantity_kind quantity_of(const option& o) {
    static constexpr std::pair<std::string_view, quantity_kind> kinds[] = {
        {"bytes", quantity_kind::bytes}, {"time", quantity_kind::time},     {"rate", quantity_kind::rate},
        {"count", quantity_kind::count}, {"number", quantity_kind::number}, {"share", quantity_kind::share}};
    // A list of one is as good as a quantity; longer ones are none, which reading them tells.
    static constexpr std::string_view list = "list of ";
    std::string unit = o.value->unit();
    unit = unit.substr(0, list.size()) == list ? unit.substr(list.size()) : unit;
    for (const auto& [name, kind] : kinds) {
        if (unit == name || unit == std::string(name) + " or auto") {
            return kind;
        }
    }
    return quantity_kind::none;
}

bool is_whole(quantity_kind kind) {
    return kind != quantity_kind::number && kind != quantity_kind::share;
}

parse_result<double> read_quantity(quantity_kind kind, std::string_view text) {
    const auto counted = [](const auto& read) {
        return parse_result<double>{static_cast<double>(read.value.count()), read.error};
    };
    switch (kind) {
        case quantity_kind::bytes:
            return counted(parse_bytes(text));
        case quantity_kind::time:
            return counted(parse_time(text));
        case quantity_kind::rate:
            return counted(parse_rate(text));
        case quantity_kind::count: {
            const auto read = detail::parse_count(text, UINT64_MAX);
            return {static_cast<double>(read.value), read.error};
        }
        case quantity_kind::number:
            return detail::parse_number(text);
        case quantity_kind::share:
            return detail::parse_share(text);
        case quantity_kind::none:
            break;
    }
    return {0, "'" + std::string(text) + "' is not a quantity"};
}

std::string print_quantity(quantity_kind kind, double value) {
    switch (kind) {
        case quantity_kind::bytes:
            return to_text(bytes{std::llround(value)});
        case quantity_kind::time:
            return to_text(picoseconds{std::llround(value)});
        case quantity_kind::rate:
            return to_text(bit_rate{std::llround(value)});
        case quantity_kind::count:
            return std::to_string(std::llround(value));
        case quantity_kind::share:
            return share_text(rounded(value, 12));
        default:
            return field_text(rounded(value, 12));
    }
}

std::string column_suffix(quantity_kind kind) {
    switch (kind) {
        case quantity_kind::bytes:
            return "_bytes";
        case quantity_kind::time:
            return "_ns";
        case quantity_kind::rate:
            return "_bps";
        case quantity_kind::share:
            return "_share";
        default:
            return {};
    }
}

double column_value(quantity_kind kind, double value) {
    return kind == quantity_kind::time ? value / 1000 : value;
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

std::string plain_text(const nlohmann::ordered_json& value) {
    if (value.is_array()) {
        const auto text_of = [](const nlohmann::ordered_json& each) { return each.get<std::string>(); };
        return value.empty() ? "none" : joined(value, ", ", text_of);
    }
    // The library's own text of a number need not be the shortest.
    return value.is_null()           ? ""
           : value.is_string()       ? value.get<std::string>()
           : value.is_number_float() ? decimal_text(value.get<double>())
                                     : value.dump();
}

std::vector<std::string> names_in(const nlohmann::ordered_json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) {
        names.push_back(name);
    }
    return names;
}

std::vector<std::string> plain_texts(const nlohmann::ordered_json& object) {
    std::vector<std::string> texts(object.size());
    std::transform(object.begin(), object.end(), texts.begin(), plain_text);
    return texts;
}

nlohmann::ordered_json plain_number(double value) {
    const double short_value = rounded(value, 12);
    const bool is_whole = std::fabs(short_value) < 1e15 && short_value == std::floor(short_value);
    return !is_whole          ? nlohmann::ordered_json(short_value)
           : short_value >= 0 ? nlohmann::ordered_json(static_cast<std::uint64_t>(short_value))
                              : nlohmann::ordered_json(static_cast<std::int64_t>(short_value));
}

}  // namespace weir::tb
