// Options that cannot matter in the fabric that is built are told as idle.
#include "tb/run/checks/run_checks.h"

#include <gtest/gtest.h>

#include "tb/run/setup/prepare_run.h"

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

texts idle(texts options) {
    const loaded_config loaded = load_config(options);
    EXPECT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
    texts all;
    for (const config_error& each : idle_in_fabric(loaded, build_topology(loaded.config))) {
        all.push_back(format_error(each));
    }
    return all;
}

const std::string no_paths =
    ": has no effect; it needs a fabric in which some switch has several shortest paths to a host";

TEST(idle_in_fabric, choices_of_a_path_need_equal_paths) {
    for (const char* choice : {"adaptive", "packet_scatter", "least_loaded"}) {
        const std::string option = std::string("--switch.balance=") + choice;
        for (const char* topology : {"single", "dumbbell"}) {
            EXPECT_EQ(idle({option, std::string("--fabric.topology=") + topology}),
                      texts{"command line: switch.balance" + no_paths});
        }
        EXPECT_EQ(idle({option, "--fabric.topology=racks", "--fabric.roots=1"}),
                  texts{"command line: switch.balance" + no_paths});
        EXPECT_EQ(idle({option, "--fabric.topology=racks", "--fabric.roots=2"}), texts{});
        EXPECT_EQ(idle({option, "--fabric.topology=racks", "--fabric.roots=1", "--fabric.links_per_root=2"}),
                  texts{});
        EXPECT_EQ(idle({option, "--fabric.topology=fat_tree"}), texts{});
    }
    EXPECT_EQ(idle({"--switch.balance=flow_hash"}), texts{});
    EXPECT_EQ(idle({"--tcp.path_choice=flowbender", "--tcp.congestion=dctcp"}),
              texts{"command line: tcp.path_choice" + no_paths});
    EXPECT_EQ(idle({"--traffic.transport=udp", "--traffic.kind=poisson", "--udp.path_every=2"}),
              texts{"command line: udp.path_every" + no_paths});
}

TEST(idle_in_fabric, a_salt_needs_equal_paths_or_detours_by_flow) {
    const texts salt{"--switch.hash_salt=none", "--fabric.topology=dumbbell"};
    EXPECT_EQ(idle(salt), texts{"command line: switch.hash_salt" + no_paths});
    EXPECT_EQ(idle({"--switch.hash_salt=per_switch"}), texts{"command line: switch.hash_salt" + no_paths});
    EXPECT_EQ(idle({"--switch.hash_salt=none", "--fabric.topology=fat_tree"}), texts{});
    texts detours = salt;
    detours.insert(detours.end(), {"--switch.overflow=detour", "--detour.policy=flow_based"});
    EXPECT_EQ(idle(detours), texts{});
    detours.back() = "--detour.policy=random";
    EXPECT_EQ(idle(detours), texts{"command line: switch.hash_salt" + no_paths});
}

TEST(idle_in_fabric, detours_need_a_neighbour) {
    EXPECT_EQ(
        idle({"--switch.overflow=detour"}),
        texts{
            "command line: switch.overflow: has no effect; it needs a fabric with links between switches, over "
            "which frames can be detoured"});
    EXPECT_EQ(idle({"--switch.overflow=detour", "--fabric.topology=dumbbell"}), texts{});
}

TEST(idle_in_fabric, of_a_scheme_only_what_it_is_named_after_is_told) {
    for (const char* scheme : {"detail", "packet_scatter", "rps"}) {
        EXPECT_EQ(idle({std::string("--switch.scheme=") + scheme}), texts{});
    }
    EXPECT_EQ(idle({"--switch.scheme=flowbender"}),
              texts{"command line: tcp.path_choice" + no_paths + " (set by switch.scheme)"});
    EXPECT_EQ(
        idle({"--switch.scheme=dibs"}),
        texts{
            "command line: switch.overflow: has no effect; it needs a fabric with links between switches, over "
            "which frames can be detoured (set by switch.scheme)"});
    for (const char* scheme : {"flowbender", "dibs"}) {
        EXPECT_EQ(idle({std::string("--switch.scheme=") + scheme, "--fabric.topology=fat_tree"}), texts{});
    }
}

TEST(idle_in_fabric, a_run_has_it_among_its_idle_options) {
    const prepared_run run = prepare_run(load_config({"--switch.balance=adaptive", "--run.duration=1ms"}));
    const std::string said = "command line: switch.balance" + no_paths;
    ASSERT_EQ(run.loaded.idle.size(), 1U);
    EXPECT_EQ(format_error(run.loaded.idle.front()), said);
    EXPECT_NE(std::find(run.warnings.begin(), run.warnings.end(), said), run.warnings.end());
}

}  // namespace
}  // namespace weir::tb
