// results.json and results.md of a reproduction: each statement with the paper's number, ours, its interval and
// the verdict. Nothing in them differs between two runs of the same command.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/reproduce/paper_plan.h"
#include "tb/study/statements/judge_statement.h"
#include "tb/view/chart/gnuplot.h"

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

/// Each statement judged by the runs of a reproduction, and each figure as a picture and as numbers.
struct paper_evaluation {
    paper_results results;
    /// Pictures of the figures that can be drawn, in the order of the table.
    std::vector<picture> pictures;
};

/// `figures`: those that were asked for, whose runs have ended; empty: all. Others whose runs are there come
/// too. A statement one of whose runs failed, or lost a frame of a lossless class, is `failed`.
paper_evaluation evaluate(const paper& p, const paper_plan& plan, const campaign_layout& layout,
                          const std::vector<std::string>& figures);

/// The seeds for which the table of statements has verdicts.
std::vector<std::uint64_t> recorded_seeds(const paper& p, bool quick);

nlohmann::ordered_json to_json(const paper_results& results);
std::string to_markdown(const paper_results& results);
/// A line per statement.
void print_results(std::ostream& out, const paper_results& results);

/// Contents of the results.json of a finished reproduction.
struct recorded_statements {
    std::string paper;
    bool quick = false;
    /// A line per statement: where, what the paper says, its number, ours, the verdict, the interval, and the
    /// cause of a difference with other notes.
    std::vector<std::vector<std::string>> lines;
    std::map<std::string, std::size_t> verdicts;
    /// Causes of the statements that differ.
    std::map<std::string, std::size_t> causes;

    /// `agrees: 21, differs: 31`
    std::string counts() const;
};
recorded_statements read_statements(const std::filesystem::path& directory, config_errors& errors);

/// One table over several papers: each statement of their results.json with its verdict, in Markdown.
/// `directories`: of finished reproductions. Adds what is wrong with one to `errors`.
std::string results_index(const std::vector<std::filesystem::path>& directories, config_errors& errors);

}  // namespace weir::tb
