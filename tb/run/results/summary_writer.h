// Writes summary.json and describes its metrics.
//
//   directory.write("summary.json", to_text(to_json(summary)));
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/completions/completion_statistics.h"
#include "tb/run/samples/buffer_marks.h"
#include "tb/run/samples/fabric_totals.h"
#include "tb/run/samples/json_values.h"
#include "tb/run/samples/limits.h"
#include "tb/run/tables/detour_counter.h"
#include "tb/support/record/column_format.h"

namespace weir::tb {

/// What does not depend on the engine, the threads or the machine.
struct run_summary {
    std::string version;
    std::uint64_t seed = 0;
    /// The run came to the end it was meant to have.
    bool complete = false;
    picoseconds simulated{0};
    std::uint64_t packet_hops = 0;
    frame_account frames;
    pause_totals pauses;
    /// Since the end of the warm-up.
    std::vector<buffer_mark> buffers;
    /// Where switches mark: segments that TCP's receivers saw marked (ECN CE), since the start of the run.
    std::optional<std::uint64_t> ecn_seen;
    /// Where switches detour.
    std::optional<detour_counts> detours;
    /// With pFabric: probes that its senders sent, since the start of the run.
    std::optional<std::uint64_t> probes;
    averaged_time averaged;
    /// Payload handed to the applications of receiving hosts in the averaged time. Unit: B.
    std::uint64_t goodput_bytes = 0;
    /// Payload of the transfers that started after the warm-up, if `output.metrics` names any metric. Unit: B.
    std::uint64_t offered_bytes = 0;
    /// An object with metrics on request (run_metrics.h).
    nlohmann::ordered_json on_request = nlohmann::ordered_json::object();
    std::vector<resource_summary> resources;
    /// What tables that were asked for add: an object, or null.
    nlohmann::ordered_json extra;
    std::uint64_t flows_started = 0;
    std::uint64_t flows_completed = 0;
    std::uint64_t flows_unfinished = 0;
    distribution fct;
    distribution jct;
    slowdown_distribution fct_slowdown;
    /// With `output.ideal_jobs`.
    std::optional<slowdown_distribution> jct_slowdown;
    std::vector<completion_group> groups;
    /// Names, by number.
    std::vector<std::string> tags;
};

nlohmann::ordered_json to_json(const run_summary& summary);
/// `fct_ns`, or `fct_slowdown`.
template <class Value>
nlohmann::ordered_json to_json(const distribution_of<Value>& values);

/// Times and slowdowns of a group by their keys, `fct_ns` first.
nlohmann::ordered_json distributions_of(const completion_group& group, bool has_jct_slowdown);
/// Unit: bit/s, rounded. Null where nothing was measured.
nlohmann::ordered_json payload_bps(std::uint64_t payload_bytes, picoseconds measured);

}  // namespace weir::tb
