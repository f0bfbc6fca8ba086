// Everything that a run is told: one struct per block of options, most of them the model's own. What is said of
// an option stands beside its field; load_config.h fills them.
//
//   run_config config;
//   option_table table = make_option_table(config);   // points into `config`, which must stay where it is
//   table.find("switch.speedup")->value->assign("8");
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/fields/extension_blocks.h"
#include "tb/run/fields/plugin_arguments.h"
#include "tb/run/fields/precision_goal.h"
#include "tb/run/options/fabric_options.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/options/rtl_options.h"
#include "tb/run/options/schemes.h"
#include "tb/run/options/trace_options.h"
#include "tb/run/options/traffic_files.h"
#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/link_config.h"
#include "weir/model/engine/engine_config.h"
#include "weir/model/memory/shared_buffer.h"
#include "weir/model/switch/switch_setup.h"
#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/host/transports.h"

namespace weir::tb {

/// Keys: [run].
struct run_options {
    picoseconds duration{0};
    picoseconds warmup{0};
    /// As text: precision_goal.h.
    std::string until;
    std::uint64_t seed = 1;
    std::uint32_t threads = 1;
    std::uint32_t thread_grain = thread_config{}.grain;
    picoseconds quantum{0};
    engine_kind engine = engine_kind::fast;
    bool progress = true;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("duration", &self::duration)
                   .range(0_ps, longest_time)
                   .help("Simulated time. 0: the run ends when the traffic has ended and every transfer is "
                         "complete, at 4500s at the latest.")
                   .source("upper bound: the largest time that fits into the sort key of an event"));
        fields(field("warmup", &self::warmup)
                   .range(0_ps, longest_time)
                   .help("Statistics begin after this time; transfers and jobs that start earlier are not "
                         "reported. Counts of frames, drops, hops and flows are of the whole run. 0: averages "
                         "and shares of time start at the first frame."));
        fields(field("until", &self::until)
                   .rule(precision_goal_form)
                   .help("Ends the run as soon as each figure is precise enough: by its confidence interval "
                         "(method of batch means) it is within N% of the true one. A run that ends before that "
                         "gives a warning. Empty: off. docs/run-length.md.")
                   .source("Law, Simulation Modeling and Analysis, 9.4.1"));
        fields(field("seed", &self::seed)
                   .range(0, UINT64_MAX)
                   .help("Seed of all random streams; each node and purpose derives its own from it."));
        fields(field("threads", &self::threads)
                   .range(1, 1024)
                   .help("Number of threads that advance the nodes, including the main thread. Results do not "
                         "depend on it. The run uses at most as many threads as it may use processors, unless "
                         "run.thread_grain is 0.")
                   .not_in_results());
        fields(field("thread_grain", &self::thread_grain)
                   .range(0, 65535)
                   .needs("run.threads")
                   .help("A quantum is run by several threads if at least this many nodes per thread have "
                         "events in it. Otherwise the main thread runs it alone, which is faster than waking "
                         "another thread. 0: always by all threads. Results do not depend on it.")
                   .source("measured: docs/performance.md")
                   .not_in_results());
        fields(field("quantum", &self::quantum)
                   .range(0_ps, longest_time)
                   .help("How far nodes run ahead of each other: at most the smallest latency of the fabric's "
                         "links (the lookahead). 0: the lookahead itself. Results do not depend on it.")
                   .not_in_results());
        fields(field("engine", &self::engine)
                   .help("Simulation engine. Results do not depend on it.")
                   .not_in_results());
        fields(field("progress", &self::progress)
                   .help("Shows simulated time, rate and time left on standard error: continuously on a "
                         "terminal, elsewhere after a minute and then less and less often."));
    }

    config_errors validate() const;
};

