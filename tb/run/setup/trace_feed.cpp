#include "tb/run/setup/trace_feed.h"

#include <utility>

#include "tb/support/files/input_file.h"
#include "tb/verify/capture/packet_flows.h"

namespace weir::tb {

namespace {

/// The reader of a format that is text.
trace_format text_format_of(trace_file_format format) {
    switch (format) {
        case trace_file_format::hpcc:
            return trace_format::hpcc;
        case trace_file_format::htsim:
            return trace_format::htsim;
        default:
            return trace_format::csv;
    }
}

}  // namespace

trace_feed::trace_feed(const run_config& config, const topology& plan)
    : m_file(config.files.file), m_format(config.files.format) {
    if (m_format == trace_file_format::pcap) {
        read_capture(config, plan);
        return;
    }
    m_options.file = m_file;
    m_options.hosts = plan.hosts();
    m_options.unit = config.files.unit;
    m_options.trigger_delay = config.files.trigger_delay;
    m_options.default_priority = config.files.default_priority;
    read_text();
}

void trace_feed::read_text() {
    const std::string why_not = open();
    if (!why_not.empty()) {
        m_scan.errors.push_back(unreadable("traffic.file", m_file, why_not, "a flow trace"));
        return;
    }
    m_scan = scan_trace(*m_reader);
    if (m_scan.errors.empty()) {
        static_cast<void>(open());  // it was there a moment ago; the stream says so if it is gone
        m_stream = std::make_unique<sorted_flow_stream>(*m_reader, m_scan.sorted);
    }
}

void trace_feed::read_capture(const run_config& config, const topology& plan) {
    packet_flow_options options;
    options.grouping = config.files.packets;
    options.addresses = config.files.addresses;
    options.idle = config.files.packet_idle;
    packet_flows read = read_packet_flows(m_file, options, plan);
    m_scan = std::move(read.scan);
    m_capture = std::move(read.flows);
    if (m_scan.errors.empty()) {
        m_stream = std::make_unique<sorted_flow_stream>(*m_capture, m_scan.sorted);
    }
}

std::string trace_feed::open() {
    input_file opened = open_input(m_file, input_kind::stored);
    m_text = std::move(opened.text);
    m_reader = make_trace_reader(text_format_of(m_format), m_text, m_options, m_tags);
    return opened.why_not;
}

const trace_flow* trace_feed::next() {
    if (!m_have && !m_ended) {
        m_have = m_stream->next(m_flow);
        m_ended = !m_have;
    }
    return m_have ? &m_flow : nullptr;
}

}  // namespace weir::tb
