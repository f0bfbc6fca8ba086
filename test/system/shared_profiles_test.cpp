// Tables of shared memories: values of single groups and queues, slices of pairs of ports.
#include <gtest/gtest.h>

#include <algorithm>

#include "golden/golden_rows.h"
#include "shared_incast.h"
#include "support/errors_said.h"

namespace weir::test {

using namespace tb;
namespace {

TEST(shared_profiles, that_say_of_all_what_options_say_give_the_same_bytes) {
    const scratch_directory where;
    where.write("groups.csv",
                "port,class,minimum_bytes,alpha,xon_bytes,xon_offset_bytes,headroom_bytes\n"
                "*,0,3000,0.25,6000,2000,30000\n"
                "*,1,3000,2,,,\n");
    where.write("queues.csv",
                "port,class,minimum_bytes,alpha,threshold_bytes,ecn_threshold_bytes\n"
                "*,*,,,,20000\n"
                "*,0,,,200000,\n"
                "*,1,1000,0.5,,\n");
    // Neighbouring egress ports together, written by hand.
    where.write("slices.csv", "ingress_port,egress_port,slice\n*,0-3,0\n*,4-7,1\n");
    const arguments by_options = combined(
        lossless, {"--shared.slices=2", "--shared.minimum=3000B", "--shared.alpha=0.25", "--shared.xon=6000B",
                   "--shared.xon_offset=2000B", "--shared.headroom=30000B", "--shared.lossy_alpha=2",
                   "--shared.queue_minimum=1000B", "--shared.queue_alpha=0.5",
                   "--shared.lossless_queue_threshold=200000B", "--shared.ecn_threshold=20000B"});
    const arguments by_tables =
        combined(lossless, {"--shared.slices=2", "--shared.group_profiles=groups.csv",
                            "--shared.queue_profiles=queues.csv", "--shared.slice_map_file=slices.csv"});
    // The first transfer of class 0, the second of class 1.
    for (const std::string priority : {"0", "1"}) {
        const arguments of_class{"--traffic.priorities=" + priority};
        const outcome options = run_program(where, incast(combined(by_options, of_class), "options"));
        const outcome tables = run_program(where, incast(combined(by_tables, of_class), "tables"));
        ASSERT_EQ(options.status, 0) << options.err;
        ASSERT_EQ(tables.status, 0) << tables.err;
        EXPECT_GT(summary_of(where / "options")["ecn"]["seen"], 10);
        for (const char* side : {"options", "tables"}) {
            ASSERT_TRUE(fs::remove(where.path() / side / "effective.ini"));
        }
        expect_same_bytes(where / "options", where / "tables");
        for (const char* side : {"options", "tables"}) {
            fs::remove_all(where.path() / side);
        }
    }
}

TEST(shared_profiles, of_one_port_are_that_ports_alone) {
    const scratch_directory where;
    // A later row stands above an earlier one, field by field.
    where.write("groups.csv",
                "switch,port,class,alpha,threshold_bytes,headroom_bytes\n"
                "*,*,0,0.5,,30000\n"
                "tor*,2-3,0,,,50000\n"
                "tor0,3,0,,20000,\n");
    const outcome made = run_program(
        where,
        incast(combined(lossless, {"--traffic.priorities=0", "--shared.group_profiles=groups.csv"}), "out"));
    ASSERT_EQ(made.status, 0) << made.err;
    std::map<std::string, std::string> headroom;
    std::map<std::string, std::uint64_t> shared;
    for (const auto& row : golden::lines_of_file(where / "out/buffers.csv")) {
        if (row[1] == "group_headroom") {
            headroom[row[3]] = row[5];
        }
        if (row[1] == "group_shared" && row[4] == "0") {
            shared[row[3]] = std::stoull(row[6]);
        }
    }
    // Whole cells of 208 B.
    EXPECT_EQ(headroom["1"], "30160");
    EXPECT_EQ(headroom["2"], "50128");
    EXPECT_EQ(headroom["3"], "50128");
    // 96 cells, and what a frame of 8 cells that begins below them takes.
    EXPECT_GE(shared["3"], 96U * 208);
    EXPECT_LT(shared["3"], (96U + 8) * 208);
    EXPECT_GT(shared["2"], 100'000U);
    const outcome dry = run_program(
        where, incast(combined(lossless, {"--shared.group_profiles=groups.csv", "--dry-run"}), "out2"));
    const std::string said = single_blanks(dry.out);
    EXPECT_NE(said.find("groups.csv"), std::string::npos) << dry.out;
    EXPECT_NE(said.find(" class 0 lossless 0-1 0 B alpha 0.5 0 B 0 B 30160 B shared.group_profiles, line 2\n"
                        " class 0 lossless 2 0 B alpha 0.5 0 B 0 B 50128 B shared.group_profiles, line 3\n"
                        " class 0 lossless 3 0 B 19968 B 0 B 0 B 50128 B shared.group_profiles, line 4\n"
                        " class 0 lossless 4-7 "),
              std::string::npos)
        << dry.out;
    EXPECT_NE(said.find(" class 1 lossy 0-7 0 B alpha 8 - - -\n"), std::string::npos) << dry.out;
}

struct bad_table {
    const char* option;
    const char* text;
    const char* message;
};

TEST(shared_profiles, mistakes_are_named_with_file_line_and_column) {
    const bad_table all[] = {
        {"group_profiles", "port,class,headroom\n*,*,1\n",
         "bad.csv:1: headroom: headroom, switch, port, class, minimum_bytes"},
        {"group_profiles", "port,class,class\n*,*,*\n", "bad.csv:1: class: the column is there twice"},
        {"group_profiles", "port,alpha\n*,1\n", "bad.csv:1: class: is missing in the header"},
        {"group_profiles", "port,class,alpha\n0-8,*,1\n", "bad.csv:2: port: 0-8, 0 to 7, tor0, 0-1"},
        {"group_profiles", "port,class,alpha\n3-1,*,1\n", "bad.csv:2: port: '3-1' ends before it begins"},
        {"group_profiles", "port,class,alpha\nx,*,1\n", "bad.csv:2: port: 'x' is neither a number nor a range"},
        {"group_profiles", "port,class,alpha\n1-,*,1\n",
         "bad.csv:2: port: '1-' is neither a number nor a range"},
        {"group_profiles", "port,class,alpha\n,*,1\n", "bad.csv:2: port: '' is neither a number nor a range"},
        {"group_profiles", "port,class,alpha\n*,2,1\n", "bad.csv:2: class: 2, 0 to 1, switch.classes"},
        {"group_profiles", "switch,port,class,alpha\nleaf*,*,*,1\n", "bad.csv:2: switch: leaf*, tor0"},
        {"group_profiles", "port,class,alpha\n*,*,0\n", "bad.csv:2: alpha: '0' is out of range"},
        {"group_profiles", "port,class,alpha\n*,*,0.12345678\n", "bad.csv:2: alpha: 0.12345678, 0.001 to 1024"},
        {"group_profiles", "port,class,alpha\n*,*,fast\n", "bad.csv:2: alpha: 'fast' is not a number"},
        {"group_profiles", "port,class,alpha,threshold_bytes\n*,*,1,1\n",
         "bad.csv:2: threshold_bytes: together, alpha"},
        {"group_profiles", "port,class,minimum_bytes\n*,*,99999999\n",
         "bad.csv:2: minimum_bytes: 99999999, 0 to 67108864"},
        {"group_profiles", "port,class,minimum_bytes\n*,*,1KB\n",
         "bad.csv:2: minimum_bytes: '1KB' is not a whole number"},
        {"group_profiles", "port,class,headroom_bytes\n*,1,1\n",
         "bad.csv:2: headroom_bytes: has no effect, because the class is lossy"},
        {"group_profiles", "port,class,alpha\n*,*,\n", "bad.csv:2: line: sets no value"},
        {"group_profiles", "port,class,alpha\n1,*,1\n*,*,2\n",
         "bad.csv:2: line: has no effect, because later rows replace all of its values"},
        {"group_profiles", "port,class,alpha\n*,*,1,1\n", "bad.csv:2: line: 4, 3"},
        {"group_profiles", "", "bad.csv: is empty"},
        {"group_profiles", "port,class,alpha\n", "bad.csv:1: line: is the header, but no row follows"},
        {"queue_profiles", "port,class,alpha\n\n", "line: is the header, but no row follows"},
        {"slice_map_file", "ingress_port,egress_port,slice\n", "line: is the header, but no row follows"},
        {"group_profiles", "\xEF\xBBport,class,alpha\n*,*,1\n", "is not a column of this table"},
        {"queue_profiles", "port,class,threshold_bytes\n3,1,0\n",
         "shared.queue_profiles: egress port 3 has a threshold of 0 for class 1"},
        {"queue_profiles", "port,class,threshold_bytes\n2,0,207\n",
         "shared.queue_profiles: egress port 2 has a threshold of 0 for class 0"},
        {"queue_profiles", "port,class,threshold_bytes,minimum_bytes\n4,1,0,1247\n",
         "shared.queue_profiles: egress port 4 has a threshold of 0 for class 1"},
        {"group_profiles", "port,class,minimum_bytes\n*,*,200000\n", "shared.memory: 1500KB is too small"},
        {"group_profiles", "port,class,threshold_bytes\n2,1,0\n",
         "shared.group_profiles: ingress port 2 has a threshold of 0 for lossy class 1"},
        {"queue_profiles", "port,class,headroom_bytes\n*,*,1\n",
         "bad.csv:1: headroom_bytes: headroom_bytes, switch, port, class, minimum_bytes, alpha, "
         "threshold_bytes, ecn_threshold_bytes"},
        {"queue_profiles", "port,class,minimum_bytes\n*,*,100000\n",
         "the default of shared.queue_pool: the minima of the queues"},
        {"slice_map_file", "ingress_port,egress_port,slice\n*,*,2\n", "bad.csv:2: slice: 2, 0 to 1"},
        {"slice_map_file", "ingress_port,egress_port,slice\n*,*,\n", "bad.csv:2: slice: is empty"},
        {"slice_map_file", "ingress_port,egress_port,slice\n0-3,*,0\n4-6,*,1\n",
         "bad.csv: slice: tor0: port 7, port 0, no slice"},
        {"slice_map_file", "ingress_port,egress_port,slice\n0-4,*,0\n4-7,*,1\n",
         "bad.csv:3: line: tor0: port 4, port 0, line 2"},
        {"pg_profile_lookup", "10000 5m 1248 0 30000 99\n", "bad.csv:1: threshold: '99' is out of range"},
        {"pg_profile_lookup", "10000 5m\n", "bad.csv:1: the line has 2 fields"},
        {"pg_profile_lookup", "10000 300m 29999 0 30000 0\n",
         "bad.csv:1: size: 29999 is less than the row's xoff (30000)"},
        {"pg_profile_lookup", "40000 300m 31248 0 30000 0\n",
         "shared.pg_profile_lookup: h0-tor0 (10Gbps, 1us one way): "},
        {"pg_profile_lookup", "10000 40m 31248 0 30000 0\n", "at most 40m, 200ns"},
    };
    const scratch_directory where;
    for (const bad_table& each : all) {
        where.write("bad.csv", each.text);
        const outcome made = run_program(
            where, incast(combined(lossless,
                                   {"--shared.slices=2", "--shared." + std::string(each.option) + "=bad.csv"}),
                          "out"));
        EXPECT_EQ(made.status, 2) << each.text << made.err;
        EXPECT_FALSE(fs::exists(where / "out")) << each.text;
        EXPECT_TRUE(has_error(made.err, each.message));
    }
    const outcome missing = run_program(where, incast({"--shared.group_profiles=none.csv"}, "out"));
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(has_error(missing.err, "none.csv: No such file or directory"));
}

TEST(shared_profiles, headroom_that_is_too_small_for_a_link_is_warned_of_by_group) {
    const scratch_directory where;
    where.write("groups.csv", "port,class,headroom_bytes\n*,0,100000\n5-6,0,3000\n6,0,2000\n");
    const outcome made = run_program(
        where, incast(combined(lossless, {"--shared.group_profiles=groups.csv", "--dry-run"}), "out"));
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_NE(made.err.find("groups.csv:4: headroom of 2KB of tor0, ingress port 6, "
                            "class 0 is less than "
                            "the "),
              std::string::npos)
        << made.err;
    EXPECT_NE(made.err.find("; this applies to 2 groups"), std::string::npos) << made.err;
}

TEST(shared_profiles, a_byte_order_mark_before_a_table_is_skipped) {
    const scratch_directory where;
    const std::string mark = "\xEF\xBB\xBF";
    where.write("groups.csv", mark + "port,class,headroom_bytes\n*,0,30000\n");
    where.write("pg.ini", mark + "10000 300m 43000 0 40000 0\n");
    for (const std::string& each : {std::string("--shared.group_profiles=groups.csv"),
                                    std::string("--shared.pg_profile_lookup=pg.ini")}) {
        const outcome made = run_program(where, incast(combined(lossless, {each, "--dry-run"}), "out"));
        EXPECT_EQ(made.status, 0) << made.err;
        EXPECT_NE(made.out.find(each.find("group") != std::string::npos ? "  30160 B" : "  40144 B"),
                  std::string::npos)
            << made.out;
    }
}

TEST(shared_profiles, a_queue_without_shared_cells_is_not_refused_if_its_minimum_holds_a_frame) {
    const scratch_directory where;
    // 1,530 B are 8 cells of 208 B.
    where.write("queues.csv", "port,class,threshold_bytes,minimum_bytes\n*,1,0,1457\n");
    const outcome made = run_program(
        where, incast(combined(lossless, {"--shared.queue_profiles=queues.csv", "--dry-run"}), "out"));
    EXPECT_EQ(made.status, 0) << made.err;
}

TEST(shared_profiles, slices_that_a_map_leaves_empty_are_warned_of) {
    const scratch_directory where;
    where.write("slices.csv", "ingress_port,egress_port,slice\n0-3,*,0\n4-7,*,2\n");
    const outcome made = run_program(where, incast(arguments{"--shared.slices=4", "--shared.memory=6MB",
                                                             "--shared.slice_map_file=slices.csv", "--dry-run"},
                                                   "out"));
    EXPECT_NE(
        made.err.find("shared.slices = 4: tor0: shared.slice_map_file names 2 slices, so 2 of its slices"),
        std::string::npos)
        << made.err;
}

TEST(shared_profiles, a_lossless_queue_beyond_its_limit_loses_frames_and_that_is_told_before) {
    const scratch_directory where;
    const auto run = [&](const arguments& more, const std::string& out) {
        const outcome made = run_program(
            where,
            incast(combined(lossless, combined({"--traffic.priorities=0", "--trace.drop_causes=on"}, more)),
                   out));
        EXPECT_EQ(made.status, 0) << made.err;
        return made;
    };
    const char* const warning = "is dropped although its class is lossless (lossless_egress_full)";
    const outcome free = run({}, "free");
    EXPECT_EQ(free.err.find(warning), std::string::npos) << free.err;
    EXPECT_EQ(summary_of(where / "free")["frames"]["dropped"], 0);
    std::uint64_t reached = 0;
    for (const auto& row : golden::lines_of_file(where / "free/buffers.csv")) {
        if (row[1] == "lossless_queue_pool" && row[2].empty()) {
            EXPECT_EQ(row[5], std::to_string(1'500'000 / 208 * 208));
            reached = std::stoull(row[6]);
        }
    }
    EXPECT_GT(reached, 200'000U);
    for (const arguments& limit :
         {arguments{"--shared.lossless_queue_threshold=100KB"}, arguments{"--shared.lossless_queue_pool=100KB"},
          arguments{"--shared.lossless_queue_pool=400KB", "--shared.lossless_queue_alpha=0.5"}}) {
        SCOPED_TRACE(limit.back());
        fs::remove_all(where.path() / "held");
        const outcome held = run(limit, "held");
        EXPECT_NE(held.err.find(warning), std::string::npos) << held.err;
        // What the warning says is safe is, and a cell less is not.
        const std::string advice = "; no frame is dropped there with shared.lossless_queue_threshold = ";
        const std::size_t at = held.err.find(advice);
        ASSERT_NE(at, std::string::npos) << held.err;
        const unsigned safe = static_cast<unsigned>(std::stoul(held.err.substr(at + advice.size())));
        for (const unsigned each : {safe, safe - 208}) {
            const outcome dry = run_program(
                where,
                incast(combined(lossless, {"--traffic.priorities=0", "--dry-run",
                                           "--shared.lossless_queue_threshold=" + std::to_string(each) + "B"}),
                       "dry"));
            EXPECT_EQ(dry.err.find(warning) == std::string::npos, each == safe) << each << dry.err;
        }
        EXPECT_EQ(held.err.find(" and without shared.lossless_queue_pool") != std::string::npos,
                  limit[0].find("_pool=") != std::string::npos)
            << held.err;
        const auto summary = summary_of(where / "held");
        EXPECT_GT(summary["drops"]["lossless_egress_full"], 20);
        EXPECT_EQ(summary["frames"]["dropped"], summary["drops"]["lossless_egress_full"]);
        EXPECT_EQ(summary["flows"]["started"], summary["flows"]["completed"]);
        const std::string causes = contents(where / "held/drop_causes.csv");
        EXPECT_NE(causes.find("lossless_egress_full"), std::string::npos);
        EXPECT_NE(
            causes.find(limit[0].find("pool=100KB") != std::string::npos ? "queue_pool" : "queue_threshold"),
            std::string::npos)
            << causes.substr(0, 500);
    }
    // More than ingress ever lets in: nobody is warned, and nothing is lost.
    const outcome wide = run({"--shared.lossless_queue_threshold=1500KB"}, "wide");
    EXPECT_EQ(wide.err.find(warning), std::string::npos) << wide.err;
}

TEST(shared_profiles, a_loss_at_a_lossless_queue_misses_the_goal_lossless) {
    const scratch_directory where;
    where.write("config.ini", "");
    arguments size = incast(combined(lossless, {"--traffic.priorities=0"}), "out");
    size[0] = "size";
    size.insert(size.begin() + 1, "config.ini");
    const outcome made =
        run_program(where, combined(size, {"--goal", "lossless proven in 50% of runs", "--smallest",
                                           "shared.lossless_queue_threshold=100KB,1500KB"}));
    ASSERT_EQ(made.status, 0) << made.err;
    const auto found = nlohmann::json::parse(contents(where / "out/answer.json"))["answers"][0];
    EXPECT_EQ(found["answer"]["options"]["shared.lossless_queue_threshold"], "1500KB");
    EXPECT_EQ(found["next_not_met"]["runs_with_lossless_loss"], 1);
}

}  // namespace
}  // namespace weir::test
