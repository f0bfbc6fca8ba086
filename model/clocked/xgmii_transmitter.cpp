#include "weir/model/clocked/xgmii_transmitter.h"

#include <algorithm>

namespace weir::model {

config_errors xgmii_config::validate(const std::string& section) const {
    config_errors errors;
    const auto refuse = [&](const char* name, unsigned value, const char* allowed) {
        errors.push_back({{}, 0, section + "." + name, std::to_string(value) + "; expected " + allowed});
    };
    if (data_width != 32 && data_width != 64) {
        refuse("data_width", data_width, "32, 64");
    }
    if (idle_octets < 12 || idle_octets > 255) {
        refuse("idle_octets", idle_octets, "12 to 255");
    }
    if (minimum_frame < 64 || minimum_frame > 255) {
        refuse("minimum_frame", minimum_frame, "64 to 255");
    }
    return errors;
}

bool xgmii_transmitter::clock(std::int64_t cycle, const xgmii_beat& beat) {
    const bool taken = beat.valid && m_ready;
    if (m_state == state::idle && beat.valid) {
        begin(cycle);
    } else if (m_state == state::idle) {
        // The gap has become longer than it has to be: nothing is owed any more.
        m_start_lane = 0;
        m_deficit = 0;
    }
    m_octets += taken ? beat.octets : 0;
    const bool ends = taken && beat.last;
    if (ends) {
        end();
    } else if (m_state == state::gap && cycle + 1 >= m_idle_from) {
        m_state = state::idle;
        m_ready = takes_when_idle();
    }
    return ends;
}

void xgmii_transmitter::begin(std::int64_t cycle) {
    m_state = state::frame;
    m_ready = true;
    m_octets = 0;
    m_frame = {};
    m_frame.start_cycle = cycle + 1;
    m_frame.start_lane = m_start_lane;
}

void xgmii_transmitter::end() {
    m_frame.octets = preamble_octets + std::max(m_octets + fcs_octets, m_config.minimum_frame);
    const unsigned term = m_frame.start_lane + m_frame.octets;
    m_frame.term_cycle = m_frame.start_cycle + term / m_lanes;
    m_frame.term_lane = term % m_lanes;

    // From the word after /T/'s on, in octets.
    const unsigned owed = m_config.idle_octets - (m_lanes - m_frame.term_lane) + m_deficit;
    const unsigned up = m_config.deficit_idle_count ? 0 : start_alignment - 1;
    const unsigned gap = (owed + up) / start_alignment * start_alignment;
    m_deficit = m_config.deficit_idle_count ? owed - gap : 0;
    m_start_lane = gap % m_lanes;
    m_idle_from = m_frame.term_cycle + gap / m_lanes;
    m_state = state::gap;
    m_ready = false;
}

}  // namespace weir::model
