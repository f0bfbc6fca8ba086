// Several taps at one wire, such as a packet capture's and another trace's, and several watches of one node.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "weir/model/engine/node.h"
#include "weir/model/link/wire.h"

namespace weir::tb {

/// Outlives the run.
class wire_taps {
 public:
    /// Before the run: shows what leaves at `wire` to `tap` too.
    void add(wire_output& wire, wire_tap& tap) {
        std::unique_ptr<fork>& at = m_forks[&wire];
        if (at == nullptr) {
            at = std::make_unique<fork>();
            wire.set_tap(*at);
        }
        at->taps.push_back(&tap);
    }
    /// The same of what `at` tells.
    void add(node& at, node_watch& watch) {
        std::unique_ptr<watches>& all = m_watches[&at];
        if (all == nullptr) {
            all = std::make_unique<watches>();
            at.set_watch(*all);
        }
        all->list.push_back(&watch);
    }

 private:
    struct fork final : wire_tap {
        void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
            for (wire_tap* const tap : taps) {
                tap->on_sent(frame, first_bit);
            }
        }
        std::vector<wire_tap*> taps;
    };
    struct watches final : node_watch {
        void on_pauses(unsigned port, class_mask paused, picoseconds now) override {
            for (node_watch* const each : list) {
                each->on_pauses(port, paused, now);
            }
        }
        void on_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) override {
            for (node_watch* const each : list) {
                each->on_drop(port, reason, frame, now);
            }
        }
        void on_placed(unsigned wanted, unsigned placed, std::uint64_t held_bytes, const ethernet_frame& frame,
                       picoseconds now) override {
            for (node_watch* const each : list) {
                each->on_placed(wanted, placed, held_bytes, frame, now);
            }
        }
        std::vector<node_watch*> list;
    };
    std::unordered_map<wire_output*, std::unique_ptr<fork>> m_forks;
    std::unordered_map<node*, std::unique_ptr<watches>> m_watches;
};

}  // namespace weir::tb
