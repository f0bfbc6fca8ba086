// A transport: a transfer leaves as a burst of frames that nothing confirms. What is lost stays lost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/traffic/host/transports.h"
#include "weir/traffic/udp/incoming_datagrams.h"

namespace outside {

class burst_transport final : public weir::traffic::transport {
 public:
    /// Of a full frame, and what headers and the FCS add to it. Unit: B.
    static constexpr std::uint64_t payload = 1400;
    static constexpr std::uint64_t header = 46;

    explicit burst_transport(const weir::traffic::transport_setup& setup) : m_setup(setup) {}

    void open(weir::ethernet_frame frame, weir::traffic::transfer_owner owner,
              const weir::traffic::transfer_request&) override {
        frame.kind = weir::frame_kind::foreign;
        for (std::uint64_t sent = 0; sent < frame.transfer.flow_bytes; sent += payload) {
            frame.transfer.sequence = sent & weir::transfer_fields::length_mask;
            frame.frame_bytes = weir::traffic::frame_length(header, payload_of(frame));
            m_setup.context.send(frame);
        }
        m_setup.events.sent(frame, owner, m_setup.kind, weir::bit_rate{0}, 0, 0);
    }
    void receive(const weir::ethernet_frame& frame) override {
        m_setup.context.counters.delivered_bytes += payload_of(frame);
        if (m_incoming.add(frame.transfer, payload_of(frame), m_setup.context.now)) {
            m_setup.events.delivered(frame, m_setup.kind);
        }
    }
    void expire(const weir::traffic::timer_entry&) override {}
    void list_open(std::vector<weir::traffic::open_transfer>&, std::size_t) const override {}
    std::size_t sender_slots() const override { return 0; }
    std::size_t incoming() const override { return m_incoming.incomplete(); }

 private:
    static std::uint64_t payload_of(const weir::ethernet_frame& frame) {
        return std::min<std::uint64_t>(payload, frame.transfer.flow_bytes - frame.transfer.sequence);
    }

    weir::traffic::transport_setup m_setup;
    weir::traffic::incoming_datagrams m_incoming;
};

inline weir::traffic::transport_kind add_burst_transport() {
    weir::traffic::transport_traits traits;
    traits.make = [](const weir::traffic::transport_setup& setup, const weir::traffic::endpoint_options&) {
        return std::make_unique<burst_transport>(setup);
    };
    traits.frames = {weir::frame_kind::foreign};
    traits.confirms = false;
    traits.framing = [](const weir::traffic::endpoint_options&) {
        return weir::traffic::transfer_framing{weir::bytes{burst_transport::payload},
                                               weir::bytes{burst_transport::header}};
    };
    return weir::traffic::transports().add({"burst", "a burst of frames that nothing confirms", traits});
}

}  // namespace outside
