// The files of a search: a row per place, a row per run, and the answer; and the table for people.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "tb/size/size_answer.h"

namespace weir::tb {

/// Why places are left out: by point, what the configuration's check says; empty where nothing is wrong.
using refusals = std::vector<std::vector<std::string>>;

/// What the search says of a place, or not_possible.
verdict verdict_at(const size_search& search, const refusals& refused, std::size_t point);
/// Whether tables and pictures show a place: it was looked at, or is not possible.
bool is_shown(const size_search& search, const refusals& refused, std::size_t point);

/// curve.csv, runs.csv and answer.json; each takes its name when it is whole. Throws output_error.
void write_size_tables(const size_plan& plan, const size_search& search, const size_answer& answer,
                       const refusals& refused, const std::filesystem::path& directory);

/// Places that were looked at, or are not possible; at most `most_rows`. Answers are marked.
void print_places(std::ostream& out, const size_plan& plan, const size_search& search,
                  const size_answer& answer, const refusals& refused, std::size_t most_rows = 100);

}  // namespace weir::tb
