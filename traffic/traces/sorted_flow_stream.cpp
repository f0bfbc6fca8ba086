#include "weir/traffic/traces/sorted_flow_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace weir::traffic {

namespace {

/// `doing`: what was tried, such as "written".
[[noreturn]] void fail(const char* doing) {
    const int cause = errno;
    throw flow_stream_error(std::string("the temporary file for sorting the trace cannot be ") + doing + ": " +
                            (cause != 0 ? std::strerror(cause) : "unknown cause"));
}

off_t file_offset(std::uint64_t flow) {
    return static_cast<off_t>(flow * sizeof(trace_flow));
}

}  // namespace

sorted_flow_stream::sorted_flow_stream(flow_source& trace, bool sorted, std::size_t chunk_flows,
                                       temporary_file open_temporary)
    : m_trace(trace), m_sorted(sorted) {
    if (!sorted) {
        sort_all(chunk_flows, open_temporary);
    }
}

void sorted_flow_stream::sort_all(std::size_t chunk_flows, const temporary_file& open_temporary) {
    std::vector<trace_flow> chunk;
    bool more = true;
    while (more) {
        trace_flow f;
        more = m_trace.next(f);
        if (more) {
            chunk.push_back(f);
        }
        if (chunk.empty() || (more && chunk.size() < chunk_flows)) {
            continue;
        }
        std::sort(chunk.begin(), chunk.end(), starts_before);  // stable, since flow numbers differ
        const bool all_in_memory = !more && m_runs.empty();
        if (all_in_memory) {
            m_runs.push_back(run{0, 0, std::move(chunk)});
        } else {
            write_chunk(chunk, open_temporary);
        }
        chunk.clear();
    }
    check_trace();
    if (m_file) {
        std::vector<trace_flow>().swap(chunk);  // `= {}` would keep the memory
        m_buffer_flows = std::max<std::size_t>(1, chunk_flows / m_runs.size());
        errno = 0;
        if (std::fflush(m_file.get()) != 0) {
            fail("written");
        }
    }
    for (std::size_t r = 0; r < m_runs.size(); ++r) {
        if (!m_runs[r].buffer.empty() || refill(m_runs[r])) {
            m_heap.push_back(r);
        }
    }
    std::make_heap(m_heap.begin(), m_heap.end(), [&](std::size_t a, std::size_t b) { return later(a, b); });
}

void sorted_flow_stream::write_chunk(const std::vector<trace_flow>& chunk,
                                     const temporary_file& open_temporary) {
    errno = 0;
    if (!m_file) {
        m_file.reset(open_temporary());
        if (!m_file) {
            fail("opened");
        }
    }
    if (std::fwrite(chunk.data(), sizeof(trace_flow), chunk.size(), m_file.get()) != chunk.size()) {
        fail("written");
    }
    const std::uint64_t begin = m_runs.empty() ? 0 : m_runs.back().end_in_file;
    m_runs.push_back(run{begin, begin + chunk.size(), {}});
}

bool sorted_flow_stream::refill(run& r) {
    r.at = 0;
    r.buffer.resize(std::min<std::uint64_t>(m_buffer_flows, r.end_in_file - r.next_in_file));
    if (r.buffer.empty()) {
        std::vector<trace_flow>().swap(r.buffer);
        return false;
    }
    errno = 0;
    if (fseeko(m_file.get(), file_offset(r.next_in_file), SEEK_SET) != 0 ||
        std::fread(r.buffer.data(), sizeof(trace_flow), r.buffer.size(), m_file.get()) != r.buffer.size()) {
        fail("read");
    }
    r.next_in_file += r.buffer.size();
    return true;
}

bool sorted_flow_stream::later(std::size_t a, std::size_t b) const {
    return starts_before(m_runs[b].head(), m_runs[a].head());
}

bool sorted_flow_stream::next(trace_flow& flow) {
    return m_sorted ? next_passed_through(flow) : next_merged(flow);
}

bool sorted_flow_stream::next_passed_through(trace_flow& flow) {
    trace_flow f;
    if (!m_trace.next(f)) {
        check_trace();
        return false;
    }
    if (f.start < m_last.start) {
        throw flow_stream_error("the trace is not sorted: flow " + std::to_string(f.flow) +
                                " starts before flow " + std::to_string(m_last.flow));
    }
    m_last = f;
    flow = f;
    return true;
}

bool sorted_flow_stream::next_merged(trace_flow& flow) {
    if (m_heap.empty()) {
        return false;
    }
    const auto order = [&](std::size_t a, std::size_t b) { return later(a, b); };
    std::pop_heap(m_heap.begin(), m_heap.end(), order);
    run& r = m_runs[m_heap.back()];
    flow = r.head();
    if (++r.at < r.buffer.size() || refill(r)) {
        std::push_heap(m_heap.begin(), m_heap.end(), order);
    } else {
        m_heap.pop_back();
    }
    return true;
}

void sorted_flow_stream::check_trace() const {
    const config_errors errors = m_trace.errors();
    if (!errors.empty()) {
        const config_error& e = errors.front();
        throw flow_stream_error("the trace has errors: " + e.file + ":" + std::to_string(e.line) + ": " +
                                e.key + ": " + e.message);
    }
}

}  // namespace weir::traffic
