// Which transmission of a frame follows which: frames are told apart by what they carry, as a capture does,
// since a descriptor has no number of its own.
//
//   journey_book book;
//   const journey_step first = book.sent(frame, h0, tor0, true, at_tor0);
//   const journey_step next = book.sent(frame, tor0, h1, false, {});    // next.number == first.number
//
// Copies that are alike in everything (a segment sent again, an ACK sent twice) are taken in the order in which
// they came to a node.
#pragma once

#include <boost/functional/hash.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

/// When a frame's last bit came, and where.
struct frame_arrival {
    picoseconds last_bit{0};
    unsigned port = 0;
};

struct journey_step {
    /// From 1.
    std::uint64_t number = 0;
    /// How it came to the node that sends it now; nothing at its first step.
    std::optional<frame_arrival> arrived;
};

class journey_book {
 public:
    /// In the order of time. `to_switch`: it goes on from there, having arrived as given.
    journey_step sent(const ethernet_frame& frame, std::uint32_t from, std::uint32_t to, bool to_switch,
                      const frame_arrival& arrival);
    /// The frame does not leave `node` any more. Number 0 where it is not known.
    journey_step ended(const ethernet_frame& frame, std::uint32_t node);
    /// Of a frame that has come to `node` and is still there. Number 0 where it is not known.
    journey_step at(const ethernet_frame& frame, std::uint32_t node) const;
    /// Frames that are on their way.
    std::size_t open() const { return m_open; }

 private:
    /// Node, and what the frame carries.
    using key = std::tuple<std::uint32_t, ipv4_address, ipv4_address, std::uint64_t, std::uint64_t,
                           std::uint32_t, std::uint16_t, frame_kind, std::uint8_t>;
    struct waiting {
        std::uint64_t number;
        frame_arrival arrival;
    };
    static key key_of(const ethernet_frame& frame, std::uint32_t node);
    std::optional<waiting> take(const key& k);

    std::unordered_map<key, std::deque<waiting>, boost::hash<key>> m_waiting;
    std::size_t m_open = 0;
    std::uint64_t m_last = 0;
};

}  // namespace weir::tb
