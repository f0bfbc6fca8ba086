// A workload: each host sends the same number of bytes to every other host, one transfer after another,
// beginning with its neighbour in number.
#pragma once

#include <memory>
#include <utility>

#include "weir/traffic/apps/workloads.h"

namespace outside {

struct all_to_all_config {
    weir::bytes each{100'000};
};

class all_to_all_app final : public weir::traffic::application {
 public:
    all_to_all_app(weir::traffic::shared_plan plan, weir::host_id self, const all_to_all_config& config)
        : m_plan(std::move(plan)),
          m_priority(m_plan->stream(self, weir::random_purpose::priorities)),
          m_config(config) {}

    void start(weir::traffic::application_services& services) override {
        services.set_timer(m_plan->config().start, 0);
    }
    void on_timer(weir::traffic::application_services& services, std::uint64_t) override {
        weir::traffic::transfer_request request;
        request.dst = (services.self() + ++m_started) % services.hosts();
        request.flow_bytes = m_config.each;
        request.priority = m_plan->draw_priority(m_priority);
        request.tag = weir::traffic::workload_plan::main_tag;
        request.transport = m_plan->config().transport;
        request.flow = services.next_flow();
        request.job = services.next_job();
        services.start_transfer(request);
    }
    void on_received(weir::traffic::application_services&, const weir::traffic::received_transfer&) override {}
    bool is_job(std::uint8_t tag) const override { return tag == weir::traffic::workload_plan::main_tag; }
    void on_sent(weir::traffic::application_services& services,
                 const weir::traffic::transfer_request& transfer) override {
        if (transfer.tag == weir::traffic::workload_plan::main_tag && !exhausted()) {
            on_timer(services, 0);
        }
    }
    bool exhausted() const override { return m_started + 1 == m_plan->hosts(); }

 private:
    weir::traffic::shared_plan m_plan;
    weir::random_stream m_priority;
    all_to_all_config m_config;
    weir::host_id m_started = 0;
};

inline weir::traffic::workload_kind add_all_to_all(const all_to_all_config& config = {}) {
    weir::traffic::workload_traits traits;
    traits.make = [config](const weir::traffic::shared_plan& plan, weir::host_id self, weir::bit_rate) {
        return std::make_unique<all_to_all_app>(plan, self, config);
    };
    traits.tags = {"all_to_all"};
    traits.carried = weir::traffic::carriage::any;
    traits.end = [](const weir::traffic::workload_config&) {
        return weir::traffic::workload_end{};
    };  // by itself
    traits.closed_loop = [](const weir::traffic::workload_config&) -> std::string {
        return "each transfer starts when the one before is complete";
    };
    return weir::traffic::workloads().add(
        {"all_to_all", "each host sends to every other, one after another", traits});
}

}  // namespace outside
