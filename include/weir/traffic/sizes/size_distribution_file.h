// Size distributions from files.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/traffic/sizes/size_distribution.h"

namespace weir::traffic {

/// Unit of the second column of a distribution's file.
enum class cdf_unit : std::uint8_t { undeclared, percent, fraction };
constexpr auto names_of(cdf_unit) {
    return enum_names<cdf_unit>({
        {cdf_unit::undeclared, "undeclared", "no unit given; the file is refused"},
        {cdf_unit::percent, "percent", "0 to 100"},
        {cdf_unit::fraction, "fraction", "0 to 1"},
    });
}

/// What a distribution's file leaves open. Nothing is guessed: both must be declared.
struct cdf_file_units {
    cdf_unit fraction = cdf_unit::undeclared;
    bytes size{0};
    static constexpr const char* used = "traffic.distribution or traffic.background_distribution = file";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(used);
        fields(field("distribution_fraction", &self::fraction)
                   .help("Unit of the second column of traffic.distribution_file.")
                   .source("HPCC: percent; others: fraction"));
        fields(field("distribution_size", &self::size)
                   .range(0_B, 65'535_B)
                   .help("Unit of the first column of traffic.distribution_file: 1B, or the payload of a "
                         "packet if sizes are in packets. 0: no unit given; the file is refused.")
                   .source("HPCC: 1 B; others: packets of 1,460 B"));
    }
};

struct size_distribution_result {
    std::optional<size_distribution> value;
    /// At most 20, then `and n more`.
    config_errors errors;
};

/// Reads lines `size fraction`; `file` is the name for messages.
size_distribution_result read_size_distribution(std::istream& in, const std::string& file,
                                                cdf_file_units units);

}  // namespace weir::traffic
