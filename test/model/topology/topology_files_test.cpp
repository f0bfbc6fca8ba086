#include "weir/model/topology/topology_files.h"
#include "weir/model/topology/foreign_topology_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "support/errors_said.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

std::string golden(const std::string& name) {
    std::ifstream file(std::string(WEIR_GOLDEN_DIR) + "/topology/" + name);
    EXPECT_TRUE(file.good()) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}
topology_file own(const std::string& text, const link_properties& defaults = {}) {
    std::istringstream in(text);
    return parse_topology(in, "a.topology", defaults);
}
topology_file hpcc(const std::string& text) {
    std::istringstream in(text);
    return parse_hpcc_topology(in, "hpcc.txt");
}
htsim_topology_file htsim(const std::string& text) {
    std::istringstream in(text);
    return parse_htsim_topology(in, "x.topo");
}

/// `file:line: key: message`, one per line.
std::string printed(const config_errors& errors) {
    std::string text;
    for (const config_error& e : errors) {
        EXPECT_NE(e.message.find("expected "), std::string::npos) << e.message;
        text += e.file + ":" + std::to_string(e.line) + ": " + e.key + ": " + e.message + "\n";
    }
    return text;
}
/// Keys with their lines, such as `3 rate, 4 link, `.
std::string places(const config_errors& errors) {
    std::string text;
    printed(errors);
    for (const config_error& e : errors) {
        text += std::to_string(e.line) + " " + e.key + ", ";
    }
    return text;
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void expect_same(const topology& a, const topology& b) {
    ASSERT_EQ(a.hosts(), b.hosts());
    ASSERT_EQ(a.switches(), b.switches());
    ASSERT_EQ(a.links().size(), b.links().size());
    for (std::uint32_t i = 0; i < a.nodes(); ++i) {
        EXPECT_EQ(a.name(a.node_at(i)), b.name(b.node_at(i)));
        EXPECT_EQ(a.ports(a.node_at(i)), b.ports(b.node_at(i)));
        if (i < a.hosts()) {
            EXPECT_EQ(a.address_of(i), b.address_of(i));
        } else {
            EXPECT_EQ(a.tier(i - a.hosts()), b.tier(i - a.hosts()));
        }
    }
    for (link_id l = 0; l < a.links().size(); ++l) {
        EXPECT_EQ(a.link(l).name, b.link(l).name);
        EXPECT_EQ(a.link(l).rate, b.link(l).rate);
        EXPECT_EQ(a.link(l).latency, b.link(l).latency);
        EXPECT_EQ(a.link(l).bit_error_rate, b.link(l).bit_error_rate);
        EXPECT_EQ(a.link(l).frame_error_rate, b.link(l).frame_error_rate);
    }
}

const char* const two_hosts =
    "# a comment\n"
    "host h0\n"
    "host h1   # another\n"
    "switch s0 tier=1\n"
    "\n"
    "link h0 s0 rate=10Gbps latency=1us\n"
    "link h1 s0 rate=2.5Gbps latency=1.6us ber=1e-12 fer=0.25 name=lossy\n"
    "end\n";

TEST(topology_files, own_format_reads_nodes_links_and_their_properties) {
    const topology_file f = own(two_hosts);
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_TRUE(f.warnings.empty());
    EXPECT_EQ(f.fabric.hosts(), 2U);
    EXPECT_EQ(f.fabric.tier(0), 1U);
    EXPECT_EQ(f.fabric.link(0).rate, 10_Gbps);
    EXPECT_EQ(f.fabric.link(0).name, "h0-s0");
    EXPECT_EQ(f.fabric.link(1).rate, 2500_Mbps);
    EXPECT_EQ(f.fabric.link(1).latency, 1600ns);
    EXPECT_EQ(f.fabric.link(1).bit_error_rate, 1e-12);
    EXPECT_EQ(f.fabric.link(1).frame_error_rate, 0.25);
    EXPECT_EQ(f.fabric.link(1).name, "lossy");
}

TEST(topology_files, own_format_does_not_care_for_the_order_of_lines_or_line_ends) {
    const topology_file f =
        own("link h0 s0 rate=1Gbps latency=1us\r\nswitch s0\r\nlink s0 h1 latency=1us rate=1Gbps\r\n"
            "host h1\r\nhost h0\r\nend");
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_EQ(f.fabric.name(node_ref::of_host(0)), "h1");
    EXPECT_EQ(f.fabric.edge_port(1), 0U);
}

TEST(topology_files, what_is_written_reads_back_as_the_same_fabric) {
    topology odd = own(two_hosts).fabric;
    fat_tree_config tree;
    tree.k = 4;
    tree.core_link = {bit_rate{12'345'678'901}, 1234567_ps};
    pods_config pods;
    pods.links_per_agg = 2;
    for (const topology& t :
         {odd, make_topology(single_config{}), make_topology(dumbbell_config{}), make_topology(racks_config{}),
          make_topology(pods), make_topology(tree), hpcc(golden("hpcc/fat.txt")).fabric,
          htsim(golden("htsim/fat_tree_128_4os.topo")).fabric}) {
        const topology_file again = own(write_topology(t));
        EXPECT_EQ(printed(again.errors), "");
        expect_same(t, again.fabric);
        EXPECT_EQ(write_topology(again.fabric), write_topology(t));
    }
}

TEST(topology_files, a_tier_given_twice_is_a_mistake) {
    const topology_file f = own("host h0\nhost h1\nswitch s0 tier=1 tier=2\nlink h0 s0\nlink h1 s0\nend\n");
    ASSERT_FALSE(f.errors.empty());
    EXPECT_EQ(f.errors[0].line, 3);
    EXPECT_TRUE(errors_are(f.errors[0].message, {"twice"}));
}

TEST(topology_files, every_mistake_of_a_file_is_reported_at_once_with_its_line) {
    const topology_file f =
        own("host h0\n"                                          // 1
            "host\n"                                             // 2: no name
            "hots h1\n"                                          // 3: unknown keyword
            "switch s0 tier=-1\n"                                // 4: negative
            "switch s1 color=red\n"                              // 5: unknown word
            "link h0 s0 rate=10 latency=1us\n"                   // 6: no unit
            "link h0 s9 rate=10Gbps latency=1us\n"               // 7: unknown node
            "link s0 s0 rate=10Gbps latency=1us\n"               // 8: self link
            "link h0 s1 rate=-10Gbps latency=1us\n"              // 9: negative; second link of h0
            "link s0 s1 rate=10Gbps latency=0us\n"               // 10: zero
            "link s0 s1 rate=10Gbps\n"                           // 11: latency is missing
            "link s0 s1 rate=1Gbps latency=1us ber=2 speed=3\n"  // 12: range, unknown word
            "link s0 s1 rate=1Gbps latency=1us latency=2us\n"    // 13: twice
            "link s0\n"                                          // 14: one end
            "end now\n"                                          // 15
            "host late\n");                                      // 16
    EXPECT_EQ(places(f.errors),
              "2 host, 3 hots, 4 tier, 5 switch, 6 rate, 7 link, 8 link s0-s0, 9 rate, 9 host h0, "
              "10 latency, 11 latency, 12 ber, 12 link, 13 latency, 14 link, 15 end, 16 host, ");
    EXPECT_TRUE(has_error(printed(f.errors), "a.topology:6: rate: 10, unit"));
    EXPECT_NE(printed(f.errors).find("unknown node 's9'"), std::string::npos);
    EXPECT_TRUE(has_error(printed(f.errors), "-10Gbps, negative"));
}

TEST(topology_files, a_file_cut_anywhere_is_an_error) {
    const std::string whole = two_hosts;
    for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
        EXPECT_FALSE(own(whole.substr(0, length)).errors.empty()) << "cut at " << length;
    }
    EXPECT_TRUE(own(whole.substr(0, whole.size() - 1)).errors.empty());
}

TEST(topology_files, links_may_take_their_rate_and_latency_from_defaults) {
    const std::string text = "host h0\nswitch s0\nlink h0 s0\nend\n";
    EXPECT_EQ(places(own(text).errors), "3 rate, 3 latency, ");
    const topology_file f = own(text, {1_Gbps, 6600ns});
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_EQ(f.fabric.link(0).rate, 1_Gbps);
    EXPECT_EQ(f.fabric.link(0).latency, 6600ns);
}

TEST(topology_files, what_only_the_whole_shows_has_a_line_too) {
    const topology_file f =
        own("host h0\nhost h0\nhost h1\nswitch s0\nswitch s1\nlink h0 s0 rate=1Gbps latency=1us\nend\n");
    EXPECT_EQ(places(f.errors), "2 host h0, 2 host h0, 3 host h1, 5 switch s1, ");
}

TEST(topology_files_golden, hpcc_counts_govern_and_what_follows_is_ignored_with_a_warning_of_how_much) {
    const topology_file f = hpcc(golden("hpcc/topology.txt"));
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_EQ(f.fabric.hosts(), 65U);
    EXPECT_EQ(f.fabric.switches(), 1U);
    EXPECT_EQ(f.fabric.links().size(), 65U);
    EXPECT_EQ(f.fabric.link(0).rate, 100_Gbps);
    EXPECT_EQ(f.fabric.link(0).latency, 1us);
    // The switch has id 0, so that host 0 is node 1.
    EXPECT_EQ(f.fabric.name(node_ref::of_switch(0)), "0");
    EXPECT_EQ(f.fabric.name(node_ref::of_host(0)), "1");
    ASSERT_EQ(f.warnings.size(), 1U);
    // 191 more links and 5 lines of prose; an empty line between them does not count.
    EXPECT_EQ(f.warnings[0], "hpcc.txt:68: 196 lines after the 65 declared links are ignored");
}

TEST(topology_files_golden, hpcc_fat_tree_has_its_tiers_pods_and_paths) {
    const topology_file f = hpcc(golden("hpcc/fat.txt"));
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_TRUE(f.warnings.empty());
    EXPECT_EQ(f.fabric.hosts(), 320U);
    EXPECT_EQ(f.fabric.links().size(), 480U);
    for (switch_id s = 0; s < 56; ++s) {
        EXPECT_EQ(f.fabric.tier(s), s < 20 ? 1U : s < 40 ? 2U : 3U);
        EXPECT_EQ(f.fabric.port_count(s), s < 20 ? 20U : s < 40 ? 8U : 5U);
        EXPECT_EQ(f.fabric.name(node_ref::of_switch(s)), std::to_string(320 + s));
    }
    EXPECT_EQ(to_text(f.fabric.address_of(319)), "10.4.3.16");
    EXPECT_EQ(shortest_paths(f.fabric, all_links_up(f.fabric), 0, 319).paths, 16U);
    EXPECT_EQ(f.fabric.fastest_rate(0), 400_Gbps);
}

const char* const small_hpcc =
    "4 2 3\n"
    "1 3\n"
    "0 1 100Gbps 0.001ms 0\n"
    "1 3 100Gbps 1000ns 0.5\n"
    "2 3 25Gbps 1us 0.000000\n";

TEST(topology_files, hpcc_hosts_are_the_ids_that_are_no_switches_in_ascending_order) {
    const topology_file f = hpcc(small_hpcc);
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_EQ(f.fabric.find_node("2"), node_ref::of_host(1));
    EXPECT_EQ(f.fabric.find_node("3"), node_ref::of_switch(1));
    EXPECT_EQ(f.fabric.link(1).frame_error_rate, 0.5);
    EXPECT_EQ(f.fabric.link(1).bit_error_rate, 0);
    // Ids on more than one line mean the same.
    EXPECT_TRUE(hpcc(replaced(small_hpcc, "1 3\n", "1\n3\n")).errors.empty());
}

TEST(topology_files, hpcc_mistakes_are_found) {
    const auto with = [](const std::string& from, const std::string& to) {
        return places(hpcc(replaced(small_hpcc, from, to)).errors);
    };
    EXPECT_EQ(with("2 3 25", "9 3 25"), "5 node, ");
    EXPECT_EQ(with("2 3 25", "-2 3 25"), "5 node, ");
    EXPECT_EQ(with("100Gbps 0.001ms", "100 0.001"), "3 rate, 3 latency, ");
    EXPECT_EQ(with("0 1 100Gbps", "0 1 -100Gbps"), "3 rate, ");
    EXPECT_EQ(with("1us 0.000000", "1us 1.5"), "5 error_rate, ");
    EXPECT_EQ(with("1us 0.000000", "1us"), "5 link, ");
    EXPECT_EQ(with("1us", "0us"), "5 latency, ");
    EXPECT_EQ(with("2 3 25", "3 3 25"), "1 host 2, 5 link 3-3, ");
    EXPECT_EQ(with("1 3\n", "1 1\n"), "2 switches, ");
    EXPECT_EQ(with("1 3\n", "1 3 2\n"), "2 switches, ");
    EXPECT_EQ(with("1 3\n", "1 4\n"), "2 switches, ");
    EXPECT_EQ(with("4 2 3", "4 2"), "1 nodes switches links, ");
    EXPECT_EQ(with("4 2 3", "4 2 -3"), "1 links, ");
    EXPECT_EQ(with("4 2 3", "4 5 3"), "1 switches, ");
    EXPECT_EQ(with("4 2 3", "4 2 2"), "1 links, ");
    EXPECT_EQ(with("4 2 3", "99999999999999999999 2 3"), "1 nodes, ");
    EXPECT_EQ(with("4 2 3", "4 2 4"), "5 links, ");
    EXPECT_EQ(places(hpcc("").errors), "1 nodes switches links, ");
    // No hosts are made that the file has no links for.
    const topology_file promised = hpcc("16777216 0 16777216\n");
    EXPECT_EQ(places(promised.errors), "1 links, ");
    EXPECT_EQ(promised.fabric.hosts(), 0U);
    // Host 2 has two links (and node 0 has none).
    EXPECT_EQ(with("0 1 100", "2 1 100"), "1 host 0, 5 host 2, ");
}

TEST(topology_files, an_hpcc_file_cut_anywhere_is_an_error_or_leaves_a_whole_number) {
    const std::string whole = small_hpcc;
    // The last word `0.000000` may lose digits without a trace; nothing before it may.
    const std::size_t last_word = whole.rfind(' ') + 1;
    for (std::size_t length = 0; length <= last_word; ++length) {
        EXPECT_FALSE(hpcc(whole.substr(0, length)).errors.empty()) << "cut at " << length;
    }
}

struct htsim_case {
    const char* file;
    unsigned hosts, tors, aggs, cores;
    std::size_t links;
    std::uint64_t paths;
    bit_rate rate;
};

TEST(topology_files_golden, the_four_htsim_files_give_their_fat_trees) {
    const htsim_case cases[] = {
        {"htsim/fat_tree_128_1os.topo", 128, 32, 32, 16, 384, 16, 100_Gbps},
        {"htsim/fat_tree_128_4os.topo", 128, 32, 32, 4, 128 + 128 + 32, 4, 100_Gbps},
        {"htsim/fat_tree_1024_1os.topo", 1024, 128, 128, 64, 3 * 1024, 64, 200_Gbps},
        {"htsim/fat_tree_8192_1os.topo", 8192, 512, 512, 256, 3 * 8192, 256, 100_Gbps},
    };
    for (const htsim_case& c : cases) {
        const htsim_topology_file f = htsim(golden(c.file));
        EXPECT_EQ(printed(f.errors), "") << c.file;
        EXPECT_EQ(f.tiers, 3U);
        std::map<unsigned, unsigned> tiers;
        for (switch_id s = 0; s < f.fabric.switches(); ++s) {
            ++tiers[f.fabric.tier(s)];
        }
        EXPECT_EQ(f.fabric.hosts(), c.hosts);
        EXPECT_EQ(tiers[1], c.tors);
        EXPECT_EQ(tiers[2], c.aggs);
        EXPECT_EQ(tiers[3], c.cores);
        EXPECT_EQ(f.fabric.links().size(), c.links);
        for (const topology_link& l : f.fabric.links()) {
            ASSERT_EQ(l.rate, c.rate);
            ASSERT_EQ(l.latency, 1us);
        }
        EXPECT_EQ(shortest_paths(f.fabric, all_links_up(f.fabric), 0, c.hosts - 1).paths, c.paths);
        EXPECT_EQ(f.oversubscription[1], c.cores == 4 ? 4U : 1U);
        EXPECT_EQ(f.switch_latency[0], 0ns);
    }
}

TEST(topology_files, htsim_wires_aggregation_switch_j_to_every_core_that_leaves_rest_j) {
    const topology t = htsim(golden("htsim/fat_tree_128_1os.topo")).fabric;
    EXPECT_TRUE(t.find_link("agg5.1-core1"));
    EXPECT_TRUE(t.find_link("agg5.1-core13"));
    EXPECT_FALSE(t.find_link("agg5.1-core4"));
}

TEST(topology_files, htsim_switch_latency_bundles_rates_and_two_tiers_are_honoured) {
    const std::string two_tiers =
        "Nodes 32\nTiers 2\nPodsize 32\n"
        "Tier 0\nOversubscribed 2\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 4\n"
        "Downlink_Latency_ns 500\nSwitch_Latency_ns 40\nQueue_Up 1000\n"
        "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nDownlink_Latency_ns 700\nSwitch_Latency_ns 60\n"
        "Bundle 2\n";
    const htsim_topology_file f = htsim(two_tiers);
    EXPECT_EQ(printed(f.errors), "");
    EXPECT_EQ(f.tiers, 2U);
    EXPECT_EQ(f.fabric.switches(), 4U + 2U);
    EXPECT_EQ(f.fabric.links().size(), 32U + 4U * 2U * 2U);
    EXPECT_EQ(f.fabric.link(0).latency, 500ns);
    EXPECT_EQ(f.fabric.links().back().latency, 700ns);
    EXPECT_EQ(f.switch_latency[0], 40ns);
    EXPECT_EQ(f.switch_latency[1], 60ns);
    EXPECT_EQ(f.oversubscription[0], 2U);
    ASSERT_EQ(f.warnings.size(), 1U);
    EXPECT_NE(f.warnings[0].find("x.topo:11: Queue_Up is ignored"), std::string::npos);
}

TEST(topology_files, htsim_mistakes_are_found) {
    const std::string whole = golden("htsim/fat_tree_128_4os.topo");
    const auto with = [&](const std::string& from, const std::string& to) {
        return places(htsim(replaced(whole, from, to)).errors);
    };
    EXPECT_EQ(with("Radix_Up 4", "Radix_Sideways 4"), "10 Radix_Sideways, 28 radix_up, ");
    EXPECT_EQ(with("Nodes 128", "Nodes -128"), "2 Nodes, ");
    EXPECT_EQ(with("Nodes 128", "Nodes 120"), "2 nodes, ");
    EXPECT_EQ(with("Podsize 16", "Podsize 18"), "2 nodes, 4 podsize, ");
    EXPECT_EQ(with("Radix_Up 1", "Radix_Up 2"), "15 oversubscribed, ");
    EXPECT_EQ(with("Radix_Down 8", "Radix_Down 9"), "25 radix_down, ");
    EXPECT_EQ(with("Tiers 3", "Tiers 4"), "3 Tiers, ");
    EXPECT_EQ(with("Tier 1", "Tier 0"),
              "15 Oversubscribed, 16 Downlink_speed_Gbps, 17 Radix_Down, 18 Radix_Up, "
              "19 Downlink_Latency_ns, 20 Switch_Latency_ns, 28 downlink_speed_gbps, 28 radix_down, "
              "28 downlink_latency_ns, 28 radix_up, ");
    EXPECT_EQ(with("Downlink_Latency_ns 1000", "Downlink_Latency_ns 0"), "11 Downlink_Latency_ns, ");
    EXPECT_EQ(with("Podsize 16", "Podsize"), "4 Podsize, 28 podsize, ");
    EXPECT_NE(printed(htsim(whole.substr(0, whole.size() / 2)).errors).find("has it been truncated?"),
              std::string::npos);
}

}  // namespace
}  // namespace weir::model
