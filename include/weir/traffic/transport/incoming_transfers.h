// What a host knows of the TCP transfers that come in: which are under way, and which are over.
//
// A source numbers its transfers to each destination 0, 1, 2, ... (`transfer_fields::ordinal`). So a receiver
// remembers, for each source, the smallest ordinal that it has never heard of, and keeps those below it that
// are not over: transfers under way, and the few that were overtaken by later ones before their own first
// segment came. Every other ordinal below is over, for good, and takes no memory. What this needs is one
// number for each source and one entry for each transfer that its sender has not finished.
//
// A real receiver keeps a closed connection in TIME_WAIT for two segment lifetimes, so that a late duplicate is
// recognised; here that time has no end, and costs nothing.
//
//   incoming_transfers transfers(hosts);
//   std::uint32_t receiver = transfers.receiver_of(frame.src, ordinal);     // common path
//   if (receiver == incoming_transfers::none) {
//       if (transfers.stage_of(source, frame.src, ordinal) == transfer_stage::begins) {
//           transfers.begin(frame.src, ordinal, receiver = free_receiver);
//       }
//   }
//   transfers.finish(frame.src, ordinal);
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/number_table.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/transport/host_counters.h"

namespace weir::traffic {

/// Of a transfer that has no receiver at present.
enum class transfer_stage : std::uint8_t {
    begins,     ///< heard of for the first time
    over,       ///< every byte has arrived before
    impossible  ///< its ordinal is further ahead than any sender is
};

class incoming_transfers {
 public:
    /// In place of a receiver's number.
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    /// No sender has so many transfers to one destination that have not begun to arrive. Only a foreign module
    /// is beyond; each costs 16 to 64 B.
    static constexpr std::uint32_t furthest_ahead = std::uint32_t{1} << 20;

    /// Range: sources are hosts below `hosts`. Whatever is no host of the fabric counts as one source, `hosts`.
    explicit incoming_transfers(host_id hosts) : m_hosts(hosts) {}

    /// Of a transfer under way; `none` of others.
    std::uint32_t receiver_of(ipv4_address src, std::uint32_t ordinal) {
        const std::uint32_t* found = m_unfinished.find(key(src, ordinal));
        return found != nullptr ? *found : none;
    }
    /// `source` has the address `src`. Range: receiver_of(src, ordinal) == none.
    transfer_stage stage_of(host_id source, ipv4_address src, std::uint32_t ordinal);
    /// Whether every byte of a transfer has arrived. Unlike `stage_of`, learns nothing from the question.
    bool is_over(host_id source, ipv4_address src, std::uint32_t ordinal);
    /// Range: the transfer's stage is `begins`.
    void begin(ipv4_address src, std::uint32_t ordinal, std::uint32_t receiver) {
        *m_unfinished.find(key(src, ordinal)) = receiver;
    }
    /// Range: the transfer is under way.
    void finish(ipv4_address src, std::uint32_t ordinal) { m_unfinished.remove(key(src, ordinal)); }

    /// Transfers under way, and those that are known of only because later ones have come.
    std::size_t unfinished() const { return m_unfinished.size(); }

 private:
    static std::uint64_t key(ipv4_address src, std::uint32_t ordinal) {
        return (std::uint64_t{to_uint(src)} << 32) | ordinal;
    }

    host_id m_hosts;
    /// By (source, ordinal), below `m_unheard`: number of the receiver, or `none` before the first segment.
    number_table<std::uint32_t> m_unfinished;
    /// By source: the smallest ordinal that is not known of.
    host_counters m_unheard;
};

}  // namespace weir::traffic
