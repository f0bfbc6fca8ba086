// Hosts without a network, for tests of applications: a clock, timers, and transfers that arrive after a
// delay that the test chooses. Everything that applications do is recorded.
//
//   fake_fabric fabric{plan, 1_Gbps};
//   fabric.run_until(1s);
//   for (const fake_transfer& t : fabric.transfers()) { ... }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/traffic/apps/make_workload.h"

namespace weir {

using namespace traffic;

struct fake_transfer {
    picoseconds time;
    host_id src;
    transfer_request request;
};
struct fake_job {
    /// Where it was reported.
    host_id host;
    job_record record;
};

class fake_fabric {
 public:
    using delay_function = std::function<picoseconds(const fake_transfer&)>;

    fake_fabric(std::shared_ptr<const workload_plan> plan, bit_rate rate) : m_rate(rate) {
        for (host_id h = 0; h < plan->hosts(); ++h) {
            m_hosts.push_back(std::make_unique<host>(*this, h));
            m_hosts.back()->applications = make_workload(plan, h, rate);
        }
    }
    fake_fabric(const workload_config& config, host_id hosts, std::uint64_t seed, bit_rate rate = 1_Gbps)
        : fake_fabric(std::make_shared<const workload_plan>(config, hosts, seed), rate) {}

    /// From a transfer's start until all its bytes are there. The sender knows 1 us later.
    void set_delay(delay_function delay) { m_delay = std::move(delay); }

    void start() {
        m_started = true;
        for (auto& h : m_hosts) {
            for (std::size_t i = 0; i < h->applications.size(); ++i) {
                h->current = i;
                h->applications[i]->start(*h);
            }
        }
    }
    /// Runs what happens before `end`.
    void run_until(picoseconds end) {
        if (!m_started) {
            start();
        }
        while (!m_events.empty() && std::get<0>(m_events.begin()->first) < end) {
            const auto [key, action] = *m_events.begin();
            m_events.erase(m_events.begin());
            m_now = std::get<0>(key);
            action();
        }
        m_now = end == never ? m_now : end;
    }

    picoseconds now() const { return m_now; }
    bool exhausted() const {
        for (const auto& h : m_hosts) {
            for (const auto& app : h->applications) {
                if (!app->exhausted()) {
                    return false;
                }
            }
        }
        return true;
    }
    template <class App = application>
    App& app(host_id h, std::size_t index = 0) {
        return dynamic_cast<App&>(*m_hosts[h]->applications[index]);
    }
    application_services& services(host_id h) { return *m_hosts[h]; }
    const std::vector<fake_transfer>& transfers() const { return m_transfers; }
    const std::vector<fake_job>& jobs() const { return m_jobs; }
    void forget() {
        m_transfers.clear();
        m_jobs.clear();
    }

 private:
    struct host final : application_services {
        host(fake_fabric& f, host_id h) : fabric(f), id(h) {}

        picoseconds now() const override { return fabric.m_now; }
        host_id self() const override { return id; }
        host_id hosts() const override { return static_cast<host_id>(fabric.m_hosts.size()); }
        bit_rate link_rate() const override { return fabric.m_rate; }
        std::uint64_t next_flow() override { return flows++ * hosts() + id; }
        std::uint64_t next_job() override { return job_count++ * hosts() + id; }
        void start_transfer(const transfer_request& request) override {
            fabric.transfer({fabric.m_now, id, request}, current);
        }
        void set_timer(picoseconds time, std::uint64_t cookie) override {
            const std::size_t app = current;
            fabric.at(time, [this, app, cookie] {
                current = app;
                applications[app]->on_timer(*this, cookie);
            });
        }
        void job_done(const job_record& job) override { fabric.m_jobs.push_back({id, job}); }

        std::size_t claimer_of(std::uint8_t tag) const {
            for (std::size_t i = 0; i < applications.size(); ++i) {
                if (applications[i]->claimed_tag() == tag) {
                    return i;
                }
            }
            return 0;
        }

        fake_fabric& fabric;
        host_id id;
        application_list applications;
        std::size_t current = 0;
        std::uint64_t flows = 0;
        std::uint64_t job_count = 0;
    };

    void at(picoseconds time, std::function<void()> action) {
        m_events.emplace(std::make_tuple(time, m_order++), std::move(action));
    }
    void transfer(const fake_transfer& t, std::size_t sender_app) {
        m_transfers.push_back(t);
        const picoseconds arrival = m_now + m_delay(t);
        at(arrival, [this, t] {
            host& receiver = *m_hosts[t.request.dst];
            receiver.current = receiver.claimer_of(t.request.tag);
            if (receiver.applications[receiver.current]->is_job(t.request.tag)) {
                receiver.job_done({t.request.job, job_kind::flow, t.src, t.request.flow_bytes, 1,
                                   t.request.priority, t.request.tag, t.time, m_now});
            }
            receiver.applications[receiver.current]->on_received(
                receiver, {t.src, t.request.flow, t.request.job, t.request.flow_bytes, t.request.reply_bytes,
                           t.time, t.request.priority, t.request.tag, t.request.transport});
        });
        at(arrival + 1us, [this, t, sender_app] {
            host& sender = *m_hosts[t.src];
            sender.current = sender_app;
            sender.applications[sender_app]->on_sent(sender, t.request);
        });
    }

    bit_rate m_rate;
    delay_function m_delay = [this](const fake_transfer& t) {
        return 20us + transmission_time(t.request.flow_bytes, m_rate);
    };
    bool m_started = false;
    picoseconds m_now{0};
    std::uint64_t m_order = 0;
    std::map<std::tuple<picoseconds, std::uint64_t>, std::function<void()>> m_events;
    std::vector<std::unique_ptr<host>> m_hosts;
    std::vector<fake_transfer> m_transfers;
    std::vector<fake_job> m_jobs;
};

/// Everything about a transfer, to compare two runs.
inline auto identity(const fake_transfer& t) {
    const transfer_request& r = t.request;
    return std::make_tuple(t.time, t.src, r.dst, r.flow_bytes.count(), r.priority, r.tag, r.transport, r.flow,
                           r.job, r.reply_bytes.count());
}
using transfer_identities = std::vector<decltype(identity(std::declval<fake_transfer>()))>;
inline transfer_identities identities(const fake_fabric& fabric) {
    transfer_identities all;
    for (const fake_transfer& t : fabric.transfers()) {
        all.push_back(identity(t));
    }
    return all;
}

/// Sum over bins of (seen - expected)^2 / expected, where every bin has the same chance.
inline double chi_square(const std::map<std::int64_t, std::uint64_t>& seen, std::size_t bins) {
    double total = 0;
    for (const auto& [value, count] : seen) {
        total += static_cast<double>(count);
    }
    const double expected = total / static_cast<double>(bins);
    double sum = expected * static_cast<double>(bins - seen.size());
    for (const auto& [value, count] : seen) {
        const double difference = static_cast<double>(count) - expected;
        sum += difference * difference / expected;
    }
    return sum;
}

}  // namespace weir
