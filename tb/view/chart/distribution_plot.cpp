#include "tb/view/chart/distribution_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tb/run/completions/percentile_rule.h"
#include "tb/support/text/text_format.h"
#include "weir/base/product_limit.h"

namespace weir::tb {

namespace {

constexpr std::array<double, 6> marked{50, 90, 99, 99.9, 99.99, 99.999};

std::size_t rank_of(std::size_t n, double percent) {
    const double exact = static_cast<double>(n) * percent / 100;
    // 99.9 % of 1,000 is rank 999, whatever the last bit of the product says.
    const auto rank = static_cast<std::size_t>(std::ceil(exact * (1 - 1e-12)));
    return std::clamp<std::size_t>(rank, 1, n);
}

bool any_has(const std::vector<labelled_values>& runs, double percent) {
    return std::any_of(runs.begin(), runs.end(),
                       [percent](const labelled_values& d) { return d.percentile(percent).has_value(); });
}

/// Name of each run in the legend of a picture with these panels.
std::vector<std::string> legends_of(const std::vector<panel_distributions>& panels) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < panels.front().runs.size(); ++i) {
        std::vector<const labelled_values*> parts;
        for (const panel_distributions& panel : panels) {
            parts.push_back(&panel.runs[i]);
        }
        names.push_back(labelled_values::legend(parts));
    }
    return names;
}

/// Distributions under these names, with at most so many points.
chart distribution_chart(const panel_distributions& panel, const std::vector<std::string>& names,
                         const axis_quantity& shown, std::size_t most = 2000) {
    chart made;
    made.title = panel.title;
    made.kind = chart_kind::distribution;
    made.x = {shown.name, shown.is_time ? axis_kind::time : axis_kind::count, true};
    made.y = {"Share completed (CDF)", axis_kind::share};
    for (std::size_t i = 0; i < panel.runs.size(); ++i) {
        const labelled_values& d = panel.runs[i];
        chart_series curve{names[i]};
        curve.count = d.started();
        const std::vector<double> shares = d.shares();
        for (const std::size_t r : thinned_ranks(d.values.size(), most)) {
            curve.add(d.values[r - 1], shares[r - 1]);
            // Without a difference of rounded shares where all have completed.
            const auto n = static_cast<double>(d.values.size());
            curve.left.push_back(d.ages.empty() ? (n - static_cast<double>(r) + 1) / n
                                 : r == 1       ? 1
                                                : 1 - shares[r - 2]);
        }
        for (const double percent : marked) {
            if (const std::optional<double> value = d.percentile(percent)) {
                curve.marks.emplace_back(percent, *value);
            }
        }
        made.add(std::move(curve), i, true);
    }
    return made;
}

/// A row per run with a mark at each percentile that it has, joined by a line.
chart percentile_rows(const chart& distributions, const std::vector<labelled_values>& runs) {
    chart rows = distributions;
    rows.kind = chart_kind::places;
    rows.y = {};
    rows.series = {series_with({chart_line::straight, chart_mark::none, "#777777", 1.5})};
    using mark = chart_mark;
    constexpr std::array<mark, marked.size()> shapes{mark::cross,  mark::ring,        mark::disc,
                                                     mark::square, mark::triangle_up, mark::diamond};
    for (std::size_t k = 0; k < marked.size() && any_has(runs, marked[k]); ++k) {
        rows.series.push_back(series_with({chart_line::none, shapes[k], "#000000", 2, 1.8},
                                          number_text(marked[k]) + "th percentile"));
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        rows.y.names.push_back(runs[i].label);
        for (std::size_t k = 0; k + 1 < rows.series.size(); ++k) {
            if (const std::optional<double> value = runs[i].percentile(marked[k])) {
                rows.series[0].add(*value, static_cast<double>(i));
                rows.series[k + 1].add(*value, static_cast<double>(i));
            }
        }
        rows.series[0].add(NAN, NAN);
    }
    return rows;
}

/// A few slow ones would take most of a linear axis.
void end_at_last_percentile(chart_axis& x, const std::vector<labelled_values>& runs) {
    double high = 0;
    for (const labelled_values& d : runs) {
        high = d.values.empty() ? high : std::max(high, percentile(d.values, 99.9));
    }
    x.logarithmic = false;
    x.unit = unit_of(x.kind, high);
    x.tics = linear_axis(high / x.unit->scale);
}

}  // namespace

double percentile(const std::vector<double>& ascending, double percent) {
    return ascending[rank_of(ascending.size(), percent) - 1];
}

