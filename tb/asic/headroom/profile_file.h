// SONiC's pg_profile_lookup.ini: buffer of a priority group by speed and cable length. `#` starts a comment. It
// is read, written, and compared with what a formula gives.
//
//     # speed cable  size  xon    xoff   threshold  [xon_offset]
//     100000    40m  58368 19456  38912          0
//
// Speeds are in Mb/s, sizes in bytes; its xoff is the headroom. Read by sonic-swss, cfgmgr/buffermgr.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/model/flow_control/headroom_budget.h"

namespace weir::tb {

struct profile_row {
    bit_rate speed{0};
    millimetres cable{0};
    bytes size{0};
    bytes xon{0};
    /// The file's xoff.
    bytes headroom{0};
    /// Log2 of alpha, or bytes where the pool is static.
    std::int64_t threshold = 0;
    /// Of a factor that shared memories take: 2^-9 is above 0.001, 2^10 the largest.
    static constexpr field_range<std::int64_t> threshold_range{-9, 10};
    std::optional<bytes> xon_offset;
    /// In the file; 0 for a row that was computed.
    int line = 0;
};

struct profile_file {
    std::vector<profile_row> rows;
    config_errors errors;
};

/// `name` is what errors call the file. Errors: a line that has not 6 or 7 fields, a field that is no number or
/// no length, a speed and length twice, no rows at all.
profile_file read_profile_file(std::istream& in, const std::string& name);

/// `made_by` becomes a comment.
void write_profile_file(std::ostream& out, const std::vector<profile_row>& rows, const std::string& made_by);

/// What headrooms of one speed gain per metre of cable. A table that no formula is known for can still be read:
/// that, over what a cable really holds there and back, is the memory that its author thinks a byte on the wire
/// may take.
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
