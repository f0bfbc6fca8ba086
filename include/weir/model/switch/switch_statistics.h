// What a switch counts and samples, and what it checks of itself.
#pragma once

#include <cstdint>
#include <string>

#include "weir/model/switch/ingress_stage.h"

namespace weir::model {

class switch_statistics : public ingress_stage {
 public:
    void settle(picoseconds now) override;
    void sample_every(picoseconds interval, std::uint32_t capacity) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override;
    std::string waiting_ports() const override;
    /// Data frames that finished a transmission.
    std::uint64_t hops() const { return m_balance.sent - transmitting(); }

 protected:
    using ingress_stage::ingress_stage;

    /// An event of the stage `sample`.
    void on_sample(std::uint32_t payload);
    [[gnu::noinline, gnu::cold]] void wake_sampler();

 private:
    // Of a `sample` event: end of the warm-up instead of a sample.
    static constexpr std::uint32_t restart_payload = 1;
    bool is_empty() const;
    void take_sample();
    void restart_statistics();
};

}  // namespace weir::model
