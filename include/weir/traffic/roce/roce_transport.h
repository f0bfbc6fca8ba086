// RoCEv2 of one host: each transfer is a queue pair of its own, with what it sends here and what it receives
// there.
//
//     queue_pair_sender -- data, at the rate --> NIC ~~> queue_pair_receiver
//          ^   ^                                          |    |
//          |   +------------- ACK, NAK -------------------+    | marked: at most one per interval
//     rate_control <----------- CNP ---------------------------+
//
// Slots and ordinals are TCP's (tcp_transport.h): a sender's `transfer.connection` is its slot, by which ACKs
// find it; a receiver knows a transfer by its source and ordinal, and so which are over. A CNP names the
// transfer's number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/traffic/roce/queue_pair_receiver.h"
#include "weir/traffic/roce/queue_pair_sender.h"
#include "weir/traffic/roce/roce_context.h"
#include "weir/traffic/transport/host_counters.h"
#include "weir/traffic/transport/incoming_transfers.h"
#include "weir/traffic/transport/job_table.h"
#include "weir/traffic/transport/transport.h"

namespace weir::traffic {

class roce_transport final : public transport {
 public:
    /// Pacing, retransmission.
    static constexpr unsigned timer_kinds = 2;

    roce_transport(const transport_setup& setup, const transport_options& options);

    void start() override;
    const char* refusal(host_id dst) override {
        return m_ordinals.of(dst) == transfer_fields::ordinals
                   ? "comes after 2^30 RoCE transfers to the same host"
                   : nullptr;
    }
    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override;
    void receive(const ethernet_frame& frame) override;
    void expire(const timer_entry& entry) override;
    void ready() override;
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
    [[gnu::cold]] void receive_notification(const ethernet_frame& frame);
    /// The receiver of a frame whose transfer is not under way: a new one, or `incoming_transfers::none` for a
    /// transfer that is over.
    [[gnu::noinline]] std::uint32_t begin_receiving(const ethernet_frame& frame);
    [[gnu::noinline]] void finish_receiving(const ethernet_frame& frame, std::uint32_t slot);
    [[gnu::noinline]] void finish_sending(std::uint32_t slot);
    /// A call of this sender is over: it takes its place among those that wait for the NIC, if it waits now.
    void note_waiting(std::uint32_t slot, bool waited) {
        if (__builtin_expect(m_senders[slot].is_waiting() != waited, 0)) {
            queue_up(slot);
        }
    }
    void queue_up(std::uint32_t slot);
    auto links() {
        return [this](std::uint32_t slot) -> std::uint32_t& { return m_senders[slot].next_waiting; };
    }

    transport_context& m_context;
    transfer_events& m_events;
    const address_map& m_addresses;
    transport_kind m_kind;
    timer_kind m_first_timer;
    roce_config m_config;
    bytes m_wire_overhead;
    /// From `start` on: the rate control needs the link's rate.
    std::optional<roce_context> m_roce;

    std::vector<queue_pair_sender> m_senders;
    std::vector<std::uint32_t> m_free_senders;
    waiting_senders m_waiting;
    /// Senders by number of transfer, for CNPs.
    job_table<std::uint32_t> m_slots;
    /// Transfers started to each host.
    host_counters m_ordinals;

    incoming_transfers m_incoming;
    std::vector<queue_pair_receiver> m_receivers;
    std::vector<std::uint32_t> m_free_receivers;
};

}  // namespace weir::traffic
