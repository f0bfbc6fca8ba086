#include "tb/results/run_tables.h"

#include <algorithm>

#include "tb/results/buffer_table.h"
#include "tb/results/cause_tables.h"
#include "tb/results/flow_rates.h"
#include "tb/results/hot_spots.h"
#include "tb/results/limits.h"
#include "tb/results/node_table.h"
#include "tb/results/port_series.h"
#include "tb/results/port_table.h"
#include "tb/results/results_collector.h"
#include "tb/results/segment_tables.h"
#include "tb/results/sender_tables.h"
#include "tb/results/watchdog_table.h"
#include "tb/text/window_text.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

constexpr bool explains = true;

bool has_shared_memory(const run_results& r) {
    return r.made.switches() > 0 && r.options.switches.shared.kind == buffer_kind::shared;
}

bool has_samples(const run_results& r) {
    return r.options.occupancy_interval > picoseconds{0};
}

time_window sampled_window(const run_results& r) {
    return {r.options.window.start, std::min(r.options.window.end, r.end)};
}

void write_all_causes(run_results& r) {
    const cause_options& window = r.options.causes;
    const std::vector<std::string> empty = write_causes(r.directory, r.made, r.options.switches, window,
                                                        r.options.cause_flows, r.paused_classes, r.end);
    for (const std::string& table : empty) {
        if (window.begin > picoseconds{0} || window.end < r.end) {
            r.warnings.push_back(table + " has no row: nothing to record in " +
                                 window_text("trace", window.begin, window.end, r.end));
        }
    }
}

void write_fill(run_results& r) {
    const std::vector<sampled_node>& nodes = r.samples;
    const time_window window = sampled_window(r);
    if (!has_sample(nodes, window)) {
        r.warnings.push_back("occupancy.csv and pauses.csv hold no sample: " +
                             window_text("output", r.options.window.start, r.options.window.end) +
                             ", and the run ended at " + to_text(r.end));
    }
    r.table("occupancy.csv",
            [&](output_file& file) { write_occupancy(file, nodes, r.options.occupancy_nodes, window); });
}

void write_segment_tables(run_results& r) {
    const std::vector<segment_counts> counts = count_segments(r.endpoints, r.made.team());
    r.table("segments.csv", [&](output_file& file) { write_segments(file, counts, r.tags); });
    r.table("paths.csv", [&](output_file& file) { write_paths(file, counts, r.tags); });
    r.extra["segments"] = to_json(counts, r.tags);
}

void write_full_queue_table(run_results& r) {
    const std::vector<full_queue> full =
        find_full_queues(r.made.plan(), r.samples, r.options.switches.device, sampled_window(r));
    r.table("full_queues.csv", [&](output_file& file) { write_full_queues(file, full); });
    r.extra["full_queues"] = summary_of(full);
}

/// Written by another part of the program, or with the file before it.
run_file_traits elsewhere(std::string when) {
    return {std::move(when), nullptr, nullptr, false};
}

}  // namespace

