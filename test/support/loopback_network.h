// Hosts joined by nothing but a delay, for tests of the transports: a small event loop on one std::map.
//
// Each host's frames leave one after another at the link's rate, in the order of `send`, and arrive
// `latency` after their last bit has left. A rule says of each frame whether it is lost or late. The
// network checks what `host_services` promises and asks.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/endpoint.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::test {

using namespace traffic;

/// Takes down what it is given; time is set by hand.
class recording_host final : public host_services {
 public:
    picoseconds now() const override { return m_now; }
    send_outcome send(const ethernet_frame& frame) override {
        if (outcome == send_outcome::taken) {
            frames.push_back(frame);
        }
        return outcome;
    }
    void wake_at(picoseconds time) override { wakes.push_back(time); }
    host_id id() const override { return 0; }
    ipv4_address address() const override { return ipv4_address{0x0A000001}; }
    bit_rate link_rate() const override { return 10_Gbps; }
    bytes nic_backlog() const override { return 0_B; }
    void fail(const std::string& what) override { ADD_FAILURE() << what; }
    void set_now(picoseconds time) { m_now = time; }

    std::vector<ethernet_frame> frames;
    std::vector<picoseconds> wakes;
    send_outcome outcome = send_outcome::taken;

 private:
    picoseconds m_now{0};
};

struct loopback_options {
    host_id hosts = 2;
    bit_rate rate = 10_Gbps;
    picoseconds latency = 1us;
    bytes wire_overhead{20};
    /// Bytes that wait in a NIC before it refuses a frame.
    bytes nic_capacity{std::int64_t{1} << 40};
    endpoint_options endpoint{};
};

class loopback_network final : public address_map {
 public:
    struct fate {
        bool lost = false;
        picoseconds late{0};
    };
    struct sighting {
        picoseconds sent;
        ethernet_frame frame;
        bool lost;
    };
    using rule = std::function<fate(const ethernet_frame&)>;

    explicit loopback_network(loopback_options options) : m_options(std::move(options)) {
        m_options.endpoint.addresses = this;
        for (host_id h = 0; h < m_options.hosts; ++h) {
            m_hosts.push_back(std::make_unique<loopback_host>(*this, h));
        }
    }

    host_id hosts() const override { return m_options.hosts; }
    ipv4_address address_of(host_id host) const override { return ipv4_address{0x0A000001 + host}; }
    host_id host_of(ipv4_address address) const override { return to_uint(address) - 0x0A000001; }

    traffic_endpoint& operator[](host_id host) { return m_hosts[host]->endpoint; }
    void set_rule(rule r) { m_rule = std::move(r); }
    /// Every frame that a NIC accepted, in the order of `send`.
    const std::vector<sighting>& seen() const { return m_seen; }
    void record(bool on) { m_record = on; }
    picoseconds now() const { return m_now; }
    /// What endpoints report as broken, in order, is no failure of the test from now on.
    const std::vector<std::string>& expect_failures() {
        m_failures_expected = true;
        return m_failures;
    }

    void start() {
        for (auto& host : m_hosts) {
            host->endpoint.start(*host);
        }
    }
    /// Runs until nothing is left, or `end`.
    void run(picoseconds end = latest_time) {
        while (!m_events.empty() && m_events.begin()->first.first <= end) {
            const auto first = m_events.begin();
            m_now = first->first.first;
            const occurrence o = first->second;
            m_events.erase(first);
            loopback_host& host = *m_hosts[o.host];
            if (o.is_wake) {
                host.wakes.erase(m_now);
                host.endpoint.wake();
            } else {
                host.endpoint.receive(o.frame);
            }
        }
    }
    /// A frame from nowhere.
    void inject(picoseconds time, host_id to, const ethernet_frame& frame) { add(time, {to, false, frame}); }

 private:
    struct occurrence {
        host_id host;
        bool is_wake;
        ethernet_frame frame;
    };
    struct loopback_host final : host_services {
        loopback_host(loopback_network& n, host_id h) : network(n), self(h), endpoint(n.m_options.endpoint) {}

        picoseconds now() const override { return network.m_now; }
        send_outcome send(const ethernet_frame& frame) override { return network.transmit(*this, frame); }
        void wake_at(picoseconds time) override {
            EXPECT_GE(time, network.m_now);
            EXPECT_LE(time, latest_time);
            EXPECT_TRUE(wakes.insert(time).second) << "asked twice for a wake at " << time.count() << " ps";
            network.add(time, {self, true, {}});
        }
        host_id id() const override { return self; }
        ipv4_address address() const override { return network.address_of(self); }
        bit_rate link_rate() const override { return network.m_options.rate; }
        bytes nic_backlog() const override {
            const picoseconds wait = busy_until - network.m_now;
            return wait > 0_ps ? bytes{wait / transmission_time(1_B, link_rate())} : 0_B;
        }

        void fail(const std::string& what) override {
            EXPECT_TRUE(network.m_failures_expected) << what;
            network.m_failures.push_back(what);
        }

        loopback_network& network;
        host_id self;
        traffic_endpoint endpoint;
        picoseconds busy_until{0};
        std::set<picoseconds> wakes;
    };

    send_outcome transmit(loopback_host& host, const ethernet_frame& frame) {
        EXPECT_EQ(frame.src, host.address());
        EXPECT_GE(frame.frame_bytes, 64);
        if (host.nic_backlog() + frame.length() > m_options.nic_capacity) {
            return send_outcome::dropped;
        }
        const fate f = m_rule ? m_rule(frame) : fate{};
        if (m_record) {
            m_seen.push_back({m_now, frame, f.lost});
        }
        host.busy_until = std::max(host.busy_until, m_now) +
                          transmission_time(frame.length() + m_options.wire_overhead, m_options.rate);
        if (!f.lost) {
            add(host.busy_until + m_options.latency + f.late, {host_of(frame.dst), false, frame});
        }
        return send_outcome::taken;
    }
    void add(picoseconds time, occurrence o) { m_events.emplace(std::make_pair(time, m_order++), o); }

    loopback_options m_options;
    std::vector<std::unique_ptr<loopback_host>> m_hosts;
    std::map<std::pair<picoseconds, std::uint64_t>, occurrence> m_events;
    std::uint64_t m_order = 0;
    picoseconds m_now{0};
    rule m_rule;
    bool m_record = true;
    std::vector<sighting> m_seen;
    bool m_failures_expected = false;
    std::vector<std::string> m_failures;
};

}  // namespace weir::test
