// The traces of a run of several ranks: the same bytes as those of one process, and the same warnings.
#include <gtest/gtest.h>

#include <sstream>

#include "ranks_rig.h"
#include "tb/verify/wave/wave_file.h"

using namespace weir::test;

namespace {

/// Five switches. Long links: few quanta, of which each costs a loaded machine much when ranks take turns.
const arguments fabric_of_racks{"run",
                                "--fabric.topology=racks",
                                "--fabric.racks=4",
                                "--fabric.hosts_per_rack=2",
                                "--fabric.roots=1",
                                "--link.rate=1Gbps",
                                "--link.latency=30us",
                                "--fabric.root_rate=1Gbps",
                                "--traffic.kind=incast",
                                "--traffic.incast_rounds=1",
                                "--traffic.incast_bytes=400KB",
                                "--run.seed=4",
                                "--run.progress=false"};
/// In two classes; ends with the last frame.
const arguments pauses{"--traffic.priorities=5,2", "--switch.scheme=detail", "--switch.egress_buffer=24KiB"};
/// At egress.
const arguments losses{"--switch.scheme=baseline", "--switch.egress_buffer=32KiB", "--tcp.min_rto=1ms"};
const arguments two_threads{"--run.threads=2", "--run.thread_grain=0"};
const arguments all_links_and_nodes{"--trace.pcap=all", "--trace.perfetto=on", "--trace.frame_path=3:14600"};

/// What is printed of the files, in its order.
std::string warnings_in(const std::string& err) {
    std::istringstream lines(err);
    std::string warnings;
    for (std::string line; std::getline(lines, line);) {
        warnings += line.rfind("warning: ", 0) == 0 ? line + '\n' : "";
    }
    return warnings;
}

class rank_traces : public testing::Test {
 protected:
    void SetUp() override { WEIR_NEEDS_MPIRUN(); }

    outcome run(const std::string& out, const arguments& options, unsigned ranks) {
        const surroundings around = ranks > 1 ? as_ranks(ranks, 60) : surroundings{};
        return run_program(m_where, combined(options, {"--out", out}), around);
    }
    /// One process is what the others are compared with.
    void run_alone(const arguments& options, const std::vector<std::string>& files, int status = 0) {
        m_alone = run("alone", options, 1);
        ASSERT_EQ(m_alone.status, status) << m_alone.err;
        m_files = files;
        for (const std::string& file : files) {
            ASSERT_TRUE(fs::exists(m_where / "alone" / file)) << file;
        }
    }
    void expect_same(const arguments& options, unsigned ranks, const arguments& more = {}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks" + (more.empty() ? "" : " " + more.front()));
        const outcome o = run("ranks", combined(options, more), ranks);
        ASSERT_EQ(o.status, m_alone.status) << o.err;
        EXPECT_EQ(warnings_in(o.err), warnings_in(m_alone.err)) << o.err;
        for (const std::string& file : m_files) {
            const std::string expected = contents(m_where / "alone" / file);
            EXPECT_TRUE(contents(m_where / "ranks" / file) == expected) << file << " differs";
            EXPECT_GT(expected.size(), 200U) << file;
        }
    }

