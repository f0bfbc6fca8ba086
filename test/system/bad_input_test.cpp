// Bad input through the program: a message that names what is wrong and what is allowed, exit status 2, and
// nothing written (docs/README.md, "Exit status").
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <tuple>

#include "program.h"
#include "support/errors_said.h"

using namespace weir::test;

namespace {

const std::string some_traffic = "[run]\nduration = 1ms\nprogress = false\n[traffic]\nkind = query\n";

struct bad_input {
    const char* name;
    /// Contents of config.ini, and of input.txt where an option names it.
    std::string config;
    std::string input;
    arguments options;
    /// Each must stand in the message.
    std::vector<std::string> message;
};
void PrintTo(const bad_input& b, std::ostream* out) {
    *out << b.name;
}

const arguments from_trace{"--traffic.kind=trace", "--traffic.file=input.txt"};
const std::string trace_header = "start_ns,src,dst,bytes\n0,0,1,1000\n";
/// A trace of so many flows, each with a tag of its own.
std::string trace_of_tags(int count) {
    std::string text = "start_ns,src,dst,bytes,priority,tag\n";
    for (int i = 0; i < count; ++i) {
        text += "0,0,1,1000,0,t" + std::to_string(i) + "\n";
    }
    return text;
}
const arguments from_topology{"--fabric.topology=file", "--fabric.file=input.txt"};

const bad_input inputs[] = {
    {"unknown_key_in_a_file",
     some_traffic + "[switch]\ningres_buffer = 64KiB\n",
     "",
     {},
     {"config.ini:7:", "switch.ingres_buffer", "switch.ingress_buffer"}},
    {"unknown_key_on_the_command_line",
     some_traffic,
     "",
     {"--tcp.min_rt0=5ms"},
     {"tcp.min_rt0", "tcp.min_rto"}},
    {"missing_unit",
     some_traffic + "[link]\nlatency = 5\n",
     "",
     {},
     {"config.ini:7:", "link.latency", "'5' has no unit", "ps, ns, us, ms or s"}},
    {"wrong_unit", some_traffic, "", {"--link.rate=10ms"}, {"link.rate", "10ms"}},
    {"negative_size", some_traffic, "", {"--switch.ingress_buffer=-1KB"}, {"switch.ingress_buffer", "-1KB"}},
    {"no_hosts", some_traffic, "", {"--fabric.hosts=0"}, {"fabric.hosts: 0, 1 to"}},
    {"an_odd_fat_tree",
     some_traffic,
     "",
     {"--fabric.topology=fat_tree", "--fabric.k=5"},
     {"fabric.k", "'5'", "even"}},
    {"an_xgft_whose_lists_do_not_fit",
     some_traffic,
     "",
     {"--fabric.topology=xgft", "--fabric.xgft_children=16,4,2"},
     {"command line: fabric.xgft_children: does not go with the default of fabric.xgft_parents",
      "2, xgft_children, 3"}},
    {"an_xgft_whose_hosts_have_two_links",
     some_traffic,
     "",
     {"--fabric.topology=xgft", "--fabric.xgft_parents=2,2"},
     {"fabric.xgft_parents: 2, 1"}},
    {"levels_where_switches_stand_beside_each_other",
     some_traffic,
     "",
     {"--fabric.topology=dumbbell", "--switch.balance=d_mod_k"},
     {"switch.balance: 'd_mod_k' needs a tree, but tor0-tor1 does not connect", "levels"}},
    {"pods_that_no_core_connects", some_traffic, "", {"--fabric.topology=pods", "--fabric.cores=0"}, {"cores"}},
    {"a_switch_with_too_many_ports",
     some_traffic,
     "",
     {"--fabric.topology=dumbbell", "--fabric.left=256"},
     {"left", "256"}},
    {"a_topology_of_two_islands",
     some_traffic,
     "host h0\nhost h1\nswitch s0\nswitch s1\nlink h0 s0\nlink h1 s1\nend\n",
     from_topology,
     {"input.txt:", "s1"}},
    {"a_host_without_a_link",
     some_traffic,
     "host h0\nhost h1\nhost h2\nswitch s0\nlink h0 s0\nlink h1 s0\nend\n",
     from_topology,
     {"input.txt:3:", "h2"}},
    {"a_topology_cut_in_the_middle",
     some_traffic,
     "host h0\nhost h1\nswitch s0\nlink h0 s0 rate=10G",
     from_topology,
     {"input.txt:"}},
    {"a_topology_whose_end_is_missing",
     some_traffic,
     "host h0\nhost h1\nswitch s0\nlink h0 s0\nlink h1 s0\n",
     from_topology,
     {"input.txt", "end"}},
    {"a_link_without_latency",
     some_traffic,
     "host h0\nhost h1\nswitch s0\nlink h0 s0 latency=0ns\nlink h1 s0\nend\n",
     from_topology,
     {"input.txt:4:", "latency"}},
    {"a_missing_topology",
     some_traffic,
     "",
     {"--fabric.topology=file", "--fabric.file=none.txt"},
     {"none.txt"}},
    {"a_trace_with_a_negative_size",
     "",
     trace_header + "10,1,2,-5\n",
     from_trace,
     {"input.txt:3:", "bytes", "'-5'", "1 to"}},
    {"a_trace_with_a_start_beyond_the_longest_run",
     "",
     trace_header + "4499999999999.999,2,3,50\n4500000000000,1,2,50\n",
     from_trace,
     {"input.txt:4:", "start_ns", "'4500000000000'", "from 0 to below 4500s"}},
    {"a_trace_with_a_host_that_does_not_exist",
     "",
     trace_header + "10,1,9,50\n",
     from_trace,
     {"input.txt:3:", "dst", "'9'", "0 to 3"}},
    {"a_trace_to_the_sender_itself", "", trace_header + "10,1,1,50\n", from_trace, {"input.txt:3:", "dst"}},
    {"a_trace_with_a_fraction_of_a_byte",
     "",
     trace_header + "10,1,2,5.5\n",
     from_trace,
     {"input.txt:3:", "5.5"}},
    {"an_empty_trace", "", "", from_trace, {"input.txt"}},
    {"a_missing_trace",
     "",
     "",
     {"--traffic.kind=trace", "--traffic.file=none.csv"},
     {"none.csv", "No such file"}},
    {"a_trace_whose_tags_leave_none_for_background_flows",
     "[run]\nduration = 1ms\n[traffic]\nbackground_flows = 1\n",
     trace_of_tags(256),
     from_trace,
     {"input.txt:257:", "tag", "'t255'", "255"}},
    {"a_directory_as_topology",
     some_traffic + "[fabric]\ntopology = file\nfile = .\n",
     "",
     {},
     {"config.ini:8: fabric.file:", "a directory"}},
    {"a_directory_as_trace",
     "[traffic]\nkind = trace\nfile = .\n",
     "",
     {},
     {"config.ini:3: traffic.file:", "a directory"}},
    {"a_pipe_as_trace",
     "",
     "",
     {"--traffic.kind=trace", "--traffic.file=pipe"},
     {"traffic.file:", "pipe' cannot be read: it is a pipe"}},
    {"a_device_as_trace",
     "",
     "",
     {"--traffic.kind=trace", "--traffic.file=/dev/zero"},
     {"traffic.file:", "'/dev/zero' cannot be read: it is a device, which may have no end"}},
    {"a_directory_as_size_distribution",
     some_traffic,
     "",
     {"--traffic.kind=poisson", "--traffic.distribution=file", "--traffic.distribution_file=.",
      "--traffic.distribution_size=1B", "--traffic.distribution_fraction=percent"},
     {"traffic.distribution_file:", "a directory"}},
    {"a_traffic_that_never_ends", "[traffic]\nkind = query\n", "", {}, {"run.duration"}},
    {"a_quantum_beyond_the_lookahead",
     some_traffic,
     "",
     {"--run.quantum=7us"},
     {"run.quantum", "7us", "at most 6.6us"}},
    {"memory_too_small_for_the_classes",
     some_traffic,
     "",
     {"--switch.scheme=detail", "--switch.ingress_buffer=30KB"},
     {"switch.ingress_buffer", "8 lossless classes"}},
    {"frames_longer_than_the_switch_takes",
     some_traffic,
     "",
     {"--tcp.mss=8000B"},
     {"switch.max_frame", "tcp.mss"}},
    {"a_link_that_does_not_exist",
     some_traffic,
     "",
     {"--fabric.link=h0-tor7 down"},
     {"fabric.link", "h0-tor7"}},
    {"a_link_that_is_said_an_impossible_thing_among_others",
     some_traffic + "[fabric]\nlink = h0-tor0 latency=3us at=1ms\nlink = h1-tor0 latency=0ns at=1ms\n"
                    "link = h2-tor0 down\n",
     "",
     {},
     {"config.ini:8: fabric.link: 'h1-tor0 latency=0ns at=1ms'", "1ps to 1s"}},
    {"queries_over_udp",
     some_traffic + "transport = udp\n",
     "",
     {},
     {"config.ini:6: traffic.transport: 'udp'",
      "tcp, roce, pfabric, traffic.kind = poisson, permutation, trace"}},
    {"flowbender_with_repeated_marks",
     some_traffic + "[tcp]\npath_choice = flowbender\n",
     "",
     {},
     {"tcp.path_choice: 'flowbender' counts marked ACKs, but with tcp.congestion = auto",
      "tcp.congestion = dctcp"}},
    {"flowbender_without_marks",
     some_traffic + "[tcp]\npath_choice = flowbender\ncongestion = newreno\n",
     "",
     {},
     {"config.ini:7: tcp.path_choice: 'flowbender' reacts to marks, but with tcp.congestion = newreno",
      "tcp.congestion = dctcp"}},
    {"flowbender_where_no_switch_reads_its_field",
     some_traffic + "[switch]\nscheme = flowbender\nbalance = least_loaded\n",
     "",
     {},
     {"tcp.path_choice: 'flowbender' changes a field that only switch.balance = flow_hash reads",
      "fixed, switch.balance = flow_hash"}},
    {"ranks_beside_frames_without_one",
     some_traffic + "background_flows = 1\n[switch]\nbuffer = output_queued\nscheme = pfabric\n",
     "",
     {"--traffic.background_transport=tcp"},
     {"switch.queue_order: rank, fifo, pFabric"}},
    {"a_least_rate_above_the_links",
     some_traffic + "transport = roce\n[roce]\nmin_rate = 400Gbps\n",
     "",
     {},
     {"config.ini:8: roce.min_rate: 400Gbps, at most link.rate"}},
    {"traffic_that_starts_after_the_end",
     some_traffic + "start = 1ms\n",
     "",
     {},
     {"config.ini:6: traffic.start: 1ms, run.duration, 1ms"}},
    {"samples_that_start_after_the_end",
     some_traffic,
     "",
     {"--output.window_start=2ms"},
     {"output.window_start: 2ms, run.duration, 1ms"}},
    {"a_trace_that_starts_after_the_end",
     "[run]\nduration = 1ms\n",
     "start_ns,src,dst,bytes\n3e6,0,1,1000\n2e6,0,1,1000\n",
     from_trace,
     {"config.ini:2: run.duration: 1ms", "(2ms)"}},
    {"a_pause_too_short_to_be_repeated",
     some_traffic,
     "",
     {"--switch.scheme=detail", "--pfc.quanta=25"},
     {"command line: pfc.quanta: '25' leaves no time to repeat", "1550B on the wire (25 quanta)",
      "26 to 65535"}},
    {"a_refresh_after_the_pause",
     some_traffic,
     "",
     {"--switch.scheme=detail", "--pfc.refresh=99.99%"},
     {"pfc.refresh: repeats an XOFF after 65528 of the 65535 quanta of pfc.quanta", "at most 99.96%"}},
    {"a_load_above_one", some_traffic, "", {"--traffic.load=150%"}, {"traffic.load: 150%, above 0%, 100%"}},
    {"a_fat_tree_larger_than_any_fabric",
     some_traffic,
     "",
     {"--fabric.topology=fat_tree", "--fabric.k=162", "--fabric.hosts_per_edge=1"},
     {"fabric.k: 162, 2 to 160"}},
    {"a_key_given_twice", some_traffic, "", {"--run.seed=1", "--run.seed=2"}, {"run.seed", "twice"}},
    {"a_section_that_is_no_ini", "[run\nduration = 1ms\n", "", {}, {"config.ini:1:"}},
    {"rubbish", "\x7f\x45\x4c\x46\x02\x01\n\xff\xfe", "", {}, {"config.ini:1:"}},
};

class bad_input_to_the_program : public testing::TestWithParam<bad_input> {};
TEST_P(bad_input_to_the_program, is_named_and_leaves_nothing_behind) {
    const bad_input& bad = GetParam();
    const scratch_directory where;
    where.write("config.ini", bad.config);
    where.write("input.txt", bad.input);
    ASSERT_EQ(::mkfifo((where / "pipe").c_str(), 0600), 0);
    for (const arguments& way : {arguments{"--out", "out"}, arguments{"--dry-run"}}) {
        const outcome o = run_program(where, combined(combined({"run", "config.ini"}, bad.options), way));
        EXPECT_EQ(o.status, 2);
        EXPECT_EQ(o.out, "");
        for (const std::string& part : bad.message) {
            EXPECT_TRUE(has_error(o.err, part));
        }
        EXPECT_FALSE(fs::exists(where / "out"));
    }
}
INSTANTIATE_TEST_SUITE_P(system, bad_input_to_the_program, testing::ValuesIn(inputs),
                         [](const auto& which) { return std::string(which.param.name); });

TEST(bad_input, a_trace_that_was_cut_is_named_with_its_last_line) {
    const scratch_directory where;
    where.write("config.ini", "");
    for (const auto& [text, format, line] : {std::tuple{trace_header + "10,1,", "csv", "input.txt:3: bytes: "},
                                             {"3\n0 1 3 100 1000 2.0\n", "hpcc", "input.txt:2: count: "}}) {
        where.write("input.txt", text);
        const arguments options =
            combined(from_trace, {std::string("--traffic.format=") + format, "--out", "out"});
        const outcome o = run_program(where, combined({"run", "config.ini"}, options));
        EXPECT_EQ(o.status, 2);
        EXPECT_NE(o.err.find(line), std::string::npos) << o.err;
        EXPECT_FALSE(fs::exists(where / "out"));
    }
}

TEST(bad_input, all_mistakes_are_told_at_once) {
    const scratch_directory where;
    where.write("config.ini",
                "[run]\nduration = 1\n[link]\nrate = fast\n[switch]\nspeedup = 99\nnonsense = 1\n");
    const outcome o = run_program(where, {"run", "config.ini", "--out", "out"});
    EXPECT_EQ(o.status, 2);
    for (const char* part : {"config.ini:2:", "config.ini:4:", "config.ini:6:", "config.ini:7:"}) {
        EXPECT_TRUE(has_error(o.err, part));
    }
}

TEST(bad_input, a_missing_configuration_file_is_named) {
    const scratch_directory where;
    const outcome o = run_program(where, {"run", "none.ini", "--out", "out"});
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(o.err, "none.ini, No such file or directory"));
    EXPECT_FALSE(fs::exists(where / "out"));
}

