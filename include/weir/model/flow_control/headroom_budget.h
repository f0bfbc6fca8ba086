// PFC headroom as a sum of named terms, by the formulas that people use: what an architect would otherwise keep
// in a spreadsheet. Exact arithmetic; rounded once, as each formula says.
//
//   headroom_budget_config config;                    // IEEE 802.1Qbb's terms
//   config.rate = 100_Gbps;
//   config.cable = millimetres{300'000};
//   const headroom_budget budget = make_headroom_budget(config);
//   budget.terms[1].name;                             // "PFC frame"
//   budget.headroom;                                  // bytes of memory, per port and class
//
//   config.profile = headroom_profile::spectrum4;     // sonic-swss, cfgmgr/buffer_headroom_mellanox.lua
//   config.cell = 192_B;
//   make_headroom_budget(config).headroom;            // 225,280 B: SONiC's table of the SN5600
//
// Headroom is what SONiC calls xoff. pfc_headroom.h has the closed form that the switch model itself keeps.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

/// Length of a cable or fibre. Unit: mm.
using millimetres = quantity<struct length_tag>;
/// Of a signal on it. Unit: m/s.
using metres_per_second = quantity<struct velocity_tag>;
/// A number of bytes that need not be whole. 1,024 bits hold every sum and product of terms in their ranges;
/// more is an exception.
using exact_integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::signed_magnitude, boost::multiprecision::checked, void>>;
using exact_bytes =
    boost::multiprecision::number<boost::multiprecision::rational_adaptor<exact_integer::backend_type>>;

enum class delay_unit : std::uint8_t {
    picoseconds,
    bit_times,
    quanta,      ///< 512 bit times
    millibytes,  ///< byte times / 1,000: 0.8 KiB is 819,200 of them
};

/// A delay of a link's end, in the unit that its source gives. A count in bits or bytes is a time at every
/// rate.
struct line_delay {
    delay_unit unit = delay_unit::picoseconds;
    std::int64_t count = 0;

    bool is_zero() const { return count == 0; }
};
/// What arrives in that time at `rate`.
exact_bytes bytes_of(const line_delay& delay, bit_rate rate);
/// The time that `count` bytes take at `rate`, rounded up.
picoseconds time_of(const exact_bytes& count, bit_rate rate);

enum class headroom_profile : std::uint8_t {
    ieee_802_1qbb,  ///< both frames, PFC frame, cable, interfaces, response
    detail,         ///< DeTail's equation 1: the same without the PFC frame
    spectrum,       ///< sonic-swss's formula as the tables of SN2700 have it
    spectrum4,      ///< sonic-swss's formula of today, as the tables of SN5600 have it
};

/// Frames of one length in a mix.
struct frame_share {
    /// Destination address to FCS. Unit: bytes.
    bytes length{0};
    /// Of all frames; the shares of a mix add up to 1. Unit: 1/1,000,000.
    std::int64_t millionths = 0;
};

