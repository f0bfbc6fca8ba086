// Whatever is wrong with one option is blamed on that option, and a value out of its range is answered with the
// range: for every option there is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/options/load_config.h"
#include "tb/options/option_table.h"

namespace weir {
namespace {

const char* const more_than_64_bits = "99999999999999999999";

/// Texts that a careless hand could type, by the kind of value; the last is larger than any that is held.
std::vector<std::string> texts_of(const std::string& unit) {
    const auto is = [&](const char* word) { return unit.find(word) != std::string::npos; };
    const std::string huge = more_than_64_bits;
    // Texts have rules of their own.
    return is("text")     ? std::vector<std::string>{}
           : is("time")   ? std::vector<std::string>{"0ps", "1ps", "5000s", "1000000s", huge + "s"}
           : is("bytes")  ? std::vector<std::string>{"0B", "1B", "1GB", "1000000GB", huge + "GB"}
           : is("rate")   ? std::vector<std::string>{"0bps", "1bps", "9000Tbps", huge + "Tbps"}
           : is("count")  ? std::vector<std::string>{"0", "1", "255", "4294967295", huge}
           : is("share")  ? std::vector<std::string>{"0", "1", "1.5", "100000", "1e400"}
           : is("number") ? std::vector<std::string>{"0", "1", "1.5", "1e300", "1e400"}
                          : std::vector<std::string>{};
}

TEST(option_blame, a_wrong_value_is_blamed_on_the_option_that_was_given) {
    run_config defaults;
    const option_table table = make_option_table(defaults);
    for (const char* topology : {"single", "racks", "pods", "fat_tree", "dumbbell"}) {
        for (const auto& option : table.options()) {
            for (const std::string& text : texts_of(option->value->unit())) {
                std::vector<std::string> arguments{"--" + option->key + "=" + text};
                if (option->key != "fabric.topology") {
                    arguments.push_back(std::string("--fabric.topology=") + topology);
                }
                for (const config_error& error : load_config(arguments, nullptr, "").errors) {
                    // A value that does not go with another one's default is that one's error, and names this.
                    const std::string name = option->key.substr(option->key.find('.') + 1);
                    EXPECT_TRUE(error.key == option->key || error.message.find(name) != std::string::npos)
                        << topology << ", " << arguments[0] << ": " << format_error(error);
                }
            }
        }
    }
}

TEST(option_blame, a_number_too_large_is_answered_with_the_options_range) {
    run_config defaults;
    const option_table table = make_option_table(defaults);
    for (const auto& option : table.options()) {
        const std::vector<std::string> texts = texts_of(option->value->unit());
        if (texts.empty() || option->value->range().empty()) {
            EXPECT_TRUE(texts.empty()) << option->key << " has no range";
            continue;
        }
        const std::string text = texts.back();
        const config_errors errors = load_config({"--" + option->key + "=" + text}, nullptr, "").errors;
        // A list of a given length has that to say first.
        if (errors.size() == 1 && errors[0].message.find("values separated by commas") != std::string::npos) {
            continue;
        }
        ASSERT_EQ(errors.size(), 1U) << option->key;
        EXPECT_EQ(errors[0].message, "'" + text + "' is out of range; expected " + option->value->range());
    }
}

}  // namespace
}  // namespace weir
