#include "tb/plot/distribution_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "tb/plot/page.h"
#include "tb/results/percentile_rule.h"
#include "tb/text/text_format.h"
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

/// What several panels share: the time axis and the lower end of the scale of nines.
struct frame {
    double low_ns = HUGE_VAL;
    double high_ns = 0;
    std::size_t most_values = 1;
    axis_quantity shown = completion_time;
    axis_unit unit;
    plot_axis time;

    void include(const std::vector<labelled_values>& runs) {
        for (const labelled_values& d : runs) {
            if (!d.values.empty()) {
                // A logarithmic axis has no 0.
                low_ns = std::min(low_ns, std::max(d.values.front(), 1.0));
                high_ns = std::max(high_ns, std::max(d.values.back(), 1.0));
                most_values = std::max(most_values, d.started());
            }
        }
    }
    /// A few slow ones would take most of a linear axis.
    void cut(const std::vector<labelled_values>& runs) {
        high_ns = 0;
        for (const labelled_values& d : runs) {
            high_ns = d.values.empty() ? high_ns : std::max(high_ns, tb::percentile(d.values, 99.9));
        }
    }
    void close(bool logarithmic = true) {
        unit = !shown.is_time ? axis_unit{"", 1}
               : logarithmic  ? log_time_unit(low_ns, high_ns)
                              : time_unit(high_ns);
        time = logarithmic ? log_axis(low_ns / unit.scale, high_ns / unit.scale)
                           : linear_axis(high_ns / unit.scale);
    }
    /// Of a column of values.
    std::string column() const { return shown.plain + (unit.name.empty() ? "" : "_" + unit.plain()); }
    std::string time_label() const { return time.label(shown.name, unit.name); }
};

/// Adds two blocks per run that has values: its curve, and its markers.
void add_data(page& p, const labelled_values& d, const frame& f, const std::string& what = {}) {
    if (d.values.empty()) {
        return;
    }
    const std::size_t n = d.values.size();
    const std::vector<double> shares = d.shares();
    const auto row = [&](double ns, double completed, double at_least) {
        p.row({ns / f.unit.scale, completed, at_least});
    };
    p.block(what + d.label + ", " + std::to_string(n) + " values" +
                (d.ages.empty() ? "" : ", " + std::to_string(d.ages.size()) + " unfinished"),
            f.column() + " share_completed share_at_least");
    row(d.values.front(), 0, 1);
    for (const std::size_t r : thinned_ranks(n)) {
        // Without a difference of rounded shares where all have completed.
        row(d.values[r - 1], shares[r - 1],
            d.ages.empty() ? static_cast<double>(n - r + 1) / static_cast<double>(n)
            : r == 1       ? 1
                           : 1 - shares[r - 2]);
    }
    std::string percents;
    std::vector<std::pair<double, double>> marks;
    for (const double percent : marked) {
        if (const std::optional<double> value = d.percentile(percent)) {
            percents += " " + number_text(percent);
            marks.emplace_back(percent, *value);
        }
    }
    p.block("its percentiles:" + percents);
    for (const auto& [percent, value] : marks) {
        row(value, percent / 100, 1 - percent / 100);
    }
    if (marks.empty()) {
        p.row({"?", "?", "?"});
    }
}

/// Draws runs whose blocks begin at `index`.
void draw_curves(page& p, const std::vector<labelled_values>& runs, std::size_t index, bool nines) {
    const std::string columns = nines ? "1:3" : "1:2";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].values.empty()) {
            continue;
        }
        const std::string look = curve_look(i, runs.size());
        // gnuplot warns of an index without a value.
        const bool is_marked = runs[i].percentile(marked.front()).has_value();
        p.curve(index, columns,
                (nines ? "fsteps " : "steps ") + look +
                    (is_marked ? ", " + p.from(index + 1, columns) + "points " + look : ""));
        index += 2;
    }
    p.plot();
}

