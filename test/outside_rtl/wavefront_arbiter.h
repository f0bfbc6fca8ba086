// wavefront.sv as a switch's arbiter. It knows one class: it is asked for each, from the highest, with the
// ports that are left.
#pragma once

#include <Vwavefront.h>
#include <verilated.h>

#include <cstdint>
#include <vector>

#include "weir/model/switch/switch_blocks.h"

namespace outside {

class wavefront_arbiter : public weir::model::block_module<weir::model::arbiter_if> {
 public:
    static constexpr unsigned ports = 4;

    explicit wavefront_arbiter(sc_core::sc_module_name name) : block_module(name) {
        m_rtl.rst = 1;
        clock();
        m_rtl.rst = 0;
    }

    void arbitrate(const weir::model::crossbar_requests& requests, const weir::port_bitmap& free_ingress,
                   const weir::port_bitmap& free_egress, unsigned /*iterations*/,
                   std::vector<weir::model::crossbar_match>& matches) override {
        weir::port_bitmap ingress = free_ingress;
        weir::port_bitmap egress = free_egress;
        for (unsigned level = weir::pfc_classes; level-- > 0;) {
            const auto c = static_cast<weir::pfc_class>(level);
            if ((requests.eligible_egress(c) & egress).none()) {
                continue;
            }
            for (unsigned out = 0; out < ports; ++out) {
                const bool asks = egress.test(out);
                const weir::port_bitmap asking = requests.eligible_ingress(out, c) & ingress;
                m_rtl.request[out] = static_cast<std::uint8_t>(asks ? asking.word(0) : 0);
            }
            m_rtl.run = 1;
            clock();
            for (unsigned out = 0; out < ports; ++out) {
                if (m_rtl.match[out] != 0) {
                    const auto in = static_cast<unsigned>(__builtin_ctz(m_rtl.match[out]));
                    matches.push_back({static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out), c});
                    ingress.reset(in);
                    egress.reset(out);
                }
            }
        }
    }

    std::uint64_t cycles() const { return m_cycles; }

 private:
    void clock() {
        m_rtl.clk = 1;
        m_rtl.eval();
        m_rtl.clk = 0;
        m_rtl.eval();
        ++m_cycles;
    }

    VerilatedContext m_context;
    Vwavefront m_rtl{&m_context};
    std::uint64_t m_cycles = 0;
};

}  // namespace outside
