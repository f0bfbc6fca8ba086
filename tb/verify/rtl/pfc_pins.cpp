#include "tb/verify/rtl/pfc_pins.h"

#include <Vpfc_receive.h>
#include <Vpfc_transmit.h>

#include "tb/verify/rtl/clocked.h"

namespace weir::tb {

namespace {

/// 1/256 quantum of 512 bit times per cycle.
constexpr std::uint32_t step_of(unsigned data_width) {
    return data_width * 256 / 512;
}

}  // namespace

struct pfc_receive_rtl::verilated : clocked<Vpfc_receive> {};

pfc_receive_rtl::pfc_receive_rtl(unsigned data_width) : m_rtl(std::make_unique<verilated>()) {
    verilated& rtl = *m_rtl;
    rtl->step = step_of(data_width);
    rtl.reset();
}

pfc_receive_rtl::~pfc_receive_rtl() = default;

void pfc_receive_rtl::set_step(std::uint32_t step) {
    (*m_rtl)->step = step;
}

void pfc_receive_rtl::clock(const pfc_receive_inputs& in) {
    verilated& rtl = *m_rtl;
    ++m_cycles;
    rtl->enable = in.pfc_enable;
    rtl->enable_class = in.class_enable;
    rtl->acknowledge = in.acknowledge;
    rtl->frame = in.frame != nullptr;
    if (in.frame != nullptr) {
        rtl->frame_is_pfc = in.frame->kind == frame_kind::pfc;
        rtl->frame_enable = in.frame->fields.class_enable;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            rtl->frame_quanta[c] = in.frame->fields.quanta[c];
        }
    }
    rtl.clock();
    read_outputs();
}

void pfc_receive_rtl::reset() {
    m_rtl->reset();
    read_outputs();
}

void pfc_receive_rtl::read_outputs() {
    const verilated& rtl = *m_rtl;
    m_out.control_frame = rtl->control_frame != 0;
    m_out.pfc_frame = rtl->pfc_frame != 0;
    m_out.xoff = rtl->xoff;
    m_out.xon = rtl->xon;
    m_out.request = rtl->request;
}

struct pfc_transmit_rtl::verilated : clocked<Vpfc_transmit> {};

pfc_transmit_rtl::pfc_transmit_rtl(const pfc_transmit_config& config) : m_rtl(std::make_unique<verilated>()) {
    verilated& rtl = *m_rtl;
    rtl->step = step_of(config.data_width);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        rtl->quanta[c] = config.quanta[c];
        rtl->refresh[c] = config.refresh[c];
    }
    rtl.reset();
}

pfc_transmit_rtl::~pfc_transmit_rtl() = default;

void pfc_transmit_rtl::set_step(std::uint32_t step) {
    (*m_rtl)->step = step;
}

void pfc_transmit_rtl::clock(const pfc_transmit_inputs& in) {
    verilated& rtl = *m_rtl;
    ++m_cycles;
    rtl->request = in.request;
    rtl->resend = in.resend;
    rtl->enable = in.pfc_enable;
    rtl->taken = in.taken;
    rtl.clock();
    read_outputs();
}

void pfc_transmit_rtl::reset() {
    m_rtl->reset();
    read_outputs();
}

void pfc_transmit_rtl::read_outputs() {
    const verilated& rtl = *m_rtl;
    m_out.pfc_frame = rtl->pfc_frame != 0;
    m_out.xoff = rtl->xoff;
    m_out.xon = rtl->xon;
    m_out.paused = rtl->paused;
    m_out.waiting = rtl->waiting != 0;
    m_frame.class_enable = rtl->frame_enable;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        m_frame.quanta[c] = rtl->frame_quanta[c];
    }
}

}  // namespace weir::tb
