// One UDP flow at a constant rate, from `start` to `stop`: a hot spot beside the rest of the traffic, which
// takes no notice of congestion (`traffic.stream_rate`).
#pragma once

#include <memory>
#include <optional>

#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class stream_app final : public application {
 public:
    explicit stream_app(std::shared_ptr<const workload_plan> plan) : m_plan(std::move(plan)) {}

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services&, const received_transfer&) override {}
    bool awaits_sent() const override { return false; }
    bool exhausted() const override { return m_done; }
    std::optional<std::uint8_t> claimed_tag() const override { return m_plan->stream_tag(); }
    bool is_job(std::uint8_t tag) const override { return tag == m_plan->stream_tag(); }

 private:
    std::shared_ptr<const workload_plan> m_plan;
    bool m_done = true;
};

}  // namespace weir::traffic