TEST(bad_input, a_directory_in_place_of_any_file_is_named_as_one) {
    const scratch_directory where;
    fs::create_directories(where / "run/summary.json");
    const outcome config = run_program(where, {"run", "run", "--dry-run"});
    EXPECT_EQ(config.status, 2);
    EXPECT_TRUE(errors_are(config.err, {"command line: run, a directory, INI file"}));
    for (const arguments& command : {arguments{"table", "run"}, arguments{"plot", "run", "--out", "out"}}) {
        const outcome o = run_program(where, command);
        EXPECT_NE(o.status, 0);
        EXPECT_NE(o.err.find("summary.json"), std::string::npos) << o.err;
        EXPECT_TRUE(has_error(o.err, "a directory"));
    }
}

TEST(bad_input, a_device_that_never_ends_is_not_read) {
    const scratch_directory where;
    const outcome config = run_program(where, {"run", "/dev/zero", "--out", "out"});
    EXPECT_EQ(config.status, 2);
    EXPECT_TRUE(errors_are(config.err, {"command line: /dev/zero, a device, INI file"}));
    EXPECT_FALSE(fs::exists(where / "out"));
    where.write("two.csv", "cycle,signal,value\n1,s,2\n");
    const outcome compared = run_program(where, {"compare", "/dev/zero", "two.csv"});
    EXPECT_EQ(compared.status, 2);
    EXPECT_TRUE(has_error(compared.err, "/dev/zero: a device"));
}

