// One pFabric transfer, receiving side: keeps what comes in any order, and answers each frame by an ACK of
// rank 0. An ACK says which byte is expected next, and of a frame behind a gap, which one has come
// (`transfer_fields::selected`).
//
//   pfabric_receiver r;
//   r.open(pfabric, data);
//   if (r.on_frame(context, pfabric, data)) { ... }   // every byte is here
#pragma once

#include <cstdint>

#include "weir/protocol/frame.h"
#include "weir/traffic/pfabric/pfabric_context.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

/// The ACK that confirms bytes before `next` of the transfer to which `frame` belongs.
ethernet_frame make_ack(const pfabric_context& pfabric, const ethernet_frame& frame, std::uint64_t next);

class alignas(64) pfabric_receiver {
 public:
    /// `frame` is any frame of a new transfer.
    void open(const pfabric_context& pfabric, const ethernet_frame& frame);
    /// Data or a probe. True when the transfer is complete; the slot is then free.
    bool on_frame(transport_context& context, pfabric_context& pfabric, const ethernet_frame& frame);
    /// Payload that has arrived, each byte once; `payload` is that of a full frame. Unit: B.
    std::uint64_t received_bytes(const segment_bitmaps& bitmaps, std::uint64_t payload) const {
        const transfer_fields& t = m_ack.transfer;
        return t.sequence + m_kept.bytes(bitmaps, t.sequence, payload, t.flow_bytes);
    }

 private:
    /// Data that is not the next. False: there is no answer; else `selected` is what the ACK names.
    [[gnu::cold]] bool on_other_order(transport_context& context, pfabric_context& pfabric,
                                      std::uint64_t offset, std::uint32_t& selected);

    /// The next ACK as it will be sent; its sequence is the next byte expected.
    ethernet_frame m_ack;
    kept_segments m_kept;
};

}  // namespace weir::traffic
