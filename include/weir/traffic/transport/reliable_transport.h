// Base of transports whose receivers confirm: TCP, RoCE, pFabric. It has one table of what a host sends and one
// of what it receives.
//
// A sender's `transfer.connection` is its slot number here: answers find it by that, and it is used again, the
// last freed first, as soon as every byte is confirmed. An answer that comes later names another transfer than
// the slot's, and is counted and ignored. A receiver knows a transfer by its source and its ordinal among that
// source's transfers to here (incoming_transfers.h), and so always knows which are over: a late duplicate of
// one is confirmed again and goes no further.
//
// So memory follows the transfers under way, and some bytes on either side for each two hosts that have talked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/traffic/transport/host_counters.h"
#include "weir/traffic/transport/incoming_transfers.h"
#include "weir/traffic/transport/transport.h"

namespace weir::traffic {

/// The answer to a frame of a transfer: bytes before `next` have arrived. Goes back the way that `data` came.
inline ethernet_frame make_answer(const ethernet_frame& data, frame_kind kind, std::uint64_t next,
                                  std::uint16_t frame_bytes) {
    ethernet_frame answer = data;
    answer.src = data.dst;
    answer.dst = data.src;
    answer.kind = kind;
    answer.flags = 0;
    answer.transfer.sequence = next & transfer_fields::length_mask;
    answer.frame_bytes = frame_bytes;
    answer.transfer.reply_bytes = 0;
    return answer;
}

/// `Self` is the transport, which has settle(slot): a call of this sender is over, and it goes on;
/// close(slot): its last byte is confirmed; received(receiver): the payload that has arrived; and, where there
/// is more to say of an open transfer, describe(slot, transfer). `Shared` is what all senders and receivers of
/// the host share; make_ack(shared, frame, next) answers a frame. The rest is as the calls here have it.
template <class Self, class Sender, class Receiver, class Shared>
class reliable_transport : public transport {
 public:
    void open(ethernet_frame header, transfer_owner owner, const transfer_request&) override {
        begin_sending(header, owner);
    }
    void expire(const timer_entry& entry) override {
        const auto slot = static_cast<std::uint32_t>(index_of_timer(entry.id));
        m_senders[slot].on_timer(m_context, *m_shared, entry);
        self().settle(slot);
    }
    const char* refusal(host_id dst) override {
        return m_ordinals.of(dst) == transfer_fields::ordinals
                   ? "comes after 2^30 transfers to the same host by the same transport"
                   : nullptr;
    }
    void list_open(std::vector<open_transfer>& open, std::size_t most) const override {
        for (std::size_t s = 0; s < m_senders.size() && open.size() < most; ++s) {
            const Sender& sender = m_senders[s];
            if (sender.is_open()) {
                open.push_back(describe_open(sender.frame(), m_kind, m_context.host->id(), sender.owner().dst,
                                             sender.retransmits(), sender.timeouts()));
                open.back().ordinal = sender.frame().transfer.ordinal();
                open.back().done_bytes = sender.una();
                static_cast<const Self&>(*this).describe(static_cast<std::uint32_t>(s), open.back());
            }
        }
    }
    std::uint64_t received_bytes(const open_transfer& transfer) override {
        if (m_incoming.is_over(transfer.src, transfer.src_address, *transfer.ordinal)) {
            return static_cast<std::uint64_t>(transfer.flow_bytes.count());
        }
        const std::uint32_t slot = m_incoming.receiver_of(transfer.src_address, *transfer.ordinal);
        return slot == incoming_transfers::none ? 0 : self().received(m_receivers[slot]);
    }
    std::size_t sender_slots() const override { return m_senders.size(); }
    std::size_t receiver_slots() const override { return m_receivers.size(); }
    std::size_t incoming() const override { return m_incoming.unfinished(); }

 protected:
    reliable_transport(const transport_setup& setup, const transport_options& options)
        : m_context(setup.context),
          m_events(setup.events),
          m_kind(setup.kind),
          m_addresses(*options.addresses),
          m_incoming(options.addresses->hosts()) {}

