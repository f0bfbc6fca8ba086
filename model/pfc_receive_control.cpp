#include "weir/model/pfc_receive_control.h"

namespace weir {

void pfc_receive_control::clock(const pfc_receive_inputs& in) {
    const bool take = m_out.control_frame && in.pfc_enable && m_parsed.kind == frame_kind::pfc;

    // Third stage: requests from the timers as they stood before this edge; then the timers count.
    unsigned request = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        std::uint32_t& timer = m_timer[c];
        request |= static_cast<unsigned>(timer != 0) << c;
        if ((in.acknowledge >> c & 1) != 0) {
            timer = timer > m_step ? timer - m_step : 0;
        }
    }
    m_out.request = static_cast<class_mask>(in.pfc_enable ? request & in.class_enable : 0);

    // Second stage: the parsed frame loads the timers, over what they have counted.
    m_out.pfc_frame = take;
    unsigned xoff = 0;
    unsigned xon = 0;
    if (take) {
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((m_parsed.fields.class_enable >> c & 1) != 0) {
                const std::uint32_t quanta = m_parsed.fields.quanta[c];
                m_timer[c] = quanta << fraction_bits;
                (quanta != 0 ? xoff : xon) |= 1U << c;
            }
        }
    }
    m_out.xoff = static_cast<class_mask>(xoff);
    m_out.xon = static_cast<class_mask>(xon);

    // First stage: the frame whose last beat this edge samples.
    m_out.control_frame = in.frame != nullptr;
    if (in.frame != nullptr) {
        m_parsed = *in.frame;
    }
}

}  // namespace weir
