// A metric computed from other metrics: `waste = 1 - goodput.bps / offered.bps`. Units are checked: a time is
// not added to a rate, and the end of the metric's name states the unit of the result (`_ns`, `_bytes`, `_bps`,
// `_percent`; none for a plain number).
//
//   const derived_metrics all = read_definitions({"tail = fct_ns.p99 / fct_ns.p50"}, errors);
//   all[0].evaluate({{9000, 9000}, {1500, 1500}});      // {6, 6}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// The values that a metric may have. `high` is infinite for a lower bound, else equal to `low`.
struct metric_range {
    double low = 0;
    double high = 0;
};

struct derived_metric {
    /// `waste` of `waste = 1 - goodput.bps / offered.bps`.
    std::string name;
    /// The whole definition.
    std::string text;
    /// Names of the metrics in the expression, in the order of their first use.
    std::vector<std::string> operands;

    /// The metric's range for these ranges of its operands. Returns nothing if a divisor may be 0.
    std::optional<metric_range> evaluate(const std::vector<metric_range>& of_operands) const;
};
using derived_metrics = std::vector<derived_metric>;

/// Reads `NAME = EXPRESSION`: metrics, quantities (`2`, `5%`, `10us`, `64KiB`, `100Gbps`), `+ - * /`, `min(a,
/// b)`, `max(a, b)` and parentheses. A tag with other characters than letters, digits, `_` and `-` stands in
/// quotes: `tags."a b".fct_ns.p99`. `known`: metrics that the expression may use beside those of summary.json.
parse_result<derived_metric> read_definition(const std::string& text, const derived_metrics& known = {});

/// Reads the definitions among `texts`, the values of `output.metrics`. They may use each other in any order;
/// those that others use come first. The last definition of a name counts. Keys of errors: `output.metrics[n]`.
derived_metrics read_definitions(const std::vector<std::string>& texts, config_errors& errors);

/// Another form of `--metric`, for help.
inline constexpr const char* definition_form = "'NAME = EXPRESSION'";
inline constexpr const char* definition_help =
    "a metric derived from others, such as 'waste = 1 - goodput.bps / offered.bps'; the end of\nNAME says the "
    "unit: _ns, _bytes, _bps, _percent, or none";

/// Adds the definitions among the texts of `--metric`; they replace those with the same name.
void add_definitions(const std::vector<std::string>& metrics, derived_metrics& all, config_errors& errors);

/// True for a word that no metric, table or goal uses otherwise.
bool is_free_metric_name(const std::string& name);

/// Null if no derived metric has the name.
const derived_metric* find_derived(const derived_metrics& all, const std::string& name);

/// Metrics that a run needs for `texts`: names as they are, and operands on request in place of definitions.
std::vector<std::string> with_operands(const std::vector<std::string>& texts);

}  // namespace weir::tb
