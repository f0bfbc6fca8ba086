#include "weir/model/flow_control/pause_requests.h"

#include <algorithm>
#include <string>

namespace weir::model {

namespace {

constexpr std::int64_t max_quanta = 65'535;
constexpr std::int64_t bytes_per_quantum = 64;
constexpr class_mask all_classes = 0xFF;

}  // namespace

config_errors pause_config::validate(bytes max_frame_wire_bytes) const {
    config_errors errors;
    const auto fail = [&](const char* key, std::string message) {
        errors.push_back(config_error{{}, 0, key, std::move(message)});
    };
    if (kind != frame_kind::pfc && kind != frame_kind::pause) {
        fail("pause.kind", "is not a kind of flow control; expected pfc, pause");
    }
    if (quanta.count() < 1 || quanta.count() > max_quanta) {
        fail("pause.quanta", std::to_string(quanta.count()) + " quanta; expected 1 to 65535");
        return errors;
    }
    const std::int64_t wait = (max_frame_wire_bytes.count() + bytes_per_quantum - 1) / bytes_per_quantum;
    const std::int64_t latest = quanta.count() - wait;
    if (refresh.count() < 1 || refresh.count() > latest) {
        fail("pause.refresh", std::to_string(refresh.count()) + " quanta; expected 1 to " +
                                  std::to_string(latest) + " (pause.quanta less the " + std::to_string(wait) +
                                  " quanta that the longest frame can delay a refresh)");
    }
    return errors;
}

pause_requests::pause_requests(const pause_config& config, bit_rate link) : m_kind(config.kind), m_link(link) {
    m_quanta.fill(static_cast<std::uint16_t>(config.quanta.count()));
    m_refresh.fill(static_cast<std::uint16_t>(config.refresh.count()));
}

void pause_requests::configure_class(pfc_class c, pause_quanta quanta, pause_quanta refresh) {
    m_quanta[c] = static_cast<std::uint16_t>(quanta.count());
    m_refresh[c] = static_cast<std::uint16_t>(refresh.count());
}

// PFC announces each class that changes. 802.3x stops the whole link: a frame is due only when the first class
// asks, or the last one has let go.
void pause_requests::request_xoff(class_mask classes) {
    const bool was_any = m_wanted != 0;
    const unsigned fresh = classes & ~unsigned{m_wanted};
    m_wanted = static_cast<class_mask>(m_wanted | classes);
    if (m_kind == frame_kind::pfc) {
        m_changed = static_cast<class_mask>(m_changed | fresh);
    } else if (!was_any && m_wanted != 0) {
        m_changed = all_classes;
    }
}

void pause_requests::request_xon(class_mask classes) {
    const unsigned released = classes & m_wanted;
    m_wanted = static_cast<class_mask>(m_wanted & ~released);
    if (m_kind == frame_kind::pfc) {
        m_changed = static_cast<class_mask>(m_changed | released);
    } else if (released != 0 && m_wanted == 0) {
        m_changed = all_classes;
    }
}

// First bit of the frame. The content is fixed now: what is requested from here on needs another frame.
pause_fields pause_requests::launch(picoseconds now) {
    const class_mask paused = m_kind == frame_kind::pfc || m_wanted == 0 ? m_wanted : all_classes;
    const class_mask named = static_cast<class_mask>(paused | m_changed);

    ++m_stats.frames_sent;
    m_stats.refreshes_sent += m_changed == 0 ? 1 : 0;

    pause_fields fields;
    std::uint16_t soonest = max_quanta;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((paused >> c & 1) != 0) {
            fields.quanta[c] = m_quanta[c];
            soonest = std::min(soonest, m_refresh[c]);
            ++m_stats.xoff_sent[c];
        } else if ((named >> c & 1) != 0) {
            ++m_stats.xon_sent[c];
        }
    }
    if (m_kind == frame_kind::pfc) {
        fields.class_enable = named;
    } else {
        std::fill(fields.quanta.begin() + 1, fields.quanta.end(), std::uint16_t{0});
    }

    m_refresh_due =
        paused != 0 ? std::min(now + m_link(bytes{soonest * bytes_per_quantum}), latest_time) : never;
    m_changed = 0;
    return fields;
}

// The frame was made elsewhere (RTL, a user's block), which keeps the time of the refresh, too.
void pause_requests::launched(const pause_fields& fields) {
    ++m_stats.frames_sent;
    m_stats.refreshes_sent += m_changed == 0 ? 1 : 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((fields.class_enable >> c & 1) != 0) {
            ++(fields.quanta[c] != 0 ? m_stats.xoff_sent : m_stats.xon_sent)[c];
        }
    }
    m_changed = 0;
    m_refresh_due = never;
}

}  // namespace weir::model
