#include "tb/plot/pause_plot.h"

#include <algorithm>
#include <set>

#include "tb/plot/page.h"
#include "tb/plot/sampled_time.h"

namespace weir::tb {

namespace {

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
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

/// One run in one tier.
struct strip {
    /// Over time; without stretches where the run has no data of the tier.
    pause_curve curve;
    /// Of one transmitter in the drawn unit: percent, or paused transmitters.
    double scale = 1;

    bool has_data() const { return !curve.paused.empty(); }
    double high() const {
        return has_data() ? scale * *std::max_element(curve.paused.begin(), curve.paused.end()) : 0;
    }
};

/// One tier, a strip per run.
struct tier_panel {
    std::string tier;
    std::vector<strip> strips;

    double high() const {
        double high = 0;
        for (const strip& s : strips) {
            high = std::max(high, s.high());
        }
        return high;
    }
};

/// Names at the left, strips over time in the middle, and the mean of all samples at the right.
class pause_drawing {
 public:
    pause_drawing(std::string name, const std::vector<run_data>& runs)
        : m_name(std::move(name)), m_runs(runs), m_counted(transmitters_are_counted(runs)) {
        for (const std::string& tier : pause_tiers(runs)) {
            m_panels.push_back({tier, {}});
            for (const run_data& r : runs) {
                const pause_series* s = find_tier(r, tier);
                m_panels.back().strips.emplace_back();
                if (s == nullptr) {
                    continue;
                }
                strip& added = m_panels.back().strips.back();
                added.curve = paused_over_time(*s);
                added.scale = pause_scale(*s, m_counted);
                if (added.has_data()) {
                    m_time.include(added.curve.edge_ns, added.curve.paused);
                }
                m_high_mean = std::max(m_high_mean, added.scale * added.curve.mean);
            }
        }
        m_x = m_time.axis();
    }

    bool any_pauses() const { return m_high_mean > 0; }

    picture draw(const std::string& title, const std::string& details) {
        page p(title, details + (m_counted ? "; paused: mean share of a tier's transmitters"
                                           : "; paused: mean number of a tier's transmitters"));
        p.add("set datafile missing '?'");
        const auto last_shown = std::find_if(m_panels.rbegin(), m_panels.rend(),
                                             [](const tier_panel& panel) { return panel.high() > 0; });
        double top = p.top() + 20;
        for (const tier_panel& panel : m_panels) {
            top = add_tier(p, panel, top, &panel == &*last_shown);
        }
        return p.finish(m_name, m_data, static_cast<unsigned>(top));
    }

 private:
    static constexpr double names_left = 60;
    static constexpr double strips_left = 400;
    static constexpr double strips_right = 1150;
    static constexpr double bars_left = 1200;
    static constexpr double bars_right = 1480;
    static constexpr double name_size = 15;

    /// One run alone would make a very flat picture, and many a very long one.
    double strip_height() const { return is_tall() ? 130 : m_runs.size() <= few_styles ? 90 : 56; }

    bool is_tall() const { return m_runs.size() <= 2; }
    /// Tall strips have a label at 0, too.
    double gap() const { return is_tall() ? 30 : 10; }

    static std::string text_at(int tag, const std::string& text, double left, double row) {
        return "set label " + std::to_string(tag) + " " + quoted(text) + " at screen " + number_text(left) +
               "/W, screen 1 - " + number_text(row) + "/H left";
    }

