#include "weir/traffic/traces/flow_trace_hpcc.h"

#include "weir/base/how_many.h"

namespace weir::traffic {

namespace {

constexpr std::array<std::string_view, 6> hpcc_columns = {"src",      "dst",   "priority_group",
                                                          "dst_port", "bytes", "start_s"};
constexpr std::array<std::string_view, 5> conweave_columns = {"src", "dst", "priority_group", "bytes",
                                                              "start_s"};
constexpr std::uint64_t largest_port = 65535;

}  // namespace

bool flow_trace_hpcc::next(trace_flow& flow) {
    if (!m_started) {
        m_started = true;
        m_ended = !read_count();
    }
    std::string_view line;
    while (!m_ended) {
        if (m_next_flow == m_declared) {
            count_ignored_lines();
            m_ended = true;
        } else if (!next_line(line)) {
            error("count", "the file is truncated: " + std::to_string(m_next_flow) + " of " +
                               std::to_string(m_declared) + " declared flows");
            m_ended = true;
        } else {
            split_at_blanks(line, m_fields);
            trace_flow read;
            const bool good = read_flow(read);
            read.flow = m_next_flow++;
            if (good) {
                warn_of_cut();
                flow = read;
                return true;
            }
        }
    }
    return false;
}

bool flow_trace_hpcc::read_count() {
    constexpr const char* allowed = "the number of flows, alone in the first line";
    std::string_view line;
    if (!next_line(line)) {
        error("count", std::string("the file is empty; expected ") + allowed);
        return false;
    }
    const number_fault fault = parse_whole(line, UINT64_MAX, m_declared);
    if (fault != number_fault::none) {
        error("count", describe(fault, line, allowed));
        return false;
    }
    return true;
}

bool flow_trace_hpcc::read_flow(trace_flow& flow) {
    if (m_columns == 0) {
        m_columns = m_fields.size() == conweave_columns.size() ? conweave_columns.size() : hpcc_columns.size();
    }
    const bool has_port = m_columns == hpcc_columns.size();
    if (m_fields.size() < m_columns) {
        missing_field((has_port ? hpcc_columns.data() : conweave_columns.data())[m_fields.size()],
                      m_fields.size(), m_columns);
        return false;
    }
    if (m_fields.size() > m_columns) {
        error("line", "has " + std::to_string(m_fields.size()) +
                          (has_port ? " fields; expected src dst priority_group dst_port bytes start_s"
                                    : " fields; expected src dst priority_group bytes start_s, as in the first "
                                      "flow, which has no dst_port"));
        return false;
    }
    const bool src_good = read_host("src", m_fields[0], flow.src);
    bool good = read_destination("dst", m_fields[1], flow.src, src_good, flow.dst);
    good &= read_priority("priority_group", m_fields[2], flow.priority);
    if (has_port) {
        std::uint64_t port = 0;
        const number_fault fault = parse_whole(m_fields[3], largest_port, port);
        if (fault != number_fault::none) {
            error("dst_port", describe(fault, m_fields[3], "0 to 65535"));
            good = false;
        }
    }
    good &= read_bytes("bytes", m_fields[m_columns - 2], flow.flow_bytes);
    good &= read_start("start_s", m_fields[m_columns - 1], 12, "s", flow.start);
    return good;
}

void flow_trace_hpcc::count_ignored_lines() {
    std::uint64_t ignored = 0;
    int first = 0;
    std::string_view line;
    while (m_lines.next(line)) {
        first = ignored++ == 0 ? m_lines.number() : first;
    }
    if (m_lines.unreadable()) {
        error("file", "cannot be read any further");
    }
    if (ignored > 0) {
        warn_at(first, "count",
                how_many(ignored, "line") + " after the " + std::to_string(m_declared) +
                    " declared flows are ignored");
    }
}

}  // namespace weir::traffic
