// What a switch counts, and what it checks of itself.
#pragma once

#include <cstdint>
#include <string>

#include "weir/model/switch/ingress_stage.h"

namespace weir::model {

class switch_statistics : public ingress_stage {
 public:
    using ingress_stage::catch_up;
    void settle(picoseconds now) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override;
    std::string waiting_ports() const override;
    /// Data frames that finished a transmission.
    std::uint64_t hops() const { return m_balance.sent - transmitting(); }

 protected:
    using ingress_stage::ingress_stage;

    /// The warm-up has ended.
    void restart_statistics();
};

}  // namespace weir::model
