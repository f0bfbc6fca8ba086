// One `--vary`: options that move together, and the values that they take.
//
//     --vary switch.scheme=baseline,detail                  a list
//     --vary switch.ingress_buffer=64KiB..256KiB:64KiB      a range; lists may hold ranges
//     --vary "pfc.xoff,pfc.xon=(20KB,10KB),(40KB,20KB)"     options that move together
//     --vary "traffic.response_sizes=(2KB,8KB),(32KB)"      a value with commas stands in brackets
//     --vary "fabric.link+=tor0 root0 down,tor0 root1 down" adds a line to those of the file
//
//   expand_range(quantity_kind::bytes, range_text("64KiB..256KiB:64KiB"));   // 64KiB, 128KiB, 192KiB, 256KiB
//   expand_range(quantity_kind::time, range_text("1us..100us:log:5"));       // 1us, 3.162us, 10us, ...
//   expand_range(quantity_kind::share, range_text("10%..90%:lin:3"));        // 10%, 50%, 90%
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/run_config.h"
#include "tb/study/campaign/campaign.h"
#include "tb/study/points/quantity.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct sweep_axis {
    /// As the table has them; `KEY+` where values are added to those that the option has.
    std::vector<std::string> keys;
    /// values[i][k]: of keys[k] at the i-th place, as the option prints it (a path as it was given).
    std::vector<std::vector<std::string>> values;

    bool has(const std::string& key) const { return std::find(keys.begin(), keys.end(), key) != keys.end(); }
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

/// The options that axes name. Values such as `120c` count cells of the configuration that is given.
class axis_options {
 public:
    explicit axis_options(const point_arguments& given);
    const option_table& table() const { return m_table; }

 private:
    run_config m_scratch;
    option_table m_table;
};

/// Reports options that two axes have, or that have a fixed value too. `how`: `varied`, `searched`.
void check_axes(const std::vector<sweep_axis>& axes, const std::vector<std::string>& overrides,
                const std::string& how, config_errors& errors);

/// Parts between commas that stand in no brackets, without the blanks round them. Errors: brackets that do not
/// match.
parse_result<std::vector<std::string>> split_at_commas(const std::string& text);

/// Most values of one range.
inline constexpr std::size_t most_range_values = 10'000;

/// A text with `..` in it is meant as a range.
bool is_range(std::string_view text);

/// Parts of a range.
struct range_text {
    explicit range_text(std::string text);
    std::string whole() const;

    std::string low;
    std::string high;
    /// A step, `lin` or `log`.
    std::string rule;
    std::string count;
};

/// `low..high:step` steps from low to high and has to reach it; `low..high:lin:n` and `low..high:log:n` are n
/// values at equal distances and at equal ratios. Both ends are included. Values between the ends of `lin`
/// and `log` are rounded to four digits, unless they are whole numbers of the smallest unit (16KiB..1MiB:log:7
/// are powers of two). The texts are those of print_quantity.
/// Errors: an end or a step that cannot be read; high not above low; a step that misses the end; fewer than 2
/// or more than `most_range_values` values; two values that are equal once rounded.
parse_result<std::vector<std::string>> expand_range(quantity_kind kind, const range_text& range);

}  // namespace weir::tb