    /// Returns the first free row below it.
    double add_tier(page& p, const tier_panel& panel, double top, bool is_last) {
        const std::string head = tier_name(panel.tier) + ": ";
        if (panel.high() == 0) {
            p.panel(names_left, bars_right, top, top + 30);
            p.add(text_at(3, head + "no pauses in any run", names_left, top + 15) +
                  "\nunset border\nunset tics\nunset xlabel\nset xrange [0:1]\nset yrange [0:1]\nplot NaN "
                  "notitle\nset border 3\nunset label 3");
            return top + 60;
        }
        const plot_axis y = linear_axis(panel.high());
        const std::size_t bars_index = add_data(panel);
        const double first = top + 52;
        p.add(text_at(3, head + (m_counted ? "paused [%]" : "paused transmitters") + " over time", names_left,
                      top + 15) +
              "\n" + text_at(4, "mean of all samples", bars_left, top + 15));
        for (std::size_t i = 0; i < panel.strips.size(); ++i) {
            add_strip(p, panel, i, y, first, is_last && i + 1 == panel.strips.size());
        }
        const double bottom = first + (strip_height() + gap()) * static_cast<double>(m_runs.size()) - gap();
        add_bars(p, panel, bars_index, first, bottom, is_last);
        return bottom + (is_last ? page::foot : 40);
    }

    void add_strip(page& p, const tier_panel& panel, std::size_t i, const plot_axis& y, double first,
                   bool labelled) {
        const double top = first + (strip_height() + gap()) * static_cast<double>(i);
        p.panel(strips_left, strips_right, top, top + strip_height());
        std::vector<std::string> name = wrapped(m_runs[i].label, strips_left - names_left - 90, name_size);
        if (name.size() > 2) {
            name = {name[0], shortened(m_runs[i].label.substr(name[0].size()), strips_left - names_left - 90,
                                       name_size)};
        }
        for (std::size_t line = 0; line < name.size(); ++line) {
            const double middle = top + strip_height() / 2 - 13 * static_cast<double>(name.size() - 1);
            p.add(text_at(5 + static_cast<int>(line), name[line], names_left,
                          middle + 26 * static_cast<double>(line)) +
                  " font ',15'");
        }
        plot_axis ends = y;
        ends.tics = {is_tall() ? y.tics.front() : axis_tic{0, ""}, y.tics.back()};
        p.add(m_x.commands("x") +
              (labelled ? "set xlabel " + quoted(m_time.label()) : m_x.unlabelled("x") + "unset xlabel") +
              "\n" + ends.commands("y"));
        const strip& s = panel.strips[i];
        if (s.high() > 0) {
            const std::string from =
                "'" + m_name + ".dat' index " + std::to_string(m_indices[i]) + " using 1:2 with ";
            const std::string style = " lt " + std::to_string(i + 1) + " dt 1 lw 1.5";
            p.add("plot " + from + "filledcurves y=0" + style + " fs solid 0.35 noborder, \\\n     " + from +
                  "lines" + style);
        } else {
            p.notice(s.has_data() ? "no pauses" : "no data");
        }
        p.add("unset label 3\nunset label 4\nunset label 5\nunset label 6");
    }

    void add_bars(page& p, const tier_panel& panel, std::size_t index, double first, double bottom,
                  bool labelled) {
        const plot_axis x = linear_axis(m_high_mean);
        p.panel(bars_left, bars_right, first, bottom);
        const double half = strip_height() / 2 / (strip_height() + gap());
        std::string s = "unset ytics\nset yrange [" +
                        number_text(static_cast<double>(m_runs.size()) - 1 + half) + ":" + number_text(-half) +
                        "]\n" + x.commands("x");
        s += labelled ? "set xlabel " + quoted(m_counted ? "Paused [%]" : "Paused transmitters")
                      : x.unlabelled("x") + "unset xlabel";
        s += "\nunset grid\nset grid x lt 1 lc rgb '#DDDDDD' lw 1 dt 1\n";
        std::string plot;
        for (std::size_t i = 0; i < panel.strips.size(); ++i) {
            if (!panel.strips[i].has_data()) {
                continue;
            }
            const double mean = panel.strips[i].scale * panel.strips[i].curve.mean;
            s += "set label " + quoted(short_number(mean) + (m_counted ? " %" : "")) + " at first " +
                 number_text(mean) + ", first " + std::to_string(i) + " left offset 0.5, 0 font ',15'\n";
            const std::string row = std::to_string(i);
            plot += (plot.empty() ? "plot '" : ", \\\n     '") + m_name + ".dat' index " +
                    std::to_string(index) + " every ::" + row + "::" + row +
                    " using (0):1:(0):2:($1-0.3):($1+0.3) with boxxyerror " + bar_style(i);
        }
        p.add(s + plot + "\nunset label\nunset grid\nset grid x y lt 1 lc rgb '#DDDDDD' lw 1 dt 1");
    }

