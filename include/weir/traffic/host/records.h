// What hosts report of transfers and jobs. Each host appends to a log of its own during a quantum; the
// program takes the logs at the barrier, in the order of time and host.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/traffic/apps/application.h"

namespace weir::traffic {

/// The receiver has every byte.
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
};

/// The sender is done with a transfer: every byte confirmed (TCP) or sent (UDP); or, at the end of the
/// run, what it knows so far.
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
    std::vector<job_record> jobs;
    std::uint64_t flows_started = 0;

    void clear() {
        deliveries.clear();
        senders.clear();
        jobs.clear();
    }
};

}  // namespace weir::traffic
