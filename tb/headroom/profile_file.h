// SONiC's pg_profile_lookup.ini: buffer of a priority group by speed and cable length. `#` starts a comment.
//
//     # speed cable  size  xon    xoff   threshold  [xon_offset]
//     100000    40m  58368 19456  38912          0
//
// Speeds are in Mb/s, sizes in bytes; its xoff is the headroom. Read by sonic-swss, cfgmgr/buffermgr.cpp.
#pragma once

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
    /// In the file; 0 for a row that was computed.
    int line = 0;
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

}  // namespace weir::tb
