// ideal_ns of flows.csv is the completion time of a transfer that is alone, as the program writes both.
#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
