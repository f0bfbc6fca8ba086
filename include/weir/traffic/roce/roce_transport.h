// RoCEv2 of one host: each transfer is a queue pair of its own, with what it sends here and what it receives
// there.
//
//     queue_pair_sender -- data, at the rate --> NIC ~~> queue_pair_receiver
//          ^   ^                                          |    |
//          |   +------------- ACK, NAK -------------------+    | marked: at most one per interval
//     rate_control <----------- CNP ---------------------------+
//
// A CNP names the transfer's number.
#pragma once

#include <cstdint>

#include "weir/base/number_table.h"
#include "weir/traffic/roce/queue_pair_receiver.h"
#include "weir/traffic/roce/queue_pair_sender.h"
#include "weir/traffic/roce/roce_context.h"
#include "weir/traffic/transport/reliable_transport.h"
#include "weir/traffic/transport/transport_kinds.h"

namespace weir::traffic {

class roce_transport final
    : public reliable_transport<roce_transport, queue_pair_sender, queue_pair_receiver, roce_context> {
 public:
    /// Pacing, retransmission.
    static constexpr unsigned timer_kinds = 2;

    static transport_registry::entry kind();
    static transfer_framing framing(const roce_config& config);

    roce_transport(const transport_setup& setup, const transport_options& options, const roce_config& config);

    void start() override;
    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override;
    void receive(const ethernet_frame& frame) override;
    void ready() override;

 private:
    friend reliable_transport;

    std::uint64_t received(const queue_pair_receiver& receiver) const {
        return receiver.received_bytes(m_shared->bitmaps, m_shared->payload);
    }
    [[gnu::cold]] void receive_notification(const ethernet_frame& frame);
    /// The sender takes its place among those that wait for the NIC, if it waits now.
    void settle(std::uint32_t slot) {
        const queue_pair_sender& sender = m_senders[slot];
        if (__builtin_expect(sender.is_waiting() && sender.next_waiting == waiting_senders::absent, 0)) {
            queue_up(slot);
        }
    }
    void close(std::uint32_t slot);
    void describe(std::uint32_t slot, open_transfer& transfer) const {
        transfer.rate = m_shared->rates.of<rate_state>(slot).rate;
    }
    void queue_up(std::uint32_t slot);
    auto links() {
        return [this](std::uint32_t slot) -> std::uint32_t& { return m_senders[slot].next_waiting; };
    }

    timer_kind m_first_timer;
    roce_config m_config;
    bytes m_wire_overhead;
    waiting_senders m_waiting;
    /// Senders by number of transfer, for CNPs.
    number_table<std::uint32_t> m_slots;
};

}  // namespace weir::traffic
