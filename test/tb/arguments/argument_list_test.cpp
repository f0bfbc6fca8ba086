#include "tb/run/arguments/argument_list.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"

namespace weir::tb {
namespace {

enum class ink : std::uint8_t { black, blue };
constexpr auto names_of(ink) {
    return enum_names<ink>({{ink::black, "black"}, {ink::blue, "blue"}});
}

struct draw_arguments {
    std::vector<std::string> files;
    std::string out;
    std::vector<std::string> only;
    bool quick = false;
    unsigned jobs = 7;
    std::optional<unsigned> most;
    double share = 0.5;
    ink colour = ink::black;
    std::vector<std::string> words;
    std::vector<unsigned> numbers;

    void describe(argument_list& arguments) {
        arguments.files(files, 0, 1);
        arguments("out", out, "DIR", "where to write").required("--out DIR, or --quick", "quick");
        arguments("only", only, "A,B", "some of them;\nmay be repeated").repeated_lists().not_empty("names");
        arguments.form("only", "'a word = and more'", "another form");
        arguments.form("key=value", nullptr, "any option");
        arguments("quick", quick, "draw less");
        arguments("jobs", jobs, "N").range(1, 20);
        arguments("most", most, "N").range(1, 20).needs("jobs");
        arguments("share", share, "SHARE").share().excludes("jobs", "which has none");
        arguments("colour", colour, "COLOUR");
        arguments("word", words, "TEXT").repeated();
        arguments("numbers", numbers, "LIST").range(1, 9);
    }
};

struct reading {
    draw_arguments given;
    std::string error;
};

reading read(const std::vector<std::string>& args) {
    reading made;
    argument_list arguments;
    made.given.describe(arguments);
    const config_errors errors = arguments.read(args);
    made.error = errors.empty() ? "" : errors[0].key + ": " + errors[0].message;
    return made;
}
std::string error_of(const std::string& one, const std::string& two = "--quick") {
    return read({one, two, "--quick"}).error;
}

TEST(argument_list, help_lists_what_is_described_in_one_column) {
    draw_arguments given;
    argument_list arguments;
    given.describe(arguments);
    EXPECT_EQ(arguments.help({"weir draw DIR --out DIR\n\nDraws.\n\n", 20}),
              "weir draw DIR --out DIR\n\nDraws.\n\n"
              "  --out DIR         where to write\n"
              "  --only A,B        some of them;\n"
              "                    may be repeated\n"
              "  --only 'a word = and more'  another form\n"
              "  --key=value       any option\n"
              "  --quick           draw less\n");
}

TEST(argument_list, each_value_goes_to_its_field) {
    const auto [given, error] = read({"d", "--out=o # ", "--only", "a,b", "--quick", "--only=c", "--most=3",
                                      "--jobs=20", "--colour=blue", "--word=a,b", "--word=", "--numbers=1, 9"});
    EXPECT_EQ(error, "");
    EXPECT_EQ(given.files, std::vector<std::string>{"d"});
    EXPECT_EQ(given.out, "o # ");
    EXPECT_EQ(given.only, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(given.quick && given.most == 3U);
    EXPECT_EQ(given.words, (std::vector<std::string>{"a,b", ""}));
    EXPECT_EQ(given.numbers, (std::vector<unsigned>{1, 9}));
    EXPECT_FALSE(read({"--quick", "--most=auto"}).given.most);
}

TEST(argument_list, what_is_not_described_is_refused_with_what_is) {
    EXPECT_TRUE(errors_are(
        error_of("--speed=1"),
        {"--speed: --out, --only, --jobs, --most, --share, --colour, --word, --numbers, --quick, --help"}));
    EXPECT_TRUE(errors_are(error_of("--outt=o"), {"--outt: --out"}));
}

TEST(argument_list, what_is_missing_empty_or_given_twice_is_refused) {
    EXPECT_TRUE(errors_are(read({}).error, {"--out: --out DIR, --quick, missing"}));
    EXPECT_TRUE(errors_are(read({"--out="}).error, {"--out: --out DIR, --quick, empty"}));
    EXPECT_TRUE(errors_are(error_of("--only="), {"--only: empty"}));
    EXPECT_EQ(read({"--out=a", "--out=b"}).given.out, "a");
    EXPECT_TRUE(errors_are(read({"--out=a", "--out=b"}).error, {"--out: once"}));
}

TEST(argument_list, arguments_that_do_not_go_together_are_refused) {
    EXPECT_TRUE(errors_are(error_of("--most=3"), {"--most: --jobs"}));
    EXPECT_TRUE(errors_are(error_of("--share=3%", "--jobs=2"), {"--share: --jobs"}));
}

TEST(argument_list, values_are_of_their_fields_type_and_in_range) {
    EXPECT_TRUE(errors_are(error_of("--jobs=21"), {"--jobs: 21, 1 to 20"}));
    EXPECT_TRUE(errors_are(error_of("--jobs=x"), {"--jobs: x, whole number"}));
    EXPECT_TRUE(errors_are(error_of("--numbers=3,10"), {"--numbers: 3,10, 1 to 9"}));
    EXPECT_TRUE(errors_are(error_of("--share=100%"), {"--share: 100%, above 0%, below 100%"}));
    EXPECT_TRUE(errors_are(error_of("--colour=red"), {"--colour: red, black, blue"}));
}

}  // namespace
}  // namespace weir::tb
