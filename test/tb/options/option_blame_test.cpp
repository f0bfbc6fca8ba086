// Whatever is wrong with one option is blamed on that option, and a value out of its range is answered with the
// range: for every option there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/errors_said.h"
#include "tb/asic/headroom/headroom_options.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/run/setup/prepare_run.h"

namespace weir::tb {
namespace {

struct three_options {
    std::uint32_t one = 1;
    std::uint32_t two = 2;
    std::uint32_t three = 3;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("one", &self::one).range(0, 9).help("One."));
        fields(field("two", &self::two).range(0, 9).help("Two."));
        fields(field("three", &self::three).range(0, 9).help("Three."));
    }
};

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
                for (const config_error& error : load_config(arguments).errors) {
                    // With an option that nobody wrote: its value there may be too small for this one's.
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
        const config_errors errors = load_config({"--" + option->key + "=" + text}).errors;
        // A list of a given length has that to say first.
        if (errors.size() == 1 && errors[0].message.find("values separated by commas") != std::string::npos) {
            continue;
        }
        EXPECT_TRUE(errors_are(errors, {option->key + ": " + text + ", " + option->value->range()}));
    }
}

/// What `arguments`, and traffic that is fine, are told.
std::string said(std::vector<std::string> arguments) {
    for (const char* traffic : {"--traffic.kind=query", "--run.duration=1ms"}) {
        arguments.push_back(traffic);
    }
    std::string all;
    for (const config_error& error : prepare_run(load_config(arguments)).errors) {
        all += format_error(error) + "\n";
    }
    return all;
}

TEST(option_blame, an_option_that_nobody_wrote_is_named_as_a_default_beside_the_one_that_was_written) {
    const auto begins = [](const std::string& text, const std::string& with) {
        EXPECT_EQ(text.substr(0, with.size()), with);
    };
    begins(said({"--switch.egress_buffer=8KiB"}),
           "command line: switch.egress_buffer: does not go with the default of switch.share_alpha: '8' lets "
           "one class fill switch.egress_buffer");
    begins(said({"--switch.buffer=shared", "--shared.memory=1KiB"}),
           "command line: shared.memory: does not go with the default of shared.lossy_pool: 1KiB in a slice "
           "(shared.memory = 1KiB)");
    const std::string far = "--link.latency=100ms";
    begins(said({"--switch.buffer=shared", "--pfc.mode=pfc", far}),
           "command line: link.latency: does not go with the default of shared.memory: 12MiB");
    begins(said({"--pfc.mode=pfc", far}),
           "command line: link.latency: does not go with the default of switch.ingress_buffer: 128KiB");
    begins(said({"--pfc.mode=pfc", "--fabric.topology=racks", "--fabric.root_latency=100ms"}),
           "command line: fabric.root_latency: does not go with the default of switch.ingress_buffer");
    // The one that was written needs no other.
    begins(said({"--pfc.mode=pfc", far, "--switch.ingress_buffer=128KiB"}),
           "command line: switch.ingress_buffer: 128KiB is too small for 8 lossless classes");
}

TEST(option_blame, memory_that_is_too_small_says_which_options_set_the_links) {
    const auto ends = [](const std::string& text, const std::string& end) {
        EXPECT_EQ(text.substr(text.size() - std::min(end.size(), text.size())), end) << text;
    };
    ends(said({"--pfc.mode=pfc", "--link.latency=100ms"}), " (links are set by link.latency, link.rate)\n");
    ends(said({"--switch.buffer=shared", "--pfc.mode=pfc", "--link.latency=100ms"}),
         " (at tor0; links are set by link.latency, link.rate)\n");
}

TEST(option_blame, hosts_that_are_too_few_are_those_of_the_option_that_says_how_many) {
    EXPECT_TRUE(errors_are(prepare_run(load_config({"--fabric.hosts=1", "--traffic.stop=1ms"})).errors,
                           {"fabric.hosts: traffic.kind, relation fabric.hosts, at least 2, 1"}));
}

