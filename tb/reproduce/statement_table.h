// statements.csv of a paper: what it says, and how the same is computed here. docs/reproduce.md describes the
// columns.
//
//     figure,id,says,paper,kind,metric,experiment,at,of,against,take,tolerance,recorded,quick,source
//     8,gain,DeTail is 81 % below,81%,below,fct_ns.p99,steady,traffic.rate=2500,
//                                                          switch.scheme=detail,switch.scheme=fc,,10,agrees,,8.1
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tb/reproduce/experiment_table.h"
#include "tb/reproduce/point_choice.h"
#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

enum class statement_kind : std::uint8_t { value, ratio, below, order, count };
constexpr auto names_of(statement_kind) {
    return enum_names<statement_kind>({{statement_kind::value, "value"},
                                       {statement_kind::ratio, "ratio"},
                                       {statement_kind::below, "below"},
                                       {statement_kind::order, "order"}});
}

/// Which of several places a statement is about.
enum class place_take : std::uint8_t { all, least, most, mean, count };
constexpr auto names_of(place_take) {
    return enum_names<place_take>({{place_take::all, "all"},
                                   {place_take::least, "min"},
                                   {place_take::most, "max"},
                                   {place_take::mean, "mean"}});
}

enum class paper_verdict : std::uint8_t {
    agrees,
    in_order,  ///< who wins is as stated, by how much is not
    differs,
    not_stated,  ///< the paper gives no number
    not_judged,  ///< there are too few values to say
    failed,      ///< a run that it needs has failed
    count
};
constexpr auto names_of(paper_verdict) {
    return enum_names<paper_verdict>({{paper_verdict::agrees, "agrees"},
                                      {paper_verdict::in_order, "agrees in order"},
                                      {paper_verdict::differs, "differs"},
                                      {paper_verdict::not_stated, "not stated"},
                                      {paper_verdict::not_judged, "not judged"},
                                      {paper_verdict::failed, "failed"}});
}

/// What a paper states: from `low` to `high`, which are equal for a number and infinite where there is no
/// bound.
struct paper_range {
    bool stated = false;
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
    /// Of both, and how many of the metric's units it has.
    std::string unit;
    double scale = 1;
    /// As the table has it.
    std::string text;
};

struct paper_statement {
    int line = 0;
    std::string figure;
    std::string id;
    std::string says;
    paper_range paper;
    statement_kind kind = statement_kind::value;
    std::vector<std::string> metrics;
    /// Place in the table of experiments.
    std::size_t experiment = 0;
    choice at;
    /// What is measured, compared, or put into order.
    std::vector<choice> operands;
    place_take take = place_take::all;
    /// Of `any`: place in `at` of the option of which some value has to agree.
    std::optional<std::size_t> any;
    /// Of `up to`. Unit: the metric's.
    std::optional<double> bound;
    /// In the paper's unit, at either end of the range.
    double tolerance_low = 0;
    double tolerance_high = 0;
    paper_verdict recorded = paper_verdict::not_judged;
    paper_verdict quick = paper_verdict::not_judged;
    std::string source;
};

std::vector<paper_statement> read_statements(const std::filesystem::path& folder,
                                             const std::vector<paper_experiment>& experiments,
                                             config_errors& errors);

/// A paper's number, range or bound, in a unit of the metric (`value`), in % (`below`) or without unit.
parse_result<paper_range> read_paper_range(const std::string& text, statement_kind kind,
                                           const std::string& metric);

}  // namespace weir::tb
