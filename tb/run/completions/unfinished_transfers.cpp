#include "tb/run/completions/unfinished_transfers.h"

#include <algorithm>
#include <tuple>

namespace weir::tb {

namespace {

using traffic::open_transfer;

open_transfer as_open(const delivery_record& sent) {
    open_transfer open{};
    open.flow = sent.flow;
    open.job = sent.job;
    open.transport = sent.transport;
    open.src = sent.src;
    open.dst = sent.dst;
    open.flow_bytes = sent.flow_bytes;
    open.start = sent.start;
    open.tag = sent.tag;
    open.priority = sent.priority;
    return open;
}

/// Two numbers for each transfer: the bytes that its receiver has, and 1 if it is a job by itself. On ranks
/// that do not have the receiver both are 0, until the ranks agree on the greatest.
std::vector<std::int64_t> arrivals_of(const std::vector<open_transfer>& open,
                                      const std::vector<traffic_endpoint*>& endpoints, model::rank_team& team) {
    std::vector<std::int64_t> arrivals(2 * open.size());
    for (std::size_t i = 0; i < open.size(); ++i) {
        traffic_endpoint* const receiver = open[i].dst < endpoints.size() ? endpoints[open[i].dst] : nullptr;
        if (receiver != nullptr) {
            arrivals[2 * i] = static_cast<std::int64_t>(receiver->received_bytes(open[i]));
            arrivals[2 * i + 1] = receiver->is_job(open[i].tag) ? 1 : 0;
        }
    }
    team.agree(arrivals.data(), arrivals.size());
    return arrivals;
}

}  // namespace

std::vector<unfinished_transfer> unfinished_transfers::at_end(const std::vector<traffic_endpoint*>& endpoints,
                                                              model::rank_team& team, picoseconds end) const {
    std::vector<open_transfer> open;
    m_sent.for_each([&](std::uint64_t, const delivery_record& sent) { open.push_back(as_open(sent)); });
    for (const traffic_endpoint* const endpoint : endpoints) {
        if (endpoint != nullptr) {
            const std::vector<open_transfer> own = endpoint->open_transfers(endpoint->flows_open());
            open.insert(open.end(), own.begin(), own.end());
        }
    }
    open = model::shared(team, std::move(open));
    std::sort(open.begin(), open.end(), [](const open_transfer& a, const open_transfer& b) {
        return std::tie(a.start, a.flow) < std::tie(b.start, b.flow);
    });
    const std::vector<std::int64_t> arrivals = arrivals_of(open, endpoints, team);
    std::vector<unfinished_transfer> unfinished;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const open_transfer& each = open[i];
        // The others have arrived whole, and only their last acknowledgement has not.
        if (arrivals[2 * i] < each.flow_bytes.count()) {
            unfinished.push_back({{each.flow, each.job, each.src, each.dst, each.flow_bytes, each.priority,
                                   each.tag, each.transport, each.start, end, arrivals[2 * i + 1] != 0},
                                  static_cast<std::uint64_t>(arrivals[2 * i])});
        }
    }
    return unfinished;
}

std::vector<traffic::job_record> unfinished_jobs(const std::vector<traffic_endpoint*>& endpoints,
                                                 model::rank_team& team, picoseconds end) {
    std::vector<traffic::job_record> jobs;
    for (const traffic_endpoint* const endpoint : endpoints) {
        if (endpoint != nullptr) {
            const std::vector<traffic::job_record> open = endpoint->open_jobs();
            jobs.insert(jobs.end(), open.begin(), open.end());
        }
    }
    jobs = model::gathered(team, std::move(jobs));
    for (traffic::job_record& job : jobs) {
        job.end = end;
    }
    return jobs;
}

}  // namespace weir::tb
