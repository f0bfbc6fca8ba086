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
#include <string>
#include <vector>

#include "weir/model/flow_control/headroom_budget_config.h"

namespace weir::model {

/// A number of bytes that need not be whole. 1,024 bits hold every sum and product of terms in their ranges;
/// more is an exception.
using exact_integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::signed_magnitude, boost::multiprecision::checked, void>>;
using exact_bytes =
    boost::multiprecision::number<boost::multiprecision::rational_adaptor<exact_integer::backend_type>>;

/// What arrives in that time at `rate`.
exact_bytes bytes_of(const line_delay& delay, bit_rate rate);
/// The time that `count` bytes take at `rate`, rounded up.
picoseconds time_on_link(const exact_bytes& count, bit_rate rate);

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

}  // namespace weir::model
