// RoCE and DCQCN in whole fabrics: who gets how much of a link, what pauses are needed, what losses cost.
#include <gtest/gtest.h>

#include "program.h"
#include "table_rows.h"

using namespace weir::test;
using nlohmann::json;

namespace {

/// One switch at 40 Gb/s with PFC, marks at 40 KB as DCQCN's step, and flows of class 3.
const arguments roce_star{
    "--fabric.topology=single",     "--link.rate=40Gbps",   "--link.latency=1us",
    "--switch.classes=8",           "--pfc.mode=pfc",       "--switch.ingress_buffer=500KB",
    "--switch.egress_buffer=500KB", "--traffic.kind=trace", "--traffic.transport=roce",
    "--traffic.file=flows.csv",     "--run.progress=false", "--run.seed=3"};
const arguments marks{"--marking.kind=step", "--marking.threshold=40KB"};

std::string flow_line(int start_us, int src, int dst, std::int64_t size) {
    return std::to_string(start_us) + "000," + std::to_string(src) + "," + std::to_string(dst) + "," +
           std::to_string(size) + ",3\n";
}

json run(const scratch_directory& where, const std::string& flows, const arguments& more) {
    where.write("flows.csv", "start_ns,src,dst,bytes,priority\n" + flows);
    const outcome o =
        run_program(where, combined(combined({"run"}, roce_star), combined(more, {"--out", "out"})));
    EXPECT_EQ(o.status, 0) << o.err;
    return summary_of(where / "out");
}

/// Frames of class 3 that a host has sent since the warm-up.
double sent_by(const scratch_directory& where, const std::string& host) {
    for (const table_row& row : rows_of(where / "out" / "ports.csv")) {
        if (row.at("node") == host && row.at("class") == "3") {
            return std::stod(row.at("tx_frames"));
        }
    }
    return -1;
}

TEST(roce, two_flows_to_one_converge_to_equal_rates_though_one_is_late) {
    for (const std::string control : {"dcqcn", "dcqcn_mellanox"}) {
        SCOPED_TRACE(control);
        const scratch_directory where;
        const std::string flows = flow_line(0, 0, 2, 5'000'000'000) + flow_line(5'000, 1, 2, 5'000'000'000);
        const json s = run(where, flows,
                           combined(marks, {"--fabric.hosts=3", "--run.duration=60ms", "--run.warmup=40ms",
                                            "--roce.rate_control=" + control}));
        const double first = sent_by(where, "h0");
        const double second = sent_by(where, "h1");
        EXPECT_NEAR(first / second, 1, 0.05);
        // Jain's index, and at least nine tenths of what the link carries: 1,024 of 1,106 B.
        EXPECT_GT((first + second) * (first + second) / (2 * (first * first + second * second)), 0.999);
        EXPECT_GT(s["goodput"]["bps"], 0.9 * 40e9 * 1024 / 1106);
        EXPECT_EQ(s["pfc"]["xoff_sent"], 0);
        EXPECT_EQ(s["frames"]["dropped"], 0);
    }
}

TEST(roce, an_incast_of_sixteen_neither_loses_nor_starves) {
    const scratch_directory where;
    std::string flows;
    for (int h = 0; h < 16; ++h) {
        flows += flow_line(0, h, 16, 5'000'000);
    }
    const json s = run(where, flows, combined(marks, {"--fabric.hosts=17"}));
    EXPECT_EQ(s["flows"]["completed"], 16);
    EXPECT_EQ(s["frames"]["dropped"], 0);
    double sum = 0;
    double squares = 0;
    for (const table_row& row : rows_of(where / "out" / "flows.csv")) {
        const double rate = 1 / std::stod(row.at("fct_ns"));
        sum += rate;
        squares += rate * rate;
        EXPECT_EQ(row.at("retransmits"), "0");
    }
    EXPECT_GT(sum * sum / (16 * squares), 0.9);
}

TEST(roce, notifications_keep_a_long_incast_from_pausing_and_pauses_alone_lose_nothing_either) {
    std::string flows;
    for (int h = 0; h < 8; ++h) {
        flows += flow_line(0, h, 8, 10'000'000);
    }
    const scratch_directory with_marks;
    const json controlled = run(with_marks, flows, combined(marks, {"--fabric.hosts=9"}));
    const scratch_directory without;
    const json paused = run(without, flows, {"--fabric.hosts=9", "--roce.rate_control=none"});
    for (const json& s : {controlled, paused}) {
        EXPECT_EQ(s["flows"]["completed"], 8);
        EXPECT_EQ(s["frames"]["dropped"], 0);
    }
    EXPECT_GT(paused["pfc"]["xoff_sent"].get<double>(),
              20 * (1 + controlled["pfc"]["xoff_sent"].get<double>()));
}

TEST(roce, queue_pairs_of_one_host_share_its_link_and_a_pause_keeps_no_frames_in_the_adapter) {
    const scratch_directory where;
    std::string flows;
    for (int i = 0; i < 4; ++i) {
        flows += flow_line(0, 0, 1 + i % 2, 2'000'000);
    }
    flows += flow_line(0, 3, 1, 4'000'000);
    const json s = run(where, flows, {"--fabric.hosts=4", "--roce.rate_control=none"});
    EXPECT_EQ(s["flows"]["completed"], 5);
    EXPECT_EQ(s["frames"]["dropped"], 0);
    EXPECT_GT(s["pfc"]["xoff_sent"], 0);
    for (const table_row& row : rows_of(where / "out" / "ports.csv")) {
        if (row.at("node")[0] == 'h' && row.at("class") == "all" && !row.at("egress_max_bytes").empty()) {
            // Of data one frame is ready in the adapter; ACKs may wait behind it.
            EXPECT_LE(std::stod(row.at("egress_max_bytes")), 2 * 1'086) << row.at("node");
        }
    }
}

TEST(roce, bit_errors_cost_time_and_no_transfer_and_selective_retransmission_costs_less) {
    std::string flows;
    for (int h = 0; h < 4; ++h) {
        flows += flow_line(0, h, 4, 2'000'000);
    }
    std::map<std::string, std::int64_t> again;
    for (const std::string recovery : {"go_back_n", "selective"}) {
        SCOPED_TRACE(recovery);
        const scratch_directory where;
        const json s = run(where, flows,
                           combined(marks, {"--fabric.hosts=5", "--fabric.link=h4-tor0 frame_error_rate=0.01",
                                            "--fabric.link=h1-tor0 bit_error_rate=1e-6",
                                            "--roce.recovery=" + recovery, "--roce.ack_timeout=1ms"}));
        EXPECT_EQ(s["flows"]["completed"], 4);
        EXPECT_GT(s["drops"]["bit_error"], 0);
        for (const table_row& row : rows_of(where / "out" / "flows.csv")) {
            again[recovery] += std::stoll(row.at("retransmits"));
        }
    }
    EXPECT_GT(again["selective"], 0);
    EXPECT_LT(2 * again["selective"], again["go_back_n"]);
}

TEST(roce, a_lossless_class_stands_beside_tcp_in_another) {
    const scratch_directory where;
    std::string flows;
    for (int h = 0; h < 6; ++h) {
        flows += flow_line(0, h, 6, 3'000'000);
    }
    const json s = run(where, flows,
                       combined(marks, {"--fabric.hosts=7", "--switch.buffer=shared", "--shared.memory=4MB",
                                        "--shared.lossless_pool=1MB", "--shared.lossless_classes=3",
                                        "--shared.lossy_alpha=0.5", "--marking.classes=3",
                                        "--traffic.background_flows=2", "--traffic.background_priority=0",
                                        "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms", "--run.duration=20ms"}));
    EXPECT_GT(s["frames"]["dropped"], 0) << "TCP fills its class";
    int completed = 0;
    for (const table_row& row : rows_of(where / "out" / "flows.csv")) {
        if (row.at("priority") == "3") {
            ++completed;
            EXPECT_EQ(row.at("retransmits"), "0");
        }
    }
    EXPECT_EQ(completed, 6);
}

TEST(roce, an_incast_of_queries_is_carried_by_it) {
    const scratch_directory where;
    const outcome o = run_program(where, {"run", "--fabric.topology=single", "--fabric.hosts=9",
                                          "--link.rate=10Gbps", "--link.latency=1us", "--switch.scheme=detail",
                                          "--traffic.kind=incast", "--traffic.transport=roce",
                                          "--traffic.incast_rounds=5", "--run.progress=false", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    const json s = summary_of(where / "out");
    EXPECT_EQ(s["flows"]["completed"], 2 * 8 * 5);
    EXPECT_EQ(s["complete"], true);
}

}  // namespace
