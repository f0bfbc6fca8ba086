// One RoCE transfer, receiving side: ACKs for what is in order, NAKs for what is not, CNPs for what is marked.
//
// A frame behind a gap is dropped and answered by one NAK (go-back-N), and by another if the gap is there after
// `nak_interval`; or it is kept, and each is answered by a NAK that names it (selective).
//
//   queue_pair_receiver r;
//   r.open(roce, data);
//   if (r.on_data(context, roce, data)) { ... }   // every byte is here
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/roce/roce_context.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

/// DCQCN's notification point (SIGCOMM 2015, section 3.1): a receiver that answers marks with CNPs, at most one
/// per interval and queue pair. A marked frame is answered at once where no CNP was sent for that long.
///
///   notification_point np;
///   np.on_marked(10us, 50us);     // true: a CNP
///   np.on_marked(59us, 50us);     // false
///   np.on_marked(60us, 50us);     // true
class notification_point {
 public:
    /// A marked frame has come. True: a CNP is due.
    bool on_marked(picoseconds now, picoseconds interval) {
        if (now < m_quiet_until) {
            return false;
        }
        m_quiet_until = now + interval;
        return true;
    }

 private:
    picoseconds m_quiet_until{0};
};

/// The ACK that confirms bytes before `next` of the transfer to which `data` belongs.
ethernet_frame make_ack(const roce_constants& roce, const ethernet_frame& data, std::uint64_t next);
/// The CNP for a frame that came marked.
ethernet_frame make_cnp(const roce_constants& roce, const ethernet_frame& data);

class alignas(64) queue_pair_receiver {
 public:
    /// `data` is any frame of a new transfer.
    void open(const roce_constants& roce, const ethernet_frame& data);
    /// True when this frame makes the transfer complete; the slot is then free.
    bool on_data(transport_context& context, roce_context& roce, const ethernet_frame& data);
    /// Payload that has arrived, each byte once; `payload` is that of a full frame. Unit: B.
    std::uint64_t received_bytes(const segment_bitmaps& bitmaps, std::uint64_t payload) const {
        const transfer_fields& t = m_ack.transfer;
        return t.sequence + m_kept.bytes(bitmaps, t.sequence, payload, t.flow_bytes);
    }

 private:
    [[gnu::cold]] void on_mark(transport_context& context, const roce_context& roce,
                               const ethernet_frame& data);
    /// A frame that is not the next one.
    [[gnu::cold]] void on_other_order(transport_context& context, roce_context& roce, std::uint64_t offset);
    void acknowledge(transport_context& context);
    void refuse(transport_context& context, std::uint32_t selected);
    std::uint64_t payload_at(const roce_constants& roce, std::uint64_t offset) const {
        const std::uint64_t left = m_ack.transfer.flow_bytes - offset;
        return left < roce.payload ? left : roce.payload;
    }

    static constexpr std::uint64_t no_gap = ~std::uint64_t{0};

    /// The next ACK as it will be sent; its sequence is the next byte expected.
    ethernet_frame m_ack;

    notification_point m_notifications;
    /// Go-back-N: the gap that a NAK has told of, and when it may be told of again.
    std::uint64_t m_told_gap = no_gap;
    picoseconds m_tell_again{0};
    kept_segments m_kept;
    /// Frames that no ACK was sent for.
    std::uint32_t m_unacknowledged = 0;
};

}  // namespace weir::traffic
