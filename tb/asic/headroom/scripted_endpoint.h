// An endpoint that sends what it has been told to, and remembers what came.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "weir/protocol/endpoint.h"

namespace weir::tb {

class scripted_endpoint : public endpoint {
 public:
    struct arrival {
        picoseconds time;
        ethernet_frame frame;
    };

    /// Before the run: `frame` is handed to the NIC at `time`.
    void at(picoseconds time, const ethernet_frame& frame) { m_script.emplace_back(time, frame); }

    void start(host_services& host) override {
        m_host = &host;
        std::stable_sort(m_script.begin(), m_script.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        ask();
    }
    void receive(const ethernet_frame& frame) override { arrivals.push_back({m_host->now(), frame}); }
    void wake() override {
        while (m_next < m_script.size() && m_script[m_next].first <= m_host->now()) {
            m_host->send(m_script[m_next++].second);
        }
        ask();
    }

    bool needs_kernel_thread() const override { return false; }

    std::vector<arrival> arrivals;

 private:
    void ask() {
        if (m_next < m_script.size()) {
            m_host->wake_at(m_script[m_next].first);
        }
    }
    host_services* m_host = nullptr;
    std::vector<std::pair<picoseconds, ethernet_frame>> m_script;
    std::size_t m_next = 0;
};

inline ethernet_frame frame_between(ipv4_address src, ipv4_address dst, std::uint16_t frame_bytes,
                                    pfc_class priority = 0) {
    ethernet_frame frame;
    frame.src = src;
    frame.dst = dst;
    frame.frame_bytes = frame_bytes;
    frame.priority = priority;
    return frame;
}

}  // namespace weir::tb
