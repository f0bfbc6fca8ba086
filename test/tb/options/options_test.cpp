// Reading options: precedence, typed values, and every kind of error with its line.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "loaded_ini.h"
#include "support/errors_said.h"
#include "tb/run/fields/command_line.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/run/options/schemes.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::tb {
namespace {

using test::load;
using test::texts;

config_errors errors_of(const std::string& ini, const texts& args = {}) {
    return load(ini, args).errors;
}

TEST(options, defaults_are_the_structs_own) {
    const loaded_config loaded = load_config({});
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.device.ingress_buffer, switch_config{}.ingress_buffer);
    EXPECT_EQ(loaded.config.tcp.min_rto, tcp_config{}.min_rto);
    EXPECT_TRUE(loaded.origins.empty());
}

TEST(options, file_sets_values_below_their_sections) {
    const loaded_config loaded = load(
        "# comment\n[switch]\n  speedup = 8   # comment\ningress_buffer=256KiB\n\n[tcp]\nmin_rto = 50ms\n"
        "[switch]\nweights = 1,2, 3 ,4,5,6,7,8\nbalance_thresholds = 4KiB\n"
        "[pfc]\nxoff = 11546B\nxon = auto\nrefresh = 15%\nquanta = 100\n[udp]\nrandom_gaps = yes\n");
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    const run_config& config = loaded.config;
    EXPECT_EQ(config.device.speedup, 8U);
    EXPECT_EQ(config.device.ingress_buffer, 256_KiB);
    EXPECT_EQ(config.tcp.min_rto, 50ms);
    EXPECT_EQ(config.device.weights, (std::array<std::uint32_t, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(config.device.balance_thresholds, std::vector<bytes>{4_KiB});
    EXPECT_EQ(config.flow_control.xoff, 11'546_B);
    EXPECT_EQ(config.flow_control.xon, std::nullopt);
    EXPECT_EQ(config.flow_control.refresh, 0.15);
    EXPECT_EQ(config.flow_control.quanta, pause_quanta{100});
    EXPECT_TRUE(config.udp.random_gaps);
    EXPECT_TRUE(loaded.is_set("pfc.xon"));
    EXPECT_FALSE(loaded.is_set("pfc.reserve"));
    EXPECT_EQ(loaded.origins.at("tcp.min_rto").line, 7);
}

TEST(options, carriage_returns_and_a_byte_order_mark_do_no_harm) {
    const loaded_config loaded = load("\xEF\xBB\xBF[switch]\r\nspeedup = 8\r\n");
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.device.speedup, 8U);
}

TEST(options, command_line_wins_over_file) {
    const loaded_config loaded =
        load("[switch]\nspeedup = 8\nclasses = 2\n", {"--switch.speedup=16", "--tcp.min_rto", "1ms"});
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.device.speedup, 16U);
    EXPECT_EQ(loaded.config.device.classes, 2U);
    EXPECT_EQ(loaded.config.tcp.min_rto, 1ms);
    EXPECT_EQ(loaded.origins.at("switch.speedup").line, 0);
}

TEST(options, a_scheme_sets_defaults_and_explicit_values_win) {
    const loaded_config loaded =
        load("[tcp]\nmin_rto = 1ms\n[switch]\nscheme = detail\n", {"--switch.classes=4"});
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.scheme, named<scheme_kind>("detail"));
    EXPECT_EQ(loaded.config.device.balance, named<balance_policy>("adaptive"));
    EXPECT_EQ(loaded.config.flow_control.mode, flow_control_mode::pfc);
    EXPECT_EQ(loaded.config.tcp.duplicate_acks, 0U);
    EXPECT_EQ(loaded.config.tcp.min_rto, 1ms);
    EXPECT_EQ(loaded.config.device.classes, 4U);
}

