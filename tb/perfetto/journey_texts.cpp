#include "tb/perfetto/journey_texts.h"

namespace weir::tb {

using json = nlohmann::ordered_json;

/// A frame may stop some classes and release others.
static const char* pfc_name(const pause_fields& pause) {
    bool stops = false;
    bool releases = false;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((pause.class_enable >> c & 1) != 0) {
            (pause.quanta[c] != 0 ? stops : releases) = true;
        }
    }
    return stops && releases ? "PFC XOFF/XON" : stops ? "PFC XOFF" : "PFC XON";
}

std::string title_of(const ethernet_frame& frame) {
    const std::string flow = std::to_string(frame.flow());
    switch (frame.kind) {
        case frame_kind::tcp_data:
        case frame_kind::udp:
        case frame_kind::roce_data:
        case frame_kind::pfabric_data:
            return "flow " + flow;
        case frame_kind::tcp_ack:
        case frame_kind::roce_ack:
        case frame_kind::pfabric_ack:
            return "ack " + flow;
        case frame_kind::pfabric_probe:
            return "probe " + flow;
        case frame_kind::roce_nak:
            return "nak " + flow;
        case frame_kind::tcp_syn:
            return "syn " + flow;
        case frame_kind::tcp_syn_ack:
            return "syn-ack " + flow;
        case frame_kind::pfc:
            return pfc_name(frame.pause);
        case frame_kind::pause:
            return frame.pause.quanta[0] == 0 ? "PAUSE XON" : "PAUSE XOFF";
        case frame_kind::cnp:
            return "CNP of flow " + flow;
        case frame_kind::qcn:
            return "QCN message of flow " + flow;
        case frame_kind::foreign:
        case frame_kind::count:
            break;
    }
    return "frame";
}

json classes_of(const pause_fields& pause, bool xoff) {
    json list = json::array();
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((pause.class_enable >> c & 1) != 0 && (pause.quanta[c] != 0) == xoff) {
            list.push_back(c);
        }
    }
    return list;
}

}  // namespace weir::tb
