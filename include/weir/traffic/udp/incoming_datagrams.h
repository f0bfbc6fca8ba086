// What a host has received of the UDP transfers that come in.
//
// A datagram is sent once and no link duplicates it, so counting bytes is enough, and nothing has to be kept of
// a transfer that is complete. One that lost a datagram is never complete: it is forgotten when nothing of it
// has come for `patience`, which is far longer than any datagram is on its way.
//
//   incoming_datagrams datagrams;
//   if (datagrams.add(frame.transfer, 1472, now)) { ... }      // every byte has come
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/number_table.h"
#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::traffic {

class incoming_datagrams {
 public:
    /// With random gaps, longer than 64 mean gaps has a chance of e^-64.
    static constexpr std::int64_t patience_gaps = 64;
    static constexpr picoseconds patience_beside_gaps = 1s;
    /// Incomplete transfers below which none is forgotten.
    static constexpr std::size_t few = 1024;

    /// After this long without a datagram of the transfer none will come. `never` where the gap is too long to
    /// be told.
    static picoseconds patience(const transfer_fields& transfer) {
        return transfer.gap_us() == transfer_fields::ordinals - 1
                   ? never
                   : patience_beside_gaps + patience_gaps * transfer.gap_us() * 1us;
    }

    /// `payload` bytes of the transfer have come. True when they were the last ones missing.
    /// Range: transfer.flow_bytes > 0.
    bool add(const transfer_fields& transfer, std::uint64_t payload, picoseconds now);

    /// Payload that has come of an incomplete transfer; 0 if it has been forgotten. Unit: B.
    std::uint64_t arrived(std::uint64_t flow) {
        const progress* const known = m_incomplete.find(flow);
        return known != nullptr ? known->arrived : 0;
    }
    /// Transfers of which something is missing.
    std::size_t incomplete() const { return m_incomplete.size(); }

 private:
    struct progress {
        std::uint64_t arrived = 0;
        picoseconds forget_after{0};
    };

    [[gnu::cold]] void forget(picoseconds now);

    /// By number of transfer.
    number_table<progress> m_incomplete;
    /// Size of the table at which to look for transfers to forget: at least double of what was left the last
    /// time, so that looking costs little.
    std::size_t m_forget_at = few;
};

}  // namespace weir::traffic
