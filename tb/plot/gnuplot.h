// Pictures drawn by gnuplot: a script NAME.gp, its numbers NAME.dat beside it, and what gnuplot makes of them.
//
// The files are the same bytes whenever the numbers are, and a user may edit and rerun a script: it names
// its data and its pictures relative to its own directory.
//
//   picture p{"fill", "0 1\n1 3\n", "plot 'fill.dat' using 1:2 with lines ls 1\n"};
//   write_picture(p, {"png", "svg"}, "plots");
//   tool_result drawn = run_gnuplot("plots", p.name);   // plots/fill.png, plots/fill.svg
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir {

/// Most runs (or other curves) in one picture: as many as there are styles that can be told apart.
inline constexpr std::size_t most_styles = 8;

struct picture {
    /// File name without its suffix.
    std::string name;
    /// What NAME.dat holds: blocks divided by two empty lines, which scripts call `index`.
    std::string data;
    /// What draws it, once per format, after terminal, output, fonts and `set linetype`s are set.
    std::string commands;
    /// Unit: pixels.
    unsigned width = 1600;
    unsigned height = 900;
};

/// The script in full. Range of formats: `png`, `svg`.
std::string script_of(const picture& p, const std::vector<std::string>& formats);

/// Writes NAME.gp and NAME.dat, each complete or not at all. Returns what is wrong, or an empty text.
std::string write_picture(const picture& p, const std::vector<std::string>& formats,
                          const std::string& directory);

struct tool_result {
    /// Exit status; 127 where the program is not there.
    int status = 0;
    /// What it wrote on standard output and standard error.
    std::string output;
};

/// Runs `gnuplot NAME.gp` in the directory, without the user's start-up files.
tool_result run_gnuplot(const std::string& directory, const std::string& name);

/// `text` as a gnuplot string. Control characters become blanks.
std::string quoted(const std::string& text);
/// A number with up to 7 digits, the same in every locale.
std::string number_text(double value);
/// 12345 as `12,345`.
std::string thousands(std::size_t value);
/// Plot style of a bar, with colour and hatching of style `i` (from 0).
std::string bar_style(std::size_t i);
/// 8192 as `8 KiB`.
std::string byte_text(std::uint64_t count);

/// A unit for an axis, and how many nanoseconds or bytes it has.
struct axis_unit {
    std::string name;
    double scale;
    /// The name in ASCII, for columns.
    std::string plain() const { return name == "µs" ? "us" : name; }
};
/// The unit (ns, us, ms, s) in which the middle of a logarithmic axis, and its end, are small numbers.
axis_unit log_time_unit(double low_ns, double high_ns);
/// The largest unit in which `high_ns` is at least 1.
axis_unit time_unit(double high_ns);
/// b/s to Tb/s, likewise.
axis_unit rate_unit(double high_bps);
/// B, KiB, MiB or GiB, likewise.
axis_unit byte_unit(double high_bytes);

struct axis_tic {
    double at;
    /// Empty: a short tic without a label.
    std::string label;
};
struct plot_axis {
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    std::vector<axis_tic> tics;
    /// Commands that set range and tics of `axis` ("x" or "y").
    std::string commands(const std::string& axis) const;
    /// Tics and grid without their labels, for a panel above another one with the same axis.
    std::string unlabelled(const std::string& axis) const;
};
/// An axis around [low, high], whose ends and labels are round; wide enough to show a single value. Range: 0 <
/// low <= high.
plot_axis log_axis(double low, double high);
/// From 0 to a round number at or above `high`, with three to six labels.
plot_axis linear_axis(double high);
/// The same with steps of a power of two, as memories have them.
plot_axis binary_axis(double high);
/// From `low` to `high`, or to the next label where that is near. Range: 0 <= low < high.
plot_axis time_axis(double low, double high);

/// A picture's frame: title, line of details, and a legend in a strip of its own above the panels.
class page {
 public:
    /// How the legend shows a style.
    enum class sample { line, line_and_point, box };

    page(std::string title, std::string details) : m_title(std::move(title)), m_details(std::move(details)) {}
    /// What is drawn in no numbered style: `lines lc rgb '#777777' lw 6`.
    struct extra_entry {
        std::string style;
        std::string label;
    };
    /// One entry per style, from 1, then the others.
    void legend(const std::vector<std::string>& labels, sample shown,
                const std::vector<extra_entry>& more = {});
    /// First free row below the legend. Unit: pixels from the top.
    double top() const { return m_top; }
    /// Room for an axis with tics and label below the last panel. Unit: pixels.
    static constexpr double foot = 105;
    /// Starts a panel whose axes enclose this area. Unit: pixels from the left and from the top.
    void panel(double left, double right, double top, double bottom);
    void add(const std::string& command) { m_panels += command + "\n"; }
    picture finish(std::string name, std::string data, unsigned height) const;

    static constexpr unsigned width = 1600;

 private:
    std::string m_title;
    std::string m_details;
    std::string m_legend;
    std::string m_panels;
    double m_top = 118;
};

}  // namespace weir
