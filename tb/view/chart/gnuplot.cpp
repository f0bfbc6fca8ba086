#include "tb/view/chart/gnuplot.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "tb/support/files/run_directory.h"
#include "tb/support/process/child_process.h"
#include "tb/support/text/joined.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

constexpr std::array<curve_style, most_styles> styles{{{"#0072B2", "1", 7, 3},
                                                       {"#E69F00", "(12,4)", 5, 1},
                                                       {"#000000", "(4,3)", 9, 2},
                                                       {"#009E73", "(14,4,3,4)", 13, 4},
                                                       {"#D55E00", "(24,6)", 11, 5},
                                                       {"#56B4E9", "(8,3,2,3,2,3)", 6, 6},
                                                       {"#CC79A7", "(2,2)", 4, 7},
                                                       {"#777777", "(12,3,12,3,3,3)", 8, 0}}};

/// Of the UTF-8 character that begins here; 0 where none does. Unit: bytes.
std::size_t character_length(const std::string& text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/// Each character as `\047`; nothing may follow in the same string, where a digit would belong to the number.
std::string octal(const std::string& text) {
    std::string s = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned>(static_cast<unsigned char>(c));
        s += '\\';
        for (const unsigned shift : {6U, 3U, 0U}) {
            s += static_cast<char>('0' + (code >> shift) % 8);
        }
    }
    return s + "\"";
}

}  // namespace

const std::array<curve_style, most_styles>& curve_styles() {
    return styles;
}

std::string script_of(const picture& p, const std::vector<std::string>& formats) {
    std::string s =
        "# " + p.name + ": drawn by `gnuplot " + p.name + ".gp` in this directory, from " + p.name + ".dat.\n";
    s += "W = " + std::to_string(p.width) + ".0  # pixels\nH = " + std::to_string(p.height) + ".0\n";
    s += "do for [format in \"" + joined(formats, " ") +
         "\"] {\nreset\nset encoding utf8\nif (format eq 'png') {\n";
    s += "set terminal pngcairo noenhanced size W, H font 'Sans,18' background rgb 'white'\n} else {\n";
    s += "set terminal svg noenhanced size W, H font 'sans-serif,18' fontscale 1.333 background rgb "
         "'white'\n}\n";
    s += "set output '" + p.name + ".' . format\n";
    for (std::size_t i = 0; i < styles.size(); ++i) {
        s += "set linetype " + std::to_string(i + 1) + " lc rgb '" + styles[i].colour + "' lw 3 dt " +
             styles[i].dashes + " pt " + std::to_string(styles[i].point) + " ps 1.8\n";
    }
    return s + p.commands + "unset output\n}\n";
}

std::string write_picture(const picture& p, const std::vector<std::string>& formats,
                          const std::string& directory) {
    const std::string base = (fs::path(directory) / p.name).string();
    try {
        write_file(base + ".dat", p.data);
        write_file(base + ".gp", script_of(p, formats));
        return {};
    } catch (const output_error& error) {
        return error.what();
    }
}

tool_result run_gnuplot(const std::string& directory, const std::string& name) {
    child_process::settings how;
    how.captured = child_process::streams::together;
    how.directory = directory;
    child_process gnuplot({"gnuplot", "-d", name + ".gp"}, how);
    gnuplot.wait();
    const std::error_code why_not = gnuplot.why_not();
    return {gnuplot.status(), why_not ? "gnuplot: " + why_not.message() : gnuplot.output()};
}

std::string quoted(const std::string& text) {
    // What means something to gnuplot is written as its number. Quotes alone would not do: within the braces of
    // a script it looks for macros and commands in strings, too.
    constexpr std::string_view special = "'\"\\`@#{}";
    const std::string plain = one_line(text);
    std::string q;
    for (std::size_t from = 0; from < plain.size();) {
        const bool plainly = special.find(plain[from]) == std::string_view::npos;
        const std::size_t end =
            std::min(plainly ? plain.find_first_of(special, from) : plain.find_first_not_of(special, from),
                     plain.size());
        q += q.empty() ? "" : ".";
        q += plainly ? "'" + plain.substr(from, end - from) + "'" : octal(plain.substr(from, end - from));
        from = end;
    }
    return q.empty() ? "''" : q;
}

std::string quoted_lines(const std::string& text) {
    std::string q;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        q += (q.empty() ? "" : ".\"\\n\".") + quoted(text.substr(from, end - from));
        from = end + 1;
    }
    return q;
}

std::string one_line(const std::string& text) {
    std::string line;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        const auto c = static_cast<unsigned char>(text[i]);
        line += length == 0 ? "?" : c < 0x20 || c == 0x7F ? " " : text.substr(i, length);
        i += std::max<std::size_t>(length, 1);
    }
    return line;
}

static std::string in_digits(double value, int digits) {
    std::array<char, 40> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
    return {buffer.data(), end.ptr};
}

std::string number_text(double value) {
    return in_digits(value, 7);
}

std::string short_number(double value) {
    return std::fabs(value) >= 100 ? number_text(std::round(value)) : in_digits(value, 3);
}

std::string line_type(std::size_t i) {
    return "lt " + std::to_string(i % most_styles + 1);
}

std::string curve_look(std::size_t i, std::size_t count) {
    return line_type(i) + (count <= few_styles ? "" : i < most_styles ? " lw 2 dt 1" : " lw 2 dt (12,5)");
}

std::string bar_style(std::size_t i) {
    return "fs pattern " + std::to_string(styles[i % most_styles].fill_pattern) + " border " + line_type(i) +
           " " + line_type(i) + " dt 1 lw 2";
}

std::string byte_text(std::uint64_t count) {
    std::string text = to_text(bytes{static_cast<std::int64_t>(count)});
    text.insert(text.find_first_not_of("0123456789."), " ");
    return text;
}

}  // namespace weir::tb
