// Tables of options that are used more than once.
#include <gtest/gtest.h>

#include <sstream>

#include "loaded_ini.h"
#include "policer_options.h"
#include "support/errors_said.h"
#include "tb/run/fields/options_from_outside.h"
#include "tb/run/help/option_help.h"
#include "tb/run/options/run_options.h"

namespace weir::tb {
namespace {

using test::texts;
using test::texts_of;

/// Everything that a loaded configuration says.
texts told_by(const loaded_config& loaded) {
    std::ostringstream effective;
    write_effective_ini(effective, loaded.config);
    texts all{effective.str()};
    for (const config_errors& each : {loaded.errors, loaded.warnings, loaded.idle}) {
        all.push_back(joined(texts_of(each), "\n"));
    }
    for (const auto& [key, origin] : loaded.origins) {
        all.push_back(key + " " + origin.file + ":" + std::to_string(origin.line));
    }
    return all;
}

const std::vector<std::pair<std::string, texts>> configurations{
    {"[switch]\nscheme = detail\nmemory_cell = 208B\ningress_buffer = 1000c\n", {"--pfc.xoff=20KB"}},
    {"[fabric]\nlink = tor0-root0 down\nlink = tor0-root1 down\n", {"--fabric.link+=h0-tor0 rate=1Gbps"}},
    {"[switch]\ningress_buffer = 1000c\nspeedup = 99\n[pfc]\nxon = 4KB\nxof = 1KB\n", {"--tcp.mss=9KB"}},
    {"[switch]\nscheme = dcqcn\n[traffic]\npriorities = 0, 3\nload = 20%\n", {}},
    {"[marking]\nk_min = 3KB\n[qcn]\n", {"--switch.scheme=nothing"}},
    {"", {}},
};

void expect_nothing_left_of_the_last_configuration() {
    config_loader loader;
    for (int round = 0; round < 2; ++round) {
        for (const auto& [ini, args] : configurations) {
            std::istringstream in(ini);
            EXPECT_EQ(told_by(loader.load(args, {{"x.ini", &in}})), told_by(test::load(ini, args))) << ini;
        }
    }
}

TEST(known_options, a_loader_keeps_nothing_of_the_configuration_before) {
    expect_nothing_left_of_the_last_configuration();
}

TEST(known_options, options_of_a_plugin_are_known_once_it_is_loaded_and_reset_with_each_configuration) {
    const option_table& before = known_options();
    EXPECT_EQ(&before, &known_options());
    EXPECT_EQ(before.find("policer.gain"), nullptr);
    config_loader loader;

    static example::policer_options used;
    add_options("policer", "Policers.", used);
    EXPECT_EQ(before.find("policer.gain"), nullptr);
    EXPECT_EQ(before.find("run.seed")->value->text(), "1");
    ASSERT_NE(known_options().find("policer.gain"), nullptr);
    EXPECT_EQ(known_options().find("policer.gain")->value->text(), "6.25%");
    EXPECT_EQ(&known_options(), &known_options());

    EXPECT_EQ(told_by(loader.load({"--policer.gain=5%", "--policer.threshold=1B"})),
              told_by(load_config({"--policer.gain=5%", "--policer.threshold=1B"})));
    EXPECT_EQ(told_by(loader.load({})), told_by(load_config({})));
    expect_nothing_left_of_the_last_configuration();
}

TEST(known_options, a_value_is_rewritten_as_its_option_prints_it_and_the_option_stays) {
    const auto normalized = [](const std::string& key, std::string text) {
        const option& o = *known_options().find(key);
        const std::string error = o.value->normalize(text);
        EXPECT_EQ(o.value->text(), o.default_text);
        return error.empty() ? text : error;
    };
    EXPECT_EQ(normalized("link.latency", "0.0016ms"), "1.6us");
    EXPECT_EQ(normalized("traffic.priorities", "0,3 ,7"), "0, 3, 7");
    EXPECT_EQ(normalized("traffic.load", "1/5"), "20%");
    EXPECT_EQ(normalized("fabric.link", "h0-tor0 down"), "h0-tor0 down");
    EXPECT_TRUE(errors_are(normalized("fabric.link", ""), {"'', empty"}));
    EXPECT_TRUE(errors_are(normalized("link.latency", "3"), {"3, us, unit"}));
    EXPECT_TRUE(errors_are(normalized("switch.classes", "99"), {"99, 1 to 8"}));
    EXPECT_TRUE(
        errors_are(normalized("switch.classes", "99999999999999999999"), {"99999999999999999999, 1 to 8"}));
}

}  // namespace
}  // namespace weir::tb
