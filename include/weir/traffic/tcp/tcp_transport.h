// TCP of one host.
#pragma once

#include <cstdint>

#include "weir/traffic/tcp/tcp_context.h"
#include "weir/traffic/tcp/tcp_receiver.h"
#include "weir/traffic/tcp/tcp_sender.h"
#include "weir/traffic/transport/reliable_transport.h"

namespace weir::traffic {

class tcp_transport final : public reliable_transport<tcp_sender, tcp_receiver> {
 public:
    /// Retransmission, delayed ACK.
    static constexpr unsigned timer_kinds = 2;

    tcp_transport(const transport_setup& setup, const transport_options& options);

    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override;
    void receive(const ethernet_frame& frame) override;
    void expire(const timer_entry& entry) override;

 private:
    void receive_ack(const ethernet_frame& frame);
    [[gnu::noinline]] void receive_other(const ethernet_frame& frame);
    void open_receiver(std::uint32_t slot, const ethernet_frame& frame) override;
    ethernet_frame make_last_ack(const ethernet_frame& frame) const override;
    void answer_syn(const ethernet_frame& frame);

    tcp_context m_tcp;
    segment_bitmaps m_bitmaps;
};

}  // namespace weir::traffic
