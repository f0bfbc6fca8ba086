// How many bytes of a lossless class can still arrive after its ingress buffer has asked for XOFF: the reserve,
// term by term.
//
//     T = t_o_local + t_pfc + t_p_out + t_r + t_o_partner + t_p_back  (+ lookup)
//
//     our port     |--t_o_local--|t_pfc|                                        | last byte arrives
//     wire                             \t_p_out                        /t_p_back
//     partner                           |--t_r--|-----t_o_partner-----|
//
// One worst case each: XOFF is decided just after our port began a frame of the largest size; the partner
// begins one just before its response time is over. Neither is preempted. DeTail (technical report, section
// 6.1, equation 1) leaves out t_pfc; 802.1Qbb counts it.
//
//   const pfc_headroom_terms t = pfc_headroom(config);      // 1 Gb/s, DeTail's numbers
//   t.total();                                              // 39.376 us
//   t.total_bytes();                                        // 4,922 B per class
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

/// Which equation.
enum class headroom_equation : std::uint8_t {
    full,       ///< every term
    detail_eq1  ///< DeTail's equation 1: without the PFC frame's own serialisation
};

struct pfc_headroom_config {
    /// Of the link, both ways. Range: above 0.
    bit_rate rate{0};
    /// Largest frame with preamble and gap. Unit: bytes. Default: 1,518 + 20 B; DeTail 1,530 B.
    bytes max_frame_wire_bytes{1'538};
    /// Default: 64 + 20 B.
    bytes pfc_frame_wire_bytes{84};
    /// T_P: propagation and transceivers, one way. DeTail: 1.6 us + 5 us.
    picoseconds one_way_latency{0};
    /// T_R: response time of the link partner. Unit: 512 bit times. See `response_quanta`.
    pause_quanta response{0};
    /// With `pfc.charge = enqueue` packet memory is charged after the lookup, so that XOFF is decided this much
    /// later than the frame arrived. 0 with `pfc.charge = arrival`.
    picoseconds lookup_delay{0};
    headroom_equation equation = headroom_equation::full;

    config_errors validate() const;
};

/// Each term is a time; `bytes_of` gives what arrives in it.
struct pfc_headroom_terms {
    bit_rate rate{0};
    /// The frame that our port is sending when XOFF is decided.
    picoseconds t_o_local{0};
    /// The PFC frame's own serialisation.
    picoseconds t_pfc{0};
    /// The PFC frame's way to the partner.
    picoseconds t_p_out{0};
    /// The partner's response.
    picoseconds t_r{0};
    /// The frame that the partner has begun before it stops.
    picoseconds t_o_partner{0};
    /// That frame's way to us.
    picoseconds t_p_back{0};
    /// Frames behind the one that crossed the threshold, which wait for their lookup uncharged.
    picoseconds t_lookup{0};

    picoseconds total() const { return t_o_local + t_pfc + t_p_out + t_r + t_o_partner + t_p_back + t_lookup; }
    /// Bytes on the wire in `time`, rounded up.
    bytes bytes_of(picoseconds time) const;
    /// The reserve per class. Rounded up once, from the total.
    bytes total_bytes() const { return bytes_of(total()); }
};

pfc_headroom_terms pfc_headroom(const pfc_headroom_config& config);

/// Whose response times.
enum class response_source : std::uint8_t {
    /// sonic-net/sonic-swss, cfgmgr/buffer_headroom_mellanox.lua, peer response by speed.
    sonic,
    /// 802.1Qbb, in bit times 30,720, 40,960, 60,416, 201,728, 463,360 (secondary source).
    ieee_802_1qbb
};

struct response_time {
    bit_rate rate;
    pause_quanta quanta;
    response_source source;
};

/// The tables; 802.1Qbb and SONiC differ at 10 Gb/s (60 and 67 quanta).
inline constexpr std::array<response_time, 15> response_times{{
    {100_Mbps, pause_quanta{1}, response_source::sonic},
    {1_Gbps, pause_quanta{2}, response_source::sonic},
    {10_Gbps, pause_quanta{67}, response_source::sonic},
    {25_Gbps, pause_quanta{80}, response_source::sonic},
    {40_Gbps, pause_quanta{118}, response_source::sonic},
    {50_Gbps, pause_quanta{147}, response_source::sonic},
    {100_Gbps, pause_quanta{394}, response_source::sonic},
    {200_Gbps, pause_quanta{453}, response_source::sonic},
    {400_Gbps, pause_quanta{905}, response_source::sonic},
    {800_Gbps, pause_quanta{905}, response_source::sonic},
    {10_Gbps, pause_quanta{60}, response_source::ieee_802_1qbb},
    {25_Gbps, pause_quanta{80}, response_source::ieee_802_1qbb},
    {40_Gbps, pause_quanta{118}, response_source::ieee_802_1qbb},
    {100_Gbps, pause_quanta{394}, response_source::ieee_802_1qbb},
    {400_Gbps, pause_quanta{905}, response_source::ieee_802_1qbb},
}};

/// DeTail's T_R, 1.024 us at 1 Gb/s (technical report, section 6.1).
inline constexpr pause_quanta detail_response{2};

/// The source's response time at this speed, or nothing: no value is made up for a speed that it has not.
std::optional<pause_quanta> response_quanta(bit_rate rate, response_source source = response_source::sonic);

}  // namespace weir::model
