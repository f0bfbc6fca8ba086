#include "tb/run/trace_feed.h"

#include <cerrno>
#include <cstring>

namespace weir {

trace_feed::trace_feed(const run_config& config, host_id hosts)
    : m_file(config.files.file), m_format(config.files.format) {
    m_options.file = m_file;
    m_options.hosts = hosts;
    m_options.unit = config.files.unit;
    m_options.trigger_delay = config.files.trigger_delay;
    m_options.default_priority = config.files.default_priority;
    open();
    if (!m_text) {
        m_scan.errors.push_back(
            {{},
             0,
             "traffic.file",
             "'" + m_file + "' can not be read: " + std::strerror(errno) + "; allowed: a flow trace"});
        return;
    }
    m_scan = scan_trace(*m_reader);
    if (m_scan.errors.empty()) {
        open();
        m_stream = std::make_unique<sorted_flow_stream>(*m_reader, m_scan.sorted);
    }
}

void trace_feed::open() {
    m_text = std::ifstream(m_file);
    m_reader = make_trace_reader(m_format, m_text, m_options, m_tags);
}

const trace_flow* trace_feed::next() {
    if (!m_have && !m_ended) {
        m_have = m_stream->next(m_flow);
        m_ended = !m_have;
    }
    return m_have ? &m_flow : nullptr;
}

}  // namespace weir
