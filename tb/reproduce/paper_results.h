// results.json and results.md of a reproduction: each statement with the paper's number, ours, its interval and
// the verdict. Nothing in them differs between two runs of the same command.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tb/reproduce/judge_statement.h"
#include "tb/reproduce/paper.h"

namespace weir::tb {

struct judged_statement {
    const paper_statement* statement;
    judgement ours;
    /// Verdict that this kind of reproduction is expected to find.
    paper_verdict recorded = paper_verdict::not_judged;
    bool as_recorded = true;
};

/// Compares a verdict with the recorded one. `recorded_seeds`: the seeds are those of the record; with others,
/// a verdict that is another one counts only where it is sure, and is `not judged` else. The same is a
/// statement that is not recorded for --quick.
judged_statement compare_with_record(const paper_statement& s, judgement ours, bool quick, bool recorded_seeds);

struct drawn_figure {
    const paper_figure* figure;
    bool is_drawn = false;
    /// Why it is not.
    std::string why_not;
    /// Its numbers, as a table in Markdown.
    std::string numbers;
};

struct paper_results {
    const paper* about = nullptr;
    bool quick = false;
    std::vector<std::uint64_t> seeds;
    std::vector<judged_statement> statements;
    /// The figures that were asked for.
    std::vector<drawn_figure> figures;
};

nlohmann::ordered_json to_json(const paper_results& results);
std::string to_markdown(const paper_results& results);
/// A line per statement.
void print_results(std::ostream& out, const paper_results& results);

}  // namespace weir::tb