TEST(options, a_scheme_on_the_command_line_replaces_the_files_scheme_but_not_its_values) {
    const loaded_config loaded = load("[switch]\nscheme = detail\nclasses = 3\n[tcp]\nduplicate_acks = 7\n",
                                      {"--switch.scheme=baseline"});
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.scheme, named<scheme_kind>("baseline"));
    EXPECT_EQ(loaded.config.device.balance, named<balance_policy>("flow_hash"));
    EXPECT_EQ(loaded.config.flow_control.mode, flow_control_mode::none);
    EXPECT_EQ(loaded.config.tcp.min_rto, 10ms);
    EXPECT_EQ(loaded.config.device.classes, 3U);
    EXPECT_EQ(loaded.config.tcp.duplicate_acks, 7U);
}

TEST(options, schemes_are_the_papers_environments) {
    struct expected {
        const char* name;
        balance_policy balance;
        std::uint32_t classes;
        drop_policy drop;
        flow_control_mode mode;
        picoseconds rto;
        std::uint32_t duplicate_acks;
    };
    const auto hash = named<balance_policy>("flow_hash");
    constexpr auto egress = drop_policy::egress_tail;
    constexpr auto ingress = drop_policy::ingress_tail;
    const expected all[] = {
        {"baseline", hash, 1, egress, flow_control_mode::none, 10ms, 3},
        {"priority", hash, 8, egress, flow_control_mode::none, 10ms, 3},
        {"fc", hash, 1, ingress, flow_control_mode::pause, 50ms, 3},
        {"priority_pfc", hash, 8, ingress, flow_control_mode::pfc, 50ms, 3},
        {"packet_scatter", named<balance_policy>("packet_scatter"), 8, ingress, flow_control_mode::pfc, 50ms,
         0},
        {"detail", named<balance_policy>("adaptive"), 8, ingress, flow_control_mode::pfc, 50ms, 0},
    };
    for (const expected& each : all) {
        const loaded_config loaded = load("", {std::string("--switch.scheme=") + each.name});
        EXPECT_TRUE(errors_are(loaded.errors, {})) << each.name;
        EXPECT_EQ(loaded.config.device.balance, each.balance) << each.name;
        EXPECT_EQ(loaded.config.device.classes, each.classes) << each.name;
        EXPECT_EQ(loaded.config.device.scheduler, named<scheduler_kind>("strict")) << each.name;
        EXPECT_EQ(loaded.config.flow_control.mode, each.mode) << each.name;
        EXPECT_EQ(loaded.config.device.drop, each.drop) << each.name;
        EXPECT_EQ(loaded.config.tcp.min_rto, each.rto) << each.name;
        EXPECT_EQ(loaded.config.tcp.first_rto(), each.rto) << each.name;
        EXPECT_EQ(loaded.config.tcp.duplicate_acks, each.duplicate_acks) << each.name;
    }
}

TEST(options, the_initial_timeout_follows_the_minimum_under_a_scheme_unless_it_is_given) {
    EXPECT_EQ(load("[tcp]\nmin_rto = 1ms\n", {"--switch.scheme=fc"}).config.tcp.first_rto(), 1ms);
    EXPECT_EQ(load("[tcp]\ninitial_rto = 3s\n", {"--switch.scheme=fc"}).config.tcp.first_rto(), 3s);
    EXPECT_EQ(load("[tcp]\nmin_rto = 1ms\n").config.tcp.first_rto(), 1s) << "RFC 6298 without a scheme";
    EXPECT_TRUE(errors_are(errors_of("[tcp]\nmin_rto = 2s\nmax_rto = 1s\ninitial_rto = auto\n"),
                           {"x.ini:3: tcp.max_rto: 1s, relation tcp.min_rto, at least 2s"}));
}

TEST(options, what_a_scheme_sets_can_be_set_otherwise) {
    const run_config config =
        load("[switch]\ndrop = ingress_tail\nshare_alpha = 1\n", {"--switch.scheme=baseline"}).config;
    EXPECT_EQ(config.device.drop, drop_policy::ingress_tail);
    EXPECT_EQ(config.device.share_alpha, 1);
}

// Or one environment would have an option of its own, and the others whatever the default happens to be.
TEST(options, all_schemes_set_the_same_options) {
    std::vector<std::string> keys;
    for (const scheme_setting& setting : schemes()[named<scheme_kind>("baseline")].settings) {
        keys.push_back(setting.key);
    }
    for (const scheme_entry& scheme : schemes().entries()) {
        std::vector<std::string> own;
        for (const scheme_setting& setting : scheme.traits.settings) {
            own.push_back(setting.key);
        }
        EXPECT_EQ(own, scheme.name == "none" ? texts{} : keys) << scheme.name;
    }
}

