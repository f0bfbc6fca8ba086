#include "tb/study/sweep/swept_axis.h"

#include <cmath>
#include <numeric>
#include <set>

#include "tb/run/options/run_options.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

namespace {

/// Whether sizes are written in multiples of 1,000, and none in those of 1,024.
bool are_decimal(const std::vector<std::string>& sizes) {
    const auto ends = [](const std::string& unit) {
        return [unit](const std::string& size) {
            return size.size() >= unit.size() &&
                   size.compare(size.size() - unit.size(), unit.size(), unit) == 0;
        };
    };
    return std::none_of(sizes.begin(), sizes.end(), ends("iB")) &&
           std::any_of(sizes.begin(), sizes.end(), [&](const std::string& size) {
               return ends("KB")(size) || ends("MB")(size) || ends("GB")(size);
           });
}

/// Unit in which positions from `low` to `high` are small numbers.
axis_unit unit_of(axis_kind kind, double low, double high, bool logarithmic) {
    if (kind == axis_kind::time && logarithmic) {
        return log_time_unit(low, high);
    }
    return tb::unit_of(kind, kind == axis_kind::rate ? std::max(high, 1e6)
                             : logarithmic           ? std::sqrt(low * high)
                                                     : high);
}

/// `1/s` of an option whose description ends in "Unit: 1/s."; its values are bare numbers.
std::string told_unit(const option& o) {
    const std::string word = "Unit: ";
    const std::size_t at = o.doc.find(word);
    return at == std::string::npos ? std::string{}
                                   : o.doc.substr(at + word.size(), o.doc.find('.', at) - at - word.size());
}

double ratio_of_steps(const std::vector<double>& values) {
    double least = HUGE_VAL;
    double most = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        least = std::min(least, values[i] - values[i - 1]);
        most = std::max(most, values[i] - values[i - 1]);
    }
    return most / least;
}

/// An axis to scale would show 0 and such values in one place, but for the largest one.
bool lie_logarithmically_behind_zero(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    if (values.size() < 4 || values[0] != 0 || values.back() < 100 * values[1]) {
        return false;
    }
    return lie_logarithmically({values.begin() + 1, values.end()});
}

}  // namespace

bool lie_logarithmically(const std::vector<double>& values) {
    if (values.size() < 3 || !(values.front() > 0) || values.back() < 4 * values.front()) {
        return false;
    }
    std::vector<double> logarithms;
    for (const double value : values) {
        logarithms.push_back(std::log(value));
    }
    return ratio_of_steps(logarithms) < ratio_of_steps(values);
}

swept_axis::swept_axis(const sweep_plan& plan, const std::string& key) : m_key(key) {
    const option* const o = known_options().find(key);
    m_kind = o == nullptr ? quantity_kind::none : quantity_of(*o);
    m_unit.name = o == nullptr ? "" : told_unit(*o);
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
        const auto& keys = plan.axes[a].keys;
        const auto k = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
        if (k == keys.size()) {
            continue;
        }
        m_index = a;
        for (const std::vector<std::string>& values : plan.axes[a].values) {
            m_texts.push_back(values[k]);
            m_fellows.emplace_back();
            for (std::size_t other = 0; other < keys.size(); ++other) {
                if (other != k) {
                    m_fellows.back() +=
                        ", " + keys[other].substr(keys[other].find('.') + 1) + " = " + values[other];
                }
            }
        }
    }
    for (const std::string& text : m_texts) {
        const parse_result<double> read = read_quantity(m_kind, text);
        m_numeric = m_numeric && read;
        m_numbers.push_back(read.value);
    }
    m_numeric = m_numeric && !lie_logarithmically_behind_zero(m_numbers);
    m_order.resize(m_texts.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_numeric) {
        std::sort(m_order.begin(), m_order.end(),
                  [&](std::size_t a, std::size_t b) { return m_numbers[a] < m_numbers[b]; });
        const axis_unit unit =
            unit_of(axis_quantity(), base_position(0), base_position(size() - 1), is_logarithmic());
        m_unit = unit.name.empty() ? m_unit : unit;
    }
}

axis_kind swept_axis::axis_quantity() const {
    switch (m_kind) {
        case quantity_kind::bytes:
            return are_decimal(m_texts) ? axis_kind::decimal_bytes : axis_kind::bytes;
        case quantity_kind::time:
            return axis_kind::time;
        case quantity_kind::rate:
            return axis_kind::rate;
        case quantity_kind::share:
            return axis_kind::percent;
        default:
            return axis_kind::count;
    }
}

bool swept_axis::is_logarithmic() const {
    std::vector<double> ascending;
    for (const std::size_t place : m_order) {
        ascending.push_back(m_numbers[place]);
    }
    return m_numeric && lie_logarithmically(ascending);
}

double swept_axis::position(std::size_t i) const {
    return base_position(i) / (m_numeric ? m_unit.scale : 1);
}

std::string swept_axis::label() const {
    return m_key + (m_numeric && !m_unit.name.empty() ? " [" + m_unit.name + "]" : "");
}

std::string swept_axis::text(std::size_t place) const {
    std::string shown = m_texts[place];
    if (m_numeric && m_kind != quantity_kind::share) {
        const std::size_t unit = shown.find_first_not_of("0123456789.-");
        if (unit != std::string::npos && unit > 0 && m_kind != quantity_kind::number) {
            shown.insert(unit, " ");
        }
    }
    // Names that tell the places apart stand for all that varies with them.
    const bool names_tell =
        !m_numeric && std::set<std::string>(m_texts.begin(), m_texts.end()).size() == size();
    return names_tell ? shown : shown + m_fellows[place];
}

std::vector<std::string> swept_axis::names() const {
    std::vector<std::string> all;
    for (const std::size_t place : m_order) {
        all.push_back(text(place));
    }
    return all;
}

double swept_axis::position_of(std::size_t place) const {
    const auto at = std::find(m_order.begin(), m_order.end(), place);
    return base_position(static_cast<std::size_t>(at - m_order.begin()));
}

std::vector<std::size_t> swept_axis::places_of(const std::string& value) const {
    std::vector<std::size_t> places;
    const bool is_text = std::find(m_texts.begin(), m_texts.end(), value) != m_texts.end();
    const parse_result<double> read = read_quantity(m_kind, value);
    for (std::size_t i = 0; i < m_texts.size(); ++i) {
        if (is_text ? m_texts[i] == value : m_numeric && read && m_numbers[i] == read.value) {
            places.push_back(i);
        }
    }
    return places;
}

// Tics stand where points stand, and have labels as far as there is room for them.
plot_axis swept_axis::axis() const {
    if (!m_numeric) {
        return names_axis(names(), false);
    }
    plot_axis axis;
    axis.logarithmic = is_logarithmic();
    const auto scaled = [&](double value) { return axis.logarithmic ? std::log(value) : value; };
    const double first = scaled(position(0));
    const double last = scaled(position(size() - 1));
    const double span = last > first ? last - first : std::max(1.0, std::fabs(first));
    const auto end = [&](double value) { return axis.logarithmic ? std::exp(value) : value; };
    axis.low = end(first - 0.04 * span);
    axis.high = end(last + 0.04 * span);
    double labelled = -HUGE_VAL;
    for (std::size_t i = 0; i < size(); ++i) {
        const double at = scaled(position(i));
        const bool room = at - labelled >= span / 16;
        axis.tics.push_back({position(i), room ? number_text(rounded(position(i), 5)) : std::string{}});
        labelled = room ? at : labelled;
    }
    return axis;
}

}  // namespace weir::tb
