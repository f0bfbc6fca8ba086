// Fragments of IP packets, put to their transfers: only the first fragment of a packet has ports.
//
// The first fragment of a UDP datagram stands for the whole datagram, because its header has the length.
// Each fragment of a TCP segment counts for itself. Fragments that come before their first one wait for it.
// RFC 791, 8200.
//
// Fragments that were captured before are ignored. The only exception is the first fragment of a UDP datagram:
// it counts each time, as a datagram without fragments does.
//
//   fragment_book book;
//   for (const packet& part : book.add(p)) { ... }      // p.fragment is there
//   book.finish();
//   book.doubts().orphan_bytes;
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/verify/capture/packet.h"

namespace weir::tb {

/// Fragments that are missing in a capture, and their bytes, for warnings. Unit of bytes: B.
struct fragment_doubts {
    /// Fragments without a first one, whose ports are not known.
    std::uint64_t orphans = 0;
    std::uint64_t orphan_bytes = 0;
    /// Datagrams of which some bytes are in no captured fragment, and these bytes.
    std::uint64_t datagrams = 0;
    std::uint64_t datagram_bytes = 0;
    /// Segments that lack a fragment, and the fewest bytes that they lack: 1 if the last fragment is missing.
    std::uint64_t segments = 0;
    std::uint64_t segment_bytes = 0;
};

class fragment_book {
 public:
    /// Time after which a fragment belongs to another packet of the same number, as in Linux.
    static constexpr picoseconds longest_wait{30s};
    /// Number of later packets in fragments after which a repeated fragment belongs to another packet of the
    /// same number. IPv4 has 65,536 numbers, and a fast sender uses one again within a second (RFC 4963).
    static constexpr std::uint64_t most_between = 4'096;

    /// Packets with ports and payload that can be told now; empty if none. `p` is a fragment of kind `traffic`
    /// or `fragment`.
    std::vector<packet> add(const packet& p);
    /// Called after the last fragment.
    void finish();
    /// Complete after `finish`.
    const fragment_doubts& doubts() const { return m_doubts; }

 private:
    /// Addresses, protocol and number.
    using key = std::tuple<std::string, std::string, std::uint8_t, std::uint32_t>;
    struct pieces {
        std::optional<packet> first;
        std::vector<packet> waiting;
        /// Ranges of the packet's octets that were captured, begin and end, sorted and apart.
        std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
        /// Octets of the whole packet; known once the last fragment is there.
        std::optional<std::uint64_t> total;
        picoseconds latest{0};
        /// Place among all packets in fragments, from 1.
        std::uint64_t place = 0;

        std::uint64_t seen_octets() const;
        /// Adds a range to `seen`. False if all of its octets are there.
        bool see(std::uint64_t begin, std::uint64_t end);
        bool has_seen(std::uint64_t begin, std::uint64_t end) const;
        bool is_complete() const { return first && total && seen_octets() >= *total; }
    };

    /// True if `p` belongs to a later packet that has the number of `known`.
    bool begins_another(const pieces& known, const packet& p) const;
    void settle(const pieces& left);
    /// Forgets the oldest complete packets.
    void forget();

    std::map<key, pieces> m_open;
    /// Complete packets, which stay in `m_open` for a while so that their fragments are known again.
    std::deque<std::pair<key, std::uint64_t>> m_complete;
    std::uint64_t m_begun = 0;
    fragment_doubts m_doubts;
};

}  // namespace weir::tb
