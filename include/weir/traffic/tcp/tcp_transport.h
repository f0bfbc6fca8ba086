// TCP of one host: one table of what it sends and one of what it receives.
//
// A sender's `transfer.connection` is its slot number here: ACKs find it by that, and it is used again, the
// last freed first, as soon as every byte is confirmed. An ACK that comes later names another transfer than the
// slot's, and is counted and ignored. A receiver knows a transfer by its source and its ordinal among that
// source's transfers to here (incoming_transfers.h), and so always knows which are over: a late duplicate of
// one is confirmed again and goes no further.
//
// So memory follows the transfers under way, and some bytes on either side for each two hosts that have talked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/traffic/tcp/tcp_context.h"
#include "weir/traffic/tcp/tcp_receiver.h"
#include "weir/traffic/tcp/tcp_sender.h"
#include "weir/traffic/transport/host_counters.h"
#include "weir/traffic/transport/incoming_transfers.h"
#include "weir/traffic/transport/transport.h"

namespace weir::traffic {

class tcp_transport final : public transport {
 public:
    /// Retransmission, delayed ACK.
    static constexpr unsigned timer_kinds = 2;

    tcp_transport(const transport_setup& setup, const transport_options& options);

    const char* refusal(host_id dst) override {
        return m_ordinals.of(dst) == transfer_fields::ordinals
                   ? "comes after 2^30 TCP transfers to the same host"
                   : nullptr;
    }
    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override;
    void receive(const ethernet_frame& frame) override;
    void expire(const timer_entry& entry) override;
    void list_open(std::vector<open_transfer>& open, std::size_t most) const override;
    bool has_received(const open_transfer& transfer) override {
        return m_incoming.is_over(transfer.src, transfer.src_address, *transfer.ordinal);
    }
    std::size_t sender_slots() const override { return m_senders.size(); }
    std::size_t receiver_slots() const override { return m_receivers.size(); }
    std::size_t incoming() const override { return m_incoming.unfinished(); }

 private:
    void receive_data(const ethernet_frame& frame);
    void receive_ack(const ethernet_frame& frame);
    [[gnu::noinline]] void receive_other(const ethernet_frame& frame);
    /// The receiver of a segment whose transfer is not under way: a new one, or `incoming_transfers::none` for
    /// a transfer that is over.
    [[gnu::noinline]] std::uint32_t begin_receiving(const ethernet_frame& frame);
    [[gnu::noinline]] void finish_receiving(const ethernet_frame& frame, std::uint32_t slot);
    [[gnu::noinline]] void finish_sending(std::uint32_t slot);
    void answer_syn(const ethernet_frame& frame);
    /// The sender of the transfer to which an answer belongs; null, and counted, if it belongs to none.
    tcp_sender* sender_of(const ethernet_frame& answer);

    transport_context& m_context;
    transfer_events& m_events;
    const address_map& m_addresses;
    transport_kind m_kind;
    tcp_context m_tcp;

    std::vector<tcp_sender> m_senders;
    std::vector<std::uint32_t> m_free_senders;
    /// Transfers started to each host.
    host_counters m_ordinals;

    incoming_transfers m_incoming;
    std::vector<tcp_receiver> m_receivers;
    std::vector<std::uint32_t> m_free_receivers;
    segment_bitmaps m_bitmaps;
};

}  // namespace weir::traffic
