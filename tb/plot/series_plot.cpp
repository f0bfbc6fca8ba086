#include "tb/plot/series_plot.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tb/plot/occupancy_plot.h"
#include "tb/plot/page.h"
#include "tb/plot/sampled_time.h"

namespace weir::tb {

namespace {

constexpr double heading_size = 18;
constexpr double heading_height = 40;
/// Of a line's name, which stands above its panel.
constexpr double name_height = 28;
constexpr double name_size = 14;

/// A limit that is more times the largest value than this would flatten what is below it.
constexpr double farthest_limit = 4;

plot_axis axis_of(axis_kind kind, double high) {
    // Counts without parts of one.
    return axis_from_0(kind, kind == axis_kind::count && high > 0 ? std::max(high, 4.0) : high);
}

const char* nothing_of(axis_kind kind) {
    return kind == axis_kind::percent ? "never paused" : kind == axis_kind::count ? "none sent" : "nothing";
}

/// The end of an axis that shows all values, and the nearest limit and capacity; of counts, all.
double high_of(const std::vector<series_row>& rows, std::size_t column, axis_kind kind) {
    double high = 0;
    double limit = HUGE_VAL;
    double capacity = HUGE_VAL;
    for (const series_row& row : rows) {
        for (const limited_series& s : row.columns[column]) {
            high = std::max(high, s.largest());
            capacity = s.capacity > 0 ? std::min(capacity, s.capacity) : capacity;
            for (const double each : s.limits) {
                limit = each > 0 ? std::min(limit, each) : limit;
                high = kind == axis_kind::count ? std::max(high, each) : high;
            }
        }
    }
    const double largest = high;
    high = is_near(limit, largest) ? std::max(high, limit * 1.05) : high;
    return is_near(capacity, largest) ? std::max(high, capacity) : high;
}

/// At most `most` samples, each at the end of its stretch; `add` makes one of those in [from, to).
template <class Add>
std::vector<limited_series> in_stretches(const std::vector<limited_series>& all, std::size_t most, Add&& add) {
    std::vector<limited_series> reduced = all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t count = all[i].values.size();
        if (count <= most) {
            continue;
        }
        limited_series& few = reduced[i];
        few.time_ns = few.values = few.limits = {};
        for (std::size_t stretch = 0; stretch < most; ++stretch) {
            const std::size_t to = count * (stretch + 1) / most;
            few.time_ns.push_back(all[i].time_ns[to - 1]);
            add(few, all[i], static_cast<std::ptrdiff_t>(count * stretch / most),
                static_cast<std::ptrdiff_t>(to));
        }
    }
    return reduced;
}

bool has_limit(const limited_series& s) {
    return std::any_of(s.limits.begin(), s.limits.end(), [](double limit) { return !std::isnan(limit); });
}

/// A panel for each line, below each other; runs below each other; columns side by side.
class series_drawing {
 public:
    series_drawing(const std::vector<series_column>& columns, const std::vector<series_row>& rows)
        : m_all(columns), m_rows(rows) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const bool is_drawn = std::any_of(rows.begin(), rows.end(),
                                              [c](const series_row& row) { return !row.columns[c].empty(); });
            if (is_drawn) {
                m_shown.push_back(c);
            }
            for (const series_row& row : rows) {
                for (const limited_series& s : row.columns[c]) {
                    m_time.include(s.time_ns, s.values);
                }
            }
        }
        m_x = m_time.axis();
    }

    bool is_empty() const { return m_shown.empty(); }

    picture draw(const picture_head& head) {
        page p(head.with(left_out()));
        double top = p.top() + 10;
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            double bottom = top;
            for (std::size_t i = 0; i < m_shown.size(); ++i) {
                bottom = std::max(bottom, add_lines(p, r, i, top));
            }
            top = bottom + 30;
        }
        return p.finish(static_cast<unsigned>(top - 30 + page::foot));
    }

 private:
    /// Many runs would make a very long picture.
    double panel_height() const { return m_rows.size() <= 2 ? 90 : m_rows.size() <= few_styles ? 70 : 52; }

    /// `; paused: 0 in all runs`
    std::string left_out() const {
        std::string text;
        for (std::size_t c = 0; c < m_all.size(); ++c) {
            if (std::find(m_shown.begin(), m_shown.end(), c) == m_shown.end()) {
                text += "; " + m_all[c].heading + ": 0 in all runs";
            }
        }
        return text;
    }

    static std::string text_at(int tag, const std::string& text, double row) {
        return "set label " + std::to_string(tag) + " " + quoted(text) + " at graph 0, screen 1 - " +
               number_text(row) + "/H left";
    }

    /// Of one run, in the column at this place among those that are drawn. Returns the row below it.
    double add_lines(page& p, std::size_t r, std::size_t place, double top) {
        const series_column& column = m_all[m_shown[place]];
        const std::vector<limited_series>& lines = m_rows[r].columns[m_shown[place]];
        const double high = high_of(m_rows, m_shown[place], column.kind);
        const axis_unit unit = unit_of(column.kind, high);
        const double left = place == 0 ? 130 : 900;
        const double right = place + 1 == m_shown.size() ? 1540 : 770;
        plot_axis y = axis_of(column.kind, high / unit.scale);
        y.tics = {y.tics.front(), y.tics.back()};
        const std::string heading = (column.heading.empty() ? ": " : ", " + column.heading + ": ") +
                                    column.quantity + (unit.name.empty() ? "" : " [" + unit.name + "]");
        const double room = right - left - text_width(heading, heading_size);
        p.add(text_at(3, shortened(m_rows[r].label, room, heading_size) + heading, top + 14));
        top += heading_height;
        for (std::size_t i = 0; i < std::max<std::size_t>(lines.size(), 1); ++i) {
            const bool is_last = r + 1 == m_rows.size() && i + 1 >= lines.size();
            p.panel(left, right, top + name_height, top + name_height + panel_height());
            is_last ? p.x_axis(m_x, m_time.label()) : p.x_axis(m_x);
            p.add(y.commands("y"));
            if (!lines.empty()) {
                add_line(p, lines[i], m_rows[r].label, column.kind, unit, top + name_height / 2, right - left);
            }
            p.plot(nothing_of(column.kind));
            p.add("unset label 3\nunset label 4");
            top += name_height + panel_height() + 16;
        }
        return top;
    }

    void add_line(page& p, const limited_series& s, const std::string& run, axis_kind quantity,
                  const axis_unit& unit, double row, double width) {
        const std::string capacity = std::isnan(s.capacity) ? "" : ", capacity " + size_text(s.capacity);
        const double room = width - text_width(capacity, name_size);
        p.add(text_at(4, shortened(s.name, room, name_size) + capacity, row) + " font ',14'");
        const axis_unit time = m_time.unit();
        const std::size_t block = p.block(
            run + ", " + s.name, "time_" + time.plain() + " value_" + unit.plain() + " limit_" + unit.plain());
        for (const std::size_t at : envelope(s.values)) {
            const data_field none("NaN");
            p.row({s.time_ns[at] / time.scale, s.values[at] / unit.scale,
                   std::isnan(s.limits[at]) ? none : data_field(s.limits[at] / unit.scale)});
        }
        const std::size_t look = m_looks.emplace(s.key, m_looks.size()).first->second;
        const std::string colour = " " + line_type(look);
        const bool are_counts = quantity == axis_kind::count;
        const std::string style = are_counts ? "steps" : "lines";
        if (!are_counts) {
            p.curve(block, "1:2", "filledcurves y=0" + colour + " fs solid 0.35 noborder");
        }
        p.curve(block, "1:2", style + colour + " lw 1.5 dt 1");
        if (has_limit(s)) {
            p.curve(block, "1:3", style + " lc rgb '#000000' lw 1.5 dt (10,6)");
        }
        if (!std::isnan(s.capacity)) {
            p.curve(number_text(s.capacity / unit.scale) + " with lines lc rgb '#000000' lw 2 dt (2,5)");
        }
    }

    const std::vector<series_column>& m_all;
    const std::vector<series_row>& m_rows;
    /// Columns in which any run has a line.
    std::vector<std::size_t> m_shown;
    sampled_time m_time;
    plot_axis m_x;
    /// By key.
    std::map<std::string, std::size_t> m_looks;
};

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
    constexpr std::size_t most = 250;
    return in_stretches(all, most, [](limited_series& few, const limited_series& s, auto from, auto to) {
        const double sum = std::accumulate(s.values.begin() + from, s.values.begin() + to, 0.0);
        few.values.push_back(sum / static_cast<double>(to - from));
        few.limits.push_back(s.limits[static_cast<std::size_t>(to) - 1]);
    });
}

