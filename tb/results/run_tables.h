// The tables of a run that are written at its end, as the registry of its files lists them (files/run_files.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/files/run_files.h"
#include "tb/results/averaged_time.h"
#include "tb/results/detour_counter.h"
#include "tb/results/limit_timeline.h"
#include "tb/results/resources.h"
#include "tb/results/sample_tables.h"
#include "weir/model/fabric/fabric.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

class flow_rates;
class port_series;
class sender_tables;
struct collector_options;

/// What a table is written from. All nodes have run to `end`, or, after a failure, some quantum less.
struct run_results {
    const run_directory& directory;
    const collector_options& options;
    fabric& made;
    const std::vector<traffic_endpoint*>& endpoints;
    /// Names of tags, by number.
    const std::vector<std::string>& tags;
    const limit_timeline& timeline;
    /// Null without `fairness_window`.
    const flow_rates* rates;
    const sender_tables& senders;
    const port_series& series;
    /// Of all nodes; none where no samples are taken, and but on rank 0.
    const std::vector<sampled_node>& samples;
    const std::vector<resource_use>& resources;
    picoseconds end;
    averaged_time averaged;
    /// Classes of which pauses count.
    class_mask paused_classes;
    /// By host, where switches detour.
    const std::vector<const detour_counter*>& detours;
    /// What the user should know of tables that hold nothing, one sentence each.
    std::vector<std::string>& warnings;
    /// What tables add to summary.json.
    nlohmann::ordered_json& extra;

    /// A whole table.
    template <class Write>
    void table(const char* name, Write&& write) const {
        output_file file = directory.create(name);
        write(file);
        file.finish();
    }
};

/// Writes all tables that this run has; `failed`: those that explain failures. Throws output_error.
void write_run_tables(run_results& results, bool failed);

}  // namespace weir::tb
