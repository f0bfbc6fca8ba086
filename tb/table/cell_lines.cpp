#include "tb/table/cell_lines.h"

#include <algorithm>
#include <string_view>

namespace weir::tb {

namespace {

/// Octets of the first `most` characters.
std::size_t octets_of(const std::string& text, std::size_t from, std::size_t most) {
    std::size_t at = from;
    for (std::size_t seen = 0; at < text.size(); ++at) {
        const bool begins = (text[at] & 0xC0) != 0x80;
        if (begins && seen == most) {
            break;
        }
        seen += begins ? 1 : 0;
    }
    return at - from;
}

/// Behind the last blank, comma or slash, or else the last point, hyphen or underscore.
std::size_t length_to_break(std::string_view line) {
    for (const char* marks : {" ,/", ".-_"}) {
        const std::size_t last = line.find_last_of(marks);
        if (last != std::string_view::npos && last > 0) {
            return last + 1;
        }
    }
    return line.size();
}

}  // namespace

std::string in_one_line(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string shown;
    for (const char c : text) {
        const auto octet = static_cast<unsigned char>(c);
        if (c == '\n') {
            shown += "\\n";
        } else if (octet < 0x20 || octet == 0x7F) {
            shown += {'\\', 'x', digits[octet >> 4], digits[octet & 0xF]};
        } else {
            shown += c;
        }
    }
    return shown;
}

std::vector<std::string> cell_lines(const std::string& text, std::size_t most) {
    const std::string whole = in_one_line(text);
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < whole.size() || lines.empty();) {
        std::size_t length = octets_of(whole, from, most);
        if (from + length < whole.size()) {
            length = length_to_break(std::string_view(whole).substr(from, length));
        }
        std::string line = whole.substr(from, length);
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
        from += length;
    }
    return lines;
}

void add_cell_lines(text_table& table, const std::vector<std::string>& cells, std::size_t widest) {
    std::vector<std::vector<std::string>> parts;
    std::size_t most = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        parts.push_back(i == 0 ? std::vector<std::string>{in_one_line(cells[i])}
                               : cell_lines(cells[i], widest));
        most = std::max(most, parts.back().size());
    }
    for (std::size_t line = 0; line < most; ++line) {
        text_table::row row;
        for (const auto& part : parts) {
            row.push_back(line < part.size() ? part[line] : "");
        }
        table.add(std::move(row));
    }
}

}  // namespace weir::tb
