// QCN in whole fabrics: the standard's benchmark of greedy sources at one port, and what becomes of TCP.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "program.h"
#include "table_rows.h"

using namespace weir::test;
using nlohmann::json;

namespace {

const arguments benchmark_switch{"--fabric.topology=single", "--link.rate=10Gbps",
                                 "--link.latency=500ns",     "--switch.lookup_delay=100ns",
                                 "--switch.classes=1",       "--traffic.kind=trace",
                                 "--traffic.file=flows.csv", "--run.progress=false",
                                 "--run.duration=100ms",     "--output.occupancy_interval=50us"};
/// Sources that send as fast as their adapters take it: RDMA writes without any control of their own.
const arguments greedy{"--marking.kind=qcn", "--traffic.transport=roce", "--roce.rate_control=none",
                       "--switch.buffer=output_queued", "--switch.egress_buffer=20MB"};

/// `sources` hosts send to host 0 from the start on, 200 MB each.
json run_sources(const scratch_directory& where, int sources, const arguments& more) {
    std::string trace = "start_ns,src,dst,bytes\n";
    for (int src = 1; src <= sources; ++src) {
        trace += "0," + std::to_string(src) + ",0,200000000\n";
    }
    where.write("flows.csv", trace);
    const arguments hosts{"--fabric.hosts=" + std::to_string(sources + 1), "--out", "out"};
    const outcome o = run_program(where, combined(combined({"run"}, benchmark_switch), combined(more, hosts)));
    EXPECT_EQ(o.status, 0) << o.err;
    return summary_of(where / "out");
}

struct queue_length {
    double mean = 0;
    double largest = 0;
};
/// Of the port to host 0. Unit: B.
queue_length queue_after(const scratch_directory& where, double from_ns) {
    queue_length q;
    double samples = 0;
    for (const table_row& row : rows_of(where / "out" / "occupancy.csv")) {
        if (row.at("node") == "tor0" && row.at("port") == "0" && row.at("side") == "egress" &&
            std::stod(row.at("time_ns")) >= from_ns) {
            const double length = std::stod(row.at("occupancy_bytes"));
            q.mean += length;
            q.largest = std::max(q.largest, length);
            ++samples;
        }
    }
    q.mean /= samples;
    return q;
}

// The queue settles at the set-point, or above it by less than what quantisation tells of: an excess below the
// weight of the lowest of the six bits sends nothing.
TEST(qcn, holds_the_queue_of_greedy_sources_at_its_set_point) {
    for (const int sources : {2, 10}) {
        for (const double set_point : {26'000.0, 66'000.0}) {
            const scratch_directory where;
            const json s = run_sources(
                where, sources,
                combined(greedy, {"--qcn.set_point=" + std::to_string(static_cast<int>(set_point)) + "B"}));
            const queue_length q = queue_after(where, 30e6);
            const double largest_excess = set_point * 5;
            const double step = std::exp2(std::ceil(std::log2(largest_excess)) - 6);
            EXPECT_GT(q.mean, 0.95 * set_point) << sources << " sources";
            EXPECT_LT(q.mean, set_point + step) << sources << " sources";
            EXPECT_LT(q.largest, 1.1 * set_point + 2 * step) << sources << " sources";
            EXPECT_EQ(s["frames"]["dropped"], 0);
            EXPECT_GT(s["frames"]["originated"], 20);
            // The link stays busy while the queue is not empty: 1,090 B carry 1,024 B, and 20 B beside.
            EXPECT_GT(queue_after(where, 50e6).mean, 0.9 * set_point);
        }
    }
}

// Hosts 1 to 7 congest host 0; host 1 also has 20 MB for host 8, whose way is free. Its adapter limits what
// goes to host 0 alone, whatever the transport, and whatever its memory is.
TEST(qcn, limits_one_destination_and_leaves_the_rest_of_the_line_to_others) {
    std::string trace = "start_ns,src,dst,bytes,tag\n";
    for (int src = 1; src <= 7; ++src) {
        trace += "0," + std::to_string(src) + ",0,100000000,congests\n";
    }
    trace += "5000000,1,8,20000000,free\n";
    const arguments nine{"--fabric.hosts=9", "--marking.kind=qcn", "--out", "out"};
    for (const arguments& carried : {arguments{"--traffic.transport=roce", "--roce.rate_control=none"},
                                     arguments{"--traffic.transport=tcp", "--tcp.receive_window=256KB"}}) {
        const scratch_directory where;
        where.write("flows.csv", trace);
        const outcome o =
            run_program(where, combined(combined(combined({"run"}, benchmark_switch), combined(carried, nine)),
                                        {"--switch.buffer=output_queued", "--switch.egress_buffer=20MB",
                                         "--host.nic_buffer=512KB"}));
        ASSERT_EQ(o.status, 0) << o.err;
        const json s = summary_of(where / "out");
        double took = 0;
        for (const table_row& row : rows_of(where / "out" / "flows.csv")) {
            took = row.at("dst") == "8" && !row.at("fct_ns").empty() ? std::stod(row.at("fct_ns")) : took;
        }
        // Alone it takes 17 ms; beside it a seventh of host 0's link leaves host 1.
        EXPECT_GT(took, 16e6);
        EXPECT_LT(took, 24e6);
    }
}

// Seven TCP transfers of 200 MB to one host; beside QCN, PFC hardly has to act.
TEST(qcn, takes_over_from_pfc_below_tcp_and_shares_out_unfairly) {
    const arguments tcp{"--switch.buffer=input_buffered", "--switch.ingress_buffer=100KB", "--pfc.mode=pfc",
                        "--tcp.receive_window=256KB"};
    const scratch_directory where;
    const json with = run_sources(where, 7, combined(tcp, {"--marking.kind=qcn", "--qcn.set_point=66KB"}));
    EXPECT_EQ(with["frames"]["dropped"], 0);
    EXPECT_GT(with["frames"]["originated"], 50);
    const scratch_directory other;
    const json without = run_sources(other, 7, combined(tcp, {"--host.nic=voq"}));
    EXPECT_EQ(without["frames"]["dropped"], 0);
    EXPECT_LT(with["pfc"]["xoff_sent"].get<double>(), 0.2 * without["pfc"]["xoff_sent"].get<double>());
    // With PFC alone all seven send alike.
    const auto spread = [](const scratch_directory& of) {
        std::vector<double> sent;
        for (const table_row& row : rows_of(of / "out" / "ports.csv")) {
            if (row.at("node").front() == 'h' && row.at("node") != "h0" && row.at("class") == "0") {
                sent.push_back(std::stod(row.at("tx_bytes")));
            }
        }
        return *std::max_element(sent.begin(), sent.end()) / *std::min_element(sent.begin(), sent.end());
    };
    EXPECT_LT(spread(other), 1.1);
    EXPECT_GT(spread(where), 1.5);
}

}  // namespace
