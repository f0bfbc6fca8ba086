#include "tb/run/topology/fabric_texts.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::tb {
namespace {

topology three_hosts() {
    single_config config;
    config.hosts = 3;
    return make_topology(config);
}
std::string adapter_error(const std::string& text) {
    const parsed_adapters result = parse_adapters(three_hosts(), 4, {text});
    return result.errors.empty() ? std::string{} : result.errors[0].message;
}

TEST(adapter_texts, name_a_host_and_may_limit_classes_and_times) {
    const parsed_adapters result = parse_adapters(three_hosts(), 4, {"h1", "h2 classes=0,3 from=2ms to=9ms"});
    ASSERT_TRUE(result.errors.empty()) << result.errors[0].message;
    ASSERT_EQ(result.adapters.size(), 2U);
    EXPECT_EQ(result.adapters[0].host, 1U);
    EXPECT_EQ(result.adapters[0].classes, 0x0F);
    EXPECT_EQ(result.adapters[0].from, 0_ps);
    EXPECT_EQ(result.adapters[0].to, never);
    EXPECT_EQ(result.adapters[1].host, 2U);
    EXPECT_EQ(result.adapters[1].classes, 0x09);
    EXPECT_EQ(result.adapters[1].from, 2ms);
    EXPECT_EQ(result.adapters[1].to, 9ms);
}
TEST(adapter_texts, that_are_wrong_are_refused_with_what_is_allowed) {
    EXPECT_TRUE(has_error(adapter_error("h7"), "h7, host"));
    EXPECT_TRUE(has_error(adapter_error("tor0"), "tor0, host"));
    EXPECT_TRUE(has_error(adapter_error(""), "'', host"));
    EXPECT_TRUE(has_error(adapter_error("h1 classes=4"), "4, 0 to 3"));
    EXPECT_TRUE(has_error(adapter_error("h1 classes="), "classes=, empty"));
    EXPECT_TRUE(has_error(adapter_error("h1 classes=1,,2"), "'', whole number"));
    EXPECT_NE(adapter_error("h1 from=2").find("from=2"), std::string::npos);
    EXPECT_TRUE(has_error(adapter_error("h1 from=2ms to=2ms"), "to=, above from=, 2ms"));
    EXPECT_TRUE(has_error(adapter_error("h1 from=2ms from=3ms"), "from=, twice"));
    EXPECT_TRUE(has_error(adapter_error("h1 until=2ms"), "until=2ms, classes=, from=, to="));
}

std::string error_of_two(const std::string& first, const std::string& second) {
    const parsed_adapters result = parse_adapters(three_hosts(), 4, {"h2", first, second});
    EXPECT_LE(result.errors.size(), 1U);
    if (!result.errors.empty()) {
        EXPECT_EQ(result.errors[0].key, "host.broken[2]");
        EXPECT_EQ(result.adapters.size(), 2U);
    }
    return result.errors.empty() ? std::string{} : result.errors[0].message;
}
TEST(adapter_texts, that_break_one_class_of_a_host_twice_at_a_time_are_refused_and_both_are_named) {
    EXPECT_TRUE(errors_are(error_of_two("h1 classes=1,2 from=2ms to=9ms", "h1 classes=2,3 from=4ms"),
                           {"h1 classes=2,3 from=4ms, class 2, 4ms to 9ms, h1 classes=1,2 from=2ms to=9ms, "
                            "host.broken[1], classes"}));
    EXPECT_NE(error_of_two("h1", "h1").find("breaks class 0 from 0ps on, which 'h1' (host.broken[1])"),
              std::string::npos);
    // Within, around, and by a picosecond at either end.
    for (const char* const other : {"from=3ms to=4ms", "from=1ms to=10ms", "from=1ms to=2000000001ps",
                                    "from=8999999999ps to=20ms", "from=1ms", "to=3ms"}) {
        EXPECT_NE(error_of_two("h1 from=2ms to=9ms", std::string("h1 ") + other), "") << other;
    }
    // One after the other, other classes, another host.
    for (const char* const other : {"h1 from=9ms", "h1 to=2ms", "h1 classes=0", "h0"}) {
        EXPECT_EQ(error_of_two("h1 classes=1,2,3 from=2ms to=9ms", other), "") << other;
    }
}

}  // namespace
}  // namespace weir::tb
