// A picture as it is built: title, lines of details and a legend in strips of their own above panels, and the
// numbers that the panels draw.
//
//   page p({"fill", "Buffer occupancy over time", "2 runs"});
//   p.legend({{"lines lt 1", "FC"}, {"lines lt 2", "DeTail"}});
//   p.panel(130, 770, p.top() + 20, 795);
//   p.x_axis(time_axis(0, 20), "Time [ms]");
//   p.y_label("Occupancy [KiB]");
//   const std::size_t fc = p.block("FC", "time_ms occupancy_KiB");
//   p.row({0, 12});
//   p.curve(fc, "1:2", "lines lt 1");      // plot 'fill.dat' index 0 using 1:2 with lines lt 1
//   p.plot();
//   picture drawn = p.finish(900);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/view/chart/chart.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/chart/plot_axis.h"

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
    /// Texts too wide for one line take several.
    explicit page(const picture_head& head);
    /// Its sample has a plot style, such as `lines lc rgb '#777777' lw 6`.
    struct legend_entry {
        std::string style;
        std::string label;
    };
    void legend(std::vector<legend_entry> entries);
    /// First free row below the legend. Unit: pixels from the top.
    double top() const { return m_top; }
    /// Room for an axis with tics and label below the last panel. Unit: pixels.
    static constexpr double foot = 105;
    /// Starts a panel whose axes enclose this area. Unit: pixels from the left and from the top.
    void panel(double left, double right, double top, double bottom);
    /// Horizontal axis of this panel with its label.
    void x_axis(const plot_axis& axis, const std::string& label);
    /// The same without a label and numbers, for a panel above another one with the same axis.
    void x_axis(const plot_axis& axis);
    /// Of this panel, in as many lines as its height asks for; empty: none.
    void y_label(const std::string& text);
    /// Above this panel, in as many lines as its width asks for; empty: none.
    void heading(const std::string& text);
    /// A heading at the left, and below it a legend of this panel alone with so many entries in a row. Both
    /// stand in a strip of this height above the panel.
    void own_legend(const std::string& text, double height, std::size_t columns);
    /// A text in the middle of this panel instead of a plot; the axes stay.
    void notice(const std::string& text);
    void add(const std::string& command) { lines(command + "\n"); }
    void lines(const std::string& commands) { m_panels += commands; }

    /// Begins a block of data, whose comments are `what` and the names of its columns. Returns its index. A
    /// block without a row gets one of `?`: gnuplot does not count an empty one.
    std::size_t block(const std::string& what, const std::string& columns);
    /// Index of the next block.
    std::size_t blocks() const { return m_blocks; }
    /// NaN is written as `?`: there is no number.
    void row(const std::vector<double>& numbers);
    /// A row for each point and its intervals, in these units; NaN is a gap. `ends`: the unit of `low` and
    /// `high`.
    void rows(const chart_series& series, const axis_unit& x, const axis_unit& y, const axis_unit& ends);
    /// Adds a curve of this panel; `plot` draws them.
    void curve(std::size_t block, const std::string& columns, const std::string& style,
               const std::string& title = {});
    /// Draws the curves; without any of them there is a notice.
    void plot(const std::string& without = "no data");
    picture finish(unsigned height);

    static constexpr unsigned width = 1600;

 private:
    void end_block();

    std::string m_name;
    std::string m_head;
    std::string m_legend;
    std::string m_panels;
    std::string m_curves;
    std::string m_data;
    std::size_t m_blocks = 0;
    /// Row of `?` of the block that has begun; empty once it has a row.
    std::string m_empty_row;
    double m_top = 0;
    double m_panel_width = 0;
    double m_panel_height = 0;
    double m_panel_top = 0;
};

}  // namespace weir::tb
