// PFC as RTL (pfc_receive.sv, pfc_transmit.sv) at all ports of a switch, in the place of the model's timers and
// requests. What time the RTL's cycles take is the ports' affair: none (pfc_port.h), or periods of a clock
// (pfc_clocked_port.h).
//
//   rtl_pfc<pfc_receive_port, pfc_transmit_port> block("pfc", config, rates);
//   device.pfc.bind(block.block);
#pragma once

#include <deque>
#include <vector>

#include "tb/verify/rtl/pfc_port.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::tb {

template <class Receive, class Transmit>
class rtl_pfc : public block_module<pfc_if> {
 public:
    /// `rates`: of the links, by port. `config`: quanta and refresh. `clock`: the period, for ports that have
    /// one.
    template <class... Clock>
    rtl_pfc(sc_core::sc_module_name name, const pfc_transmit_config& config, const std::vector<bit_rate>& rates,
            Clock... clock)
        : block_module(name) {
        for (const bit_rate rate : rates) {
            m_receive.emplace_back(rate, clock...);
            m_transmit.emplace_back(config, rate, clock...);
        }
    }

    picoseconds arrive(unsigned port, const ethernet_frame& frame, picoseconds now,
                       picoseconds response) override {
        pause_frame parsed;
        parsed.kind = frame.kind;
        parsed.fields = frame.pause;
        return m_receive[port].arrive(parsed, now, response);
    }
    class_mask paused(unsigned port, picoseconds now) override { return m_receive[port].paused(now); }
    picoseconds next_change(unsigned port) const override { return m_receive[port].next_change(); }

    void request(unsigned port, class_mask wanted, bool again, picoseconds now) override {
        m_transmit[port].request(wanted, again, now);
    }
    const pause_fields* offer(unsigned port, picoseconds now) override { return m_transmit[port].offer(now); }
    void sent(unsigned port, picoseconds last_bit) override { m_transmit[port].sent(last_bit); }
    picoseconds next_offer(unsigned port) const override { return m_transmit[port].next_offer(); }

    void set_rate(unsigned port, bit_rate rate) override {
        m_receive[port].set_rate(rate);
        m_transmit[port].set_rate(rate);
    }
    void clear(unsigned port, picoseconds now) override { m_receive[port].clear(now); }

    /// Of all ports, both sides.
    std::uint64_t cycles() const {
        std::uint64_t sum = 0;
        for (std::size_t port = 0; port < m_receive.size(); ++port) {
            sum += m_receive[port].cycles() + m_transmit[port].cycles();
        }
        return sum;
    }

 private:
    std::deque<Receive> m_receive;
    std::deque<Transmit> m_transmit;
};

}  // namespace weir::tb
