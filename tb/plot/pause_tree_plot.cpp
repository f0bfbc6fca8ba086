#include "tb/plot/pause_tree_plot.h"

#include <algorithm>
#include <numeric>

#include "tb/plot/page.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

bool has_pauses(const run_data& run) {
    return run.tree && run.tree->paused_ns > 0;
}

class tree_drawing {
 public:
    explicit tree_drawing(const run_data& run)
        : m_tree(with_classes_summed(*run.tree)), m_shown(longest_places(m_tree, most_tree_rows)) {
        for (const std::size_t place : m_shown) {
            m_high = std::max(m_high, m_tree.places[place].all_ns);
            m_hops = std::max(m_hops, m_tree.places[place].depth);
        }
        m_unit = time_unit(m_high);
    }

    picture draw(const picture_head& head) {
        std::vector<std::string> labels;
        for (unsigned hop = 1; hop <= std::min<std::size_t>(m_hops, most_styles); ++hop) {
            labels.push_back("hop " + std::to_string(hop));
        }
        page p(head.with(left_out()));
        p.legend(labels, page::sample::box, {{std::string("boxes ") + pale_look, "with all that came of it"}});
        const double top = p.top() + 20;
        const double bottom = top + row_height * static_cast<double>(m_shown.size());
        p.panel(panel_left, panel_right, top, bottom);
        // Room for the times behind the bars.
        plot_axis x = linear_axis(m_high / m_unit.scale);
        x.high = 1.25 * m_high / m_unit.scale;
        x.tics.erase(
            std::remove_if(x.tics.begin(), x.tics.end(), [&](const axis_tic& t) { return t.at > x.high; }),
            x.tics.end());
        p.add("unset ytics\nset yrange [" + number_text(static_cast<double>(m_shown.size()) - 0.5) + ":-0.5]");
        p.x_axis(x, "Time paused, all transmitters [" + m_unit.name + "]");
        p.add(texts());
        draw_bars(p);
        return p.finish(static_cast<unsigned>(bottom + page::foot), false);
    }

 private:
    static constexpr const char* pale_look = "fs solid 0.25 noborder lc rgb '#999999'";
    static constexpr double row_height = 30;
    static constexpr double panel_left = 640;
    static constexpr double panel_right = page::width - 40;
    static constexpr double indent = 34;

    std::string left_out() const {
        std::string text;
        if (m_shown.size() < m_tree.places.size()) {
            double most = 0;
            for (std::size_t i = 0, next = 0; i < m_tree.places.size(); ++i) {
                if (next < m_shown.size() && m_shown[next] == i) {
                    ++next;
                } else {
                    most = std::max(most, m_tree.places[i].all_ns);
                }
            }
            text += "; " + count_text(m_tree.places.size() - m_shown.size()) + " more places, up to " +
                    short_number(most / m_unit.scale) + " " + m_unit.name + " each";
        }
        if (m_tree.unknown_ns > 0) {
            text += "; " + short_number(100 * m_tree.unknown_ns / m_tree.paused_ns) + " % of unknown cause";
        }
        return text;
    }

    /// Of a column left of the bars, as a share of the panel's width.
    static std::string column(double pixels) {
        return "graph " + number_text((pixels - panel_left) / (panel_right - panel_left));
    }

    /// Of its own, and with all below where that is more: `18 of 104 ms`.
    std::string time_text(const pause_tree::place& place) const {
        const std::string all = short_number(place.all_ns / m_unit.scale);
        const std::string own = short_number(place.paused_ns / m_unit.scale);
        return (place.depth == 0 || own == all ? all : own + " of " + all) + " " + m_unit.name;
    }

    std::string texts() const {
        std::string s;
        for (std::size_t row = 0; row < m_shown.size(); ++row) {
            const pause_tree::place& place = m_tree.places[m_shown[row]];
            const double left = 60 + indent * place.depth;
            const std::string y = ", first " + std::to_string(row);
            s += "set label " + quoted(place.queue + (place.kind.empty() ? "" : ", " + place.kind)) + " at " +
                 column(left) + y + " left noenhanced\n";
            s += "set label " + quoted(time_text(place)) + " at first " +
                 number_text(place.all_ns / m_unit.scale) + y + " left offset 0.6, 0 noenhanced\n";
            if (place.depth > 0) {
                const auto parent = std::lower_bound(m_shown.begin(), m_shown.end(), place.parent);
                const auto above = static_cast<double>(parent - m_shown.begin());
                const double stem = left - indent + 10;
                const std::string line = " nohead lc rgb '#888888' lw 1\n";
                s += "set arrow from " + column(stem) + ", first " + number_text(above + 0.4) + " to " +
                     column(stem) + y + line;
                s += "set arrow from " + column(stem) + y + " to " + column(left - 6) + y + line;
            }
        }
        return s;
    }