TEST(bad_input, without_a_directory_to_write_to_nothing_runs) {
    const scratch_directory where;
    where.write("config.ini", some_traffic);
    const outcome o = run_program(where, {"run", "config.ini"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("--out"), std::string::npos);
}

TEST(bad_input, a_directory_with_files_that_no_run_wrote_is_left_alone) {
    const scratch_directory where;
    where.write("config.ini", some_traffic);
    fs::create_directory(where / "out");
    where.write("out/thesis.tex", "years of work");
    where.write("out/summary.json", "{}");
    const outcome o = run_program(where, {"run", "config.ini", "--out", "out"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("thesis.tex"), std::string::npos);
    EXPECT_EQ(contents(where / "out/thesis.tex"), "years of work");
    EXPECT_EQ(contents(where / "out/summary.json"), "{}");
}

TEST(bad_input, a_run_replaces_an_older_one_and_leaves_no_file_of_it) {
    const scratch_directory where;
    where.write("config.ini", some_traffic);
    ASSERT_EQ(run_program(where, {"run", "config.ini", "--out", "out"}).status, 0);
    ASSERT_TRUE(fs::exists(where / "out/flows.csv"));
    ASSERT_EQ(run_program(where, {"run", "config.ini", "--output.flows=false", "--out", "out"}).status, 0);
    EXPECT_FALSE(fs::exists(where / "out/flows.csv"));
    EXPECT_TRUE(fs::exists(where / "out/summary.json"));
}

TEST(bad_input, an_out_that_is_a_file_or_lies_below_one_is_refused) {
    const scratch_directory where;
    where.write("config.ini", some_traffic);
    where.write("file", "kept");
    for (const char* out : {"file", "file/below"}) {
        const outcome o = run_program(where, {"run", "config.ini", "--out", out});
        EXPECT_EQ(o.status, 2) << out;
        EXPECT_NE(o.err.find("--out"), std::string::npos);
        EXPECT_EQ(contents(where / "file"), "kept");
    }
}

TEST(bad_input, an_unknown_command_is_refused_with_those_that_there_are) {
    const scratch_directory where;
    const outcome o = run_program(where, {"simulate"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("simulate"), std::string::npos);
    EXPECT_NE(o.err.find("weir run"), std::string::npos);
}

}  // namespace
