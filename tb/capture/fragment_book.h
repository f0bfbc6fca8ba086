// Fragments of IP packets, put to their transfers: only the first fragment of a packet has ports.
//
// The first fragment of a UDP datagram stands for the whole datagram, because its header has the length. Of a
// TCP segment each fragment is a part. Fragments that come before their first one wait for it. RFC 791, 8200.
//
//   fragment_book book;
//   for (const packet& part : book.add(p)) { ... }      // p.fragment is there
//   book.finish();
//   book.doubts().orphan_bytes;
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tb/capture/packet.h"

namespace weir::tb {

/// What the fragments of a capture leave uncertain; for warnings. Unit of bytes: B.
struct fragment_doubts {
    /// Fragments without a first one, whose ports are not known.
    std::uint64_t orphans = 0;
    std::uint64_t orphan_bytes = 0;
    /// Datagrams of which some bytes are in no captured fragment, and these bytes.
    std::uint64_t datagrams = 0;
    std::uint64_t datagram_bytes = 0;
    /// Segments that lack a fragment. Their bytes are known only if the last fragment is there.
    std::uint64_t segments = 0;
};

class fragment_book {
 public:
    /// Time after which a fragment belongs to another packet of the same number, as in Linux.
    static constexpr picoseconds longest_wait{30s};

    /// Packets with ports and payload that can be told now; empty if none. `p` is a fragment of kind `traffic`
    /// or `fragment`.
    std::vector<packet> add(const packet& p);
    /// No fragment comes any more.
    void finish();
    /// Complete after `finish`.
    const fragment_doubts& doubts() const { return m_doubts; }

 private:
    /// Addresses, protocol and number.
    using key = std::tuple<std::string, std::string, std::uint8_t, std::uint32_t>;
    struct pieces {
        std::optional<packet> first;
        std::vector<packet> waiting;
        /// Octets of the fragments that were added, and of the whole packet once its last fragment is there.
        std::uint64_t seen = 0;
        std::optional<std::uint64_t> total;
        picoseconds latest{0};
    };

    void settle(const pieces& left);

    std::map<key, pieces> m_open;
    fragment_doubts m_doubts;
};

}  // namespace weir::tb