/// Keys: [output].
struct output_options {
    bool flows = true;
    bool jobs = true;
    std::optional<std::vector<bytes>> size_bins;
    picoseconds occupancy_interval{10us};
    picoseconds window_start{0};
    std::optional<picoseconds> window_end;
    bool ideal_jobs = false;
    bool segments = false;
    picoseconds fairness_window{0};
    double busy_links = 0;
    bool full_queues = false;
    std::vector<std::string> metrics;
    /// Names of nodes.
    std::vector<std::string> occupancy_nodes;
    std::vector<std::string> series;
    std::vector<std::string> windows;
    std::vector<std::string> rates;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("flows", &self::flows).help("Write flows.csv: one line per completed transfer."));
        fields(field("jobs", &self::jobs).help("Write jobs.csv: one line per completed job."));
        fields(field("size_bins", &self::size_bins)
                   .range(1_B, bytes{std::int64_t{1} << 48})
                   .help("Upper ends of the size groups of completion times, ascending. Larger transfers and "
                         "jobs form a last group, up to 2^48 B. auto: a group for each size, or for each power "
                         "of two if there are more than 256 sizes.")
                   .source("FlowBender figs. 3 and 4: 10 KB, 128 KB, 1 MB"));
        fields(field("occupancy_interval", &self::occupancy_interval)
                   .range(0_ps, longest_time)
                   .help("Interval at which buffer occupancy and pauses are sampled. It doubles whenever the "
                         "memory for samples is full. 0: no samples."));
        fields(field("window_start", &self::window_start)
                   .range(0_ps, longest_time)
                   .needs("output.occupancy_interval above 0")
                   .help("Start of the time window in which samples are taken."));
        fields(field("window_end", &self::window_end)
                   .range(0_ps, longest_time)
                   .needs("output.occupancy_interval above 0")
                   .help("End of the window. auto: the end of the run."));
        fields(field("ideal_jobs", &self::ideal_jobs)
                   .needs("output.jobs = true")
                   .help("Write the column ideal_ns in jobs.csv: the least time that the job takes in a fabric "
                         "without other traffic."));
        fields(field("segments", &self::segments)
                   .help("Count marks, order and paths of segments, by tag: segments.csv, paths.csv, "
                         "reroutes.csv, and `segments` in summary.json.")
                   .source("FlowBender 4.2.4: packets out of order"));
        fields(field("fairness_window", &self::fairness_window)
                   .range(0_ps, longest_time)
                   .help("Length of the windows in which the rates of transfers under way are compared: "
                         "fairness.csv, and `fairness` in summary.json. 0: they are not.")
                   .source("DIBS 5.6: Jain's index"));
        fields(field("busy_links", &self::busy_links)
                   .range(0.0, 1.0)
                   .share()
                   .help("Count, over time, the links that are busy for at least this share of an interval: "
                         "busy_links.csv, and `busy_links` in summary.json. 0%: they are not counted.")
                   .source("DIBS figure 4: 90 %"));
        fields(
            field("full_queues", &self::full_queues)
                .needs("switch.buffer = partitioned or output_queued", "output.occupancy_interval above 0")
                .help("At each sample look for egress ports without room for a frame, and for free egress "
                      "memory in the switches near them: full_queues.csv, and `full_queues` in summary.json.")
                .source("DIBS figure 5"));
        fields(field("metrics", &self::metrics)
                   .repeated()
                   .not_in_results()
                   .rule("names of metrics on request, and NAME = EXPRESSION")
                   .help("A metric that summary.json has only on request: completion times and slowdowns of a "
                         "tag (tags.TAG.fct_ns.p99), a priority (priorities.7), a size (sizes.8192) or of the "
                         "hosts of a switch (racks.tor0); offered.bps; goodput.line_rate_percent. Beginnings "
                         "of names and patterns stand for all that fit. A tag that is empty or has other "
                         "characters than letters, digits, _ and - stands in quotes. weir sweep and weir size "
                         "set it as their metrics and goals need it. Also the definition of a metric for "
                         "tables, pictures and goals, such as waste = 1 - goodput.bps / offered.bps "
                         "(docs/sweep.md); runs compute its operands. May be given several times."));
        using traffic::background_config;
        fields.all_need("output.occupancy_interval above 0");
        fields(field("occupancy_nodes", &self::occupancy_nodes)
                   .rule(background_config::node_names, background_config::is_node_name)
                   .help("Hosts and switches of which all ports are in occupancy.csv; * stands for any text. "
                         "Empty: the eight fullest ports of switches.")
                   .source("cross-layer study, figures 7 and 8"));
        fields(field("series", &self::series)
                   .rule(background_config::node_names, background_config::is_node_name)
                   .help("Hosts and switches that are sampled by port and class into port_series.csv: "
                         "occupancy with threshold and capacity, throughput, pauses. The pools of their shared "
                         "memories are sampled into pool_series.csv. * stands for any text. Empty: none."));
        fields(field("windows", &self::windows)
                   .rule(background_config::node_names, background_config::is_node_name)
                   .help("Hosts whose TCP windows are written into windows.csv at each sample. A switch stands "
                         "for all its hosts, * for any text. Empty: none.")
                   .source("cross-layer study, figures 7 and 8"));
        fields(field("rates", &self::rates)
                   .rule(background_config::node_names, background_config::is_node_name)
                   .help("Hosts whose rates (of QCN's limiters and RoCE's queue pairs) are written into "
                         "rates.csv at each sample; named as for output.windows. Empty: none.")
                   .source("cross-layer study, figure 8"));
    }

    config_errors validate() const;
};