std::string nines_axis(std::size_t most_values) {
    const double low = 0.8 / static_cast<double>(std::max<std::size_t>(most_values, 10));
    // Downwards, so that the curve rises; what is missing to 100 % is on a logarithmic scale.
    std::string s = "set logscale y\nset yrange [1:" + number_text(low) +
                    "] noextend\nset ytics nomirror out ('0' 1, '50' 0.5";
    std::string label = "9";
    double left = 0.1;
    for (; left >= low; left /= 10) {
        s += ", '" + label + (label == "9" ? "0" : "") + "' " + number_text(left);
        label += label == "9" ? "9" : label == "99" ? ".9" : "9";
    }
    for (left = 0.1; left * 9 >= low; left /= 10) {
        for (int m = 2; m < 10; ++m) {
            s += m * left >= low && m * left != 0.5 ? ", '' " + number_text(m * left) + " 1" : "";
        }
    }
    return s + ")";
}

/// A row per run with a mark at each percentile that it has.
void draw_percentile_rows(page& p, const std::vector<labelled_values>& runs, const frame& f) {
    plot_axis rows;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        rows.tics.push_back({static_cast<double>(i), shortened(runs[i].label, 230, 16)});
    }
    p.add(
        rows.commands("y") + "unset logscale y\nset yrange [" +
        number_text(static_cast<double>(runs.size()) - 0.5) +
        ":-0.5]\nset ytics font ',16' scale 0\nset key at graph 0, graph 1 left bottom horizontal Left reverse "
        "samplen 1 maxcols " +
        std::to_string(marked.size()) + " font ',16'");
    const auto add_row = [&](double percent, std::size_t i) {
        const std::optional<double> value = runs[i].percentile(percent);
        if (value) {
            p.row({*value / f.unit.scale, i});
        }
        return value.has_value();
    };
    const std::size_t all = p.block("from the lowest to the highest percentile: " + f.column() + " row");
    p.curve(all, "1:2", "lines lc rgb '#777777' lw 1.5 dt 1 notitle");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const double percent : marked) {
            add_row(percent, i);
        }
        p.gap();
    }
    constexpr std::array<int, marked.size()> shapes{2, 6, 7, 5, 9, 13};
    for (std::size_t k = 0; k < marked.size(); ++k) {
        const bool any = std::any_of(runs.begin(), runs.end(), [&](const labelled_values& d) {
            return d.percentile(marked[k]).has_value();
        });
        if (!any) {
            break;
        }
        const std::size_t block = p.block("percentile " + number_text(marked[k]));
        for (std::size_t i = 0; i < runs.size(); ++i) {
            add_row(marked[k], i);
        }
        p.curve(block, "1:2", "points pt " + std::to_string(shapes[k]) + " ps 1.8 lw 2 lc rgb '#000000'",
                number_text(marked[k]) + "th");
    }
    p.plot();
    p.add("unset key");
}

