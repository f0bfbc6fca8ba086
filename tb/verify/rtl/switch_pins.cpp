#include "tb/verify/rtl/switch_pins.h"

#include <Vcell_switch_16.h>
#include <Vcell_switch_4.h>
#include <Vcell_switch_64.h>
#include <Vcell_switch_8.h>

#include "tb/verify/rtl/clocked.h"

namespace weir::tb {

namespace {

template <class Rtl, unsigned Ports>
class pins_of final : public switch_pins {
 public:
    pins_of() {
        pins_of::configure({});
        pins_of::reset();
    }

    unsigned ports() const override { return Ports; }
    void configure(const switch_rtl_setting& setting) override {
        set_pin(m_rtl->iterations, setting.iterations);
        set_pin(m_rtl->capacity, setting.egress_memory.count());
        set_pin(m_rtl->largest, setting.largest.count());
        set_pin(m_rtl->overhead, setting.overhead.count());
    }
    void reset() override {
        m_rtl->arrive = 0;
        m_rtl.reset();
    }
    void arrive(unsigned ingress_port, const switch_rtl_frame& frame) override {
        set_pin(m_rtl->arrive, m_rtl->arrive | std::uint64_t{1} << ingress_port);
        set_pin(m_rtl->arrive_egress[ingress_port], frame.egress_port);
        set_pin(m_rtl->arrive_class[ingress_port], frame.frame_class);
        set_pin(m_rtl->arrive_bytes[ingress_port], frame.frame_bytes);
        set_pin(m_rtl->arrive_id[ingress_port], frame.id);
    }
    void clock() override {
        m_rtl.clock();
        m_rtl->arrive = 0;
    }
    std::uint64_t departing() const override { return m_rtl->depart; }
    std::uint16_t departing_id(unsigned egress_port) const override { return m_rtl->depart_id[egress_port]; }
    bool overflow() const override { return m_rtl->overflow != 0; }

 private:
    clocked<Rtl> m_rtl;
};

}  // namespace

const std::vector<unsigned>& switch_rtl_sizes() {
    static const std::vector<unsigned> sizes{4, 8, 16, 64};
    return sizes;
}

std::unique_ptr<switch_pins> make_switch_pins(unsigned ports) {
    if (ports <= 4) {
        return std::make_unique<pins_of<Vcell_switch_4, 4>>();
    }
    if (ports <= 8) {
        return std::make_unique<pins_of<Vcell_switch_8, 8>>();
    }
    if (ports <= 16) {
        return std::make_unique<pins_of<Vcell_switch_16, 16>>();
    }
    if (ports <= 64) {
        return std::make_unique<pins_of<Vcell_switch_64, 64>>();
    }
    return nullptr;
}

}  // namespace weir::tb
