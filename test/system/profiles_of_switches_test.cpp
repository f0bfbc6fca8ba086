// Tables that name switches: each gets what is said of it, and no other one does.
#include <gtest/gtest.h>

#include "profiled_fabric.h"

namespace weir::test {

using namespace tb;
namespace {

// tor0 has 5 ports, tor1 3, top0 and root0 2 each. Cells of 208 B.
const char* const unlike_switches =
    "host h0\nhost h1\nhost h2\nhost h3\nswitch tor0\nswitch tor1\nswitch top0\nswitch root0\n"
    "link h0 tor0 rate=40Gbps latency=200ns\nlink h1 tor0 rate=40Gbps latency=200ns\nlink h2 tor0 rate=40Gbps "
    "latency=200ns\nlink tor0 top0 rate=40Gbps latency=200ns\nlink tor0 root0 rate=40Gbps latency=200ns\n"
    "link h3 tor1 rate=40Gbps latency=200ns\nlink tor1 top0 rate=40Gbps latency=200ns\nlink tor1 root0 "
    "rate=40Gbps latency=200ns\nend\n";

arguments fabric_of(const std::string& plan, const arguments& more) {
    return combined(
        {"--switch.buffer=shared", "--fabric.topology=file", "--fabric.file=" + plan, "--switch.classes=4",
         "--switch.memory_cell=208B", "--pfc.mode=pfc", "--shared.lossless_classes=3"},
        more);
}

TEST(profiles_of_switches, rows_reach_the_switches_and_ports_that_they_name) {
    const scratch_directory where;
    const std::string plan = where.write("plan.topo", unlike_switches);
    // Ports 2 to 4 are there at tor0, 2 alone at tor1, none at the others.
    const std::string groups = where.write("groups.csv",
                                           "switch,port,class,minimum_bytes,alpha,headroom_bytes\n"
                                           "*,*,*,208,,\n"
                                           "tor*,*,3,416,,41600\n"
                                           "*,2-4,3,,0.25,\n"
                                           "tor1,2,3,,,62400\n"
                                           "top*,0-1,0,624,,\n"
                                           "root0,1,*,832,,\n");
    const std::string queues = where.write("queues.csv",
                                           "switch,port,class,minimum_bytes\n"
                                           "*0,*,0,208\n"
                                           "tor0,4,0,416\n");
    const std::string slices = where.write("slices.csv",
                                           "switch,ingress_port,egress_port,slice\n"
                                           "tor0,*,0-2,1\n"
                                           "tor0,*,3-4,0\n"
                                           "tor1,*,*,1\n"
                                           "top*,*,*,0\n"
                                           "root*,0,*,1\n"
                                           "root*,1,*,0\n");
    const arguments all =
        fabric_of(plan, {"--shared.slices=2", "--shared.slice_map_file=" + slices,
                         "--shared.group_profiles=" + groups, "--shared.queue_profiles=" + queues});
    const profiled_fabric made = build_profiled(where, all);
    ASSERT_TRUE(made.built.errors.empty()) << format_error(made.built.errors[0]);
    const std::map<std::string, unsigned> ports_of{{"tor0", 5}, {"tor1", 3}, {"top0", 2}, {"root0", 2}};
    ASSERT_EQ(made.built.plan.switches(), ports_of.size());
    for (switch_id s = 0; s < ports_of.size(); ++s) {
        const std::string name = made.built.plan.name(node_ref::of_switch(s));
        const shared_buffer memory = made.memory(s);
        ASSERT_EQ(memory.errors().size(), 0U) << name;
        const bool is_tor = name == "tor0" || name == "tor1";
        for (unsigned port = 0; port < ports_of.at(name); ++port) {
            for (unsigned k = 0; k < 4; ++k) {
                SCOPED_TRACE(name + " port " + std::to_string(port) + " class " + std::to_string(k));
                const auto c = static_cast<pfc_class>(k);
                const group_limits& group = memory.limits(port, c);
                EXPECT_EQ(group.minimum, name == "root0" && port == 1 ? 4U
                                         : name == "top0" && k == 0   ? 3U
                                         : is_tor && k == 3           ? 2U
                                                                      : 1U);
                EXPECT_EQ(group.threshold.with(1'000), k != 3 ? 8'000U : port >= 2 ? 250U : 1'000U);
                const bool is_long = name == "tor1" && port == 2;
                if (is_tor) {
                    EXPECT_EQ(group.headroom, k != 3 ? 0U : is_long ? 300U : 200U);
                } else {
                    EXPECT_NE(group.headroom, 200U);
                }
                EXPECT_EQ(memory.queue_limits_of(port, c).minimum, k != 0 || name == "tor1"      ? 0U
                                                                   : name == "tor0" && port == 4 ? 2U
                                                                                                 : 1U);
                for (unsigned egress = 0; egress < ports_of.at(name); ++egress) {
                    const unsigned slice = name == "tor0"    ? (egress <= 2 ? 1U : 0U)
                                           : name == "tor1"  ? 1U
                                           : name == "root0" ? (port == 0 ? 1U : 0U)
                                                             : 0U;
                    EXPECT_EQ(memory.slice_of({port, c, egress}), slice);
                }
            }
        }
    }
    arguments dry = combined(all, {"--traffic.kind=incast", "--dry-run"});
    dry.insert(dry.begin(), "run");
    const outcome told = run_program(where, dry);
    for (const char* line :
         {"    slices of ingress ports 0-4, egress 0-2: 1, 3-4: 0\n",
          "    slices of ingress ports 0-2, egress 0-2: 1\n",
          "    slices of ingress ports 0, egress 0-1: 1\n    slices of ingress ports 1, egress 0-1: 0\n",
          "    class 0 lossy 0-3 208 B alpha 8 -\n    class 0 lossy 4 416 B alpha 8 -\n", " 416 B alpha 1 "}) {
        EXPECT_NE(single_blanks(told.out).find(single_blanks(line)), std::string::npos)
            << line << " is not in\n"
            << told.out << told.err;
    }
}

TEST(profiles_of_switches, each_has_the_rows_of_sonics_file_for_its_own_links) {
    const scratch_directory where;
    // tor1's link to h3 is long; tor0 has none, and more ports.
    const std::string plan =
        where.write("plan.topo",
                    "host h0\nhost h1\nhost h2\nhost h3\nswitch tor0\nswitch tor1\n"
                    "link h0 tor0 rate=40Gbps latency=25ns\nlink h1 tor0 rate=40Gbps latency=25ns\nlink h2 "
                    "tor0 rate=40Gbps latency=25ns\n"
                    "link h3 tor1 rate=40Gbps latency=1500ns\nlink tor0 tor1 rate=40Gbps latency=200ns\nend\n");
    const profiled_fabric made =
        build_profiled(where, fabric_of(plan, {"--shared.pg_profile_lookup=" +
                                               where.write("td2.ini", sonic_table("Trident2")).string()}));
    ASSERT_TRUE(made.built.errors.empty()) << format_error(made.built.errors[0]);
    const shared_buffer tor0 = made.memory(0);
    const shared_buffer tor1 = made.memory(1);
    for (const unsigned port : {0U, 1U, 2U}) {
        EXPECT_EQ(tor0.limits(port, 3).headroom, 217U) << port;  // 5 m: 45,136 B
    }
    EXPECT_EQ(tor0.limits(3, 3).headroom, 227U);  // 40 m: 47,216 B
    EXPECT_EQ(tor1.limits(0, 3).headroom, 302U);  // 300 m: 62,816 B
    EXPECT_EQ(tor1.limits(1, 3).headroom, 227U);
}

}  // namespace
}  // namespace weir::test
