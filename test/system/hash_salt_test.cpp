// Polarisation: in a fat-tree whose switches hash alike, an aggregation switch sees only flows that the edge
// switches' hash has chosen for it, and its own hash sends all of them to one core switch.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "program.h"
#include "table_rows.h"

namespace weir::test {
namespace {

/// A datagram from each host to each host of other pods.
std::string all_pods_trace(unsigned k) {
    const unsigned hosts = k * k * k / 4;
    std::string text = "start_ns,src,dst,bytes\n";
    for (unsigned src = 0, flow = 0; src < hosts; ++src) {
        for (unsigned dst = 0; dst < hosts; ++dst) {
            if (src / (k * k / 4) != dst / (k * k / 4)) {
                text += std::to_string(200 * flow++) + ',' + std::to_string(src) + ',' + std::to_string(dst) +
                        ",100\n";
            }
        }
    }
    return text;
}

/// Links that carried frames, by the tiers of their ends.
std::map<std::pair<std::string, std::string>, std::set<std::string>> used_links(const fs::path& run) {
    std::map<std::string, std::string> tier;
    for (const table_row& node : rows_of(run / "nodes.csv")) {
        tier[node.at("node")] = node.at("tier");
    }
    std::map<std::pair<std::string, std::string>, std::set<std::string>> used;
    for (const table_row& row : rows_of(run / "ports.csv")) {
        if (!row.at("tx_frames").empty() && row.at("tx_frames") != "0") {
            used[{tier[row.at("node")], tier[row.at("peer")]}].insert(row.at("node") + '.' + row.at("port"));
        }
    }
    return used;
}

TEST(hash_salt, without_one_a_fat_tree_uses_k_half_of_its_cores_and_with_one_all) {
    for (const unsigned k : {4U, 6U}) {
        const scratch_directory where;
        where.write("trace.csv", all_pods_trace(k));
        for (const std::string salt : {"per_switch", "none"}) {
            const outcome run = run_program(
                where, {"run", "--fabric.topology=fat_tree", "--fabric.k=" + std::to_string(k),
                        "--traffic.kind=trace", "--traffic.file=trace.csv", "--traffic.transport=udp",
                        "--switch.hash_salt=" + salt, "--run.progress=off", "--out", salt});
            ASSERT_EQ(run.status, 0) << run.err;
            auto used = used_links(where / salt);
            const std::size_t all = k * k * k / 4;
            // Each of k / 2 aggregation switches of k pods has one link up, to one core.
            const std::size_t to_cores = salt == "none" ? k * k / 2 : all;
            EXPECT_EQ((used[{"tier1", "tier2"}].size()), all) << salt;
            EXPECT_EQ((used[{"tier2", "tier3"}].size()), to_cores) << salt;
            EXPECT_EQ((used[{"tier3", "tier2"}].size()), to_cores) << salt;
            EXPECT_EQ((used[{"tier2", "tier1"}].size()), all) << salt;
            std::set<std::string> cores;
            for (const std::string& port : used[{"tier3", "tier2"}]) {
                cores.insert(port.substr(0, port.find('.')));
            }
            EXPECT_EQ(cores.size(), salt == "none" ? k / 2 : k * k / 4);
        }
    }
}

TEST(hash_salt, none_is_kept_by_the_effective_configuration_and_needs_no_seed) {
    const scratch_directory where;
    where.write("trace.csv", all_pods_trace(4));
    const auto run = [&](const std::string& out, const arguments& more) {
        const outcome made = run_program(where, combined({"run", "--out", out}, more));
        ASSERT_EQ(made.status, 0) << made.err;
    };
    const arguments options{"--fabric.topology=fat_tree", "--fabric.k=4", "--traffic.kind=trace",
                            "--traffic.file=trace.csv", "--traffic.transport=udp"};
    run("none", combined(options, {"--switch.hash_salt=none"}));
    run("again", {"none/effective.ini"});
    expect_same_bytes(where / "none", where / "again");
    run("seeded", combined(options, {"--switch.hash_salt=none", "--run.seed=9"}));
    EXPECT_EQ(contents(where / "seeded/ports.csv"), contents(where / "none/ports.csv"));
}

// No flow is hashed to a port, so only detours can tell the settings apart.
TEST(hash_salt, serves_detours_by_flow) {
    const scratch_directory where;
    const auto run = [&](const std::string& out, const arguments& more) {
        const outcome made = run_program(
            where,
            combined({"run", "--fabric.topology=fat_tree", "--fabric.k=4", "--switch.classes=1",
                      "--switch.drop=egress_tail", "--switch.egress_buffer=40KB", "--switch.overflow=detour",
                      "--switch.balance=packet_scatter", "--detour.policy=flow_based", "--tcp.duplicate_acks=0",
                      "--traffic.kind=incast", "--traffic.incast_bytes=600KB", "--traffic.incast_rounds=1",
                      "--run.progress=off", "--out", out},
                     more));
        EXPECT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(made.err, "");
        EXPECT_GT(summary_of(where / out)["detours"]["detoured"], 100);
    };
    run("own", {});
    run("none", {"--switch.hash_salt=none"});
    EXPECT_NE(contents(where / "none/detours.csv"), contents(where / "own/detours.csv"));
    run("again", {"--switch.hash_salt=none", "--run.engine=literal"});
    expect_same_bytes(where / "none", where / "again");
}

}  // namespace
}  // namespace weir::test
