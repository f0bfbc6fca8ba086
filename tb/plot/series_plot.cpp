#include "tb/plot/series_plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "tb/plot/occupancy_plot.h"
#include "tb/plot/page.h"
#include "tb/plot/sampled_time.h"

namespace weir::tb {

namespace {

constexpr double series_row_height = 290;
constexpr double series_legend_height = 110;
constexpr double heading_size = 18;

/// A limit that is more times the largest value than this would flatten what is below it.
constexpr double farthest_limit = 4;

axis_unit unit_of(series_unit unit, double high) {
    switch (unit) {
        case series_unit::bytes:
            return byte_unit(high);
        case series_unit::rate:
            return rate_unit(high);
        case series_unit::percent:
            return {"%", 1};
        case series_unit::count:
            break;
    }
    return {"", 1};
}

plot_axis axis_of(series_unit unit, double high) {
    switch (unit) {
        case series_unit::bytes:
            return binary_axis(high);
        case series_unit::count:
            // Without parts of one.
            return linear_axis(high > 0 ? std::max(high, 4.0) : 0);
        default:
            return linear_axis(high);
    }
}

const char* nothing_of(series_unit unit) {
    return unit == series_unit::percent ? "never paused" : unit == series_unit::count ? "none sent" : "nothing";
}

/// The end of an axis that shows all values, and the nearest limit and capacity; of counts, all.
double high_of(const std::vector<series_row>& rows, std::size_t column, series_unit unit) {
    double high = 0;
    double limit = HUGE_VAL;
    double capacity = HUGE_VAL;
    for (const series_row& row : rows) {
        for (const limited_series& s : row.columns[column]) {
            high = std::max(high, s.largest());
            capacity = s.capacity > 0 ? std::min(capacity, s.capacity) : capacity;
            for (const double each : s.limits) {
                limit = each > 0 ? std::min(limit, each) : limit;
                high = unit == series_unit::count ? std::max(high, each) : high;
            }
        }
    }
    const double largest = high;
    high = is_near(limit, largest) ? std::max(high, limit * 1.05) : high;
    return is_near(capacity, largest) ? std::max(high, capacity) : high;
}

std::string data_of(const limited_series& s, const std::string& label, const axis_unit& time,
                    const axis_unit& unit) {
    std::string text = "# " + one_line(label + ", " + s.name) + "\n# time_" + time.plain() + " value_" +
                       unit.plain() + " limit_" + unit.plain() + "\n";
    for (const std::size_t at : envelope(s.values)) {
        text += number_text(s.time_ns[at] / time.scale) + " " + number_text(s.values[at] / unit.scale) + " " +
                (std::isnan(s.limits[at]) ? "NaN" : number_text(s.limits[at] / unit.scale)) + "\n";
    }
    return text + "\n\n";
}

/// As `averaged` has it.
limited_series mean_of_stretches(const limited_series& s) {
    constexpr std::size_t most_stretches = 250;
    const std::size_t count = s.values.size();
    if (count <= most_stretches) {
        return s;
    }
    limited_series means{s.name, {}, {}, {}, s.capacity, s.share};
    for (std::size_t stretch = 0; stretch < most_stretches; ++stretch) {
        const auto from = static_cast<std::ptrdiff_t>(count * stretch / most_stretches);
        const auto to = static_cast<std::ptrdiff_t>(count * (stretch + 1) / most_stretches);
        const double sum = std::accumulate(s.values.begin() + from, s.values.begin() + to, 0.0);
        means.time_ns.push_back(s.time_ns[static_cast<std::size_t>(to) - 1]);
        means.values.push_back(sum / static_cast<double>(to - from));
        means.limits.push_back(s.limits[static_cast<std::size_t>(to) - 1]);
    }
    return means;
}

bool has_limit(const limited_series& s) {
    return std::any_of(s.limits.begin(), s.limits.end(), [](double limit) { return !std::isnan(limit); });
}

}  // namespace

std::map<double, std::size_t> capacities_of(const std::vector<limited_series>& lines) {
    std::map<double, std::size_t> capacities;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!std::isnan(lines[i].capacity)) {
            capacities.emplace(lines[i].capacity, i);
        }
    }
    return capacities;
}

std::string size_text(double bytes) {
    const axis_unit unit = byte_unit(bytes);
    return short_number(bytes / unit.scale) + " " + unit.name;
}

std::string capacity_text(const std::vector<limited_series>& lines) {
    const std::map<double, std::size_t> all = capacities_of(lines);
    if (all.empty()) {
        return "";
    }
    const double low = all.begin()->first;
    const double high = all.rbegin()->first;
    return all.size() == 1 ? "capacity " + size_text(low)
                           : "capacities " + size_text(low) + " to " + size_text(high);
}

