#include "tb/plot/percentile_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tb/plot/distribution_plot.h"

namespace weir {

namespace {

constexpr std::array<double, 3> shown{50, 99, 99.9};

struct size_point {
    double bytes;
    std::size_t count;
    /// Unit: ns; 0 where there are too few values.
    std::array<double, shown.size()> time_ns;
};

/// A size, or the exponent of the power of two that it lies above.
std::uint64_t group_of(std::uint64_t bytes, bool grouped) {
    return grouped ? static_cast<std::uint64_t>(
                         std::floor(std::log2(static_cast<double>(std::max<std::uint64_t>(bytes, 1)))))
                   : bytes;
}

std::vector<size_point> points_of(std::vector<completion>& values, bool grouped) {
    std::sort(values.begin(), values.end(), [&](const completion& a, const completion& b) {
        const std::uint64_t ga = group_of(a.bytes, grouped);
        const std::uint64_t gb = group_of(b.bytes, grouped);
        return ga != gb ? ga < gb : a.time_ns < b.time_ns;
    });
    std::vector<size_point> points;
    std::vector<double> times;
    for (std::size_t from = 0; from < values.size();) {
        const std::uint64_t group = group_of(values[from].bytes, grouped);
        times.clear();
        for (; from < values.size() && group_of(values[from].bytes, grouped) == group; ++from) {
            times.push_back(values[from].time_ns);
        }
        size_point p{grouped ? std::exp2(static_cast<double>(group) + 0.5)
                             : static_cast<double>(std::max<std::uint64_t>(group, 1)),
                     times.size(),
                     {}};
        for (std::size_t i = 0; i < shown.size(); ++i) {
            p.time_ns[i] = has_percentile(times.size(), shown[i]) ? percentile(times, shown[i]) : 0;
        }
        points.push_back(p);
    }
    return points;
}

bool has_point(const std::vector<size_point>& points, std::size_t which) {
    return std::any_of(points.begin(), points.end(), [&](const size_point& p) { return p.time_ns[which] > 0; });
}

/// All sizes if they are few, else round ones.
plot_axis size_axis(const std::set<std::uint64_t>& sizes, double low, double high, bool single) {
    plot_axis axis;
    axis.logarithmic = true;
    axis.low = low / 1.25;
    axis.high = high * 1.25;
    const double span = axis.high / axis.low;
    if (single && sizes.size() <= 8) {
        double last = 0;
        for (const std::uint64_t s : sizes) {
            const double at = static_cast<double>(std::max<std::uint64_t>(s, 1));
            const bool room = last == 0 || at / last > std::pow(span, 0.25);
            axis.tics.push_back({at, room ? byte_text(s) : ""});
            last = room ? at : last;
        }
        return axis;
    }
    // Powers of two, as many labels as there is room for.
    const int step = std::max(1, static_cast<int>(std::ceil(std::log2(span) * 0.25)));
    const int first = static_cast<int>(std::ceil(std::log2(axis.low)));
    for (int e = first; std::exp2(e) <= axis.high; ++e) {
        axis.tics.push_back(
            {std::exp2(e), (e - first) % step == 0 ? byte_text(std::uint64_t{1} << e) : std::string()});
    }
    return axis;
}

}  // namespace

std::optional<picture> percentile_picture(const std::string& name, const std::string& title,
                                          const std::string& details, const std::string& size_label,
                                          std::vector<sized_completions> runs) {
    std::set<std::uint64_t> sizes;
    for (const sized_completions& r : runs) {
        for (const completion& c : r.values) {
            if (sizes.size() <= most_single_sizes) {
                sizes.insert(c.bytes);
            }
        }
    }
    if (sizes.size() < 2) {
        return std::nullopt;
    }
    const bool grouped = sizes.size() > most_single_sizes;
    std::vector<std::vector<size_point>> curves;
    std::vector<std::string> labels;
    double low_bytes = HUGE_VAL;
    double high_bytes = 0;
    double low_ns = HUGE_VAL;
    double high_ns = 0;
    for (sized_completions& r : runs) {
        labels.push_back(r.label);
        curves.push_back(points_of(r.values, grouped));
        for (const size_point& p : curves.back()) {
            low_bytes = std::min(low_bytes, p.bytes);
            high_bytes = std::max(high_bytes, p.bytes);
            for (std::size_t i = 0; i < shown.size(); ++i) {
                if (p.time_ns[i] > 0) {
                    low_ns = std::min(low_ns, p.time_ns[i]);
                    high_ns = std::max(high_ns, p.time_ns[i]);
                }
            }
        }
    }
    if (high_ns == 0) {
        return std::nullopt;
    }
    const axis_unit unit = log_time_unit(low_ns, high_ns);
    std::string data;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        data += "# " + quoted(labels[i]) + "\n# bytes count";
        for (const double p : shown) {
            data += " p" + number_text(p) + "_" + unit.plain();
        }
        data += "\n";
        for (const size_point& p : curves[i]) {
            data += number_text(p.bytes) + " " + std::to_string(p.count);
            for (const double ns : p.time_ns) {
                data += ns > 0 ? " " + number_text(ns / unit.scale) : " ?";
            }
            data += "\n";
        }
        data += curves[i].empty() ? "? ? ? ? ?\n\n\n" : "\n\n";
    }
    constexpr double height = 780;
    page p(title, details + (grouped ? "; sizes grouped by powers of two" : ""));
    p.legend(labels, page::sample::line_and_point);
    p.add("set datafile missing '?'\nset xlabel " + quoted(size_label));
    p.add(size_axis(sizes, low_bytes, high_bytes, !grouped).commands("x") +
          log_axis(low_ns / unit.scale, high_ns / unit.scale).commands("y"));
    const std::array<const char*, shown.size()> titles{"Median", "99th percentile", "99.9th percentile"};
    const double panel_width = static_cast<double>(page::width - 60) / shown.size();
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double left = 150 + panel_width * static_cast<double>(i);
        p.panel(left, left + panel_width - 100, p.top() + 60, height - page::foot);
        p.add(std::string("set title '") + titles[i] + "' offset 0, -0.4");
        p.add(i == 0 ? "set ylabel " + quoted("Completion time [" + unit.name + "]") : "unset ylabel");
        std::string plot;
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (has_point(curves[r], i)) {
                plot += plot.empty() ? "plot " : ", \\\n     ";
                plot += "'" + name + ".dat' index " + std::to_string(r) + " using 1:" + std::to_string(i + 3) +
                        " with linespoints lt " + std::to_string(r + 1);
            }
        }
        p.add(plot.empty() ? "set label 3 'too few values' at graph 0.5, 0.5 center\nplot NaN\nunset label 3"
                           : plot);
    }
    return p.finish(name, data, static_cast<unsigned>(height));
}

}  // namespace weir
