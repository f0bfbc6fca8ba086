// PFC and PAUSE frames as octets, the way they stand on a wire or in a capture.
//
//     0            6        12      14       16              18 ...
//     +------------+--------+-------+--------+---------------+----------------+---------+
//     | 01-80-C2-  | source | 88-08 | opcode | class enable  | 8 times, 2 oct.| 0 to 60 |  FCS, 4 oct.
//     | 00-00-01   |        |       | 01-01  | vector, 2 oct.| each (quanta)  |         |
//     +------------+--------+-------+--------+---------------+----------------+---------+
//     802.3x PAUSE: opcode 00-01, then one time of 2 octets.
//
// IEEE 802.3 clause 31 and Annexes 31A, 31B (PAUSE) and 31D (PFC; first 802.1Qbb).
//
//   const auto octets = encode_pause_frame(frame_kind::pfc, fields, source);   // 60, without FCS
//   const pause_frame_result read = decode_pause_frame(octets.data(), octets.size());
//   if (read) { use(read.frame.fields); }
#pragma once

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <cstddef>
#include <cstdint>

#include "weir/protocol/frame.h"

namespace weir {

/// Six octets in the order of transmission.
using mac_address = std::array<std::uint8_t, 6>;

/// Destination of MAC control frames: a bridge never forwards it (802.3 Annex 31B.1).
inline constexpr mac_address pause_destination{0x01, 0x80, 0xC2, 0x00, 0x00, 0x01};
/// EtherType of MAC control (802.3 clause 31.4.1.3).
inline constexpr std::uint16_t mac_control_ethertype = 0x8808;
/// Opcodes (802.3 Annex 31A).
inline constexpr std::uint16_t pause_opcode = 0x0001;
inline constexpr std::uint16_t pfc_opcode = 0x0101;

inline constexpr std::size_t fcs_octets = 4;
/// A MAC control frame is a minimum frame: 60 octets, 64 with FCS.
inline constexpr std::size_t pause_frame_octets = 60;
inline constexpr std::size_t pause_frame_octets_with_fcs = pause_frame_octets + fcs_octets;
static_assert(pause_frame_octets_with_fcs == static_cast<std::size_t>(pause_frame_bytes.count()));

/// Why octets are no PFC or PAUSE frame that a receiver acts on.
enum class pause_frame_error : std::uint8_t { none, length, fcs, destination, ethertype, opcode };

struct pause_frame {
    /// `pfc` or `pause`.
    frame_kind kind = frame_kind::pfc;
    /// For `pause`: `quanta[0]` is the time, the rest is 0.
    pause_fields fields;
    mac_address source{};
};

/// A frame, or the reason why there is none.
struct pause_frame_result {
    pause_frame frame;
    pause_frame_error error = pause_frame_error::none;
    explicit operator bool() const { return error == pause_frame_error::none; }
};

namespace detail {

inline std::uint16_t read_16(const std::uint8_t* at) {
    return static_cast<std::uint16_t>((at[0] << 8) | at[1]);
}
inline void write_16(std::uint8_t* at, std::uint16_t value) {
    at[0] = static_cast<std::uint8_t>(value >> 8);
    at[1] = static_cast<std::uint8_t>(value & 0xFF);
}

}  // namespace detail

/// Frame check sequence of `size` octets from the destination address on; the lowest octet of the value is
/// sent first (802.3 clause 3.2.9).
inline std::uint32_t frame_check_sequence(const std::uint8_t* octets, std::size_t size) {
    boost::crc_32_type crc;
    crc.process_bytes(octets, size);
    return crc.checksum();
}

/// `kind` is `pfc` or `pause`. A PFC frame's times are written as they are, also of classes that are not
/// enabled (a receiver ignores those); the high octet of the class-enable vector is 0.
inline std::array<std::uint8_t, pause_frame_octets> encode_pause_frame(frame_kind kind,
                                                                       const pause_fields& fields,
                                                                       const mac_address& source) {
    std::array<std::uint8_t, pause_frame_octets> octets{};
    std::copy(pause_destination.begin(), pause_destination.end(), octets.begin());
    std::copy(source.begin(), source.end(), octets.begin() + 6);
    detail::write_16(&octets[12], mac_control_ethertype);
    if (kind == frame_kind::pause) {
        detail::write_16(&octets[14], pause_opcode);
        detail::write_16(&octets[16], fields.quanta[0]);
        return octets;
    }
    detail::write_16(&octets[14], pfc_opcode);
    detail::write_16(&octets[16], fields.class_enable);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        detail::write_16(&octets[18 + 2 * c], fields.quanta[c]);
    }
    return octets;
}

inline std::array<std::uint8_t, pause_frame_octets_with_fcs> encode_pause_frame_with_fcs(
    frame_kind kind, const pause_fields& fields, const mac_address& source) {
    const auto body = encode_pause_frame(kind, fields, source);
    std::array<std::uint8_t, pause_frame_octets_with_fcs> octets{};
    std::copy(body.begin(), body.end(), octets.begin());
    const std::uint32_t fcs = frame_check_sequence(body.data(), body.size());
    for (unsigned i = 0; i < fcs_octets; ++i) {
        octets[pause_frame_octets + i] = static_cast<std::uint8_t>((fcs >> (8 * i)) & 0xFF);
    }
    return octets;
}

/// `size` octets without FCS. A shorter frame than 60 octets is refused; octets past the times are padding
/// and ignored, in a longer frame too (as the RTL of the golden traces does). The high octet of the
/// class-enable vector is reserved and ignored.
inline pause_frame_result decode_pause_frame(const std::uint8_t* octets, std::size_t size) {
    pause_frame_result result;
    if (size < pause_frame_octets) {
        result.error = pause_frame_error::length;
    } else if (!std::equal(pause_destination.begin(), pause_destination.end(), octets)) {
        result.error = pause_frame_error::destination;
    } else if (detail::read_16(octets + 12) != mac_control_ethertype) {
        result.error = pause_frame_error::ethertype;
    } else if (const std::uint16_t opcode = detail::read_16(octets + 14); opcode == pfc_opcode) {
        result.frame.kind = frame_kind::pfc;
        result.frame.fields.class_enable = octets[17];
        for (unsigned c = 0; c < pfc_classes; ++c) {
            result.frame.fields.quanta[c] = detail::read_16(octets + 18 + 2 * c);
        }
    } else if (opcode == pause_opcode) {
        result.frame.kind = frame_kind::pause;
        result.frame.fields.quanta[0] = detail::read_16(octets + 16);
    } else {
        result.error = pause_frame_error::opcode;
    }
    if (result) {
        std::copy(octets + 6, octets + 12, result.frame.source.begin());
    }
    return result;
}

/// The same for `size` octets of which the last four are the FCS, which is checked before the contents.
inline pause_frame_result decode_pause_frame_with_fcs(const std::uint8_t* octets, std::size_t size) {
    pause_frame_result refused;
    if (size < pause_frame_octets_with_fcs) {
        refused.error = pause_frame_error::length;
        return refused;
    }
    const std::size_t body = size - fcs_octets;
    const std::uint32_t fcs = frame_check_sequence(octets, body);
    for (unsigned i = 0; i < fcs_octets; ++i) {
        if (octets[body + i] != ((fcs >> (8 * i)) & 0xFF)) {
            refused.error = pause_frame_error::fcs;
            return refused;
        }
    }
    return decode_pause_frame(octets, body);
}

}  // namespace weir
