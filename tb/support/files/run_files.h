// What a run's directory may hold: each file by its name, with what it holds and when. docs/output-files.md has
// the same list, and a test compares them.
//
//   run_files().add({"run.vcd", "waveforms of chosen switches", {"`trace.wave = run.vcd`"}});
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "weir/base/registry.h"

namespace weir::tb {

/// What a table is written from, at the end of a run; run/results/run_tables.h.
struct run_results;

enum class run_file : std::uint16_t {};

struct run_file_traits {
    /// Of the page, in words: `always`, or the option.
    std::string when;
    /// Whether this run has it; none: always.
    std::function<bool(const run_results&)> wanted{};
    /// Creates and writes it, when the run has come to its end. None: another part of the program does, during
    /// the run or together with another file. Throws output_error.
    std::function<void(run_results&)> write{};
    /// Explains a run that a violation or a deadlock has ended: written then too.
    bool explains_failures = false;
    /// Schema of a table (record/table_schema.h). None: the file is no table.
    nlohmann::ordered_json (*schema)() = nullptr;
};

/// Also the order in which the tables are written, and old ones removed: the mark of a complete run comes
/// first. The list is in run/results/run_tables.cpp, which knows who writes them.
registry<run_file, run_file_traits>& run_files();

}  // namespace weir::tb
