// Background (DeTail TR 8.1.2): each server keeps one long flow of low priority under way, always to
// another random server. The next one starts when the last one's bytes are all confirmed, so their number
// is constant; the first starts at a random moment of the time that one flow takes at the link's rate, so
// that the servers' flows are not synchronised. Or (DIBS 5.3) each server starts flows of drawn sizes at random
// times, `background_interarrival` apart on average, however many are under way.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class background_app final : public application {
 public:
    background_app(std::shared_ptr<const workload_plan> plan, host_id self);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services&, const received_transfer&) override {}
    void on_sent(application_services& services, const transfer_request& transfer) override;
    /// Never without `traffic.stop`.
    bool exhausted() const override { return m_active == 0 && m_arrivals.done(); }
    std::optional<std::uint8_t> claimed_tag() const override { return m_plan->background_tag(); }
    bool is_job(std::uint8_t tag) const override { return tag == m_plan->background_tag(); }

 private:
    void start_flow(application_services& services);
    host_id draw_target();

    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_targets;
    /// With `background_rack_share`: those of this host's rack, and the others.
    std::vector<host_id> m_near;
    std::vector<host_id> m_far;
    random_stream m_destination;
    random_stream m_phase;
    random_stream m_size;
    arrival_timer m_arrivals;
    /// Of those that follow one another: under way or still to begin.
    std::uint32_t m_active = 0;
};

/// One UDP flow at a constant rate, from `start` to `stop`: a hot spot beside the rest of the traffic, which
/// takes no notice of congestion (`traffic.stream_rate`).
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
