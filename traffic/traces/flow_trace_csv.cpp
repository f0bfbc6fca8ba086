#include "weir/traffic/traces/flow_trace_csv.h"

#include <algorithm>

namespace weir::traffic {

namespace {

constexpr std::array<std::string_view, 6> csv_columns = {"start_ns", "src", "dst", "bytes", "priority", "tag"};
constexpr std::size_t required_columns = 4;
constexpr const char* allowed_columns = "start_ns, src, dst, bytes, and optionally priority, tag";

}  // namespace

bool flow_trace_csv::next(trace_flow& flow) {
    if (!m_header_read) {
        m_header_read = true;
        m_header_good = read_header();
    }
    std::string_view line;
    while (m_header_good && next_line(line)) {
        split_at_commas(line, m_fields);
        trace_flow read;
        const bool good = read_flow(read);
        read.flow = m_next_flow++;
        if (good) {
            warn_of_cut();
            flow = read;
            return true;
        }
    }
    return false;
}

bool flow_trace_csv::read_header() {
    m_place.fill(absent);
    std::string_view line;
    if (!next_line(line)) {
        error("start_ns", std::string("the file is empty; expected a header of ") + allowed_columns);
        return false;
    }
    split_at_commas(line, m_fields);
    m_width = m_fields.size();
    const auto is_column = [](std::string_view name) {
        return std::find(csv_columns.begin(), csv_columns.end(), name) != csv_columns.end();
    };
    if (std::none_of(m_fields.begin(), m_fields.end(), is_column)) {
        error("line", in_quotes(line) + " names no column: the header is missing; expected a header of " +
                          allowed_columns);
        return false;
    }
    for (std::size_t place = 0; place < m_width; ++place) {
        const std::string_view name = m_fields[place];
        const auto found = std::find(csv_columns.begin(), csv_columns.end(), name);
        if (found == csv_columns.end()) {
            error(name, in_quotes(name) + " is not a column; expected " + allowed_columns);
            continue;
        }
        std::size_t& known = m_place[static_cast<std::size_t>(found - csv_columns.begin())];
        if (known != absent) {
            error(name, "the column is there twice; expected once");
        }
        known = place;
    }
    for (std::size_t c = 0; c < required_columns; ++c) {
        if (m_place[c] == absent) {
            error(csv_columns[c], std::string("the column is missing; expected ") + allowed_columns);
        }
    }
    return !failed();
}

bool flow_trace_csv::read_flow(trace_flow& flow) {
    if (m_fields.size() < m_width) {
        const auto cut = std::find(m_place.begin(), m_place.end(), m_fields.size());
        missing_field(csv_columns[static_cast<std::size_t>(cut - m_place.begin())], m_fields.size(), m_width);
        return false;
    }
    if (m_fields.size() > m_width) {
        error("line", "has " + std::to_string(m_fields.size()) + " fields; expected " +
                          std::to_string(m_width) + ", as in the header");
        return false;
    }
    const auto field = [&](column c) { return m_fields[m_place[c]]; };
    bool good = read_start("start_ns", field(start_ns), 3, "ns", flow.start);
    const bool src_good = read_host("src", field(src), flow.src);
    good &= read_destination("dst", field(dst), flow.src, src_good, flow.dst);
    good &= read_bytes("bytes", field(flow_bytes), flow.flow_bytes);
    flow.priority = m_options.default_priority;
    if (m_place[priority] != absent) {
        good &= read_priority("priority", field(priority), flow.priority);
    }
    if (m_place[tag] != absent) {
        good &= read_tag(field(tag), flow.tag);
    }
    return good;
}

bool flow_trace_csv::read_tag(std::string_view text, std::uint8_t& index) {
    const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F && c != '"';
    });
    if (!printable || text.size() > tag_table::longest_name) {
        error("tag", in_quotes(text) + " is not a name; expected up to " +
                         std::to_string(tag_table::longest_name) + " characters without quotes and commas");
        return false;
    }
    const std::optional<std::uint8_t> known = m_tags.index(text);
    if (!known) {
        error("tag", in_quotes(text) + " is one name too many; expected " +
                         std::to_string(tag_table::most_names) + " names");
        return false;
    }
    index = *known;
    return true;
}

}  // namespace weir::traffic
