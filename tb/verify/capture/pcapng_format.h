// Numbers of pcapng (draft-ietf-opsawg-pcapng) that the writer and the reader share.
#pragma once

#include <cstdint>

namespace weir::tb::pcapng {

inline constexpr std::uint32_t byte_order_magic = 0x1A2B3C4D;

/// Types of blocks. The section header's is the same in both byte orders.
inline constexpr std::uint32_t section_header = 0x0A0D0D0A;
inline constexpr std::uint32_t interface_description = 1;
inline constexpr std::uint32_t obsolete_packet = 2;
inline constexpr std::uint32_t simple_packet = 3;
inline constexpr std::uint32_t enhanced_packet = 6;

/// Options, by block.
inline constexpr std::uint16_t shb_userappl = 4;
inline constexpr std::uint16_t if_name = 2;
inline constexpr std::uint16_t if_description = 3;
inline constexpr std::uint16_t if_speed = 8;
inline constexpr std::uint16_t if_tsresol = 9;
inline constexpr std::uint16_t if_fcslen = 13;
inline constexpr std::uint16_t if_tsoffset = 14;
inline constexpr std::uint16_t epb_flags = 2;

}  // namespace weir::tb::pcapng
