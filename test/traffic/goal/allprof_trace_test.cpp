#include "weir/traffic/goal/allprof_trace.h"

#include <algorithm>

#include "support/errors_said.h"
#include "traffic/goal/goal_test_files.h"
#include "weir/traffic/goal/loggp_times.h"

namespace weir::traffic {
namespace {

/// Traces of all ranks.
goal_file read_traces(const std::vector<std::string>& traces) {
    allprof_reader reader(static_cast<std::uint32_t>(traces.size()), 8);
    for (std::size_t rank = 0; rank < traces.size(); ++rank) {
        std::istringstream in(traces[rank]);
        reader.read_rank(in, "rank-" + std::to_string(rank));
    }
    return reader.take();
}
goal_schedule good_traces(const std::vector<std::string>& traces) {
    goal_file read = read_traces(traces);
    EXPECT_TRUE(read.errors.empty()) << read.errors[0].key << ": " << read.errors[0].message;
    return std::move(read.schedule);
}
/// Of one rank: the calls between MPI_Init, which ends at 1,000 us, and MPI_Finalize.
std::string trace(const std::string& calls, const std::string& finalize_us) {
    return "# Version 1\nMPI_Init:-:1:2:1000\n" + calls + "MPI_Finalize:" + finalize_us + ":-\n";
}

TEST(allprof_trace, calls_become_messages_and_the_time_between_them_computation) {
    const goal_schedule s =
        good_traces({trace("MPI_Comm_rank:1001:5,0,2:7:1001\n"
                           "MPI_Irecv:1002:77:10:11,8,8:-1:-1:5,0,2:900:1003\n"
                           "MPI_Isend:1003:77:4:11,8,8:1:7:5,0,2:908:1004\n"
                           "MPI_Send:1006.5:77:3:1,1,1:1:8:5,0,2:1010\n"
                           "MPI_Waitall:1010:2:900:66:1020\n",
                           "1021"),
                     trace("MPI_Recv:1000:77:4:11,8,8:0:7:5,1,2:66:1003\n"
                           "MPI_Sendrecv:1003:77:80:1,1,1:0:9:78:3:1,1,1:0:8:5,1,2:66:1009\n"
                           "MPI_Send:1009:77:3:1,1,1:-2:8:5,1,2:1010\n",
                           "1010")});
    EXPECT_EQ(text_of(s),
              "rank 0\n"
              "2 1000 0 0 0 0 needs 0, frees 1\n"  // to MPI_Comm_rank
              "2 1000 0 0 0 0 needs 1, frees 2\n"  // to MPI_Irecv
              "1 80 4294967295 4294967295 0 0 needs 1, frees 6 i3\n"
              "0 32 1 7 0 0 needs 1, frees 6 i4\n"  // begins when the receive is posted
              "2 2500 0 0 0 0 needs 1, frees 5\n"
              "0 3 1 8 0 0 needs 1, frees 6\n"
              "2 1000 0 0 0 0 needs 3, frees\n"  // after MPI_Waitall
              "rank 1\n"
              "1 32 0 7 0 0 needs 0, frees 1 2\n"
              "1 3 0 8 0 0 needs 1, frees\n"
              "0 80 0 9 0 0 needs 1, frees\n");
    const loggp_times times = evaluate_loggp(s, {1us, 0_ps, 0_ps, 0_ps}, loggp_accounting::logp);
    // Rank 1's message is there before rank 0 has computed 2.5 us and sent its own.
    EXPECT_EQ(times.end[0], 2us + 2500ns + 1us);
}

// As many as an array of MPI has: what is not open is nothing to wait for, and costs nothing.
TEST(allprof_trace, a_wait_for_all_waits_for_the_open_requests_of_its_array_in_their_order) {
    const auto waiting = [](const std::string& waitall) {
        return text_of(good_traces({trace("MPI_Irecv:1000:77:1:1,1,1:1:1:5,0,2:908:1000\n"
                                          "MPI_Irecv:1000:77:2:1,1,1:1:2:5,0,2:900:1000\n"
                                          "MPI_Irecv:1000:77:3:1,1,1:1:3:5,0,2:904:1000\n"
                                          "MPI_Irecv:1000:77:4:1,1,1:1:4:5,0,2:892:1000\n" +
                                              waitall,
                                          "1010"),
                                    trace("MPI_Send:1000:77:1:1,1,1:0:1:5,1,2:1000\n"
                                          "MPI_Send:1000:77:2:1,1,1:0:2:5,1,2:1000\n"
                                          "MPI_Send:1000:77:3:1,1,1:0:3:5,1,2:1000\n"
                                          "MPI_Send:1000:77:4:1,1,1:0:4:5,1,2:1000\n",
                                          "1000")}));
    };
    const std::string both = waiting("MPI_Wait:1000:900:66:1000\nMPI_Wait:1000:908:66:1000\n");
    EXPECT_EQ(waiting("MPI_Waitall:1000:2:900:66:1000\n"), both);
    EXPECT_EQ(waiting("MPI_Waitall:1000:1073741823:900:66:1000\n"), both) << "2^30 - 1 looks take seconds";
    EXPECT_EQ(waiting("MPI_Waitall:1000:1:900:66:1000\n"), waiting("MPI_Wait:1000:900:66:1000\n"));
    EXPECT_EQ(waiting("MPI_Waitall:1000:0:900:66:1000\n"), waiting(""));
    EXPECT_NE(both, waiting(""));
}

/// Messages that each rank gets in a collective operation of 5 ranks, as `from:bytes`, in the order of its
/// receives; every one must have been sent.
std::string received(const std::string& call) {
    std::vector<std::string> traces;
    for (int rank = 0; rank < 5; ++rank) {
        std::string own = call;
        own.replace(own.find("RANK"), 4, std::to_string(rank));
        traces.push_back(trace(own, "1001"));
    }
    const goal_schedule s = good_traces(traces);
    const loggp_times times = evaluate_loggp(s, {}, loggp_accounting::logp);
    EXPECT_TRUE(times.sends_left.empty() && times.receives_left.empty());
    std::string all;
    for (std::uint32_t rank = 0; rank < 5; ++rank) {
        all += rank > 0 ? "|" : "";
        for (goal_index i = s.first(rank); i < s.first(rank + 1); ++i) {
            if (s[i].kind == goal_kind::recv) {
                all += " " + std::to_string(s[i].peer) + ":" + std::to_string(s[i].amount);
            }
        }
    }
    return all;
}

TEST(allprof_trace, collective_operations_become_the_messages_of_their_algorithms) {
    EXPECT_EQ(received("MPI_Barrier:1000:5,RANK,5:1001\n"),
              " 4:1 3:1 1:1| 0:1 4:1 2:1| 1:1 0:1 3:1| 2:1 1:1 4:1| 3:1 2:1 0:1");
    EXPECT_EQ(received("MPI_Allreduce:1000:1:2:10:1,8,8:3:5,RANK,5:1001\n"),
              " 4:80 3:80 1:80| 0:80 4:80 2:80| 1:80 0:80 3:80| 2:80 1:80 4:80| 3:80 2:80 0:80");
    EXPECT_EQ(received("MPI_Allgather:1000:1:10:1,1,1:2:10:1,1,1:5,RANK,5:1001\n"),
              " 4:10 3:20 1:10| 0:10 4:20 2:10| 1:10 0:20 3:10| 2:10 1:20 4:10| 3:10 2:20 0:10");
    EXPECT_EQ(received("MPI_Alltoall:1000:1:10:1,1,1:2:10:1,1,1:5,RANK,5:1001\n"),
              " 4:10 3:10 2:10 1:10| 0:10 4:10 3:10 2:10| 1:10 0:10 4:10 3:10| 2:10 1:10 0:10 4:10| 3:10 2:10 "
              "1:10 0:10");
    // Trees of root 3: numbers 0 to 4 are ranks 3, 4, 0, 1, 2.
    EXPECT_EQ(received("MPI_Bcast:1000:1:10:1,1,1:3:5,RANK,5:1001\n"), " 3:10| 0:10| 3:10|| 3:10");
    EXPECT_EQ(received("MPI_Reduce:1000:1:2:10:1,1,1:3:3:5,RANK,5:1001\n"), " 1:10||| 4:10 0:10 2:10|");
}

std::string error_of_calls(const std::string& calls) {
    const config_errors errors = read_traces({trace(calls, "9000")}).errors;
    return errors.empty() ? ""
                          : std::to_string(errors[0].line) + ": " + errors[0].key + ": " + errors[0].message;
}

TEST(allprof_trace, what_is_wrong_is_told_with_line_and_call) {
    EXPECT_EQ(error_of_calls("MPI_Scan:1000:1:2:10:1,8,8:3:5,0,1:1001\n").substr(0, 27),
              "3: MPI_Scan: is not known; ");
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Wait:1000:5:1001\n"), {"3: MPI_Wait: 1 arguments, 2"}));
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Wait:1000:x:6:1001\n"),
                           {"3: MPI_Wait: argument 1, x, 0 to 18446744073709551615"}));
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Wait:999:5:6:1001\n"), {"3: MPI_Wait: ended"}));
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Wait:now:5:6:1001\n"), {"3: MPI_Wait: now, us"}));
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Barrier:1000:5,0,2:1001\n"),
                           {"3: MPI_Barrier: argument 1, 5,0,2, NUMBER,0,1"}));
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Send:1000:77:3:1,1,1:1:8:5,0,1:1010\n"),
                           {"3: MPI_Send: argument 4, 1, 0 to 0"}));
    EXPECT_TRUE(errors_are(error_of_calls("MPI_Send:1000:77:3:1:0:8:5,0,1:1010\n"),
                           {"3: MPI_Send: argument 3, 1, NUMBER,SIZE,EXTENT"}));
    EXPECT_TRUE(errors_are(error_of_calls("hello\n"), {"3: line: hello, MPI_NAME:START:ARGUMENTS:END"}));
    EXPECT_TRUE(errors_are(read_traces({"MPI_Wait:1000:5:6:1001\n"}).errors[0].message, {"MPI_Init"}));
    EXPECT_TRUE(errors_are(read_traces({"MPI_Init:-:1:2:1000\n"}).errors[0].message, {"missing"}));
}

}  // namespace
}  // namespace weir::traffic
