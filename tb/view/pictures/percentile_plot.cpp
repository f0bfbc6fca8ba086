#include "tb/view/pictures/percentile_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "tb/run/completions/percentile_rule.h"
#include "tb/support/text/text_format.h"
#include "tb/view/chart/distribution_plot.h"
#include "tb/view/chart/page.h"

namespace weir::tb {

namespace {

constexpr std::array<double, 3> percentiles{50, 99, 99.9};
constexpr std::array<const char*, percentiles.size()> titles{"Median", "99th percentile", "99.9th percentile"};

/// A size, or the exponent of the power of two that it lies above.
std::uint64_t group_of(std::uint64_t bytes, bool grouped) {
    return grouped ? static_cast<std::uint64_t>(
                         std::floor(std::log2(static_cast<double>(std::max<std::uint64_t>(bytes, 1)))))
                   : bytes;
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

std::vector<sized_completions> sized_values_of(const std::vector<run_data>& runs, completion_measure measure) {
    std::vector<sized_completions> all;
    for (const run_data& run : runs) {
        std::vector<completion>& values = all.emplace_back(sized_completions{run.label, {}}).values;
        for_each_completion(run, measure, [&](const completion& c, double value, const std::string& /*kind*/) {
            values.emplace_back(c).time_ns = value;
        });
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

std::optional<figure> percentile_figure(const picture_head& head, const std::string& size_label,
                                        std::vector<sized_completions> runs, const axis_quantity& quantity) {
    const std::set<std::uint64_t> sizes = first_sizes(runs);
    const bool grouped = sizes.size() > most_single_sizes;
    std::set<double> drawn;
    bool has_hidden = false;
    std::vector<chart> charts(percentiles.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        std::map<std::uint64_t, labelled_values> groups;
        labelled_values all{runs[r].label, {}};
        for (const completion& c : runs[r].values) {
            add_to(groups[group_of(c.bytes, grouped)], c, c.time_ns);
            add_to(all, c, c.time_ns);
        }
        for (chart& each : charts) {
            each.add({labelled_values::legend({&all})}, r, true);
        }
        for (auto& [group, times] : groups) {
            std::sort(times.values.begin(), times.values.end());
            const double bytes = grouped ? std::exp2(static_cast<double>(group) + 0.5)
                                         : static_cast<double>(std::max<std::uint64_t>(group, 1));
            for (std::size_t i = 0; i < charts.size(); ++i) {
                if (const std::optional<double> value = times.percentile(percentiles[i])) {
                    charts[i].series[r].add(bytes, *value);
                    drawn.insert(bytes);
                } else {
                    has_hidden = has_hidden || has_percentile(times.started(), percentiles[i]);
                }
            }
        }
    }
    if (sizes.size() < 2 || drawn.empty()) {
        return std::nullopt;
    }
    figure f{head.with(grouped ? "; sizes grouped by powers of two" : "")};
    for (std::size_t i = 0; i < charts.size(); ++i) {
        charts[i].title = titles[i];
        charts[i].kind = chart_kind::points;
        charts[i].group = head.name;
        charts[i].y = {quantity.name, quantity.is_time ? axis_kind::time : axis_kind::count, true};
        if (charts[i].has_points()) {
            f.panels.push_back(std::move(charts[i]));
        } else {
            f.head.details += "; " + number_text(percentiles[i]) + "th takes " +
                              count_text(least_values(percentiles[i])) + " of a size";
        }
    }
    if (has_hidden) {
        f.head.details += "; unfinished ones hide the percentiles that have no point";
    }
    f.columns = f.panels.size();
    // Many curves take tall panels.
    f.height = runs.size() > few_styles ? 780 : 460;
    for (chart& each : f.panels) {
        each.x = {size_label, axis_kind::bytes, true};
        each.x.unit = axis_unit{};
        each.x.tics = size_axis(sizes, *drawn.begin(), *drawn.rbegin(), !grouped, panel_width(f.columns));
    }
    return f;
}

}  // namespace weir::tb
