// A SONiC switch's config_db.json: read, run, written back; and what is refused.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "program.h"
#include "support/errors_said.h"

namespace weir::test {
namespace {

using nlohmann::json;

const std::string folder = WEIR_GOLDEN_DIR "/../../tb/experiments/shared/";

json realistic() {
    return json::parse(contents(folder + "trident2_config_db.json"));
}

/// The experiment with another file, which is written there.
arguments with_file(const scratch_directory& where, const json& file, const arguments& more = {}) {
    arguments args{"run", folder + "trident2_config_db.ini",
                   "--shared.config_db=" + where.write("config_db.json", file.dump(4)).string()};
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

/// Runs it dry and returns what it writes.
json written(const scratch_directory& where, const arguments& args) {
    arguments all = args;
    all.insert(all.end(), {"--dry-run", "--write-config-db=written.json"});
    fs::remove(where / "written.json");
    const outcome run = run_program(where, all);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.status == 0 ? json::parse(contents(where / "written.json")) : json();
}

/// Paths of what differs, such as /BUFFER_PROFILE/egress_lossy_profile/size.
std::vector<std::string> differences(const json& a, const json& b) {
    std::vector<std::string> paths;
    for (const json& change : json::diff(a, b)) {
        paths.push_back(change["op"].get<std::string>() + " " + change["path"].get<std::string>() +
                        (change.contains("value") ? " " + change["value"].dump() : ""));
    }
    return paths;
}

using texts = std::vector<std::string>;

/// What a dry run says of the memories.
std::string memories(const scratch_directory& where, const arguments& args) {
    arguments all = args;
    all.emplace_back("--dry-run");
    const outcome run = run_program(where, all);
    EXPECT_EQ(run.status, 0) << run.err;
    const std::size_t begin = run.out.find("  tor0, ");
    // Entries of the file are named where there is one.
    std::string text = run.out.substr(std::min(begin, run.out.size()));
    for (std::size_t at = text.find("BUFFER_PROFILE|"); at != std::string::npos;
         at = text.find("BUFFER_PROFILE|")) {
        at = text.find_last_not_of(' ', at - 1) + 1;
        text.erase(at, text.find('\n', at) - at);
    }
    return text.substr(0, text.find("Paths"));
}

// Of a Trident2, by hand. Groups of 40 Gb/s and 5 m: size 46,384 B with 45,136 B of xoff, so a minimum of 1,248
// B = 6 cells and 217 cells of headroom; with 300 m 302 cells. The pool of 61,376 cells includes them: 61,376 -
// 56 x 223 - 8 x 308 = 46,424 cells = 9,656,192 B. Queues: 35,225 cells, less 5 x 32 minima of 8 cells.
TEST(config_db, sets_groups_queues_pools_and_classes_of_a_trident2) {
    const scratch_directory where;
    const outcome run = run_program(where, {"run", folder + "trident2_config_db.ini", "--dry-run"});
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string said = single_blanks(run.out);
    for (const char* const text :
         {"Lossless classes: 3, 4\n",
          "lossless pool 9656192 B; lossy groups share the lossless pool; lossy queues: pool 7060560 B",
          " class 0-2 lossy 0-31 0 B alpha 8 - - - BUFFER_PROFILE|ingress_lossy_profile\n",
          " class 3-4 lossless 0-27 1248 B alpha 0.5 18304 B 2496 B 45136 B "
          "BUFFER_PROFILE|pg_lossless_40000_5m_profile\n"
          " class 3-4 lossless 28-31 1248 B alpha 0.5 18304 B 2496 B 62816 B "
          "BUFFER_PROFILE|pg_lossless_40000_300m_profile\n",
          " class 7 lossy 0-31 0 B alpha 8 - - -\n", " class 0-2 lossy 0-31 1664 B alpha 8 ",
          " class 3-4 lossless 0-31 0 B 12766208 B ", " class 7 lossy 0-31 0 B alpha 8 -\n"}) {
        EXPECT_NE(said.find(text), std::string::npos) << text << '\n' << run.out;
    }
    for (const char* const text :
         {"has tables without effect in the model: DSCP_TO_TC_MAP (a transfer's priority is its traffic "
          "class), "
          "SCHEDULER (switch.scheduler)",
          "TC_TO_PRIORITY_GROUP_MAP: priority groups that hold several traffic classes (0,1,2,5,6 in 0) are "
          "one "
          "for each class in the model, each with the whole threshold and a part of the minimum",
          "BUFFER_PG: has no profile for priority groups 7 of all ports; the options apply",
          "BUFFER_QUEUE: has no profile for queues 7 of all ports; the options apply"}) {
        EXPECT_NE(run.err.find(text), std::string::npos) << text << '\n' << run.err;
    }
}

// The same switch by options and tables gives the same bytes.
TEST(config_db, is_what_options_and_tables_say) {
    const scratch_directory where;
    where.write("groups.csv",
                "port,class,minimum_bytes,alpha,xon_bytes,xon_offset_bytes,headroom_bytes\n"
                "*,0-2,0,8,,,\n*,5-6,0,8,,,\n"
                "0-27,3-4,1248,0.5,18432,2496,45136\n28-31,3-4,1248,0.5,18432,2496,62816\n");
    where.write("queues.csv",
                "port,class,minimum_bytes,alpha,threshold_bytes\n"
                "*,0-2,1518,8,\n*,5-6,1518,8,\n*,3-4,0,,12766208\n");
    const auto run = [&](arguments args, const std::string& out) {
        args.insert(args.begin(), {"run", folder + "trident2_config_db.ini"});
        args.push_back("--out=" + out);
        const outcome ended = run_program(where, args);
        EXPECT_EQ(ended.status, 0) << ended.err;
    };
    // A pool's option stands above the file.
    run({"--shared.lossless_pool=6MB"}, "file");
    run({"--shared.config_db=", "--shared.lossless_classes=3,4", "--shared.common_pool=on",
         "--shared.pools_include_reserved=on", "--shared.lossless_pool=6MB", "--shared.queue_pool=7326924B",
         "--shared.lossless_queue_pool=12766208B", "--shared.group_profiles=groups.csv",
         "--shared.queue_profiles=queues.csv"},
        "options");
    const json summary = json::parse(contents(where / "file/summary.json"));
    EXPECT_GT(summary["pfc"]["xoff_sent"], 0);
    EXPECT_EQ(summary["frames"]["dropped"], 0);
    for (const char* const name : {"summary.json", "buffers.csv", "flows.csv", "ports.csv"}) {
        EXPECT_EQ(contents(where / "file" / name), contents(where / "options" / name)) << name;
    }
    // effective.ini says the classes and where the file is, and runs again.
    const outcome again = run_program(where, {"run", "file/effective.ini", "--out=again"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(contents(where / "file/buffers.csv"), contents(where / "again/buffers.csv"));
    EXPECT_EQ(contents(where / "file/effective.ini"), contents(where / "again/effective.ini"));
}

TEST(config_db, is_written_as_it_was_read) {
    const scratch_directory where;
    json file = realistic();
    EXPECT_EQ(differences(file, written(where, with_file(where, file))), texts{});
    // Older references, lists of ports, and a headroom pool.
    json old = file;
    for (const auto& [table, field, of] : {std::tuple("BUFFER_PROFILE", "pool", "BUFFER_POOL"),
                                           std::tuple("BUFFER_PG", "profile", "BUFFER_PROFILE"),
                                           std::tuple("BUFFER_QUEUE", "profile", "BUFFER_PROFILE")}) {
        for (auto& entry : old[table]) {
            entry[field] = "[" + std::string(of) + "|" + entry[field].get<std::string>() + "]";
        }
    }
    for (const char* const port : {"Ethernet0|3-4", "Ethernet4|3-4"}) {
        old["BUFFER_PG"].erase(port);
    }
    old["BUFFER_PG"]["Ethernet0,Ethernet4|3-4"] = {
        {"profile", "[BUFFER_PROFILE|pg_lossless_40000_5m_profile]"}};
    old["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "8000000";
    old["BUFFER_POOL"]["ingress_lossless_pool"]["xoff"] = "2000000";
    EXPECT_EQ(differences(old, written(where, with_file(where, old, {"--shared.memory=70000c"}))), texts{});
}

TEST(config_db, a_value_that_is_changed_in_the_model_is_what_differs) {
    const scratch_directory where;
    const json file = realistic();
    const auto after = [&](const std::string& rows, const json& base, const arguments& more = {}) {
        arguments args = with_file(where, base, more);
        args.push_back("--shared.group_profiles=" + where.write("groups.csv", rows).string());
        return differences(base, written(where, args));
    };
    const std::string profile = "/BUFFER_PROFILE/pg_lossless_40000_300m_profile/";
    EXPECT_EQ(after("port,class,alpha\n28-31,3-4,0.125\n", file),
              texts{"replace " + profile + "dynamic_th \"-3\""});
    EXPECT_EQ(after("port,class,xon_bytes\n28-31,3-4,20000\n", file),
              texts{"replace " + profile + "xon \"20000\""});
    // With headroom of its own a group's size includes xoff; with a pool it does not.
    EXPECT_EQ(after("port,class,headroom_bytes\n28-31,3-4,70000\n", file),
              (texts{"replace " + profile + "size \"71248\"", "replace " + profile + "xoff \"70000\""}));
    json pooled = file;
    pooled["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "8000000";
    pooled["BUFFER_POOL"]["ingress_lossless_pool"]["xoff"] = "2000000";
    const std::string larger = "--shared.memory=70000c";
    EXPECT_EQ(after("port,class,headroom_bytes\n28-31,3-4,70000\n", pooled, {larger}),
              texts{"replace " + profile + "xoff \"70000\""});
    EXPECT_EQ(
        differences(pooled, written(where, with_file(where, pooled, {larger, "--shared.headroom_pool=3MB"}))),
        texts{"replace /BUFFER_POOL/ingress_lossless_pool/xoff \"3000000\""});
    EXPECT_EQ(
        differences(pooled, written(where, with_file(where, pooled, {larger, "--shared.lossless_pool=7MB"}))),
        texts{"replace /BUFFER_POOL/ingress_lossless_pool/size \"7000000\""});
    // A static threshold in place of a factor.
    EXPECT_EQ(after("port,class,threshold_bytes\n28-31,3-4,500000\n", file),
              (texts{"remove " + profile + "dynamic_th", "add " + profile + "static_th \"500000\""}));
}

// One of 56 groups that share a profile: it gets one of its own, and its entry is divided.
TEST(config_db, a_single_group_that_is_changed_gets_a_profile_of_its_own) {
    const scratch_directory where;
    const json file = realistic();
    where.write("groups.csv", "port,class,alpha\n2,3,0.25\n");
    const json now = written(where, with_file(where, file, {"--shared.group_profiles=groups.csv"}));
    json expected = file;
    expected["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile_2"] =
        file["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"];
    expected["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile_2"]["dynamic_th"] = "-2";
    expected["BUFFER_PG"].erase("Ethernet8|3-4");
    expected["BUFFER_PG"]["Ethernet8|3"] = {{"profile", "pg_lossless_40000_5m_profile_2"}};
    expected["BUFFER_PG"]["Ethernet8|4"] = {{"profile", "pg_lossless_40000_5m_profile"}};
    EXPECT_EQ(differences(expected, now), texts{});
    // What is written is read as the model was.
    EXPECT_EQ(differences(now, written(where, with_file(where, now))), texts{});
}

// Without a file all tables are made, and a run of them is the run that they are from.
TEST(config_db, tables_that_are_made_from_options_give_the_same_run) {
    const scratch_directory where;
    const arguments model{"--fabric.topology=single",   "--fabric.hosts=6",       "--link.rate=40Gbps",
                          "--link.latency=100ns",       "--switch.buffer=shared", "--switch.classes=8",
                          "--switch.memory_cell=208B",  "--pfc.mode=pfc",         "--shared.memory=2MB",
                          "--traffic.kind=incast",      "--traffic.priorities=3", "--traffic.incast_rounds=2",
                          "--traffic.incast_bytes=2MB", "--run.duration=20ms"};
    const auto run = [&](const arguments& more, const std::string& out) {
        arguments args{"run"};
        args.insert(args.end(), model.begin(), model.end());
        args.insert(args.end(), more.begin(), more.end());
        args.push_back(out);
        return run_program(where, args);
    };
    const arguments options{"--shared.lossless_classes=3,4", "--shared.alpha=0.25", "--shared.minimum=416B",
                            "--shared.xon_offset=1040B"};
    ASSERT_EQ(run(options, "--out=options").status, 0);
    arguments dry = options;
    dry.push_back("--write-config-db=made.json");
    const outcome wrote = run(dry, "--dry-run");
    ASSERT_EQ(wrote.status, 0) << wrote.err;
    const outcome read = run({"--shared.config_db=made.json"}, "--out=file");
    ASSERT_EQ(read.status, 0) << read.err;
    EXPECT_EQ(contents(where / "options/buffers.csv"), contents(where / "file/buffers.csv"));
    const json made = json::parse(contents(where / "made.json"));
    const json& profile = made["BUFFER_PROFILE"]["pg_lossless_40000_20m_profile"];
    EXPECT_EQ(profile["dynamic_th"], "-2");
    EXPECT_EQ(std::stoll(profile["size"].get<std::string>()),
              std::stoll(profile["xoff"].get<std::string>()) + 416);
    EXPECT_EQ(made["BUFFER_PG"]["Ethernet4|3-4"]["profile"], "pg_lossless_40000_20m_profile");
    EXPECT_EQ(made["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"], "3,4");
}

// Lossless groups that SONiC makes at run time: from its lookup file, and written as it names them.
TEST(config_db, groups_that_it_does_not_name_are_from_pg_profile_lookup) {
    const scratch_directory where;
    json file = realistic();
    for (auto entry = file["BUFFER_PG"].begin(); entry != file["BUFFER_PG"].end();) {
        entry =
            entry.key().find("|3-4") != std::string::npos ? file["BUFFER_PG"].erase(entry) : std::next(entry);
    }
    for (const char* const length : {"5m", "300m"}) {
        file["BUFFER_PROFILE"].erase("pg_lossless_40000_" + std::string(length) + "_profile");
    }
    // The model has them, and they stay the switch's.
    const arguments lookup{"--shared.pg_profile_lookup=" + folder + "trident2_pg_profile_lookup.ini"};
    EXPECT_EQ(differences(file, written(where, with_file(where, file, lookup))), texts{});
    arguments dry = with_file(where, file, lookup);
    dry.insert(dry.end(), {"--dry-run", "--write-config-db=written.json"});
    const outcome said = run_program(where, dry);
    EXPECT_NE(said.out.find("  45136 B  shared.pg_profile_lookup, line 3"), std::string::npos) << said.out;
    EXPECT_NE(
        said.err.find("warning: --write-config-db: lossless priority groups that the file does not name are "
                      "made by the switch, from its pg_profile_lookup.ini"),
        std::string::npos)
        << said.err;
    // A row of a table makes them the model's, and only those that it names.
    where.write("groups.csv", "port,class,xon_offset_bytes\n*,3-4,2496\n");
    arguments rows = lookup;
    rows.emplace_back("--shared.group_profiles=groups.csv");
    EXPECT_EQ(differences(realistic(), written(where, with_file(where, file, rows))), texts{});
    where.write("groups.csv", "port,class,alpha\n28-31,3-4,0.125\n");
    json expected = file;
    json profile = realistic()["BUFFER_PROFILE"]["pg_lossless_40000_300m_profile"];
    profile["dynamic_th"] = "-3";
    expected["BUFFER_PROFILE"]["pg_lossless_40000_300m_profile"] = profile;
    for (const char* const port : {"Ethernet112", "Ethernet116", "Ethernet120", "Ethernet124"}) {
        expected["BUFFER_PG"][port + std::string("|3-4")] = {{"profile", "pg_lossless_40000_300m_profile"}};
    }
    EXPECT_EQ(differences(expected, written(where, with_file(where, file, rows))), texts{});
}

// What the file says of a group without headroom stands; the lookup has what is missing.
TEST(config_db, stands_above_pg_profile_lookup_value_by_value) {
    const scratch_directory where;
    json file = realistic();
    json& profile = file["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"];
    profile = {{"pool", "ingress_lossless_pool"}, {"size", "2080"}, {"dynamic_th", "2"}};
    const arguments args =
        with_file(where, file, {"--shared.pg_profile_lookup=" + folder + "trident2_pg_profile_lookup.ini"});
    const std::string said = memories(where, args);
    EXPECT_NE(single_blanks(said).find("2080 B alpha 4 18304 B 2496 B 45136 B"), std::string::npos) << said;
    EXPECT_EQ(differences(file, written(where, args)), texts{});
    // Headroom that is too little is then the lookup's.
    file["BUFFER_PROFILE"]["pg_lossless_40000_300m_profile"] = profile;
    const std::string warned =
        run_program(where, with_file(where, file,
                                     {"--shared.pg_profile_lookup=" + folder + "trident2_pg_profile_lookup.ini",
                                      "--pfc.response=5us", "--dry-run"}))
            .err;
    EXPECT_NE(warned.find("trident2_pg_profile_lookup.ini:5: headroom of 62816B of tor0, ingress port 28, "),
              std::string::npos)
        << warned;
}

TEST(config_db, describes_the_switches_that_are_named) {
    const scratch_directory where;
    const auto dry_run = [&](const std::string& switches) {
        return run_program(where, {"run", "--fabric.topology=dumbbell", "--link.rate=40Gbps",
                                   "--switch.buffer=shared", "--switch.classes=8", "--switch.memory_cell=208B",
                                   "--pfc.mode=pfc", "--shared.memory=61440c", "--run.duration=1ms",
                                   "--dry-run", "--shared.config_db=" + folder + "trident2_config_db.json",
                                   "--shared.config_db_switches=" + switches});
    };
    const outcome one = dry_run("tor0");
    ASSERT_EQ(one.status, 0) << one.err;
    const std::size_t first = one.out.find("  tor0, ");
    const std::size_t second = one.out.find("  tor1, ");
    ASSERT_LT(first, second) << one.out;
    ASSERT_NE(second, std::string::npos) << one.out;
    const std::string of_first = one.out.substr(first, second - first);
    EXPECT_NE(of_first.find("lossy groups share the lossless pool"), std::string::npos) << of_first;
    EXPECT_NE(of_first.find(" BUFFER_PROFILE|pg_lossless_40000_5m_profile\n"), std::string::npos) << of_first;
    EXPECT_EQ(one.out.substr(second).find("BUFFER_PROFILE"), std::string::npos) << one.out;
    EXPECT_NE(one.err.find("config_db.json: PORT: tor0 has "), std::string::npos) << one.err;
    const outcome none = dry_run("middle*");
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(has_error(none.err, "shared.config_db_switches: middle*, tor0"));
}

// As templates of other switches have them: an xoff of 0 and modes where they say nothing new, traffic classes
// above 7, and profiles of lossless groups without headroom, which is then the option's.
TEST(config_db, what_says_nothing_new_is_read_and_kept) {
    const scratch_directory where;
    json file = realistic();
    file["BUFFER_POOL"]["egress_lossy_pool"]["xoff"] = "0";
    file["BUFFER_PROFILE"]["egress_lossy_profile"]["mode"] = "dynamic";
    file["BUFFER_PROFILE"]["egress_lossless_profile"]["mode"] = "static";
    file["BUFFER_PROFILE"]["ingress_lossy_profile"]["packet_discard_action"] = "drop";
    file["TC_TO_QUEUE_MAP"]["AZURE"]["8"] = "8";
    json& profile = file["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"];
    profile.erase("xoff");
    profile.erase("xon");
    profile["size"] = "1248";
    arguments dry = with_file(where, file, {"--shared.headroom=auto"});
    EXPECT_EQ(differences(file, written(where, dry)), texts{});
    dry.emplace_back("--dry-run");
    const outcome said = run_program(where, dry);
    for (const char* const text :
         {"TC_TO_QUEUE_MAP|AZURE: has traffic classes or priorities above 7, which the model does not have",
          "BUFFER_PROFILE|pg_lossless_40000_5m_profile: has no xoff, and BUFFER_PG|Ethernet0|3-4 uses it for a "
          "lossless class; shared.headroom, or shared.pg_profile_lookup, has the headroom"}) {
        EXPECT_NE(said.err.find(text), std::string::npos) << text << '\n' << said.err;
    }
    EXPECT_NE(single_blanks(said.out).find(" 0-27 1248 B alpha 0.5 "), std::string::npos) << said.out;
    // With the option's headroom it is another profile.
    const json now = written(where, with_file(where, file, {"--shared.headroom=40KB"}));
    EXPECT_EQ(now["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["xoff"], "40000");
    EXPECT_EQ(now["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["size"], "41248");
}

// Pools by option, with all that changes what their sizes mean.
TEST(config_db, what_is_written_is_read_as_the_same_memory) {
    const scratch_directory where;
    const arguments model{"run",
                          "--fabric.topology=single",
                          "--fabric.hosts=6",
                          "--link.rate=40Gbps",
                          "--link.latency=100ns",
                          "--switch.buffer=shared",
                          "--switch.classes=8",
                          "--switch.memory_cell=208B",
                          "--pfc.mode=pfc",
                          "--shared.memory=4MB",
                          "--shared.minimum=416B",
                          "--run.duration=1ms",
                          "--shared.lossless_classes=3,4"};
    const std::string first = "  tor0, ";
    for (const arguments& pools : std::vector<arguments>{
             {},
             {"--shared.lossless_pool=1MB", "--shared.lossy_pool=500KB"},
             {"--shared.lossless_pool=1MB", "--shared.headroom_pool=300KB"},
             {"--shared.common_pool=on", "--shared.common_queue_pool=on"},
             {"--shared.common_pool=on", "--shared.lossless_pool=2MB"},
             {"--shared.queue_pool=700KB", "--shared.lossless_queue_pool=2MB", "--shared.queue_minimum=1KB"},
             {"--shared.pools_include_reserved=on", "--shared.lossless_pool=2MB"}}) {
        arguments original = combined(model, pools);
        original.insert(original.end(), {"--dry-run", "--write-config-db=made.json"});
        const outcome wrote = run_program(where, original);
        ASSERT_EQ(wrote.status, 0) << wrote.err;
        const std::string expected = memories(where, combined(model, pools));
        EXPECT_NE(expected.find("lossless pool "), std::string::npos) << expected;
        const arguments read = combined(model, {"--shared.config_db=made.json"});
        // Sizes are whole cells once more.
        const std::size_t line = expected.find('\n');
        EXPECT_EQ(memories(where, read).substr(0, line), expected.substr(0, line))
            << (pools.empty() ? "" : pools[0]);
    }
}

// Of a model with fewer ports than the file: pools are what the whole switch leaves, and members that the model
// does not have follow the others.
TEST(config_db, of_a_part_of_the_ports_pools_are_the_whole_switchs) {
    const scratch_directory where;
    const json file = realistic();
    const auto part = [&](const arguments& more) {
        arguments args{"run",
                       "--fabric.topology=single",
                       "--fabric.hosts=20",
                       "--link.rate=40Gbps",
                       "--link.latency=25ns",
                       "--switch.buffer=shared",
                       "--switch.classes=8",
                       "--switch.memory_cell=208B",
                       "--pfc.mode=pfc",
                       "--shared.memory=61440c",
                       "--run.duration=1ms",
                       "--shared.config_db=" + where.write("config_db.json", file.dump(4)).string()};
        args.insert(args.end(), more.begin(), more.end());
        return args;
    };
    // As of 32 ports (above), but for what rounds up to cells at ports that are not there.
    EXPECT_NE(memories(where, part({})).find("lossless pool 9656"), std::string::npos)
        << memories(where, part({}));
    EXPECT_EQ(differences(file, written(where, part({}))), texts{});
    where.write("groups.csv", "port,class,alpha\n*,3-4,0.125\n");
    EXPECT_EQ(differences(file, written(where, part({"--shared.group_profiles=groups.csv"}))),
              (texts{"replace /BUFFER_PROFILE/pg_lossless_40000_5m_profile/dynamic_th \"-3\""}));
}

// What is reserved for groups and queues that no class of the model is in is not shared, whoever has them:
// other ports, other classes, queues above 7. Whole cells of 208 B: 1,518 B of a queue are 8, 1,664 B.
TEST(config_db, what_is_reserved_for_others_is_not_shared) {
    const scratch_directory where;
    const auto queue_pool = [&](const json& file, const arguments& more) {
        const std::string said = memories(where, with_file(where, file, more));
        const std::string before = "lossy queues: pool ";
        const std::size_t at = said.find(before);
        EXPECT_NE(at, std::string::npos) << said;
        return at == std::string::npos ? 0 : std::stoll(said.substr(at + before.size()));
    };
    const json file = realistic();
    EXPECT_EQ(queue_pool(file, {}), 7'060'560);
    EXPECT_EQ(queue_pool(file, {"--switch.classes=5"}), 7'060'560);
    json more = file;
    more["BUFFER_PROFILE"]["multicast"] = {
        {"pool", "egress_lossy_pool"}, {"size", "20800"}, {"dynamic_th", "3"}};
    more["BUFFER_QUEUE"]["Ethernet0|8-9"] = {{"profile", "multicast"}};
    EXPECT_EQ(queue_pool(more, {}), 7'060'560 - 2 * 20'800);
    json unreached = file;
    unreached["BUFFER_PROFILE"]["multicast"] = more["BUFFER_PROFILE"]["multicast"];
    unreached["BUFFER_QUEUE"]["Ethernet0|7"] = {{"profile", "multicast"}};
    unreached["TC_TO_QUEUE_MAP"]["AZURE"]["7"] = "6";
    // Class 7 shares the minimum of queue 6.
    EXPECT_EQ(queue_pool(unreached, {}), 7'060'560 - 20'800);
    const std::string said = run_program(where, with_file(where, unreached, {"--dry-run"})).err;
    EXPECT_NE(said.find("BUFFER_QUEUE|Ethernet0|7: no traffic class of the model uses this queue; what is "
                        "reserved for it is not shared"),
              std::string::npos)
        << said;
}

TEST(config_db, eight_ports_of_a_switch_have_the_pools_of_all) {
    const scratch_directory where;
    const arguments part{"run",
                         "--fabric.topology=single",
                         "--fabric.hosts=8",
                         "--link.rate=40Gbps",
                         "--link.latency=25ns",
                         "--switch.buffer=shared",
                         "--switch.classes=8",
                         "--switch.memory_cell=208B",
                         "--pfc.mode=pfc",
                         "--shared.memory=61440c",
                         "--run.duration=1ms",
                         "--shared.config_db=" + folder + "trident2_config_db.json"};
    const std::string said = memories(where, part);
    EXPECT_NE(said.find("lossless pool 9656192 B; "), std::string::npos) << said;
    EXPECT_NE(said.find("lossy queues: pool 7060560 B"), std::string::npos) << said;
}

// One cell for five classes: the first has it, and the pool loses one cell for each port.
TEST(config_db, classes_of_a_group_share_its_minimum_in_whole_cells) {
    const scratch_directory where;
    json file = realistic();
    file["BUFFER_PROFILE"]["ingress_lossy_profile"]["size"] = "208";
    const std::string said = memories(where, with_file(where, file));
    EXPECT_NE(said.find("lossless pool 9649536 B; "), std::string::npos) << said;
    EXPECT_EQ(differences(file, written(where, with_file(where, file))), texts{});
}

TEST(config_db, a_map_that_is_missing_or_has_gaps_is_warned_of) {
    const scratch_directory where;
    json file = realistic();
    for (auto& port : file["PORT_QOS_MAP"]) {
        port.erase("tc_to_queue_map");
    }
    file["TC_TO_PRIORITY_GROUP_MAP"]["AZURE"].erase("7");
    file["PORT"]["Ethernet4"]["admin_status"] = "down";
    file["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["xon"] = "99999999";
    const std::string said = run_program(where, with_file(where, file, {"--dry-run"})).err;
    for (const char* const text :
         {"has no tc_to_queue_map: in the model each traffic class keeps its number (SAI: no map puts all into "
          "one); this applies to 32 entries\n",
          "TC_TO_PRIORITY_GROUP_MAP|AZURE: does not say where traffic classes 7 belong: in the model they keep "
          "their number\n",
          "PORT|Ethernet4: admin_status: the port is down, but the model's port carries traffic\n",
          "BUFFER_PROFILE|pg_lossless_40000_5m_profile: xon: 99999999 is not below the size of "
          "ingress_lossless_pool (12766208): a group that uses it is never paused by its threshold\n"}) {
        EXPECT_NE(said.find(text), std::string::npos) << text << '\n' << said;
    }
}

TEST(config_db, fields_that_the_model_does_not_have_stay) {
    const scratch_directory where;
    json file = realistic();
    file["BUFFER_PROFILE"]["ingress_lossy_profile"]["xon"] = "18432";
    file["BUFFER_PROFILE"]["egress_lossless_profile"]["xoff"] = "18432";
    file["BUFFER_PROFILE"]["egress_lossy_profile"]["xoff"] = "0";
    file["BUFFER_POOL"]["ingress_lossless_pool"].erase("size");
    EXPECT_EQ(differences(file, written(where, with_file(where, file))), texts{});
    arguments dry = with_file(where, file, {"--dry-run"});
    const std::string said = run_program(where, dry).err;
    for (const char* const text :
         {"BUFFER_PROFILE|ingress_lossy_profile: xon: no effect for lossy groups, which use it",
          "BUFFER_PROFILE|egress_lossless_profile: xoff: no effect for queues, which use it",
          "BUFFER_POOL|ingress_lossless_pool: has no size"}) {
        EXPECT_NE(said.find(text), std::string::npos) << text << '\n' << said;
    }
    // An option that is set sizes the pool.
    EXPECT_EQ(differences(file, written(where, with_file(where, file, {"--shared.lossless_pool=6MB"}))),
              texts{"add /BUFFER_POOL/ingress_lossless_pool/size \"6000000\""});
    // A profile that a port's list has is left alone.
    json lists = realistic();
    lists["BUFFER_PORT_EGRESS_PROFILE_LIST"]["Ethernet0"]["profile_list"] = "egress_lossy_profile";
    where.write("queues.csv", "port,class,alpha\n*,0-2,4\n*,5-6,4\n");
    const json now = written(where, with_file(where, lists, {"--shared.queue_profiles=queues.csv"}));
    EXPECT_EQ(now["BUFFER_PROFILE"]["egress_lossy_profile"], lists["BUFFER_PROFILE"]["egress_lossy_profile"]);
    EXPECT_EQ(now["BUFFER_PROFILE"]["egress_lossy_profile_2"]["dynamic_th"], "2");
    EXPECT_EQ(now["BUFFER_QUEUE"]["Ethernet0|0-2"]["profile"], "egress_lossy_profile_2");
}

// Headroom from a pool: all sizes are then without what is reserved, and the memory is the same once more.
TEST(config_db, a_headroom_pool_changes_what_sizes_mean) {
    const scratch_directory where;
    const arguments more{"--shared.headroom_pool=1MB", "--shared.memory=90000c"};
    const json now = written(where, with_file(where, realistic(), more));
    EXPECT_EQ(now["BUFFER_POOL"]["ingress_lossless_pool"]["xoff"], "1000000");
    EXPECT_EQ(now["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["size"], "1248");
    EXPECT_EQ(now["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["xoff"], "45136");
    const std::string expected = memories(where, with_file(where, realistic(), more));
    EXPECT_EQ(memories(where, with_file(where, now, {"--shared.memory=90000c"})), expected);
}

// Without entries of groups and queues, pools are found by their names, or by being the only one.
TEST(config_db, pools_without_members_have_their_names) {
    const scratch_directory where;
    json file = realistic();
    file.erase("BUFFER_PG");
    file.erase("BUFFER_QUEUE");
    const std::string said = memories(where, with_file(where, file));
    EXPECT_NE(said.find("lossy groups share the lossless pool"), std::string::npos) << said;
    EXPECT_NE(said.find("lossy queues: pool 73"), std::string::npos) << said;
    EXPECT_EQ(differences(file, written(where, with_file(where, file))), texts{});
    file["BUFFER_POOL"]["third_pool"] = {{"type", "ingress"}, {"mode", "dynamic"}, {"size", "1000000"}};
    const std::string warned = run_program(where, with_file(where, file, {"--dry-run"})).err;
    EXPECT_NE(warned.find("BUFFER_POOL|third_pool: has no effect: no group or queue of tor0 draws from it"),
              std::string::npos)
        << warned;
}

// Mellanox's sizes are the shared part alone (sonic-swss, buffer_pool_mellanox.lua).
TEST(config_db, what_a_pools_size_means_is_the_platforms) {
    const scratch_directory where;
    json file = realistic();
    file["DEVICE_METADATA"]["localhost"] = {{"platform", "x86_64-mlnx_msn2700-r0"}, {"hwsku", "ACS-MSN2700"}};
    file["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "4580832";
    file["BUFFER_POOL"]["egress_lossless_pool"]["size"] = "12000000";
    const std::string said = memories(where, with_file(where, file));
    EXPECT_NE(said.find("lossless pool 4580784 B"), std::string::npos) << said;
    EXPECT_EQ(differences(file, written(where, with_file(where, file))), texts{});
}

TEST(config_db, lossless_classes_of_an_option_stand_above_it_and_are_written) {
    const scratch_directory where;
    json file = realistic();
    for (auto& [profile, pool] :
         std::vector<std::pair<std::string, std::string>>{{"egress_lossy_profile", "egress_lossless_pool"}}) {
        file["BUFFER_PROFILE"][profile]["pool"] = pool;
    }
    const json now = written(where, with_file(where, file, {"--shared.lossless_classes=3"}));
    json expected = file;
    for (auto& [port, entry] : expected["PORT_QOS_MAP"].items()) {
        if (port != "global") {
            entry["pfc_enable"] = "3";
        }
    }
    EXPECT_EQ(differences(expected, now), texts{});
    const outcome said =
        run_program(where, with_file(where, file, {"--shared.lossless_classes=3", "--dry-run"}));
    EXPECT_NE(
        said.err.find("PORT_QOS_MAP|Ethernet0: pfc_enable: '3,4' is replaced by shared.lossless_classes = 3; "
                      "this applies to 32 entries"),
        std::string::npos)
        << said.err;
    // PAUSE has no form there; without flow control nothing of it is written.
    const outcome pause = run_program(where, with_file(where, file,
                                                       {"--pfc.mode=pause", "--shared.lossless_classes=3",
                                                        "--dry-run", "--write-config-db=pause.json"}));
    EXPECT_EQ(pause.status, 2);
    EXPECT_TRUE(has_error(pause.err, "pfc_enable: 802.3x, PAUSE, pfc.mode = pause, pfc.mode = pfc, none"));
    EXPECT_FALSE(fs::exists(where / "pause.json"));
    EXPECT_EQ(differences(file, written(where, with_file(where, file, {"--pfc.mode=none"}))), texts{});
}

TEST(config_db, options_that_nothing_takes_are_warned_of) {
    const scratch_directory where;
    json file = realistic();
    const auto warned = [&](const std::string& option) {
        return run_program(where, with_file(where, file, {option, "--dry-run"}))
                   .err.find("has no effect: the files of [shared] have this value for each group or queue") !=
               std::string::npos;
    };
    EXPECT_TRUE(warned("--shared.alpha=4"));
    EXPECT_TRUE(warned("--shared.headroom=90000B"));
    // Group 7 is not in the file.
    EXPECT_FALSE(warned("--shared.lossy_alpha=1"));
    // Ingress has one pool in the file, egress two.
    const auto pool_warned = [&](const arguments& options) {
        return run_program(where, with_file(where, file, options))
            .err.find("has no effect: in shared.config_db, lossy ");
    };
    EXPECT_NE(pool_warned({"--shared.lossy_pool=100KB", "--dry-run"}), std::string::npos);
    EXPECT_EQ(pool_warned({"--shared.lossy_pool=100KB", "--shared.common_pool=off", "--dry-run"}),
              std::string::npos);
    EXPECT_EQ(pool_warned({"--shared.queue_pool=100KB", "--dry-run"}), std::string::npos);
    const std::string left =
        run_program(where, with_file(where, file,
                                     {"--shared.lossy_alpha=1", "--dry-run", "--write-config-db=left.json"}))
            .err;
    const std::string own_sizes =
        run_program(where,
                    with_file(where, file,
                              {"--shared.pools_include_reserved=off", "--shared.memory=30MB",
                               "--shared.lossless_pool=8MB", "--dry-run", "--write-config-db=sizes.json"}))
            .err;
    EXPECT_NE(
        own_sizes.find("--write-config-db: sizes of pools are written as shared.pools_include_reserved = false "
                       "says; who reads the file needs that option, too\n"),
        std::string::npos)
        << own_sizes;
    EXPECT_NE(
        left.find("--write-config-db: priority groups 7 of some ports are not written, because BUFFER_PG of "
                  "shared.config_db does not name them"),
        std::string::npos)
        << left;
}

struct mistake {
    std::string message;
    std::function<void(json&)> make;
};

// Each ends with exit status 2 and writes nothing; the message names file, table, entry and field.
TEST(config_db, what_the_model_cannot_have_is_refused) {
    const scratch_directory where;
    const std::vector<mistake> mistakes{
        {"64 levels, config_db.json",
         [](json& f) {
             json deep;
             for (int level = 0; level < 64; ++level) {
                 deep = json::object({{"a", deep}});
             }
             f["LOOPBACK"] = deep;
         }},
        {"BUFFER_PG|Ethernet0|3-4: profile: pg_lossless_40000_6m_profile, BUFFER_PROFILE, "
         "pg_lossless_40000_5m_profile",
         [](json& f) { f["BUFFER_PG"]["Ethernet0|3-4"]["profile"] = "pg_lossless_40000_6m_profile"; }},
        {"BUFFER_PROFILE|ingress_lossy_profile: pool: ingress_lossles_pool, BUFFER_POOL, ingress_lossless_pool",
         [](json& f) { f["BUFFER_PROFILE"]["ingress_lossy_profile"]["pool"] = "ingress_lossles_pool"; }},
        {"BUFFER_PROFILE|egress_lossy_profile: dynamic_th: 11, -9 to 10, 2",
         [](json& f) { f["BUFFER_PROFILE"]["egress_lossy_profile"]["dynamic_th"] = "11"; }},
        {"BUFFER_PROFILE|egress_lossy_profile: dynamic_th: together, static_th, dynamic_th",
         [](json& f) { f["BUFFER_PROFILE"]["egress_lossy_profile"]["static_th"] = "1000"; }},
        {"BUFFER_PROFILE|pg_lossless_40000_5m_profile: xoff: 45 KB, 0 to 1099511627776",
         [](json& f) { f["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["xoff"] = "45 KB"; }},
        {"BUFFER_PROFILE|pg_lossless_40000_5m_profile: size: 1248, xoff, 45136, at least xoff",
         [](json& f) { f["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["size"] = "1248"; }},
        {"BUFFER_PROFILE|egress_lossy_profile: packet_discard_action: trim, drop",
         [](json& f) { f["BUFFER_PROFILE"]["egress_lossy_profile"]["packet_discard_action"] = "trim"; }},
        {"BUFFER_PROFILE|egress_lossy_profile: mode: static, dynamic",
         [](json& f) { f["BUFFER_PROFILE"]["egress_lossy_profile"]["mode"] = "static"; }},
        {"BUFFER_POOL|ingress_lossless_pool: size: 1MB, 3110016B, shared.pools_include_reserved, tor0, "
         "fabric.link, link.latency, link.rate",
         [](json& f) { f["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "1000000"; }},
        {"BUFFER_POOL|egress_lossy_pool: xoff: no effect, egress",
         [](json& f) { f["BUFFER_POOL"]["egress_lossy_pool"]["xoff"] = "1"; }},
        {"BUFFER_PROFILE|pg_lossless_40000_5m_profile: headroom_type: dynamic, pool, size, dynamic_th, "
         "static_th, "
         "xon, xon_offset, xoff, mode, packet_discard_action",
         [](json& f) { f["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["headroom_type"] = "dynamic"; }},
        {"BUFFER_PG|Ethernet0|3-4: group 3, Ethernet0, Ethernet0|3",
         [](json& f) { f["BUFFER_PG"]["Ethernet0|3"] = f["BUFFER_PG"]["Ethernet0|3-4"]; }},
        {"BUFFER_PG|Ethernet0|4-3: 4-3, 0 to 7, 3, 3-4",
         [](json& f) { f["BUFFER_PG"]["Ethernet0|4-3"] = f["BUFFER_PG"]["Ethernet0|3-4"]; }},
        {"BUFFER_QUEUE|Ethernet1|0: Ethernet1, PORT, Ethernet0",
         [](json& f) {
             f["BUFFER_QUEUE"]["Ethernet1|0"] = {{"profile", "egress_lossy_profile"}};
         }},
        {"BUFFER_QUEUE|Ethernet0|5-6: profile: egress_lossy_pool, ingress_lossless_pool",
         [](json& f) { f["BUFFER_QUEUE"]["Ethernet0|0-2"]["profile"] = "ingress_lossy_profile"; }},
        {"BUFFER_POOL|egress_lossy_pool: type: sideways, ingress, egress, both",
         [](json& f) { f["BUFFER_POOL"]["egress_lossy_pool"]["type"] = "sideways"; }},
        {"BUFFER_QUEUE|Ethernet4|0-2: profile: egress_lossless_pool, egress_lossy_pool",
         [](json& f) {
             f["BUFFER_PROFILE"]["other"] = f["BUFFER_PROFILE"]["egress_lossless_profile"];
             f["BUFFER_QUEUE"]["Ethernet4|0-2"]["profile"] = "other";
         }},
        {"PORT_QOS_MAP|Ethernet8: pfc_enable: 3, 3,4, shared.lossless_classes",
         [](json& f) { f["PORT_QOS_MAP"]["Ethernet8"]["pfc_enable"] = "3"; }},
        {"TC_TO_QUEUE_MAP: tc_to_queue_map, lossless, queue 5, 3",
         [](json& f) { f["TC_TO_QUEUE_MAP"]["AZURE"]["3"] = "5"; }},
        {"TC_TO_QUEUE_MAP|AZURE: 3, twice", [](json& f) { f["TC_TO_QUEUE_MAP"]["AZURE"]["03"] = "3"; }},
        {"TC_TO_QUEUE_MAP|AZURE: 8, banana, 0 to 7",
         [](json& f) { f["TC_TO_QUEUE_MAP"]["AZURE"]["8"] = "banana"; }},
        {"PORT_QOS_MAP|global: pfc_enable: x, dscp_to_tc_map, dot1p_to_tc_map, mpls_tc_to_tc_map, "
         "tc_to_dscp_map, tc_to_dot1p_map",
         [](json& f) { f["PORT_QOS_MAP"]["global"]["pfc_enable"] = "x"; }},
        {"BUFFER_PORT_EGRESS_PROFILE_LIST|Ethernet0: profile_list: egress_losy_profile, BUFFER_PROFILE, "
         "egress_lossy_profile",
         [](json& f) {
             f["BUFFER_PORT_EGRESS_PROFILE_LIST"]["Ethernet0"]["profile_list"] = {"egress_losy_profile"};
         }},
        {"TC_TO_QUEUE_MAP|AZURE: 3, 9, 0 to 7", [](json& f) { f["TC_TO_QUEUE_MAP"]["AZURE"]["3"] = "9"; }},
        {"PORT|Ethernet4: speed: 100Gbps, h1-tor0, 40Gbps, link.rate",
         [](json& f) { f["PORT"]["Ethernet4"]["speed"] = "100000"; }},
        {"CABLE_LENGTH|AZURE: Ethernet0: 5, metres, 5m",
         [](json& f) { f["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "5"; }},
        {"PORT: 31, tor0, 32, shared.config_db_switches",
         [](json& f) {
             for (const char* const table : {"PORT", "PORT_QOS_MAP"}) {
                 f[table].erase("Ethernet124");
             }
             f["CABLE_LENGTH"]["AZURE"].erase("Ethernet124");
             for (const char* const key : {"|0", "|3-4", "|0-2", "|5-6"}) {
                 f["BUFFER_PG"].erase("Ethernet124" + std::string(key));
                 f["BUFFER_QUEUE"].erase("Ethernet124" + std::string(key));
             }
         }},
    };
    for (const mistake& each : mistakes) {
        json file = realistic();
        each.make(file);
        const arguments args = with_file(where, file, {"--out=out"});
        const outcome run = run_program(where, args);
        EXPECT_EQ(run.status, 2) << each.message << run.err;
        EXPECT_TRUE(has_error(run.err, (where / "config_db.json").string() + ": " + each.message));
        EXPECT_FALSE(fs::exists(where / "out"));
    }
    // More than twenty.
    json many = realistic();
    for (unsigned n = 0; n < 23; ++n) {
        many["BUFFER_POOL"]["pool_" + std::to_string(n)] = {
            {"type", "side_" + std::to_string(n)}, {"mode", "static"}, {"size", "1"}};
    }
    const outcome all = run_program(where, with_file(where, many, {"--dry-run"}));
    EXPECT_NE(all.err.find("config_db.json: has 3 more errors\n"), std::string::npos) << all.err;
    // Only what is wrong with PFC: without lossless classes all else would be wrong, too.
    json quiet = realistic();
    for (auto& port : quiet["PORT_QOS_MAP"]) {
        port.erase("pfc_enable");
    }
    const outcome silent = run_program(where, with_file(where, quiet, {"--dry-run"}));
    EXPECT_EQ(silent.status, 2);
    EXPECT_EQ(std::count(silent.err.begin(), silent.err.end(), '\n'),
              1 + static_cast<std::ptrdiff_t>(silent.err.find("warning: ") != std::string::npos))
        << silent.err;
    where.write("cut.json", "{\"PORT\": {\n\"Ethernet0\": {");
    const outcome cut = run_program(
        where, {"run", folder + "trident2_config_db.ini", "--shared.config_db=cut.json", "--dry-run"});
    EXPECT_EQ(cut.status, 2);
    EXPECT_TRUE(has_error(cut.err, "cut.json:2: config_db.json, incomplete"));
    where.write("twice.json", "{\"PORT\": {\"Ethernet0\": {\"speed\": \"1\", \"speed\": \"2\"}}}");
    const outcome twice = run_program(
        where, {"run", folder + "trident2_config_db.ini", "--shared.config_db=twice.json", "--dry-run"});
    EXPECT_TRUE(has_error(twice.err, "twice.json: PORT|Ethernet0|speed: twice"));
}

TEST(config_db, what_a_file_cannot_hold_is_not_written) {
    const scratch_directory where;
    const json file = realistic();
    where.write("groups.csv", "port,class,alpha\n2,3,0.3\n");
    where.write("joint.csv", "port,class,alpha\n2,1,0.5\n");
    const auto refused = [&](const arguments& more, const std::string& message) {
        arguments args = with_file(where, file, more);
        const outcome run = run_program(where, args);
        EXPECT_EQ(run.status, 2) << message;
        EXPECT_TRUE(has_error(run.err, message));
        EXPECT_FALSE(fs::exists(where / "new.json"));
    };
    const arguments write{"--dry-run", "--write-config-db=new.json"};
    const auto with = [&](const arguments& more) {
        arguments all = write;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    refused(with({"--shared.group_profiles=groups.csv"}),
            "groups.csv:2: alpha: tor0, port 2, class 3, 0.3, dynamic_th, 2^-9 to 2^10");
    refused(with({"--shared.headroom_pool=0B"}),
            "shared.headroom_pool: 0B cannot be written: with xoff of 0, ");
    refused({"--dry-run", "--write-config-db=."}, "--write-config-db: a directory");
    refused({"--dry-run", "--write-config-db=none/new.json"}, "--write-config-db: none/new.json, no directory");
    refused({"--dry-run", "--write-config-db=groups.csv"}, "--write-config-db: groups.csv, config_db.json");
    refused(with({"--shared.group_profiles=joint.csv"}),
            "TC_TO_PRIORITY_GROUP_MAP: classes 0 and 1, tor0, port 2, class 1");
    // Group 0 is not in the file, and only one of its classes in the table.
    json unnamed = realistic();
    for (unsigned n = 0; n < 32; ++n) {
        unnamed["BUFFER_PG"].erase("Ethernet" + std::to_string(4 * n) + "|0");
    }
    where.write("first.csv", "port,class,alpha\n*,0,0.25\n");
    const outcome part = run_program(
        where, with_file(where, unnamed,
                         {"--shared.group_profiles=first.csv", "--dry-run", "--write-config-db=part.json"}));
    EXPECT_EQ(part.status, 2);
    EXPECT_NE(part.err.find("TC_TO_PRIORITY_GROUP_MAP: puts classes 0 and 1 into one priority group, but their "
                            "values differ in the model"),
              std::string::npos)
        << part.err;
    refused(with({"--shared.common_pool=off", "--shared.memory=70000c", "--shared.lossy_pool=100KB",
                  "--shared.lossless_pool=9MB", "--shared.pools_include_reserved=off"}),
            "shared.common_pool: false, shared.config_db, auto");
    refused(with({"--config-db-switch=tor1"}), "--config-db-switch: tor1, shared.config_db, tor0");
    refused({"--write-config-db=new.json", "--out=out"}, "--write-config-db: --dry-run");
    refused(with({"--switch.buffer=partitioned", "--switch.ingress_buffer=4MB"}),
            "--write-config-db: switch.buffer = shared");
}

// The command that a dry run prints for each kind of link computes the headroom that it chose.
TEST(config_db, a_dry_runs_headroom_command_gives_the_same_headroom) {
    const scratch_directory where;
    const arguments base{"run",
                         "--fabric.topology=single",
                         "--fabric.hosts=3",
                         "--switch.buffer=shared",
                         "--switch.classes=8",
                         "--shared.lossless_classes=3,4",
                         "--shared.memory=64MB",
                         "--run.duration=1ms",
                         "--dry-run"};
    std::size_t commands = 0;
    for (const char* const cell : {"0B", "208B", "254B"}) {
        for (const char* const rate : {"10Gbps", "40Gbps", "100Gbps"}) {
            for (const arguments& more :
                 {arguments{"--link.latency=25ns", "--pfc.mode=pfc"},
                  arguments{"--link.latency=1500ns", "--pfc.mode=pfc"},
                  arguments{"--link.latency=1503333ps", "--switch.lookup_delay=300ns", "--pfc.mode=pfc"},
                  arguments{"--link.latency=500ns", "--pfc.profile=detail", "--pfc.mode=pfc"},
                  arguments{"--link.latency=1us", "--pfc.mode=pause"}}) {
                arguments args = base;
                args.insert(args.end(), more.begin(), more.end());
                args.push_back("--switch.memory_cell=" + std::string(cell));
                args.push_back("--link.rate=" + std::string(rate));
                const outcome dry = run_program(where, args);
                ASSERT_EQ(dry.status, 0) << dry.err;
                const std::size_t begin = dry.out.find("needed ") + 7;
                const long long needed = std::stoll(dry.out.substr(begin));
                const std::size_t at = dry.out.find("weir headroom ");
                ASSERT_NE(at, std::string::npos) << dry.out;
                std::istringstream words(dry.out.substr(at + 5, dry.out.find('\n', at) - at - 5));
                arguments command;
                for (std::string word; words >> word && word[0] != '(';) {
                    command.push_back(word);
                }
                command.push_back("--format=json");
                const outcome budget = run_program(where, command);
                ASSERT_EQ(budget.status, 0) << budget.err;
                const json made = json::parse(budget.out);
                const json& first = made.is_array() ? made[0] : made;
                EXPECT_EQ(first["headroom_bytes"], needed) << dry.out << budget.out;
                ++commands;
            }
        }
    }
    EXPECT_EQ(commands, 45U);
}

}  // namespace
}  // namespace weir::test
