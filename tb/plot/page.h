// A picture as it is built: title, lines of details and a legend in strips of their own above panels, and the
// numbers that the panels draw.
//
//   page p({"fill", "Buffer occupancy over time", "2 runs"});
//   p.legend({"FC", "DeTail"}, page::sample::line);
//   p.panel(130, 770, p.top() + 20, 795);
//   p.x_axis(time_axis(0, 20), "Time [ms]");
//   p.y_label("Occupancy [KiB]");
//   const std::size_t fc = p.block("FC", "time_ms occupancy_KiB");
//   p.row({0, 12});
//   p.curve(fc, "1:2", "lines lt 1");      // plot 'fill.dat' index 0 using 1:2 with lines lt 1
//   p.plot();
//   picture drawn = p.finish(900);
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "tb/plot/chart.h"
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

/// A field of a picture's data: a number, or `?` where there is none.
struct data_field {
    std::string text;

    data_field(double value);
    template <class Count, std::enable_if_t<std::is_integral_v<Count>, int> = 0>
    data_field(Count count) : text(std::to_string(count)) {}
    data_field(const std::optional<double>& value) : data_field(value.value_or(NAN)) {}
    data_field(const char* word) : text(word) {}
};

class page {
 public:
    /// How the legend shows a style.
    enum class sample { line, line_and_point, box };

    /// Texts too wide for one line take several.
    explicit page(const picture_head& head);
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

    /// Begins a block of data, whose comments are `what` and, if there are any, the names of its columns.
    /// Returns its index. A block with names of columns but no row gets one of `?`: gnuplot does not count an
    /// empty one.
    std::size_t block(const std::string& what, const std::string& columns = {});
    /// Index of the next block.
    std::size_t blocks() const { return m_blocks; }
    void row(const std::vector<data_field>& fields);
    /// A row for each point, in these units; NaN is a gap.
    void rows(const chart_series& series, const axis_unit& x, const axis_unit& y);
    /// Interrupts the curves of this block.
    void gap() { m_data += "\n"; }
    /// A comment between rows.
    void comment(const std::string& text) { m_data += "# " + one_line(text) + "\n"; }

    /// `'NAME.dat' index 2 using 1:2 with `.
    std::string from(std::size_t block, const std::string& columns) const;
    /// Adds a curve of this panel; `plot` draws them.
    void curve(const std::string& text) { m_curves += (m_curves.empty() ? "plot " : ", \\\n     ") + text; }
    void curve(std::size_t block, const std::string& columns, const std::string& style,
               const std::string& title = {});
    /// Draws the curves; without any of them there is a notice.
    void plot(const std::string& without = "no data");
    /// `ends_block`: two empty lines follow the last block, too.
    picture finish(unsigned height, bool ends_block = true);

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