/// What is not set is the profile's own (docs/headroom.md has the table).
struct headroom_budget_config {
    headroom_profile profile = headroom_profile::ieee_802_1qbb;
    bit_rate rate{100'000'000'000};
    static constexpr field_range rate_range{1_Mbps, 10'000_Gbps};
    millimetres cable{5'000};
    static constexpr field_range cable_range{millimetres{0}, millimetres{1'000'000'000}};
    /// 802.1Qbb and DeTail: 5 ns/m; spectrum: 1.98e8 m/s.
    std::optional<metres_per_second> propagation;
    static constexpr field_range propagation_range{metres_per_second{1'000'000},
                                                   metres_per_second{299'792'458}};
    /// Largest frame that the port carries: what XOFF may have to wait for. 9,216 B; DeTail 1,530 B.
    std::optional<bytes> port_mtu;
    /// Largest frame of a lossless class. 802.1Qbb and DeTail: port_mtu; spectrum: 1,024 B.
    std::optional<bytes> lossless_mtu;
    static constexpr field_range mtu_range{64_B, 65'535_B};
    /// Preamble and gap, with each frame. 20 B; DeTail 0 B; spectrum's formula counts none, the simulation 20
    /// B.
    std::optional<bytes> wire_overhead;
    static constexpr field_range wire_overhead_range{0_B, 1000_B};
    /// Packet memory's cell; 0 counts single bytes. spectrum 96 B, spectrum4 192 B, else 0.
    std::optional<bytes> cell;
    static constexpr field_range cell_range{0_B, 65'535_B};
    /// The partner's response time. 802.1Qbb's by rate, DeTail's 2 quanta at 1 Gb/s, spectrum 3.8 KiB,
    /// spectrum4 SONiC's quanta by rate.
    std::optional<line_delay> response;
    /// MAC and PHY. 802.1Qbb and DeTail: of one end, transmitter and receiver, counted once each way
    /// (802.1Qbb's interface delay by rate; DeTail's transceivers, 5 us). spectrum: counted once in all (0.8
    /// KiB).
    std::optional<line_delay> mac_phy;
    /// FEC of one end beyond mac_phy; counted each way.
    line_delay fec;
    /// Counted each way.
    line_delay gearbox;
    /// From a frame's last bit to the decision for XOFF.
    line_delay pipeline;
    /// Of the ASIC's tiles. spectrum4: 120 ns, else 0; spectrum profiles only.
    std::optional<line_delay> tile;
    /// Share of frames of 64 B among frames of lossless_mtu. spectrum profiles only; 1.
    std::optional<double> small_packets;
    static constexpr field_range share_range{0.0, 1.0};
    /// A shared headroom pool is in use: no margin is added, and the port's own buffer is xon. spectrum
    /// profiles only.
    std::optional<bool> shared_headroom;
    /// Add 2 KiB where small packets are not all, no shared headroom is in use, and the result is more than 2
    /// KiB below the worst case. spectrum profiles only; true.
    std::optional<bool> margin;
    /// Frame lengths of the lossless traffic; empty: the length that takes most memory. Not with spectrum.
    std::vector<frame_share> mix;
    /// A shared pool may be full when a frame meets the threshold: the frame takes headroom, too. So it is with
    /// dynamic thresholds where alpha is large, or several groups fill the pool.
    bool full_pool = false;
    /// Lossless classes of a port.
    std::uint32_t lossless_classes = 1;
    static constexpr field_range lossless_classes_range{1U, 8U};
    /// Lanes of the port: with 8, spectrum doubles xon and adds one port MTU to the size. 8 at 800 Gb/s,
    /// else 4.
    std::optional<std::uint32_t> lanes;
    static constexpr field_range lanes_range{1U, 16U};
    /// XON threshold. spectrum 19 KiB, 38 KiB with 8 lanes; else 0.
    std::optional<bytes> xon;
    /// Buffer of the priority group. spectrum: by its formula; else xon + headroom.
    std::optional<bytes> size;
    static constexpr field_range size_range{0_B, bytes{std::int64_t{1} << 40}};

    /// Keys are `headroom.FIELD`.
    config_errors validate() const;
};

struct budget_term {
    std::string name;
    /// Its length on the wire.
    exact_bytes wire;
    /// What it may take in packet memory.
    exact_bytes memory;
    std::string source;
};

/// One direction of the link as the simulation needs it: what the budget is about, physically.
struct budget_link {
    /// Cable, interfaces, FEC and gearbox, one way. Rounded up.
    picoseconds one_way{0};
    /// T_R. Rounded up.
    picoseconds response{0};
    /// From the last bit to the decision for XOFF. Rounded up.
    picoseconds pipeline{0};
};

struct headroom_budget {
    /// With everything that was left open.
    headroom_budget_config used;
    std::vector<budget_term> terms;
    /// Memory that one byte on the wire takes in the terms that it applies to.
    exact_bytes memory_per_wire_byte;
    std::string memory_source;
    /// Sum of the terms' memory.
    exact_bytes sum;
    /// `headroom` is a multiple of it. Unit: bytes.
    bytes rounded_to{1};
    /// Per port and class.
    bytes headroom{0};
    /// What the frame that meets the threshold may take beside the pool: all of its memory, for a frame that
    /// finds no room for all of it takes none of the pool. It is part of `headroom` with `full_pool` only.
    bytes crossing{0};
    bytes xon{0};
    bytes size{0};
    budget_link link;
};

/// `config` is valid.
headroom_budget make_headroom_budget(const headroom_budget_config& config);

/// Most memory that frames of min_length to max_length may take per byte on the wire, and the length that does.
/// 1 where `cell` is 0.
struct crowded_length {
    bytes length{0};
    exact_bytes memory_per_wire_byte;
};
crowded_length most_crowded(bytes min_length, bytes max_length, bytes wire_overhead, bytes cell);

}  // namespace weir
