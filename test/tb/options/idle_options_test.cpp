// Options that cannot matter as the others are: who sets one is told which option it would need.
#include <gtest/gtest.h>

#include <sstream>
#include <tuple>

#include "loaded_ini.h"
#include "tb/run/help/option_help.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/run/options/schemes.h"

namespace weir::tb {
namespace {

using test::load;
using test::texts;
using test::texts_of;

texts only_warnings_of(const std::string& ini, const texts& args = {}) {
    const loaded_config loaded = load(ini, args);
    EXPECT_EQ(texts_of(loaded.errors), texts{});
    return texts_of(loaded.warnings);
}

struct idle_case {
    /// Without effect by itself, as the defaults are.
    const char* option;
    const char* needs;
    /// With these it matters.
    texts with;
};

const idle_case cases[] = {
    {"--pfc.xoff=20KB",
     "switch.buffer = partitioned or input_buffered, and pfc.mode = pause or pfc",
     {"--pfc.mode=pause"}},
    {"--pfc.count=class_bytes",
     "switch.buffer = partitioned or input_buffered, and pfc.mode = pfc",
     {"--pfc.mode=pfc"}},
    {"--sram.banks=4", "sram.access_time above 0", {"--sram.access_time=1ns", "--switch.memory_cell=64B"}},
    {"--switch.ingress_fifo=20KB",
     "switch.buffer = shared, and switch.lookup_interval or sram.access_time above 0",
     {"--switch.buffer=shared", "--sram.access_time=1ns", "--switch.memory_cell=64B"}},
    {"--switch.cell=100B",
     "switch.buffer = partitioned, and switch.crossbar = cell",
     {"--switch.crossbar=cell"}},
    {"--switch.iterations=2",
     "switch.buffer = partitioned, and switch.crossbar = cell, and switch.arbiter other than maximum_size",
     {"--switch.crossbar=cell"}},
    {"--host.stack_distribution=lognormal",
     "host.stack_out or host.stack_in above 0",
     {"--host.stack_in=24us"}},
    {"--host.stack_deviation=20%",
     "host.stack_distribution = exponential or lognormal, and host.stack_out or host.stack_in above 0",
     {"--host.stack_in=24us", "--host.stack_distribution=exponential"}},
    {"--traffic.incast_bytes=2MB",
     "traffic.kind = incast, and no traffic.distribution",
     {"--traffic.kind=incast"}},
    {"--traffic.distribution=hadoop", "traffic.kind = poisson or incast", {"--traffic.kind=incast"}},
    {"--traffic.response_delay=3ms", "traffic.kind = incast", {"--traffic.kind=incast"}},
    {"--traffic.response_delay_deviation=20%",
     "traffic.kind = incast, and traffic.response_delay above 0, and traffic.response_delay_distribution = "
     "exponential or lognormal",
     {"--traffic.kind=incast", "--traffic.response_delay=3ms",
      "--traffic.response_delay_distribution=exponential"}},
    {"--mac.pfc=model", "pfc.mode = pfc", {"--pfc.mode=pfc"}},
    {"--rtl.latency=model",
     "switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = pfc) = rtl",
     {"--switch.tcam=rtl"}},
    {"--rtl.clock=5ns",
     "switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = pfc) = rtl, "
     "and rtl.latency = rtl",
     {"--switch.tcam=rtl", "--rtl.latency=rtl"}},
    {"--switch.lookup_delay=5us",
     "switch.tcam = model, rtl.latency = model or rtl.switches other than all, or else pfc.mode = pause or "
     "pfc, "
     "whose thresholds count it",
     {"--pfc.mode=pfc", "--switch.tcam=rtl", "--rtl.latency=rtl", "--rtl.clock=6.4ns"}},
    {"--rtl.switches=all",
     "switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = pfc) = rtl",
     {"--switch.tcam=rtl"}},
    {"--switch.balance_thresholds=16KiB,64KiB", "switch.balance = adaptive", {"--switch.balance=adaptive"}},
    {"--switch.weights=1,1,1,1,1,1,1,1",
     "switch.scheduler = deficit_round_robin, and switch.classes above 1",
     {"--switch.scheduler=deficit_round_robin", "--switch.classes=2"}},
    {"--fabric.k=8", "fabric.topology = fat_tree", {"--fabric.topology=fat_tree"}},
    {"--fabric.racks=2", "fabric.topology = racks", {"--fabric.topology=racks"}},
    {"--fabric.agg_rate=1Gbps", "fabric.topology = pods or fat_tree or xgft", {"--fabric.topology=pods"}},
    {"--fabric.file=x", "fabric.topology = file", {"--fabric.topology=file"}},
    {"--traffic.sizes=2KB", "traffic.kind = query, or poisson without traffic.distribution", {}},
    {"--traffic.file=x", "traffic.kind = trace", {"--traffic.kind=trace"}},
    {"--traffic.burst_rate=5000",
     "traffic.kind = query or sequential_web or partition_aggregate or scatter_gather, and "
     "traffic.burst_period above 0",
     {"--traffic.burst_period=50ms"}},
    {"--traffic.load=30%",
     "traffic.kind = poisson, bernoulli, permutation with traffic.transport = udp, or requests with "
     "traffic.rate = auto",
     {"--traffic.rate=auto"}},
    {"--traffic.load_of=host_link",
     "traffic.kind = poisson, or requests with traffic.rate = auto",
     {"--traffic.rate=auto"}},
    {"--traffic.background_priority=3",
     "traffic.background_flows or traffic.background_interarrival above 0",
     {"--traffic.background_interarrival=10ms"}},
    {"--traffic.stream_priority=3", "traffic.stream_rate", {"--traffic.stream_rate=1Gbps"}},
    {"--traffic.write_loads=20%",
     "traffic.kind = permutation, and no traffic.flow_bytes",
     {"--traffic.kind=permutation"}},
    {"--traffic.write_times=2ms",
     "traffic.kind = permutation, and traffic.write_loads",
     {"--traffic.kind=permutation", "--traffic.write_loads=10%, 20%"}},
    {"--traffic.sources=h*",
     "traffic.kind = poisson or permutation or bernoulli, or requests with traffic.split = named",
     {"--traffic.kind=permutation"}},
    {"--udp.paths=3",
     "traffic over udp (traffic.kind = bernoulli, traffic.stream_rate, traffic.transport, "
     "traffic.background_transport), and udp.path_every above 0",
     {"--traffic.stream_rate=1Gbps", "--udp.path_every=2"}},
    {"--udp.payload=1000B",
     "traffic over udp (traffic.kind = bernoulli, traffic.stream_rate, traffic.transport, "
     "traffic.background_transport)",
     {"--traffic.kind=bernoulli"}},
    {"--tcp.delayed_ack_timeout=10ms",
     "traffic over tcp (traffic.transport, traffic.background_transport), and tcp.ack_every = 2",
     {"--tcp.ack_every=2"}},
};

TEST(idle_options, are_told_with_their_place_and_what_they_need) {
    for (const idle_case& c : cases) {
        const std::string option = c.option;
        const std::string key = option.substr(2, option.find('=') - 2);
        texts idle{option};
        if (key == "traffic.sizes") {
            idle.insert(idle.end(), {"--traffic.kind=poisson", "--traffic.distribution=web_search"});
        }
        if (key == "switch.lookup_delay") {
            idle.insert(idle.end(), {"--switch.tcam=rtl", "--rtl.latency=rtl", "--rtl.clock=6.4ns"});
        }
        EXPECT_EQ(only_warnings_of("", idle),
                  texts{"command line: " + key + ": has no effect; it needs " + c.needs});
        texts used = c.with;
        used.push_back(option);
        EXPECT_EQ(only_warnings_of("", used), texts{}) << option;
    }
}

TEST(idle_options, of_a_file_are_told_by_line_unless_they_say_what_would_hold_anyway) {
    EXPECT_EQ(only_warnings_of("[fabric]\ntopology = racks\nhosts = 7\nk = 8\n"),
              texts{"x.ini:3: fabric.hosts: has no effect; it needs fabric.topology = single"});
    EXPECT_EQ(only_warnings_of("[switch]\nscheme = baseline\nscheduler = strict\nbalance = flow_hash\n"),
              texts{});
    EXPECT_EQ(only_warnings_of("[switch]\nscheme = baseline\nscheduler = deficit_round_robin\n"),
              texts{"x.ini:3: switch.scheduler: has no effect; it needs switch.classes above 1"});
    // On the command line the last word counts.
    EXPECT_EQ(only_warnings_of("[fabric]\ntopology = racks\nk = 8\n", {"--fabric.k=8"}),
              texts{"command line: fabric.k: has no effect; it needs fabric.topology = fat_tree"});
}

TEST(idle_options, a_salt_needs_a_hash_of_flows_in_a_selector_or_a_detour) {
    const std::string idle =
        "command line: switch.hash_salt: has no effect; it needs switch.balance = flow_hash, or "
        "switch.overflow "
        "= detour with detour.policy = flow_based";
    const texts detours{"--switch.hash_salt=none", "--switch.balance=packet_scatter",
                        "--switch.overflow=detour"};
    texts by_flow = detours;
    by_flow.emplace_back("--detour.policy=flow_based");
    EXPECT_EQ(only_warnings_of("", {"--switch.hash_salt=none"}), texts{});
    EXPECT_EQ(only_warnings_of("", detours), texts{idle});
    EXPECT_EQ(only_warnings_of("", by_flow), texts{});
    EXPECT_EQ(only_warnings_of(
                  "", {"--switch.hash_salt=none", "--switch.balance=d_mod_k", "--fabric.topology=racks"}),
              texts{idle});
}

// Whose pool is one for both kinds has no lossy one; where there is one kind, nothing is common.
TEST(idle_options, a_lossy_pool_beside_a_common_one_is_told) {
    const texts both{"--switch.buffer=shared", "--switch.classes=2", "--pfc.mode=pfc",
                     "--shared.lossless_classes=1"};
    for (const auto& [pool, common, members] : {std::tuple("lossy_pool", "common_pool", "groups"),
                                                std::tuple("queue_pool", "common_queue_pool", "queues")}) {
        const std::string option = std::string("--shared.") + pool + "=100KB";
        const std::string in_common = std::string("--shared.") + common + "=";
        texts args = both;
        args.push_back(option);
        EXPECT_EQ(only_warnings_of("", args), texts{}) << pool;
        args.push_back(in_common + "off");
        EXPECT_EQ(only_warnings_of("", args), texts{}) << pool;
        args.back() = in_common + "on";
        EXPECT_EQ(only_warnings_of("", args),
                  texts{std::string("command line: shared.") + pool +
                        ": has no effect; it needs switch.buffer = shared, and lossy classes (pfc.mode, "
                        "shared.lossless_classes), and a pool of the lossy " +
                        members + " alone (no shared." + common + ")"});
        EXPECT_EQ(only_warnings_of("", {"--switch.buffer=shared", option}), texts{}) << pool;
    }
}

TEST(idle_options, are_none_in_a_scheme_by_itself_or_in_its_effective_configuration) {
    for (const scheme_entry& scheme : schemes().entries()) {
        const loaded_config loaded = load("[switch]\nscheme = " + scheme.name + "\n");
        EXPECT_EQ(texts_of(loaded.warnings), texts{}) << scheme.name;
        std::ostringstream effective;
        write_effective_ini(effective, loaded.config);
        EXPECT_EQ(only_warnings_of(effective.str()), texts{}) << scheme.name;
    }
}

TEST(idle_options, are_not_told_beside_errors) {
    EXPECT_EQ(texts_of(load("", {"--fabric.k=8", "--switch.speedup=0"}).warnings), texts{});
}

TEST(idle_options, a_condition_names_options_that_exist) {
    run_config config;
    const option_table table = make_option_table(config);
    for (const auto& each : table.options()) {
        std::istringstream words(each->matters.needs);
        EXPECT_EQ(each->matters.needs.empty(), !each->matters.holds) << each->key;
        for (std::string word; words >> word;) {
            word.erase(0, word.find_first_not_of('('));
            word.erase(word.find_last_not_of(",)") + 1);
            if (word.find('.') != std::string::npos) {
                EXPECT_NE(table.find(word), nullptr) << each->key << ": " << word;
            }
        }
    }
}

}  // namespace
}  // namespace weir::tb
