#include "tb/sweep/swept_columns.h"

#include <cmath>

#include "tb/options/run_options.h"
#include "tb/sweep/quantity.h"

namespace weir::tb {

using nlohmann::ordered_json;

ordered_json swept_options(const sweep_plan& plan, std::size_t point) {
    ordered_json j = ordered_json::object();
    for (const auto& [key, text] : plan.settings(point)) {
        j[key] = text;
        const option* const known = known_options().find(key);
        const quantity_kind kind = known == nullptr ? quantity_kind::none : quantity_of(*known);
        if (!column_suffix(kind).empty()) {
            const parse_result<double> number = read_quantity(kind, text);
            j[key + column_suffix(kind)] = number ? ordered_json(column_value(kind, number.value)) : nullptr;
        }
    }
    return j;
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

void add_names(csv_line& line, const ordered_json& object) {
    for (const auto& [name, value] : object.items()) {
        line.add_name(name);
    }
}

void add_values(csv_line& line, const ordered_json& object) {
    for (const ordered_json& value : object) {
        line.add_name(plain_text(value));
    }
}

}  // namespace weir::tb
