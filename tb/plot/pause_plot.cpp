#include "tb/plot/pause_plot.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tb/plot/page.h"
#include "tb/plot/runs_without.h"
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

/// `hosts`, `tier 1`
std::string tier_name(const std::string& tier) {
    if (tier == "0" || tier == "host") {
        return "hosts";
    }
    const std::string number = tier.rfind("tier", 0) == 0 ? tier.substr(4) : tier;
    return is_number(number) ? "tier " + number : tier;
}

/// Null where the run has none of that tier.
const pause_series* find_tier(const run_data& run, const std::string& tier) {
    const auto found = std::find_if(run.pauses.begin(), run.pauses.end(),
                                    [&](const pause_series& s) { return s.tier == tier; });
    return found == run.pauses.end() ? nullptr : &*found;
}

/// Every tier in which something was paused says how many transmitters it has: shares of them can be shown.
bool transmitters_are_counted(const std::vector<run_data>& runs) {
    return std::all_of(runs.begin(), runs.end(), [](const run_data& r) {
        return std::all_of(
            r.pauses.begin(), r.pauses.end(),
            // Without flow control a tier has none, and nothing to divide.
            [](const pause_series& s) { return s.transmitters > 0 || paused_over_time(s).mean == 0; });
    });
}

double mean_of(const chart_series& steps) {
    double all = 0;
    for (std::size_t k = 0; k < steps.y.size(); ++k) {
        all += steps.y[k] * (steps.x[k + 1] - steps.x[k]);
    }
    return steps.y.empty() ? 0 : all / (steps.x.back() - steps.x.front());
}

/// Names at the left, strips over time in the middle, and the mean of all samples at the right.
class pause_drawing {
 public:
    explicit pause_drawing(const std::vector<run_data>& runs) : m_runs(runs), m_tiers(pause_charts(runs)) {
        for (const chart& tier : m_tiers) {
            for (const chart_series& strip : tier.series) {
                if (!strip.y.empty()) {
                    m_time.include(strip.x, strip.y);
                    m_high_mean = std::max(m_high_mean, mean_of(strip));
                }
            }
            m_counted = tier.y.kind == axis_kind::percent;
        }
        m_x = m_time.axis();
    }

    bool any_pauses() const { return m_high_mean > 0; }

    picture draw(const picture_head& head) {
        page p(head.with(m_counted ? "; paused: mean share of a tier's transmitters"
                                   : "; paused: mean number of a tier's transmitters"));
        p.add("set datafile missing '?'");
        const auto last_shown = std::find_if(m_tiers.rbegin(), m_tiers.rend(),
                                             [](const chart& tier) { return tier.largest() > 0; });
        double top = p.top() + 20;
        for (const chart& tier : m_tiers) {
            top = add_tier(p, tier, top, &tier == &*last_shown);
        }
        return p.finish(static_cast<unsigned>(top));
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

    /// Null where the run has no samples of the tier.
    static const chart_series* strip_of(const chart& tier, std::size_t run) {
        const auto strip = std::find_if(tier.series.begin(), tier.series.end(),
                                        [run](const chart_series& s) { return s.number == run; });
        return strip == tier.series.end() || strip->y.empty() ? nullptr : &*strip;
    }

    /// Returns the first free row below it.
    double add_tier(page& p, const chart& tier, double top, bool is_last) {
        const std::string head = tier.title + ": ";
        if (tier.largest() == 0) {
            p.panel(names_left, bars_right, top, top + 30);
            p.add(text_at(3, head + "no pauses in any run", names_left, top + 15) +
                  "\nunset border\nunset tics\nunset xlabel\nset xrange [0:1]\nset yrange [0:1]\nplot NaN "
                  "notitle\nset border 3\nunset label 3");
            return top + 60;
        }
        const double first = top + 52;
        p.add(text_at(3, head + (m_counted ? "paused [%]" : "paused transmitters") + " over time", names_left,
                      top + 15) +
              "\n" + text_at(4, "mean of all samples", bars_left, top + 15));
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            add_strip(p, tier, i, first, is_last && i + 1 == m_runs.size());
        }
        const double bottom = first + (strip_height() + gap()) * static_cast<double>(m_runs.size()) - gap();
        add_bars(p, tier, first, bottom, is_last);
        return bottom + (is_last ? page::foot : 40);
    }

