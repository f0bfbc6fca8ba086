// Flows as a trace gives them, and where they come from.
//
//   tag_table tags;
//   flow_trace_csv reader{file, options, tags};
//   for (trace_flow f; reader.next(f);) { ... }      // f.start, f.src, f.dst, f.flow_bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::traffic {

/// Number of a trigger in its file, from 1; `no_trigger` where there is none.
using trigger_id = std::uint32_t;
inline constexpr trigger_id no_trigger = 0;

/// One transfer of a trace: so many bytes from one host to another, from a given time on or once another
/// transfer is complete.
struct trace_flow {
    /// Place in the file, from 0. Unique, unlike the `id` that some formats carry.
    std::uint64_t flow = 0;
    /// Range: below longest_time. 0 for a flow that waits for a trigger: its host must know it from the start.
    picoseconds start{0};
    /// Payload. Unit: B. Range: 1 to largest_flow_bytes.
    std::uint64_t flow_bytes = 0;
    /// What passes between the trigger and the start. 0 = at once, possible within one host only.
    picoseconds trigger_delay{0};
    host_id src = 0;
    host_id dst = 0;
    /// Starts when this trigger fires, and not at `start`.
    trigger_id trigger = no_trigger;
    /// Fired at `src` when the sender is done (htsim: `send_done_trigger`).
    trigger_id fires = no_trigger;
    /// Fired at `dst` when the receiver has every byte (htsim: `recv_done_trigger`).
    trigger_id fires_received = no_trigger;
    pfc_class priority = 0;
    /// Index into the trace's `tag_table`.
    std::uint8_t tag = 0;
};
static_assert(std::is_trivially_copyable_v<trace_flow> && sizeof(trace_flow) <= 64, "sorted by the million");

/// 2^48 B = 281 TB: beyond it a size is a mistake.
inline constexpr std::uint64_t largest_flow_bytes = std::uint64_t{1} << 48;

/// Order in which a run takes flows: by start, ties in the order of the file.
inline bool starts_before(const trace_flow& a, const trace_flow& b) {
    return a.start != b.start ? a.start < b.start : a.flow < b.flow;
}

/// How a trigger answers when a flow fires it (htsim's trigger types).
enum class trigger_kind : std::uint8_t {
    oneshot,    ///< fired by one flow; every flow that waits starts
    multishot,  ///< each firing starts the next flow that waits, in the order of the file
    barrier     ///< every flow that waits starts when `count` flows have fired it
};

struct trace_trigger {
    trigger_id id = no_trigger;
    trigger_kind kind = trigger_kind::oneshot;
    /// Barrier only. Range: >= 1.
    std::uint32_t count = 1;
};

/// A stream of flows. A run asks for them in the order of `starts_before`; a reader of a trace gives them in
/// the order of its file, which is the same only where the file is sorted (see sorted_flow_stream.h).
class flow_source {
 public:
    virtual ~flow_source() = default;
    /// False at the end; `flow` is then unchanged.
    virtual bool next(trace_flow& flow) = 0;
    /// What was wrong with the input so far. A flow with a mistake is left out of the stream.
    virtual config_errors errors() const { return {}; }
};

/// Names of a workload's parts, as small numbers that fit into a frame. Number 0 is the empty name; names are
/// numbered from 1 in the order in which they first appear.
class tag_table {
 public:
    static constexpr std::size_t most_names = 255;
    static constexpr std::size_t longest_name = 64;

    /// Number of `name`, which is added if it is new; nothing if 255 names exist already.
    std::optional<std::uint8_t> index(std::string_view name);
    /// Names by number; `names()[0]` is empty.
    const std::vector<std::string>& names() const { return m_names; }

 private:
    std::vector<std::string> m_names{std::string{}};
};

// What a host sends and receives in a run.

/// Unit: B, or any, where only shares count.
struct host_traffic {
    double sent = 0;
    double received = 0;
};

}  // namespace weir::traffic