    /// A pale bar for what a place has with all below, and one in its hop's style for its own.
    void draw_bars(page& p) const {
        const auto add = [&](std::size_t block, const char* high, const std::string& look) {
            for (std::size_t row = 0; row < m_shown.size(); ++row) {
                const pause_tree::place& place = m_tree.places[m_shown[row]];
                if (block == 0 || place.depth == block) {
                    p.row({row, place.paused_ns / m_unit.scale, place.all_ns / m_unit.scale});
                }
            }
            p.curve(block, std::string("(0):1:(0):") + high + ":($1-0.36):($1+0.36)", "boxxyerror " + look);
        };
        add(p.block("every place: row, paused_" + m_unit.plain() + ", with all below"), "3", pale_look);
        for (unsigned hop = 1; hop <= m_hops; ++hop) {
            add(p.block("hop " + std::to_string(hop)), "2", bar_style(hop - 1));
        }
        p.plot();
    }

    pause_tree m_tree;
    std::vector<std::size_t> m_shown;
    double m_high = 0;
    unsigned m_hops = 0;
    axis_unit m_unit{};
};

}  // namespace

std::optional<picture> pause_tree_picture(const picture_head& head, const std::vector<run_data>& runs) {
    const auto run = std::find_if(runs.begin(), runs.end(), has_pauses);
    if (run == runs.end() || run->tree->places.empty()) {
        return std::nullopt;
    }
    return tree_drawing(*run).draw(head.with(runs.size() > 1 ? ", of run " + run->label : ""));
}

std::optional<picture> pause_hops_picture(const picture_head& head, const std::vector<run_data>& runs) {
    if (std::none_of(runs.begin(), runs.end(), has_pauses)) {
        return std::nullopt;
    }
    std::size_t hops = 0;
    bool any_unknown = false;
    std::vector<std::string> labels;
    for (const run_data& run : runs) {
        labels.push_back(run.label + (has_pauses(run) ? "" : run.tree ? " (no pauses)" : " (no data)"));
        hops = std::max(hops, has_pauses(run) ? run.tree->hop_ns.size() : 0);
        any_unknown = any_unknown || (has_pauses(run) && run.tree->unknown_ns > 0);
    }
    // The last group: what has no known cause.
    const std::size_t groups = hops + (any_unknown ? 1 : 0);
    page p(head);
    p.legend(labels, page::sample::box);
    p.block("hops from the root (" + std::to_string(hops + 1) +
            ": cause not known), then percent of paused time, each run");
    double high = 0;
    std::string names;
    for (std::size_t group = 1; group <= groups; ++group) {
        std::vector<data_field> fields{group};
        for (const run_data& run : runs) {
            const std::vector<double> times = has_pauses(run) ? run.tree->hop_ns : std::vector<double>{};
            const double time = group <= times.size() ? times[group - 1] : 0;
            const double percent =
                has_pauses(run) ? 100 * (group > hops ? run.tree->unknown_ns : time) / run.tree->paused_ns
                                : NAN;
            high = std::fmax(high, percent);
            fields.emplace_back(percent);
        }
        p.row(fields);
        names += (group == 1 ? "" : ", ") + quoted(group > hops ? "cause not known" : std::to_string(group)) +
                 " " + std::to_string(group);
    }
    const double top = p.top() + 20;
    p.panel(130, page::width - 40, top, top + 520);
    const double count = static_cast<double>(runs.size());
    p.add("set datafile missing '?'\nset ylabel 'Share of paused time [%]'\nset xlabel 'Hops from the root'\n" +
          linear_axis(high).commands("y") +
          "set xrange [0.4:" + number_text(static_cast<double>(groups) + 0.6) + "]\nset xtics (" + names +
          ") nomirror scale 0\nunset grid\nset grid y lt 1 lc rgb '#DDDDDD' lw 1 dt 1\nset boxwidth " +
          number_text(std::min(0.8 / count, 0.5)));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (has_pauses(runs[i])) {
            const std::string shift = number_text((static_cast<double>(i) - (count - 1) / 2) * 0.8 / count);
            p.curve("'" + head.name + ".dat' using ($1 + " + shift + "):" + std::to_string(i + 2) +
                    " with boxes " + bar_style(i));
        }
    }
    p.plot();
    return p.finish(static_cast<unsigned>(top + 520 + page::foot), false);
}

}  // namespace weir::tb
