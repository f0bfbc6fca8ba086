#include "tb/study/points/quantity.h"

#include <cmath>
#include <utility>

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

}  // namespace weir::tb
