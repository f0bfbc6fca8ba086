#include "weir/traffic/apps/expected_traffic.h"

#include <algorithm>

#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {

namespace {

/// Sends from some hosts to some hosts, in equal parts.
class host_roles {
 public:
    explicit host_roles(host_id hosts) : m_of_hosts(hosts) {}

    template <class Sends, class Receives>
    void add(Sends&& sends, Receives&& receives) {
        double senders = 0;
        double receivers = 0;
        const auto hosts = static_cast<host_id>(m_of_hosts.size());
        for (host_id h = 0; h < hosts; ++h) {
            senders += sends(h) ? 1 : 0;
            receivers += receives(h) ? 1 : 0;
        }
        for (host_id h = 0; h < hosts; ++h) {
            m_of_hosts[h].sent += sends(h) ? 1 / senders : 0;
            m_of_hosts[h].received += receives(h) ? 1 / receivers : 0;
        }
    }
    std::vector<host_traffic> take() { return std::move(m_of_hosts); }

 private:
    std::vector<host_traffic> m_of_hosts;
};

bool any_host(host_id) {
    return true;
}

auto is_among(const std::vector<host_id>& hosts) {
    return [&hosts](host_id h) { return hosts.empty() || std::binary_search(hosts.begin(), hosts.end(), h); };
}

std::vector<host_traffic> of_messages(const workload_plan& plan) {
    std::vector<host_traffic> of_hosts(plan.hosts());
    const goal_schedule& schedule = plan.schedule();
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        for (goal_index i = schedule.first(rank); i < schedule.first(rank + 1); ++i) {
            if (const goal_operation& each = schedule[i]; each.kind == goal_kind::send) {
                of_hosts[plan.host_of(rank)].sent += static_cast<double>(each.amount);
                of_hosts[plan.host_of(each.peer)].received += static_cast<double>(each.amount);
            }
        }
    }
    return of_hosts;
}

void add_main_application(const workload_plan& plan, host_roles& roles) {
    const workload_config& config = plan.config();
    const workload_traits& traits = workloads()[config.kind];
    const auto centre = traits.end ? traits.end(config).centre : std::nullopt;
    if (centre) {
        roles.add([&](host_id h) { return h != *centre; }, [&](host_id h) { return h == *centre; });
    } else if (traits.has_requests) {
        roles.add(is_among(plan.back_ends()), [&](host_id h) { return plan.is_front_end(h); });
    } else if (traits.has_partners) {
        std::vector<bool> receives(plan.hosts());
        for (host_id h = 0; h < plan.hosts(); ++h) {
            receives[plan.partner(h)] = receives[plan.partner(h)] || plan.partner(h) != h;
        }
        roles.add([&](host_id h) { return plan.partner(h) != h; }, [&](host_id h) { return receives[h]; });
    } else if (traits.has_places) {
        roles.add([&](host_id h) { return plan.is_source(h); }, is_among(plan.inputs().destinations));
    } else if (traits.generated) {
        roles.add(any_host, any_host);
    }
}

}  // namespace

std::vector<host_traffic> expected_traffic(const workload_plan& plan) {
    if (plan.inputs().schedule) {
        return of_messages(plan);
    }
    host_roles roles(plan.hosts());
    add_main_application(plan, roles);
    const workload_config& config = plan.config();
    if (config.background.is_on()) {
        roles.add([&](host_id h) { return plan.has_background(h); },
                  is_among(config.background.to_back_ends ? plan.back_ends()
                                                          : plan.inputs().background_destinations));
    }
    if (config.stream.is_on()) {
        roles.add([&](host_id h) { return h == config.stream.source; },
                  [&](host_id h) { return h == config.stream.destination; });
    }
    return roles.take();
}

}  // namespace weir::traffic
