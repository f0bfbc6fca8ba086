// ETS (802.1Q clause 37, first 802.1Qaz): strict classes first, then the others share what is left by weight,
// with deficit round robin (Shreedhar and Varghese, "Efficient fair queuing using deficit round-robin", 1996).
//
//   deficit_round_robin egress{ports, config};
//   int c = egress.select(port, queued & ~timers.paused_mask(), head_bytes);
//   if (c != no_class) { send(c); egress.sent(port, c, head_bytes[c]); }
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/model/config/weights_config.h"
#include "weir/model/scheduling/scheduler.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Strict classes (weight 0) first, highest first; the rest in turns, ascending from class 0 and wrapping. A
/// class whose turn comes earns its quantum, and sends while its deficit covers its first frame.
///
/// Guarantee (the paper's): a class that stays backlogged and unpaused has, after m turns, sent between
/// m * quantum - one largest frame and m * quantum.
class deficit_round_robin {
 public:
    static constexpr kind_text kind{"deficit_round_robin", "by weights, in bytes (Shreedhar 1995)"};
    static constexpr scheduler_facts facts{true, true};

    deficit_round_robin(unsigned ports, const weights_config& config);

    int select(unsigned port, class_mask eligible, const std::uint32_t* head_bytes);
    void sent(unsigned port, int c, std::uint32_t length);
    /// These classes' queues have run empty: their deficits are lost. `select` sees a queue that is still empty
    /// by itself; this is for one that is refilled before the port selects again.
    void drained(unsigned port, class_mask classes);

    /// Bytes that the class may still send in its turn.
    std::uint32_t deficit(unsigned port, pfc_class c) const { return m_ports[port].deficit[c]; }

 private:
    struct port_state {
        std::array<std::uint32_t, pfc_classes> deficit{};
        /// Class whose turn it is. The first turn is class 0's.
        std::uint32_t turn = pfc_classes - 1;
    };

    /// Gives each class of `weighted` one turn, until one of them can send.
    int next_turn(port_state& s, unsigned weighted, const std::uint32_t* head_bytes) const;

    class_mask m_weighted = 0;
    std::array<std::uint32_t, pfc_classes> m_quantum{};
    std::vector<port_state> m_ports;
};

}  // namespace weir::model
