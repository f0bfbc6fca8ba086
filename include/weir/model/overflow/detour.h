// Detours (DIBS: Zarifis et al., EuroSys 2014): a frame whose port is full goes to another switch instead of
// being dropped, and from there on to its destination, perhaps back through here.
//
// 1. A frame that has come to as many switches as its TTL allows is dropped, whatever its port.
// 2. Its port has room: it takes that. (Probabilistic: by chance not, the more often the fuller the port.)
// 3. Another port of its shortest paths has room (`detour.shortest_first`): it takes that.
// 4. A port to a switch has room: it takes that, which is a detour. Never a port to a host.
// 5. None: it is dropped; of a lossless class it is held.
//
// Where several ports have room, the policy chooses. A random draw is made only where more than one candidate
// is left.
#pragma once

#include <cstdint>

#include "weir/model/overflow/overflow_action.h"

namespace weir::model {

class detour final : public overflow_action {
 public:
    explicit detour(const overflow_setup& setup);

    frame_action resolve(const port_choice& choice, unsigned selected, ethernet_frame& frame) override;
    bool sees_all() const override { return true; }

    /// Probability with which a frame is detoured whose port is not full. `fill`: share of its port's memory
    /// that is taken.
    double early_share(pfc_class c, double fill) const;

 private:
    bool expires(const port_choice& choice, ethernet_frame& frame) const;
    bool leaves_early(const port_choice& choice, unsigned selected, pfc_class c) const;
    unsigned pick(const port_choice& choice, const port_bitmap& candidates) const;

    detour_config m_config;
    unsigned m_classes;
    std::uint64_t m_salt;
    port_bitmap m_to_switches;
    class_mask m_lossless;
};

}  // namespace weir::model
