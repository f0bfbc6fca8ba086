// A sender that takes another path after a pause, as switches with flowlets do (Kandula et al., CCR 2007): what
// was sent before has arrived by then, so nothing overtakes it.
#pragma once

#include <memory>

#include "weir/traffic/congestion/path_choices.h"

namespace outside {

struct flowlet_state : weir::traffic::path_state {
    weir::picoseconds last;
};

class flowlet_path final : public weir::traffic::path_choice {
 public:
    /// `pause`: longer than the paths' delays differ.
    explicit flowlet_path(weir::picoseconds pause) : m_pause(pause) {}

    std::size_t state_bytes() const override { return sizeof(flowlet_state); }
    void on_ack(weir::traffic::path_state& state, const weir::traffic::ack_event& ack) const override {
        auto& s = static_cast<flowlet_state&>(state);
        s.tag = static_cast<std::uint16_t>(s.tag + (ack.now - s.last > m_pause ? 1 : 0));
        s.last = ack.now;
    }
    void on_timeout(weir::traffic::path_state& state) const override { ++state.tag; }

 private:
    const weir::picoseconds m_pause;
};

inline weir::traffic::path_kind add_flowlet_path(weir::picoseconds pause) {
    return weir::traffic::path_choices().add(
        {"flowlets", "takes another path after a pause",
         [pause](const weir::traffic::tcp_config&) { return std::make_unique<flowlet_path>(pause); }});
}

}  // namespace outside