TEST(options, schemes_set_options_that_exist_to_values_that_they_take) {
    run_config config;
    const option_table table = make_option_table(config);
    for (const scheme_entry& scheme : schemes().entries()) {
        for (const scheme_setting& setting : scheme.traits.settings) {
            ASSERT_NE(table.find(setting.key), nullptr) << setting.key;
            EXPECT_EQ(table.find(setting.key)->value->assign(setting.value), "") << setting.key;
        }
    }
}

TEST(options, every_kind_of_error_is_reported_at_once_with_its_line) {
    const std::string ini =
        "speedup = 8\n"            // 1
        "[switch]\n"               // 2
        "spedup = 8\n"             // 3
        "classes = 2\n"            // 4
        "classes = 3\n"            // 5
        "\n"                       // 6
        "ingress_buffer = 128\n"   // 7
        "egress_buffer = 128kB\n"  // 8
        "balance = hash\n"         // 9
        "iterations = 300\n"       // 10
        "just words\n"             // 11
        "= 5\n"                    // 12
        "[sitch]\n"                // 13
        "anything = 1\n"           // 14
        "[tcp\n"                   // 15
        "min_rto = 3\n"            // 16: below no section that is known
        "[udp]\n"                  // 17
        "random_gaps = maybe\n"    // 18
        "[pfc]\n"                  // 19
        "refresh = half\n"         // 20
        "min_rto = 10ms\n"         // 21
        "quanta = 1.5\n"           // 22
        "[switch]\n"               // 23
        "weights = 1,2\n"          // 24
        "share_alpha = big\n"      // 25
        "speedup = -1\n"           // 26
        "cell =\n";                // 27
    EXPECT_TRUE(errors_are(
        errors_of(ini),
        {"x.ini:1: speedup: [section]", "x.ini:3: switch.spedup: switch.speedup",
         "x.ini:5: switch.classes: line 4, twice", "x.ini:7: switch.ingress_buffer: 128, 120c, KiB, unit",
         "x.ini:8: switch.egress_buffer: 128kB, 120c, KiB, unit",
         "x.ini:9: switch.balance: hash, flow_hash, packet_scatter, adaptive, least_loaded, d_mod_k, s_mod_k",
         "x.ini:10: switch.iterations: 300, 0 to 256", "x.ini:11: switch.just words: =, key = value",
         "x.ini:12: = 5, key = value", "x.ini:13: [sitch]: [switch]", "x.ini:15: [tcp, [name]",
         "x.ini:18: udp.random_gaps: maybe, true, false, on, off, yes, no", "x.ini:20: pfc.refresh: half, 0.15",
         "x.ini:21: pfc.min_rto: tcp.min_rto", "x.ini:22: pfc.quanta: 1.5, whole number",
         "x.ini:24: switch.weights: 1,2, 2 values, 8 values", "x.ini:25: switch.share_alpha: big, 0.125, 1/8",
         "x.ini:26: switch.speedup: -1, negative", "x.ini:27: switch.cell: '', KiB"}));
}

TEST(options, command_line_errors_have_no_file) {
    EXPECT_TRUE(
        errors_are(errors_of("", {"--switch.speedup=17", "--switch.speed=1", "stray", "--run.seed=1",
                                  "--run.seed=2", "-x", "--pfc.xoff=10", "--tcp.min_rto"}),
                   {"--switch.speed: switch.speedup", "stray: --key=value",
                    "-x: unknown option; `weir options` lists all", "tcp.min_rto: --tcp.min_rto=value",
                    "run.seed: twice", "switch.speedup: 17, 1 to 16", "pfc.xoff: 10, auto, 120c, KiB, unit"}));
}

