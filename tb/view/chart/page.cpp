#include "tb/view/chart/page.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

constexpr double left_edge = 60;
constexpr double free_width = page::width - 2 * left_edge;
/// Sizes of fonts. Unit: points.
constexpr double page_title_size = 24;
constexpr double details_size = 16;
constexpr double label_size = 18;

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Of a character of DejaVu Sans, in sizes of the font; other fonts are narrower.
double character_width(char c) {
    if (std::string_view(" ijl.,:;'|![]()/I").find(c) != std::string_view::npos) {
        return 0.37;
    }
    return std::string_view("mMwW%@+=<>~#").find(c) != std::string_view::npos ? 0.9
           : c >= 'A' && c <= 'Z'                                             ? 0.7
                                                                              : 0.61;
}

}  // namespace

double text_width(const std::string& text, double points) {
    double width = 0;
    for (const char c : text) {
        width += begins_character(c) ? character_width(c) : 0;
    }
    // A point is 4/3 pixels.
    return width * points * 4 / 3;
}

std::vector<std::string> wrapped(const std::string& text, double width, double points) {
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t blank = std::min(text.find(' ', from), text.size());
        std::string word = text.substr(from, blank - from);
        from = blank + 1;
        const std::string longer = line.empty() ? word : line + " " + word;
        if (text_width(longer, points) <= width) {
            line = longer;
            continue;
        }
        if (!line.empty()) {
            lines.push_back(line);
        }
        while (text_width(word, points) > width) {
            std::size_t end = 1;
            for (std::size_t next = 1; next <= word.size(); ++next) {
                if ((next == word.size() || begins_character(word[next])) &&
                    text_width(word.substr(0, next), points) <= width) {
                    end = next;
                }
            }
            lines.push_back(word.substr(0, end));
            word.erase(0, end);
        }
        line = word;
    }
    if (!line.empty()) {
        lines.push_back(line);
    }
    return lines;
}

std::string shortened(const std::string& text, double width, double points) {
    if (text_width(text, points) <= width) {
        return text;
    }
    std::size_t from = 1;
    while (from < text.size() &&
           (!begins_character(text[from]) || text_width("…" + text.substr(from), points) > width)) {
        ++from;
    }
    return "…" + text.substr(from);
}

label_layout lay_out_names(plot_axis& axis, double width) {
    constexpr double small_size = 14;
    // A point is 4/3 pixels, and lines are apart.
    constexpr double line_height = 1.7;
    const double room = 0.94 * width / static_cast<double>(axis.tics.size());
    double longest_word = 0;
    double longest = 0;
    for (const axis_tic& tic : axis.tics) {
        longest = std::max(longest, text_width(tic.label, small_size));
        std::istringstream words(tic.label);
        for (std::string word; words >> word;) {
            longest_word = std::max(longest_word, text_width(word, label_size));
        }
    }
    const double size = longest_word <= room ? label_size : small_size;
    if (longest_word * size / label_size > room) {
        // Of upright labels gnuplot makes way for every letter as if it were a large one.
        constexpr double reckoned_width = 15;
        std::size_t letters = 0;
        for (const axis_tic& tic : axis.tics) {
            letters = std::max(letters, tic.label.size());
        }
        const double beyond = reckoned_width * static_cast<double>(letters) - longest;
        return {"set xtics rotate by 90 right font ',14'\nset xlabel offset 0, " +
                    number_text(beyond / (line_height * label_size)) + "\n",
                longest};
    }
    std::size_t lines = 1;
    for (axis_tic& tic : axis.tics) {
        const std::vector<std::string> parts = wrapped(tic.label, room, size);
        lines = std::max(lines, parts.size());
        tic.label = joined(parts, "\n");
    }
    // gnuplot does not make way for labels of several lines; its unit is a character's height.
    const double more = line_height * size * static_cast<double>(lines - 1);
    return {"set xtics norotate font '," + number_text(size) + "'\nset xlabel offset 0, " +
                number_text(-more / (line_height * label_size)) + "\n",
            more};
}

double wrap_labels(plot_axis& axis, double width) {
    double widest = 0;
    for (axis_tic& tic : axis.tics) {
        const std::vector<std::string> parts = wrapped(tic.label, width, label_size);
        for (const std::string& part : parts) {
            widest = std::max(widest, text_width(part, label_size));
        }
        tic.label = joined(parts, "\n");
    }
    return widest;
}

page::page(const picture_head& head) : m_name(head.name) {
    int tag = 0;
    double row = 36;
    const auto put = [&](const std::string& line, const char* look) {
        m_head += "set label " + std::to_string(++tag) + " " + quoted(line) + " at screen 60/W, 1 - " +
                  number_text(row) + "/H left " + look + "\n";
    };
    // Bold letters are wider.
    for (const std::string& line : wrapped(head.title, free_width / 1.12, page_title_size)) {
        put(line, "font ':Bold,24'");
        row += 42;
    }
    for (const std::string& line : wrapped(head.details, free_width, details_size)) {
        put(line, "tc rgb '#555555' font ',16'");
        row += 32;
    }
    m_top = row + 8;
}

