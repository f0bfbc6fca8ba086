// The commands of the program. Each prints results on `out`, notes and errors on `err`, and returns the exit
// status (tb/support/process/exit_status.h).
//
//   std::ostringstream out, err;
//   int status = table_command({"out/baseline", "out/detail", "--format=csv"}, out, err);
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

using command = int(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

/// How far one model is from another. Status 3 if gnuplot fails.
command accuracy_command;
/// Speed of this program on this machine, beside a peer. Status 3 if a measurement cannot be made.
command bench_command;
/// Two files of events, stream by stream, with tolerances and waivers. Status 1 if they differ or are empty.
command compare_command;
/// PFC headroom term by term, as a table, as SONiC's file, beside such a file (docs/headroom.md).
command headroom_command;
/// The reference of all options, of some, or what differs between two configurations.
command options_command;
/// Pictures of one run, or of several overlaid. Status 3 if gnuplot fails.
command plot_command;
/// Pictures of a sweep: `weir plot SWEEP_DIR --metric M --over K1[,K2] --out DIR`.
command sweep_plot_command;
/// Pictures of metrics of runs: `weir plot DIR [DIR ...] --metric M [--over M] --out DIR`.
command run_metric_plot_command;
/// What `weir plot` draws: a sweep if the arguments name the directory of one, metrics of runs with --metric or
/// --over, else runs.
enum class plot_subject { runs, metrics_of_runs, sweep };
plot_subject subject_of_plot(const std::vector<std::string>& args);
/// One block, driven by stimulus files; its results have the formats of the golden traces (docs/replay.md).
command replay_command;
/// One page of a run, or of several compared. Throws output_error if the file cannot be written.
command report_command;
/// A paper's figures and statements, from runs of this model.
command reproduce_command;
/// One simulation, or its dry run. A run whose traffic does not end has a verdict.
command run_command;
/// The value of an option that meets a goal. Status 1 if the goal is not met or not decided, or a run failed.
command size_command;
/// Many runs, one table. Status 1 if a run failed.
command sweep_command;
/// Runs side by side, or the points of sweeps, in a format for people or programs.
command table_command;

/// `weir help metric [NAME ...]`: metrics by name, beginning of a name or pattern; without any, a table of all.
command metric_help;

}  // namespace weir::tb
