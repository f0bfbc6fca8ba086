// The seam between transports and applications on one host.
//
// An application starts transfers and hears when they have arrived. A *transfer* is one way: a query is a
// request (one transfer) and its response (another). A *job* is what a paper's user waits for: a query, a
// web request, an incast round; for plain flows each transfer is a job.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/traces/flow.h"
#include "weir/traffic/transport/transport_kinds.h"

namespace weir::traffic {

/// Why host `self` of `hosts` cannot start this transfer, as the end of a sentence; null if it can.
inline const char* mistake_in(const transfer_request& request, host_id self, host_id hosts) {
    if (request.flow_bytes < bytes{1}) {
        return "has no bytes";
    }
    if (request.flow_bytes.count() > static_cast<std::int64_t>(largest_flow_bytes)) {
        return "has more than 2^48 B";
    }
    if (request.flow > transfer_fields::flow_mask || request.job > transfer_fields::job_mask) {
        return "number of its flow is not below 2^48, or that of its job not below 2^40";
    }
    if (request.dst >= hosts || request.dst == self) {
        return "destination is not a different host";
    }
    if (request.priority >= pfc_classes) {
        return "priority is not 0 to 7";
    }
    if (static_cast<std::uint64_t>(request.reply_bytes.count()) > std::numeric_limits<std::uint32_t>::max()) {
        return "response is not 0 B to 4 GiB - 1 B";
    }
    if (request.udp_rate < bit_rate{0}) {
        return "rate is negative";
    }
    if (request.written != nullptr && !transports()[request.transport].waits_for_writes) {
        return "is written over time, which its transport does not wait for";
    }
    return nullptr;
}

enum class job_kind : std::uint8_t {
    flow,
    query,
    web_request,
    partition_aggregate,
    incast_round,
    scatter_gather,
    rank
};
constexpr auto names_of(job_kind) {
    return enum_names<job_kind>({{job_kind::flow, "flow"},
                                 {job_kind::query, "query"},
                                 {job_kind::web_request, "web_request"},
                                 {job_kind::partition_aggregate, "partition_aggregate"},
                                 {job_kind::incast_round, "incast_round"},
                                 {job_kind::scatter_gather, "scatter_gather"},
                                 {job_kind::rank, "rank"}});
}

/// One line of jobs.csv.
struct job_record {
    static constexpr std::uint64_t no_job = ~std::uint64_t{0};

    std::uint64_t job = 0;
    job_kind kind = job_kind::flow;
    host_id src = 0;
    /// A query's bytes are its response's; else the sum of the job's transfers' payload.
    bytes job_bytes{0};
    std::uint32_t transfers = 0;
    pfc_class priority = 0;
    std::uint8_t tag = 0;
    picoseconds start{0};
    picoseconds end{0};
    /// The job that this one is a part of: a query's web request.
    std::uint64_t parent = no_job;
};

/// What an application may do.
class application_services {
 public:
    virtual ~application_services() = default;
    virtual picoseconds now() const = 0;
    virtual host_id self() const = 0;
    virtual host_id hosts() const = 0;
    virtual bit_rate link_rate() const = 0;
    /// A number that no other transfer of the fabric has; the same whatever the threads or the quantum.
    virtual std::uint64_t next_flow() = 0;
    virtual std::uint64_t next_job() = 0;
    virtual void start_transfer(const transfer_request& request) = 0;
    /// `application::on_timer(cookie)` at `time`, not before `now()`.
    virtual void set_timer(picoseconds time, std::uint64_t cookie) = 0;
    virtual void job_done(const job_record& job) = 0;
};

/// What runs on one host above the transports.
class application {
 public:
    virtual ~application() = default;
    virtual void start(application_services& services) = 0;
    virtual void on_timer(application_services& services, std::uint64_t cookie) = 0;
    /// All bytes of a transfer have arrived here.
    virtual void on_received(application_services& services, const received_transfer& transfer) = 0;
    /// The other side has confirmed all bytes of a transfer that was started here (TCP), or the last byte
    /// was handed to the NIC (UDP).
    virtual void on_sent(application_services& /*services*/, const transfer_request& /*transfer*/) {}
    /// False: `on_sent` does nothing, and is not called. Asked once, before `start`.
    virtual bool awaits_sent() const { return true; }
    /// Nothing of this application's own making is still to come, once its transfers are complete: a run
    /// without a set duration ends when this holds everywhere.
    virtual bool exhausted() const = 0;
    /// What it waits for that is not a transfer under way, as the end of a sentence; empty: nothing that it
    /// could name.
    virtual std::string waits_for() const { return {}; }
    /// Transfers with this tag are its own, wherever they come from; the first application of a host has all
    /// that no other one claims.
    virtual std::optional<std::uint8_t> claimed_tag() const { return std::nullopt; }
    /// True if each transfer with this tag, one of its own, is a job by itself (`job_kind::flow`): such a job
    /// is done when the transfer is complete, and needs no `job_done`.
    virtual bool is_job(std::uint8_t /*tag*/) const { return false; }
    /// Appends the jobs that this host has started and not reported as done. Callers set `src` and `end`;
    /// `job_bytes`, `tag` and `priority` are those that the job will be reported with.
    virtual void list_open_jobs(std::vector<job_record>& /*open*/) const {}
};

}  // namespace weir::traffic
