// Bad input: a message with file, line and column, what is wrong and what is allowed, exit status 2, and no
// file written.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "support/errors_said.h"
#include "support/replay_rig.h"
#include "tb/support/process/exit_status.h"
#include "tb/verify/replay/replay_blocks.h"
#include "tb/verify/replay/scenario.h"

namespace weir::test {

using namespace tb;
namespace {

class replay_input : public replay_rig {
 protected:
    /// Status 2, nothing but the inputs in the directory, and all of `message` on standard error.
    void expect_refusal(const std::vector<std::string>& args, const std::vector<std::string>& message) {
        const std::vector<std::string> before = files();
        EXPECT_EQ(run(args), 2);
        EXPECT_EQ(out(), "");
        EXPECT_EQ(files(), before);
        for (const std::string& part : message) {
            EXPECT_TRUE(has_error(err(), part));
        }
    }
    void expect_islip_refusal(const std::string& requests, const std::vector<std::string>& message) {
        expect_refusal(
            {"islip", "--requests", write("r.csv", requests), "--iterations", "2", "--out", path("o")},
            message);
    }
};

TEST_F(replay_input, options_are_checked_all_at_once) {
    expect_refusal({"islip", "--iterations", "none", "--speed", "3"},
                   {"command line: --speed: --requests, --iterations, --out", "--requests: missing",
                    "--iterations: none, 1 to 1024", "--out: missing"});
    expect_refusal({"islip", "--requests", "r", "--requests", "r", "--iterations", "0", "--out", path("no/o")},
                   {"--requests: is given more than once", "--iterations: 0", "directory"});
    expect_refusal({"tcam", "--table", "t", "--lookups", "l", "--out", "o", "--rule", "mine"},
                   {"--rule: mine, standard, canonical_values_only"});
    expect_refusal({"switch"}, {"switch: islip, tcam, lpm"});
    expect_refusal({}, {"BLOCK: missing"});
}

TEST_F(replay_input, schedules_and_their_parameters_are_checked) {
    const std::string header = "parameters,L_ns,o_ns,g_ns,G_ns_per_byte\n";
    const std::string good = write("p.csv", header + "a,100,5,5,0.08\nb,1,1,1,1\n");
    const std::string schedule =
        "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\n}\nrank 1 {\nrecv 8b from 0 tag 2\n}\n";
    const std::string matched =
        write("m.goal", "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    const auto refused = [&](const std::string& goal, const std::string& parameters,
                             const std::vector<std::string>& more, const std::vector<std::string>& message) {
        std::vector<std::string> args{"goal",     "--schedule", goal,     "--parameters",
                                      parameters, "--out",      path("o")};
        args.insert(args.end(), more.begin(), more.end());
        expect_refusal(args, message);
    };
    refused(write("u.goal", schedule), good, {},
            {"u.goal: rank 0: rank 1, tag 1, operation 1, receive",
             "u.goal: rank 1: recv from rank 0 with tag 2 (operation 1 of the rank) has no matching send"});
    refused(write("x.goal", "num_ranks 1\nrank 0 {\ncalc x\n}\n"), good, {}, {"x.goal:3: calc: x"});
    refused(path("none.goal"), good, {}, {"--schedule: ", "none.goal", "GOAL"});
    refused(matched, good, {"--set", "c"}, {"p.csv: parameters: c, --set"});
    refused(matched, write("q.csv", header + "a,1,1,-1,0.0001\n"), {},
            {"q.csv:2: g_ns: -1, 0 to 1000000000000", "q.csv:2: G_ns_per_byte: 0.0001, whole number"});
    refused(matched, write("e.csv", header), {}, {"e.csv: parameters: no line"});
    refused(write("l.goal",
                  "num_ranks 1\nrank 0 {\ncalc 281474976710656\ncalc 281474976710656\ncalc "
                  "281474976710656\ncalc 281474976710656\ncalc 281474976710656\n}\n"),
            good, {}, {"l.goal: a: 13 days"});
    expect_success({"goal", "--schedule", matched, "--parameters", good, "--set", "a", "--out", path("o")});
    EXPECT_EQ(written("o"), "schedule,parameters,rank,end_ns\nm,a,0,5\nm,a,1,110.56\n");
}

TEST_F(replay_input, traces_of_all_ranks_are_found_by_their_numbers) {
    const std::string parameters = write("p.csv", "parameters,L_ns,o_ns,g_ns,G_ns_per_byte\na,100,5,5,1\n");
    const auto trace = [&](const std::string& number, const std::string& call) {
        return write("job4-rank-" + number + ".txt", "MPI_Init:-:1:2:10\n" + call + "MPI_Finalize:12:-\n");
    };
    const std::string first = trace("00", "MPI_Send:11:9:8:1,1,1:1:3:7,0,2:11\n");
    trace("01", "MPI_Recv:10:9:8:1,1,1:0:3:7,1,2:6:11\n");
    const std::vector<std::string> args{"goal",     "--traces", first,    "--parameters",
                                        parameters, "--out",    path("o")};
    expect_success(args);
    EXPECT_EQ(written("o"), "schedule,parameters,rank,end_ns\njob4-rank-00,a,0,2005\njob4-rank-00,a,1,2117\n");
    fs::remove(path("o"));
    expect_refusal({"goal", "--traces", trace("1", ""), "--parameters", parameters, "--out", path("o")},
                   {"--traces: ", "job4-rank-1.txt, 0, rank 0"});
    trace("01", "MPI_Recv:10:9:8:1,1,1:0:3:7,0,2:6:11\n");
    expect_refusal(args, {"job4-rank-01.txt:2: MPI_Recv: argument 6, 7,0,2"});
    expect_refusal({"goal", "--parameters", parameters, "--out", path("o")},
                   {"--schedule: --schedule FILE, --traces FILE, missing"});
    expect_refusal(
        {"goal", "--traces", first, "--schedule", first, "--parameters", parameters, "--out", path("o")},
        {"--schedule: --traces, one of them"});
    expect_refusal({"goal", "--traces", path("none-0.txt"), "--parameters", parameters, "--out", path("o")},
                   {"--traces: ", "none-0.txt", "liballprof"});
}

TEST_F(replay_input, scenarios_and_scripts_of_transports_are_checked) {
    const std::string scenarios = write("s.csv",
                                        "scenario,mss,initial_window_segments,initial_ssthresh\n"
                                        "a,1000,10,64000\nb,0,10,64000\n");
    const std::string header = "i,t_ns,event,acked_bytes,rtt_ns,ece,grow,una,snd_max,flight\n";
    const std::string good = header + "0,5,ACK,1000,5,0,1,1000,11000,10000\n";
    const auto refused = [&](const std::string& name, const std::string& text, const std::string& message) {
        expect_refusal({"tcp_cc", "--scenarios", scenarios, "--stimuli", write(name, text), "--out", path("o")},
                       {message});
    };
    refused("c.stim.csv", good, "s.csv: scenario: c, --scenario");
    refused("b.stim.csv", good, "s.csv:3: mss: 0, 1 to 65535");
    refused("a.stim.csv", good + "1,6,ACK,1000,5,0,1,3000,13000,10000\n",
            "a.stim.csv:3: una: 3000, acked_bytes, 2000");
    refused("a.stim.csv", header + "0,5,LOSE,1000,5,0,1,1000,11000,10000\n",
            "event: LOSE, ACK, LOSS, RECOVERED, ECN, CWR_END, RTO, LOSS_END");
    refused("a.stim.csv", header + "0,5,ACK,1000,5,0,1,1000,900,10000\n", "snd_max: 900, 1000");
    refused("a.stim.csv", header + "0,5,ACK,1,5,0,1,x,9,1\n1,6,ACK,1,5,0,1,2,2,1\n", ":2: una: x");
    EXPECT_EQ(lines_of(err()).size(), 1U) << err();
    expect_success({"tcp_cc", "--scenarios", scenarios, "--scenario", "a", "--stimuli", write("c.csv", good),
                    "--out", path("o")});
    const std::string averaged = write("r.csv",
                                       "scenario,unit,limit,min_th,max_th,q_weight,gentle\n"
                                       "r,p,100,5,15,0.02,0\n");
    expect_refusal({"red", "--scenarios", averaged, "--stimuli",
                    write("r.stim.csv", "i,t_ns,event,size,ect,u\n0,1,ENQ,1500,1,0.5\n"), "--out", path("x")},
                   {"r.csv:2: max_th: 15, max_th = min_th, q_weight = 1, gentle = 0"});
}

TEST_F(replay_input, an_input_is_never_overwritten) {
    const std::string requests = write("r.csv", "slot,in0\n0,1\n");
    expect_refusal({"islip", "--requests", requests, "--iterations", "1", "--out", path("./r.csv")},
                   {"--out: ", "--requests"});
    EXPECT_EQ(contents(requests), "slot,in0\n0,1\n");
}

TEST_F(replay_input, files_that_can_not_be_read_are_named) {
    expect_refusal({"islip", "--requests", path("none"), "--iterations", "1", "--out", path("o")},
                   {path("none") + ": cannot be read: No such file"});
    expect_refusal({"islip", "--requests", path(""), "--iterations", "1", "--out", path("o")}, {"a directory"});
    expect_islip_refusal("", {"r.csv: empty"});
}

TEST_F(replay_input, lines_that_are_not_as_the_header_says_are_named) {
    expect_islip_refusal("slot,pattern,in0,in2\n0,full,1,1\n", {"r.csv:1: in1: missing"});
    expect_islip_refusal("slot,pattern\n0,full\n", {"r.csv:1: in0: missing"});
    expect_islip_refusal("in0,in1\n1,1\n", {"r.csv:1: slot: missing"});
    expect_islip_refusal("slot,in0,in1\n0,1,1\n1,1\n2,1,1,1\n", {"r.csv:3: line: 2, 3", "r.csv:4: line: 4"});
    expect_islip_refusal("slot,in0,in1\n0,1,1\n1,1,1", {"r.csv:3: line: incomplete"});
    expect_islip_refusal("slot,\"in0,in1\n0,1,1\n", {"r.csv:1: line: has a quote that is not closed"});
}

TEST_F(replay_input, numbers_are_checked_field_by_field) {
    expect_islip_refusal("slot,in0,in1\nx,1,1\n1,4,g\n2,,-1\n",
                         {"r.csv:2: slot: x, whole number", "r.csv:3: in0: 4", "at most 2 bits",
                          "r.csv:3: in1: g", "r.csv:4: in0: ''", "r.csv:4: in1: '-1'"});
    std::string many = "slot,in0\n";
    for (int i = 0; i < 50; ++i) {
        many += std::to_string(i) + ",x\n";
    }
    expect_islip_refusal(many, {"r.csv:21: in0: ", "(the rest is not read)"});
    EXPECT_EQ(lines_of(err()).size(), 20U);
}

TEST_F(replay_input, slots_come_in_order_and_once) {
    expect_islip_refusal("slot,in0\n0,1\n2,1\n1,1\n", {"r.csv:4: slot: 1, 2, ascending"});
    expect_islip_refusal("slot,in0\n0,1\n0,1\n", {"r.csv:3: slot: 0"});
    expect_success({"islip", "--requests", write("r.csv", "slot,in0\n3,1\n7,1\n"), "--iterations", "1", "--out",
                    path("o")});
}

TEST_F(replay_input, more_ports_than_a_switch_can_have_are_refused) {
    std::string header = "slot";
    for (unsigned p = 0; p <= 256; ++p) {
        header += ",in" + std::to_string(p);
    }
    expect_islip_refusal(header + "\n", {"r.csv:1: in256: too many"});
}

TEST_F(replay_input, tables_and_lookups_are_checked_against_each_other) {
    const std::string table = write("t.csv",
                                    "table,index,valid,value_hex,xmask_hex\n"
                                    "a,0,1,1,0\na,0,1,2,0\na,1,2,x,0\na,9999999,1,1,0\na,2,1,,0\n");
    expect_refusal(
        {"tcam", "--table", table, "--lookups", write("l.csv", "table,key_hex\n"), "--out", path("o")},
        {"t.csv:3: index: 0, a", "t.csv:4: valid: 2, 0, 1", "t.csv:4: value_hex: x", "t.csv:5: index: 9999999",
         "t.csv:6: value_hex: ''"});
    const std::string good = write("g.csv", "table,index,valid,value_hex,xmask_hex\na,0,1,1,0\n");
    expect_refusal({"tcam", "--table", good, "--lookups", write("l.csv", "table,key_hex\nb,1\na,1ff\n"),
                    "--out", path("o"), "--key-bits=8"},
                   {"l.csv:2: table: b", "l.csv:3: key_hex: 1ff"});
}

TEST_F(replay_input, prefixes_and_phases_are_checked) {
    const std::string table = write("t.csv",
                                    "table,seq,op,index,prefix_hex,plen\n"
                                    "a,0,insert,0,80,1\na,1,put,1,80,9\na,2,insert,1,80,9\na,3,insert,1,80,0\n"
                                    "a,4,erase,1,80,2\n");
    expect_refusal(
        {"lpm", "--table", table, "--lookups", write("l.csv", "table,phase,key_hex\n"), "--out", path("o")},
        {"t.csv:3: op: put, insert, overwrite, erase", "t.csv:3: plen: 9", "t.csv:4: plen: 9, 0 to 8",
         "t.csv:5: plen: '0' with op 'insert'", "t.csv:6: plen: '2' with op 'erase'"});
    const std::string good = write("g.csv", "table,seq,op,index,prefix_hex,plen\na,0,insert,0,80,1\n");
    expect_refusal(
        {"lpm", "--table", good, "--lookups",
         write("l.csv", "table,phase,key_hex\na,later,00\na,after_update_1,00\n"), "--out", path("o")},
        {"l.csv:2: phase: later", "l.csv:3: phase: after_update_1, 2, a"});
}

TEST_F(replay_input, scenarios_stimuli_and_controls_are_checked) {
    const std::string header =
        "config,data_width_bits,clk_period_ps,scenario,ack_mode,ack_delay_cycles,end_cycle\n";
    const std::string frames = "config,scenario,cycle_last_beat,tuser_bad_fcs,frame_hex\n";
    const auto args = [&](const std::string& scenarios, const std::string& stimuli,
                          const std::string& controls) {
        return std::vector<std::string>{"pfc-rx",
                                        "--scenarios",
                                        write("s.csv", header + scenarios),
                                        "--stimuli",
                                        write("i.csv", frames + stimuli),
                                        "--controls",
                                        write("c.csv", "config,scenario,cycle,signal,value\n" + controls),
                                        "--out-intervals",
                                        path("o"),
                                        "--out-events",
                                        path("e")};
    };
    expect_refusal(
        args("c,12,1,x,always,0,9\nc,8,0,y,sometimes,0,9\nc,8,1,z,always,0,9\nc,8,1,z,always,0,9\n", "", ""),
        {"s.csv:2: data_width_bits: 12, whole number", "s.csv:3: clk_period_ps: '0'",
         "s.csv:5: scenario: 'z' of config 'c' is already in line 4"});
    expect_refusal(args("c,8,1,x,never,0,9\n", "", ""), {"s.csv:2: ack_mode: never"});
    expect_refusal(args("c,8,1,x,always,0,9\n", "c,y,1,0,00\nc,x,1,2,00\nc,x,2,0,0\nc,x,3,0,00\nc,x,3,0,00\n",
                        "c,x,1,in.something,1\nc,x,1,in.cfg_rx_pfc_en,2\nc,q,1,ignored,2\n"),
                   {"i.csv:2: scenario: 'y' of config 'c' is unknown", "i.csv:3: tuser_bad_fcs: '2'",
                    "i.csv:4: frame_hex: is not a frame", "i.csv:6: cycle_last_beat: '3'",
                    "c.csv:2: signal: in.something", "c.csv:3: value: 2"});
    auto late = args("c,8,1,x,always,0,9\n", "", "");
    late.insert(late.end(), {"--statistics-latency=5", "--request-latency=5"});
    expect_refusal(late, {"--request-latency: 5, statistics"});
}

TEST_F(replay_input, a_transmitters_scenarios_and_stimuli_are_checked) {
    const std::string header =
        "config,data_width_bits,clk_period_ps,scenario,gap_mode,end_cycle,quanta_k0..k7,refresh_k0..k7\n";
    const std::string eight = ",1 2 3 4 5 6 7 8,1 2 3 4 5 6 7 8\n";
    const auto args = [&](const std::string& scenarios, const std::string& stimuli) {
        return std::vector<std::string>{"pfc-tx",
                                        "--scenarios",
                                        write("s.csv", header + scenarios),
                                        "--stimuli",
                                        write("i.csv", "config,scenario,kind,cycle,value,nbytes\n" + stimuli),
                                        "--out-frames",
                                        path("f"),
                                        "--out-events",
                                        path("e")};
    };
    expect_refusal(args("c,8,1,x,2,9" + eight + "c,8,1,y,0,9,1 2 3 4 5 6 7,1 2 3 4 5 6 7 65536\n", ""),
                   {"s.csv:2: gap_mode: 2, 0, 1", "s.csv:3: quanta_k0..k7: 7 numbers, 8",
                    "s.csv:3: refresh_k0..k7: 65536"});
    expect_refusal(args("c,8,1,x,0,9" + eight,
                        "c,x,tx_pfc_req,1,0x100,\nc,x,tx_pfc_resend,1,2,\nc,x,data_frame_offered,1,a,\n"
                        "c,x,other,1,1,\nc,z,tx_pfc_req,1,1,\n"),
                   {"i.csv:2: value: 0x100, 0 to 255", "i.csv:3: value: '2'", "i.csv:4: nbytes: ''",
                    "i.csv:5: kind: other", "i.csv:6: scenario: 'z' of config 'c' is unknown"});
    auto late = args("c,8,1,x,0,9" + eight, "");
    late.insert(late.end(), {"--launch-latency=3", "--source-address=5a:51"});
    expect_refusal(late, {"--first-beat-latency: 4, at least 2, --launch-latency", "--source-address: 5a:51"});
}

TEST_F(replay_input, a_macs_scenarios_are_checked) {
    const std::string header =
        "config,data_width_bits,clk_period_ps,scenario,end_cycle,controls(cycle:tx_pfc_req),data_frames,"
        "quanta_k0..k7,refresh_k0..k7\n";
    const std::string eight = ",1 2 3 4 5 6 7 8,1 2 3 4 5 6 7 8\n";
    expect_refusal({"mac10g", "--scenarios",
                    write("s.csv", header + "m,16,1,a,9,," + eight + "m,64,1,b,9,5:0x100,1:60" + eight +
                                       "m,64,1,c,9,5,1:60:1:1" + eight + "m,64,1,d,9,,1:13:1" + eight),
                    "--out-frames", path("f"), "--out-events", path("e")},
                   {"s.csv:2: data_width_bits: 16, 32, 64", "s.csv:3: controls(cycle:tx_pfc_req): 5:0x100",
                    "s.csv:3: data_frames: 1:60", "s.csv:4: controls(cycle:tx_pfc_req): 5",
                    "s.csv:4: data_frames: '1:60:1:1'", "s.csv:5: data_frames: 13 octets, 14 to 65535"});
}

TEST_F(replay_input, a_path_that_is_wrong_is_status_2_and_leaves_no_file) {
    const std::string requests = write("r.csv", "slot,in0\n0,1\n");
    EXPECT_EQ(run({"islip", "--requests", requests, "--iterations", "1", "--out", "/dev/full/o"}), 2);
    // A directory has the name that the file is written under first.
    fs::create_directory(path("o.partial"));
    EXPECT_EQ(run({"islip", "--requests", requests, "--iterations", "1", "--out", path("o")}), 2);
    EXPECT_NE(err().find("--out: " + path("o.partial") + ": cannot be created: Is a directory; expected"),
              std::string::npos)
        << err();
    EXPECT_FALSE(fs::exists(path("o")));
}

TEST_F(replay_input, links_stay_links_and_what_they_point_at_is_replaced) {
    const std::string requests = write("r.csv", "slot,in0\n0,1\n");
    const std::vector<std::string> args{"islip", "--requests", requests, "--iterations", "1", "--out"};
    const auto to = [&](const std::string& name) {
        auto all = args;
        all.push_back(path(name));
        return all;
    };
    fs::create_directory(path("there"));
    fs::create_symlink("there/new.csv", path("dangling"));
    expect_success(to("dangling"));
    EXPECT_TRUE(fs::is_symlink(path("dangling")));
    EXPECT_EQ(lines_of(written("there/new.csv")).size(), 2U);
    std::ofstream(path("there/new.csv")) << "old\n";
    expect_success(to("dangling"));
    EXPECT_TRUE(fs::is_symlink(path("dangling")));
    EXPECT_EQ(lines_of(written("there/new.csv")).size(), 2U);
    EXPECT_FALSE(fs::exists(path("dangling.partial")) || fs::exists(path("there/new.csv.partial")));
    // A link to the input, and one to a place that is not there.
    fs::create_symlink("r.csv", path("input"));
    expect_refusal(to("input"), {"--out: ", "--requests"});
    fs::create_symlink("nowhere/o.csv", path("lost"));
    expect_refusal(to("lost"), {"--out: ", "nowhere' is not a directory"});
}

TEST_F(replay_input, a_pipe_is_written_into_and_stays) {
    const std::string requests = write("r.csv", "slot,in0\n0,1\n");
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    write("pipe.partial", "of somebody else\n");
    std::string read;
    std::thread reader([&] { read = contents(path("pipe")); });
    expect_success({"islip", "--requests", requests, "--iterations", "1", "--out", path("pipe")});
    reader.join();
    EXPECT_EQ(lines_of(read).size(), 2U);
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    EXPECT_EQ(written("pipe.partial"), "of somebody else\n");
    // What the shell has open, too: nothing takes its place.
    const std::string file = write("open", "before\n");
    const int descriptor = ::open(file.c_str(), O_WRONLY);
    ASSERT_EQ(::lseek(descriptor, 0, SEEK_END), 7);
    expect_success({"islip", "--requests", requests, "--iterations", "1", "--out",
                    "/dev/fd/" + std::to_string(descriptor)});
    ASSERT_EQ(::write(descriptor, "after\n", 6), 6);
    ::close(descriptor);
    const std::vector<std::string> lines = lines_of(contents(file));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines.front(), "before");
    EXPECT_EQ(lines.back(), "after");
}

TEST_F(replay_input, help_lists_blocks_and_all_options) {
    EXPECT_EQ(run({"--help"}), 0);
    const std::string overview = out();
    const std::string page = contents(std::string(WEIR_GOLDEN_DIR) + "/../../docs/replay.md");
    for (const replay_block& block : replay_blocks()) {
        EXPECT_NE(overview.find("weir replay " + block.name + " --"), std::string::npos) << block.name;
        EXPECT_EQ(run({block.name, "--help"}), 0);
        for (const replay_option& option : block.options) {
            EXPECT_NE(out().find("  --" + option.name + " "), std::string::npos) << option.name;
            EXPECT_NE(page.find("--" + option.name), std::string::npos)
                << "docs/replay.md says nothing of --" << option.name << " of " << block.name;
        }
    }
}

TEST_F(replay_input, a_memory_has_no_more_lines_than_it_was_given) {
    const std::string writes =
        write("w.csv", "table,seq,op,index,prefix_hex,plen\na,0,insert,0,10,4\na,1,insert,4,20,4\n");
    const std::string keys = write("k.csv", "table,phase,key_hex\na,initial,11\n");
    EXPECT_EQ(run({"lpm", "--table", writes, "--lookups", keys, "--entries", "5", "--out", path("o")}), 0)
        << err();
    std::remove(path("o").c_str());
    expect_refusal({"lpm", "--table", writes, "--lookups", keys, "--entries", "4", "--out", path("o")},
                   {"w.csv:3: index: 4, 0 to 3"});
    const std::string operations =
        write("c.csv", "style,op,arg_addr,arg_key_hex,arg_delete\nSRL,init,,,\nSRL,W,31,ab,0\nSRL,W,32,cd,0\n");
    expect_refusal({"cam", "--operations", operations, "--entries", "32", "--out", path("o")},
                   {"c.csv:4: arg_addr: 32, 0 to 31"});
}

TEST_F(replay_input, prefixes_are_written_once_each_and_bits_beyond_their_length_are_noted) {
    const std::string keys = write("k.csv", "table,phase,key_hex\na,initial,11\n");
    expect_refusal({"lpm", "--table",
                    write("w.csv",
                          "table,seq,op,index,prefix_hex,plen\na,0,insert,0,10,4\nb,0,insert,0,10,4\n"
                          "a,0,insert,1,20,4\n"),
                    "--lookups", keys, "--out", path("o")},
                   {"w.csv:4: seq: 0, once"});
    EXPECT_EQ(run({"lpm", "--table",
                   write("w.csv", "table,seq,op,index,prefix_hex,plen\na,0,insert,0,18,4\na,1,insert,1,28,5\n"),
                   "--lookups", keys, "--out", path("o")}),
              0);
    EXPECT_NE(err().find("w.csv: 1 prefixes have bits beyond their length"), std::string::npos) << err();
}

TEST_F(replay_input, keys_that_are_wider_than_their_table_are_noted) {
    const std::string table = write("t.csv", "table,index,valid,value_hex,xmask_hex\na,0,1,0f,00\n");
    EXPECT_EQ(run({"tcam", "--table", table, "--lookups", write("k.csv", "table,key_hex\na,0f\na,000f\na,1f\n"),
                   "--out", path("o")}),
              0);
    EXPECT_NE(err().find("k.csv: 1 keys have more digits than all lines of table 'a' (2)"), std::string::npos)
        << err();
}

// Not what 2^20 lines as wide as the widest would: gigabytes, for one line at the end.
TEST_F(replay_input, a_table_takes_what_its_lines_take_wherever_they_are) {
    const std::string digits(1024, 'f');
    const std::string table = write("t.csv", "table,index,valid,value_hex,xmask_hex\na,1048575,1," + digits +
                                                 ",0\na,7,1,0f,00\nb,1048575,1,1,0\n");
    EXPECT_EQ(run({"tcam", "--table", table, "--lookups",
                   write("k.csv", "table,key_hex\na," + digits + "\na,0f\na,3\nb,1\n"), "--out", path("o")}),
              0)
        << err();
    const std::string results = written("o");
    for (const std::string& line : {"a," + digits + ",1048575,1,3,1048575\n", std::string("a,0f,7,1,3,7\n"),
                                    std::string("a,3,-1,0,3,\n"), std::string("b,1,1048575,1,3,1048575\n")}) {
        EXPECT_NE(results.find(line), std::string::npos) << line.substr(0, 10) << " in\n"
                                                         << results.substr(0, 200);
    }
}

TEST_F(replay_input, results_that_end_cycle_lets_grow_without_end_are_refused) {
    const scenario of{"c", "a", 64, 6400, 0, 4'000'000'000};
    EXPECT_NO_THROW(check_length(most_result_bytes, of, 5));
    try {
        check_length(most_result_bytes + 1, of, 123);
        ADD_FAILURE() << "not refused";
    } catch (const command_error& error) {
        EXPECT_EQ(error.status(), exit_status::bad_input);
        EXPECT_TRUE(errors_are(error.what(), {"a, c, end_cycle, 4000000000, 256 MiB, cycle 123"}));
    }
}

TEST_F(replay_input, frames_follow_each_other_and_stimuli_after_the_end_are_noted) {
    const std::string frame = "0180c2000001" + std::string(108, '0');
    const std::string scenarios =
        write("s.csv",
              "config,scenario,data_width_bits,clk_period_ps,end_cycle,ack_mode,ack_delay_cycles\n"
              "c,a,64,6400,100,always,0\n");
    const auto stimuli = [&](const std::vector<int>& last_beats) {
        std::string text = "config,scenario,cycle_last_beat,tuser_bad_fcs,frame_hex\n";
        for (const int beat : last_beats) {
            text += "c,a," + std::to_string(beat) + ",0," + frame + "\n";
        }
        return std::vector<std::string>{"pfc-rx",    "--scenarios",        scenarios,
                                        "--stimuli", write("i.csv", text), "--out-intervals",
                                        path("oi"),  "--out-events",       path("oe")};
    };
    // 60 octets are eight beats.
    expect_refusal(
        stimuli({50, 57}),
        {"i.csv:3: cycle_last_beat: '57' lets the frame's 8 beats overlap with those of another frame"});
    expect_refusal(
        stimuli({57, 50}),
        {"i.csv:3: cycle_last_beat: '50' lets the frame's 8 beats overlap with those of another frame"});
    expect_refusal(stimuli({50, 50}), {"i.csv:3: cycle_last_beat: '50' lets the frame's 8 beats overlap"});
    expect_refusal(stimuli({6}), {"6, 8 beats, 7 or more"});
    EXPECT_EQ(run(stimuli({7, 15, 100})), 0) << err();
    EXPECT_EQ(err().find("are later than"), std::string::npos) << err();
    EXPECT_EQ(run(stimuli({50, 58, 101, 200})), 0) << err();
    EXPECT_NE(err().find("c a: 2 stimuli are later than end_cycle (100) and have no effect"), std::string::npos)
        << err();
    EXPECT_EQ(run(stimuli({})), 0) << err();
    EXPECT_NE(err().find("the stimuli had no result: only headers are written"), std::string::npos) << err();
}

TEST_F(replay_input, what_a_terminal_would_obey_or_hide_is_not_repeated) {
    expect_islip_refusal("\x1b[31mslot" + std::string(500, 'x') + "\n0\n", {"r.csv:1: slot: missing"});
    for (const char* part : {"'\\x1b[31mslotxxx", "xxx...'"}) {
        EXPECT_NE(err().find(part), std::string::npos) << err();
    }
    EXPECT_EQ(err().find('\x1b'), std::string::npos);
    // A byte order mark.
    EXPECT_EQ(run({"islip", "--requests", write("r.csv", "\xEF\xBB\xBFslot,in0\n0,1\n"), "--iterations", "1",
                   "--out", path("o")}),
              0)
        << err();
}

}  // namespace
}  // namespace weir::test