/// Tables of [shared], as absolute paths; empty: there is none.
struct shared_files {
    std::string config_db;
    /// Names of switches; empty: all.
    std::vector<std::string> config_db_switches;
    /// No option says which classes are lossless. Set by `run_config::resolve`.
    bool classes_are_the_files = false;
    std::string group_profiles;
    std::string queue_profiles;
    std::string pg_profile_lookup;
    std::string slice_map;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("slice_map_file", &self::slice_map)
                   .path()
                   .after("slice_map")
                   .needs(shared_buffer_config::when_shared, "shared.slices above 1")
                   .help("CSV file with the slice of each pair of ports; replaces slice_map. "
                         "docs/shared-profiles.md."));
        fields(field("config_db", &self::config_db)
                   .path()
                   .needs(shared_buffer_config::when_shared)
                   .help("A SONiC switch's config_db.json: pools, lossless classes, and values of groups and "
                         "queues (docs/sonic.md). Of pools and classes, an option that is set stands above the "
                         "file; of groups and queues, the file stands above the options. Empty: no file.")
                   .source("SONiC"));
        fields(field("config_db_switches", &self::config_db_switches)
                   .rule(traffic::background_config::node_names, traffic::background_config::is_node_name)
                   .needs("shared.config_db")
                   .help("Switches that shared.config_db describes; * stands for any text. Empty: all."));
        fields(field("pg_profile_lookup", &self::pg_profile_lookup)
                   .path()
                   .needs(shared_buffer_config::when_shared, shared_buffer_config::when_lossless)
                   .help("SONiC's pg_profile_lookup.ini: minimum, xon, xon_offset, headroom and alpha of the "
                         "lossless groups, by their link's rate and length (docs/shared-profiles.md). Empty: "
                         "the options above.")
                   .source("SONiC"));
        fields.all_need(shared_buffer_config::when_shared);
        fields(field("group_profiles", &self::group_profiles)
                   .path()
                   .help("CSV file with values for single groups; they replace the options above. "
                         "docs/shared-profiles.md.")
                   .source("SONiC: BUFFER_PG"));
        fields(field("queue_profiles", &self::queue_profiles)
                   .path()
                   .help("CSV file with values for single queues; they replace the options above. "
                         "docs/shared-profiles.md.")
                   .source("SONiC: BUFFER_QUEUE"));
    }

    bool are_none() const {
        return config_db.empty() && group_profiles.empty() && queue_profiles.empty() &&
               pg_profile_lookup.empty() && slice_map.empty();
    }
};

struct run_config : switch_setup {
    run_options run;
    fabric_options fabric;
    link_config link;
    scheme_kind scheme{};
    rtl_options rtl;
    shared_files shared_tables;
    host_config host;
    std::vector<std::string> broken_adapters;
    tcp_config tcp;
    udp_config udp;
    roce_config roce;
    pfabric_config pfabric;
    workload_config traffic;
    traffic_files files;
    output_options output;
    capture_options trace;
    plugin_options plugins;
    /// Of plugins and projects outside.
    extension_blocks extensions = extension_blocks::registered();

    /// The fields that are in none of the structs.
    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("switch.scheme", &self::scheme)
                   .after("")
                   .help("A named set of defaults for other options. An option that is set explicitly takes "
                         "precedence.")
                   .source("DeTail 8.1, 2013 presentation; FlowBender 4.2; DIBS 5.3"));
        fields(field("host.broken", &self::broken_adapters)
                   .repeated()
                   .after("nic")
                   .rule("HOST, then any of classes=, from=, to=, such as h3 classes=3,4 from=2ms to=9ms")
                   .help("The network adapter of this host is broken: it pauses its link for ever, or between "
                         "the times from= and to=, for all classes or for the classes given. May be given "
                         "several times. Needs pfc.mode = pfc or pause. docs/pause-storms.md.")
                   .source("Guo et al., SIGCOMM 2016, section 4.3: the NIC PFC frame storm"));
    }

    /// Sets what follows from other options: the links of the fabric, the workload's datagrams from [udp] and
    /// [link], and the plugins that are loaded. `load_config` does it.
    void resolve();
    /// Adapters have VOQs, with rate limiters where switches send QCN's notifications.
    bool has_voqs() const;
    /// What each struct says of itself, and what they may not be beside each other.
    config_errors validate() const;
};

}  // namespace weir::tb
