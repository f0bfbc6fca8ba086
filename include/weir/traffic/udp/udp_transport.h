// UDP of one host. Its slots are `transfer.connection`, used again, the last freed first. A datagram is sent
// once, so a receiver keeps nothing of a transfer that is complete (incoming_datagrams.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/traffic/transport/transport.h"
#include "weir/traffic/transport/transport_kinds.h"
#include "weir/traffic/udp/incoming_datagrams.h"
#include "weir/traffic/udp/udp_sender.h"

namespace weir::traffic {

class udp_transport final : public transport {
 public:
    /// Pacing.
    static constexpr unsigned timer_kinds = 1;

    static transport_registry::entry kind();
    static transfer_framing framing(const udp_config& config);

    udp_transport(const transport_setup& setup, const transport_options& options, const udp_config& config);

    void start() override;
    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override;
    void receive(const ethernet_frame& frame) override;
    void expire(const timer_entry& entry) override;
    void list_open(std::vector<open_transfer>& open, std::size_t most) const override;
    /// 0 for a transfer that the receiver has forgotten (incoming_datagrams.h).
    std::uint64_t received_bytes(const open_transfer& transfer) override {
        return m_datagrams.arrived(transfer.flow);
    }
    std::size_t sender_slots() const override { return m_senders.size(); }
    std::size_t incoming() const override { return m_datagrams.incomplete(); }

 private:
    /// A transfer of one datagram: its slot is free again at once.
    [[gnu::always_inline]] inline void send_whole(ethernet_frame& frame, transfer_owner owner, bit_rate rate);
    void finish_sending(std::uint32_t slot);

    transport_context& m_context;
    transfer_events& m_events;
    transport_kind m_kind;
    std::uint64_t m_seed;
    udp_context m_udp;
    std::vector<udp_sender> m_senders;
    std::vector<std::uint32_t> m_free_senders;
    incoming_datagrams m_datagrams;
};

}  // namespace weir::traffic