TEST(options, a_prefix_of_a_key_is_no_key) {
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.speedu=8"}), {"--switch.speedu: switch.speedup"}));
    EXPECT_TRUE(errors_are(errors_of("[switch]\nspeedu = 8\n"), {"x.ini:2: switch.speedu: switch.speedup"}));
}

TEST(options, the_files_errors_come_before_the_command_lines) {
    EXPECT_TRUE(errors_are(errors_of("[switch]\nspeedup = 0\n", {"--run.threads=0"}),
                           {"x.ini:2: switch.speedup: 0, 1 to 16", "run.threads: 0, 1 to 1024"}));
}

TEST(options, a_number_too_large_for_its_type_is_answered_with_the_range_of_the_option) {
    for (const std::string value : {"2000", "5000000000", "99999999999999999999999"}) {
        EXPECT_TRUE(
            errors_are(errors_of("", {"--run.threads=" + value}), {"run.threads: " + value + ", 1 to 1024"}));
    }
}

TEST(options, exponents_of_quantities_are_read_and_refused_as_their_values) {
    EXPECT_TRUE(errors_are(
        errors_of("", {"--link.latency=1e-6s", "--link.rate=1e11bps", "--switch.ingress_buffer=2.5e2KB"}), {}));
    EXPECT_TRUE(errors_are(errors_of("", {"--link.latency=2e3s", "--switch.ingress_buffer=1e99B"}),
                           {"link.latency: 2e3s, 1ps to 1s", "switch.ingress_buffer: 1e99B, 64B to 1GiB"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--link.latency=1e-13s"}), {"link.latency: 1e-13s, whole number, us"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--link.latency=1es"}), {"link.latency: 1es, unit, us"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--link.latency=1e6"}), {"link.latency: 1e6, unit, us"}));
    EXPECT_EQ(load_config({"--trace.pcap_limit=2E+6"}).config.trace.pcap_limit, 2'000'000U);
    EXPECT_EQ(load_config({"--traffic.load=5e1%"}).config.traffic.load, 0.5);
}

TEST(options, a_mistake_in_the_file_is_reported_even_if_the_command_line_overrides_it) {
    EXPECT_TRUE(errors_are(errors_of("[switch]\nspeedup = x\n", {"--switch.speedup=2"}),
                           {"x.ini:2: switch.speedup: x, whole number"}));
}

TEST(options, checks_between_options_point_to_the_line_of_their_key) {
    EXPECT_TRUE(errors_are(errors_of("[pfc]\nxoff = 8KiB\nxon = 9KiB\n"),
                           {"x.ini:3: pfc.xon: 9KiB, relation pfc.xoff, 8KiB"}));
    EXPECT_TRUE(errors_are(errors_of("[pfc]\nxon = 9KiB\n", {"--pfc.xoff=8KiB"}),
                           {"x.ini:2: pfc.xon: 9KiB, relation pfc.xoff, 8KiB"}));
    EXPECT_TRUE(errors_are(errors_of("[run]\nwarmup = 2ms\nduration = 1ms\n"),
                           {"x.ini:2: run.warmup: 2ms, relation run.duration, 1ms"}));
}

TEST(options, a_check_whose_key_is_not_set_points_to_the_option_that_it_names) {
    EXPECT_TRUE(errors_are(
        errors_of("[switch]\n\nmax_frame = 1000B\n[udp]\npayload = 900B\n"),
        {"x.ini:3: switch.max_frame: tcp.mss, relation tcp.header switch.max_frame, 1460B, 58B, 1518B, 1KB"}));
}

TEST(options, a_check_of_a_presets_value_points_to_the_scheme) {
    EXPECT_TRUE(errors_are(errors_of("[tcp]\ninitial_rto = 20ms\n[switch]\nscheme = fc\n"),
                           {"x.ini:2: tcp.initial_rto: 20ms, relation tcp.min_rto, at least 50ms"}));
}

TEST(options, a_check_that_rests_on_an_unreadable_value_is_left_out) {
    EXPECT_TRUE(errors_are(errors_of("[switch]\ningress_buffer = 1Mib\n[pfc]\nxoff = 500KiB\nreserve = 1KiB\n"),
                           {"x.ini:2: switch.ingress_buffer: 1Mib, 120c, KiB, unit"}));
}

TEST(options, checks_run_on_values_that_are_out_of_range_too) {
    EXPECT_TRUE(errors_are(
        errors_of("[switch]\nspeedup = 99\n[pfc]\nxoff = 4KiB\nxon = 5KiB\n"),
        {"x.ini:2: switch.speedup: 99, 1 to 16", "x.ini:5: pfc.xon: 5KiB, relation pfc.xoff, 4KiB"}));
}

TEST(options, errors_found_later_get_their_place) {
    const loaded_config loaded = load("[run]\n# quantum\nquantum = 7us\n");
    config_errors late = {{"", 0, "run.quantum", "'7us' is longer than the lookahead"}, {"f", 3, "a", "b"}};
    loaded.locate(late);
    EXPECT_EQ(format_error(late[0]), "x.ini:3: run.quantum: '7us' is longer than the lookahead");
    EXPECT_EQ(format_error(late[1]), "f:3: a: b");
}

TEST(options, a_sections_key_must_not_repeat_the_section) {
    EXPECT_TRUE(
        errors_are(errors_of("switch.speedup = 8\n[switch]\nswitch.speedup = 8\n"),
                   {"x.ini:1: switch.speedup: [switch]", "x.ini:3: switch.switch.speedup: switch.speedup"}));
}

TEST(options, repeatable_texts_add_up_and_the_command_line_replaces_them) {
    const std::string ini = "[fabric]\nlink = tor0-root1 down\nlink = tor1-root0 rate=100Mbps\n";
    EXPECT_EQ(load(ini).config.fabric.link_overrides, (texts{"tor0-root1 down", "tor1-root0 rate=100Mbps"}));
    EXPECT_EQ(load(ini, {"--fabric.link=a", "--fabric.link", "b"}).config.fabric.link_overrides,
              (texts{"a", "b"}));
}

TEST(options, paths_are_relative_to_the_file_they_stand_in) {
    namespace fs = std::filesystem;
    std::istringstream in("[fabric]\ntopology = file\nfile = ../shapes/a.topo\n");
    const loaded_config from_file = load_config({}, {{"experiments/steady/x.ini", &in}});
    EXPECT_EQ(from_file.config.fabric.file, (fs::current_path() / "experiments/shapes/a.topo").string());
    std::istringstream again("");
    const loaded_config from_line =
        load_config({"--fabric.file=shapes/a.topo"}, {{"experiments/steady/x.ini", &again}});
    EXPECT_EQ(from_line.config.fabric.file, (fs::current_path() / "shapes/a.topo").string());
    std::istringstream absolute("[fabric]\nfile = /data/a.topo\n");
    EXPECT_EQ(load_config({}, {{"x.ini", &absolute}}).config.fabric.file, "/data/a.topo");
}

TEST(options, an_empty_text_may_be_set_and_a_hash_may_not) {
    EXPECT_EQ(load("[fabric]\nfile = a\n", {"--fabric.file="}).config.fabric.file, "");
    EXPECT_TRUE(errors_are(errors_of("", {"--fabric.link=a #1"}), {"fabric.link: a #1, #"}));
}

TEST(options, a_file_that_can_not_be_read_is_an_error) {
    EXPECT_TRUE(errors_are(load_config_files({}, {"no/such.ini"}).errors,
                           {"no/such.ini, No such file or directory, INI"}));
    EXPECT_TRUE(errors_are(load_config_files({}, {"/"}).errors, {"/, INI, a directory"}));
}

TEST(options, rules_that_lose_frames_are_refused_beside_lossless_classes) {
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.overflow=drop", "--pfc.mode=pause"}),
                           {"switch.overflow: drop, relation pfc.mode, hold, pfc.mode = none"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.overflow=detour", "--pfc.mode=pfc"}),
                           {"switch.overflow: detour, relation pfc.mode detour.lossless, hold, pfc.mode = "
                            "none, detour.lossless = on"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--switch.overflow=detour", "--pfc.mode=pfc", "--detour.lossless=on"}), {}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.queue_order=rank", "--pfc.mode=pfc"}),
                           {"switch.queue_order: rank, relation pfc.mode, fifo, pfc.mode = none"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.drop=egress_tail", "--pfc.mode=pfc"}),
                           {"switch.drop: egress_tail, relation pfc.mode, ingress_tail"}));
}

TEST(options, what_only_the_options_decide_is_refused_before_there_is_a_fabric) {
    const texts both = {"--switch.queue_order=rank", "--sram.access_time=1ns", "--switch.memory_cell=64B",
                        "--pfc.mode=pfc"};
    EXPECT_EQ(errors_of("", both).size(), 2U);  // of one option, for two reasons
    EXPECT_TRUE(errors_are(
        errors_of("", {"--sram.access_time=1ns"}),
        {"sram.access_time: switch.memory_cell, relation sram.access_time, 0B, above 0, 1ns, at least 1B"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--pfc.charge=enqueue", "--switch.lookup_interval=1ns"}),
                           {"pfc.charge: enqueue, relation switch.lookup_interval, arrival"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--run.duration=1ms", "--output.window_start=1ms", "--traffic.start=2ms"}),
                   {"output.window_start: 1ms, relation run.duration, 1ms",
                    "traffic.start: 2ms, relation run.duration, 1ms"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.egress_buffer=8KiB", "--switch.share_alpha=8"}),
                           {"switch.share_alpha: 8, relation switch.egress_buffer switch.max_frame"}));
    EXPECT_TRUE(errors_are(
        errors_of("", {"--switch.balance=adaptive", "--switch.balance_thresholds="}),
        {"switch.balance_thresholds: '', missing switch.balance, switch.balance = adaptive, empty"}));
}

TEST(options, rules_that_undo_each_other_are_refused) {
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.overflow=drop", "--switch.queue_order=rank"}),
                           {"switch.overflow: drop, relation switch.queue_order, hold"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.overflow=detour", "--switch.queue_order=rank"}),
                           {"switch.overflow: detour, relation switch.queue_order, hold"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--switch.buffer=shared", "--shared.slices=2", "--switch.queue_order=rank"}),
                   {"switch.queue_order: rank, relation shared.slices, fifo, shared.slices = 1"}));
}

TEST(options, output_queues_have_no_memory_in_front_of_them) {
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.buffer=output_queued", "--pfc.mode=pfc"}),
                           {"switch.buffer: output_queued, relation pfc.mode, partitioned, input_buffered, "
                            "shared, pfc.mode = none"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.buffer=output_queued", "--switch.lookup_interval=5ns"}),
                           {"switch.lookup_interval: 5ns, relation switch.buffer, switch.buffer = "
                            "output_queued, 0s, switch.buffer = partitioned, shared"}));
    EXPECT_TRUE(errors_are(
        errors_of("", {"--switch.buffer=output_queued", "--sram.access_time=5ns", "--switch.memory_cell=64B"}),
        {"sram.access_time: 5ns, relation switch.buffer, switch.buffer = output_queued, 0s, switch.buffer = "
         "partitioned, shared"}));
}

TEST(options, input_buffers_have_no_memory_at_egress) {
    EXPECT_TRUE(
        errors_are(errors_of("", {"--switch.buffer=input_buffered", "--switch.overflow=drop"}),
                   {"switch.overflow: drop, relation switch.buffer, switch.buffer = input_buffered, hold"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--switch.buffer=input_buffered", "--switch.queue_order=rank"}),
                   {"switch.queue_order: rank, relation switch.buffer, switch.buffer = input_buffered, fifo"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--switch.buffer=input_buffered", "--pfc.charge=enqueue",
                                          "--pfc.mode=pfc", "--switch.lookup_interval=5ns"}),
                           {"pfc.charge: enqueue, relation switch.lookup_interval, arrival"}));
}

TEST(options, pfabrics_frames_fit_the_switches_and_its_reach_holds_one) {
    const texts pfabric{"--traffic.kind=incast", "--traffic.transport=pfabric"};
    texts long_frames = pfabric;
    long_frames.insert(long_frames.end(), {"--pfabric.payload=9000B", "--switch.max_frame=9018B"});
    EXPECT_TRUE(
        errors_are(errors_of("", long_frames),
                   {"pfabric.payload: 9KB, relation pfabric.header switch.max_frame, 58B, 9058B, 9018B"}));
    texts short_reach = pfabric;
    short_reach.push_back("--pfabric.receive_window=1KB");
    EXPECT_TRUE(errors_are(errors_of("", short_reach),
                           {"pfabric.receive_window: 1KB, relation pfabric.payload, at least 1460B"}));
    texts no_window = pfabric;
    no_window.insert(no_window.end(), {"--pfabric.window=0", "--pfabric.rto=0ns", "--pfabric.probe_after=0"});
    EXPECT_EQ(errors_of("", no_window).size(), 3U);
    EXPECT_TRUE(errors_of("", pfabric).empty());
}

TEST(options, marking_names_classes_that_exist_and_one_place_for_its_threshold) {
    EXPECT_TRUE(errors_are(
        errors_of("", {"--marking.kind=step", "--marking.classes=0,3,5", "--switch.classes=2"}),
        {"marking.classes: 3, relation switch.classes, 2", "marking.classes: 5, relation switch.classes, 2"}));
    EXPECT_TRUE(errors_are(
        errors_of("", {"--marking.kind=step", "--switch.buffer=shared", "--shared.ecn_threshold=9KB"}),
        {"shared.ecn_threshold: relation marking.kind marking.threshold marking.k_min qcn.set_point, auto"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--marking.kind=blue"}), {"marking.kind: blue, none, step, ramp, red, qcn"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--marking.kind=step", "--marking.threshold=1KB,2KB", "--switch.classes=3"}),
                   {"marking.threshold: 2 values, relation switch.classes, switch.classes = 3"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--marking.kind=ramp", "--marking.k_min=1KB,9KB",
                                          "--marking.k_max=8KB", "--switch.classes=2"}),
                           {"marking.k_max: 8KB, relation marking.k_min, 9KB"}));
}

TEST(options, red_and_qcn_are_refused_where_they_could_not_do_what_they_say) {
    EXPECT_TRUE(errors_are(errors_of("", {"--marking.kind=red", "--marking.k_max_frames=9"}),
                           {"marking.k_max_frames: relation marking.k_min_frames marking.k_max_frames, auto"}));
    EXPECT_TRUE(errors_are(
        errors_of("", {"--marking.kind=red", "--marking.k_min_frames=10", "--marking.k_max_frames=9"}),
        {"marking.k_max_frames: 9, relation marking.k_min_frames, 10"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--marking.kind=red", "--marking.at=dequeue"}),
                           {"marking.at: dequeue, relation marking.kind, marking.kind = red, enqueue"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--marking.kind=qcn", "--host.nic=class_queues"}),
                           {"host.nic: class_queues, relation marking.kind, marking.kind = qcn, voq, auto"}));
    EXPECT_TRUE(
        errors_are(errors_of("", {"--marking.kind=qcn", "--qcn.timer=0s"}), {"qcn.timer: 0s, 1us to 10s"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--marking.kind=qcn", "--qcn.gain=0", "--qcn.least_share=100%"}),
                           {"qcn.gain: 0, above 0, at most 1", "qcn.least_share: 100%, 0% to 99%"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--marking.kind=qcn", "--qcn.min_rate=2Gbps", "--link.rate=1Gbps"}),
                           {"qcn.min_rate: 2Gbps, relation link.rate, 1Gbps"}));
}

TEST(options, an_exponential_delay_varies_by_no_more_than_its_mean) {
    EXPECT_TRUE(errors_are(errors_of("", {"--host.stack_in=24us", "--host.stack_distribution=exponential",
                                          "--host.stack_deviation=120%"}),
                           {"host.stack_deviation: 120%, relation host.stack_distribution, at most 100%"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--traffic.kind=incast", "--traffic.response_delay=1ms",
                                          "--traffic.response_delay_distribution=exponential",
                                          "--traffic.response_delay_deviation=120%"}),
                           {"traffic.response_delay_deviation: 120%, relation "
                            "traffic.response_delay_distribution, at most 100%"}));
    EXPECT_TRUE(errors_are(errors_of("", {"--traffic.kind=incast", "--traffic.response_delay=1ms",
                                          "--traffic.response_delay_distribution=lognormal",
                                          "--traffic.response_delay_deviation=120%"}),
                           {}));
}

TEST(options, links_of_the_fabric_default_to_the_link_block) {
    const run_config config =
        load(
            "[link]\nrate = 10Gbps\nlatency = 1us\n[fabric]\ntopology = pods\ncore_rate = "
            "40Gbps\nhost_latency = 2us\n")
            .config;
    EXPECT_EQ(config.fabric.pods.host_link.rate, 10_Gbps);
    EXPECT_EQ(config.fabric.pods.host_link.latency, 2us);
    EXPECT_EQ(config.fabric.pods.core_link.rate, 40_Gbps);
    EXPECT_EQ(config.fabric.pods.core_link.latency, 1us);
    EXPECT_EQ(config.fabric.fat_tree.agg_link.rate, 10_Gbps);
}

TEST(options, a_fabric_that_can_not_be_built_is_an_error_of_its_option) {
    EXPECT_EQ(errors_of("[fabric]\ntopology = racks\nhosts_per_rack = 255\n").size(), 1U);
    EXPECT_EQ(load("[fabric]\ntopology = racks\nhosts_per_rack = 255\n").errors.at(0).key,
              "fabric.hosts_per_rack");
    EXPECT_EQ(load("[fabric]\ntopology = racks\nhosts_per_rack = 255\n").errors.at(0).line, 3);
    // Another kind's sizes have no effect.
    EXPECT_TRUE(errors_are(errors_of("[fabric]\ntopology = single\nhosts_per_rack = 255\n"), {}));
    EXPECT_TRUE(
        errors_are(errors_of("[fabric]\ntopology = file\n"),
                   {"x.ini:2: fabric.topology: fabric.file, missing fabric.topology, fabric.topology = file"}));
}

TEST(options, a_commands_own_arguments_are_sorted_out) {
    run_config config;
    const option_table table = make_option_table(config);
    command_syntax syntax;
    syntax.values = {"out", "vary"};
    syntax.flags = {"dry-run"};
    syntax.min_files = syntax.max_files = 1;
    const command_arguments good = split_arguments({"--dry-run", "a.ini", "--out", "d", "--run.seed=2",
                                                    "--vary=a=1,2", "--vary", "b=3", "--run.threads", "2"},
                                                   syntax, table);
    EXPECT_TRUE(good.errors.empty());
    EXPECT_EQ(good.files, texts{"a.ini"});
    EXPECT_EQ(good.flags.count("dry-run"), 1U);
    EXPECT_EQ(good.values.at("out"), texts{"d"});
    EXPECT_EQ(good.values.at("vary"), (texts{"a=1,2", "b=3"}));
    EXPECT_EQ(good.options, (texts{"--run.seed=2", "--run.threads=2"}));

    // What was meant is told once, and nothing of what follows from it.
    loaded_config meant;
    meant.errors = split_arguments({"a.ini", "--ouut", "d", "--vray=b=3", "--dryrun"}, syntax, table).errors;
    EXPECT_TRUE(errors_are(meant.errors, {"--ouut: --out", "--vray: --vary", "--dryrun: --dry-run"}));

    loaded_config bad;
    bad.errors = split_arguments({"--dry-run=1", "--dry", "--out"}, syntax, table).errors;
    EXPECT_TRUE(errors_are(bad.errors,
                           {"--dry-run: --dry-run", "--dry: --dry-run", "--out: --out=value", "at least 1"}));
}

TEST(options, an_option_can_not_be_registered_twice) {
    link_config a;
    link_config b;
    option_table table;
    auto block = table.block("link", "A block.");
    block.add(a);
    const std::size_t fields = table.options().size();
    EXPECT_THROW(block.add(b), std::logic_error);
    EXPECT_THROW(table.block("link", "Again."), std::logic_error);
    EXPECT_EQ(table.options().size(), fields);
}

}  // namespace
}  // namespace weir::tb