bool any_values(const std::vector<labelled_values>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const labelled_values& d) { return !d.values.empty(); });
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
    if (ages.empty()) {
        for (std::size_t r = 1; r <= values.size(); ++r) {
            all.push_back(static_cast<double>(r) / static_cast<double>(values.size()));
        }
        return all;
    }
    const product_limit estimated = estimate_of(*this);
    for (std::size_t r = 1; r <= values.size(); ++r) {
        all.push_back(estimated.share(r));
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

std::vector<double> marked_percentiles(std::size_t n) {
    std::vector<double> percents;
    std::copy_if(marked.begin(), marked.end(), std::back_inserter(percents),
                 [n](double p) { return has_percentile(n, p); });
    return percents;
}

std::string marks_text(const std::vector<labelled_values>& runs) {
    std::string text;
    for (const double p : marked) {
        const bool any = std::any_of(runs.begin(), runs.end(),
                                     [&](const labelled_values& d) { return d.percentile(p).has_value(); });
        text += any ? (text.empty() ? "; markers: " : ", ") + number_text(p) + "th" : "";
    }
    return text + (text.empty() ? "" : " percentile");
}

picture distribution_picture(const picture_head& head, const std::vector<labelled_values>& runs,
                             bool logarithmic, const axis_quantity& shown) {
    frame f;
    f.shown = shown;
    f.include(runs);
    if (!logarithmic) {
        f.cut(runs);
    }
    f.close(logarithmic);
    page p(head);
    std::vector<std::string> labels;
    for (const labelled_values& d : runs) {
        labels.push_back(labelled_values::legend({&d}));
        add_data(p, d, f);
    }
    p.legend(labels, page::sample::line_and_point);
    const auto draw = [&](bool nines) {
        p.add(nines ? nines_axis(f.most_values) : "set yrange [0:1]\nset ytics nomirror out 0, 0.2, 1\n");
        p.y_label(nines ? "Percentile [%]" : "Share completed (CDF)");
        draw_curves(p, runs, 0, nines);
    };
    constexpr double right = page::width - 50;
    if (runs.size() <= few_styles) {
        constexpr double height = 900;
        p.x_axis(f.time, f.time_label());
        p.panel(150, 770, p.top() + 20, height - page::foot);
        draw(false);
        p.panel(950, right, p.top() + 20, height - page::foot);
        draw(true);
        return p.finish(static_cast<unsigned>(height));
    }
    // Above each other, so that each has the whole width; then every run's percentiles in a row of its own.
    constexpr double left = 330;
    constexpr double panel_height = 520;
    double top = p.top() + 20;
    for (const bool nines : {false, true}) {
        p.panel(left, right, top, top + panel_height);
        p.add(f.time.commands("x") + f.time.unlabelled("x"));
        draw(nines);
        top += panel_height + 40;
    }
    top += 40;
    const double bottom = top + 46 * static_cast<double>(runs.size());
    p.panel(left, right, top, bottom);
    p.y_label("");
    p.x_axis(f.time, f.time_label());
    draw_percentile_rows(p, runs, f);
    return p.finish(static_cast<unsigned>(bottom + page::foot), false);
}

picture distribution_panels_picture(const picture_head& head, const std::vector<panel_distributions>& panels,
                                    const axis_quantity& shown) {
    frame f;
    f.shown = shown;
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < panels.front().runs.size(); ++i) {
        std::vector<const labelled_values*> parts;
        for (const panel_distributions& panel : panels) {
            parts.push_back(&panel.runs[i]);
        }
        labels.push_back(labelled_values::legend(parts));
    }
    for (const panel_distributions& s : panels) {
        f.include(s.runs);
    }
    f.close();
    page p(head);
    p.legend(labels, page::sample::line_and_point);
    // Many curves take wide panels.
    const bool many = labels.size() > few_styles;
    const std::size_t columns = panels.size() == 4 || many ? 2 : std::min<std::size_t>(panels.size(), 3);
    const std::size_t rows = (panels.size() + columns - 1) / columns;
    const double row_height = rows == 1 ? 660 : 500;
    const double column_width = static_cast<double>(page::width - 60) / static_cast<double>(columns);
    p.add(f.time.fitting(column_width - 135).commands("x") + nines_axis(f.most_values));
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!any_values(panels[i].runs)) {
            continue;
        }
        const std::size_t first = p.blocks();
        for (const labelled_values& d : panels[i].runs) {
            add_data(p, d, f, panels[i].title + ", ");
        }
        const double left = 165 + column_width * static_cast<double>(i % columns);
        const double top = p.top() + 50 + row_height * static_cast<double>(i / columns);
        p.panel(left, left + column_width - 135, top, top + row_height - 110);
        p.heading(panels[i].title);
        p.add(i + columns < panels.size() ? "unset xlabel" : "set xlabel " + quoted(f.time_label()));
        p.y_label(i % columns != 0 ? "" : "Percentile [%]");
        draw_curves(p, panels[i].runs, first, true);
    }
    return p.finish(static_cast<unsigned>(p.top() + 40 + row_height * static_cast<double>(rows)));
}

}  // namespace weir::tb