std::vector<limited_series> peaks(const std::vector<limited_series>& all) {
    constexpr std::size_t most = 500;
    return in_stretches(all, most, [](limited_series& few, const limited_series& s, auto from, auto to) {
        few.values.push_back(*std::max_element(s.values.begin() + from, s.values.begin() + to));
        few.limits.push_back(std::accumulate(s.limits.begin() + from, s.limits.begin() + to, std::nan(""),
                                             [](double a, double b) { return std::fmin(a, b); }));
    });
}

std::vector<limited_series> foremost(const std::vector<limited_series>& all) {
    std::vector<const limited_series*> order =
        largest_of(all, most_series, [](const limited_series& s) { return std::pair(s.share, s.largest()); });
    std::sort(order.begin(), order.end());
    std::vector<limited_series> chosen;
    for (const limited_series* s : order) {
        if (s->largest() > 0) {
            chosen.push_back(*s);
        }
    }
    return chosen;
}

std::vector<limited_series> series_source::foremost_of(const run_data& run) const {
    const bool is_spiky = column.kind == axis_kind::rate || column.kind == axis_kind::percent;
    return is_spiky ? foremost(averaged(all(run))) : foremost(all(run));
}

std::optional<picture> series_picture(const picture_head& head, const std::vector<series_column>& columns,
                                      const std::vector<series_row>& rows) {
    series_drawing drawing(columns, rows);
    return drawing.is_empty() ? std::nullopt : std::optional(drawing.draw(head));
}

}  // namespace weir::tb
