// What tables of a run say of the same thing: of pauses and the classes they are of, of hosts and their names,
// of frames that a cut link cost.
#include <gtest/gtest.h>

#include <set>

#include "table_rows.h"

namespace weir::test {
namespace {

using row = table_row;

std::uint64_t number(const row& r, const std::string& column) {
    return r.at(column).empty() ? 0 : std::stoull(r.at(column));
}

/// 7 hosts send to one, all of priority 5. DeTail pauses the classes below with it.
const arguments detail_incast{"run",
                              "--switch.scheme=detail",
                              "--fabric.topology=single",
                              "--fabric.hosts=8",
                              "--traffic.kind=incast",
                              "--traffic.priorities=5",
                              "--traffic.incast_bytes=2MB",
                              "--run.duration=20ms",
                              "--run.warmup=1ms",
                              "--trace.pause_causes=on",
                              "--run.progress=off",
                              "--out",
                              "out"};

TEST(pause_results, are_of_classes_that_carried_frames) {
    const scratch_directory where;
    const outcome made = run_program(where, detail_incast);
    ASSERT_EQ(made.status, 0) << made.err;
    const nlohmann::json pfc = summary_of(where / "out")["pfc"];

    std::map<std::string, std::uint64_t> xoff_of_class;
    double paused_ns = 0;
    for (const row& r : rows_of(where / "out" / "ports.csv")) {
        if (r.at("class") != "all") {
            xoff_of_class[r.at("class")] += number(r, "xoff_sent");
            paused_ns += r.at("class") == "5" ? std::stod(r.at("paused_ns")) : 0;
        }
    }
    ASSERT_GT(xoff_of_class["0"], 10U) << "classes without frames are announced as paused, too";
    EXPECT_EQ(pfc["xoff_sent"], xoff_of_class["5"]);
    double in_summary = 0;
    for (const auto& [tier, time] : pfc["paused_ns"].items()) {
        in_summary += time.get<double>();
    }
    EXPECT_NEAR(in_summary, paused_ns, 0.01);

    // 8 hosts have one transmitter each.
    EXPECT_NEAR(pfc["paused_percent"]["host"].get<double>(),
                100 * pfc["paused_ns"]["host"].get<double>() / (8 * 19e6), 1e-3);
    EXPECT_GE(pfc["frames_sent"], pfc["xoff_sent"]);
    for (const row& r : rows_of(where / "out" / "pauses.csv")) {
        EXPECT_EQ(r.at("transmitters"), "8") << "8 ports, one class: " << r.at("tier");
    }
    EXPECT_NE(made.out.find(" PFC frames, with "), std::string::npos) << made.out;

    // The tree has no rows of idle classes, and adds up to the same.
    const std::string tree = contents(where / "out" / "pause_tree.json");
    EXPECT_NE(tree.find("class 5"), std::string::npos);
    EXPECT_EQ(tree.find("class 4"), std::string::npos);
}

TEST(host_identity, joins_flows_causes_and_ports) {
    const scratch_directory where;
    const outcome made = run_program(where, detail_incast);
    ASSERT_EQ(made.status, 0) << made.err;
    std::map<std::string, std::string> name_of;
    std::set<std::string> nodes;
    for (const row& r : rows_of(where / "out" / "nodes.csv")) {
        EXPECT_TRUE(nodes.insert(r.at("node")).second) << r.at("node");
        EXPECT_EQ(r.at("host").empty(), r.at("kind") == "switch");
        if (r.at("kind") == "host") {
            EXPECT_EQ(r.at("tier"), "host");
            EXPECT_FALSE(r.at("address").empty());
            name_of[r.at("host")] = r.at("node");
        }
    }
    EXPECT_EQ(name_of.size(), 8U);
    for (const row& r : rows_of(where / "out" / "ports.csv")) {
        EXPECT_EQ(nodes.count(r.at("node")) + nodes.count(r.at("peer")), 2U);
    }
    std::set<std::string> transfers;
    for (const row& r : rows_of(where / "out" / "flows.csv")) {
        ASSERT_EQ(name_of.count(r.at("src")) + name_of.count(r.at("dst")), 2U);
        transfers.insert(r.at("src") + '>' + r.at("dst"));
    }
    std::size_t blamed = 0;
    for (const row& r : rows_of(where / "out" / "pause_flows.csv")) {
        if (r.at("kind") == "flow") {
            ++blamed;
            EXPECT_EQ(name_of.count(r.at("src")) + name_of.count(r.at("dst")), 2U) << r.at("src");
        }
    }
    EXPECT_GT(blamed, 0U);
    EXPECT_FALSE(transfers.empty());
}

TEST(drop_results, count_what_a_cut_link_kept_from_being_sent_apart_in_every_file) {
    const scratch_directory where;
    const outcome made =
        run_program(where, {"run", "--fabric.topology=single", "--fabric.hosts=4", "--traffic.kind=permutation",
                            "--traffic.transport=udp", "--traffic.load=50%", "--run.duration=2ms",
                            "--fabric.link=h1-tor0 down at=500us", "--run.progress=off", "--out", "out"});
    ASSERT_EQ(made.status, 0) << made.err;
    const nlohmann::json drops = summary_of(where / "out")["drops"];
    std::uint64_t cut = 0;
    std::uint64_t unsent = 0;
    for (const row& r : rows_of(where / "out" / "ports.csv")) {
        cut += number(r, "link_down_frames");
        unsent += number(r, "unsent_link_down_frames");
    }
    EXPECT_GT(unsent, 10U);
    EXPECT_EQ(drops["link_down"], cut);
    EXPECT_EQ(drops["unsent_link_down"], unsent);
}

// A class's share of the wire's time at the rates that the link had, which adds up to the port's.
TEST(port_results, have_utilisation_at_the_rate_that_the_link_had) {
    const scratch_directory where;
    const outcome made =
        run_program(where, {"run", "--fabric.topology=single", "--fabric.hosts=4", "--link.rate=10Gbps",
                            "--traffic.kind=permutation", "--traffic.transport=udp", "--traffic.load=50%",
                            "--run.duration=8ms", "--fabric.link=h1-tor0 rate=1Gbps at=2ms",
                            "--fabric.link=h1-tor0 rate=10Gbps at=4ms", "--run.progress=off", "--out", "out"});
    ASSERT_EQ(made.status, 0) << made.err;
    std::map<std::string, double> of_classes;
    std::map<std::string, double> of_port;
    for (const row& r : rows_of(where / "out" / "ports.csv")) {
        if (r.at("class") != "all") {
            const std::string port = r.at("node") + ' ' + r.at("port");
            of_classes[port] += std::stod(r.at("utilisation_percent"));
            of_port[port] = std::stod(r.at("port_utilisation_percent"));
        }
    }
    ASSERT_EQ(of_port.size(), 8U);
    for (const auto& [port, percent] : of_port) {
        EXPECT_NEAR(of_classes[port], percent, 0.02) << port;
    }
}

TEST(lossless_classes, traffic_outside_them_is_warned_of) {
    const scratch_directory where;
    where.write("flows.csv", "start_ns,src,dst,bytes,priority\n0,0,1,1000,5\n");
    const arguments usual{"run",
                          "--dry-run",
                          "--run.duration=1ms",
                          "--fabric.topology=single",
                          "--fabric.hosts=4",
                          "--switch.buffer=shared",
                          "--shared.memory=4MB",
                          "--shared.lossy_pool=1MB",
                          "--shared.lossless_classes=3"};
    const auto said = [&](const arguments& more, const char* mode = "pfc") {
        const outcome made =
            run_program(where, combined(usual, combined({std::string("--pfc.mode=") + mode}, more)));
        EXPECT_EQ(made.status, 0) << made.err;
        const std::size_t at = made.err.find("shared.lossless_classes");
        return at == std::string::npos ? "" : made.err.substr(at, made.err.find('\n', at) - at);
    };
    const std::string all_of_5 =
        "shared.lossless_classes = 3: all traffic is of other classes (5), whose frames are dropped where "
        "memory "
        "is full";
    const std::string some_of_5 =
        "shared.lossless_classes = 3: some traffic is of other classes (5), whose frames are dropped where "
        "memory is full";
    EXPECT_EQ(said({"--traffic.kind=permutation", "--traffic.priorities=5"}), all_of_5);
    EXPECT_EQ(said({"--traffic.kind=permutation", "--traffic.priorities=3"}), "");
    EXPECT_EQ(said({"--traffic.kind=permutation", "--traffic.priorities=3,5"}), some_of_5);
    EXPECT_EQ(said({"--traffic.kind=none"}), "");
    EXPECT_EQ(said({"--traffic.kind=trace", "--traffic.file=flows.csv"}), all_of_5);
    where.write("flows.csv", "start_ns,src,dst,bytes,priority\n0,0,1,1000,5\n0,0,1,1000,3\n");
    EXPECT_EQ(said({"--traffic.kind=trace", "--traffic.file=flows.csv"}), some_of_5);
    EXPECT_EQ(
        said({"--traffic.kind=permutation", "--traffic.priorities=5"}, "none"),
        "shared.lossless_classes: has no effect; it needs switch.buffer = shared, and pfc.mode = pause or pfc");
}

}  // namespace
}  // namespace weir::test
