// Each table of a SONiC config_db.json, as it is read.
#include "tb/asic/sonic/config_db.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "tb/asic/sonic/sonic_messages.h"
#include "tb/support/process/error_text.h"
#include "tb/support/text/port_text.h"

namespace weir::tb {
namespace {

config_db read(const std::string& tables) {
    return read_config_db(
        "{\"PORT\": {\"Ethernet100\": {\"speed\": \"100000\"}, \"Ethernet8\": {\"speed\": "
        "\"40000\"}, \"Ethernet-BP0\": {}}, \"BUFFER_POOL\": {\"in\": {\"type\": \"ingress\", "
        "\"mode\": \"dynamic\", \"size\": \"1000\", \"xoff\": \"200\"}, \"out\": {\"type\": "
        "\"egress\", \"mode\": \"static\", \"size\": \"3000\"}}, \"BUFFER_PROFILE\": {\"a\": "
        "{\"pool\": \"in\", \"size\": \"96\", \"xon\": \"10\", \"xon_offset\": \"20\", "
        "\"xoff\": \"300\", \"dynamic_th\": \"-3\"}, \"b\": {\"pool\": \"[BUFFER_POOL|out]\", "
        "\"size\": 7, \"static_th\": \"3000\"}}" +
            tables + "}",
        "file");
}

TEST(config_db, ports_are_in_the_order_of_their_numbers) {
    const config_db made = read("");
    ASSERT_TRUE(made.errors.empty()) << made.errors[0].message;
    ASSERT_EQ(made.ports.size(), 2U);
    EXPECT_EQ(made.ports[0].name, "Ethernet8");
    EXPECT_EQ(made.ports[0].speed, 40_Gbps);
    EXPECT_EQ(made.ports[1].name, "Ethernet100");
    EXPECT_EQ(made.warnings, std::vector<std::string>{
                                 "file: PORT: has ports that are not at the front, which the model does not "
                                 "have: Ethernet-BP0"});
}

TEST(config_db, pools_and_profiles_have_their_fields) {
    const config_db made = read("");
    ASSERT_EQ(made.pools.size(), 2U);
    EXPECT_TRUE(made.pools[0].is_of(sonic_side::ingress));
    EXPECT_EQ(made.pools[0].size, 1'000_B);
    EXPECT_TRUE(made.pools[0].has_headroom_pool());
    EXPECT_FALSE(made.pools[1].is_of(sonic_side::ingress));
    EXPECT_FALSE(made.pools[1].has_headroom_pool());
    EXPECT_EQ(made.pool_named("out"), 1U);
    EXPECT_EQ(made.pool_named("other"), sonic_buffer::none);
    ASSERT_EQ(made.profiles.size(), 2U);
    EXPECT_EQ(made.profiles[0].size, 96_B);
    EXPECT_EQ(made.profiles[0].dynamic_th, -3);
    EXPECT_EQ(made.profiles[0].xon, 10_B);
    EXPECT_EQ(made.profiles[0].xon_offset, 20_B);
    EXPECT_EQ(made.profiles[0].xoff, 300_B);
    EXPECT_FALSE(made.profiles[0].static_th.has_value());
    EXPECT_EQ(made.profiles[1].pool, 1U);
    EXPECT_EQ(made.profiles[1].size, 7_B);
    EXPECT_EQ(made.profiles[1].static_th, 3'000_B);
}

TEST(config_db, groups_and_queues_have_the_profiles_of_their_entries) {
    const config_db made = read(
        ", \"BUFFER_PG\": {\"Ethernet8,Ethernet100|3-4\": {\"profile\": \"[BUFFER_PROFILE|a]\"}, "
        "\"Ethernet8|0\": "
        "{\"profile\": \"NULL\"}}, \"BUFFER_QUEUE\": {\"Ethernet100|5\": {\"profile\": \"b\"}, "
        "\"Ethernet8|8-9\": "
        "{\"profile\": \"b\"}}");
    ASSERT_TRUE(made.errors.empty()) << made.errors[0].message;
    for (const sonic_port& port : made.ports) {
        for (unsigned n = 0; n < sonic_classes; ++n) {
            EXPECT_EQ(port.groups[n].profile, n == 3 || n == 4 ? 0 : sonic_buffer::none) << n;
            EXPECT_EQ(port.queues[n].profile, n == 5 && port.name == "Ethernet100" ? 1 : sonic_buffer::none);
        }
    }
    EXPECT_EQ(made.ports[0].groups[4].entry, "Ethernet8,Ethernet100|3-4");
    EXPECT_EQ(made.ports[0].groups[0].entry, "Ethernet8|0");
    EXPECT_EQ(made.warnings.size(), 2U);
    EXPECT_EQ(made.warnings.back(), "file: BUFFER_QUEUE: has queues above 7, which the model does not have");
}

TEST(config_db, maps_priorities_and_cables_are_those_of_the_port) {
    const config_db made = read(
        ", \"CABLE_LENGTH\": {\"AZURE\": {\"Ethernet8\": \"300m\"}}, \"TC_TO_PRIORITY_GROUP_MAP\": {\"M\": "
        "{\"1\": \"0\", \"2\": \"0\"}}, \"TC_TO_QUEUE_MAP\": {\"M\": {\"7\": \"6\"}}, "
        "\"MAP_PFC_PRIORITY_TO_QUEUE\": {\"M\": {\"2\": \"3\"}}, \"PORT_QOS_MAP\": {\"global\": "
        "{\"dscp_to_tc_map\": \"M\"}, \"Ethernet8\": {\"tc_to_pg_map\": \"M\", \"tc_to_queue_map\": "
        "\"[TC_TO_QUEUE_MAP|M]\", \"pfc_to_queue_map\": \"M\", \"pfc_enable\": \"3,4\"}}");
    ASSERT_TRUE(made.errors.empty()) << made.errors[0].message;
    const sonic_port& port = made.ports[0];
    EXPECT_EQ(port.cable, 300);
    EXPECT_FALSE(made.ports[1].cable.has_value());
    EXPECT_EQ(port.tc_to_pg, (sonic_map{0, 0, 0, 3, 4, 5, 6, 7}));
    EXPECT_EQ(port.tc_to_queue, (sonic_map{0, 1, 2, 3, 4, 5, 6, 6}));
    EXPECT_EQ(port.pfc_to_queue, (sonic_map{0, 1, 3, 3, 4, 5, 6, 7}));
    EXPECT_EQ(port.pfc_to_pg, identity_map);
    EXPECT_EQ(port.pfc_enable, 0b0001'1000);
    EXPECT_EQ(classes_text(port.pfc_enable), "3,4");
    EXPECT_EQ(lossless_priorities(made), 0b0001'1000);
    EXPECT_EQ(made.ports[1].qos_entry, "");
}

// Several switches of the model may have the same file.
TEST(config_db, a_message_counts_each_entry_once) {
    sonic_messages said("file");
    for (int device = 0; device < 2; ++device) {
        for (const char* const port : {"PORT|Ethernet0", "PORT|Ethernet4", "PORT|Ethernet8"}) {
            said.warn(port, "has no speed");
        }
    }
    said.warn("BUFFER_PG|Ethernet0", "has no speed");
    EXPECT_EQ(said.warnings(),
              (std::vector<std::string>{"file: PORT|Ethernet0: has no speed; this applies to 3 entries",
                                        "file: BUFFER_PG|Ethernet0: has no speed"}));
}

// All mistakes are told at once, at most 20.
TEST(config_db, all_mistakes_are_told) {
    const config_db made =
        read(", \"BUFFER_PG\": {\"Ethernet9|3\": {\"profile\": \"nothing\"}, \"x\": {}, \"y\": 3}");
    ASSERT_EQ(made.errors.size(), 4U);
    EXPECT_TRUE(errors_are(format_error(made.errors[0]),
                           {"file: BUFFER_PG|Ethernet9|3: profile: nothing, BUFFER_PROFILE"}));
    EXPECT_TRUE(
        errors_are(format_error(made.errors[1]), {"file: BUFFER_PG|Ethernet9|3: Ethernet9, PORT, Ethernet8"}));
    EXPECT_TRUE(
        errors_are(format_error(made.errors[2]), {"file: BUFFER_PG|x: PORT|NUMBERS, Ethernet0|3-4, VOQ"}));
    EXPECT_TRUE(errors_are(format_error(made.errors[3]), {"file: BUFFER_PG|y: 3, object"}));
    EXPECT_EQ(lossless_priorities(made), 0U);
    for (const char* const text : {"", "[]", "{}", "3", "{\"PORT\": 3}", "{\"PORT\": {\"Ethernet0\": []}}"}) {
        EXPECT_FALSE(read_config_db(text, "file").errors.empty()) << text;
    }
}

}  // namespace
}  // namespace weir::tb
