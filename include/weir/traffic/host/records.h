// What hosts report of transfers and jobs. Each host appends to a log of its own during a quantum; the
// program takes the logs at the barrier, in the order of time and host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/traffic/apps/application.h"

namespace weir::traffic {

/// The receiver has every byte. In the log, a job that is this transfer and nothing else has no record of its
/// own.
struct delivery_record {
    std::uint64_t flow;
    std::uint64_t job;
    host_id src;
    host_id dst;
    bytes flow_bytes;
    pfc_class priority;
    std::uint8_t tag;
    transport_kind transport;
    picoseconds start;
    picoseconds end;
    /// It is a job by itself (`job_of`).
    bool is_job = false;
};

/// Range: transfer.is_job.
inline job_record job_of(const delivery_record& transfer) {
    return {transfer.job,      job_kind::flow, transfer.src,   transfer.flow_bytes, 1,
            transfer.priority, transfer.tag,   transfer.start, transfer.end};
}

struct logged_job {
    job_record job;
    /// It was done after so many deliveries of the log, and before the others.
    std::size_t deliveries = 0;
};

/// The sender is done with a transfer: every byte confirmed; or, at the end of the run, what it knows so far.
/// Where nothing is confirmed (UDP) there is none.
struct sender_record {
    std::uint64_t flow;
    picoseconds time;
    std::uint32_t retransmits;
    std::uint32_t timeouts;
};

/// Events of one host since they were last taken, each list in order of time.
struct host_log {
    std::vector<delivery_record> deliveries;
    std::vector<sender_record> senders;
    std::vector<logged_job> jobs;
    /// Transfers of transports that confirm nothing whose last byte was handed to the NIC, which is their
    /// `end`. They precede their deliveries by a link's latency at least.
    std::vector<delivery_record> unconfirmed;
    std::uint64_t flows_started = 0;

    bool is_empty() const {
        return deliveries.empty() && senders.empty() && jobs.empty() && unconfirmed.empty();
    }
    template <class Octets>
    void fields(Octets& o) {
        o(deliveries, senders, jobs, unconfirmed, flows_started);
    }
    void clear() {
        deliveries.clear();
        senders.clear();
        jobs.clear();
        unconfirmed.clear();
    }
};

}  // namespace weir::traffic
