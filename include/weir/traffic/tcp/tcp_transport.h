// TCP of one host.
#pragma once

#include <cstdint>

#include "weir/traffic/tcp/tcp_context.h"
#include "weir/traffic/tcp/tcp_receiver.h"
#include "weir/traffic/tcp/tcp_sender.h"
#include "weir/traffic/transport/reliable_transport.h"
#include "weir/traffic/transport/transport_kinds.h"

namespace weir::traffic {

class tcp_transport final : public reliable_transport<tcp_transport, tcp_sender, tcp_receiver, tcp_context> {
 public:
    /// Retransmission, delayed ACK, what applications write over time.
    static constexpr unsigned timer_kinds = 3;

    static transport_registry::entry kind();
    static transfer_framing framing(const tcp_config& config);

    tcp_transport(const transport_setup& setup, const transport_options& options, const tcp_config& config);

    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override {
        begin_sending(header, owner, request.written);
    }
    void receive(const ethernet_frame& frame) override;
    void expire(const timer_entry& entry) override;

 private:
    friend reliable_transport;

    std::uint64_t received(const tcp_receiver& receiver) const {
        return receiver.received_bytes(m_bitmaps, m_shared->mss);
    }
    void settle(std::uint32_t /*slot*/) {}
    void close(std::uint32_t slot);
    void describe(std::uint32_t slot, open_transfer& transfer) const {
        transfer.window = {m_shared->window_of(slot).cwnd, m_shared->limit_of(slot),
                           m_senders[slot].una() + m_senders[slot].flight()};
    }
    void open_receiver(std::uint32_t slot, const ethernet_frame& frame) {
        m_receivers[slot].open(*m_shared, frame, slot);
    }
    [[gnu::noinline]] void receive_other(const ethernet_frame& frame);
    void answer_syn(const ethernet_frame& frame);

    segment_bitmaps m_bitmaps;
};

}  // namespace weir::traffic
