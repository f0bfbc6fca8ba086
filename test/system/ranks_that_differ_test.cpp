// Ranks are refused, with status 2, where they were not started with the same words and files: on several
// machines they may have others.
#include <gtest/gtest.h>

#include "ranks_rig.h"
#include "support/errors_said.h"

using namespace weir::test;

namespace {

/// Three ranks, of which rank 1 is started in another way.
class differing_ranks {
 public:
    /// `on_rank_1`: shell commands for it; its words are "$@".
    [[nodiscard]] outcome run(const std::string& on_rank_1, const std::string& words) const {
        m_where.write("each", "#!/bin/sh\nif [ $OMPI_COMM_WORLD_RANK = 1 ]; then " + on_rank_1 +
                                  "; else exec \"$@\"; fi\n");
        surroundings around = as_ranks(3, 60);
        around.starter = {"sh", "each"};
        return run_program(m_where, words_in("run --run.duration=1ms --out out " + words), around);
    }
    /// Rank 1 sees `theirs` in the place of `name`.
    [[nodiscard]] outcome run_with(const std::string& theirs, const std::string& name,
                                   const std::string& words) const {
        return run("exec unshare -rm sh -c 'mount --bind " + theirs + " " + name + " && exec \"$@\"' sh \"$@\"",
                   words);
    }
    [[nodiscard]] const scratch_directory& where() const { return m_where; }

 private:
    scratch_directory m_where;
};

#define WEIR_NEEDS_MOUNTS()                                                             \
    WEIR_NEEDS_MPIRUN();                                                                \
    if (std::system("unshare -rm mount --bind /bin/sh /bin/sh >/dev/null 2>&1") != 0) { \
        GTEST_SKIP() << "no mounts of one's own here (unshare -rm)";                    \
    }                                                                                   \
    static_assert(true)

struct other_start {
    const char* name;
    std::string on_rank_1;
    /// The only error of all ranks.
    std::string message;
};
std::ostream& operator<<(std::ostream& to, const other_start& of) {
    return to << of.name;
}
class ranks_that_differ : public testing::TestWithParam<other_start> {};
TEST_P(ranks_that_differ, are_refused) {
    WEIR_NEEDS_MPIRUN();
    const differing_ranks ranks;
    const outcome o = ranks.run(GetParam().on_rank_1, "--traffic.kind=query");
    EXPECT_EQ(o.status, 2);
    const std::string said = said_by_ranks(o.err);
    const std::string of_one = "On rank 1:\n";
    EXPECT_TRUE(errors_are(said.substr(said.rfind(of_one, 0) == 0 ? of_one.size() : 0), {GetParam().message}));
    EXPECT_FALSE(fs::exists(ranks.where() / "out"));
}
const other_start other_starts[] = {
    {"option", "exec \"$@\" --switch.speedup=2", "ranks: switch.speedup: 2, rank 1, 4, rank 0"},
    {"dry_run", "exec \"$@\" --dry-run", "ranks: --dry-run: on, rank 1, off, rank 0"},
    {"help", "exec \"$@\" --help", "ranks: --help: on, rank 1, off, rank 0"},
    // What is wrong on one of them alone is said before what differs.
    {"mistake", "exec \"$@\" --switch.speedup=zz", "command line: switch.speedup: zz, whole number"},
    // It would wait for other messages.
    {"command", "exec \"$1\" sweep --vary traffic.rate=1,2 --run.duration=1ms --out swept",
     "rank 1, weir sweep, rank 0, weir run"},
    // Of the same commit.
    {"program", "cp \"$1\" other && printf x >>other && shift && exec ./other \"$@\"",
     "ranks: the program: weir"},
};
INSTANTIATE_TEST_SUITE_P(in, ranks_that_differ, testing::ValuesIn(other_starts),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(ranks_that_differ_in, a_file_of_the_same_name_are_refused) {
    WEIR_NEEDS_MOUNTS();
    const differing_ranks ranks;
    ranks.where().write("flows.csv", "start_ns,src,dst,bytes\n0,0,1,1000\n");
    ranks.where().write("others.csv", "start_ns,src,dst,bytes\n0,0,1,2000\n");
    const outcome o =
        ranks.run_with("others.csv", "flows.csv", "--traffic.kind=trace --traffic.file=flows.csv");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(said_by_ranks(o.err), "flows.csv: 34 B, CRC-64"));
    EXPECT_FALSE(fs::exists(ranks.where() / "out"));
}

TEST(ranks_that_differ_in, traces_of_a_parallel_program_are_refused) {
    WEIR_NEEDS_MOUNTS();
    const differing_ranks ranks;
    for (const char* name :
         {"t/r-0.txt", "t/r-1.txt", "more/r-0.txt", "more/r-1.txt", "more/r-2.txt", "fewer/r-0.txt"}) {
        fs::create_directories((ranks.where() / name).parent_path());
        ranks.where().write(name, "MPI_Init:-:1:2:1000\nMPI_Finalize:2000:-\n");
    }
    const std::string words =
        "--traffic.kind=goal --traffic.program=traces --traffic.schedule=t/r-0.txt --traffic.ideal_latency=2us";
    outcome o = ranks.run_with("more", "t", words);
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("t/r-2.txt: is '40 B, CRC-64 "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("' on rank 1, and not there on rank 0"), std::string::npos) << o.err;
    o = ranks.run_with("fewer", "t", words);
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("t/r-1.txt: is not there on rank 1, and '40 B, CRC-64 "), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(ranks.where() / "out"));
}

}  // namespace
