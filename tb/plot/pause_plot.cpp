#include "tb/plot/pause_plot.h"

#include <algorithm>
#include <set>

namespace weir {

namespace {

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string tier_name(const std::string& tier) {
    if (!is_number(tier)) {
        return tier;
    }
    return tier == "0" ? "hosts" : "tier " + tier;
}

/// Numbers in their order, then names in theirs.
struct tier_order {
    bool operator()(const std::string& a, const std::string& b) const {
        const bool numbers = is_number(a) && is_number(b);
        if (is_number(a) != is_number(b)) {
            return is_number(a);
        }
        return numbers && a.size() != b.size() ? a.size() < b.size() : a < b;
    }
};

const pause_series* find_tier(const run_data& run, const std::string& tier) {
    for (const pause_series& s : run.pauses) {
        if (s.tier == tier) {
            return &s;
        }
    }
    return nullptr;
}

constexpr double panel_height = 250;

}  // namespace

pause_curve paused_over_time(const pause_series& series, std::size_t most) {
    const std::vector<double>& t = series.time_ns;
    pause_curve curve;
    // The first interval is as long as the second; a run's first sample may be at its very start.
    const double first = t.size() > 1 ? t[1] - t[0] : t[0];
    const double start = std::max(0.0, t[0] - first);
    std::size_t from = t[0] > start ? 0 : 1;
    curve.edge_ns.push_back(start);
    const std::size_t samples = t.size() - from;
    const std::size_t joined = (samples + most - 1) / std::max<std::size_t>(most, 1);
    double all = 0;
    while (from < t.size()) {
        const std::size_t to = std::min(from + joined, t.size());
        double paused = 0;
        for (; from < to; ++from) {
            paused += series.paused_ns[from];
        }
        all += paused;
        const double end = t[to - 1];
        curve.paused.push_back(paused / (end - curve.edge_ns.back()));
        curve.edge_ns.push_back(end);
    }
    const double span = curve.edge_ns.back() - curve.edge_ns.front();
    curve.mean = span > 0 ? all / span : 0;
    return curve;
}

std::optional<picture> pause_picture(const std::string& name, const std::string& title,
                                     const std::string& details, const std::vector<run_data>& runs) {
    std::set<std::string, tier_order> tiers;
    std::vector<std::string> labels;
    double last_ns = 0;
    bool counted = true;
    bool any = false;
    for (const run_data& r : runs) {
        labels.push_back(r.label + (r.has_pauses ? "" : " (no data)"));
        for (const pause_series& s : r.pauses) {
            tiers.insert(s.tier);
            last_ns = std::max(last_ns, s.time_ns.back());
            counted = counted && s.transmitters > 0;
            any = any || std::any_of(s.paused_ns.begin(), s.paused_ns.end(), [](double p) { return p > 0; });
        }
    }
    if (!any) {
        return std::nullopt;
    }
    const axis_unit time = time_unit(last_ns);
    std::string data;
    std::string bars;
    double high = 0;
    double high_bar = 0;
    std::vector<std::string> plots;
    std::size_t index = 0;
    std::size_t row = 0;
    for (const std::string& tier : tiers) {
        std::string plot;
        bars += std::to_string(row++);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const pause_series* s = find_tier(runs[i], tier);
            if (s == nullptr) {
                bars += " ?";
                continue;
            }
            const pause_curve c = paused_over_time(*s);
            const double scale = counted ? 100 / s->transmitters : 1;
            data += "# " + quoted(tier_name(tier)) + ", " + quoted(labels[i]) + "\n# time_" +
                    (time.name == "µs" ? "us" : time.name) + (counted ? " paused_percent" : " paused_mean") +
                    "\n";
            for (std::size_t k = 0; k < c.edge_ns.size(); ++k) {
                const double paused = c.paused.empty() ? 0 : scale * c.paused[std::min(k, c.paused.size() - 1)];
                high = std::max(high, paused);
                data += number_text(c.edge_ns[k] / time.scale) + " " + number_text(paused) + "\n";
            }
            data += "\n\n";
            high_bar = std::max(high_bar, scale * c.mean);
            bars += " " + number_text(scale * c.mean);
            plot += plot.empty() ? "plot " : ", \\\n     ";
            plot += "'" + name + ".dat' index " + std::to_string(index++) + " using 1:2 with steps lt " +
                    std::to_string(i + 1) + " lw 2";
        }
        bars += "\n";
        plots.push_back(plot);
    }
    data += "# bars: tier" + std::string(counted ? ", percent of time paused" : ", mean paused") +
            " of each run\n" + bars;

    const std::string what = counted ? "Time paused [%]" : "Paused at a time";
    const double height = 210 + panel_height * static_cast<double>(std::max<std::size_t>(tiers.size(), 2));
    const double used = (height - 210) / static_cast<double>(tiers.size());
    page p(title, details + (counted ? "" : "; paused transmitters (ports × classes), mean"));
    p.legend(labels, page::sample::box);
    p.add("set datafile missing '?'");
    plot_axis x = linear_axis(last_ns / time.scale);
    x.high = last_ns / time.scale;
    p.add(x.commands("x") + linear_axis(high).commands("y") + "set ylabel " + quoted(what));
    row = 0;
    for (const std::string& tier : tiers) {
        const double top = p.top() + 45 + used * static_cast<double>(row);
        p.panel(130, 990, top, top + used - 75);
        p.add("set title " + quoted(tier_name(tier)) + " offset 0, -0.6");
        p.add(row + 1 < tiers.size() ? "unset xlabel" : "set xlabel " + quoted("Time [" + time.name + "]"));
        p.add(plots[row++]);
    }
    p.panel(1120, page::width - 40, p.top() + 45, p.top() + 45 + used * static_cast<double>(tiers.size()) - 75);
    const double count = static_cast<double>(runs.size());
    p.add(linear_axis(high_bar).commands("y") +
          "set xrange [-0.6:" + number_text(static_cast<double>(tiers.size()) - 0.4) +
          "]\nunset xlabel\nset title 'Whole run' offset 0, -0.6");
    std::string names;
    row = 0;
    for (const std::string& tier : tiers) {
        names += (row == 0 ? "" : ", ") + quoted(tier_name(tier)) + " " + std::to_string(row);
        ++row;
    }
    p.add("set xtics (" + names + ") scale 0\nunset grid\nset grid y\nset boxwidth " +
          number_text(0.8 / count));
    std::string plot;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].has_pauses) {
            continue;
        }
        plot += plot.empty() ? "plot " : ", \\\n     ";
        plot += "'" + name + ".dat' index " + std::to_string(index) + " using ($1 + " +
                number_text((static_cast<double>(i) - (count - 1) / 2) * 0.8 / count) +
                "):" + std::to_string(i + 2) + " with boxes " + bar_style(i);
    }
    p.add(plot);
    return p.finish(name, data, static_cast<unsigned>(height));
}

}  // namespace weir
