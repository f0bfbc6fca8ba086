// What a finished search says: an answer for each line of places, the front of two options, and what is proven.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "tb/study/size/size_plan.h"
#include "tb/study/size/size_search.h"

namespace weir::tb {

/// Answer of one line; its places are points of the plan.
struct size_line : line_answer {
    /// On the Pareto front of two options; of `each`: no other line has a better answer. None where `each`
    /// varies the traffic, which a designer cannot choose.
    bool best = false;
    /// Value of the first of two axes, or of `each`; empty where there is one line.
    std::string of;
    /// Places that the line has, and how many were looked at.
    std::size_t places = 0;
    std::size_t looked_at = 0;
};

/// Value of a relative goal's metric at a reference point.
struct reference_answer {
    std::size_t point = 0;
    std::size_t goal = 0;
    /// Number of runs: that of the compared point with most runs.
    std::size_t runs = 0;
    goal_estimate value = {};
};

struct size_answer {
    /// Of `each`, met: every line is; not_met: some line is not met, or not possible. Else met: some line is;
    /// not_met: none is, nor may be.
    verdict state = verdict::not_decided;
    std::vector<size_line> lines;
    /// Lines that are met.
    std::size_t met = 0;
    /// Number of runs that count, including those of reference points.
    std::size_t runs = 0;
    std::size_t looked_at = 0;
    /// One for each relative goal and reference point, in the order of the points.
    std::vector<reference_answer> references;
    /// Number of runs with unfinished transfers, and of these transfers, at tried points.
    std::size_t with_unfinished = 0;
    std::uint64_t unfinished = 0;
    /// Number of runs whose bounds do not decide a goal, of all goals.
    std::size_t undecided = 0;
    /// Number of reference points that are not tried points.
    std::size_t reference_points = 0;
};

size_answer answer_of(const size_plan& plan, const size_search& search);

/// `met`, or of several lines `2 of 6 met`.
std::string state_text(const size_plan& plan, const size_answer& answer);
/// What makes a point one of the answers: `smallest`, `front` for the Pareto front, `met` for `each` alone;
/// empty where it is none.
std::string role_of(const size_plan& plan, const size_answer& answer, std::size_t point);

/// In words, a line each: `smallest switch.ingress_buffer: 18KiB, met (212 runs)`, and what limits it.
std::vector<std::string> answer_lines(const size_plan& plan, const size_search& search,
                                      const size_answer& answer);

// The files of a search: a row per place, a row per run, and the answer; and the table for people.

/// A search as its files, tables and pictures show it.
struct finished_search {
    const size_plan& plan;
    const size_search& search;
    const size_answer& answer;
    const refusals& refused;

    /// Returns the verdict of the search about a place, or not_possible.
    verdict verdict_at(std::size_t point) const {
        return refused[point].empty() ? search.judge(point).state() : verdict::not_possible;
    }
    /// True if tables and pictures show a place: it was looked at, or is not possible.
    bool is_shown(std::size_t point) const { return !refused[point].empty() || search.judge(point).runs() > 0; }
};

/// curve.csv, runs.csv and answer.json; each takes its name when it is whole. `lines`: the answer in words.
/// Throws output_error.
void write_size_tables(const finished_search& all, const std::vector<std::string>& lines,
                       const std::filesystem::path& directory);
/// Prints the points that were looked at or refused, at most `most_rows`. Answers are marked.
void print_places(std::ostream& out, const finished_search& all, std::size_t most_rows = 100);

}  // namespace weir::tb
