#include "tb/run/results/run_tables.h"

#include <algorithm>
#include <cstddef>

#include "tb/run/results/results_collector.h"
#include "tb/run/samples/buffer_marks.h"
#include "tb/run/samples/limits.h"
#include "tb/run/samples/node_tables.h"
#include "tb/run/samples/port_series.h"
#include "tb/run/samples/sender_tables.h"
#include "tb/run/tables/cause_tables.h"
#include "tb/run/tables/flow_rates.h"
#include "tb/run/tables/hot_spots.h"
#include "tb/run/tables/segment_tables.h"
#include "tb/support/text/window_text.h"
#include "tb/verify/perfetto/frame_path.h"
#include "weir/base/unit_text.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb {

namespace {

constexpr bool explains = true;
constexpr std::nullptr_t always = nullptr;

bool has_shared_memory(const run_results& r) {
    return r.made.switches() > 0 && organisation_of(r.config.device).is_shared;
}

bool has_samples(const run_results& r) {
    return r.config.output.occupancy_interval > picoseconds{0};
}

time_window wanted_window(const run_results& r) {
    return {r.config.output.window_start, r.config.output.window_end.value_or(never)};
}

time_window sampled_window(const run_results& r) {
    return {wanted_window(r).start, std::min(wanted_window(r).end, r.end)};
}

bool has_full_queues(const run_results& r) {
    return r.config.output.full_queues && organisation_of(r.config.device).has_egress_memories &&
           has_samples(r);
}

std::vector<picoseconds> sampled_times(const run_results& r) {
    return r.samples.times_in(sampled_window(r));
}

void write_all_causes(run_results& r) {
    const cause_options window = causes_of(r.config);
    const std::vector<std::string> empty = write_causes(r.directory, r.made, r.config, window,
                                                        r.config.trace.cause_flows, r.paused_classes, r.end);
    for (const std::string& table : empty) {
        if (window.begin > picoseconds{0} || window.end < r.end) {
            r.warnings.push_back(table + " has no row: nothing to record in " +
                                 window_text("trace", window.begin, window.end, r.end));
        }
    }
}

void write_fill(run_results& r) {
    const time_window window = sampled_window(r);
    if (sampled_times(r).empty()) {
        r.warnings.push_back("occupancy.csv and pauses.csv hold no sample: " +
                             window_text("output", wanted_window(r).start, wanted_window(r).end) +
                             ", and the run ended at " + to_text(r.end));
    }
    write_occupancy(r.create<occupancy_row>(), r.samples, r.config.output.occupancy_nodes, window);
}

void write_segment_tables(run_results& r) {
    const std::vector<segment_row> rows = count_segments(r.endpoints, r.made.team(), r.tags);
    write_rows(r.create<segment_row>(), rows);
    write_paths(r.create<path_row>(), rows);
    r.extra["segments"] = to_json(rows);
}

void write_full_queue_table(run_results& r) {
    const std::vector<full_queue> full =
        find_full_queues(r.made.plan(), r.samples, r.config.device, sampled_window(r));
    write_rows(r.create<full_queue>(), full);
    r.extra["full_queues"] = summary_of(full);
}

}  // namespace

