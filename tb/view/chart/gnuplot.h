// Pictures drawn by gnuplot: a script NAME.gp, its numbers NAME.dat beside it, and what gnuplot makes of them.
//
// The files are the same bytes whenever the numbers are, and a user may edit and rerun a script: it names
// its data and its pictures relative to its own directory.
//
//   picture p{"fill", "0 1\n1 3\n", "plot 'fill.dat' using 1:2 with lines ls 1\n"};
//   write_picture(p, {"png", "svg"}, "plots");
//   tool_result drawn = run_gnuplot("plots", p.name);   // plots/fill.png, plots/fill.svg
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::tb {

/// Colours, each with its dashes, points and hatching, that can be told apart.
inline constexpr std::size_t most_styles = 8;
/// Most runs or other curves in one picture: twice as many, since curves beyond the styles have dashes.
inline constexpr std::size_t most_curves = 2 * most_styles;
/// Up to this many curves are told apart where they cross in a panel of half a page; more get wider panels, and
/// thin lines without dashes.
inline constexpr std::size_t few_styles = 4;

struct curve_style {
    /// `#0072B2`
    const char* colour;
    /// gnuplot's `dt`: `1` is solid, `(12,4)` dashes of 12 and gaps of 4.
    const char* dashes;
    /// gnuplot's `pt`.
    int point;
    int fill_pattern;
};
/// Okabe and Ito's colours, which people with any colour vision can tell apart, ordered so that neighbours
/// differ in brightness too; dashes, points and hatching carry the difference where colour is lost.
const std::array<curve_style, most_styles>& curve_styles();

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

/// Name of a picture's files, and the lines at its top.
struct picture_head {
    std::string name;
    std::string title;
    std::string details;

    picture_head with(const std::string& more) const { return {name, title, details + more}; }
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

/// `text` as a gnuplot string, whatever it holds; of one line.
std::string quoted(const std::string& text);
/// The same, of as many lines as it has.
std::string quoted_lines(const std::string& text);
/// Control characters become blanks, and bytes that are no UTF-8 question marks: for strings, and for comments
/// in data.
std::string one_line(const std::string& text);
/// A number with up to 7 digits, the same in every locale.
std::string number_text(double value);
/// In three digits: `0.0123`, `18`, `1234`.
std::string short_number(double value);
/// Colour and points of style `i` (from 0).
std::string line_type(std::size_t i);
/// Plot style of a curve of style `i`, of `count`; dashes tell curves apart that have one colour.
std::string curve_look(std::size_t i, std::size_t count);
/// Plot style of a bar, with colour and hatching of style `i` (from 0).
std::string bar_style(std::size_t i);
/// 8192 as `8 KiB`.
std::string byte_text(std::uint64_t count);

}  // namespace weir::tb
