// pfc_receive.sv and pfc_transmit.sv as C++ objects, with the calls of the models that they are compared with
// (pfc_receive_control.h, pfc_transmit_control.h).
//
//   pfc_receive_rtl rtl(64);
//   rtl.clock(inputs);               // one rising edge
//   rtl.outputs().request;           // what the next edge samples
#pragma once

#include <memory>

#include "weir/model/clocked/pfc_receive_control.h"
#include "weir/model/clocked/pfc_transmit_control.h"

namespace weir::tb {

class pfc_receive_rtl {
 public:
    /// Bits that the MAC takes per clock cycle; any where the step is set at each edge. Unit: bit. Range:
    /// 2-1,024, even.
    explicit pfc_receive_rtl(unsigned data_width = 64);
    ~pfc_receive_rtl();

    /// No class is paused, no frame on its way. Controls stay as they are, and are sampled.
    void reset();
    /// What timers lose at the edges from now on. Unit: 1/256 quantum. Range: below 2^24.
    void set_step(std::uint32_t step);
    void clock(const pfc_receive_inputs& in);
    const pfc_receive_outputs& outputs() const { return m_out; }
    /// Calls of `clock`.
    std::uint64_t cycles() const { return m_cycles; }

 private:
    void read_outputs();

    struct verilated;
    std::unique_ptr<verilated> m_rtl;
    pfc_receive_outputs m_out;
    std::uint64_t m_cycles = 0;
};

/// As the model with `launch_edge::kept` and the latencies that it has by default.
class pfc_transmit_rtl {
 public:
    /// Data width, quanta and refresh times are taken from there.
    explicit pfc_transmit_rtl(const pfc_transmit_config& config);
    ~pfc_transmit_rtl();

    /// No class is paused, no frame waits.
    void reset();
    /// What refresh counters lose, as above.
    void set_step(std::uint32_t step);
    void clock(const pfc_transmit_inputs& in);
    const pfc_transmit_outputs& outputs() const { return m_out; }
    /// Calls of `clock`.
    std::uint64_t cycles() const { return m_cycles; }
    /// Holds while it waits.
    const pause_fields& frame() const { return m_frame; }

 private:
    void read_outputs();

    struct verilated;
    std::unique_ptr<verilated> m_rtl;
    pfc_transmit_outputs m_out;
    std::uint64_t m_cycles = 0;
    pause_fields m_frame;
};

}  // namespace weir::tb
