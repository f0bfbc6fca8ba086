// Several taps at one wire, such as a packet capture's and another trace's.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

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

 private:
    struct fork final : wire_tap {
        void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
            for (wire_tap* const tap : taps) {
                tap->on_sent(frame, first_bit);
            }
        }
        std::vector<wire_tap*> taps;
    };
    std::unordered_map<wire_output*, std::unique_ptr<fork>> m_forks;
};

}  // namespace weir::tb
