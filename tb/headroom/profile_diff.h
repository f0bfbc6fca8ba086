// A SONiC file beside what a formula gives: row by row, and by speed what goes with the cable and what does
// not.
//
// A table that no formula is known for can still be read: what its headroom gains per metre, over what a cable
// really holds there and back, is the memory that its author thinks a byte on the wire may take.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/headroom/profile_file.h"

namespace weir::tb {

struct speed_fit {
    bit_rate speed{0};
    /// Between the shortest and the longest cable; 0 where there is one length only. Unit: B/m.
    double bytes_per_metre = 0;
    /// That over what a metre holds, both ways.
    double of_round_trip = 0;
    /// What is left at 0 m. Unit: B.
    double at_no_cable = 0;
    /// The largest distance of a row from that line. Unit: B.
    double off_line = 0;
};

/// By speed, in the order in which they first appear.
std::vector<speed_fit> fit_by_speed(const std::vector<profile_row>& rows, metres_per_second propagation);

/// Prints both comparisons. Returns the number of rows whose size, xon or headroom differ.
std::size_t print_diff(std::ostream& out, const std::vector<profile_row>& file,
                       const std::vector<profile_row>& computed, const std::string& name,
                       metres_per_second propagation);

}  // namespace weir::tb
