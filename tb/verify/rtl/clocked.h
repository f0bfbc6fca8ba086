// A verilated module with pins `clk` and `rst`, driven from C++ edge by edge. No SystemC, no kernel: it may be
// used wherever its owner is, one thread at a time.
//
//   clocked<Vislip_arbiter_8> rtl;
//   rtl.reset();
//   set_pin(rtl->start, 1);
//   rtl.clock();             // one rising edge; outputs are those after it
#pragma once

#include <verilated.h>

#include <type_traits>

namespace weir::tb {

/// Pins are as wide as Verilator makes them: 8, 16, 32 or 64 bits.
template <class Pin, class Value>
void set_pin(Pin& pin, Value value) {
    pin = static_cast<Pin>(value);
}

template <class Rtl>
class clocked {
 public:
    // A pin that an edge samples is set before it; logic between pins and registers settles first.
    void clock() {
        m_rtl.clk = 1;
        m_rtl.eval();
        m_rtl.clk = 0;
        m_rtl.eval();
    }
    void reset() {
        m_rtl.clk = 0;
        m_rtl.rst = 1;
        m_rtl.eval();
        clock();
        m_rtl.rst = 0;
    }
    Rtl* operator->() { return &m_rtl; }
    const Rtl* operator->() const { return &m_rtl; }

 private:
    // Of its own: modules share nothing, so each may be on another thread.
    VerilatedContext m_context;
    Rtl m_rtl{&m_context};
};

}  // namespace weir::tb
