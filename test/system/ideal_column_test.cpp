// ideal_ns of flows.csv is the completion time of a transfer that is alone, as the program writes both.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

#include "program.h"

using namespace weir::test;

namespace {

/// DeTail's numbers on two racks: all times are whole multiples of 4 ns, a slot of 64 B takes 128 ns.
const arguments two_racks{"run",
                          "--fabric.topology=racks",
                          "--fabric.racks=2",
                          "--link.wire_overhead=0B",
                          "--tcp.header=70B",
                          "--tcp.initial_window=100",
                          "--tcp.initial_rto=50ms",
                          "--switch.lookup_interval=100ns",
                          "--tcp.handshake=true",
                          "--output.occupancy_interval=0",
                          "--traffic.kind=trace",
                          "--traffic.file=lone.csv",
                          "--out",
                          "out"};

/// Each transfer by itself, at `phases` starts that are 4 ns apart within a slot.
std::string lone_transfers(int phases) {
    std::ostringstream trace;
    trace << "start_ns,src,dst,bytes\n";
    std::int64_t start = 0;
    for (const char* transfer : {"0,3,100", "0,23,1460", "17,5,8000", "5,6,146000"}) {
        for (int phase = 0; phase < phases; ++phase) {
            start += 128 * 40'000;
            trace << start + 4 * phase << ',' << transfer << '\n';
        }
    }
    return trace.str();
}

struct line {
    std::string what;
    std::string fct;
    std::string ideal;
};
std::vector<line> lines_of(const fs::path& flows) {
    std::istringstream text(contents(flows));
    std::vector<line> lines;
    for (std::string row; std::getline(text, row);) {
        std::vector<std::string> fields;
        std::istringstream in(row);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        // flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts
        lines.push_back({fields[2] + " to " + fields[3] + ", " + fields[4] + " B", fields[8], fields[9]});
    }
    EXPECT_EQ(lines.at(0).ideal, "ideal_ns");
    lines.erase(lines.begin());
    return lines;
}

TEST(ideal_column, equals_a_lone_transfers_time_with_handshake_and_lookup_interval) {
    const scratch_directory where;
    where.write("lone.csv", lone_transfers(1));
    const outcome o = run_program(where, two_racks);
    ASSERT_EQ(o.status, 0) << o.err;
    const std::vector<line> lines = lines_of(where / "out/flows.csv");
    EXPECT_EQ(lines.size(), 4U);
    for (const line& l : lines) {
        EXPECT_EQ(l.fct, l.ideal) << l.what;
    }
}

TEST(ideal_column, is_what_the_luckiest_choice_of_paths_takes_with_per_packet_balancing) {
    std::ostringstream trace;
    trace << "start_ns,src,dst,bytes\n";
    for (int i = 0; i < 200; ++i) {
        trace << 500'000 * i
              << (i % 5 == 0   ? ",0,23,1461\n"
                  : i % 5 == 1 ? ",0,23,2048\n"
                  : i % 5 == 2 ? ",17,5,2921\n"
                  : i % 5 == 3 ? ",17,5,1460\n"
                               : ",5,6,2048\n");
    }
    for (const char* scheme : {"--switch.scheme=detail", "--switch.scheme=packet_scatter"}) {
        SCOPED_TRACE(scheme);
        const scratch_directory where;
        where.write("lone.csv", trace.str());
        const outcome o = run_program(where, combined(two_racks, {scheme}));
        ASSERT_EQ(o.status, 0) << o.err;
        std::map<std::string, std::pair<double, std::string>> least;
        for (const line& l : lines_of(where / "out/flows.csv")) {
            const auto at = least.insert({l.what, {std::stod(l.fct), l.ideal}}).first;
            at->second.first = std::min(at->second.first, std::stod(l.fct));
            EXPECT_EQ(at->second.second, l.ideal) << l.what;
        }
        EXPECT_EQ(least.size(), 5U);
        for (const auto& [what, times] : least) {
            EXPECT_EQ(times.first, std::stod(times.second)) << what;
        }
    }
}

TEST(ideal_column, is_never_above_a_transfers_time_under_load_with_per_packet_balancing) {
    const scratch_directory where;
    const outcome o =
        run_program(where, {"run", "--fabric.topology=racks", "--fabric.racks=4", "--traffic.kind=query",
                            "--traffic.rate=2000", "--switch.scheme=detail", "--run.duration=50ms",
                            "--output.occupancy_interval=0", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    std::size_t transfers = 0;
    for (const line& l : lines_of(where / "out/flows.csv")) {
        ++transfers;
        EXPECT_LE(std::stod(l.ideal), std::stod(l.fct)) << l.what;
    }
    EXPECT_GT(transfers, 5'000U);
}

TEST(ideal_column, is_the_least_over_all_starts_where_crossbars_move_cells) {
    const scratch_directory where;
    where.write("lone.csv", lone_transfers(32));
    const outcome o = run_program(where, combined(two_racks, {"--switch.crossbar=cell"}));
    ASSERT_EQ(o.status, 0) << o.err;
    std::map<std::string, std::pair<double, std::string>> least;
    for (const line& l : lines_of(where / "out/flows.csv")) {
        const double fct = std::stod(l.fct);
        const auto [at, is_new] = least.insert({l.what, {fct, l.ideal}});
        at->second.first = std::min(at->second.first, fct);
        EXPECT_EQ(at->second.second, l.ideal) << l.what;
        // A slot per switch at most, for the SYN, the SYN-ACK and the data.
        EXPECT_LT(fct, std::stod(l.ideal) + 3 * 3 * 128) << l.what;
    }
    EXPECT_EQ(least.size(), 4U);
    for (const auto& [what, times] : least) {
        EXPECT_EQ(times.first, std::stod(times.second)) << what;
    }
}

struct timed_job {
    std::string kind;
    double time_ns;
    double ideal_ns;
};
std::vector<timed_job> jobs_of(const scratch_directory& where, const arguments& more) {
    arguments all{"run",
                  "--link.wire_overhead=0B",
                  "--tcp.header=70B",
                  "--tcp.initial_window=1000",
                  "--tcp.initial_rto=50ms",
                  "--switch.egress_buffer=4MiB",
                  "--switch.ingress_buffer=4MiB",
                  "--output.ideal_jobs=on",
                  "--output.occupancy_interval=0",
                  "--traffic.split=everyone",
                  "--traffic.stop=20ms",
                  "--out",
                  "out"};
    fs::remove_all(where / "out");
    const outcome o = run_program(where, combined(all, more));
    EXPECT_EQ(o.status, 0) << o.err;
    std::vector<timed_job> jobs;
    std::istringstream text(contents(where / "out/jobs.csv"));
    std::string row;
    std::getline(text, row);
    EXPECT_EQ(row, "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns,ideal_ns");
    while (std::getline(text, row)) {
        std::vector<std::string> fields;
        std::istringstream in(row);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        EXPECT_EQ(fields.size(), 10U) << row;
        jobs.push_back({fields[1], std::stod(fields[8]), std::stod(fields[9])});
    }
    EXPECT_FALSE(jobs.empty());
    return jobs;
}

// 1 Gb/s, 6.6 us a link, 3.1 us a lookup; a full frame has 1,530 B and takes 12.24 us, an ACK 70 B and 560 ns.
TEST(ideal_column, of_a_lone_query_is_that_of_both_transfers) {
    const scratch_directory where;
    const std::vector<timed_job> jobs =
        jobs_of(where, {"--fabric.topology=single", "--fabric.hosts=2", "--traffic.kind=query",
                        "--traffic.rate=100", "--traffic.sizes=14600B", "--traffic.request=1460B"});
    // Each way the first frame is sent twice, by the host and by the switch.
    const double way = 2 * 12'240 + 2 * 6'600 + 3'100 + 12'240.0 / 4;
    for (const timed_job& job : jobs) {
        EXPECT_NEAR(job.ideal_ns, 2 * way + 9 * 12'240, 1e-3);
        EXPECT_GE(job.time_ns, job.ideal_ns);
        EXPECT_LE(job.time_ns, job.ideal_ns + 560 * 1.25) << "the ACK of the request goes first";
    }
}

TEST(ideal_column, of_an_incast_is_that_of_the_link_that_all_answers_share) {
    const scratch_directory where;
    const std::vector<timed_job> jobs = jobs_of(
        where, {"--fabric.topology=single", "--fabric.hosts=9", "--traffic.kind=incast",
                "--traffic.incast_rounds=3", "--traffic.incast_bytes=116800B", "--traffic.request=1460B"});
    const double way = 2 * 12'240 + 2 * 6'600 + 3'100 + 12'240.0 / 4;
    for (const timed_job& job : jobs) {
        // Ten frames from each of eight servers, one behind the other, after one request.
        EXPECT_NEAR(job.ideal_ns, 2 * way + 79 * 12'240, 1e-3);
        EXPECT_GE(job.time_ns, job.ideal_ns);
        EXPECT_LE(job.time_ns, job.ideal_ns + 8 * 560 + 560 * 0.25) << "eight ACKs of requests share the link";
    }
}

TEST(ideal_column, of_a_job_is_never_above_its_time) {
    const scratch_directory where;
    for (const arguments& more : std::vector<arguments>{
             {"--traffic.kind=partition_aggregate", "--traffic.fan_out=8,40"},
             {"--traffic.kind=partition_aggregate", "--traffic.fan_out=8", "--switch.scheme=detail"},
             {"--traffic.kind=partition_aggregate", "--traffic.fan_out=8", "--fabric.root_rate=100Mbps"},
             {"--traffic.kind=sequential_web", "--switch.crossbar=cell"},
             {"--traffic.kind=incast", "--traffic.incast_rounds=3", "--traffic.transport=pfabric"}}) {
        std::set<std::string> kinds;
        for (const timed_job& job : jobs_of(
                 where, combined(more, {"--fabric.topology=racks", "--fabric.racks=3", "--traffic.rate=30"}))) {
            EXPECT_GE(job.time_ns, job.ideal_ns) << job.kind;
            EXPECT_LE(job.time_ns, 100 * job.ideal_ns) << job.kind;
            kinds.insert(job.kind);
        }
        EXPECT_EQ(kinds.size(), more[0] == "--traffic.kind=incast" ? 1U : 2U);
    }
}

// A query of three levels in an empty fabric takes no less than the sum of its levels, and little more.
TEST(ideal_column, of_a_query_in_three_levels_counts_all_of_them) {
    const scratch_directory where;
    const outcome o = run_program(
        where, {"run", "--fabric.topology=racks", "--fabric.racks=3", "--fabric.hosts_per_rack=5",
                "--fabric.roots=1", "--traffic.kind=scatter_gather", "--traffic.split=named",
                "--traffic.sources=h0", "--traffic.rate=20", "--traffic.stop=400ms", "--output.ideal_jobs=on",
                "--tcp.initial_window=100", "--output.occupancy_interval=0", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    std::istringstream text(contents(where / "out/jobs.csv"));
    std::string row;
    std::getline(text, row);
    EXPECT_EQ(row.substr(row.rfind(',')), ",ideal_ns");
    int queries = 0;
    while (std::getline(text, row)) {
        const std::size_t last = row.rfind(',');
        const double ideal = std::stod(row.substr(last + 1));
        const double took = std::stod(row.substr(row.rfind(',', last - 1) + 1));
        EXPECT_GE(took, ideal) << row;
        if (row.find(",scatter_gather,") != std::string::npos) {
            ++queries;
            EXPECT_LT(took, 1.35 * ideal) << row;
        }
    }
    EXPECT_GE(queries, 3);
}

}  // namespace
