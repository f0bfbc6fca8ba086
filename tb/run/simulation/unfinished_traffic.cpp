#include "tb/run/simulation/unfinished_traffic.h"

#include <algorithm>
#include <map>

#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

std::string name_of(const topology& plan, host_id h) {
    return h < plan.hosts() ? plan.name(node_ref::of_host(h)) : "an address that no host has";
}

/// What one rank knows.
struct unfinished {
    std::uint64_t started = 0;
    std::uint64_t open = 0;
    std::uint64_t hosts_waiting = 0;
    /// The first that a host waits for, by host.
    std::map<host_id, std::string> waits_for;
    std::vector<open_transfer> named;

    void add(const unfinished& other) {
        started += other.started;
        open += other.open;
        hosts_waiting += other.hosts_waiting;
        waits_for.insert(other.waits_for.begin(), other.waits_for.end());
        named.insert(named.end(), other.named.begin(), other.named.end());
    }
    template <class Octets>
    void fields(Octets& o) {
        o(started, open, hosts_waiting, waits_for, named);
    }
};

unfinished unfinished_here(const std::vector<traffic_endpoint*>& endpoints) {
    unfinished found;
    for (host_id h = 0; h < endpoints.size(); ++h) {
        const traffic_endpoint* const endpoint = endpoints[h];
        if (endpoint == nullptr) {
            continue;
        }
        found.started += endpoint->log().flows_started;
        found.open += endpoint->flows_open();
        found.hosts_waiting += endpoint->flows_open() == 0 && !endpoint->exhausted() ? 1 : 0;
        if (found.waits_for.empty()) {
            if (std::string text = endpoint->waits_for(); !text.empty()) {
                found.waits_for[h] = std::move(text);
            }
        }
        const std::vector<open_transfer> of_host =
            endpoint->open_transfers(named_transfers - found.named.size());
        found.named.insert(found.named.end(), of_host.begin(), of_host.end());
    }
    return found;
}

/// Of transfers that all ranks know, by their places: whether their data has arrived, which their receivers
/// know.
std::vector<std::int64_t> arrivals_of(const std::vector<open_transfer>& transfers, simulation& simulated) {
    const std::vector<traffic_endpoint*> endpoints = simulated.endpoints();
    std::vector<std::int64_t> arrived;
    for (const open_transfer& transfer : transfers) {
        const bool is_here = transfer.dst < endpoints.size() && endpoints[transfer.dst] != nullptr;
        arrived.push_back(is_here && endpoints[transfer.dst]->received_bytes(transfer) >=
                                         static_cast<std::uint64_t>(transfer.flow_bytes.count())
                              ? 1
                              : 0);
    }
    simulated.network().team().agree(arrived.data(), arrived.size());
    return arrived;
}

/// With what the receiver knows: `flows.csv` has a transfer whose data has arrived.
std::string to_text(const open_transfer& transfer, const topology& plan, bool arrived) {
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
    fabric& network = simulated.network();
    unfinished all = summed(network.team(), unfinished_here(simulated.endpoints()));
    std::stable_sort(all.named.begin(), all.named.end(),
                     [](const open_transfer& a, const open_transfer& b) { return a.src < b.src; });
    all.named.resize(std::min(all.named.size(), named_transfers));
    const std::vector<std::int64_t> arrived = arrivals_of(all.named, simulated);
    std::string text = "the traffic does not end: after " + weir::to_text(longest_time) +
                       ", the longest possible run, " + std::to_string(all.open) + " of " +
                       counted(all.started, "transfer", "transfers") + (all.open == 1 ? " is" : " are") +
                       " not complete";
    for (std::size_t i = 0; i < all.named.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + to_text(all.named[i], network.plan(), arrived[i] != 0);
    }
    if (all.open > all.named.size()) {
        text += ", and " + std::to_string(all.open - all.named.size()) + " more";
    }
    if (!all.waits_for.empty()) {
        text += "; " + all.waits_for.begin()->second;
    } else if (all.hosts_waiting != 0) {
        text += "; " + counted(all.hosts_waiting, "host waits", "hosts wait") +
                " with transfers that have not started";
    }
    if (simulated.flows_waiting() != 0) {
        text += "; " +
                counted(simulated.flows_waiting(), "flow of the trace waits", "flows of the trace wait") +
                " for a trigger";
    }
    if (all.open != 0) {
        text +=
            ". The usual cause is a link that stays down, or that loses nearly all frames, or an adapter that "
            "pauses its link without end";
    }
    return text + "; set run.duration to end a run at a given time";
}

}  // namespace weir::tb
