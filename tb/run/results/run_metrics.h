// Metrics that a run computes at its end, where `output.metrics` names them: each is an entry of the catalogue
// and a function. The list is in run_metrics.cpp. Plugins add theirs before options are read.
//
//   add_metric({metric_entry("transfers.left", "Transfers that did not complete", json_kind::count)
//                   .better(metric_direction::lower),
//               [](const run_results&, const run_summary& s) { return s.flows_unfinished; }});
#pragma once

#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/run/results/metric_catalogue.h"
#include "tb/run/results/run_tables.h"
#include "tb/run/results/summary_writer.h"

namespace weir::tb {

struct run_metric {
    /// Its key is the place in summary.json: `offered.bps`.
    metric_entry entry;
    /// Returns the value; null if there is nothing to measure. Called after the tables are written; the summary
    /// is complete but for metrics on request. All ranks call it, and rank 0 writes what it returns.
    std::function<nlohmann::ordered_json(const run_results&, const run_summary&)> value;
};

const std::deque<run_metric>& run_metrics();

/// Adds a metric from outside this tree. Its key is FAMILY.NAME, in small letters, digits and underscores.
/// Throws std::logic_error if it is not, if plain runs have metrics of that family, or if the key is taken.
void add_metric(run_metric another);

/// Computes the wanted metrics and adds them to the summary. Collective.
void compute_metrics(const std::vector<std::string>& wanted, const run_results& results, run_summary& summary);

}  // namespace weir::tb
