#include "tb/plot/percentile_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tb/plot/completion_times.h"
#include "tb/plot/distribution_plot.h"
#include "tb/plot/page.h"
#include "tb/results/percentile_rule.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

constexpr const auto& shown = percentiles_of_sizes;

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
    labelled_values times;
    for (std::size_t from = 0; from < values.size();) {
        const std::uint64_t group = group_of(values[from].bytes, grouped);
        times = {};
        for (; from < values.size() && group_of(values[from].bytes, grouped) == group; ++from) {
            add_to(times, values[from], values[from].time_ns);
        }
        size_point p{grouped ? std::exp2(static_cast<double>(group) + 0.5)
                             : static_cast<double>(std::max<std::uint64_t>(group, 1)),
                     times.values.size(),
                     {}};
        for (std::size_t i = 0; i < shown.size(); ++i) {
            p.time_ns[i] = times.percentile(shown[i]).value_or(0);
        }
        points.push_back(p);
    }
    return points;
}

bool has_point(const std::vector<size_point>& points, std::size_t which) {
    return std::any_of(points.begin(), points.end(), [&](const size_point& p) { return p.time_ns[which] > 0; });
}

/// Of labels of sizes. Unit: pixels.
constexpr double size_line_height = 28;

bool stands_lower(const axis_tic& tic) {
    return !tic.label.empty() && tic.label.front() == '\n';
}

/// All sizes if they are few, else round ones; for a panel of this width. Unit: pixels.
plot_axis size_axis(const std::set<std::uint64_t>& sizes, double low, double high, bool single, double width) {
    plot_axis axis;
    axis.logarithmic = true;
    axis.low = low / 1.25;
    axis.high = high * 1.25;
    const double span = axis.high / axis.low;
    if (single && sizes.size() <= 8) {
        // In two lines, of which the lower one takes what would touch a label of the upper one.
        std::array<double, 2> taken{-HUGE_VAL, -HUGE_VAL};
        for (const std::uint64_t s : sizes) {
            const double at = static_cast<double>(std::max<std::uint64_t>(s, 1));
            const double middle = std::log(at / axis.low) / std::log(span) * width;
            const double half = text_width(byte_text(s) + " ", 18) / 2;
            const auto line =
                std::find_if(taken.begin(), taken.end(), [&](double end) { return end <= middle - half; });
            if (line == taken.end()) {
                axis.tics.push_back({at, ""});
            } else {
                axis.tics.push_back({at, (line == taken.begin() ? "" : "\n") + byte_text(s)});
                *line = middle + half;
            }
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

std::vector<sized_completions> jobs_by_size(const std::vector<run_data>& runs) {
    std::vector<sized_completions> all;
    for (const run_data& run : runs) {
        std::vector<completion>& values = all.emplace_back(sized_completions{run.label, {}}).values;
        for (const auto& by_kind : run.completed.jobs_by_kind) {
            values.insert(values.end(), by_kind.second.begin(), by_kind.second.end());
        }
    }
    return all;
}

std::set<std::uint64_t> first_sizes(const std::vector<sized_completions>& runs) {
    std::set<std::uint64_t> sizes;
    for (const sized_completions& r : runs) {
        for (const completion& c : r.values) {
            if (sizes.size() <= most_single_sizes) {
                sizes.insert(c.bytes);
            }
        }
    }
    return sizes;
}

std::vector<std::vector<size_point>> percentiles_by_size(std::vector<sized_completions>& runs) {
    const std::size_t sizes = first_sizes(runs).size();
    std::vector<std::vector<size_point>> curves;
    for (sized_completions& r : runs) {
        if (sizes > 1) {
            curves.push_back(points_of(r.values, sizes > most_single_sizes));
        }
    }
    return curves;
}

std::optional<picture> percentile_picture(const picture_head& head, const std::string& size_label,
                                          std::vector<sized_completions> runs, const axis_quantity& quantity) {
    const std::set<std::uint64_t> sizes = first_sizes(runs);
    const bool grouped = sizes.size() > most_single_sizes;
    const std::vector<std::vector<size_point>> curves = percentiles_by_size(runs);
    if (curves.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> labels;
    double low_bytes = HUGE_VAL;
    double high_bytes = 0;
    double low_ns = HUGE_VAL;
    double high_ns = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        labelled_values counted{runs[i].label, {}};
        for (const completion& c : runs[i].values) {
            add_to(counted, c, c.time_ns);
        }
        labels.push_back(labelled_values::legend({&counted}));
        for (const size_point& p : curves[i]) {
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
    const axis_unit unit = quantity.is_time ? log_time_unit(low_ns, high_ns) : axis_unit{"", 1};
    const plot_axis y = log_axis(low_ns / unit.scale, high_ns / unit.scale);
    // Of the percentiles.
    std::vector<std::size_t> drawn;
    std::string left_out;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const bool has_any =
            std::any_of(curves.begin(), curves.end(), [i](const auto& points) { return has_point(points, i); });
        if (has_any) {
            drawn.push_back(i);
        } else {
            left_out +=
                "; " + number_text(shown[i]) + "th takes " + count_text(least_values(shown[i])) + " of a size";
        }
    }
    page p(head.with((grouped ? "; sizes grouped by powers of two" : "") + left_out));
    std::string columns = "bytes count";
    for (const double percent : shown) {
        columns += " p" + number_text(percent) + "_" + (quantity.is_time ? unit.plain() : quantity.plain);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        p.block(labels[i], columns);
        for (const size_point& point : curves[i]) {
            std::vector<data_field> fields{point.bytes, point.count};
            for (const double ns : point.time_ns) {
                fields.emplace_back(ns > 0 ? ns / unit.scale : NAN);
            }
            p.row(fields);
        }
    }
    p.legend(labels, page::sample::line_and_point);
    // Many curves take tall panels.
    const double panel_height = runs.size() > few_styles ? 780 : 460;
    const double top = p.top() + 60;
    p.add("set datafile missing '?'");
    p.add(y.commands("y"));
    const std::array<const char*, shown.size()> titles{"Median", "99th percentile", "99.9th percentile"};
    constexpr double gap = 110;
    constexpr double first_left = 150;
    const auto panels = static_cast<double>(drawn.size());
    const double panel_width = (page::width - 60 - first_left - gap * (panels - 1)) / panels;
    const plot_axis x = size_axis(sizes, low_bytes, high_bytes, !grouped, panel_width);
    const double second_line = std::any_of(x.tics.begin(), x.tics.end(), stands_lower) ? size_line_height : 0;
    p.add(x.commands("x") + "set xlabel " + quoted(size_label + ", log scale") + " offset 0, " +
          number_text(-second_line / size_line_height));
    for (std::size_t place = 0; place < drawn.size(); ++place) {
        const std::size_t i = drawn[place];
        const double left = first_left + (panel_width + gap) * static_cast<double>(place);
        p.panel(left, left + panel_width, top, top + panel_height);
        p.heading(titles[i]);
        p.y_label(place == 0 ? y.label(quantity.name, unit.name) : "");
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (has_point(curves[r], i)) {
                p.curve(r, "1:" + std::to_string(i + 3), "linespoints " + curve_look(r, runs.size()));
            }
        }
        p.plot();
    }
    return p.finish(static_cast<unsigned>(top + panel_height + second_line + page::foot));
}

}  // namespace weir::tb
