// What an INI file says of itself: whether it is whole, and where its comments are.
#include <gtest/gtest.h>

#include <sstream>

#include "loaded_ini.h"
#include "support/errors_said.h"
#include "tb/run/help/option_help.h"
#include "tb/run/options/load_config.h"

namespace weir::tb {
namespace {

using test::load;
using test::texts;
using test::texts_of;

texts ini_errors(const std::string& ini) {
    return texts_of(load(ini).errors);
}
texts ini_warnings(const std::string& ini) {
    return texts_of(load(ini).warnings);
}

TEST(ini_file, a_file_that_may_have_been_cut_is_warned_of) {
    EXPECT_EQ(ini_warnings("[traffic]\nrate = 50"),
              texts{"x.ini:2: the file ends without a line feed; if it was truncated, its last value may be "
                    "incomplete, and lines may be missing"});
    EXPECT_EQ(ini_warnings("[traffic]\nrate = 500\n"), texts{});
    EXPECT_EQ(ini_warnings(""), texts{});
}

TEST(ini_file, an_effective_configuration_without_its_last_line_is_refused) {
    run_config config;
    std::ostringstream text;
    write_effective_ini(text, config);
    const std::string whole = text.str();
    ASSERT_EQ(whole.substr(whole.size() - 7), "\n# end\n");
    for (const char* tail : {"", "\n", "\r\n\n"}) {
        const std::string file = whole.substr(0, whole.size() - 1) + tail;
        EXPECT_EQ(ini_errors(file), texts{});
        EXPECT_EQ(ini_warnings(file), texts{});
    }
    // Cut at the end of a line, within a value, within the mark itself.
    for (const std::size_t length : {whole.rfind("\n\n") + 1, whole.rfind("= ") + 3, whole.size() - 3}) {
        EXPECT_TRUE(has_error(ini_errors(whole.substr(0, length)), "# end, effective.ini, incomplete"))
            << length;
    }
    EXPECT_EQ(ini_errors(whole.substr(whole.find('\n') + 1, 200)).size(), 0U) << "no effective.ini any more";
}

TEST(ini_file, a_file_of_mistakes_is_not_read_to_its_end_and_what_is_long_is_shortened) {
    std::string many = "[run]\n";
    for (int i = 0; i < 25; ++i) {
        many += "zzzzzz" + std::to_string(i) + " = 1\n";
    }
    const texts found = ini_errors(many);
    ASSERT_EQ(found.size(), 20U);
    EXPECT_EQ(found.front().find("(the rest is not read)"), std::string::npos) << found.front();
    EXPECT_TRUE(has_error(found.back(), "x.ini:21: run.zzzzzz19: unknown option"));
    EXPECT_NE(found.back().find(" (the rest is not read)"), std::string::npos) << found.back();
    const std::string name(10'000'000, 'z');
    for (const std::string& line : {"[run]\n" + name + " = 1\n", "[run]\n" + name + "\n", "[" + name + "]\n",
                                    "[" + name, "=" + name, ";" + name}) {
        const texts errors = ini_errors(line);
        ASSERT_FALSE(errors.empty());
        for (const std::string& each : errors) {
            EXPECT_LT(each.size(), 600U);
        }
    }
}

TEST(ini_file, a_comment_that_does_not_begin_with_a_hash_is_told_how_comments_begin) {
    EXPECT_TRUE(
        errors_are(ini_errors("; comment\n[run]\nduration = 5ms ; comment\n[switch]\nspeedup = 8 ; comment\n"),
                   {"x.ini:1: ; comment, #", "x.ini:3: run.duration: 5ms ; comment, #, us, unit",
                    "x.ini:5: switch.speedup: 8 ; comment, #"}));
}

}  // namespace
}  // namespace weir::tb
