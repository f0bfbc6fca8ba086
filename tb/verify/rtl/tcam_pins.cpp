#include "tb/verify/rtl/tcam_pins.h"

#include <Vtcam_1024.h>
#include <Vtcam_64.h>

#include "tb/verify/rtl/clocked.h"

namespace weir::tb {

namespace {

template <class Rtl, std::uint32_t Entries>
class pins_of final : public tcam_pins {
 public:
    pins_of() { pins_of::reset(); }

    std::uint32_t entries() const override { return Entries; }
    void reset() override {
        m_rtl.reset();
        m_rtl->write = 0;
        m_rtl->lookup = 0;
    }
    void write(std::uint32_t index, const tcam_entry& entry, const port_bitmap& ports) override {
        m_rtl->write = 1;
        set_pin(m_rtl->write_index, index);
        set_pin(m_rtl->write_valid, entry.valid);
        set_pin(m_rtl->write_value, entry.value);
        set_pin(m_rtl->write_mask, entry.mask);
        for (unsigned w = 0; w < port_bitmap::words; ++w) {
            m_rtl->write_ports[w] = ports.word(w);
        }
    }
    void look_up(std::uint32_t key) override {
        m_rtl->lookup = 1;
        m_rtl->key = key;
    }
    void clock() override {
        m_rtl.clock();
        m_rtl->write = 0;
        m_rtl->lookup = 0;
    }
    bool result() const override { return m_rtl->result != 0; }
    int winner() const override { return m_rtl->hit != 0 ? static_cast<int>(m_rtl->index) : tcam::no_match; }
    port_bitmap ports() const override {
        port_bitmap ports;
        for (unsigned w = 0; w < port_bitmap::words; ++w) {
            ports.set_word(w, m_rtl->ports[w]);
        }
        return ports;
    }

 private:
    clocked<Rtl> m_rtl;
};

}  // namespace

const std::vector<std::uint32_t>& tcam_rtl_sizes() {
    static const std::vector<std::uint32_t> sizes{64, 1024};
    return sizes;
}

std::unique_ptr<tcam_pins> make_tcam_pins(std::uint32_t entries) {
    if (entries <= 64) {
        return std::make_unique<pins_of<Vtcam_64, 64>>();
    }
    if (entries <= 1024) {
        return std::make_unique<pins_of<Vtcam_1024, 1024>>();
    }
    return nullptr;
}

}  // namespace weir::tb
