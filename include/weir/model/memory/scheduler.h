// Chooses the class that an egress port sends next. One instance serves all ports of a switch.
//
//     strict                 the highest eligible class (DeTail, section 5.4; 802.1Q clause 8.6.8.1)
//     deficit_round_robin    ETS (802.1Q clause 37, first 802.1Qaz): strict classes first, then the others
//                            share what is left by weight, with deficit round robin (Shreedhar and Varghese,
//                            "Efficient fair queuing using deficit round-robin", 1996)
//
// Contract, the same for all:
//     `eligible`       classes that have a frame and are not paused
//     `head_bytes[c]`  length of the class's first frame, on the wire if shares of the link are meant; 0 where
//                      the class has none. A class that has a frame and is not eligible is paused: it keeps
//                      its deficit and earns nothing; one that has none loses it.
//     `select`         returns the class, or `no_class`. Asked again with the same arguments, it answers the
//                      same.
//     `sent`           tells that the class's first frame, of `length` bytes, is on its way.
//
//   scheduler egress{ports, config};
//   int c = egress.select(port, queued & ~timers.paused_mask(), head_bytes);
//   if (c != no_class) { send(c); egress.sent(port, c, head_bytes[c]); }
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/model/config/scheduler_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// What `select` returns when nothing is eligible.
inline constexpr int no_class = -1;

/// The highest eligible class.
class strict_priority {
 public:
    int select(unsigned /*port*/, class_mask eligible, const std::uint32_t* /*head_bytes*/) const {
        return eligible == 0 ? no_class : 31 - __builtin_clz(eligible);
    }
    void sent(unsigned /*port*/, int /*c*/, std::uint32_t /*length*/) const {}
    void drained(unsigned /*port*/, class_mask /*classes*/) const {}
};

/// Strict classes (weight 0) first, highest first; the rest in turns, ascending from class 0 and wrapping. A
/// class whose turn comes earns its quantum, and sends while its deficit covers its first frame.
///
/// Guarantee (the paper's): a class that stays backlogged and unpaused has, after m turns, sent between
/// m * quantum - one largest frame and m * quantum.
class deficit_round_robin {
 public:
    deficit_round_robin(unsigned ports, const scheduler_config& config);

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

/// The default block: one of the above, by configuration.
class scheduler {
 public:
    scheduler(unsigned ports, const scheduler_config& config)
        : m_algorithm(config.algorithm),
          m_round_robin(config.algorithm == scheduler_kind::deficit_round_robin ? ports : 0, config) {}

    int select(unsigned port, class_mask eligible, const std::uint32_t* head_bytes) {
        return m_algorithm == scheduler_kind::strict ? m_strict.select(port, eligible, head_bytes)
                                                     : m_round_robin.select(port, eligible, head_bytes);
    }
    void sent(unsigned port, int c, std::uint32_t length) {
        if (m_algorithm == scheduler_kind::deficit_round_robin) {
            m_round_robin.sent(port, c, length);
        }
    }
    void drained(unsigned port, class_mask classes) {
        if (m_algorithm == scheduler_kind::deficit_round_robin) {
            m_round_robin.drained(port, classes);
        }
    }

 private:
    scheduler_kind m_algorithm;
    strict_priority m_strict;
    deficit_round_robin m_round_robin;
};

}  // namespace weir::model
