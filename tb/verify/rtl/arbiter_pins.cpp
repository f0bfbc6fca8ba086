#include "tb/verify/rtl/arbiter_pins.h"

#include <Vislip_arbiter_16.h>
#include <Vislip_arbiter_64.h>
#include <Vislip_arbiter_8.h>

#include "tb/verify/rtl/clocked.h"

namespace weir::tb {

namespace {

template <class Rtl, unsigned Ports>
class pins_of final : public arbiter_pins {
 public:
    pins_of() { pins_of::reset(); }

    unsigned ports() const override { return Ports; }
    void reset() override { m_rtl.reset(); }
    void ask(unsigned egress_port, pfc_class c, std::uint64_t ingress_ports) override {
        set_pin(m_rtl->eligible[c][egress_port], ingress_ports);
    }
    void clock(const arbiter_edge& edge) override {
        set_pin(m_rtl->start, edge.start);
        set_pin(m_rtl->iterations, edge.iterations);
        set_pin(m_rtl->free_ingress, edge.free_ingress & all_ports);
        set_pin(m_rtl->free_egress, edge.free_egress & all_ports);
        m_rtl.clock();
    }
    bool done() const override { return m_rtl->done != 0; }
    std::uint64_t granted() const override { return m_rtl->granted; }
    std::uint64_t accepted() const override { return m_rtl->accepted; }
    unsigned grant_ingress(unsigned egress_port) const override { return m_rtl->grant_ingress[egress_port]; }
    pfc_class grant_class(unsigned egress_port) const override { return m_rtl->grant_class[egress_port]; }
    unsigned grant_pointer(unsigned egress_port, pfc_class c) const override {
        return m_rtl->grant_pointer[c][egress_port];
    }
    unsigned accept_pointer(unsigned ingress_port, pfc_class c) const override {
        return m_rtl->accept_pointer[c][ingress_port];
    }

 private:
    static constexpr std::uint64_t all_ports = ~std::uint64_t{0} >> (64 - Ports);
    clocked<Rtl> m_rtl;
};

}  // namespace

const std::vector<unsigned>& arbiter_rtl_sizes() {
    static const std::vector<unsigned> sizes{8, 16, 64};
    return sizes;
}

std::unique_ptr<arbiter_pins> make_arbiter_pins(unsigned ports) {
    if (ports <= 8) {
        return std::make_unique<pins_of<Vislip_arbiter_8, 8>>();
    }
    if (ports <= 16) {
        return std::make_unique<pins_of<Vislip_arbiter_16, 16>>();
    }
    if (ports <= 64) {
        return std::make_unique<pins_of<Vislip_arbiter_64, 64>>();
    }
    return nullptr;
}

}  // namespace weir::tb
