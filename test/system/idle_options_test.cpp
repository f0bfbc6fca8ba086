// Options that are said to have no effect have none: each short run of test/fingerprint once more, with all of
// them set to something else, writes the same bytes.
#include <gtest/gtest.h>

#include <sstream>

#include "program.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"

using namespace weir;
using namespace weir::tb;
using namespace weir::test;

namespace {

/// For every option that may be idle a value which is not its default, and which no check refuses by itself.
const char* const others[] = {"run.thread_grain=3",
                              "fabric.hosts=5",
                              "fabric.left=3",
                              "fabric.right=3",
                              "fabric.racks=5",
                              "fabric.hosts_per_rack=5",
                              "fabric.roots=3",
                              "fabric.links_per_root=2",
                              "fabric.pods=2",
                              "fabric.tors_per_pod=3",
                              "fabric.aggs_per_pod=2",
                              "fabric.hosts_per_tor=3",
                              "fabric.cores=4",
                              "fabric.links_per_agg=2",
                              "fabric.cores_per_agg=1",
                              "fabric.links_per_core=2",
                              "fabric.wiring=strides",
                              "fabric.k=6",
                              "fabric.oversubscription=2",
                              "fabric.hosts_per_edge=3",
                              "fabric.xgft_children=3, 2",
                              "fabric.xgft_parents=1, 3",
                              "fabric.xgft_top_hosts=1",
                              "fabric.host_rate=2Gbps",
                              "fabric.host_latency=2us",
                              "fabric.bottleneck_rate=2Gbps",
                              "fabric.bottleneck_latency=2us",
                              "fabric.root_rate=2Gbps",
                              "fabric.root_latency=2us",
                              "fabric.agg_rate=2Gbps",
                              "fabric.agg_latency=2us",
                              "fabric.core_rate=2Gbps",
                              "fabric.core_latency=2us",
                              "fabric.file=none.topo",
                              "fabric.format=htsim",
                              "fabric.reroute_delay=1ms",
                              "link.rate=2Gbps",
                              "link.latency=2us",
                              "switch.ingress_buffer=64KiB",
                              "switch.egress_buffer=64KiB",
                              "switch.ingress_memory=model",
                              "switch.egress_memory=model",
                              "switch.drop=egress_tail",
                              "switch.queue_order=rank",
                              "switch.telemetry=on",
                              "marking.kind=step",
                              "marking.threshold=2KB",
                              "marking.threshold_frames=3",
                              "marking.rule=above",
                              "marking.k_min=1KB",
                              "marking.k_max=9KB",
                              "marking.p_max=50%",
                              "marking.at=dequeue",
                              "marking.counts=bound",
                              "marking.classes=0",
                              "marking.k_min_frames=1",
                              "marking.k_max_frames=3",
                              "marking.weight=0.5",
                              "marking.gentle=on",
                              "marking.wait=on",
                              "marking.mean_frame=100B",
                              "marking.spare_control=off",
                              "marking.may_drop=off",
                              "qcn.set_point=2KB",
                              "qcn.weight=1",
                              "qcn.sample_interval=3KB",
                              "qcn.jitter=0%",
                              "qcn.quantiser=msb",
                              "qcn.priority=3",
                              "qcn.cycles=select",
                              "qcn.gain=0.01",
                              "qcn.least_share=80%",
                              "qcn.byte_limit=20KB",
                              "qcn.timer=1ms",
                              "qcn.cycle_jitter=0%",
                              "qcn.fast_recovery=3",
                              "qcn.active_increase=50Mbps",
                              "qcn.hyper_increase=100Mbps",
                              "qcn.extra_fast_recovery=off",
                              "qcn.min_rate=1Mbps",
                              "host.voq=transfer",
                              "host.stack_distribution=lognormal",
                              "host.stack_deviation=20%",
                              "traffic.response_delay=3ms",
                              "traffic.response_delay_distribution=lognormal",
                              "traffic.response_delay_deviation=30%",
                              "pfc.losses=count",
                              "traffic.worker_bytes=3KB",
                              "traffic.program=nas_mg",
                              "traffic.ranks=2",
                              "traffic.program_iterations=3",
                              "traffic.program_bytes=3KB",
                              "traffic.program_piece=1KB",
                              "traffic.micro_batches=3",
                              "traffic.program_class=S",
                              "traffic.program_compute=3us",
                              "traffic.rank_placement=random",
                              "traffic.eager_limit=3KB",
                              "traffic.message_turns=in_turn",
                              "traffic.message_overhead=1us",
                              "traffic.ideal_latency=1us",
                              "traffic.schedule=none.goal",
                              "traffic.request_handle=4",
                              "traffic.rack_bytes=4KB",
                              "traffic.background_exponential=on",
                              "traffic.background_sources=h0",
                              "traffic.background_destinations=h1",
                              "traffic.background_rack_share=30%",
                              "detour.policy=load_aware",
                              "detour.shortest_first=off",
                              "detour.back=off",
                              "detour.ttl=3",
                              "detour.mark=off",
                              "detour.start=10%",
                              "detour.lossless=on",
                              "switch.share=fixed",
                              "switch.share_alpha=2",
                              "switch.balance_thresholds=1KiB",
                              "switch.hash_salt=none",
                              "switch.crossbar=cell",
                              "switch.speedup=3",
                              "switch.cell=100B",
                              "switch.arbiter=round_robin",
                              "switch.iterations=1",
                              "switch.scheduler=deficit_round_robin",
                              "switch.weights=8,7,6,5,4,3,2,1",
                              "shared.memory=5MB",
                              "shared.slices=2",
                              "shared.slice_map=ingress",
                              "shared.slice_map_file=none.csv",
                              "shared.lossless_classes=3",
                              "shared.lossless_pool=1MB",
                              "shared.lossy_pool=700KB",
                              "shared.queue_pool=600KB",
                              "shared.lossless_queue_pool=500KB",
                              "shared.common_pool=on",
                              "shared.common_queue_pool=on",
                              "shared.pools_include_reserved=on",
                              "shared.config_db=none.json",
                              "shared.config_db_switches=tor0",
                              "shared.minimum=2KB",
                              "shared.queue_minimum=3KB",
                              "shared.alpha=0.5",
                              "shared.lossy_alpha=2",
                              "shared.queue_alpha=4",
                              "shared.lossless_queue_alpha=2",
                              "shared.lossless_queue_threshold=7KB",
                              "shared.threshold=20KB",
                              "shared.xon=2KB",
                              "shared.xon_offset=3KB",
                              "shared.headroom=30KB",
                              "shared.headroom_pool=300KB",
                              "shared.pg_profile_lookup=none.ini",
                              "shared.group_profiles=none.csv",
                              "shared.queue_profiles=none.csv",
                              "shared.ecn_threshold=9KB",
                              "switch.lookup_delay=2us",
                              "switch.ingress_fifo=9KB",
                              "sram.banks=4",
                              "sram.ports=1r1w",
                              "pfc.xoff=20KB",
                              "pfc.xon=1KB",
                              "pfc.reserve=3KB",
                              "pfc.count=class_bytes",
                              "pfc.charge=enqueue",
                              "pfc.quanta=100",
                              "pfc.refresh=10%",
                              "pfc.response=9us",
                              "mac.pfc=rtl",
                              "rtl.switches=*1",
                              "rtl.latency=rtl",
                              "rtl.clock=6.4ns",
                              "pfc.watchdog=drop",
                              "pfc.watchdog_detection=5ms",
                              "pfc.watchdog_restoration=7ms",
                              "pfc.watchdog_interval=1ms",
                              "tcp.mss=1000B",
                              "tcp.header=70B",
                              "tcp.min_frame=42B",
                              "tcp.min_rto=20ms",
                              "tcp.initial_rto=30ms",
                              "tcp.max_rto=50s",
                              "tcp.rto_granularity=2ms",
                              "tcp.rto_variance_factor=2",
                              "tcp.rto_addition=20ms",
                              "tcp.rtt_clock=1us",
                              "tcp.rtt_samples=each_ack",
                              "tcp.initial_window=7",
                              "tcp.slow_start_limit=2",
                              "tcp.avoidance=per_ack",
                              "tcp.duplicate_acks=5",
                              "tcp.ignore_duplicates_after_mark=on",
                              "tcp.receive_window=100KB",
                              "tcp.receive_window_max=200KB",
                              "tcp.reassembly_limit=200",
                              "tcp.connection_cache=on",
                              "tcp.handshake=on",
                              "tcp.syn_options=20B",
                              "tcp.handshake_ack=on",
                              "tcp.ack_every=2",
                              "tcp.delayed_ack_timeout=10ms",
                              "tcp.congestion=newreno",
                              "tcp.dctcp_g=0.5",
                              "tcp.dctcp_initial_alpha=0",
                              "tcp.path_choice=fixed",
                              "cubic.rules=rfc8312",
                              "cubic.c=0.2",
                              "cubic.beta=0.8",
                              "cubic.fast_convergence=off",
                              "vegas.alpha=1",
                              "vegas.beta=3",
                              "vegas.gamma=2",
                              "flowbender.threshold=10%",
                              "flowbender.rounds=2",
                              "flowbender.random_rounds=on",
                              "flowbender.paths=4",
                              "flowbender.lock_after=5",
                              "flowbender.lock_rounds=3",
                              "flowbender.gradual=on",
                              "flowbender.probe_every=10",
                              "flowbender.probe_threshold=1%",
                              "flowbender.avoid_rounds=9",
                              "udp.payload=700B",
                              "udp.header=60B",
                              "udp.random_gaps=on",
                              "udp.path_every=2",
                              "udp.paths=3",
                              "roce.payload=700B",
                              "roce.header=70B",
                              "roce.rate_control=none",
                              "roce.recovery=selective",
                              "roce.window=100KB",
                              "roce.ack_every=2",
                              "roce.ack_priority=6",
                              "roce.ack_timeout=1ms",
                              "roce.nak_interval=10us",
                              "roce.cnp_priority=5",
                              "roce.cnp_interval=10us",
                              "roce.gain=0.5",
                              "roce.alpha_timer=10us",
                              "roce.increase_timer=100us",
                              "roce.byte_counter=1MB",
                              "roce.fast_recovery=1",
                              "roce.additive_increase=100Mbps",
                              "roce.hyper_increase=200Mbps",
                              "roce.min_rate=5Mbps",
                              "roce.decrease_interval=4us",
                              "roce.first_rate=0.5",
                              "roce.clamp_target=off",
                              "pfabric.payload=700B",
                              "pfabric.header=70B",
                              "pfabric.window=7",
                              "pfabric.rto=10us",
                              "pfabric.probe_after=2",
                              "pfabric.receive_window=20KB",
                              "traffic.rate=777",
                              "traffic.rate_per=network",
                              "traffic.burst_period=3ms",
                              "traffic.burst_duration=1ms",
                              "traffic.burst_rate=5000",
                              "traffic.burst_stagger=on",
                              "traffic.sizes=3KB",
                              "traffic.request=700B",
                              "traffic.priorities=3",
                              "traffic.split=random",
                              "traffic.front_end_fraction=20%",
                              "traffic.queries_per_request=5",
                              "traffic.web_sizes=1KB",
                              "traffic.web_size_draw=independent",
                              "traffic.fan_out=3",
                              "traffic.aggregate_total=50KB",
                              "traffic.aggregate_bytes=5KB",
                              "traffic.background_distribution=hadoop",
                              "traffic.background_bytes=20KB",
                              "traffic.background_priority=4",
                              "traffic.background_transport=roce",
                              "traffic.incast_rounds=3",
                              "traffic.stream_source=1",
                              "traffic.stream_destination=2",
                              "traffic.stream_priority=3",
                              "traffic.incast_bytes=30KB",
                              "traffic.incast_flows=2",
                              "traffic.incast_target=1",
                              "traffic.incast_all_to_all=on",
                              "traffic.load=33%",
                              "traffic.load_of=bisection",
                              "traffic.sources=h1",
                              "traffic.destinations=h2",
                              "traffic.distribution=hadoop",
                              "traffic.flow_bytes=5KB",
                              "traffic.flows_per_host=2",
                              "traffic.parallel_flows=2",
                              "traffic.partners=pairs",
                              "traffic.write_loads=10%, 70%",
                              "traffic.write_times=1ms",
                              "traffic.slot=20us",
                              "traffic.file=none.csv",
                              "traffic.format=hpcc",
                              "traffic.start_unit=us",
                              "traffic.packets=packets",
                              "traffic.addresses=modulo",
                              "traffic.packet_idle=2ms",
                              "traffic.trigger_delay=50us",
                              "traffic.default_priority=4",
                              "traffic.distribution_file=none.txt",
                              "traffic.distribution_fraction=percent",
                              "traffic.distribution_size=7B",
                              "output.full_queues=on",
                              "output.ideal_jobs=on",
                              "output.occupancy_nodes=h0",
                              "output.series=h*",
                              "output.windows=h*",
                              "output.rates=h*",
                              "output.window_start=1us",
                              "output.window_end=1ms",
                              "trace.cause_flows=3",
                              "trace.pcap_snap=64B",
                              "trace.pcap_limit=5",
                              "trace.perfetto_nodes=h0",
                              "trace.perfetto_limit=9",
                              "trace.wave_switches=tor0",
                              "trace.wave_signals=match",
                              "trace.wave_limit=7",
                              "trace.wave_trigger=drop",
                              "trace.wave_before=2us",
                              "trace.wave_after=3us",
                              "trace.window_start=1us",
                              "trace.window_end=1ms"};

std::string key_of(const std::string& option) {
    return option.substr(0, option.find('='));
}

/// All that are idle in this run together; one that is idle only without another leaves the list with it.
arguments idle_in(const std::string& ini) {
    arguments all;
    for (const char* const other : others) {
        all.push_back(std::string("--") + other);
    }
    // An option may be idle by itself and not beside another one: take out what is not, until nothing changes.
    for (bool changed = true; changed;) {
        changed = false;
        arguments kept;
        for (const std::string& option : all) {
            const loaded_config loaded = load_config_files({option}, {ini});
            bool idle = false;
            for (const config_error& warning : loaded.warnings) {
                idle = idle || (warning.file.empty() && warning.key == key_of(option.substr(2)));
            }
            if (idle && loaded.errors.empty()) {
                kept.push_back(option);
            }
        }
        const loaded_config together = load_config_files(kept, {ini});
        EXPECT_TRUE(together.errors.empty()) << format_error(together.errors.front());
        arguments still;
        for (const std::string& option : kept) {
            for (const config_error& warning : together.warnings) {
                if (warning.file.empty() && warning.key == key_of(option.substr(2))) {
                    still.push_back(option);
                }
            }
        }
        changed = still != all;
        all = still;
    }
    return all;
}

class idle_options : public testing::TestWithParam<const char*> {};
TEST_P(idle_options, change_no_result) {
    const std::string ini = WEIR_GOLDEN_DIR "/../fingerprint/" + std::string(GetParam()) + ".ini";
    const arguments idle = idle_in(ini);
    EXPECT_GT(idle.size(), 20U);
    const scratch_directory where;
    const outcome plain = run_program(where, {"run", ini, "--out", "plain"});
    ASSERT_EQ(plain.status, 0) << plain.err;
    const outcome changed = run_program(where, combined({"run", ini, "--out", "changed"}, idle));
    ASSERT_EQ(changed.status, 0) << changed.err;
    for (const char* side : {"plain", "changed"}) {
        ASSERT_TRUE(fs::remove(where.path() / side / "effective.ini"));
    }
    expect_same_bytes(where / "plain", where / "changed");
}
INSTANTIATE_TEST_SUITE_P(system, idle_options,
                         testing::Values("baseline_queries", "cells_pim", "cut_links", "detail_cells",
                                         "fat_tree_rates", "fc_incast", "priority_flows", "scatter_udp",
                                         "shared_lossy_queues", "shared_slices_pfc", "triggered_trace",
                                         "weighted_classes"),
                         [](const auto& which) { return std::string(which.param); });

TEST(idle_options_list, has_every_option_that_may_be_idle) {
    run_config config;
    const option_table table = make_option_table(config);
    std::set<std::string> listed;
    for (const char* const other : others) {
        listed.insert(key_of(other));
    }
    for (const auto& each : table.options()) {
        // Another value of these is refused, not ignored, where it cannot be had.
        const bool refused = each->key == "traffic.transport" || each->key == "traffic.background_to_back_ends";
        EXPECT_EQ(listed.count(each->key), each->matters.holds && !refused ? 1U : 0U) << each->key;
    }
}

}  // namespace
