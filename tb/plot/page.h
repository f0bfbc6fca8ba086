// A picture's frame: title, lines of details and a legend in strips of their own above the panels.
//
//   page p("Buffer occupancy over time", "2 runs");
//   p.legend({"FC", "DeTail"}, page::sample::line);
//   p.panel(130, 770, p.top() + 20, 795);
//   p.y_label("Occupancy [KiB]");
//   p.add("plot 'fill.dat' using 1:2 with lines lt 1");
//   picture drawn = p.finish("fill", data, 900);
#pragma once

#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/plot_axis.h"

namespace weir::tb {

/// Room that a text takes. `points`: size of the font. Unit: pixels.
double text_width(const std::string& text, double points);
/// In lines that are not wider, broken at blanks; within a word only where it alone is too wide. Unit: pixels.
std::vector<std::string> wrapped(const std::string& text, double width, double points);
/// The text, or its end behind an ellipsis where all of it is too wide. Unit: pixels.
std::string shortened(const std::string& text, double width, double points);

/// How the labels of tics are set so that they do not touch each other.
struct label_layout {
    /// Goes behind the axis' own commands and its label.
    std::string command;
    /// Of the labels, beyond one line. Unit: pixels.
    double extra_height = 0;
};
/// Of a horizontal axis of names in a panel of this width: in several lines where that is enough, else in
/// smaller letters, else upright. Unit: pixels.
label_layout lay_out_names(plot_axis& axis, double width);
/// Of a vertical axis: in several lines of up to this width; returns what they take. Unit: pixels.
double wrap_labels(plot_axis& axis, double width);

class page {
 public:
    /// How the legend shows a style.
    enum class sample { line, line_and_point, box };

    /// Texts too wide for one line take several.
    page(const std::string& title, const std::string& details);
    /// What is drawn in no numbered style: `lines lc rgb '#777777' lw 6`.
    struct extra_entry {
        std::string style;
        std::string label;
    };
    /// One entry per style, from 1, but for styles with an empty label, which are not drawn; then the others.
    void legend(const std::vector<std::string>& labels, sample shown,
                const std::vector<extra_entry>& more = {});
    /// First free row below the legend. Unit: pixels from the top.
    double top() const { return m_top; }
    /// Room for an axis with tics and label below the last panel. Unit: pixels.
    static constexpr double foot = 105;
    /// Starts a panel whose axes enclose this area. Unit: pixels from the left and from the top.
    void panel(double left, double right, double top, double bottom);
    /// Of this panel, in as many lines as its height asks for; empty: none.
    void y_label(const std::string& text);
    /// Above this panel, in as many lines as its width asks for; empty: none.
    void heading(const std::string& text);
    /// A text in the middle of this panel instead of a plot; the axes stay.
    void notice(const std::string& text);
    void add(const std::string& command) { m_panels += command + "\n"; }
    picture finish(std::string name, std::string data, unsigned height) const;

    static constexpr unsigned width = 1600;

 private:
    std::string m_head;
    std::string m_legend;
    std::string m_panels;
    double m_top = 0;
    double m_panel_width = 0;
    double m_panel_height = 0;
};

}  // namespace weir::tb
