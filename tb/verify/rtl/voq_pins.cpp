#include "tb/verify/rtl/voq_pins.h"

#include <Vvoq_crossbar_4.h>

#include "tb/verify/rtl/clocked.h"

namespace weir::tb {

struct voq_crossbar_rtl::verilated : clocked<Vvoq_crossbar_4> {};

voq_crossbar_rtl::voq_crossbar_rtl() : m_rtl(std::make_unique<verilated>()) {
    reset();
}

void voq_crossbar_rtl::reset() {
    m_rtl->reset();
    m_slot_done = true;
}

voq_crossbar_rtl::~voq_crossbar_rtl() = default;

void voq_crossbar_rtl::arrive(unsigned ingress_port, unsigned egress_port, pfc_class c, unsigned cells) {
    verilated& rtl = *m_rtl;
    set_pin(rtl->arrive, 1U << ingress_port);
    set_pin(rtl->arrive_egress[ingress_port], egress_port);
    set_pin(rtl->arrive_class[ingress_port], c);
    set_pin(rtl->arrive_cells[ingress_port], cells);
    clock();
    rtl->arrive = 0;
}

void voq_crossbar_rtl::begin_slot(unsigned iterations, const std::array<std::uint64_t, pfc_classes>& room) {
    verilated& rtl = *m_rtl;
    set_pin(rtl->iterations, iterations);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        set_pin(rtl->room[c], room[c]);
    }
    rtl->slot = 1;
    m_slot_done = false;
    clock();
    rtl->slot = 0;
}

voq_slot voq_crossbar_rtl::finish_slot() {
    while (!m_slot_done) {
        clock();
    }
    const verilated& rtl = *m_rtl;
    voq_slot slot;
    slot.moved = rtl->moved;
    slot.last = rtl->moved & rtl->moved_last;
    for (unsigned e = 0; e < ports; ++e) {
        slot.ingress[e] = rtl->moved_ingress[e];
        slot.frame_class[e] = rtl->moved_class[e];
    }
    return slot;
}

void voq_crossbar_rtl::clock() {
    m_rtl->clock();
    ++m_cycles;
    m_slot_done = m_slot_done || (*m_rtl)->slot_done != 0;
}

bool voq_crossbar_rtl::overflow() const {
    return (*m_rtl)->overflow != 0;
}

}  // namespace weir::tb
