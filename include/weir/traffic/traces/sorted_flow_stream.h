// The flows of a trace in the order in which a run needs them, in bounded memory.
//
// A sorted trace passes through. Another one is sorted outside memory: chunks of 2^20 flows are sorted and
// written to one temporary file, then merged. Memory: one chunk (2^20 flows = 56 MiB, half as much again while
// it first fills), then the same shared out among the chunks for merging. Disk: 56 B per flow. A trace of at
// most one chunk needs no file. Flows with the same start keep the order of the file.
//
//   sorted_flow_stream flows{*reader, scan.sorted};
//   for (trace_flow f; flows.next(f);) { ... }
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

/// The stream cannot go on: the temporary file failed (a full disk), the trace had mistakes, or it was not
/// sorted though it was said to be. An exception, because a stream that just ended would look complete; the
/// program ends the run with exit status 1. `what()` is a sentence for the user.
class flow_stream_error : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

class sorted_flow_stream final : public flow_source {
 public:
    /// A file open for writing and reading that vanishes when it is closed; null if there is none.
    using temporary_file = std::function<std::FILE*()>;

    static constexpr std::size_t default_chunk_flows = std::size_t{1} << 20;

    /// `trace` must outlive the stream. Sorting is done here, so the constructor of an unsorted trace's
    /// stream reads it all. Range: chunk_flows >= 1. Throws flow_stream_error.
    sorted_flow_stream(flow_source& trace, bool sorted, std::size_t chunk_flows = default_chunk_flows,
                       temporary_file open_temporary = std::tmpfile);

    /// Throws flow_stream_error.
    bool next(trace_flow& flow) override;
    /// Sorted chunks that are merged; 0 where the trace passes through.
    std::size_t chunks() const { return m_runs.size(); }

 private:
    /// One sorted chunk in the file, and the part of it that is in memory.
    struct run {
        std::uint64_t next_in_file;
        std::uint64_t end_in_file;
        std::vector<trace_flow> buffer;
        std::size_t at = 0;
        const trace_flow& head() const { return buffer[at]; }
    };
    struct close_file {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void sort_all(std::size_t chunk_flows, const temporary_file& open_temporary);
    void write_chunk(const std::vector<trace_flow>& chunk, const temporary_file& open_temporary);
    bool refill(run& r);
    /// True where run `a` has to be taken after run `b`.
    bool later(std::size_t a, std::size_t b) const;
    bool next_passed_through(trace_flow& flow);
    bool next_merged(trace_flow& flow);
    void check_trace() const;

    flow_source& m_trace;
    bool m_sorted;
    trace_flow m_last;
    std::unique_ptr<std::FILE, close_file> m_file;
    std::size_t m_buffer_flows = 0;
    std::vector<run> m_runs;
    /// Runs that have flows left, as a heap; the earliest flow's run is first.
    std::vector<std::size_t> m_heap;
};

}  // namespace weir::traffic
