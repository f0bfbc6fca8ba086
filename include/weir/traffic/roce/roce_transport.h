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
#include <optional>

#include "weir/traffic/roce/queue_pair_receiver.h"
#include "weir/traffic/roce/queue_pair_sender.h"
#include "weir/traffic/roce/roce_context.h"
#include "weir/traffic/transport/job_table.h"
#include "weir/traffic/transport/reliable_transport.h"

namespace weir::traffic {

class roce_transport final : public reliable_transport<queue_pair_sender, queue_pair_receiver> {
 public:
    /// Pacing, retransmission.
    static constexpr unsigned timer_kinds = 2;

    roce_transport(const transport_setup& setup, const transport_options& options);

    void start() override;
    void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) override;
    void receive(const ethernet_frame& frame) override;
    void expire(const timer_entry& entry) override;
    void ready() override;

 private:
    void receive_ack(const ethernet_frame& frame);
    [[gnu::cold]] void receive_notification(const ethernet_frame& frame);
    void open_receiver(std::uint32_t slot, const ethernet_frame& frame) override;
    ethernet_frame make_last_ack(const ethernet_frame& frame) const override;
    [[gnu::noinline]] void close(std::uint32_t slot);
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

    timer_kind m_first_timer;
    roce_config m_config;
    bytes m_wire_overhead;
    /// From `start` on: the rate control needs the link's rate.
    std::optional<roce_context> m_roce;

    waiting_senders m_waiting;
    /// Senders by number of transfer, for CNPs.
    job_table<std::uint32_t> m_slots;
};

}  // namespace weir::traffic
