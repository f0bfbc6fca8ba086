#include "weir/model/deadlock/deadlock_report.h"

#include <optional>

#include "weir/base/unit_text.h"

namespace weir::model {

namespace {

std::string host_name(ipv4_address address, const topology& plan) {
    const std::optional<host_id> host = plan.host_of(address);
    return host ? plan.name(node_ref::of_host(*host)) : to_text(address);
}

std::string queue_name(const class_queue& q, const topology& plan) {
    return plan.name(node_ref::of_switch(q.device)) + ".tx" + std::to_string(q.egress_port) + " class " +
           std::to_string(q.frame_class);
}

std::string flows_text(const std::vector<flow_bytes>& flows, const topology& plan) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < flows.size() && i < most; ++i) {
        const flow_bytes& f = flows[i];
        text += (i == 0 ? "" : ", ") + std::to_string(f.flow) + " (" + host_name(f.src, plan) + " to " +
                host_name(f.dst, plan) + ", " + std::to_string(f.bytes) + " B)";
    }
    return flows.size() > most ? text + " and " + std::to_string(flows.size() - most) + " more" : text;
}

/// What has paused a queue: a port's memory.
std::string memory_text(const deadlock_step& s) {
    return ", where " + std::to_string(s.occupancy) + " of " + std::to_string(s.limits.capacity) +
           " B are in use, " + std::to_string(s.counted) + " B of these are counted for the class (XOFF at " +
           std::to_string(s.limits.xoff) + " B, XON below " + std::to_string(s.limits.xon) + " B); " +
           std::to_string(s.waits_for_next) + " B of these, in class " + std::to_string(s.waiting_class) +
           (s.waits_in_queue ? ", wait in " : ", wait for room in ");
}

/// The same of a memory that all ports share.
std::string memory_text(const deadlock_step& s, const deadlock_step::shared_group& g) {
    const auto in_bytes = [&](std::uint64_t cells) {
        return std::to_string(cells * static_cast<std::uint64_t>(g.cell)) + " B";
    };
    return ", whose class " + std::to_string(g.group_class) + " has " + in_bytes(g.now.total()) + " in slice " +
           std::to_string(g.hold.slice) + " of the shared memory (" + in_bytes(g.now.minimum) +
           " of its minimum, " + in_bytes(g.now.shared) + " shared, " + in_bytes(g.now.headroom) +
           " of headroom; its threshold is " + in_bytes(g.threshold) + "); " + in_bytes(g.hold.stays) +
           " can never leave, including " + in_bytes(g.hold.headroom) +
           " of headroom, and the threshold stays at " + in_bytes(g.hold.threshold) +
           " after everything else has left; " + std::to_string(s.waits_for_next) + " B, class " +
           std::to_string(s.waiting_class) + ", wait in ";
}

}  // namespace

std::string to_text(const deadlock_report& report, const topology& plan) {
    std::string text = "deadlock, found at " + to_text(report.found) + ": " +
                       std::to_string(report.circle.size()) +
                       " paused queues wait for each other in a cycle, in which no frame has moved since " +
                       to_text(report.since);
    const std::size_t others = report.stuck_queues - report.circle.size();
    if (others > 0) {
        text += "; " + std::to_string(others) + " more " + (others == 1 ? "waits" : "wait") + " for them";
    }
    for (std::size_t i = 0; i < report.circle.size(); ++i) {
        const deadlock_step& s = report.circle[i];
        const deadlock_step& next = report.circle[(i + 1) % report.circle.size()];
        text += "\n  " + queue_name(s.queue, plan) + " holds " + std::to_string(s.queued_bytes) +
                " B, paused by " + plan.name(node_ref::of_switch(s.by_device)) + ".rx" +
                std::to_string(s.by_port) + (s.shared ? memory_text(s, *s.shared) : memory_text(s)) +
                queue_name(next.queue, plan) + "; flows: " + flows_text(s.flows, plan);
    }
    return text;
}

}  // namespace weir::model
