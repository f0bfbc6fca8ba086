// A number of a paper, as statements.csv has it, and how far a measured number may be from it.
//
//   const paper_range r = read_paper_range("7..65%", statement_kind::below, "fct_ns.p99").value;
//   r.low;                                                       // 7
//   read_tolerance("30% of effect", statement_kind::below).value.accepted(r.low, r.high);     // 4.95 to 74.5 %
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "weir/base/enum_names.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

enum class statement_kind : std::uint8_t {
    value,
    ratio,
    below,
    difference,
    share,
    equivalent,
    order,
    closed,
    count
};
constexpr auto names_of(statement_kind) {
    return enum_names<statement_kind>({{statement_kind::value, "value"},
                                       {statement_kind::ratio, "ratio"},
                                       {statement_kind::below, "below"},
                                       {statement_kind::difference, "difference"},
                                       {statement_kind::share, "share"},
                                       {statement_kind::equivalent, "equivalent"},
                                       {statement_kind::order, "order"},
                                       {statement_kind::closed, "closed"}});
}

/// A number (`low` and `high` are equal), a range, or a bound (one end is infinite).
struct paper_range {
    bool stated = false;
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
    /// True for `not 1`: any number but `low`.
    bool is_excluded = false;
    /// Unit of both ends, and how many of the metric's units it has.
    std::string unit;
    double scale = 1;
    /// The text in the table.
    std::string text;
};

/// The numbers that agree with the paper's, in the paper's unit.
struct accepted_range {
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
};

/// Reads `40ms`, `7..65%`, `>40%`, `<3` or `not 1`. A value and a difference have a unit of the metric,
/// `below` and `share` have %, and other kinds have none.
parse_result<paper_range> read_paper_range(const std::string& text, statement_kind kind,
                                           const std::string& metric);

/// How far from the paper's a number of this kind may be: `20%` (of the number), `30% of effect`, or a number
/// in the paper's unit. The effect of a ratio r is ln r, so that a ratio and its inverse have the same
/// tolerance; the effect of a difference is the difference.
struct paper_tolerance {
    enum class shares : std::uint8_t { none, of_number, of_effect };

    statement_kind kind = statement_kind::value;
    shares share = shares::none;
    /// In percent, if it is a share.
    double value = 0;

    /// The numbers that agree with the range from `low` to `high`.
    accepted_range accepted(double low, double high) const;
};

/// An empty text allows no distance.
parse_result<paper_tolerance> read_tolerance(const std::string& text, statement_kind kind);

/// A number on the scale on which its effect is measured: the logarithm of a ratio, also of the one behind
/// `below`; other numbers as they are.
double effect_of(statement_kind kind, double number);
double number_of(statement_kind kind, double effect);

}  // namespace weir::tb
