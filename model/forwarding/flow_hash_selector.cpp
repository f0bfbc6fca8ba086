#include "weir/model/forwarding/flow_hash_selector.h"

namespace weir::model {

namespace {

/// What a frame's kind adds to the hash: the IP protocol number from bit 48 on, so that all kinds of one
/// transport have one, and a handshake takes its data's path. UDP's connection numbers are apart from TCP's:
/// they have bit 31, at bit 47 here.
constexpr std::uint64_t transport_bits(frame_kind kind) {
    switch (kind) {
        case frame_kind::tcp_data:
        case frame_kind::tcp_ack:
        case frame_kind::tcp_syn:
        case frame_kind::tcp_syn_ack:
            return std::uint64_t{6} << 48;
        case frame_kind::udp:
        case frame_kind::cnp:
            return std::uint64_t{17} << 48 | std::uint64_t{1} << 47;
        case frame_kind::roce_data:
        case frame_kind::roce_ack:
        case frame_kind::roce_nak:
            return std::uint64_t{17} << 48 | std::uint64_t{1} << 46;
        case frame_kind::pfabric_data:
        case frame_kind::pfabric_ack:
        case frame_kind::pfabric_probe:
            return std::uint64_t{6} << 48 | std::uint64_t{1} << 46;
        case frame_kind::pfc:
        case frame_kind::pause:
        case frame_kind::qcn:
        case frame_kind::foreign:
        case frame_kind::count:
            break;
    }
    return 0;
}

/// What tells the flows between two addresses apart.
std::uint64_t flow_bits(const ethernet_frame& frame) {
    return transport_bits(frame.kind) | std::uint64_t{frame.path_tag} |
           (frame.is_of_transfer() ? std::uint64_t{frame.transfer.connection} << 16 : 0);
}

/// Maps a hash to 0 to count - 1 by its high bits, without a division.
constexpr unsigned scale(std::uint64_t hash, unsigned count) {
    __extension__ using wide = unsigned __int128;
    return static_cast<unsigned>((static_cast<wide>(hash) * count) >> 64);
}

}  // namespace

std::uint64_t flow_hash_of(const ethernet_frame& frame, std::uint64_t salt) {
    const std::uint64_t addresses = (std::uint64_t{to_uint(frame.src)} << 32) | to_uint(frame.dst);
    return random_stream::mix(random_stream::mix(random_stream::mix(addresses) + salt) + flow_bits(frame));
}

unsigned flow_hash_selector::select(const port_choice& choice) const {
    const unsigned count = choice.acceptable.count();
    return choice.acceptable.nth(count > 1 ? scale(flow_hash_of(choice.frame, m_salt), count) : 0);
}

}  // namespace weir::model
