#include "weir/model/forwarding/port_selector.h"

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

/// Position of the `n`-th bit that is set, counted from 0; there must be one.
unsigned nth_bit(std::uint64_t word, unsigned n) {
#ifdef __BMI2__
    word = __builtin_ia32_pdep_di(std::uint64_t{1} << n, word);
#else
    for (; n > 0; --n) {
        word &= word - 1;
    }
#endif
    return static_cast<unsigned>(__builtin_ctzll(word));
}

/// Any member of the set with equal probability; draws only if there is more than one.
unsigned random_member(const port_bitmap& candidates, random_stream& chance) {
    const unsigned count = candidates.count();
    return candidates.nth(count > 1 ? chance.below(count) : 0);
}
unsigned random_member(std::uint64_t candidates, random_stream& chance) {
    const auto count = static_cast<unsigned>(__builtin_popcountll(candidates));
    return nth_bit(candidates, count > 1 ? chance.below(count) : 0);
}
static_assert(port_bitmap{}.nth(0) == no_port, "the empty set has no member");

}  // namespace

std::uint64_t flow_hash_of(const ethernet_frame& frame, std::uint64_t salt) {
    const std::uint64_t addresses = (std::uint64_t{to_uint(frame.src)} << 32) | to_uint(frame.dst);
    return random_stream::mix(random_stream::mix(random_stream::mix(addresses) + salt) + flow_bits(frame));
}

unsigned flow_hash_selector::select(const port_choice& choice) const {
    const unsigned count = choice.acceptable.count();
    return choice.acceptable.nth(count > 1 ? scale(flow_hash_of(choice.frame, m_salt), count) : 0);
}

unsigned packet_scatter_selector::select(const port_choice& choice) const {
    return random_member(choice.acceptable, choice.ports.chance);
}

unsigned adaptive_selector::select(const port_choice& choice) const {
    const egress_view& egress = choice.egress;
    const port_bitmap* const favored = egress.favored + choice.frame.priority;
    if (egress.one_word) {
        const std::uint64_t acceptable = choice.acceptable.word(0);
        for (unsigned level = 0; level < egress.levels; ++level) {
            const std::uint64_t candidates = acceptable & favored[level * pfc_classes].word(0);
            if (candidates != 0) {
                return random_member(candidates, choice.ports.chance);
            }
        }
        return acceptable != 0 ? random_member(acceptable, choice.ports.chance) : no_port;
    }
    for (unsigned level = 0; level < egress.levels; ++level) {
        const port_bitmap candidates = choice.acceptable & favored[level * pfc_classes];
        if (candidates.any()) {
            return random_member(candidates, choice.ports.chance);
        }
    }
    return random_member(choice.acceptable, choice.ports.chance);
}

unsigned least_loaded_selector::select(const port_choice& choice) const {
    port_bitmap least_loaded;
    std::uint32_t least = ~std::uint32_t{0};
    choice.acceptable.for_each([&](unsigned egress_port) {
        const std::uint32_t drain_bytes =
            choice.egress.drain_bytes[egress_port * pfc_classes + choice.frame.priority];
        if (drain_bytes < least) {
            least = drain_bytes;
            least_loaded = port_bitmap{};
        }
        if (drain_bytes == least) {
            least_loaded.set(egress_port);
        }
    });
    return random_member(least_loaded, choice.ports.chance);
}

unsigned port_selector::select(const port_choice& choice) const {
    switch (m_policy) {
        case balance_policy::flow_hash:
            return m_flow_hash.select(choice);
        case balance_policy::packet_scatter:
            return packet_scatter_selector{}.select(choice);
        case balance_policy::adaptive:
            return adaptive_selector{}.select(choice);
        case balance_policy::least_loaded:
            return least_loaded_selector{}.select(choice);
        case balance_policy::d_mod_k:
        case balance_policy::s_mod_k:
            break;
    }
    return no_port;
}

}  // namespace weir::model
