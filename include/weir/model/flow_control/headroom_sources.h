// Delays of a link's ends by rate, as the sources of headroom_budget.h have them, and what is put in their
// place at a rate that a source does not know.
#pragma once

#include <string>

#include "weir/model/flow_control/headroom_budget.h"

namespace weir::model {

struct sourced_delay {
    line_delay delay;
    /// Names the rate that the value is for where it is not the one asked for.
    std::string source;
};

/// T_R. A rate that the source does not have takes the next faster one's time, or the fastest one's quanta
/// beyond.
sourced_delay response_of(headroom_profile profile, bit_rate rate);

/// MAC and PHY. 802.1Qbb's interface delay (one end): 8,192 bit times at 10 Gb/s, 6,144 at 25, 24,576 at 40,
/// 122,880 at 100; other rates take the time of the next faster one, or of 100 Gb/s.
sourced_delay mac_phy_of(headroom_profile profile, bit_rate rate);

}  // namespace weir::model
