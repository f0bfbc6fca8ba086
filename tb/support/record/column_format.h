// Values of tables as text: for people, where all numbers of a column have one format, and for programs.
//
//   people_text(12'300'000.5, metric_unit::time);     // 12.300 ms
//   people_text(66.8, {metric_unit::number, 0, " MiB"});    // 67 MiB
//   plain_text(12'300'000.5);                         // 12300000.5
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/support/text/text_format.h"

namespace weir::tb {

/// Unit of a value in a result file: ns, bit/s, B, percent, or none.
enum class metric_unit : std::uint8_t { time, rate, bytes, percent, number };

/// Format of the numbers of a column for people.
struct column_format {
    column_format(metric_unit its_unit = metric_unit::number, int its_decimals = -1,
                  const char* its_suffix = "")
        : unit(its_unit), decimals(its_decimals), suffix(its_suffix), is_grouped(its_decimals < 0) {}

    metric_unit unit;
    /// Decimals of numbers. Below 0: none if all are whole, else as many as give the largest one five digits,
    /// at most 3. Times and rates have three decimals.
    int decimals;
    /// Text behind each number, such as ` MiB`.
    const char* suffix;
    /// Commas separate thousands.
    bool is_grouped;
    /// Cells are aligned to the left. Those of a table's first column always are.
    bool is_left = false;

    /// Place of the unit of times (ns, us, ms, s) or of rates (kb/s, Mb/s, Gb/s, Tb/s).
    std::size_t unit_place = fitting_unit;

    /// Returns the same format with the decimals that suit a column of these values, and for times and rates
    /// with one unit. If the values fit different units, it is the largest one in which all but 0 are at least
    /// 0.1; each value keeps its own unit if some would have more than 7 digits before the point.
    column_format fit_to(const std::vector<const nlohmann::ordered_json*>& values) const;
};

/// Numbers with so many decimals, without separators: `12.5`.
inline column_format fixed(int decimals, const char* suffix = "") {
    return {metric_unit::number, decimals, suffix};
}

/// Texts, aligned to the left.
inline column_format to_the_left() {
    column_format format;
    format.is_left = true;
    return format;
}

/// `12.300 ms`, `9.380 Gb/s`, `12.76 %`, `1,234 B`; `-` for null, a text as it is, `none` for an empty list.
std::string people_text(const nlohmann::ordered_json& value, const column_format& format);

/// `12.300 ms` of a number of ns; `-` for null. `unit`: as for `duration_text`.
std::string time_text(const nlohmann::ordered_json& ns, std::size_t unit = fitting_unit);
/// `1,234,567`; `-` for null.
std::string tally_text(const nlohmann::ordered_json& count);
/// `12.76 %`; `-` for null.
std::string percent_text(const nlohmann::ordered_json& percent, int decimals = 2);

/// `value` with so many significant digits. Range of digits: 1 to 17.
double rounded(double value, int digits);
/// A number in decimal notation without an exponent, as short as it can be.
std::string decimal_text(double value);
/// A value for programs: the shortest text that reads back as the same number, without an exponent; texts of a
/// list with commas, or `none`; empty for null.
std::string plain_text(const nlohmann::ordered_json& value);
/// Names of an object's members, and their values for programs.
std::vector<std::string> names_in(const nlohmann::ordered_json& object);
std::vector<std::string> plain_texts(const nlohmann::ordered_json& object);
/// The value to twelve digits, so that machines agree; a whole number stays whole.
nlohmann::ordered_json plain_number(double value);

/// `p99_is_lower_bound`: the key that stands, with the value true, beside a percentile which is only known to
/// be at least its value.
std::string lower_bound_key(const std::string& percentile);

/// Mean of several runs with its confidence interval.
struct mean_interval {
    std::size_t n = 0;
    double mean = 0;
    /// Half of the interval's width; negative where fewer than two values give none.
    double half_width = -1;
    /// True if some value, and so the mean, is only known to be at least this. Then there is no width.
    bool is_lower_bound = false;

    bool has_width() const { return half_width >= 0; }
    double low() const { return mean - half_width; }
    double high() const { return mean + half_width; }
    mean_interval as_lower_bound() const { return {n, mean, -1, true}; }
};

/// `n`, `mean`, `low` and `high`; null where there is none.
nlohmann::ordered_json json_of(const mean_interval& interval);
/// ` +-11.2%`: half of the interval as a share of the mean; empty where there is none.
std::string width_text(const mean_interval& interval);

}  // namespace weir::tb
