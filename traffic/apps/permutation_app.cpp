#include "weir/traffic/apps/permutation_app.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

namespace {

bool is_written(const workload_config& config) {
    return config.writes.are_on() && config.flow_bytes == 0_B;
}

/// Of each of a host's flows.
bit_rate share_of(bit_rate link_rate, double load, const workload_config& config) {
    const double share = load / config.parallel_flows;
    return bit_rate{std::llround(share * static_cast<double>(link_rate.count()))};
}

/// At which a flow begins.
bit_rate flow_rate(const workload_config& config, bit_rate link_rate) {
    if (config.sends_datagrams()) {
        return std::max(share_of(link_rate, config.load, config), 1_bps);
    }
    const bit_rate written = is_written(config) ? share_of(link_rate, config.writes.loads[0], config) : 0_bps;
    return written > 0_bps ? written : link_rate;
}

constexpr std::uint64_t without_end = ~std::uint64_t{0};

std::uint64_t flows_of_host(const workload_config& config) {
    if (config.flow_bytes > 0_B && config.flows_per_host == 0) {
        return without_end;
    }
    const std::uint64_t each = config.flow_bytes > 0_B ? config.flows_per_host : 1;
    return each < without_end / config.parallel_flows ? each * config.parallel_flows : without_end;
}

}  // namespace

permutation_app::permutation_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_self(self),
      m_link_rate(link_rate),
      m_rate(flow_rate(m_plan->config(), link_rate)),
      m_phase(m_plan->stream(self, random_purpose::arrivals)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_flows_left(flows_of_host(m_plan->config())) {}

void permutation_app::start(application_services& services) {
    const workload_config& config = m_plan->config();
    m_done = true;
    if (m_plan->partner(m_self) == m_self) {
        return;
    }
    const auto gap = static_cast<double>(m_plan->datagram_time(m_rate).count());
    for (std::uint32_t i = 0; i < config.parallel_flows; ++i) {
        const picoseconds phase{static_cast<std::int64_t>(m_phase.uniform() * gap)};
        const picoseconds first = config.start + phase;
        if (first < config.stop_time()) {
            services.set_timer(first, 0);
            m_done = false;
        }
    }
}

void permutation_app::on_timer(application_services& services, std::uint64_t) {
    if (services.now() < m_plan->config().stop_time()) {
        start_flow(services);
    } else {
        m_done = true;
    }
}

write_schedule permutation_app::writes_from(picoseconds now) const {
    const workload_config& config = m_plan->config();
    write_schedule written;
    for (std::size_t i = 0; i < config.writes.loads.size(); ++i) {
        const picoseconds from = i == 0 ? now : std::max(now, config.start + config.writes.times[i - 1]);
        written.add(from, share_of(m_link_rate, config.writes.loads[i], config));
    }
    return written;
}

void permutation_app::start_flow(application_services& services) {
    const workload_config& config = m_plan->config();
    const bool is_udp = config.sends_datagrams();
    m_flows_left -= m_flows_left == without_end ? 0 : 1;
    m_done = m_flows_left == 0;
    transfer_request request;
    request.dst = m_plan->partner(m_self);
    request.flow_bytes = config.flow_bytes > 0_B ? config.flow_bytes
                         : is_udp                ? m_plan->datagrams_until_stop(services.now(), m_rate)
                                                 : largest_flow;
    if (is_written(config)) {
        m_written.push_back(writes_from(services.now()));
        request.written = &m_written.back();
        if (config.stop > 0_ps) {
            const auto all = static_cast<std::int64_t>(request.written->at(config.stop));
            request.flow_bytes = std::min(bytes{all}, largest_flow);
        }
        if (request.flow_bytes == 0_B) {
            return;
        }
    }
    request.priority = m_plan->draw_priority(m_priority);
    request.tag = workload_plan::main_tag;
    request.transport = config.transport;
    request.flow = services.next_flow();
    request.job = services.next_job();
    request.udp_rate = is_udp ? m_rate : bit_rate{0};
    services.start_transfer(request);
}

void permutation_app::on_sent(application_services& services, const transfer_request& transfer) {
    const workload_config& config = m_plan->config();
    if (m_done || transfer.tag != workload_plan::main_tag) {
        return;
    }
    if (!config.sends_datagrams()) {
        return on_timer(services, 0);
    }
    // The flow's last datagram has only just left: the next flow keeps the distance of two datagrams.
    const bytes full = std::min(config.datagram, config.flow_bytes) + config.datagram_overhead;
    services.set_timer(services.now() + transmission_time(full, m_rate), 0);
}

static workload_end end_of_permutation(const workload_config& config) {
    workload_end end;
    if (config.flow_bytes == 0_B && !config.sends_datagrams() && !config.writes.are_on()) {
        end.why_endless =
            "a flow without end ({traffic.flow_bytes} = 0B) never completes, also with {traffic.stop}";
        end.expected = "traffic.flow_bytes above 0B";
    } else if (config.stop == 0_ps && (config.flow_bytes == 0_B || config.flows_per_host == 0)) {
        end.why_endless = "each host's flows have no end";
        end.expected = "{traffic.stop}";
    }
    const std::uint64_t surely = config.stop > 0_ps ? 1 : std::max<std::uint64_t>(1, config.flows_per_host);
    end.least_bytes = static_cast<double>(config.flow_bytes.count()) * static_cast<double>(surely) *
                      static_cast<double>(config.parallel_flows);
    end.least_key = "traffic.flow_bytes";
    end.needs_all_hosts = config.sources.empty() && config.destinations.empty();
    return end;
}

static std::string closed_loop_of_permutation(const workload_config& config) {
    if (config.sends_datagrams() || is_written(config)) {
        return {};  // applications send at a rate of their own
    }
    return config.flow_bytes == 0_B     ? "a flow without end sends as much as the fabric carries"
           : config.flows_per_host != 1 ? "a host's flows start when the ones before are complete"
                                        : "";
}

static bool waits_for_writes(const transport_traits& kind) {
    return kind.waits_for_writes;
}

workload_traits permutation_workload() {
    workload_traits traits;
    traits.make = make_application<permutation_app>;
    traits.tags = {"permutation"};
    traits.carried = carriage::any;
    traits.has_places = true;
    traits.has_partners = true;
    traits.reads_load = [](const workload_config& config) { return config.sends_datagrams(); };
    traits.end = end_of_permutation;
    traits.closed_loop = closed_loop_of_permutation;
    traits.check = [](const workload_config& config, host_id hosts, range_check& check) {
        check.refuse(is_written(config) && !waits_for_writes(transports()[config.transport]), "transport",
                     "'{}' is given all bytes of a flow at once, but {traffic.write_loads} writes them over "
                     "time; expected " +
                         transports().names(waits_for_writes),
                     name_of(config.transport));
        const bool pairs = config.partners == partner_rule::pairs;
        check.refuse(pairs && !(config.sources.empty() && config.destinations.empty()), "partners",
                     "'pairs' is for all hosts; expected permutation, or no {traffic.sources} and "
                     "{traffic.destinations}");
        check.refuse(pairs && hosts % 2 != 0, "partners",
                     "'pairs' leaves one of {} hosts alone; expected permutation, or an even number of hosts",
                     hosts);
    };
    return traits;
}

}  // namespace weir::traffic
