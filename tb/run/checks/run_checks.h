// Checks of a run with its fabric, before anything is written: mistakes, and options that may not be meant.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/run/options/load_config.h"
#include "tb/run/options/run_config.h"
#include "tb/run/topology/build_topology.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// All that is wrong with a configuration in its fabric; the next two are part of it.
config_errors check_run(const run_config& config, const built_topology& built);

/// Whether a run without `run.duration` can come to its end: it goes on until the traffic has ended and every
/// transfer is complete, and 4,500 s of simulated time may take hours. Refused is what certainly does not end:
/// traffic that goes on for ever, transfers that take longer than the longest run, a host that nothing reaches
/// in a workload that surely sends to it. What may end, or not, as chance has it, is a warning
/// (`end_warnings`).
config_errors check_end(const run_config& config, const built_topology& built);

/// Pools that do not fit, classes without memory, lookups that leave frames without any. None where memory is
/// partitioned.
config_errors check_shared_memory(const run_config& config, const built_topology& built);

/// Options that cannot matter in the fabric that a run has, as load_options.h tells of those that cannot matter
/// beside other options: those that choose among equal paths where no switch has any, and detours where no
/// switch has a neighbour. Port selection that a scheme sets is not told.
config_errors idle_in_fabric(const loaded_config& loaded, const built_topology& built);

// Warnings -------------------------------------------------------------------------------------------

/// Options whose value another option, or a link's rate, replaces: what is in force is not what was written.
std::vector<std::string> dominated_options(const run_config& config, const built_topology& built);

/// Thresholds that do not do what they are for: XOFF that leaves less than the reserve, once per kind of link;
/// and those of `link_change_warnings` and `shared_memory_warnings`.
std::vector<std::string> threshold_warnings(const run_config& config, const built_topology& built);

/// Changes in which a lossless class can lose frames although its thresholds hold before and after: a rate that
/// rises while a port is in the middle of a frame, a latency that grows by more than a pause outlasts its
/// refresh. Once per kind of change.
std::vector<std::string> link_change_warnings(const run_config& config, const built_topology& built);

/// Headroom set by hand that is less than what the worst case of some link needs; lossless classes without
/// traffic.
std::vector<std::string> shared_memory_warnings(const run_config& config, const built_topology& built);

/// Threads that cannot help, and a quantum so short that more work goes into quanta than a fifth of what
/// frames take at full load.
std::vector<std::string> engine_warnings(const run_config& config, const built_topology& built);

/// Parts of a scheme that do nothing together: marks that nobody heeds, recovery that reordering defeats.
std::vector<std::string> scheme_warnings(const run_config& config);

/// Windows of time in which nothing is written, where that can be known before the run: a window of samples
/// between two of them, a window of traces before the traffic begins.
std::vector<std::string> window_warnings(const run_config& config);

/// Transfers that can never complete: hosts that are cut off for good, links that lose nearly all, routes over
/// links that stay down, adapters that pause their link without end. None in a run with a duration.
std::vector<std::string> end_warnings(const run_config& config, const built_topology& built);

// Used by them ---------------------------------------------------------------------------------------

/// The longest table of routes of each of these switches while links are cut and mended, by switch; 0 for
/// others. Routes set by hand count.
std::vector<std::size_t> table_sizes(const built_topology& built, const std::vector<switch_id>& switches);

/// End of a sentence that says that a frame of a lossless class is lost: what follows (`pfc.losses`).
std::string consequence_of_loss(const run_config& config);

}  // namespace weir::tb
