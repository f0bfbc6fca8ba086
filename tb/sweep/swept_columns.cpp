#include "tb/sweep/swept_columns.h"

#include "tb/options/run_options.h"

namespace weir::tb {

using nlohmann::ordered_json;

swept_columns::swept_columns(const sweep_plan& plan) : m_plan(plan) {
    const option_table& table = known_options();
    for (const std::string& key : plan.keys()) {
        const option* const o = table.find(key);
        m_kinds.push_back(o == nullptr ? quantity_kind::none : quantity_of(*o));
    }
}

void swept_columns::add_header(csv_line& line) const {
    const std::vector<std::string> keys = m_plan.keys();
    for (std::size_t k = 0; k < keys.size(); ++k) {
        line.add_name(keys[k]);
        if (!column_suffix(m_kinds[k]).empty()) {
            line.add_name(keys[k] + column_suffix(m_kinds[k]));
        }
    }
}

void swept_columns::add(csv_line& line, std::size_t point) const {
    const auto settings = m_plan.settings(point);
    for (std::size_t k = 0; k < settings.size(); ++k) {
        line.add_name(settings[k].second);
        if (!column_suffix(m_kinds[k]).empty()) {
            const std::optional<double> number = number_of(k, settings[k].second);
            line.add_name(number ? decimal_text(*number) : std::string{});
        }
    }
}

ordered_json swept_columns::json(std::size_t point) const {
    ordered_json j = ordered_json::object();
    const auto settings = m_plan.settings(point);
    for (std::size_t k = 0; k < settings.size(); ++k) {
        j[settings[k].first] = settings[k].second;
        if (!column_suffix(m_kinds[k]).empty()) {
            const std::optional<double> number = number_of(k, settings[k].second);
            j[settings[k].first + column_suffix(m_kinds[k])] = number ? ordered_json(*number) : ordered_json();
        }
    }
    return j;
}

std::optional<double> swept_columns::number_of(std::size_t k, const std::string& text) const {
    const parse_result<double> read = read_quantity(m_kinds[k], text);
    return read ? std::optional(column_value(m_kinds[k], read.value)) : std::nullopt;
}

}  // namespace weir::tb