    /// A block per strip with pauses, then the bars'. Returns the index of that one.
    std::size_t add_data(const tier_panel& panel) {
        m_indices.assign(panel.strips.size(), 0);
        for (std::size_t i = 0; i < panel.strips.size(); ++i) {
            const strip& s = panel.strips[i];
            if (s.high() == 0) {
                continue;
            }
            m_data += "# " + one_line(tier_name(panel.tier) + ", " + m_runs[i].label) + "\n# time_" +
                      m_time.unit().plain() + (m_counted ? " paused_percent" : " paused_mean") + "\n";
            for (std::size_t k = 0; k < s.curve.paused.size(); ++k) {
                for (const double edge_ns : {s.curve.edge_ns[k], s.curve.edge_ns[k + 1]}) {
                    m_data += number_text(edge_ns / m_time.unit().scale) + " " +
                              number_text(s.scale * s.curve.paused[k]) + "\n";
                }
            }
            m_data += "\n\n";
            m_indices[i] = m_index++;
        }
        m_data += "# " + one_line(tier_name(panel.tier)) + ", mean of all samples: number of the run, " +
                  (m_counted ? "paused_percent" : "paused_mean") + "\n";
        for (std::size_t i = 0; i < panel.strips.size(); ++i) {
            const strip& s = panel.strips[i];
            m_data +=
                std::to_string(i) + " " + (s.has_data() ? number_text(s.scale * s.curve.mean) : "?") + "\n";
        }
        m_data += "\n\n";
        return m_index++;
    }

    std::string m_name;
    const std::vector<run_data>& m_runs;
    const bool m_counted;
    double m_high_mean = 0;
    sampled_time m_time;
    plot_axis m_x;
    std::vector<tier_panel> m_panels;
    std::string m_data;
    std::size_t m_index = 0;
    /// Of the strips of the tier that is being drawn.
    std::vector<std::size_t> m_indices;
};

}  // namespace

std::string tier_name(const std::string& tier) {
    if (tier == "0" || tier == "host") {
        return "hosts";
    }
    const std::string number = tier.rfind("tier", 0) == 0 ? tier.substr(4) : tier;
    return is_number(number) ? "tier " + number : tier;
}

const pause_series* find_tier(const run_data& run, const std::string& tier) {
    for (const pause_series& s : run.pauses) {
        if (s.tier == tier) {
            return &s;
        }
    }
    return nullptr;
}

std::vector<std::string> pause_tiers(const std::vector<run_data>& runs) {
    std::set<std::string, tier_order> tiers;
    for (const run_data& r : runs) {
        for (const pause_series& s : r.pauses) {
            tiers.insert(s.tier);
        }
    }
    return {tiers.begin(), tiers.end()};
}

double pause_scale(const pause_series& series, bool counted) {
    return counted && series.transmitters > 0 ? 100 / series.transmitters : 1;
}

bool transmitters_are_counted(const std::vector<run_data>& runs) {
    return std::all_of(runs.begin(), runs.end(), [](const run_data& r) {
        return std::all_of(
            r.pauses.begin(), r.pauses.end(),
            // Without flow control a tier has none, and nothing to divide.
            [](const pause_series& s) { return s.transmitters > 0 || paused_over_time(s).mean == 0; });
    });
}

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
    pause_drawing drawing(name, runs);
    if (!drawing.any_pauses()) {
        return std::nullopt;
    }
    return drawing.draw(title, details);
}

}  // namespace weir::tb