TEST(option_blame, relations_name_options_that_exist) {
    run_config config;
    headroom_request request;
    for (const option_table& table : {make_option_table(config), make_headroom_table(request)}) {
        const std::vector<option_relation> relations = table.relations();
        EXPECT_GE(relations.size(), 4U);
        for (const option_relation& relation : relations) {
            EXPECT_NE(table.find(relation.key), nullptr) << relation.key;
            for (const std::string& key : relation.others) {
                EXPECT_NE(table.find(key), nullptr) << relation.key << ": " << relation.text;
            }
        }
    }
}

bool is_option(const option_table& table, const std::string& named) {
    const auto& all = table.options();
    return named.find('.') != std::string::npos
               ? table.find(named) != nullptr
               : std::any_of(all.begin(), all.end(), [&](const auto& each) { return each->name == named; });
}

// Those of errors that are found with the fabric too, of which a table does not know.
TEST(option_blame, options_in_braces_exist_wherever_a_source_names_them) {
    run_config config;
    headroom_request request;
    const option_table run = make_option_table(config);
    const option_table headroom = make_headroom_table(request);
    const std::regex literal(R"re("(?:[^"\\]|\\.)*")re");
    const std::regex braces(R"(\{([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)?)\})");
    std::size_t found = 0;
    const auto check = [&](const std::filesystem::path& file, const std::string& text) {
        for (std::sregex_iterator at(text.begin(), text.end(), braces); at != std::sregex_iterator(); ++at) {
            const std::string named = (*at)[1];
            EXPECT_TRUE(is_option(run, named) || is_option(headroom, named)) << file << ": " << named;
            ++found;
        }
    };
    const std::filesystem::path root = std::filesystem::path(WEIR_GOLDEN_DIR) / "../..";
    for (const char* folder : {"model", "traffic", "tb"}) {
        for (const auto& file : std::filesystem::recursive_directory_iterator(root / folder)) {
            std::ifstream in(file.path().extension() == ".cpp" ? file.path() : std::filesystem::path{});
            for (std::string line; std::getline(in, line);) {
                for (std::sregex_iterator at(line.begin(), line.end(), literal); at != std::sregex_iterator();
                     ++at) {
                    check(file.path(), at->str());
                }
            }
        }
    }
    EXPECT_GT(found, 80U);
}

/// What the options `a.one`, `a.two` and `a.three` are told where `checked` is found.
config_errors told(const std::vector<std::string>& arguments, const config_error& checked) {
    three_options values;
    option_table table;
    table.block("a", "Three numbers.").add(values);
    table.finish();
    table.check([&] { return config_errors{checked}; });
    loaded_options loaded;
    load_options(loaded, table, arguments, {});
    return loaded.errors;
}

TEST(option_blame, the_first_option_that_was_written_is_blamed_and_words_of_the_message_are_only_words) {
    const config_error checked = option_error("a.one", "is no '{}' of {three} and {a.two}", {"two"});
    const auto first = [&](const std::vector<std::string>& arguments) {
        const config_errors errors = told(arguments, checked);
        return errors.empty() ? std::string{} : format_error(errors[0]);
    };
    const std::string what = "is no 'two' of three and a.two";
    EXPECT_EQ(first({"--a.two=5", "--a.one=5"}), "command line: a.one: " + what);
    EXPECT_EQ(first({"--a.two=5", "--a.three=5"}),
              "command line: a.three: does not go with the default of a.one: " + what);
    EXPECT_EQ(first({"--a.two=5"}), "command line: a.two: does not go with the default of a.one: " + what);
    config_error missing = option_error("a.one", "is wanted by {two}");
    missing.fault = config_fault::missing;
    EXPECT_EQ(format_error(told({"--a.two=5"}, missing).at(0)),
              "command line: a.two: needs a.one: is wanted by two");
    EXPECT_EQ(format_error(told({"--a.two=5"}, option_error("a.one", "'' is no {two}")).at(0)),
              "command line: a.two: does not go with the default of a.one: '' is no two");
    const config_errors refused = told({"--a.two=none"}, checked);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].key, "a.two");
    EXPECT_EQ(told({"--a.two=none"}, option_error("a.one", "is no 'two' of {three}")).size(), 2U);
}

}  // namespace
}  // namespace weir::tb