bool is_near(double limit, double largest) {
    return limit <= farthest_limit * largest;
}

std::vector<limited_series> averaged(const std::vector<limited_series>& all) {
    std::vector<limited_series> means;
    std::transform(all.begin(), all.end(), std::back_inserter(means), mean_of_stretches);
    return means;
}

std::vector<limited_series> foremost(const std::vector<limited_series>& all) {
    std::vector<const limited_series*> order;
    for (const limited_series& s : all) {
        if (s.largest() > 0) {
            order.push_back(&s);
        }
    }
    const auto rank = [](const limited_series* s) { return std::pair(s->share, s->largest()); };
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto* a, const auto* b) { return rank(a) > rank(b); });
    order.resize(std::min(order.size(), most_series));
    std::sort(order.begin(), order.end());
    std::vector<limited_series> chosen;
    for (const limited_series* s : order) {
        chosen.push_back(*s);
    }
    return chosen;
}

std::optional<picture> series_picture(const std::string& name, const std::string& title,
                                      const std::string& details, const std::vector<series_column>& columns,
                                      const std::vector<series_row>& rows) {
    sampled_time time;
    bool any = false;
    for (const series_row& row : rows) {
        for (const std::vector<limited_series>& lines : row.columns) {
            for (const limited_series& s : lines) {
                time.include(s.time_ns, s.values);
                any = true;
            }
        }
    }
    if (!any) {
        return std::nullopt;
    }
    const plot_axis x = time.axis();
    page p(title, details);
    p.add("set key font ',14'");
    std::string data;
    std::size_t index = 0;
    const bool wide = columns.size() == 1;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double top = p.top() + series_legend_height +
                           (series_row_height + series_legend_height) * static_cast<double>(r);
        std::map<std::string, std::size_t> looks;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const double high = high_of(rows, c, columns[c].unit);
            const axis_unit unit = unit_of(columns[c].unit, high);
            p.panel(c == 0 ? 150 : 930, wide || c == 1 ? 1540 : 760, top, top + series_row_height - 40);
            const std::vector<limited_series>& lines = rows[r].columns[c];
            const std::string capacity = capacity_text(lines);
            const std::string heading = (columns[c].heading.empty() ? "" : ", " + columns[c].heading) +
                                        (capacity.empty() ? "" : ", " + capacity);
            const double room = (wide ? 1380 : 610) - text_width(heading, heading_size);
            p.add("set label 3 " + quoted(shortened(rows[r].label, room, heading_size) + heading) +
                  " at graph 0, screen 1 - " + number_text(top - series_legend_height + 28) + "/H");
            p.add("set key on at graph 0, screen 1 - " + number_text(top - series_legend_height + 44) +
                  "/H left top horizontal Left reverse samplen 1.5 maxcols " + (wide ? "4" : "2"));
            p.add(r + 1 == rows.size() ? x.commands("x") + "set xlabel " + quoted(time.label())
                                       : x.commands("x") + x.unlabelled("x") + "unset xlabel");
            p.y_label(columns[c].quantity + (unit.name.empty() ? "" : " [" + unit.name + "]"));
            p.add(axis_of(columns[c].unit, high / unit.scale).commands("y"));
            const std::string style = columns[c].unit == series_unit::count ? " with steps" : " with lines";
            std::string plot;
            std::vector<std::string> colours;
            for (const limited_series& s : lines) {
                data += data_of(s, rows[r].label, time.unit(), unit);
                const std::string from = "'" + name + ".dat' index " + std::to_string(index++);
                const std::size_t look = looks.emplace(s.name, looks.size() + 1).first->second;
                colours.push_back(" lt " + std::to_string(look));
                // A pool and one inside it may have equal lines: the lower one is wider.
                const std::string width = wide && look % 2 == 1 ? "5.5" : "2";
                plot += (plot.empty() ? "plot " : ", \\\n     ") + from + " using 1:2" + style +
                        colours.back() + " lw " + width + " dt 1 title " + quoted(s.name);
                if (has_limit(s)) {
                    plot += ", \\\n     " + from + " using 1:3" + style + colours.back() +
                            " lw 1.5 dt (10,6) notitle";
                }
            }
            for (const auto& [bytes, place] : capacities_of(lines)) {
                plot += ", \\\n     " + number_text(bytes / unit.scale) + " with lines" + colours[place] +
                        " lw 2 dt (2,5) notitle";
            }
            plot.empty() ? p.notice(nothing_of(columns[c].unit)) : p.add(plot);
        }
    }
    return p.finish(
        name, data,
        static_cast<unsigned>(p.top() +
                              (series_row_height + series_legend_height) * static_cast<double>(rows.size()) -
                              40 + page::foot));
}

}  // namespace weir::tb
