#include "weir/model/clocked/mac_10g.h"

#include <algorithm>

namespace weir::model {

namespace {

/// The parts of a MAC have one data width.
mac_10g_config with_one_width(mac_10g_config config) {
    config.transmit.data_width = config.wire.data_width;
    config.receive.data_width = config.wire.data_width;
    return config;
}

}  // namespace

config_errors mac_10g_config::validate(const std::string& section) const {
    const mac_10g_config whole = with_one_width(*this);
    config_errors errors = whole.wire.validate(section + ".wire");
    for (const config_errors& more :
         {whole.transmit.validate(section + ".transmit"), whole.receive.validate(section + ".receive")}) {
        errors.insert(errors.end(), more.begin(), more.end());
    }
    if (receive_latency.count() < 0 || receive_latency.count() > 1'000'000) {
        errors.push_back({{},
                          0,
                          section + ".receive_latency",
                          std::to_string(receive_latency.count()) + "; expected 0 to 1000000"});
    }
    return errors;
}

mac_10g::mac_10g(const mac_10g_config& config, std::int64_t first_cycle)
    : m_lanes(config.wire.data_width / 8),
      m_receive_latency(config.receive_latency > cycles{0}
                            ? config.receive_latency.count()
                            : xgmii_receive_latency(config.wire.data_width).count()),
      m_cycle(first_cycle),
      m_transmit(with_one_width(config).transmit),
      m_mux(config.wire.data_width),
      m_wire(config.wire),
      m_receive(with_one_width(config).receive) {}

void mac_10g::clock(const mac_10g_inputs& in) {
    transmit(in);
    take_arrival(in);
    ++m_cycle;
}

void mac_10g::transmit(const mac_10g_inputs& in) {
    const control_frame_mux_beat beat = m_mux.output();
    control_frame_mux_inputs to_mux;
    to_mux.control = m_transmit.outputs().waiting ? &m_transmit.frame() : nullptr;
    to_mux.data_valid = in.data_valid;
    to_mux.data_last = in.data_last;
    to_mux.data_octets = in.data_octets;
    to_mux.data_tag = in.data_tag;
    to_mux.ready = m_wire.ready();

    pfc_transmit_inputs to_transmit;
    to_transmit.request = in.request;
    to_transmit.resend = in.resend;
    to_transmit.pfc_enable = in.pfc_enable;
    to_transmit.taken = m_mux.takes_last_control_beat();

    m_mux.clock(to_mux);  // reads the frame that waits, which the next line may replace
    m_transmit.clock(to_transmit);
    m_has_sent = m_wire.clock(m_cycle, {beat.valid, beat.last, beat.octets});
    if (m_has_sent) {
        m_sent = {m_wire.frame(), beat.control, beat.tag, beat.fields};
    }
}

void mac_10g::receive(const mac_10g_frame& frame) {
    m_arrivals.push_back({last_beat_cycle(frame.place), frame});
}

/// Of the frame without its FCS.
std::int64_t mac_10g::last_beat_cycle(const xgmii_frame& place) const {
    const unsigned last_octet = place.octets - xgmii_transmitter::fcs_octets - 1;
    const std::int64_t word = place.start_cycle + last_octet / m_lanes;
    return word + (place.start_lane != 0 ? 1 : 0) + m_receive_latency;
}

void mac_10g::take_arrival(const mac_10g_inputs& in) {
    pfc_receive_inputs to_receive;
    to_receive.acknowledge = in.acknowledge;
    pause_frame parsed;
    m_received = !m_arrivals.empty() && m_arrivals.front().last_beat <= m_cycle;
    m_received_control = m_received && m_arrivals.front().frame.control;
    if (m_received_control) {
        parsed.fields = m_arrivals.front().frame.fields;
        to_receive.frame = &parsed;
    }
    m_receive.clock(to_receive);
    if (m_received) {
        m_arrivals.erase(m_arrivals.begin());
    }
}

}  // namespace weir::model
