#include "tb/run/unfinished_traffic.h"

#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

std::string name_of(const topology& plan, host_id h) {
    return h < plan.hosts() ? plan.name(node_ref::of_host(h)) : "an address that no host has";
}

/// With what the receiver knows: `flows.csv` has a transfer whose data has arrived.
std::string to_text(const open_transfer& transfer, simulation& simulated) {
    const topology& plan = simulated.network().plan();
    const std::vector<traffic_endpoint*> endpoints = simulated.endpoints();
    const bool arrived = transfer.dst < endpoints.size() && endpoints[transfer.dst]->has_received(transfer);
    return "flow " + std::to_string(transfer.flow) + " (" + name_of(plan, transfer.src) + " to " +
           name_of(plan, transfer.dst) + ", " + weir::to_text(transfer.flow_bytes) + ", started at " +
           weir::to_text(transfer.start) + ", timeouts: " + std::to_string(transfer.timeouts) +
           (arrived ? "; its data has arrived, but the sender has not received the acknowledgement" : "") + ")";
}

std::string counted(std::uint64_t count, const char* one, const char* more) {
    return std::to_string(count) + " " + (count == 1 ? one : more);
}

}  // namespace

std::string unfinished_traffic(simulation& simulated) {
    std::uint64_t open = 0;
    std::uint64_t started = 0;
    std::uint64_t hosts_waiting = 0;
    std::string waits_for;
    std::vector<open_transfer> named;
    for (const traffic_endpoint* endpoint : simulated.endpoints()) {
        started += endpoint->log().flows_started;
        open += endpoint->flows_open();
        hosts_waiting += endpoint->flows_open() == 0 && !endpoint->exhausted() ? 1 : 0;
        waits_for = waits_for.empty() ? endpoint->waits_for() : waits_for;
        const std::vector<open_transfer> of_host = endpoint->open_transfers(named_transfers - named.size());
        named.insert(named.end(), of_host.begin(), of_host.end());
    }
    std::string text = "the traffic does not end: after " + weir::to_text(longest_time) +
                       ", the longest possible run, " + std::to_string(open) + " of " +
                       counted(started, "transfer", "transfers") + (open == 1 ? " is" : " are") +
                       " not complete";
    for (std::size_t i = 0; i < named.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + to_text(named[i], simulated);
    }
    if (open > named.size()) {
        text += ", and " + std::to_string(open - named.size()) + " more";
    }
    if (!waits_for.empty()) {
        text += "; " + waits_for;
    } else if (hosts_waiting != 0) {
        text +=
            "; " + counted(hosts_waiting, "host waits", "hosts wait") + " with transfers that have not started";
    }
    if (simulated.flows_waiting() != 0) {
        text += "; " +
                counted(simulated.flows_waiting(), "flow of the trace waits", "flows of the trace wait") +
                " for a trigger";
    }
    if (open != 0) {
        text +=
            ". The usual cause is a link that stays down, or that loses nearly all frames, or an adapter that "
            "pauses its link without end";
    }
    return text + "; set run.duration to end a run at a given time";
}

}  // namespace weir::tb
