#include "weir/traffic/apps/permutation_app.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

namespace {

/// What stands for endless: over two hours at 1 Gb/s, 10 s at 800 Gb/s.
constexpr bytes terabyte{1'000'000'000'000};

bit_rate flow_rate(const workload_config& config, bit_rate link_rate) {
    if (config.transport != transport_kind::udp) {
        return link_rate;
    }
    const std::int64_t rate = std::llround(config.load * static_cast<double>(link_rate.count()));
    return bit_rate{std::max<std::int64_t>(rate, 1)};
}

}  // namespace

permutation_app::permutation_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_self(self),
      m_rate(flow_rate(m_plan->config(), link_rate)),
      m_phase(m_plan->stream(self, random_purpose::arrivals)),
      m_priority(m_plan->stream(self, random_purpose::priorities)) {}

void permutation_app::start(application_services& services) {
    const auto gap = static_cast<double>(m_plan->datagram_time(m_rate).count());
    const picoseconds phase{static_cast<std::int64_t>(m_phase.uniform() * gap)};
    const picoseconds first = m_plan->config().start + phase;
    m_done = first >= m_plan->config().stop_time();
    if (!m_done) {
        services.set_timer(first, 0);
    }
}

void permutation_app::on_timer(application_services& services, std::uint64_t) {
    if (services.now() < m_plan->config().stop_time()) {
        start_flow(services);
    } else {
        m_done = true;
    }
}

bytes permutation_app::endless(picoseconds now) const {
    const workload_config& config = m_plan->config();
    if (config.transport != transport_kind::udp || config.stop_time() == never) {
        return terabyte;
    }
    // The last datagram starts before `stop`.
    const picoseconds gap = m_plan->datagram_time(m_rate);
    const std::int64_t datagrams = (config.stop_time() - now + gap - picoseconds{1}) / gap;
    return std::min(config.datagram * datagrams, terabyte);
}

void permutation_app::start_flow(application_services& services) {
    const workload_config& config = m_plan->config();
    const bool one_flow = config.flow_bytes == bytes{0};
    transfer_request request;
    request.dst = m_plan->partner(m_self);
    request.flow_bytes = one_flow ? endless(services.now()) : config.flow_bytes;
    request.priority = m_plan->draw_priority(m_priority);
    request.tag = workload_plan::main_tag;
    request.transport = config.transport;
    request.flow = services.next_flow();
    request.job = services.next_job();
    request.udp_rate = config.transport == transport_kind::udp ? m_rate : bit_rate{0};
    ++m_flows_started;
    m_done = one_flow || m_flows_started == config.flows_per_host;
    services.start_transfer(request);
}

void permutation_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag == workload_plan::main_tag) {
        report_plain_flow(services, transfer);
    }
}

void permutation_app::on_sent(application_services& services, const transfer_request& transfer) {
    const workload_config& config = m_plan->config();
    if (m_done || transfer.tag != workload_plan::main_tag) {
        return;
    }
    if (config.transport != transport_kind::udp) {
        return on_timer(services, 0);
    }
    // The flow's last datagram has only just left: the next flow keeps the distance of two datagrams.
    const bytes full = std::min(config.datagram, config.flow_bytes) + config.datagram_overhead;
    services.set_timer(services.now() + transmission_time(full, m_rate), 0);
}

static workload_end end_of_permutation(const workload_config& config) {
    workload_end end;
    if (config.flow_bytes == 0_B && config.transport != transport_kind::udp) {
        end.why_endless =
            "a flow without end ({traffic.flow_bytes} = 0B) never completes, also with {traffic.stop}";
        end.expected = "traffic.flow_bytes above 0B";
    } else if (config.stop == 0_ps && (config.flow_bytes == 0_B || config.flows_per_host == 0)) {
        end.why_endless = "each host's flows have no end";
        end.expected = "{traffic.stop}";
    }
    const std::uint64_t surely = config.stop > 0_ps ? 1 : std::max<std::uint64_t>(1, config.flows_per_host);
    end.least_bytes = static_cast<double>(config.flow_bytes.count()) * static_cast<double>(surely);
    end.least_key = "traffic.flow_bytes";
    end.needs_all_hosts = true;
    return end;
}

workload_traits permutation_workload() {
    workload_traits traits;
    traits.make = make_application<permutation_app>;
    traits.tags = {"permutation"};
    traits.carried = carriage::any;
    traits.has_partners = true;
    traits.end = end_of_permutation;
    return traits;
}

}  // namespace weir::traffic
