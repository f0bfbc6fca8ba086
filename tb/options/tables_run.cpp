// Options [run].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<engine_kind> {
    static constexpr enum_name<engine_kind> list[] = {
        {engine_kind::fast, "fast", "nodes run ahead of each other by up to one quantum"},
        {engine_kind::literal, "literal",
         "one event at a time in order of time, from one ordered map: slow, the reference for fast"},
    };
};

void add_run_options(option_table& table, run_config& config) {
    run_options& run = config.run;
    auto block = table.block("run", "The simulation as a whole.");
    block.add("duration", run.duration)
        .range(picoseconds{0}, longest_time)
        .doc(
            "Simulated time. 0: the run ends when the traffic has ended and every transfer is complete, at "
            "4500s at the latest.")
        .source("upper bound: the largest time that fits into the sort key of an event");
    block.add("warmup", run.warmup)
        .range(picoseconds{0}, longest_time)
        .doc(
            "Statistics begin after this time; transfers and jobs that start earlier are not reported. Counts "
            "of frames, drops, hops and flows are of the whole run.")
        .source("project");
    block.add("seed", run.seed)
        .range(0, UINT64_MAX)
        .doc("Seed of all random streams; each node and purpose derives its own from it.")
        .source("project");
    block.add("threads", run.threads)
        .range(1, 1024)
        .doc(
            "Number of threads that advance the nodes, including the main thread. Results do not depend on it. "
            "More threads than processors make a run slower.")
        .source("project")
        .not_in_results();
    block.add("thread_grain", run.thread_grain)
        .range(0, 65535)
        .matters({"run.threads", [&run] { return run.threads > 1; }})
        .doc(
            "Smallest number of nodes per thread that have events in a quantum for that quantum to be run by "
            "several threads. With fewer, the main thread runs it alone, which is faster than waking another "
            "thread. Results do not depend on it.")
        .source("measured: docs/performance.md")
        .not_in_results();
    block.add("quantum", run.quantum)
        .range(picoseconds{0}, longest_time)
        .doc(
            "How far nodes run ahead of each other: at most the smallest latency of the fabric's links (the "
            "lookahead). 0: the lookahead itself. Results do not depend on it.")
        .source("project")
        .not_in_results();
    block.add("engine", run.engine)
        .doc("Simulation engine. Results do not depend on it.")
        .source("project")
        .not_in_results();
    block.add("progress", run.progress)
        .doc(
            "A line on standard error with simulated time, rate and time left: on a terminal, and elsewhere "
            "after a minute and then ever more seldom.")
        .source("project");
    table.check([&run]() -> config_errors {
        if (run.duration > picoseconds{0} && run.warmup >= run.duration) {
            return {{"", 0, "run.warmup",
                     "'" + to_text(run.warmup) + "' is out of range; expected below run.duration (" +
                         to_text(run.duration) + ")"}};
        }
        return {};
    });
}

/// At switches without RTL, iSLIP's model stands for it.
static arbiter_kind model_of(arbiter_choice choice) {
    switch (choice) {
        case arbiter_choice::pim:
            return arbiter_kind::pim;
        case arbiter_choice::round_robin:
            return arbiter_kind::round_robin;
        case arbiter_choice::maximum_size:
            return arbiter_kind::maximum_size;
        case arbiter_choice::islip:
        case arbiter_choice::rtl:
            break;
    }
    return arbiter_kind::islip;
}

void run_config::resolve() {
    fabric.resolve_links(link);
    device.arbiter = model_of(rtl.arbiter);
    traffic.datagram = udp.payload;
    traffic.datagram_overhead = udp.header + link.wire_overhead;
}

option_table make_option_table(run_config& config) {
    option_table table;
    add_run_options(table, config);
    add_fabric_options(table, config);
    add_link_options(table, config);
    add_switch_options(table, config);
    add_shared_options(table, config);
    add_sram_options(table, config);
    add_pfc_options(table, config);
    add_rtl_options(table, config);
    add_host_options(table, config);
    add_tcp_options(table, config);
    add_udp_options(table, config);
    add_traffic_options(table, config);
    add_output_options(table, config);
    add_trace_options(table, config);
    return table;
}

}  // namespace weir