void page::legend(std::vector<legend_entry> entries) {
    constexpr double sample_width = 120;
    if (entries.empty()) {
        return;
    }
    double longest = 0;
    for (legend_entry& entry : entries) {
        entry.label = shortened(entry.label, free_width - sample_width, label_size);
        longest = std::max(longest, text_width(entry.label, label_size));
    }
    const auto fitting = static_cast<std::size_t>(free_width / (sample_width + longest));
    const std::size_t columns = std::max<std::size_t>(1, std::min(fitting, entries.size()));
    const std::size_t rows = (entries.size() + columns - 1) / columns;
    // Rows of equal length: six and two would look like a mistake.
    m_legend = "set key at screen 60/W, 1 - " + number_text(m_top - 20) +
               "/H left top horizontal Left reverse samplen 3 spacing 1.2 maxcols " +
               std::to_string((entries.size() + rows - 1) / rows) + "\nplot NaN notitle";
    for (const auto& [style, label] : entries) {
        m_legend += ", \\\n     keyentry with " + style + " title " + quoted(label);
    }
    m_legend += "\nunset key\n";
    m_top += 36 * static_cast<double>(rows);
}

void page::panel(double left, double right, double top, double bottom) {
    m_panels += "set lmargin at screen " + number_text(left) + "/W\nset rmargin at screen " +
                number_text(right) + "/W\nset tmargin at screen 1 - " + number_text(top) +
                "/H\nset bmargin at screen 1 - " + number_text(bottom) + "/H\n";
    m_panel_top = top;
    m_panel_width = right - left;
    m_panel_height = bottom - top;
}

void page::x_axis(const plot_axis& axis, const std::string& label) {
    add(axis.commands("x") + "set xlabel " + quoted(label));
}

void page::x_axis(const plot_axis& axis) {
    add(axis.commands("x") + axis.unlabelled("x") + "unset xlabel");
}

void page::y_label(const std::string& text) {
    if (text.empty()) {
        return add("unset ylabel");
    }
    const std::vector<std::string> lines = wrapped(text, m_panel_height, label_size);
    // More than three lines would reach the numbers of the axis.
    add("set ylabel " + quoted_lines(joined(lines, "\n")) + " offset " + (lines.size() > 3 ? "-3" : "-1") +
        ", 0");
}

void page::heading(const std::string& text) {
    add(text.empty() ? "unset title"
                     : "set title " + quoted_lines(joined(wrapped(text, m_panel_width, label_size), "\n")) +
                           " offset 0, -0.4");
}

void page::notice(const std::string& text) {
    add("set label 9 " + quoted(text) +
        " at graph 0.5, 0.5 center tc rgb '#555555'\nplot NaN notitle\nunset label 9");
}

void page::own_legend(const std::string& text, double height, std::size_t columns) {
    const double row = m_panel_top - height;
    add("set label 3 " + quoted(text) + " at graph 0, screen 1 - " + number_text(row + 24) +
        "/H\nset key on at graph 0, screen 1 - " + number_text(row + 40) +
        "/H left top horizontal Left reverse samplen 1.5 maxcols " + std::to_string(columns));
}

std::size_t page::block(const std::string& what, const std::string& columns) {
    end_block();
    m_data += "# " + one_line(what) + "\n# " + one_line(columns) + "\n";
    m_empty_row = "?";
    for (const char c : columns) {
        m_empty_row += c == ' ' ? " ?" : "";
    }
    m_empty_row += "\n";
    return m_blocks++;
}

void page::end_block() {
    m_data += m_empty_row + (m_blocks == 0 ? "" : "\n\n");
    m_empty_row.clear();
}

void page::row(const std::vector<double>& numbers) {
    m_data +=
        joined(numbers, " ", [](double value) { return std::isnan(value) ? "?" : number_text(value); }) + "\n";
    m_empty_row.clear();
}

void page::rows(const chart_series& s, const axis_unit& x, const axis_unit& y, const axis_unit& ends) {
    for (std::size_t i = 0; i < s.y.size(); ++i) {
        if (std::isnan(s.y[i])) {
            m_data += "\n";
            continue;
        }
        std::vector<double> fields{s.x[i] / x.scale, s.y[i] / y.scale};
        if (!s.low.empty()) {
            fields.insert(fields.end(), {s.low[i] / ends.scale, s.high[i] / ends.scale});
        }
        if (!s.x_low.empty()) {
            fields.insert(fields.end(), {s.x_low[i] / x.scale, s.x_high[i] / x.scale});
        }
        row(fields);
    }
    if (s.x.size() > s.y.size() && !s.y.empty()) {
        row({s.x.back() / x.scale, s.y.back() / y.scale});
    }
}

void page::curve(std::size_t block, const std::string& columns, const std::string& style,
                 const std::string& title) {
    m_curves += (m_curves.empty() ? "plot '" : ", \\\n     '") + m_name + ".dat' index " +
                std::to_string(block) + " using " + columns + " with " + style +
                (title.empty() ? "" : " title " + quoted(title));
}

void page::plot(const std::string& without) {
    m_curves.empty() ? notice(without) : add(m_curves);
    m_curves.clear();
}

picture page::finish(unsigned height) {
    end_block();
    std::string s = "set multiplot\n" + m_head +
                    "set border 0\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n" +
                    (m_legend.empty() ? "plot NaN notitle\nunset key\n" : m_legend) +
                    "unset label\nset border 3 lw 1.5\nset tics scale 0.8, 0.5\n" +
                    "set grid x y lt 1 lc rgb '#DDDDDD' lw 1 dt 1\n" + m_panels + "unset multiplot\n";
    return {m_name, std::move(m_data), std::move(s), width, height};
}

}  // namespace weir::tb
