// What follows from a description: values, ranges, help, conditions, order, and old names.
#include "tb/run/fields/option_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "loaded_ini.h"
#include "policer_options.h"
#include "support/errors_said.h"
#include "tb/run/fields/load_options.h"
#include "tb/run/help/option_help.h"

namespace weir::tb {
namespace {

using example::policer_options;
using test::texts;
using test::texts_of;

loaded_options load_policer(policer_options& policer, const std::string& ini, const texts& args = {}) {
    option_table table;
    table.block("policer", "Policers.").add(policer);
    table.finish();
    std::istringstream in(ini);
    loaded_options loaded;
    load_options(loaded, table, args, {{"x.ini", &in}});
    return loaded;
}

TEST(option_table, an_option_follows_from_its_field_and_description) {
    policer_options policer;
    EXPECT_TRUE(errors_are(load_policer(policer, "[policer]\nthreshold = 30KB\ngain = 12.5%\n").errors, {}));
    EXPECT_EQ(policer.threshold, 30'000_B);
    EXPECT_EQ(policer.gain, 0.125);
    EXPECT_TRUE(errors_are(
        load_policer(policer, "[policer]\nthreshold = 11MB\n", {"--policer.gain=0"}).errors,
        {"x.ini:2: policer.threshold: 11MB, 0B to 10MB", "policer.gain: 0, above 0%, at most 100%"}));
    policer.threshold = bytes{-1};
    EXPECT_TRUE(errors_are(check_ranges(policer, "policer").take(), {"policer.threshold: -1B, 0B to 10MB"}));

    option_table table;
    policer_options defaults;
    table.block("policer", "Policers.").add(defaults);
    table.finish();
    std::ostringstream help;
    write_blocks(help, table);
    EXPECT_NE(help.str().find(
                  "  --policer.threshold = 0B\n"
                  "      A frame is dropped if it comes to a bucket that holds less than this. 0: no policer.\n"
                  "      Unit: bytes. Allowed: 0B to 10MB. Default: 0B. Source: project.\n"),
              std::string::npos)
        << help.str();
}

TEST(option_table, a_bare_number_that_is_meant_in_percent_is_told_so) {
    double share = 0.5;
    field_limits<double> limits;
    limits.set_range({0.0, 10.0, range_ends::low_excluded});
    const auto print = [](const double& value) { return share_form::format(value); };
    typed_value<double, share_form> one(share, limits, print);
    EXPECT_TRUE(errors_are(one.assign("150"), {"150, above 0%, at most 1000%, 150%"}));
    EXPECT_TRUE(errors_are(one.assign("5000"), {"5000, above 0%, at most 1000%"}));
    EXPECT_TRUE(errors_are(one.assign("-5"), {"-5, above 0%, at most 1000%"}));
    EXPECT_TRUE(errors_are(one.assign("1500%"), {"1500%, above 0%, at most 1000%"}));
    EXPECT_EQ(share, 0.5);
    std::vector<double> shares;
    using list = list_form<std::vector<double>, share_form>;
    EXPECT_TRUE(errors_are((typed_value<std::vector<double>, list>(shares, limits, print).assign("10%, 70")),
                           {"10%, 70, above 0%, at most 1000%, 10%, 70%"}));
    std::optional<double> choice;
    using optional = optional_form<share_form, double>;
    EXPECT_NE((typed_value<std::optional<double>, optional>(choice, limits, print).assign("70"))
                  .find("write 70% for"),
              std::string::npos);
    // Other numbers have no percent.
    limits.set_range({0.0, 1.0});
    EXPECT_TRUE(errors_are(
        (typed_value<double>(share, limits, [](const double& value) { return field_text(value); }).assign("5")),
        {"5, 0 to 1"}));
}

TEST(option_table, a_condition_is_what_it_says) {
    policer_options policer;
    EXPECT_EQ(texts_of(load_policer(policer, "", {"--policer.gain=5%"}).warnings),
              texts{"command line: policer.gain: has no effect; it needs policer.threshold above 0"});
    EXPECT_EQ(texts_of(load_policer(policer, "", {"--policer.gain=5%", "--policer.threshold=1B"}).warnings),
              texts{});
}

TEST(option_table, an_old_name_is_read_with_a_warning) {
    policer_options policer;
    const loaded_options from_file = load_policer(policer, "[policer]\nburst = 20KB\n");
    EXPECT_TRUE(errors_are(from_file.errors, {}));
    EXPECT_EQ(texts_of(from_file.warnings),
              texts{"x.ini:2: policer.burst: is called policer.threshold now; the old name still works"});
    EXPECT_EQ(policer.threshold, 20'000_B);
    EXPECT_TRUE(from_file.is_set("policer.threshold"));

    const loaded_options from_line = load_policer(policer, "", {"--policer.burst", "40KB"});
    EXPECT_TRUE(errors_are(from_line.errors, {}));
    EXPECT_EQ(texts_of(from_line.warnings),
              texts{"command line: policer.burst: is called policer.threshold now; the old name still works"});
    EXPECT_EQ(policer.threshold, 40'000_B);

    // Both names are one option; what is wrong with it is said of the name that it has.
    EXPECT_TRUE(errors_are(load_policer(policer, "[policer]\nburst = 20KB\nthreshold = 30KB\n").errors,
                           {"x.ini:3: policer.threshold: line 2, twice"}));
    EXPECT_TRUE(errors_are(load_policer(policer, "", {"--policer.burst=1", "--policer.threshold=2KB"}).errors,
                           {"policer.threshold: twice", "policer.threshold: 1, KiB, unit"}));
}

/// Fields whose conditions and places are the test's own.
struct wired_options {
    unsigned first = 0;
    unsigned second = 0;
    bool third = false;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("first", &self::first).needs(needs).after("second"));
        fields(field("second", &self::second)
                   .needs("wired.first, wired.third or wired.second above 3", "no wired.third"));
        fields(field("third", &self::third).after(""));
    }
    static const char* needs;
};
const char* wired_options::needs = "wired.third = true";

TEST(option_table, options_stand_where_they_say) {
    wired_options wired;
    option_table table;
    table.block("wired", "Wired.").add(wired);
    table.finish();
    texts keys;
    for (const auto& each : table.options()) {
        keys.push_back(each->key);
    }
    EXPECT_EQ(keys, (texts{"wired.third", "wired.second", "wired.first"}));
}

TEST(option_table, several_keys_mean_any_of_them_and_several_clauses_all) {
    wired_options wired;
    option_table table;
    table.block("wired", "Wired.").add(wired);
    table.finish();
    const relevance& second = table.find("wired.second")->matters;
    EXPECT_EQ(second.needs, "wired.first, wired.third or wired.second above 3, and no wired.third");
    EXPECT_FALSE(second.holds());
    wired.first = 4;
    EXPECT_TRUE(second.holds());
    wired.third = true;
    EXPECT_FALSE(second.holds());
    EXPECT_TRUE(table.find("wired.first")->matters.holds());
}

TEST(option_table, a_condition_that_names_nothing_is_refused) {
    for (const char* wrong : {"wired.fourth = 1", "third", "wired.first or wired.fifth above 2", "some words",
                              "second_is_seven", "wired.third above 2"}) {
        wired_options::needs = wrong;
        wired_options wired;
        option_table table;
        table.block("wired", "Wired.").add(wired);
        EXPECT_THROW(table.finish(), std::logic_error) << wrong;
    }
    wired_options::needs = "second_is_seven";
    wired_options wired;
    option_table table;
    table.block("wired", "Wired.").add(wired);
    table.condition("second_is_seven", "a second of seven", [&wired] { return wired.second == 7; });
    table.finish();
    EXPECT_EQ(table.find("wired.first")->matters.needs, "a second of seven");
    EXPECT_FALSE(table.find("wired.first")->matters.holds());
    wired.second = 7;
    EXPECT_TRUE(table.find("wired.first")->matters.holds());
    wired_options::needs = "wired.third = true";
}

}  // namespace
}  // namespace weir::tb
