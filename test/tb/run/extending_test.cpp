// The examples of docs/extending.md in a whole run: each takes its place by its name.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "extending/all_to_all.h"
#include "extending/averaged_marker.h"
#include "extending/burst_transport.h"
#include "extending/class_turns.h"
#include "extending/flowlet_path.h"
#include "extending/gentle_backoff.h"
#include "extending/last_port.h"
#include "extending/lean_memory.h"
#include "extending/loss_metric.h"
#include "extending/loss_table.h"
#include "extending/ring.h"
#include "extending/shallow_queue.h"
#include "extending/shallow_scheme.h"
#include "extending/single_queue.h"
#include "extending/spill.h"
#include "outside/fixed_priority_arbiter.h"
#include "support/errors_said.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/help/option_help.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/support/files/run_files.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

std::string contents_of_file(const fs::path& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(extending, a_run_takes_kinds_from_outside_by_their_names) {
    outside::add_gentle_backoff();
    outside::add_flowlet_path(100us);
    outside::add_all_to_all();
    outside::add_ring();
    outside::add_loss_table();
    const fs::path out = fs::temp_directory_path() / ("weir_extending_" + std::to_string(::getpid()));
    std::ostringstream said;
    std::ostringstream wrong;
    const int status =
        run_command({"--fabric.topology=ring", "--traffic.kind=all_to_all", "--tcp.congestion=abe",
                     "--tcp.path_choice=flowlets", "--switch.buffer=shared", "--shared.ecn_threshold=20KB",
                     "--out", out.string()},
                    said, wrong);
    EXPECT_EQ(status, 0) << wrong.str();
    const nlohmann::json summary = nlohmann::json::parse(contents_of_file(out / "summary.json"));
    EXPECT_EQ(summary["flows"]["completed"], 8 * 7);
    EXPECT_EQ(summary["groups"][0]["tag"], "all_to_all");
    EXPECT_GT(summary["ecn"]["seen"], 0);
    EXPECT_EQ(contents_of_file(out / "losses.csv").substr(0, 19), "node,reason,frames\n");
    EXPECT_NE(contents_of_file(out / "effective.ini").find("congestion = abe"), std::string::npos);
    fs::remove_all(out);
}

/// Summary of a run on racks of four hosts.
nlohmann::json run_on_racks(const std::vector<std::string>& more) {
    const fs::path out = fs::temp_directory_path() / ("weir_extending_" + std::to_string(::getpid()));
    std::vector<std::string> arguments{"--fabric.topology=racks", "--fabric.hosts_per_rack=4", "--out",
                                       out.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ostringstream said;
    std::ostringstream wrong;
    EXPECT_EQ(run_command(arguments, said, wrong), 0) << wrong.str();
    const nlohmann::json summary = nlohmann::json::parse(contents_of_file(out / "summary.json"));
    fs::remove_all(out);
    return summary;
}

nlohmann::json incast(std::vector<std::string> more) {
    more.insert(more.end(), {"--fabric.racks=4", "--traffic.kind=incast", "--traffic.incast_bytes=1MB",
                             "--traffic.incast_rounds=1"});
    return run_on_racks(more);
}

// A process simulates once: each memory, and each action, is a test of its own.
class extending_marker : public testing::TestWithParam<const char*> {};

TEST_P(extending_marker, by_average_marks_frames) {
    static const outside::averaged_config config{0.01, 20'000};
    outside::add_averaged_marker(config);
    const nlohmann::json summary =
        incast({"--marking.kind=averaged", std::string("--switch.buffer=") + GetParam()});
    EXPECT_GT(summary["ecn"]["seen"], 0);
}

INSTANTIATE_TEST_SUITE_P(both_memories, extending_marker, testing::Values("partitioned", "shared"));

struct overflow_case {
    const char* action;
    std::uint64_t fewest_lost;
    std::uint64_t most_lost;
};
class extending_overflow : public testing::TestWithParam<overflow_case> {};

// Each host sends to another rack, over one of four paths by its flow's hash: some paths have two flows, some
// none.
TEST_P(extending_overflow, by_spilling_loses_hardly_a_frame_where_hashes_collide) {
    outside::add_spill();
    const nlohmann::json summary = run_on_racks(
        {"--fabric.racks=2", "--fabric.roots=4", "--switch.egress_buffer=40KB", "--switch.drop=egress_tail",
         "--traffic.kind=permutation", "--traffic.transport=udp", "--traffic.load=90%", "--run.duration=5ms",
         std::string("--switch.overflow=") + GetParam().action});
    EXPECT_GE(summary["frames"]["dropped"], GetParam().fewest_lost);
    EXPECT_LE(summary["frames"]["dropped"], GetParam().most_lost);
}

INSTANTIATE_TEST_SUITE_P(beside_holding, extending_overflow,
                         testing::Values(overflow_case{"hold", 400, 2'000}, overflow_case{"spill", 0, 10}));

// Hosts of one rack send to another one over four paths.
TEST(extending, by_the_last_port_all_flows_share_a_path) {
    outside::add_last_port();
    const nlohmann::json summary = run_on_racks(
        {"--fabric.racks=2", "--fabric.roots=4", "--traffic.kind=permutation", "--traffic.transport=udp",
         "--traffic.sources=tor0", "--traffic.destinations=tor1", "--traffic.load=90%", "--run.duration=5ms",
         "--switch.drop=egress_tail", "--switch.balance=last_port"});
    // Three of four frames are lost on their way up.
    EXPECT_GT(summary["frames"]["dropped"].get<double>(), 0.5 * summary["frames"]["delivered"].get<double>());
}

TEST(extending, by_turns_of_classes_and_the_lowest_port_transfers_complete) {
    outside::add_class_turns();
    arbiter_kinds().add({"fixed_priority", "the lowest port wins", {{[](const block_setup&) {
                             return std::make_unique<outside::fixed_priority_arbiter>("fixed_priority");
                         }}}});
    const nlohmann::json summary =
        incast({"--switch.scheduler=class_turns", "--switch.arbiter=fixed_priority"});
    EXPECT_GT(summary["flows"]["completed"], 0);
    EXPECT_EQ(summary["flows"]["completed"], summary["flows"]["started"]);
}

TEST(extending, a_transport_and_an_adapter_carry_bursts) {
    outside::add_burst_transport();
    outside::add_single_queue();
    const nlohmann::json summary = run_on_racks(
        {"--fabric.racks=2", "--traffic.kind=poisson", "--traffic.transport=burst", "--traffic.sizes=8KB",
         "--traffic.load=10%", "--traffic.stop=2ms", "--host.nic=single_queue"});
    EXPECT_GT(summary["flows"]["completed"], 0);
    EXPECT_EQ(summary["flows"]["completed"], summary["flows"]["started"]);
}

TEST(extending, a_transport_that_confirms_nothing_is_refused_where_answers_are_needed) {
    outside::add_burst_transport();
    std::ostringstream said;
    std::ostringstream wrong;
    EXPECT_EQ(run_command({"--traffic.kind=query", "--traffic.transport=burst", "--dry-run"}, said, wrong), 2);
    EXPECT_TRUE(has_error(wrong.str(), "traffic.transport: burst, traffic.kind")) << wrong.str();
}

TEST(extending, a_scheme_sets_the_defaults_of_its_options) {
    outside::add_shallow_scheme();
    const nlohmann::json summary = incast({"--switch.scheme=shallow"});
    EXPECT_GT(summary["ecn"]["seen"], 0);
    const loaded_config loaded = load_config({"--switch.scheme=shallow", "--tcp.min_rto=1ms"});
    EXPECT_EQ(loaded.config.marking.step.threshold, std::vector<bytes>{10_KB});
    EXPECT_EQ(loaded.config.tcp.min_rto, 1ms);
    std::ostringstream help;
    write_help(help, known_options());
    EXPECT_NE(help.str().find("marking.threshold = 10KB"), std::string::npos);
}

TEST(extending, an_organisation_of_memory_is_asked_for_its_facts) {
    outside::add_lean_memory();
    const nlohmann::json summary = incast({"--switch.buffer=lean"});
    EXPECT_EQ(summary["flows"]["completed"], summary["flows"]["started"]);
}

TEST(extending, an_organisation_without_ingress_memory_is_refused_with_flow_control) {
    outside::add_lean_memory();
    std::ostringstream said;
    std::ostringstream wrong;
    EXPECT_EQ(run_command({"--switch.buffer=lean", "--pfc.mode=pfc", "--dry-run"}, said, wrong), 2);
    EXPECT_TRUE(has_error(wrong.str(), "switch.buffer: lean, pfc.mode")) << wrong.str();
}

TEST(extending, a_metric_needs_a_name_of_its_own) {
    outside::add_loss_metric();
    EXPECT_THROW(outside::add_loss_metric(), std::logic_error);
    EXPECT_NE(find_metric_entry("losses.worst_percent"), nullptr);
    for (const char* const wrong :
         {"fct_ns.mine", "mine", "mine.", ".mine", "mine.a.b", "mine.Some", "tags.mine", "mine.*"}) {
        const metric_entry entry(wrong, "Mine", json_kind::number);
        EXPECT_THROW(add_metric({entry, [](const run_results&, const run_summary&) { return 1; }}),
                     std::logic_error)
            << wrong;
    }
    const metric_entry entry("mine.some", "Mine", json_kind::number);
    EXPECT_THROW(add_metric({entry, nullptr}), std::logic_error);
}

TEST(extending, by_telemetry_keeps_queues_shallow) {
    outside::add_shallow_queue(10'000_B);
    const nlohmann::json summary = incast({"--switch.telemetry=on", "--tcp.congestion=shallow_queue"});
    EXPECT_EQ(summary["flows"]["completed"], summary["flows"]["started"]);
    EXPECT_LT(summary["buffers"]["egress"]["watermark_bytes"], 60'000);  // 117,454 B with NewReno
}

TEST(extending, a_congestion_control_that_reads_telemetry_is_refused_without_it) {
    outside::add_shallow_queue(10'000_B);
    std::ostringstream said;
    std::ostringstream wrong;
    EXPECT_EQ(run_command({"--tcp.congestion=shallow_queue", "--dry-run"}, said, wrong), 2);
    EXPECT_TRUE(has_error(wrong.str(), "tcp.congestion: shallow_queue, switch.telemetry = on"));
}

TEST(extending, an_unknown_name_is_answered_with_all_that_are_known) {
    outside::add_gentle_backoff();
    std::ostringstream said;
    std::ostringstream wrong;
    EXPECT_EQ(run_command({"--tcp.congestion=eba", "--dry-run"}, said, wrong), 2);
    EXPECT_TRUE(has_error(wrong.str(),
                          "eba, newreno, newreno_ecn, dctcp, cubic, cubic_ecn, vegas, vegas_ecn, abe, auto"));
}

/// The page says of each file what the registry says, and of no other.
TEST(run_files, are_what_the_page_lists) {
    const std::string page = contents_of_file(fs::path(WEIR_GOLDEN_DIR) / "../../docs/output-files.md");
    std::string expected = "| file | holds | when |\n|---|---|---|\n";
    for (const auto& file : run_files().entries()) {
        expected += "| `" + file.name + "` | " + file.doc + " | " + file.traits.when + " |\n";
    }
    EXPECT_NE(page.find(expected + "\n"), std::string::npos) << expected;
}

}  // namespace
}  // namespace weir::tb