    void add_strip(page& p, const chart& tier, std::size_t i, double first, bool labelled) {
        const double top = first + (strip_height() + gap()) * static_cast<double>(i);
        p.panel(strips_left, strips_right, top, top + strip_height());
        constexpr double room = strips_left - names_left - 90;
        std::vector<std::string> name = wrapped(m_runs[i].label, room, name_size);
        if (name.size() > 2) {
            name = {name[0], shortened(m_runs[i].label.substr(name[0].size()), room, name_size)};
        }
        for (std::size_t line = 0; line < name.size(); ++line) {
            const double middle = top + strip_height() / 2 - 13 * static_cast<double>(name.size() - 1);
            p.add(text_at(5 + static_cast<int>(line), name[line], names_left,
                          middle + 26 * static_cast<double>(line)) +
                  " font ',15'");
        }
        plot_axis ends = linear_axis(tier.largest());
        ends.tics = {is_tall() ? ends.tics.front() : axis_tic{0, ""}, ends.tics.back()};
        labelled ? p.x_axis(m_x, m_time.label()) : p.x_axis(m_x);
        p.add(ends.commands("y"));
        const chart_series* const strip = strip_of(tier, i);
        if (strip != nullptr && strip->largest() > 0) {
            const std::size_t block =
                p.block(tier.title + ", " + m_runs[i].label, "time_" + m_time.unit().plain() + " " + shown());
            for (std::size_t k = 0; k < strip->y.size(); ++k) {
                for (const double edge_ns : {strip->x[k], strip->x[k + 1]}) {
                    p.row({edge_ns / m_time.unit().scale, strip->y[k]});
                }
            }
            const std::string style = " " + line_type(i) + " dt 1 lw 1.5";
            p.curve(block, "1:2", "filledcurves y=0" + style + " fs solid 0.35 noborder");
            p.curve(block, "1:2", "lines" + style);
        }
        p.plot(strip != nullptr ? "no pauses" : "no data");
        p.add("unset label 3\nunset label 4\nunset label 5\nunset label 6");
    }

    void add_bars(page& p, const chart& tier, double first, double bottom, bool labelled) {
        const plot_axis x = linear_axis(m_high_mean);
        p.panel(bars_left, bars_right, first, bottom);
        const double half = strip_height() / 2 / (strip_height() + gap());
        p.add("unset ytics\nset yrange [" + number_text(static_cast<double>(m_runs.size()) - 1 + half) + ":" +
              number_text(-half) + "]");
        labelled ? p.x_axis(x, m_counted ? "Paused [%]" : "Paused transmitters") : p.x_axis(x);
        p.add("unset grid\nset grid x lt 1 lc rgb '#DDDDDD' lw 1 dt 1");
        const std::size_t block = p.block(tier.title + ", mean of all samples: number of the run, " + shown());
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const chart_series* const strip = strip_of(tier, i);
            const double mean = strip == nullptr ? NAN : mean_of(*strip);
            p.row({i, mean});
            if (strip == nullptr) {
                continue;
            }
            const std::string row = std::to_string(i);
            p.add("set label " + quoted(short_number(mean) + (m_counted ? " %" : "")) + " at first " +
                  number_text(mean) + ", first " + row + " left offset 0.5, 0 font ',15'");
            p.curve(p.from(block, "(0):1:(0):2:($1-0.3):($1+0.3)", "::" + row + "::" + row) + "boxxyerror " +
                    bar_style(i));
        }
        p.plot();
        p.add("unset label\nunset grid\nset grid x y lt 1 lc rgb '#DDDDDD' lw 1 dt 1");
    }

    const char* shown() const { return m_counted ? "paused_percent" : "paused_mean"; }

    const std::vector<run_data>& m_runs;
    const std::vector<chart> m_tiers;
    bool m_counted = false;
    double m_high_mean = 0;
    sampled_time m_time;
    plot_axis m_x;
};

}  // namespace

std::vector<chart> pause_charts(const std::vector<run_data>& runs) {
    std::set<std::string, tier_order> tiers;
    for (const run_data& run : runs) {
        for (const pause_series& s : run.pauses) {
            tiers.insert(s.tier);
        }
    }
    const bool counted = transmitters_are_counted(runs);
    std::vector<chart> charts;
    for (const std::string& tier : tiers) {
        chart& made = charts.emplace_back();
        made.id = "pauses_" + tier;
        made.title = tier_name(tier);
        made.note = with_runs_without("a transmitter is one class of one port", "no samples", runs,
                                      [&](const run_data& run) { return find_tier(run, tier) != nullptr; });
        made.kind = chart_kind::steps;
        made.y = counted ? chart_axis{"Paused", axis_kind::percent} : chart_axis{"Paused transmitters"};
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (const pause_series* const found = find_tier(runs[i], tier)) {
                const pause_curve curve = paused_over_time(*found);
                chart_series steps{runs[i].label, i, true, curve.edge_ns, curve.paused};
                for (double& paused : steps.y) {
                    paused *= counted && found->transmitters > 0 ? 100 / found->transmitters : 1;
                }
                made.series.push_back(std::move(steps));
            }
        }
    }
    return charts;
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

std::optional<picture> pause_picture(const picture_head& head, const std::vector<run_data>& runs) {
    pause_drawing drawing(runs);
    return drawing.any_pauses() ? std::optional(drawing.draw(head)) : std::nullopt;
}

}  // namespace weir::tb