    /// Returns the new transfer's slot. `more`: what only this transport's senders want to know.
    template <class... More>
    std::uint32_t begin_sending(ethernet_frame& header, transfer_owner owner, More... more) {
        header.transfer.set_ordinal(m_ordinals.of(owner.dst)++);
        const std::uint32_t slot = take_slot(m_senders, m_free_senders);
        m_senders[slot].open(m_context, *m_shared, header, owner, slot, more...);
        self().settle(slot);
        return slot;
    }
    /// The sender of the transfer to which an answer belongs; null, and counted, if it belongs to none.
    Sender* sender_of(const ethernet_frame& answer) {
        const std::uint32_t slot = answer.transfer.connection;
        if (slot >= m_senders.size() || !m_senders[slot].is_sending(answer.transfer.flow)) {
            ++m_context.counters.stale_frames;
            return nullptr;
        }
        return &m_senders[slot];
    }
    void receive_ack(const ethernet_frame& frame) {
        Sender* const sender = sender_of(frame);
        if (sender == nullptr) {
            return;
        }
        if (sender->on_ack(m_context, *m_shared, frame)) {
            finish_sending(frame.transfer.connection);
        } else {
            self().settle(frame.transfer.connection);
        }
    }
    /// Hands a frame to its receiver, by `take`, which says whether the transfer is complete.
    template <class Take>
    void receive_data(const ethernet_frame& frame, Take&& take) {
        std::uint32_t slot = m_incoming.receiver_of(frame.src, frame.transfer.ordinal());
        if (slot == incoming_transfers::none) {
            slot = begin_receiving(frame);
            if (slot == incoming_transfers::none) {
                return;
            }
        }
        if (take(m_receivers[slot])) {
            finish_receiving(frame, slot);
        }
    }

    void describe(std::uint32_t /*slot*/, open_transfer& /*transfer*/) const {}
    /// `frame` is the first one of a transfer to come.
    void open_receiver(std::uint32_t slot, const ethernet_frame& frame) {
        m_receivers[slot].open(*m_shared, frame);
    }

    transport_context& m_context;
    transfer_events& m_events;
    transport_kind m_kind;
    /// Not before `start`, where it needs the link's rate.
    std::optional<Shared> m_shared;
    std::vector<Sender> m_senders;
    std::vector<Receiver> m_receivers;

 private:
    Self& self() { return static_cast<Self&>(*this); }

    [[gnu::noinline]] void finish_sending(std::uint32_t slot) {
        const Sender& sender = m_senders[slot];
        self().close(slot);
        m_free_senders.push_back(slot);
        m_events.sent(sender.frame(), sender.owner(), m_kind, 0_bps, sender.retransmits(), sender.timeouts());
    }
    /// The receiver of a frame whose transfer is not under way: a new one, or `incoming_transfers::none` for a
    /// transfer that is over.
    [[gnu::noinline]] std::uint32_t begin_receiving(const ethernet_frame& frame) {
        const std::uint32_t ordinal = frame.transfer.ordinal();
        switch (m_incoming.stage_of(m_addresses.host_of(frame.src), frame.src, ordinal)) {
            case transfer_stage::begins:
                break;
            case transfer_stage::over:
                // The last ACK was lost or overtaken, or this frame was: the sender shall know in any case.
                ++m_context.counters.duplicate_segments;
                m_context.send(make_ack(*m_shared, frame, frame.transfer.flow_bytes));
                return incoming_transfers::none;
            case transfer_stage::impossible:
                ++m_context.counters.stale_frames;
                return incoming_transfers::none;
        }
        const std::uint32_t slot = take_slot(m_receivers, m_free_receivers);
        m_incoming.begin(frame.src, ordinal, slot);
        self().open_receiver(slot, frame);
        return slot;
    }
    [[gnu::noinline]] void finish_receiving(const ethernet_frame& frame, std::uint32_t slot) {
        m_free_receivers.push_back(slot);
        m_incoming.finish(frame.src, frame.transfer.ordinal());
        m_events.delivered(frame, m_kind);
    }

    const address_map& m_addresses;
    std::vector<std::uint32_t> m_free_senders;
    /// Transfers started to each host.
    host_counters m_ordinals;
    incoming_transfers m_incoming;
    std::vector<std::uint32_t> m_free_receivers;
};

}  // namespace weir::traffic
