// Descriptions of fields, and the checks that follow from them.
#include "weir/base/config_field.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "weir/base/units.h"

namespace weir {
namespace {

struct part_config {
    bytes cell{64};

    template <class Fields>
    static void describe(Fields& fields, const std::string& tier) {
        using self = typename Fields::config;
        fields(field((tier + "_cell").c_str(), &self::cell).range(16_B, 4096_B));
    }
};

struct whole_config {
    std::uint32_t banks = 1;
    part_config part;
    std::optional<bytes> pool;
    std::array<unsigned, 3> weights{1, 2, 3};
    std::optional<std::vector<unsigned>> classes;
    std::string name = "a";
    bool is_on = false;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("banks", &self::banks).range(1, 256).help("Banks.").source("project"));
        fields.part(&self::part, "upper");
        fields(field("pool", &self::pool).range(1_B, 2_B));
        fields(field("weights", &self::weights).range(0, 7));
        fields(field("other.classes", &self::classes).range(0, 7));
        fields(
            field("name", &self::name).rule("a name", [](const std::string& text) { return !text.empty(); }));
        fields(field("is_on", &self::is_on));
    }
};

TEST(config_field, fields_come_in_order_with_those_of_parts_among_them) {
    whole_config config;
    std::vector<std::string> names;
    for_each_field(config, [&](const auto& described, auto& value) {
        names.emplace_back(described.name);
        EXPECT_EQ(&value, &value);
    });
    EXPECT_EQ(names, (std::vector<std::string>{"banks", "upper_cell", "pool", "weights", "other.classes",
                                               "name", "is_on"}));
}

TEST(config_field, ranges_apply_to_each_value_of_a_list_and_to_what_is_set) {
    whole_config config;
    EXPECT_TRUE(errors_are(check_ranges(config, "m").take(), {}));
    config.banks = 0;
    config.part.cell = 1_B;
    config.pool = 3_B;
    config.weights = {1, 9, 8};
    config.classes = {0, 8};
    config.name = "";
    EXPECT_TRUE(errors_are(check_ranges(config, "m").take(),
                           {"m.banks: 0, 1 to 256", "m.upper_cell: 1B, 16B to 4KiB", "m.pool: 3B, 1B to 2B",
                            "m.weights: 9, 0 to 7", "other.classes: 8, 0 to 7", "m.name: '', name"}));
}

TEST(config_field, a_description_has_what_was_said_and_nothing_else) {
    const auto described = field("banks", &whole_config::banks)
                               .range(1, 256)
                               .needs("sram.access_time above 0", "switch.buffer = shared")
                               .help("Banks.")
                               .source("project")
                               .formerly("sram.bank_count")
                               .after("ports")
                               .not_in_results();
    EXPECT_STREQ(described.name, "banks");
    EXPECT_STREQ(static_cast<const field_facts&>(described).help, "Banks.");
    EXPECT_STREQ(static_cast<const field_facts&>(described).source, "project");
    EXPECT_STREQ(static_cast<const field_facts&>(described).needs[1], "switch.buffer = shared");
    EXPECT_EQ(static_cast<const field_facts&>(described).needs[2], nullptr);
    EXPECT_STREQ(described.old_names[0], "sram.bank_count");
    EXPECT_STREQ(static_cast<const field_facts&>(described).after, "ports");
    EXPECT_FALSE(described.in_results);
    EXPECT_FALSE(described.is_path || described.is_share || described.is_repeated);
    EXPECT_FALSE(field("is_on", &whole_config::is_on).limits().are_set());
}

}  // namespace
}  // namespace weir
