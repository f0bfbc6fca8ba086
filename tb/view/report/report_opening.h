// The first table of a page: verdict, completed transfers and decisive options of each run, sweep, search or
// reproduction.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/summary/effective_options.h"

namespace weir::tb {

struct opening {
    std::string label;
    /// Names and texts, in the order of the page; `-`: not known, or without effect. All openings of a page
    /// have the same names.
    std::vector<std::pair<std::string, std::string>> facts{};
    bool has_unfinished = false;

    void add(const std::string& name, const std::string& text) { facts.emplace_back(name, text); }
    /// `Transfers completed`, as `3,568 of 10,673`, and `Transfers unfinished`. `completed` is null if it is
    /// not known, `unfinished` if there are none.
    void add_counts(const std::string& what, const nlohmann::ordered_json& completed,
                    const nlohmann::ordered_json& unfinished);
    /// Adds the decisive options (report_opening.cpp) that have an effect in some of these runs. Thresholds of
    /// flow control that are auto have the bytes that the links give: `auto: 9,893 B`.
    void add_options(std::vector<effective_options> runs);
};

/// Values that an option has in these runs, each once: `baseline, detail`; `-` if none has it. Only runs for
/// which counts(place of the run) is true count, if it is given.
std::string values_text(const std::vector<effective_options>& runs, const std::string& key,
                        const std::function<bool(std::size_t)>& counts = nullptr);

/// A table (report_tables.h) with a column for each opening. A fact without a text in any of them is left out.
nlohmann::ordered_json opening_table(const std::vector<opening>& all);

}  // namespace weir::tb
