// Result tables that a run writes at its end. Plugins add theirs to the registry of its files (run_files.h).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/run/samples/fabric_totals.h"
#include "tb/run/samples/limit_timeline.h"
#include "tb/run/samples/resources.h"
#include "tb/run/samples/sample_tables.h"
#include "tb/run/tables/detour_counter.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/files/run_files.h"
#include "tb/support/record/table_schema.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/fabric/fabric.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

class flow_rates;
class port_series;
class sender_tables;

/// What a table is written from. All nodes have run to `end`, or, after a failure, some quantum less.
struct run_results {
    const run_directory& directory;
    const run_config& config;
    fabric& made;
    const std::vector<traffic_endpoint*>& endpoints;
    /// Names of tags, by number.
    const std::vector<std::string>& tags;
    const limit_timeline& timeline;
    /// Null without `fairness_window`.
    const flow_rates* rates;
    const sender_tables& senders;
    const port_series& series;
    fabric_samples samples;
    picoseconds end;
    averaged_time averaged;
    /// Pauses that last count up to then.
    picoseconds paused_until;
    /// Classes of which pauses count.
    class_mask paused_classes;
    /// By host, where switches detour.
    const std::vector<const detour_counter*>& detours;
    /// What the user should know of tables that hold nothing, one sentence each.
    std::vector<std::string>& warnings;
    /// What tables add to summary.json.
    nlohmann::ordered_json& extra;
    /// On rank 0; elsewhere none.
    std::vector<resource_use> resources;

    /// File of the table that `Row` describes.
    template <class Row>
    output_file create() const {
        return directory.create<Row>();
    }
};

/// What of causes nodes keep.
cause_options causes_of(const run_config& config);

/// Schemas of all tables of runs, one per line: tb/python/weir/schema/run_tables.json.
std::string run_table_schemas();

/// Writes all tables that this run has; `failed`: those that explain failures. Throws output_error.
void write_run_tables(run_results& results, bool failed);

/// Entry of `run_files` for a table whose rows describe themselves. `holds`: its contents, for
/// docs/output-files.md. The other arguments are those of `run_file_traits`.
template <class Row>
registry<run_file, run_file_traits>::entry table_of(const char* holds,
                                                    std::function<void(run_results&)> write = nullptr,
                                                    std::function<bool(const run_results&)> wanted = nullptr,
                                                    bool explains_failures = false) {
    return {Row::table.file,
            holds,
            {Row::table.written, std::move(wanted), std::move(write), explains_failures, &table_schema<Row>}};
}

}  // namespace weir::tb
