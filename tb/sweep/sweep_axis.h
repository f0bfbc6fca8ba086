// One `--vary`: options that move together, and the values that they take.
//
//     --vary switch.scheme=baseline,detail                  a list
//     --vary switch.ingress_buffer=64KiB..256KiB:64KiB      a range, see value_range.h; lists may hold ranges
//     --vary "pfc.xoff,pfc.xon=(20KB,10KB),(40KB,20KB)"     options that move together
//     --vary "traffic.response_sizes=(2KB,8KB),(32KB)"      a value with commas stands in brackets
//     --vary "fabric.link+=tor0 root0 down,tor0 root1 down" adds a line to those of the file
#pragma once

#include <string>
#include <vector>

#include "tb/options/option_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct sweep_axis {
    /// As the table has them; `KEY+` where values are added to those that the option has.
    std::vector<std::string> keys;
    /// values[i][k]: of keys[k] at the i-th place, as the option prints it (a path as it was given).
    std::vector<std::vector<std::string>> values;

    bool operator==(const sweep_axis& other) const { return keys == other.keys && values == other.values; }
};

struct axis_result {
    sweep_axis axis;
    config_errors errors;
};

/// Reads the argument of one `--vary`, or of another `option` of that form, whose values options of `table`
/// must accept. Errors, all with the key `--vary KEYS`: a form that is none of the above; an unknown option, or
/// one twice; `run.seed`, which `--seeds` is for; one that results do not depend on; a value that the option
/// refuses; the same values twice.
axis_result read_axis(const std::string& text, const option_table& table, const char* option = "--vary");

/// Parts between commas that stand in no brackets, without the blanks round them. Errors: brackets that do not
/// match.
parse_result<std::vector<std::string>> split_at_commas(const std::string& text);

}  // namespace weir::tb
