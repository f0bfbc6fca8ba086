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

/// What all panels share.
struct pause_page {
    std::string name;
    const std::vector<run_data>& runs;
    /// Every tier says how many transmitters it has.
    bool counted = true;
    bool any = false;
    double last_ns = 0;
    axis_unit time{};
    std::set<std::string, tier_order> tiers;
    std::string data;
    std::size_t index = 0;

    pause_page(std::string file, const std::vector<run_data>& all) : name(std::move(file)), runs(all) {
        for (const run_data& r : runs) {
            for (const pause_series& s : r.pauses) {
                tiers.insert(s.tier);
                last_ns = std::max(last_ns, s.time_ns.back());
                counted = counted && s.transmitters > 0;
                any =
                    any || std::any_of(s.paused_ns.begin(), s.paused_ns.end(), [](double p) { return p > 0; });
            }
        }
        time = time_unit(last_ns);
    }
};

/// One tier over time.
struct tier_panel {
    std::string tier;
    /// Largest value, for the axis.
    double high = 0;
    std::string plot;
    /// Of the whole series, by run; negative where the run has none.
    std::vector<double> means;
};

tier_panel make_panel(pause_page& p, const std::string& tier) {
    tier_panel panel{tier, 0, {}, std::vector<double>(p.runs.size(), -1)};
    for (std::size_t i = 0; i < p.runs.size(); ++i) {
        const pause_series* s = find_tier(p.runs[i], tier);
        const pause_curve c = s == nullptr ? pause_curve{} : paused_over_time(*s);
        if (c.paused.empty()) {
            continue;
        }
        const double scale = p.counted ? 100 / s->transmitters : 1;
        p.data += "# " + quoted(tier_name(tier)) + ", " + quoted(p.runs[i].label) + "\n# time_" +
                  p.time.plain() + (p.counted ? " paused_percent" : " paused_mean") + "\n";
        for (std::size_t k = 0; k < c.edge_ns.size(); ++k) {
            const double paused = scale * c.paused[std::min(k, c.paused.size() - 1)];
            panel.high = std::max(panel.high, paused);
            p.data += number_text(c.edge_ns[k] / p.time.scale) + " " + number_text(paused) + "\n";
        }
        p.data += "\n\n";
        panel.means[i] = scale * c.mean;
        panel.plot += panel.plot.empty() ? "plot " : ", \\\n     ";
        panel.plot += "'" + p.name + ".dat' index " + std::to_string(p.index++) + " using 1:2 with steps lt " +
                      std::to_string(i + 1) + " lw 2";
    }
    return panel;
}

/// Commands for the bars, a group per tier; their numbers go to the data.
std::string make_bars(pause_page& p, const std::vector<tier_panel>& panels) {
    const double count = static_cast<double>(p.runs.size());
    p.data += p.counted ? "# percent of time paused" : "# mean paused";
    p.data += ": number of the tier's group, then each run\n";
    double high = 0;
    std::string names;
    for (std::size_t row = 0; row < panels.size(); ++row) {
        p.data += std::to_string(row);
        for (const double mean : panels[row].means) {
            p.data += mean < 0 ? " ?" : " " + number_text(mean);
            high = std::max(high, mean);
        }
        p.data += "\n";
        names += (row == 0 ? "" : ", ") + quoted(tier_name(panels[row].tier)) + " " + std::to_string(row);
    }
    std::string s =
        linear_axis(high).commands("y") +
        "set xrange [-0.6:" + number_text(static_cast<double>(panels.size()) - 0.4) + "]\nset xtics (" + names +
        ") nomirror scale 0\nunset grid\nset grid y lt 1 lc rgb '#DDDDDD' lw 1 dt 1\nset boxwidth " +
        number_text(0.8 / count) + "\n";
    const char* divider = "plot ";
    for (std::size_t i = 0; i < p.runs.size(); ++i) {
        if (p.runs[i].has_pauses) {
            s += divider + ("'" + p.name + ".dat'") + " index " + std::to_string(p.index) + " using ($1 + " +
                 number_text((static_cast<double>(i) - (count - 1) / 2) * 0.8 / count) +
                 "):" + std::to_string(i + 2) + " with boxes " + bar_style(i);
            divider = ", \\\n     ";
        }
    }
    return s;
}

}  // namespace

pause_curve paused_over_time(const pause_series& series, std::size_t most) {
    const std::vector<double>& t = series.time_ns;
    pause_curve curve;
    // The first interval is as long as the second; a run's first sample may be at its very start.
    const double first = t.size() > 1 ? t[1] - t[0] : t[0];
    const double start = std::max(0.0, t[0] - first);
    const std::size_t from = t[0] > start ? 0 : 1;
    curve.edge_ns.push_back(start);
    const std::size_t samples = t.size() - from;
    const std::size_t stretches = std::min(samples, most);
    double all = 0;
    std::size_t at = from;
    for (std::size_t i = 1; i <= stretches; ++i) {
        double paused = 0;
        for (; at < from + samples * i / stretches; ++at) {
            paused += series.paused_ns[at];
        }
        all += paused;
        curve.paused.push_back(paused / (t[at - 1] - curve.edge_ns.back()));
        curve.edge_ns.push_back(t[at - 1]);
    }
    const double span = curve.edge_ns.back() - curve.edge_ns.front();
    curve.mean = span > 0 ? all / span : 0;
    return curve;
}

std::optional<picture> pause_picture(const std::string& name, const std::string& title,
                                     const std::string& details, const std::vector<run_data>& runs) {
    pause_page shared(name, runs);
    if (!shared.any) {
        return std::nullopt;
    }
    std::vector<tier_panel> panels;
    for (const std::string& tier : shared.tiers) {
        panels.push_back(make_panel(shared, tier));
    }
    std::vector<std::string> labels;
    for (const run_data& r : runs) {
        labels.push_back(r.label + (r.has_pauses ? "" : " (no data)"));
    }
    page p(title, details + (shared.counted ? "; paused: mean share of a tier's transmitters"
                                            : "; paused: mean number of a tier's transmitters"));
    p.legend(labels, page::sample::box);
    // One tier alone would make a very flat picture.
    const double row_height = panels.size() == 1 ? 480 : panels.size() == 2 ? 320 : 230;
    const double first = p.top() + 50;
    const double last = first + row_height * static_cast<double>(panels.size()) - 50;
    const plot_axis x = time_axis(0, shared.last_ns / shared.time.scale);
    p.add(std::string("set datafile missing '?'\nset ylabel ") +
          (shared.counted ? "'Paused [%]'" : "'Paused'"));
    for (std::size_t row = 0; row < panels.size(); ++row) {
        const double top = first + row_height * static_cast<double>(row);
        p.panel(130, 1000, top, top + row_height - 50);
        p.add("set title " + quoted(tier_name(panels[row].tier)) + " offset 0, -0.6");
        p.add(linear_axis(panels[row].high).commands("y") + x.commands("x") +
              (row + 1 < panels.size() ? x.unlabelled("x")
                                       : "set xlabel " + quoted("Time [" + shared.time.name + "]")));
        p.add(panels[row].plot.empty() ? "plot NaN" : panels[row].plot);
    }
    p.panel(1130, page::width - 40, first, last);
    p.add("unset xlabel\nset title 'Whole run' offset 0, -0.6\n" + make_bars(shared, panels));
    return p.finish(name, shared.data, static_cast<unsigned>(last + page::foot));
}

}  // namespace weir
