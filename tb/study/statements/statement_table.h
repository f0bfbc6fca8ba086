// statements.csv of a paper: what it says, and how the same is computed here. docs/reproduce.md describes the
// columns.
//
//     figure,id,says,paper,kind,metric,experiment,at,of,against,take,tolerance,recorded,quick,cause,source
//     8,gain,DeTail is 81 % below,81%,below,fct_ns.p99,steady,traffic.rate=2500,
//                                              switch.scheme=detail,switch.scheme=fc,,30% of
//                                              effect,agrees,,,8.1
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/statements/experiment_table.h"
#include "tb/study/statements/paper_number.h"
#include "tb/study/sweep/point_choice.h"
#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

/// Selects among several places of a statement.
enum class place_take : std::uint8_t {
    all,       ///< every place
    least,     ///< the place with the least mean
    most,      ///< the place with the greatest mean
    mean,      ///< the average over places, seed by seed
    ends,      ///< the least and the greatest place, against both ends of the paper's range
    majority,  ///< more than half of the places
    change,    ///< the last value of the first option in `at`, compared with the first
    spread,    ///< the greatest place divided by the least
    least_run,
    most_run,
    count
};
constexpr auto names_of(place_take) {
    return enum_names<place_take>({{place_take::all, "all"},
                                   {place_take::least, "min"},
                                   {place_take::most, "max"},
                                   {place_take::mean, "mean"},
                                   {place_take::ends, "ends"},
                                   {place_take::majority, "majority"},
                                   {place_take::change, "change"},
                                   {place_take::spread, "spread"},
                                   {place_take::least_run, "min run"},
                                   {place_take::most_run, "max run"}});
}

enum class paper_verdict : std::uint8_t {
    agrees,
    in_order,  ///< the winner is the paper's, the size of the difference is not
    differs,
    not_stated,     ///< the paper gives no number
    by_arithmetic,  ///< a closed form gives the paper's number; nothing was simulated
    not_judged,     ///< there are too few values to say
    failed,         ///< a run that the statement needs has failed
    count
};
constexpr auto names_of(paper_verdict) {
    return enum_names<paper_verdict>({{paper_verdict::agrees, "agrees"},
                                      {paper_verdict::in_order, "agrees in order"},
                                      {paper_verdict::differs, "differs"},
                                      {paper_verdict::not_stated, "not stated"},
                                      {paper_verdict::by_arithmetic, "by arithmetic"},
                                      {paper_verdict::not_judged, "not judged"},
                                      {paper_verdict::failed, "failed"}});
}

/// Why a statement differs.
enum class difference_cause : std::uint8_t { parameter, statistic, model, paper, unknown, count };
constexpr auto names_of(difference_cause) {
    return enum_names<difference_cause>({{difference_cause::parameter, "parameter"},
                                         {difference_cause::statistic, "statistic"},
                                         {difference_cause::model, "model"},
                                         {difference_cause::paper, "paper"},
                                         {difference_cause::unknown, "unknown"}});
}

/// The points of one experiment that a statement is about.
struct statement_scope {
    /// Place in the table of experiments.
    std::size_t experiment = 0;
    choice at;
    /// Options of `at` over whose values each operand is averaged before operands are compared: `mean(KEY)`.
    std::vector<std::string> averaged;
    /// The points that are measured, compared, or put into order.
    std::vector<choice> operands;
};

struct paper_statement {
    std::string figure;
    std::string id;
    /// The experiment's name, of a row with several columns (`a|b` in `experiment`); else empty.
    std::string column;
    std::string says;
    paper_range paper;
    paper_tolerance tolerance;
    statement_kind kind = statement_kind::value;
    /// Names or patterns; `A/B` is one metric divided by another of the same run.
    std::vector<std::string> metrics;
    std::vector<statement_scope> scopes;
    /// Rank of each operand of an order: each operand of a rank is below each of the next rank.
    std::vector<std::size_t> ranks;
    /// True for an order with `take = mean`: the last operand divides the others at each place.
    bool is_relative = false;
    /// Operands are averaged over the seeds before they are compared: `mean(seeds)`.
    bool over_seeds = false;
    place_take take = place_take::all;
    /// Place in `at` of the option of which some value has to agree, with `any`.
    std::optional<std::size_t> any;
    /// The bound of `up to`. Unit: the metric's.
    std::optional<double> bound;
    /// Ids of the rows that a difference of rows compares: the first less the sum of the others.
    std::vector<std::string> rows;
    /// Number of the kind `closed`, by arithmetic; nothing if weir has none.
    std::optional<double> closed;
    paper_verdict recorded = paper_verdict::not_judged;
    bool is_recorded = false;
    paper_verdict quick = paper_verdict::not_judged;
    std::optional<difference_cause> cause;
    /// The experiment that shows the cause, or `untested`.
    std::string shown_by;
    std::string source;
};

std::vector<paper_statement> read_statements(const std::filesystem::path& folder,
                                             const std::vector<paper_experiment>& experiments,
                                             config_errors& errors);

}  // namespace weir::tb