    scratch_directory m_where;
    outcome m_alone;
    std::vector<std::string> m_files;
};

TEST_F(rank_traces, have_the_same_bytes_for_any_number_of_ranks_threads_and_quantum) {
    const arguments options =
        combined(combined(fabric_of_racks, pauses), combined(all_links_and_nodes, {"--trace.wave=run.vcd"}));
    ASSERT_NO_FATAL_FAILURE(run_alone(options, {"trace.pcapng", "run.vcd", "perfetto.json", "frame_path.csv"}));
    expect_same(options, 2, combined({"--run.quantum=17us"}, two_threads));
    expect_same(options, 4);
}

// Rank 0 alone knows when a limit is reached.
TEST_F(rank_traces, end_at_the_same_frame_change_and_slice_where_a_limit_ends_them) {
    const arguments options =
        combined(combined(fabric_of_racks, pauses),
                 combined(all_links_and_nodes, {"--trace.wave=run.vcd", "--trace.pcap_limit=701",
                                                "--trace.wave_limit=3001", "--trace.perfetto_limit=1501"}));
    ASSERT_NO_FATAL_FAILURE(run_alone(options, {"trace.pcapng", "run.vcd", "perfetto.json", "frame_path.csv"}));
    for (const std::string file : {"trace.pcapng", "run.vcd", "perfetto.json"}) {
        EXPECT_NE(m_alone.err.find("warning: " + file + " ends at "), std::string::npos) << m_alone.err;
    }
    expect_same(options, 3);
}

TEST_F(rank_traces, begin_and_end_with_windows_and_triggers_of_any_rank) {
    const arguments by_loss =
        combined(combined(fabric_of_racks, losses),
                 combined(all_links_and_nodes, {"--trace.wave=run.vcd", "--trace.wave_trigger=drop",
                                                "--trace.wave_before=50us", "--trace.wave_after=70us",
                                                "--trace.window_start=200us", "--trace.window_end=1500us"}));
    ASSERT_NO_FATAL_FAILURE(run_alone(by_loss, {"trace.pcapng", "run.vcd", "perfetto.json"}));
    EXPECT_NE(contents(m_where / "alone" / "run.vcd").find("$dumpvars"), std::string::npos);
    EXPECT_NE(contents(m_where / "alone" / "perfetto.json").find("lost frames"), std::string::npos);
    expect_same(by_loss, 3);
}

TEST_F(rank_traces, include_waveforms_as_fst) {
    if (!weir::tb::fst_is_supported()) {
        GTEST_SKIP() << "built without FST (packages verilator, zlib1g-dev)";
    }
    // Some rank has none of the chosen switches.
    const arguments options =
        combined(combined(fabric_of_racks, pauses),
                 {"--trace.wave=run.fst", "--trace.wave_switches=tor3,root0", "--trace.wave_trigger=xoff",
                  "--trace.wave_after=500us", "--run.duration=3ms"});
    ASSERT_NO_FATAL_FAILURE(run_alone(options, {"run.fst"}));
    EXPECT_EQ(m_alone.err.find("run.fst has no"), std::string::npos) << m_alone.err;
    expect_same(options, 4);
}

TEST_F(rank_traces, follow_a_frame_that_is_detoured_through_switches_of_other_ranks) {
    const arguments options{"run",
                            "--fabric.topology=fat_tree",
                            "--fabric.k=4",
                            "--link.rate=1Gbps",
                            "--link.latency=20us",
                            "--switch.classes=1",
                            "--switch.drop=egress_tail",
                            "--switch.egress_buffer=40KB",
                            "--switch.overflow=detour",
                            "--marking.kind=step",
                            "--marking.threshold_frames=10",
                            "--tcp.congestion=dctcp",
                            "--tcp.duplicate_acks=0",
                            "--tcp.initial_window=10",
                            "--traffic.kind=incast",
                            "--traffic.incast_bytes=600KB",
                            "--traffic.incast_rounds=1",
                            "--run.progress=off",
                            "--trace.frame_path=most_detours"};
    ASSERT_NO_FATAL_FAILURE(run_alone(options, {"frame_path.csv"}));
    EXPECT_NE(contents(m_where / "alone" / "frame_path.csv").find("detoured"), std::string::npos);
    expect_same(options, 3);
}

// Each of the three may be on a rank of its own, where no other has its name.
TEST_F(rank_traces, have_names_that_do_not_depend_on_who_has_a_switch) {
    m_where.write("three.topo",
                  "host h0\nhost h1\nhost h2\nswitch s.0\nswitch s-0\nswitch s_0\n"
                  "link h0 s.0 rate=1Gbps latency=1us\nlink h1 s_0 rate=1Gbps latency=1us\n"
                  "link h2 s-0 rate=1Gbps latency=1us\n"
                  "link s.0 s-0 rate=1Gbps latency=1us\nlink s-0 s_0 rate=1Gbps latency=1us\nend\n");
    const arguments options{"run",
                            "--fabric.topology=file",
                            "--fabric.file=" + (m_where / "three.topo").string(),
                            "--traffic.kind=poisson",
                            "--traffic.stop=100us",
                            "--trace.wave=run.vcd",
                            "--run.progress=false"};
    ASSERT_NO_FATAL_FAILURE(run_alone(options, {"run.vcd"}));
    EXPECT_NE(m_alone.err.find("fabric.s_0_1 is s_0"), std::string::npos) << m_alone.err;
    expect_same(options, 3);
}

TEST_F(rank_traces, of_a_run_that_fails_end_where_one_process_ends_them) {
    // XOFF so late that a frame is lost.
    const arguments options =
        combined(combined(fabric_of_racks, pauses),
                 {"--pfc.xoff=16KB", "--pfc.xon=4KB", "--switch.ingress_buffer=16384B", "--trace.wave=run.vcd",
                  "--trace.wave_trigger=drop", "--trace.wave_before=50us", "--trace.perfetto=on",
                  "--trace.frame_path=3:0", "--trace.pcap=all"});
    ASSERT_NO_FATAL_FAILURE(
        run_alone(options, {"run.vcd", "perfetto.json", "frame_path.csv", "trace.pcapng"}, 1));
    EXPECT_NE(m_alone.err.find("/weir/invariant"), std::string::npos) << m_alone.err;
    expect_same(options, 2);
}

}  // namespace
