// A module at a switch's socket in place of a host: it sends every frame back to where it came from.
#pragma once

#include <utility>
#include <vector>

#include "weir/base/units.h"
#include "weir/protocol/ethernet_sockets.h"

namespace outside {

struct reflector : sc_core::sc_module {
    weir::ethernet_sink from_switch{"from_switch"};
    weir::ethernet_source to_switch{"to_switch"};
    /// Kernel times at which a frame's first bit came.
    std::vector<sc_core::sc_time> first_bits;

    reflector(sc_core::sc_module_name name, weir::bit_rate rate, weir::picoseconds latency,
              weir::bytes overhead)
        : sc_module(name), m_rate(rate), m_latency(latency), m_overhead(overhead) {
        SC_HAS_PROCESS(reflector);
        SC_THREAD(reflect);
    }

 private:
    void reflect() {
        for (;;) {
            auto frame = from_switch.next();
            if (!frame) {
                wait(from_switch.arrived());
                continue;
            }
            first_bits.push_back(sc_core::sc_time_stamp());
            // The last bit comes this much later; after it the frame goes back.
            wait(weir::to_sc_time(weir::transmission_time(frame->length() + m_overhead, m_rate)));
            std::swap(frame->src, frame->dst);
            to_switch.send(*frame, weir::to_sc_time(m_latency));
        }
    }

    weir::bit_rate m_rate;
    weir::picoseconds m_latency;
    weir::bytes m_overhead;
};

}  // namespace outside
