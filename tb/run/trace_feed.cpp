#include "tb/run/trace_feed.h"

#include <utility>

#include "tb/options/input_file.h"

namespace weir {

trace_feed::trace_feed(const run_config& config, host_id hosts)
    : m_file(config.files.file), m_format(config.files.format) {
    m_options.file = m_file;
    m_options.hosts = hosts;
    m_options.unit = config.files.unit;
    m_options.trigger_delay = config.files.trigger_delay;
    m_options.default_priority = config.files.default_priority;
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

std::string trace_feed::open() {
    input_file opened = open_input(m_file, input_kind::stored);
    m_text = std::move(opened.text);
    m_reader = make_trace_reader(m_format, m_text, m_options, m_tags);
    return opened.why_not;
}

const trace_flow* trace_feed::next() {
    if (!m_have && !m_ended) {
        m_have = m_stream->next(m_flow);
        m_ended = !m_have;
    }
    return m_have ? &m_flow : nullptr;
}

}  // namespace weir
