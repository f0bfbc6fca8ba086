#include "weir/model/clocked/pfc_transmit_control.h"

#include "weir/model/clocked/pfc_receive_control.h"

namespace weir::model {

config_errors pfc_transmit_config::validate(const std::string& section) const {
    config_errors errors;
    const auto refuse = [&](const char* name, std::int64_t value, const char* allowed) {
        errors.push_back({{}, 0, section + "." + name, std::to_string(value) + "; expected " + allowed});
    };
    if (data_width < 2 || data_width > most_data_width || data_width % 2 != 0) {
        refuse("data_width", data_width, "2 to 1024, even");
    }
    if (quanta_step >= 1U << 24) {
        refuse("quanta_step", quanta_step, "0 to 16777215");
    }
    if (launch < pause_launch_latency) {
        refuse("launch", launch.count(), "at least 2");
    }
    if (first_beat < launch + cycles{2}) {
        refuse("first_beat", first_beat.count(), "2 or more after launch");
    }
    if (refresh_extra.count() < 1) {
        refuse("refresh_extra", refresh_extra.count(), "at least 1");
    }
    return errors;
}

pfc_transmit_control::pfc_transmit_control(const pfc_transmit_config& config)
    : m_config(config),
      m_step(config.quanta_step != 0 ? config.quanta_step : config.data_width * (1U << fraction_bits) / 512),
      m_before_request(config.launch - pause_launch_latency) {}

/// Returns whether a paused class has to be announced again.
bool pfc_transmit_control::count_refresh() {
    bool due = false;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        std::uint32_t& left = m_refresh[c];
        if (left > m_step) {
            left -= m_step;
        } else {
            left = 0;
            due |= (m_paused >> c & 1) != 0;
        }
    }
    return due;
}

/// `known`: paused as of the edge before, which is what refresh goes by; `now`: paused from this edge on.
void pfc_transmit_control::launch(class_mask known, class_mask now) {
    const bool kept = m_config.edge == launch_edge::kept;
    const class_mask counted = kept ? now : known;
    const class_mask timed = kept ? static_cast<class_mask>(now & m_named) : now;
    m_launched = m_named != 0;
    m_hold = (m_config.first_beat - m_config.launch).count() - 2;
    m_out.pfc_frame = m_launched;
    m_out.xoff = static_cast<class_mask>(m_named & counted);
    m_out.xon = static_cast<class_mask>(m_named & ~counted);
    m_frame.class_enable = m_named;
    const auto extra = static_cast<std::uint32_t>(m_config.refresh_extra.count() - 1) * m_step;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        m_frame.quanta[c] = (timed >> c & 1) != 0 ? m_config.quanta[c] : std::uint16_t{0};
        const std::uint32_t refresh = m_config.refresh[c];
        m_refresh[c] = (known >> c & 1) != 0 ? (refresh << fraction_bits) + extra : 0;
    }
    m_named = kept ? static_cast<class_mask>(known | now) : known;
}

void pfc_transmit_control::clock(const pfc_transmit_inputs& in) {
    const request_line line = m_before_request.shift({in.request, in.resend});
    const bool launch_now = m_due && in.pfc_enable && !m_launched;
    const bool follow_request = in.pfc_enable && !m_launched;
    const bool refresh_due = count_refresh();
    m_due = m_due || line.resend || refresh_due;
    m_hold -= m_hold > 0 ? 1 : 0;
    m_out = {};
    if (m_launched && in.taken) {
        m_launched = false;
    }
    const class_mask known = m_paused;
    const bool changed = follow_request && line.request != known;
    if (changed) {
        m_paused = line.request;
        m_due = true;
    }
    if (launch_now) {
        launch(known, m_paused);
        m_due = false;
    } else if (changed) {
        m_named = static_cast<class_mask>(m_named | m_paused);
    }
    m_out.paused = m_paused;
    m_out.waiting = m_launched && m_hold == 0;
}

}  // namespace weir::model
