// Texts in cells of tables, on a terminal and in Markdown.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace weir::tb {

/// Characters of a text in UTF-8, each as wide as one on a terminal.
inline std::size_t shown_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A bar would end the cell. What else means something in Markdown is kept.
inline std::string markdown_cell(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return safe;
}

/// Text that is shown as it is: nothing in it is Markdown or HTML, and a line's end ends no row.
inline std::string markdown_text(const std::string& text) {
    const auto is_word = [&](std::size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    };
    std::string safe;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        // Between letters an underscore is one.
        const bool is_mark = c == '_' ? !(is_word(at - 1) && is_word(at + 1))
                                      : std::string_view("|\\`*[]~").find(c) != std::string_view::npos;
        if (c == '\n') {
            safe += "<br>";
        } else if (c == '<') {
            safe += "&lt;";
        } else if (c == '&') {
            safe += "&amp;";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            safe += ' ';
        } else {
            safe += is_mark ? "\\" : "";
            safe += c;
        }
    }
    return safe;
}

}  // namespace weir::tb
