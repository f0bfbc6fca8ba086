// Cycles of PFC's two sides as text, for the goldens that pfc_receive.sv and pfc_transmit.sv write and their
// models have to repeat (PROVENANCE.md has the columns); and the random stimulus.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "weir/base/rng.h"
#include "weir/model/clocked/pfc_receive_control.h"
#include "weir/model/clocked/pfc_transmit_control.h"

namespace weir::golden {

using namespace model;

inline std::string hex2(unsigned value) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", value & 0xFF);
    return text;
}

inline std::string text_of(const std::array<std::uint16_t, pfc_classes>& quanta) {
    std::string text;
    for (const std::uint16_t q : quanta) {
        text += (text.empty() ? "" : " ") + std::to_string(q);
    }
    return text;
}

// --- receive ----------------------------------------------------------------------------------------------

/// What an edge samples, with the frame itself.
struct receive_edge {
    pfc_receive_inputs in;
    std::optional<pause_frame> frame;

    /// Points to the frame: valid as long as this is.
    const pfc_receive_inputs& inputs() {
        in.frame = frame ? &*frame : nullptr;
        return in;
    }
};

/// Short pauses mostly, so that timers run out, are replaced and released; a transmitter that acknowledges
/// late.
class random_receive_edges {
 public:
    explicit random_receive_edges(std::uint64_t seed) : m_random(seed, 0, random_purpose::arrivals) {}

    /// `request`: what the RTL or the model asks for now.
    receive_edge next(class_mask request) {
        receive_edge edge;
        if (m_random.below(24) == 0) {
            edge.frame.emplace();
            edge.frame->kind = m_random.below(8) == 0 ? frame_kind::pause : frame_kind::pfc;
            edge.frame->fields.class_enable = static_cast<class_mask>(m_random.below(256));
            for (std::uint16_t& quanta : edge.frame->fields.quanta) {
                const std::uint32_t kind = m_random.below(8);
                quanta = static_cast<std::uint16_t>(kind < 2    ? 0
                                                    : kind == 7 ? m_random.below(65'536)
                                                                : m_random.below(12));
            }
        }
        // The transmitter stops a class some cycles after it was asked to, and starts it likewise.
        for (unsigned c = 0; c < pfc_classes; ++c) {
            const unsigned bit = 1U << c;
            if ((m_acknowledged & bit) != (request & bit) && m_random.below(4) == 0) {
                m_acknowledged ^= bit;
            }
        }
        edge.in.acknowledge =
            static_cast<class_mask>(m_random.below(16) == 0 ? m_random.below(256) : m_acknowledged);
        if (m_random.below(200) == 0) {
            m_class_enable = static_cast<class_mask>(m_random.below(4) == 0 ? m_random.below(256) : 0xFF);
        }
        if (m_random.below(300) == 0) {
            m_enable = m_random.below(4) != 0;
        }
        edge.in.class_enable = m_class_enable;
        edge.in.pfc_enable = m_enable;
        return edge;
    }

 private:
    random_stream m_random;
    unsigned m_acknowledged = 0;
    class_mask m_class_enable = 0xFF;
    bool m_enable = true;
};

inline std::string text_of(const pfc_receive_outputs& out) {
    return std::to_string(out.control_frame) + "," + std::to_string(out.pfc_frame) + "," + hex2(out.xoff) +
           "," + hex2(out.xon) + "," + hex2(out.request);
}

// --- transmit ---------------------------------------------------------------------------------------------

/// Quanta and refresh times of the comparison: some so short that they run out while a frame waits.
inline pfc_transmit_config transmit_config(unsigned data_width) {
    pfc_transmit_config config;
    config.data_width = data_width;
    config.quanta = {65'535, 1000, 200, 65'535, 40, 0, 7, 300};
    config.refresh = {300, 20, 10, 32'767, 5, 2, 1, 40};
    config.edge = launch_edge::kept;
    return config;
}

/// Requests that come and go, a link that is busy for some cycles, announcements that are asked for again.
class random_transmit_edges {
 public:
    explicit random_transmit_edges(std::uint64_t seed) : m_random(seed, 0, random_purpose::arrivals) {}

    pfc_transmit_inputs next(bool waiting) {
        if (m_random.below(40) == 0) {
            m_busy = m_random.below(20) == 0 ? 2 : 0;
            m_request = static_cast<class_mask>(m_random.below(3) == 0 ? m_random.below(256) : 0);
        } else if (m_random.below(30) == 0) {
            m_request = static_cast<class_mask>(m_request ^ 1U << m_random.below(pfc_classes));
        }
        if (m_random.below(400) == 0) {
            m_enable = m_random.below(4) != 0;
        }
        pfc_transmit_inputs in;
        in.request = m_request;
        in.resend = m_random.below(200) == 0;
        in.pfc_enable = m_enable;
        in.taken = waiting && m_random.below(m_busy != 0 ? 64 : 6) == 0;
        return in;
    }

 private:
    random_stream m_random;
    class_mask m_request = 0;
    unsigned m_busy = 0;
    bool m_enable = true;
};

/// The frame too, while it waits.
inline std::string text_of(const pfc_transmit_outputs& out, const pause_fields& frame) {
    return std::to_string(out.pfc_frame) + "," + hex2(out.xoff) + "," + hex2(out.xon) + "," + hex2(out.paused) +
           "," + (out.waiting ? hex2(frame.class_enable) + "," + text_of(frame.quanta) : "-,-");
}

}  // namespace weir::golden
