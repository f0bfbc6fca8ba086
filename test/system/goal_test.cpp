// Parallel programs on a fabric: where no two messages meet at a receiver they take what LogGP predicts, once
// what a switch adds is added by hand. o = g = 0, and of two hosts on one switch L is two links' latency.
//
// LogGP charges (k - 1) G; a wire k bytes and the headers and gaps of each frame, and the switch, which stores
// and forwards, the first frame once more.
#include <sstream>

#include "program.h"
#include "support/child_process.h"
#include "support/errors_said.h"
#include "tb/support/files/schedule_file.h"

namespace weir::test {
namespace {

using namespace weir::traffic;

constexpr double byte_ns = 0.8;  // 10 Gb/s
constexpr double latency_ns = 1000;
constexpr std::uint64_t payload = 1472;

double wire_ns(std::uint64_t bytes) {
    return byte_ns * static_cast<double>(std::max<std::uint64_t>(bytes + 46, 64) + 20);
}
/// The wire time of all frames.
double train_ns(std::uint64_t bytes) {
    const std::uint64_t full = bytes / payload;
    const std::uint64_t rest = bytes % payload;
    return static_cast<double>(full) * wire_ns(payload) + (rest > 0 ? wire_ns(rest) : 0);
}
/// Until UDP hands the last frame to the NIC, and is done.
double turn_ns(std::uint64_t bytes) {
    return static_cast<double>((bytes - 1) / payload) * wire_ns(payload);
}
double first_frame_ns(std::uint64_t bytes) {
    return wire_ns(std::min(bytes, payload));
}
/// What LogGP says of one message, and what it leaves out.
double loggp_ns(std::uint64_t bytes) {
    return 2 * latency_ns + byte_ns * static_cast<double>(bytes - 1);
}
double left_out_ns(std::uint64_t bytes) {
    return train_ns(bytes) - byte_ns * static_cast<double>(bytes - 1) + first_frame_ns(bytes);
}

struct program_run {
    double time_ns = 0;
    double ideal_ns = 0;
    double simulated_ns = 0;
    std::vector<double> ends_ns;
    std::vector<double> ideals_ns;
    std::string warnings;
};

program_run run_goal(const std::string& schedule, const std::string& eager_limit = "1GB") {
    const scratch_directory scratch;
    const goal_file read = tb::read_schedule(schedule, "schedule");
    EXPECT_TRUE(read.errors.empty());
    const arguments all{"run",
                        "--out",
                        "run",
                        "--fabric.topology=single",
                        "--fabric.hosts=" + std::to_string(read.schedule.ranks()),
                        "--link.rate=10Gbps",
                        "--link.latency=1us",
                        "--switch.buffer=output_queued",
                        "--switch.egress_buffer=10MB",
                        "--switch.lookup_delay=0ps",
                        "--pfc.mode=none",
                        "--traffic.kind=goal",
                        "--traffic.program=file",
                        "--traffic.schedule=" + schedule,
                        "--traffic.transport=udp",
                        "--traffic.message_turns=in_turn",
                        "--traffic.eager_limit=" + eager_limit,
                        "--traffic.ideal_latency=2us",
                        "--output.ideal_jobs=on"};
    const outcome done = run_program(scratch, all);
    EXPECT_EQ(done.status, 0) << done.err;
    program_run result;
    result.warnings = done.err;
    const nlohmann::json program = summary_of(scratch / "run").at("program");
    EXPECT_EQ(program.at("ranks_done"), read.schedule.ranks());
    result.time_ns = program.at("time_ns");
    result.ideal_ns = program.at("ideal_ns");
    result.simulated_ns = summary_of(scratch / "run").at("simulated_ns");
    EXPECT_DOUBLE_EQ(program.at("slowdown").get<double>(), result.time_ns / result.ideal_ns);
    result.ends_ns.resize(read.schedule.ranks());
    result.ideals_ns.resize(read.schedule.ranks());
    std::istringstream jobs(contents(scratch / "run" / "jobs.csv"));
    std::string line;
    std::getline(jobs, line);
    EXPECT_EQ(line, "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns,ideal_ns");
    while (std::getline(jobs, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) {
            cells.push_back(cell);
        }
        result.ends_ns[std::stoul(cells[0])] = std::stod(cells[8]);
        result.ideals_ns[std::stoul(cells[0])] = std::stod(cells[9]);
    }
    return result;
}

std::string golden(const std::string& name) {
    return std::string(WEIR_GOLDEN_DIR) + "/goal/" + name;
}

TEST(parallel_program, ping_pong_takes_what_loggp_predicts) {
    for (const auto& [name, bytes] :
         {std::pair{"pingpong_1b.goal", std::uint64_t{1}}, {"pingpong_64k.goal", std::uint64_t{65'536}}}) {
        std::ifstream in(golden(name));
        std::uint64_t messages = 0;
        for (std::string line; std::getline(in, line);) {
            messages += line.find("send") != std::string::npos ? 1 : 0;
        }
        const program_run run = run_goal(golden(name));
        EXPECT_DOUBLE_EQ(run.ideal_ns, static_cast<double>(messages) * loggp_ns(bytes)) << name;
        EXPECT_DOUBLE_EQ(run.time_ns, run.ideal_ns + static_cast<double>(messages) * left_out_ns(bytes))
            << name;
    }
}

TEST(parallel_program, rings_take_what_loggp_predicts) {
    const program_run ring = run_goal(golden("ring_8.goal"));
    EXPECT_DOUBLE_EQ(ring.ideal_ns, 14 * loggp_ns(131'072));
    EXPECT_DOUBLE_EQ(ring.time_ns, ring.ideal_ns + 14 * left_out_ns(131'072));
    // After half of the steps a rank computes for 2 us.
    const program_run computing = run_goal(golden("ring_16_calc.goal"));
    EXPECT_DOUBLE_EQ(computing.ideal_ns, 30 * loggp_ns(16'384) + 15 * 2000.0);
    EXPECT_DOUBLE_EQ(computing.time_ns, computing.ideal_ns + 30 * left_out_ns(16'384));
}

TEST(parallel_program, several_nics_of_a_rank_are_one_in_the_fabric_and_on_the_ideal_network) {
    const scratch_directory scratch;
    constexpr std::uint64_t bytes = 100 * payload;
    std::string text = "num_ranks 2\n";
    for (const std::string rank : {"rank 0 {\n", "}\nrank 1 {\n"}) {
        text += rank;
        for (const std::string n : {"0", "1", "2", "3"}) {
            text += (rank[5] == '0' ? "send 147200b to 1" : "recv 147200b from 0") + std::string(" tag ") + n +
                    " cpu " + n + " nic " + n + "\n";
        }
    }
    std::ofstream(scratch / "nics.goal") << text << "}\n";
    const program_run run = run_goal((scratch / "nics.goal").string());
    EXPECT_DOUBLE_EQ(run.ideal_ns, 2 * latency_ns + 4 * byte_ns * (bytes - 1));
    EXPECT_DOUBLE_EQ(run.time_ns, 2 * latency_ns + 4 * train_ns(bytes) + first_frame_ns(bytes));
    EXPECT_NE(run.warnings.find("nics.goal' use up to 4 NICs (0 to 3), but a host has one."), std::string::npos)
        << run.warnings;
    // Sends take one NIC here and arrivals another, in directions that are apart.
    std::ofstream(scratch / "nic_1.goal")
        << "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 0 nic 1\nrecv 1b from 1 tag 1\n}\n"
           "rank 1 {\nrecv 1b from 0 tag 0\nsend 1b to 0 tag 1\n}\n";
    EXPECT_EQ(run_goal((scratch / "nic_1.goal").string()).warnings, "");
    EXPECT_EQ(run_goal(golden("ring_8.goal")).warnings, "");
}

// A rank sends to its children one after the other. A message waits for those before it: in LogGP for their
// bytes but one each, on a wire for their frames. A rank ends when its last send has begun: in LogGP
// on the wire, here when the NIC has been given all before it.
TEST(parallel_program, trees_take_what_loggp_predicts) {
    for (const char* name : {"tree_8.goal", "tree_20.goal", "tree_32.goal"}) {
        const goal_file read = tb::read_schedule(golden(name), "schedule");
        const goal_schedule& schedule = read.schedule;
        const program_run run = run_goal(golden(name));
        std::vector<double> come(schedule.ranks());
        std::vector<double> expected(schedule.ranks());
        std::vector<double> predicted(schedule.ranks());
        for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {  // parents have lower numbers
            expected[rank] = come[rank];
            bool is_first = true;
            for (goal_index i = schedule.first(rank); i < schedule.first(rank + 1); ++i) {
                if (schedule[i].kind == goal_kind::send) {
                    const std::uint64_t bytes = schedule[i].amount;
                    come[rank] += is_first ? 0 : train_ns(bytes);
                    expected[rank] += is_first ? 0 : turn_ns(bytes);
                    predicted[rank] += is_first ? 0 : byte_ns * static_cast<double>(bytes - 1);
                    is_first = false;
                    come[schedule[i].peer] = come[rank] + loggp_ns(bytes) + left_out_ns(bytes);
                    predicted[schedule[i].peer] = predicted[rank] + loggp_ns(bytes);
                }
            }
        }
        for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
            EXPECT_NEAR(run.ends_ns[rank], expected[rank], 1e-6) << name << " rank " << rank;
            EXPECT_NEAR(run.ideals_ns[rank], predicted[rank], 1e-6) << name << " rank " << rank;
        }
    }
}

// All messages of a receiver come through one link: no order is quicker than one in which they come without a
// gap, and none slower than one in which all senders send to the same receiver at a time.
TEST(parallel_program, all_to_all_lies_within_the_spread_of_its_orders) {
    constexpr std::uint64_t bytes = 512;
    for (const bool same_first : {false, true}) {
        constexpr unsigned ranks = 8;
        std::ostringstream text;
        text << "num_ranks " << ranks << '\n';
        for (unsigned rank = 0; rank < ranks; ++rank) {
            text << "rank " << rank << " {\n";
            for (unsigned i = 1; i < ranks; ++i) {
                const unsigned to = same_first ? (i - 1 < rank ? i - 1 : i) : (rank + i) % ranks;
                text << "send " << bytes << "b to " << to << "\nrecv " << bytes << "b from "
                     << (rank + i) % ranks << '\n';
            }
            text << "}\n";
        }
        const scratch_directory scratch;
        std::ofstream(scratch / "a.goal") << text.str();
        const program_run run = run_goal((scratch / "a.goal").string());
        const double least = 2 * latency_ns + ranks * wire_ns(bytes);
        const double most = 2 * latency_ns + 2.0 * (ranks - 1) * wire_ns(bytes) + wire_ns(bytes);
        EXPECT_GE(run.time_ns, least - 1e-6);
        EXPECT_LE(run.time_ns, most + 1e-6);
        if (!same_first) {
            EXPECT_NEAR(run.time_ns, least, 1e-6);
        }
    }
}

// A rendezvous costs a request and an answer of one short frame each.
TEST(parallel_program, rendezvous_adds_a_request_and_an_answer) {
    const program_run run = run_goal(golden("ring_8.goal"), "64KiB");
    const double handshake = 2 * (loggp_ns(64) + left_out_ns(64));
    EXPECT_DOUBLE_EQ(run.time_ns, run.ideal_ns + 14 * (left_out_ns(131'072) + handshake));
}

// Rank 0 computes for 5 us and sends, rank 1 has waited.
TEST(parallel_program, executes_traces_of_an_mpi_program) {
    const scratch_directory scratch;
    std::ofstream(scratch / "t-0.txt") << "MPI_Init:-:1:2:1000\nMPI_Send:1005:77:100:1,1,1:1:8:5,0,2:1010\n"
                                          "MPI_Finalize:1010:-\n";
    std::ofstream(scratch / "t-1.txt") << "MPI_Init:-:1:2:1000\nMPI_Recv:1000:77:100:1,1,1:0:8:5,1,2:66:1003\n"
                                          "MPI_Finalize:1003:-\n";
    const outcome done = run_program(
        scratch, {"run", "--out", "run", "--fabric.topology=single", "--fabric.hosts=3", "--link.rate=10Gbps",
                  "--link.latency=1us", "--switch.buffer=output_queued", "--switch.lookup_delay=0ps",
                  "--pfc.mode=none", "--traffic.kind=goal", "--traffic.program=traces",
                  "--traffic.schedule=t-0.txt", "--traffic.transport=udp", "--traffic.ideal_latency=2us"});
    EXPECT_EQ(done.status, 0) << done.err;
    const nlohmann::json program = summary_of(scratch / "run").at("program");
    EXPECT_EQ(program.at("ranks"), 2);
    EXPECT_DOUBLE_EQ(program.at("ideal_ns").get<double>(), 5000 + loggp_ns(100));
    EXPECT_DOUBLE_EQ(program.at("time_ns").get<double>(), 5000 + loggp_ns(100) + left_out_ns(100));
}

TEST(parallel_program, gives_the_same_results_whatever_the_threads_and_the_quantum) {
    const scratch_directory scratch;
    const arguments base{"run",
                         "--fabric.topology=xgft",
                         "--fabric.xgft_children=4, 3",
                         "--fabric.xgft_parents=1, 2",
                         "--traffic.kind=goal",
                         "--traffic.program=nas_mg",
                         "--traffic.program_class=S",
                         "--traffic.rank_placement=random",
                         "--traffic.eager_limit=500B",
                         "--traffic.message_overhead=300ns",
                         "--traffic.background_flows=1",
                         "--traffic.stop=1ms",
                         "--tcp.connection_cache=on"};
    EXPECT_EQ(run_program(scratch, combined(base, {"--out", "a"})).status, 0);
    EXPECT_EQ(run_program(scratch, combined(base, {"--out", "b", "--run.threads=2", "--run.thread_grain=1",
                                                   "--run.quantum=100ns"}))
                  .status,
              0);
    expect_same_bytes(scratch / "a", scratch / "b");
}

// Half a millisecond after its last frame.
TEST(parallel_program, ends_with_the_last_computation) {
    const scratch_directory scratch;
    std::ofstream(scratch / "tail.goal") << "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n"
                                            "rank 1 {\nr: recv 1000b from 0\nc: calc 500000\nc requires r\n}\n";
    const program_run run = run_goal((scratch / "tail.goal").string());
    EXPECT_DOUBLE_EQ(run.time_ns, 500'000 + loggp_ns(1000) + left_out_ns(1000));
    EXPECT_DOUBLE_EQ(run.simulated_ns, run.time_ns);
}

// Both send before they receive, and neither send is eager.
TEST(parallel_program, names_an_operation_of_ranks_that_wait_for_each_other) {
    const scratch_directory scratch;
    std::ofstream(scratch / "cross.goal")
        << "num_ranks 2\nrank 0 {\ns: send 100000b to 1 tag 3\nr: recv 100000b "
           "from 1\nr requires s\n}\nrank 1 {\ns: send 100000b to 0\nr: recv "
           "100000b from 0 tag 3\nr requires s\n}\n";
    const outcome done = run_program(
        scratch, {"run", "--out", "run", "--fabric.topology=single", "--fabric.hosts=2", "--traffic.kind=goal",
                  "--traffic.program=file", "--traffic.schedule=cross.goal", "--output.occupancy_interval=0s"});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(
        done.err.find("rank 0: send to rank 1 with tag 3 (operation 1 of the rank), whose receive is not "
                      "posted: ranks may wait for each other, which a larger traffic.eager_limit would end"),
        std::string::npos)
        << done.err;
}

TEST(parallel_program, refuses_what_cannot_run) {
    const scratch_directory scratch;
    const auto refused = [&](const arguments& more) {
        const outcome done = run_program(scratch, combined({"run", "--dry-run", "--fabric.topology=single",
                                                            "--fabric.hosts=4", "--traffic.kind=goal"},
                                                           more));
        EXPECT_EQ(done.status, 2) << done.out;
        return done.err;
    };
    std::ofstream(scratch / "lonely.goal") << "num_ranks 2\nrank 0 {\nsend 5b to 1 tag 3\n}\nrank 1 {\n}\n";
    std::ofstream(scratch / "large.goal") << "num_ranks 5\n";
    EXPECT_NE(refused({"--traffic.stop=1ms"}).find("has no effect on a program, which runs to its end"),
              std::string::npos);
    std::ofstream(scratch / "long.goal") << "num_ranks 1\nrank 0 {\ncalc 4500000000001\n}\n";
    EXPECT_TRUE(has_error(refused({"--traffic.program=file", "--traffic.schedule=long.goal"}), "4500s"));
    EXPECT_NE(refused({"--traffic.ranks=5"}).find("up to 4, the number of hosts"), std::string::npos);
    EXPECT_TRUE(has_error(refused({"--traffic.program=file"}), "traffic.program: traffic.schedule"));
    EXPECT_NE(refused({"--traffic.program=file", "--traffic.schedule=none.goal"}).find("a GOAL schedule"),
              std::string::npos);
    EXPECT_TRUE(has_error(refused({"--traffic.program=file", "--traffic.schedule=lonely.goal"}),
                          "rank 1, tag 3, operation 1, receive"));
    EXPECT_NE(refused({"--traffic.program=traces", "--traffic.schedule=lonely.goal"})
                  .find("has not 0 as its last number"),
              std::string::npos);
    for (unsigned i = 0; i < 5; ++i) {
        std::ofstream(scratch / "large.goal", std::ios::app) << "rank " << i << " {\ncalc 1\n}\n";
    }
    EXPECT_NE(refused({"--traffic.program=file", "--traffic.schedule=large.goal"})
                  .find("has 5 ranks, and the fabric 4 hosts"),
              std::string::npos);
}

}  // namespace
}  // namespace weir::test