registry<run_file, run_file_traits>& run_files() {
    static registry<run_file, run_file_traits> list{
        {"summary.json", "counts, completion times, groups", elsewhere("always")},
        {"failure.json",
         "exit status, `verdict` (`lossless_loss`, `deadlock`, `invariant`, `limit`) and what was said",
         elsewhere("the exit status is 1")},
        {"run.json", "values that may differ between equal runs", elsewhere("always")},
        {"effective.ini", "every option as used; its last line is `# end`, without which it is refused",
         elsewhere("always")},
        {"flows.csv", "a line per completed transfer", elsewhere("`output.flows`")},
        {"jobs.csv", "a line per completed job", elsewhere("`output.jobs`")},
        {"unfinished.csv", "a line per transfer that had started and not completed",
         elsewhere("`output.flows`, where there is one")},
        {"unfinished_jobs.csv", "a line per job that had started and not completed",
         elsewhere("`output.jobs`, where there is one")},
        {"nodes.csv",
         "names, numbers and addresses of hosts and switches",
         {"always", nullptr,
          [](run_results& r) {
              r.table("nodes.csv", [&](output_file& file) { write_node_table(file, r.made.plan()); });
          },
          explains}},
        {"ports.csv",
         "a line per node, port and class in use",
         {"always", nullptr,
          [](run_results& r) {
              r.table("ports.csv", [&](output_file& file) { write_port_table(file, r.made, r.averaged); });
          },
          explains}},
        {"buffers.csv",
         "watermarks of shared memories",
         {"`switch.buffer = shared`", has_shared_memory,
          [](run_results& r) {
              r.table("buffers.csv", [&](output_file& file) { write_buffer_table(file, r.made); });
          },
          explains}},
        {"pause_causes.csv",
         "which frames were where when a class was paused: [causes.md](causes.md)",
         {"`trace.pause_causes`",
          [](const run_results& r) { return r.options.causes.pauses || r.options.causes.drops; },
          write_all_causes, explains}},
        {"pause_flows.csv", "which transfers caused pauses, and of which others",
         elsewhere("`trace.pause_causes`")},
        {"pause_tree.json", "which pauses caused which", elsewhere("`trace.pause_causes`")},
        {"drop_causes.csv", "whose frames filled the memory when one was lost",
         elsewhere("`trace.drop_causes`")},
        {"watchdog.csv",
         "what the PFC watchdogs did: [pause-storms.md](pause-storms.md)",
         {"`pfc.watchdog`", [](const run_results& r) { return r.options.watchdog; },
          [](run_results& r) {
              r.table("watchdog.csv", [&](output_file& file) { write_watchdog_table(file, r.made); });
          },
          explains}},
        {"detours.csv",
         "frames that were delivered, by tag and number of detours: [detour.md](blocks/detour.md)",
         {"`switch.overflow = detour`", [](const run_results& r) { return !r.detours.empty(); },
          [](run_results& r) {
              r.table("detours.csv", [&](output_file& file) {
                  write_detour_table(file, detours_of(r.detours, r.made.team()), r.tags);
              });
          },
          !explains}},
        {"occupancy.csv",
         "buffer occupancy of the 8 fullest ports, or of chosen nodes, over time",
         {"`output.occupancy_interval` above 0", has_samples, write_fill, explains}},
        {"pauses.csv",
         "pauses over time, by tier",
         {"`output.occupancy_interval` above 0", has_samples,
          [](run_results& r) {
              r.table("pauses.csv", [&](output_file& file) {
                  write_pauses(file, r.samples, r.paused_classes, sampled_window(r));
              });
          },
          explains}},
        {"port_series.csv",
         "occupancy, thresholds, throughput and pauses of chosen nodes over time, by port and class",
         {"`output.series`", [](const run_results& r) { return r.series.is_on(); },
          [](run_results& r) {
              r.table("port_series.csv", [&](output_file& file) {
                  r.series.write(file, sample_times(r.samples, sampled_window(r)));
              });
          },
          explains}},
        {"pool_series.csv",
         "pools of shared memories of chosen switches over time",
         {"`output.series`, `switch.buffer = shared`",
          [](const run_results& r) { return r.series.is_on() && has_shared_memory(r); },
          [](run_results& r) {
              r.table("pool_series.csv", [&](output_file& file) {
                  r.series.write_pools(file, sample_times(r.samples, sampled_window(r)));
              });
          },
          explains}},
        {"windows.csv",
         "windows of TCP's senders over time",
         {"`output.windows`", [](const run_results& r) { return r.senders.has_windows(); },
          [](run_results& r) {
              r.table("windows.csv", [&](output_file& file) {
                  r.senders.write_windows(file, sample_times(r.samples, sampled_window(r)));
              });
          },
          !explains}},
        {"rates.csv",
         "rates of QCN's limiters and of RoCE's queue pairs over time",
         {"`output.rates`", [](const run_results& r) { return r.senders.has_rates(); },
          [](run_results& r) {
              r.table("rates.csv", [&](output_file& file) {
                  r.senders.write_rates(file, sample_times(r.samples, sampled_window(r)));
              });
          },
          !explains}},
        {"limits.csv",
         "utilisation of links, lookups, crossbars and memories: [limits.md](limits.md)",
         {"always", nullptr,
          [](run_results& r) {
              r.table("limits.csv", [&](output_file& file) { write_limits(file, r.resources); });
          },
          explains}},
        {"limit_intervals.csv",
         "which of them were at their limit in each interval of the run",
         {"always", nullptr,
          [](run_results& r) {
              r.table("limit_intervals.csv",
                      [&](output_file& file) { write_intervals(file, r.timeline, r.resources); });
          },
          explains}},
        {"segments.csv",
         "marks, order and paths of segments, by tag",
         {"`output.segments`", [](const run_results& r) { return r.options.segments; }, write_segment_tables,
          !explains}},
        {"paths.csv", "segments by tag and value of V", elsewhere("`output.segments`")},
        {"reroutes.csv", "when and why senders left a path", elsewhere("`output.segments`")},
        {"fairness.csv",
         "rates of transfers under way, and Jain's index, by tag and window",
         {"`output.fairness_window` above 0", [](const run_results& r) { return r.rates != nullptr; },
          [](run_results& r) {
              r.table("fairness.csv", [&](output_file& file) { r.rates->write(file); });
              r.extra["fairness"] = r.rates->summary();
          },
          !explains}},
        {"busy_links.csv",
         "how many links were busy in each interval of the run",
         {"`output.busy_links` above 0", [](const run_results& r) { return r.options.busy_links > 0; },
          [](run_results& r) {
              const double threshold = r.options.busy_links;
              r.table("busy_links.csv",
                      [&](output_file& file) { write_busy_links(file, r.timeline, r.resources, threshold); });
              r.extra["busy_links"] = summary_of_busy_links(r.timeline, r.resources, threshold);
          },
          !explains}},
        {"full_queues.csv",
         "full egress ports, and free memory near them, over time",
         {"`output.full_queues`", [](const run_results& r) { return r.options.full_queues; },
          write_full_queue_table, !explains}},
        {"run.vcd", "waveforms of chosen switches: [waveforms.md](waveforms.md)",
         elsewhere("`trace.wave = run.vcd`")},
        {"run.fst", "the same, compressed", elsewhere("`trace.wave = run.fst`")},
        {"run.fst.partial.hier", "names of signals, as long as `run.fst` is written",
         elsewhere("`trace.wave = run.fst`")},
        {"perfetto.json", "journeys of frames: [perfetto.md](perfetto.md)", elsewhere("`trace.perfetto`")},
        {"frame_path.csv", "the path of a chosen frame, node by node: [perfetto.md](perfetto.md)",
         elsewhere("`trace.frame_path`")},
        {"trace.pcapng", "frames on chosen links: [captures.md](captures.md)", elsewhere("`trace.pcap`")},
    };
    return list;
}

void write_run_tables(run_results& results, bool failed) {
    for (const auto& entry : run_files().entries()) {
        const run_file_traits& traits = entry.traits;
        if (traits.write && (!failed || traits.explains_failures) &&
            (!traits.wanted || traits.wanted(results))) {
            traits.write(results);
        }
    }
}

}  // namespace weir::tb
