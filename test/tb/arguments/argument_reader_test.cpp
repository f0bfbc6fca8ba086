#include "tb/arguments/argument_reader.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

const command_declaration declared{
    "weir draw DIR --out DIR\n\nDraws.\n\n",
    20,
    {
        {"out", "DIR", "where to write"},
        {"only", "A,B", "some of them;\nmay be repeated"},
        {"only", "'a word = and more'", "another form"},
        {"key=value", nullptr, "any option"},
        {"quick", nullptr, "draw less"},
        {"secret", "N", nullptr},
    },
    0,
    1,
};

argument_reader read(const std::vector<std::string>& args) {
    return {declared, args};
}

std::string first_error(const argument_reader& given) {
    return given.errors.empty() ? "" : given.errors[0].key + ": " + given.errors[0].message;
}

TEST(argument_reader, help_lists_what_is_declared_in_one_column) {
    EXPECT_EQ(help_of(declared),
              "weir draw DIR --out DIR\n\nDraws.\n\n"
              "  --out DIR         where to write\n"
              "  --only A,B        some of them;\n"
              "                    may be repeated\n"
              "  --only 'a word = and more'  another form\n"
              "  --key=value       any option\n"
              "  --quick           draw less\n");
}

TEST(argument_reader, values_flags_and_files_are_told_apart) {
    argument_reader given = read({"d", "--out=o", "--only", "a,b", "--quick", "--only=c"});
    EXPECT_EQ(given.file(0), "d");
    EXPECT_EQ(given.file(1), "");
    EXPECT_EQ(given.text("out"), "o");
    EXPECT_EQ(given.all("only"), (std::vector<std::string>{"a,b", "c"}));
    EXPECT_EQ(given.list("only"), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(given.has("quick"));
    EXPECT_FALSE(given.wants_help());
    EXPECT_TRUE(given.is_given("out"));
    EXPECT_FALSE(given.is_given("secret"));
    EXPECT_TRUE(given.errors.empty());
}

TEST(argument_reader, what_is_not_declared_is_refused_with_what_is) {
    EXPECT_EQ(first_error(read({"--speed=1"})),
              "--speed: unknown option; expected --out --only --secret --quick --help");
    EXPECT_EQ(first_error(read({"--outt=o"})), "--outt: unknown option; did you mean --out?");
    EXPECT_EQ(first_error(read({"a", "b"})), "b: one file too many; expected at most 1");
}

TEST(argument_reader, an_argument_that_may_be_given_once_is_refused_twice) {
    argument_reader given = read({"--out=a", "--out=b"});
    EXPECT_EQ(given.text("out"), "a");
    EXPECT_EQ(first_error(given), "--out: is given more than once; expected once");
}

TEST(argument_reader, numbers_are_whole_and_in_range) {
    const auto error_of = [](const std::string& text) {
        argument_reader given = read({"--secret", text});
        given.count("secret", 7, 1, 20);
        return first_error(given);
    };
    EXPECT_EQ(read({}).count("secret", 7, 1, 20), 7U);
    EXPECT_EQ(read({"--secret=20"}).count("secret", 7, 1, 20), 20U);
    EXPECT_EQ(error_of("21"), "--secret: '21' is out of range; expected 1 to 20");
    EXPECT_EQ(error_of("0"), "--secret: '0' is out of range; expected 1 to 20");
    EXPECT_EQ(error_of("1e-1"),
              "--secret: '1e-1' is not a whole number; expected a whole number without a unit");
    EXPECT_EQ(error_of("x"), "--secret: 'x' is not a whole number; expected a whole number without a unit");
}

TEST(argument_reader, shares_lie_between_0_and_1) {
    EXPECT_DOUBLE_EQ(read({"--secret=95%"}).share("secret", 0.5), 0.95);
    EXPECT_DOUBLE_EQ(read({}).share("secret", 0.5), 0.5);
    argument_reader given = read({"--secret=100%"});
    given.share("secret", 0.5);
    EXPECT_EQ(first_error(given), "--secret: '100%' is out of range; expected above 0%, below 100%");
}

TEST(argument_reader, words_are_those_that_are_known) {
    EXPECT_EQ(read({"--secret=b"}).one_of("secret", {"a", "b"}), 1U);
    EXPECT_EQ(read({}).one_of("secret", {"a", "b", "c"}, 2), 2U);
    argument_reader given = read({"--secret=d"});
    EXPECT_EQ(given.one_of("secret", {"a", "b"}), 0U);
    EXPECT_EQ(first_error(given), "--secret: 'd' is unknown; expected a, b");
}

}  // namespace
}  // namespace weir::tb