registry<run_file, run_file_traits>& run_files() {
    static registry<run_file, run_file_traits> list{
        {"summary.json", "counts, completion times, groups", {"always"}},
        {"failure.json",
         "exit status, `verdict` (`lossless_loss`, `deadlock`, `invariant`, `limit`), what was said, and the "
         "number of "
         "transfers",
         {"the exit status is 1"}},
        {"run.json", "values that may differ between equal runs", {"always"}},
        {"effective.ini",
         "every option as used; its last line is `# end`, without which it is refused",
         {"always"}},
        table_of<flow_row>("a line per completed transfer"),
        table_of<job_row>("a line per completed job"),
        table_of<unfinished_row>("a line per transfer that had started and not completed"),
        table_of<unfinished_job_row>("a line per job that had started and not completed"),
        table_of<node_row>(
            "names, numbers and addresses of hosts and switches",
            [](run_results& r) { write_node_table(r.create<node_row>(), r.made.plan()); }, always, explains),
        table_of<port_row>(
            "a line per node, port and class in use",
            [](run_results& r) { write_port_table(r.create<port_row>(), r.made, r.averaged, r.paused_until); },
            always, explains),
        table_of<buffer_row>(
            "watermarks of shared memories",
            [](run_results& r) { write_buffer_table(r.create<buffer_row>(), r.made); }, has_shared_memory,
            explains),
        table_of<pause_cause_row>(
            "which frames were where when a class was paused: [causes.md](causes.md)", write_all_causes,
            [](const run_results& r) { return r.config.trace.pause_causes || r.config.trace.drop_causes; },
            explains),
        table_of<pause_flow_row>("which transfers caused pauses, and of which others"),
        {"pause_tree.json", "which pauses caused which", {"`trace.pause_causes`"}},
        table_of<drop_cause_row>("whose frames filled the memory when one was lost"),
        table_of<watchdog_row>(
            "what the PFC watchdogs did: [pause-storms.md](pause-storms.md)",
            [](run_results& r) { write_watchdog_table(r.create<watchdog_row>(), r.made); },
            [](const run_results& r) {
                return r.config.flow_control.mode == flow_control_mode::pfc &&
                       r.config.flow_control.watchdog != watchdog_action::off;
            },
            explains),
        table_of<detour_row>(
            "frames that were delivered, by tag and number of detours: [detour.md](blocks/detour.md)",
            [](run_results& r) {
                write_detour_table(r.create<detour_row>(), detours_of(r.detours, r.made.team()), r.tags);
            },
            [](const run_results& r) { return !r.detours.empty(); }),
        table_of<occupancy_row>("buffer occupancy of the 8 fullest ports, or of chosen nodes, over time",
                                write_fill, has_samples, explains),
        table_of<pause_sample_row>(
            "pauses over time, by tier",
            [](run_results& r) {
                write_pauses(r.create<pause_sample_row>(), r.samples, r.paused_classes, sampled_window(r));
            },
            has_samples, explains),
        table_of<port_series_row>(
            "occupancy, thresholds, throughput and pauses of chosen nodes over time, by port and class",
            [](run_results& r) { r.series.write(r.create<port_series_row>(), sampled_times(r)); },
            [](const run_results& r) { return r.series.is_on(); }, explains),
        table_of<pool_series_row>(
            "pools of shared memories of chosen switches over time",
            [](run_results& r) { r.series.write_pools(r.create<pool_series_row>(), sampled_times(r)); },
            [](const run_results& r) { return r.series.is_on() && has_shared_memory(r); }, explains),
        table_of<drop_sample_row>(
            "frames lost over time in the whole fabric, by tier and reason",
            [](run_results& r) {
                write_drops(r.create<drop_sample_row>(), r.samples, reported_reasons(r.made), wanted_window(r),
                            r.end);
            },
            [](const run_results& r) { return r.series.is_on(); }, explains),
        table_of<window_row>(
            "windows of TCP's senders over time",
            [](run_results& r) { write_views(r.create<window_row>(), r.senders.windows(), sampled_times(r)); },
            [](const run_results& r) { return r.senders.has_windows(); }),
        table_of<rate_row>(
            "rates of QCN's limiters and of RoCE's queue pairs over time",
            [](run_results& r) { write_views(r.create<rate_row>(), r.senders.rates(), sampled_times(r)); },
            [](const run_results& r) { return r.senders.has_rates(); }),
        table_of<limit_row>(
            "utilisation of links, lookups, crossbars and memories: [limits.md](limits.md)",
            [](run_results& r) { write_limits(r.create<limit_row>(), r.resources); }, always, explains),
        table_of<limit_interval_row>(
            "which of them were at their limit in each interval of the run",
            [](run_results& r) { write_intervals(r.create<limit_interval_row>(), r.timeline, r.resources); },
            always, explains),
        table_of<segment_row>("marks, order and paths of segments, by tag", write_segment_tables,
                              [](const run_results& r) { return r.config.output.segments; }),
        table_of<path_row>("segments by tag and value of V"),
        table_of<reroute_row>("when and why senders left a path"),
        table_of<fairness_row>(
            "rates of transfers under way, and Jain's index, by tag and window",
            [](run_results& r) {
                r.rates->write(r.create<fairness_row>());
                r.extra["fairness"] = r.rates->summary();
            },
            [](const run_results& r) { return r.rates != nullptr; }),
        table_of<busy_links_row>(
            "how many links were busy in each interval of the run",
            [](run_results& r) {
                const auto rows = find_busy_links(r.timeline, r.resources, r.config.output.busy_links);
                write_rows(r.create<busy_links_row>(), rows);
                r.extra["busy_links"] = summary_of(rows);
            },
            [](const run_results& r) { return r.config.output.busy_links > 0; }),
        table_of<full_queue>("full egress ports, and free memory near them, over time", write_full_queue_table,
                             has_full_queues),
        {"run.vcd", "waveforms of chosen switches: [waveforms.md](waveforms.md)", {"`trace.wave = run.vcd`"}},
        {"run.fst", "the same, compressed", {"`trace.wave = run.fst`"}},
        {"run.fst.partial.hier",
         "names of signals, as long as `run.fst` is written",
         {"`trace.wave = run.fst`"}},
        {"perfetto.json", "journeys of frames: [perfetto.md](perfetto.md)", {"`trace.perfetto`"}},
        table_of<frame_path_row>("the path of a chosen frame, node by node: [perfetto.md](perfetto.md)"),
        {"trace.pcapng", "frames on chosen links: [captures.md](captures.md)", {"`trace.pcap`"}},
    };
    return list;
}

cause_options causes_of(const run_config& config) {
    cause_options causes;
    causes.pauses = config.trace.pause_causes;
    causes.drops = config.trace.drop_causes;
    causes.begin = config.trace.window_start;
    causes.end = config.trace.window_end.value_or(never);
    return causes;
}

std::string run_table_schemas() {
    std::string lines;
    for (const auto& file : run_files().entries()) {
        if (file.traits.schema) {
            lines += (lines.empty() ? "[\n" : ",\n") + file.traits.schema().dump();
        }
    }
    return lines + "\n]\n";
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