static product_limit estimate_of(const labelled_values& d) {
    std::vector<double> ages = d.ages;
    std::sort(ages.begin(), ages.end());
    std::vector<std::uint64_t> up_to;
    for (const double age : ages) {
        const auto longer = std::upper_bound(d.values.begin(), d.values.end(), age);
        up_to.push_back(static_cast<std::uint64_t>(longer - d.values.begin()));
    }
    return {d.values.size(), up_to};
}

std::vector<double> labelled_values::shares() const {
    std::vector<double> all;
    const product_limit estimated = estimate_of(*this);
    for (std::size_t r = 1; r <= values.size(); ++r) {
        all.push_back(ages.empty() ? static_cast<double>(r) / static_cast<double>(values.size())
                                   : estimated.share(r));
    }
    return all;
}

std::optional<double> labelled_values::percentile(double percent) const {
    if (values.empty() || !has_percentile(started(), percent)) {
        return std::nullopt;
    }
    if (ages.empty()) {
        return tb::percentile(values, percent);
    }
    const std::optional<std::uint64_t> rank = estimate_of(*this).rank(percent / 100);
    return rank ? std::optional(values[*rank - 1]) : std::nullopt;
}

std::string labelled_values::legend(const std::vector<const labelled_values*>& parts) {
    std::size_t drawn = 0;
    std::size_t completed = 0;
    std::size_t started = 0;
    for (const labelled_values* const part : parts) {
        drawn += part->values.size();
        completed += part->completed();
        started += part->started();
    }
    return parts.front()->label +
           (completed < started ? " (" + count_text(completed) + " of " + count_text(started) + " completed)"
                                : "") +
           (drawn == 0 ? " (no curve)" : "");
}

std::vector<std::size_t> thinned_ranks(std::size_t n, std::size_t most) {
    std::vector<std::size_t> ranks;
    if (n <= most) {
        for (std::size_t r = 1; r <= n; ++r) {
            ranks.push_back(r);
        }
        return ranks;
    }
    const std::size_t even = most / 2;
    for (std::size_t i = 0; i <= even; ++i) {
        ranks.push_back(1 + (n - 1) * i / even);
    }
    // The last ones all, and from the median to there at equal ratios of what is left to 100 %.
    const std::size_t last = most / 8;
    const std::size_t steps = most / 4;
    const double ratio = static_cast<double>(n) / 2 / static_cast<double>(last);
    for (std::size_t i = 0; i < steps; ++i) {
        const double left =
            static_cast<double>(last) * std::pow(ratio, static_cast<double>(i) / static_cast<double>(steps));
        ranks.push_back(n - static_cast<std::size_t>(left));
    }
    for (std::size_t i = 0; i < last; ++i) {
        ranks.push_back(n - i);
    }
    for (const double p : marked) {
        ranks.push_back(rank_of(n, p));
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

std::string marks_text(const std::vector<labelled_values>& runs) {
    std::string text;
    for (const double p : marked) {
        text += any_has(runs, p) ? (text.empty() ? "; markers: " : ", ") + number_text(p) + "th" : "";
    }
    return text + (text.empty() ? "" : " percentile");
}

figure distribution_figure(const picture_head& head, const std::vector<labelled_values>& runs, bool logarithmic,
                           const axis_quantity& shown) {
    const panel_distributions all{"", runs};
    chart shares = distribution_chart(all, legends_of({all}), shown);
    shares.group = head.name;
    if (!logarithmic) {
        end_at_last_percentile(shares.x, runs);
    }
    chart nines = shares;
    nines.nines = true;
    figure f{head, {shares, nines}, 2, 640};
    if (runs.size() > few_styles) {
        // Above each other, so that each has the whole width.
        f.panels.push_back(percentile_rows(shares, runs));
        f.columns = 1;
        f.height = 520;
    }
    return f;
}

figure distribution_panels(const picture_head& head, const std::vector<panel_distributions>& panels,
                           const axis_quantity& shown) {
    const std::vector<std::string> names = legends_of(panels);
    figure f{head};
    for (const panel_distributions& panel : panels) {
        chart made = distribution_chart(panel, names, shown, 1000);
        made.group = head.name;
        made.nines = true;
        if (made.has_points()) {
            f.panels.push_back(std::move(made));
        }
    }
    // Many curves take wide panels.
    const bool in_pairs = f.panels.size() == 4 || names.size() > few_styles;
    f.columns = in_pairs ? 2 : std::min<std::size_t>(f.panels.size(), 3);
    f.height = f.panels.size() <= f.columns ? 550 : 390;
    return f;
}

}  // namespace weir::tb
