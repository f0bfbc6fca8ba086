#include "weir/traffic/traces/flow_trace_htsim.h"

#include <algorithm>
#include <limits>

namespace weir::traffic {

namespace {

constexpr std::array<std::string_view, 4> header_names = {"Nodes", "Connections", "Triggers", "Failures"};
constexpr std::array<std::string_view, 8> flow_words = {
    "id", "msg", "start", "trigger", "size", "send_done_trigger", "recv_done_trigger", "prio"};
constexpr const char* allowed_ids = "1 to 4294967295";

}  // namespace

bool flow_trace_htsim::next(trace_flow& flow) {
    std::string_view line;
    while (!m_finished && next_line(line)) {
        split_at_blanks(line, m_fields);
        bool header = false;
        if (!read_header_line(header) || header) {
            continue;
        }
        end_header();
        if (m_fields[0] == "trigger") {
            read_trigger();
        } else if (m_fields[0] == "failure") {
            read_failure();
        } else if (m_fields[0].find("->") != std::string_view::npos) {
            trace_flow read;
            const bool good = read_flow(read);
            read.flow = m_next_flow++;
            if (good) {
                m_book.add_flow(read, m_lines.number());
                flow = read;
                return true;
            }
        } else {
            error(m_fields[0], in_quotes(m_fields[0]) + " is unknown; expected a->b ..., trigger, failure");
        }
    }
    if (!m_finished) {
        m_finished = true;
        end_header();
        finish();
        warn_of_cut();
    }
    return false;
}

/// False where the line is a header line with a mistake.
bool flow_trace_htsim::read_header_line(bool& known) {
    const auto found = std::find(header_names.begin(), header_names.end(), m_fields[0]);
    known = found != header_names.end();
    if (!known) {
        return true;
    }
    const auto word = static_cast<std::size_t>(found - header_names.begin());
    if (m_header_ended) {
        error(*found, "is after the first connection; expected it before");
        return false;
    }
    if (m_given[word]) {
        error(*found, "is there twice; expected once");
        return false;
    }
    m_given[word] = true;
    if (m_fields.size() > 2) {
        error(*found, "has " + std::to_string(m_fields.size() - 1) + " values; expected one number");
        return false;
    }
    const std::uint64_t largest = word == nodes_word ? std::numeric_limits<host_id>::max() : UINT64_MAX;
    const std::string_view value = m_fields.size() == 2 ? m_fields[1] : std::string_view{};
    const number_fault fault = parse_whole(value, largest, m_declared[word]);
    if (fault != number_fault::none) {
        error(*found, describe(fault, value, "a number"));
        return false;
    }
    return true;
}

void flow_trace_htsim::end_header() {
    if (m_header_ended) {
        return;
    }
    m_header_ended = true;
    for (const header_word word : {nodes_word, connections_word}) {
        if (!m_given[word]) {
            error(header_names[word], "is missing; expected a line with a number before the first connection");
        }
    }
    m_nodes = static_cast<host_id>(m_declared[nodes_word]);
    if (m_options.hosts > 0 && m_nodes > m_options.hosts) {
        warn_at(m_lines.number(), "Nodes",
                "the matrix is for " + std::to_string(m_nodes) + " hosts, the fabric has " +
                    std::to_string(m_options.hosts));
    }
    if (m_nodes > 0 && (m_options.hosts == 0 || m_nodes < m_options.hosts)) {
        m_options.hosts = m_nodes;
    }
}

bool flow_trace_htsim::read_arrow(trace_flow& flow) {
    const std::size_t arrow = m_fields[0].find("->");
    const bool src_good = read_host("src", m_fields[0].substr(0, arrow), flow.src);
    return read_destination("dst", m_fields[0].substr(arrow + 2), flow.src, src_good, flow.dst);
}

bool flow_trace_htsim::read_id(std::string_view key, std::string_view text, std::uint32_t& id) {
    std::uint64_t value = 0;
    const number_fault fault = parse_whole(text, std::numeric_limits<std::uint32_t>::max(), value);
    if (fault != number_fault::none || value == 0) {
        error(key, fault != number_fault::none ? describe(fault, text, allowed_ids)
                                               : in_quotes(text) + " is reserved; expected " + allowed_ids);
        return false;
    }
    id = static_cast<std::uint32_t>(value);
    return true;
}

bool flow_trace_htsim::read_declared_start(std::string_view text, picoseconds& start) {
    switch (m_options.unit) {
        case start_unit::ps:
            return read_start("start", text, 0, "ps", start);
        case start_unit::ns:
            return read_start("start", text, 3, "ns", start);
        case start_unit::us:
            return read_start("start", text, 6, "us", start);
        case start_unit::undeclared:
            break;
    }
    std::uint64_t value = 0;
    const number_fault fault = parse_decimal(text, 0, UINT64_MAX, value);
    if (fault == number_fault::none && value == 0) {
        start = picoseconds{0};
        return true;
    }
    if (fault == number_fault::not_a_number || fault == number_fault::negative) {
        error("start", describe(fault, text, "0, or a number with traffic.start_unit = ps, ns or us"));
    } else if (!m_unit_reported) {
        m_unit_reported = true;
        error("start", in_quotes(text) + " has no unit, and the format does not define one; expected 0, or " +
                           "traffic.start_unit = ps, ns or us");
    }
    return false;
}

bool flow_trace_htsim::read_flow(trace_flow& flow) {
    enum word : std::size_t { id, msg, start, trigger, size, send_done, recv_done, prio, no_word };
    std::array<bool, no_word> given{};
    flow.priority = m_options.default_priority;
    bool good = read_arrow(flow);
    for (std::size_t at = 1; at < m_fields.size(); ++at) {
        const std::string_view key = m_fields[at];
        const auto found = std::find(flow_words.begin(), flow_words.end(), key);
        const auto w = static_cast<std::size_t>(found - flow_words.begin());
        if (w == no_word) {
            error(key, in_quotes(key) +
                           " is unknown; expected id, msg, start, trigger, size, send_done_trigger, " +
                           "recv_done_trigger, prio");
            return false;
        }
        if (given[w]) {
            error(key, "is there twice; expected once");
            return false;
        }
        given[w] = true;
        const bool has_value = at + 1 < m_fields.size();
        const std::string_view value = has_value ? m_fields[at + 1] : std::string_view{};
        std::uint32_t unused = 0;
        if (w == msg && (!has_value || value.find_first_not_of("0123456789") != std::string_view::npos)) {
            continue;  // the number of a message is optional
        }
        if (!has_value) {
            error(key, m_lines.unterminated() ? "has no value: the file ends within this line"
                                              : "has no value; expected a number");
            return false;
        }
        ++at;
        switch (w) {
            case id:
            case msg:
                good &= read_id(key, value, unused);
                break;
            case start:
                good &= read_declared_start(value, flow.start);
                break;
            case trigger:
                good &= read_id(key, value, flow.trigger);
                break;
            case size:
                good &= read_bytes(key, value, flow.flow_bytes);
                break;
            case send_done:
                good &= read_id(key, value, flow.fires);
                break;
            case recv_done:
                good &= read_id(key, value, flow.fires_received);
                break;
            default:
                good &= read_priority(key, value, flow.priority);
        }
    }
    const char* cut = m_lines.unterminated() ? ": the file ends within this line" : "";
    if (!given[size]) {
        error("size", std::string("is missing") + cut + "; expected size and a number of bytes");
        good = false;
    }
    if (given[start] == given[trigger]) {
        error("start", given[start] ? "is given together with a trigger; expected only one of the two"
                                    : std::string("is missing") + cut + "; expected start or trigger");
        good = false;
    }
    if (given[trigger]) {
        flow.trigger_delay = m_options.trigger_delay;
    }
    return good;
}

void flow_trace_htsim::read_trigger() {
    constexpr const char* allowed = "trigger id i oneshot, multishot, or barrier count n";
    trace_trigger read;
    bool has_kind = false;
    bool has_count = false;
    for (std::size_t at = 1; at < m_fields.size(); ++at) {
        const std::string_view word = m_fields[at];
        const std::string_view value = at + 1 < m_fields.size() ? m_fields[at + 1] : std::string_view{};
        if (word == "id" || word == "count") {
            has_count = has_count || word == "count";
            if (!read_id(word, value, word == "id" ? read.id : read.count)) {
                return;
            }
            ++at;
        } else if (!has_kind && (word == "oneshot" || word == "multishot" || word == "barrier")) {
            has_kind = true;
            read.kind = word == "oneshot"     ? trigger_kind::oneshot
                        : word == "multishot" ? trigger_kind::multishot
                                              : trigger_kind::barrier;
        } else {
            error("trigger", in_quotes(word) + " is not understood; expected " + allowed);
            return;
        }
    }
    if (read.id == no_trigger || !has_kind || has_count != (read.kind == trigger_kind::barrier)) {
        error("trigger", std::string("is incomplete") +
                             (m_lines.unterminated() ? ": the file ends within this line" : "") +
                             "; expected " + allowed);
        return;
    }
    if (!m_book.define(read, m_lines.number())) {
        error("trigger", "trigger " + std::to_string(read.id) + " is there twice; expected once");
    }
}

void flow_trace_htsim::read_failure() {
    m_first_failure = m_failures++ == 0 ? m_lines.number() : m_first_failure;
}

void flow_trace_htsim::finish() {
    const auto check_count = [&](header_word word, std::uint64_t found) {
        const std::uint64_t declared = m_declared[word];
        if ((m_given[word] || word != connections_word) && found != declared) {
            error(header_names[word], (found < declared ? "the file is truncated: " : "the count is wrong: ") +
                                          std::to_string(found) + " found, " + std::to_string(declared) +
                                          " declared");
        }
    };
    check_count(connections_word, m_next_flow);
    check_count(triggers_word, m_book.defined());
    check_count(failures_word, m_failures);
    if (m_failures > 0) {
        warn_at(m_first_failure, "failure",
                std::to_string(m_failures) + " failed links are ignored: links of the fabric are set in the " +
                    "configuration, not in a trace");
    }
    // With flows missing, what triggers lack says nothing.
    if (!failed()) {
        for (trigger_book::problem& p : m_book.check(m_options.trigger_delay > picoseconds{0})) {
            error_at(p.line, "trigger", std::move(p.message));
        }
    }
    m_triggers = m_book.triggers();
}

}  // namespace weir::traffic
