// "Same bytes": no file of a run but run.json depends on threads, quantum or engine (docs/timing-model.md). The
// tests start the program, as a user compares runs.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"

using namespace weir::test;
using nlohmann::json;

namespace {

/// Three racks of four, two roots: two paths between racks, and 2:1 oversubscription.
const arguments small_fabric{
    "--fabric.topology=racks", "--fabric.racks=3",     "--fabric.hosts_per_rack=4",    "--fabric.roots=2",
    "--run.seed=11",           "--run.progress=false", "--output.series=tor0,root*,h1"};
/// Queries in three priorities, 80 % of a host's link; with flow control, thresholds low enough to be crossed.
const arguments queries{"--traffic.kind=query", "--traffic.rate=2500", "--traffic.priorities=0,3,7",
                        "--run.duration=8ms",   "--pfc.xoff=4KB",      "--pfc.xon=3KB"};

/// `more` on top of `options`: an option that both have has `more`'s value; links may have several.
arguments with(arguments options, const arguments& more) {
    const auto key = [](const std::string& option) { return option.substr(0, option.find('=')); };
    for (const std::string& option : more) {
        options.erase(std::remove_if(options.begin(), options.end(),
                                     [&](const std::string& old) {
                                         return key(old) == key(option) && key(old) != "--fabric.link";
                                     }),
                      options.end());
        options.push_back(option);
    }
    return options;
}

void run_into(const scratch_directory& where, const std::string& out, const arguments& options) {
    const outcome o = run_program(where, combined(combined({"run"}, options), {"--out", out}));
    ASSERT_EQ(o.status, 0) << o.err;
}

/// The same simulation in all the ways that must not matter. The links have 6.6 us, which is the lookahead.
/// `happened`: what summary.json must have counted, or the comparison would say little.
void expect_same_however_it_runs(const arguments& options, const std::string& happened = "/packet_hops",
                                 const char* lookahead_third = "2.2us", const char* lookahead_tenth = "660ns") {
    const scratch_directory where;
    ASSERT_NO_FATAL_FAILURE(run_into(where, "lookahead", options));
    const std::map<std::string, std::string> ways{
        {"third", std::string("--run.quantum=") + lookahead_third},
        {"tenth", std::string("--run.quantum=") + lookahead_tenth},
        {"three_threads", "--run.threads=3"},
        {"always_three_threads", "--run.threads=3 --run.thread_grain=0"},
        {"literal", "--run.engine=literal"}};
    for (const auto& [name, option] : ways) {
        SCOPED_TRACE(name);
        ASSERT_NO_FATAL_FAILURE(run_into(where, name, combined(options, words_in(option))));
        expect_same_bytes(where / "lookahead", where / name);
    }
    const json summary = summary_of(where / "lookahead");
    EXPECT_GT(summary["packet_hops"], 1'000);
    EXPECT_GT(summary.at(json::json_pointer(happened)), 0) << happened;
}

TEST(determinism, the_same_seed_twice_gives_the_same_bytes_and_another_seed_gives_others) {
    const scratch_directory where;
    const arguments options = with(combined(small_fabric, queries), {"--switch.scheme=detail"});
    ASSERT_NO_FATAL_FAILURE(run_into(where, "a", options));
    ASSERT_NO_FATAL_FAILURE(run_into(where, "b", options));
    ASSERT_NO_FATAL_FAILURE(run_into(where, "c", with(options, {"--run.seed=12"})));
    expect_same_bytes(where / "a", where / "b");
    EXPECT_NE(contents(where / "a/flows.csv"), contents(where / "c/flows.csv"));
    EXPECT_NE(contents(where / "a/ports.csv"), contents(where / "c/ports.csv"));
}

TEST(determinism, the_effective_configuration_run_again_gives_the_same_bytes) {
    const scratch_directory where;
    for (const std::string scheme : {"baseline", "detail"}) {
        SCOPED_TRACE(scheme);
        const std::string first = scheme + "_first";
        const std::string again = scheme + "_again";
        ASSERT_NO_FATAL_FAILURE(run_into(
            where, first,
            with(combined(small_fabric, queries),
                 {"--switch.scheme=" + scheme, "--fabric.link=tor0-root1 down at=3ms",
                  "--fabric.link=h5-tor1 frame_error_rate=0.01", "--run.quantum=1us", "--run.warmup=1ms"})));
        ASSERT_NO_FATAL_FAILURE(run_into(where, again, {first + "/effective.ini"}));
        expect_same_bytes(where / first, where / again);
    }
}

TEST(determinism, an_incast_with_thousands_of_xoffs_and_synchronised_sources_is_the_same_at_any_quantum) {
    const scratch_directory where;
    // Eleven servers answer at once, four times. Equal frames at equal times: ties everywhere.
    const arguments options =
        combined(small_fabric, {"--switch.scheme=detail", "--traffic.kind=incast", "--traffic.incast_rounds=4",
                                "--traffic.incast_bytes=2MB", "--link.wire_overhead=0B", "--tcp.header=70B",
                                "--tcp.initial_window=100", "--output.occupancy_interval=100us"});
    ASSERT_NO_FATAL_FAILURE(run_into(where, "lookahead", options));
    for (const std::string quantum : {"2.2us", "660ns", "123457ps"}) {
        SCOPED_TRACE(quantum);
        ASSERT_NO_FATAL_FAILURE(run_into(where, quantum, combined(options, {"--run.quantum=" + quantum})));
        expect_same_bytes(where / "lookahead", where / quantum);
    }
    ASSERT_NO_FATAL_FAILURE(run_into(where, "literal", combined(options, {"--run.engine=literal"})));
    expect_same_bytes(where / "lookahead", where / "literal");
    const json summary = summary_of(where / "lookahead");
    EXPECT_GT(summary["pfc"]["xoff_sent"], 1'000);
    EXPECT_EQ(summary["frames"]["dropped"], 0);
    EXPECT_EQ(summary["flows"]["started"], summary["flows"]["completed"]);
}

TEST(determinism, samples_closer_than_a_quantum_are_the_same_from_the_first_one_on) {
    // Incast: hosts send from the first instant on.
    expect_same_however_it_runs(with(
        small_fabric, {"--traffic.kind=incast", "--traffic.incast_rounds=1", "--traffic.incast_bytes=600KB",
                       "--run.duration=4ms", "--output.occupancy_interval=1us", "--output.series=h*"}));
}

TEST(determinism, a_shared_memory_is_the_same_at_any_quantum) {
    // Thousands of XOFFs with slices that hold groups back one after another; links are cut, so that memory
    // comes back in the middle of an instant.
    const arguments held{"--switch.buffer=shared",
                         "--switch.scheme=detail",
                         "--switch.memory_cell=208B",
                         "--shared.memory=12MB",
                         "--shared.lossless_pool=2MB",
                         "--shared.slices=3",
                         "--shared.alpha=0.25",
                         "--traffic.kind=incast",
                         "--traffic.incast_rounds=4",
                         "--traffic.incast_bytes=2MB",
                         "--link.wire_overhead=0B",
                         "--tcp.header=70B",
                         "--tcp.initial_window=100",
                         "--tcp.min_rto=2ms",
                         "--fabric.link=tor0-root1 down at=5ms",
                         "--fabric.link=tor0-root1 up at=25ms",
                         "--output.occupancy_interval=100us"};
    expect_same_however_it_runs(combined(small_fabric, held), "/pfc/xoff_sent");
    const arguments lossy{"--switch.buffer=shared",     "--switch.scheme=priority", "--shared.memory=60KB",
                          "--shared.queue_alpha=0.5",   "--traffic.kind=query",     "--traffic.rate=2500",
                          "--traffic.priorities=0,3,7", "--run.duration=8ms",       "--run.warmup=1ms"};
    expect_same_however_it_runs(combined(small_fabric, lossy), "/drops/egress_full");
}

TEST(determinism, memories_that_make_frames_wait_are_the_same_at_any_quantum) {
    // A full frame has 8 cells, written and read in 24 us by two banks, and is 12.2 us on the wire.
    const arguments slow{"--switch.memory_cell=208B", "--sram.banks=2",      "--sram.access_time=3us",
                         "--traffic.kind=query",      "--traffic.rate=2500", "--traffic.priorities=0,3,7",
                         "--run.duration=8ms",        "--run.warmup=1ms"};
    expect_same_however_it_runs(
        combined(combined(small_fabric, slow), {"--switch.scheme=detail", "--switch.ingress_buffer=512KiB"}),
        "/resources/memory/stalled_percent");
    expect_same_however_it_runs(
        combined(combined(small_fabric, slow),
                 {"--switch.scheme=priority", "--switch.buffer=shared", "--shared.memory=60KB",
                  "--shared.slices=2", "--shared.queue_alpha=0.5", "--fabric.link=tor0-root1 down at=5ms"}),
        "/resources/memory/stalled_percent");
    expect_same_however_it_runs(
        combined(small_fabric, {"--switch.scheme=priority", "--switch.buffer=shared", "--shared.memory=600KB",
                                "--switch.lookup_interval=5us", "--traffic.kind=query", "--traffic.rate=2500",
                                "--run.duration=8ms"}),
        "/drops/ingress_fifo_full");
}

TEST(determinism,
     links_that_change_in_the_middle_of_an_incast_with_hundreds_of_xoffs_are_the_same_at_any_quantum) {
    // Shorter and longer, with frames and PFC frames under way, in both directions; thresholds are the
    // program's own. 3 us is the smallest latency that is ever to be. Errors are where no PFC frame passes.
    const scratch_directory where;
    const arguments options = combined(
        small_fabric,
        {"--switch.scheme=detail", "--switch.ingress_buffer=256KiB", "--traffic.kind=incast",
         "--traffic.incast_rounds=4", "--traffic.incast_bytes=2MB", "--link.wire_overhead=0B",
         "--tcp.header=70B", "--tcp.initial_window=100", "--tcp.min_rto=2ms",
         "--fabric.link=tor0-root0 latency=20us at=5ms", "--fabric.link=tor0-root0 latency=3us at=25ms",
         "--fabric.link=h1-tor0 latency=25us at=10ms", "--fabric.link=h1-tor0 latency=4us at=30ms",
         "--fabric.link=h6-tor1 latency=9us rate=300Mbps at=12ms",
         "--fabric.link=tor2-root1 latency=15us at=20ms",
         "--fabric.link=h0-tor0 frame_error_rate=0.003 latency=10us at=15ms",
         "--fabric.link=h0-tor0 frame_error_rate=0 latency=5us at=40ms"});
    ASSERT_NO_FATAL_FAILURE(run_into(where, "lookahead", options));
    for (const std::string way : {"quantum=2us", "quantum=123457ps", "engine=literal"}) {
        SCOPED_TRACE(way);
        ASSERT_NO_FATAL_FAILURE(run_into(where, way, combined(options, {"--run." + way})));
        expect_same_bytes(where / "lookahead", where / way);
    }
    EXPECT_EQ(json::parse(contents(where / "lookahead/run.json"))["quantum_ns"], 3'000);
    const json summary = summary_of(where / "lookahead");
    EXPECT_GT(summary["pfc"]["xoff_sent"], 400);
    EXPECT_GT(summary["drops"]["bit_error"], 0);
    EXPECT_EQ(summary["drops"]["bit_error"], summary["frames"]["dropped"]);
    EXPECT_EQ(summary["flows"]["started"], summary["flows"]["completed"]);
}

// --- every way to set a switch up -------------------------------------------------------------------------

class of_scheme : public testing::TestWithParam<const char*> {};
TEST_P(of_scheme, quantum_and_engine_change_nothing) {
    expect_same_however_it_runs(
        with(combined(small_fabric, queries), {std::string("--switch.scheme=") + GetParam()}));
}
INSTANTIATE_TEST_SUITE_P(determinism, of_scheme,
                         testing::Values("baseline", "priority", "fc", "priority_pfc", "packet_scatter",
                                         "detail", "dctcp", "rps"),
                         [](const auto& which) { return std::string(which.param); });

class of_arbiter : public testing::TestWithParam<std::tuple<const char*, const char*>> {};
TEST_P(of_arbiter, quantum_and_engine_change_nothing) {
    const auto [arbiter, crossbar] = GetParam();
    expect_same_however_it_runs(
        with(combined(small_fabric, queries),
             {"--switch.scheme=detail", std::string("--switch.arbiter=") + arbiter,
              std::string("--switch.crossbar=") + crossbar, "--switch.speedup=2", "--run.duration=4ms"}));
}
INSTANTIATE_TEST_SUITE_P(determinism, of_arbiter,
                         testing::Combine(testing::Values("islip", "pim", "round_robin", "maximum_size"),
                                          testing::Values("frame", "cell")),
                         [](const auto& which) {
                             return std::string(std::get<0>(which.param)) + "_" + std::get<1>(which.param);
                         });

struct variant {
    const char* name;
    arguments options;
    const char* happened = "/packet_hops";
};
void PrintTo(const variant& v, std::ostream* out) {
    *out << v.name;
}
class of_variant : public testing::TestWithParam<variant> {};
TEST_P(of_variant, quantum_and_engine_change_nothing) {
    expect_same_however_it_runs(with(combined(small_fabric, queries), GetParam().options), GetParam().happened);
}
/// Of host links and of others, in mid-run and under pauses: shorter with frames under way (3 us is the
/// lookahead then), longer, another rate with it, errors that come and go, a cut in between.
const arguments links_that_change{"--switch.scheme=detail",
                                  "--fabric.link=tor0-root0 latency=20us at=1ms",
                                  "--fabric.link=tor0-root0 latency=3us at=2500us",
                                  "--fabric.link=tor0-root0 latency=11us rate=300Mbps at=5ms",
                                  "--fabric.link=h5-tor1 latency=30us at=1500us",
                                  "--fabric.link=h5-tor1 latency=4us at=3ms",
                                  "--fabric.link=tor1-root1 frame_error_rate=0.03 latency=5us at=2ms",
                                  "--fabric.link=tor1-root1 frame_error_rate=0 at=4ms",
                                  "--fabric.link=h2-tor0 bit_error_rate=2e-6 at=1ms",
                                  "--fabric.link=tor2-root0 down at=3ms",
                                  "--fabric.link=tor2-root0 up latency=8us at=4ms",
                                  "--traffic.burst_period=2ms",
                                  "--traffic.burst_duration=500us",
                                  "--tcp.min_rto=1ms",
                                  "--tcp.initial_rto=2ms"};
const variant variants[] = {
    {"link_cut_mended_and_degraded",
     {"--switch.scheme=detail", "--fabric.link=tor0-root0 down at=2ms", "--fabric.link=tor0-root0 up at=5ms",
      "--fabric.link=tor1-root1 rate=100Mbps at=3ms", "--fabric.link=h7-tor1 down at=4ms",
      "--fabric.reroute_delay=50us"},
     "/drops/link_down"},
    {"links_that_grow_shrink_and_get_errors_meanwhile", links_that_change, "/pfc/xoff_sent"},
    {"links_that_change_in_one_class_without_flow_control",
     combined(links_that_change, {"--switch.scheme=baseline", "--switch.ingress_buffer=12KB"}),
     "/drops/bit_error"},
    {"links_that_change_in_a_cell_crossbar",
     combined(links_that_change, {"--switch.scheme=packet_scatter", "--switch.crossbar=cell"}),
     "/drops/link_down"},
    {"bit_errors_in_several_classes",
     {"--switch.scheme=detail", "--fabric.link=tor0-root0 frame_error_rate=0.03",
      "--fabric.link=h1-tor0 frame_error_rate=0.05", "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms"},
     "/drops/bit_error"},
    {"a_cut_in_several_classes_without_flow_control",
     {"--switch.scheme=priority", "--fabric.link=tor0-root0 down at=2ms", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     "/drops/link_down"},
    {"egress_tail",
     {"--switch.scheme=priority", "--switch.egress_buffer=20KB", "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms"},
     "/drops/egress_full"},
    {"egress_tail_one_class_cell_crossbar",
     {"--switch.scheme=baseline", "--switch.egress_buffer=10KB", "--switch.crossbar=cell", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     "/drops/egress_full"},
    {"ingress_tail",
     {"--switch.scheme=baseline", "--switch.drop=ingress_tail", "--switch.ingress_buffer=10KB",
      "--switch.egress_buffer=10KB", "--tcp.min_rto=1ms"},
     "/drops/ingress_full"},
    {"udp", {"--switch.scheme=detail", "--traffic.kind=bernoulli", "--traffic.load=90%"}},
    {"udp_with_random_gaps",
     {"--switch.scheme=baseline", "--traffic.kind=permutation", "--traffic.transport=udp",
      "--udp.random_gaps=true"}},
    {"roce_with_marks_and_pauses",
     {"--switch.scheme=detail", "--traffic.transport=roce", "--marking.kind=step", "--marking.threshold=6KB",
      "--traffic.burst_period=4ms", "--traffic.burst_duration=2ms"},
     "/pfc/xoff_sent"},
    {"roce_selective_with_bit_errors_beside_tcp",
     {"--switch.scheme=detail", "--traffic.transport=roce", "--roce.recovery=selective",
      "--roce.ack_timeout=1ms", "--roce.rate_control=dcqcn_mellanox", "--marking.kind=step",
      "--fabric.link=tor0-root0 frame_error_rate=0.03", "--traffic.background_flows=1"},
     "/drops/bit_error"},
    {"pfabric_with_evictions_and_bit_errors",
     {"--switch.scheme=baseline", "--switch.queue_order=rank", "--switch.drop=egress_tail",
      "--switch.egress_buffer=9KB", "--traffic.transport=pfabric", "--traffic.burst_period=4ms",
      "--traffic.burst_duration=2ms", "--fabric.link=tor0-root0 frame_error_rate=0.03"},
     "/drops/evicted"},
    {"detours_from_output_queues_with_bit_errors",
     {"--switch.scheme=dibs", "--switch.buffer=output_queued", "--switch.egress_buffer=9KB", "--detour.ttl=12",
      "--traffic.burst_period=4ms", "--traffic.burst_duration=2ms", "--output.segments=true",
      "--output.full_queues=true", "--fabric.link=tor0-root0 frame_error_rate=0.03"},
     "/drops/no_detour"},
    {"detours_by_chance_beside_background_and_a_stream",
     {"--switch.scheme=dibs", "--switch.buffer=partitioned", "--switch.egress_buffer=9KB",
      "--detour.policy=probabilistic", "--traffic.background_interarrival=1ms",
      "--traffic.background_distribution=hadoop", "--traffic.stream_rate=300Mbps", "--udp.path_every=10",
      "--output.fairness_window=1ms", "--output.busy_links=90%"},
     "/detours/detoured"},
    {"flowbender_with_random_rounds_and_stale_tables",
     {"--switch.scheme=flowbender", "--flowbender.rounds=2", "--flowbender.random_rounds=true",
      "--marking.threshold=3KB", "--tcp.min_rto=1ms", "--output.segments=true",
      "--fabric.link=tor0-root0 down at=3ms", "--fabric.reroute_delay=2ms"},
     "/segments/query/path_changes"},
    {"poisson_flows_of_web_search",
     {"--switch.scheme=priority_pfc", "--traffic.kind=poisson", "--traffic.distribution=web_search",
      "--traffic.load=70%"}},
    {"deficit_round_robin",
     {"--switch.scheme=detail", "--switch.scheduler=deficit_round_robin", "--switch.weights=1,1,1,3,1,1,1,0"}},
    {"lookups_at_intervals", {"--switch.scheme=detail", "--switch.lookup_interval=500ns"}},
    {"least_loaded_and_memory_cells",
     {"--switch.scheme=detail", "--switch.balance=least_loaded", "--switch.memory_cell=208B"}},
    {"charge_at_enqueue_and_short_pauses",
     {"--switch.scheme=detail", "--pfc.charge=enqueue", "--pfc.quanta=100", "--pfc.count=class_bytes",
      "--pfc.xoff=2KB", "--pfc.xon=1KB"},
     "/pfc/xoff_sent"},
    {"stack_delays_handshake_and_delayed_acks",
     {"--switch.scheme=detail", "--host.stack_out=9.5us", "--host.stack_in=24us", "--tcp.handshake=true",
      "--tcp.ack_every=2"}},
    {"drawn_stack_delays",
     {"--switch.scheme=priority_pfc", "--host.stack_out=9.5us", "--host.stack_in=24us",
      "--host.stack_distribution=lognormal", "--host.stack_deviation=80%"}},
    {"rounds_with_drawn_answers_and_waits",
     {"--switch.scheme=fc", "--traffic.kind=incast", "--traffic.distribution=hadoop",
      "--traffic.response_delay=200us", "--traffic.response_delay_distribution=exponential"}},
    {"full_nic_queues",
     {"--switch.scheme=baseline", "--host.nic_buffer=20KB", "--tcp.initial_window=30"},
     "/drops/nic_full"},
    {"warm_up_and_window", {"--switch.scheme=detail", "--run.warmup=3ms"}},
    {"sequential_web", {"--switch.scheme=detail", "--traffic.kind=sequential_web"}},
    {"partition_aggregate",
     {"--switch.scheme=detail", "--traffic.kind=partition_aggregate", "--traffic.fan_out=4,8"}},
    {"bursts_of_all_at_once",
     {"--switch.scheme=detail", "--traffic.burst_period=4ms", "--traffic.burst_duration=2ms"},
     "/pfc/xoff_sent"},
};
INSTANTIATE_TEST_SUITE_P(determinism, of_variant, testing::ValuesIn(variants),
                         [](const auto& which) { return std::string(which.param.name); });

TEST(determinism, links_of_several_latencies_and_rates_are_the_same_at_any_quantum) {
    // The shortest link, 600 ns, is the lookahead.
    expect_same_however_it_runs(
        {"--fabric.topology=fat_tree", "--fabric.k=4", "--fabric.host_rate=10Gbps",
         "--fabric.host_latency=600ns", "--fabric.agg_rate=25Gbps", "--fabric.agg_latency=2us",
         "--fabric.core_rate=5Gbps", "--fabric.core_latency=5us", "--switch.scheme=detail",
         "--switch.lookup_delay=300ns", "--switch.ingress_buffer=400KB", "--traffic.kind=query",
         "--traffic.rate=60000", "--pfc.xoff=4KB", "--pfc.xon=3KB", "--run.duration=2ms",
         "--run.progress=false"},
        "/pfc/xoff_sent", "200ns", "60ns");
}

}  // namespace
