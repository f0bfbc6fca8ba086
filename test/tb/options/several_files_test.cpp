// Several INI files, later ones win; options that may be given several times; sizes in cells, factors as
// fractions.
#include <gtest/gtest.h>

#include <list>

#include "loaded_ini.h"
#include "support/errors_said.h"
#include "tb/run/options/run_options.h"

namespace weir::tb {
namespace {

using test::texts;
using test::texts_of;

loaded_config load_all(const texts& files, const texts& args = {}) {
    std::list<std::istringstream> streams;
    std::vector<ini_source> sources;
    for (const std::string& text : files) {
        streams.emplace_back(text);
        sources.push_back(
            {std::string(1, static_cast<char>('a' + sources.size())) + "/x.ini", &streams.back()});
    }
    return load_config(args, sources);
}

TEST(several_files, a_later_file_wins_over_an_earlier_one_and_the_command_line_over_both) {
    const texts files{"[switch]\nspeedup = 2\nclasses = 3\n[run]\nseed = 4\n",
                      "[switch]\nspeedup = 8\nclasses = 5\n"};
    const loaded_config loaded = load_all(files, {"--switch.classes=6"});
    ASSERT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.device.speedup, 8);
    EXPECT_EQ(loaded.config.device.classes, 6U);
    EXPECT_EQ(loaded.config.run.seed, 4U);
    EXPECT_EQ(loaded.origins.at("switch.speedup").file, "b/x.ini");
    EXPECT_EQ(loaded.origins.at("run.seed").file, "a/x.ini");
    EXPECT_EQ(loaded.origins.at("run.seed").line, 5);
}

TEST(several_files, the_last_scheme_counts_and_what_any_file_says_wins_over_it) {
    const loaded_config loaded =
        load_all({"[switch]\nscheme = detail\nclasses = 4\n", "[switch]\nscheme = dctcp\n"});
    EXPECT_EQ(loaded.config.scheme, named<scheme_kind>("dctcp"));
    EXPECT_EQ(loaded.config.device.classes, 4U);
    EXPECT_EQ(loaded.origins.at("marking.kind").file, "b/x.ini");
    EXPECT_TRUE(loaded.origins.at("marking.kind").preset);
}

TEST(several_files, mistakes_come_by_file_and_line_then_those_of_the_command_line) {
    EXPECT_TRUE(errors_are(
        load_all({"[run]\nseed = x\n[switch]\nspedup = 1\n", "[run]\nduration = 1\n"}, {"--tcp.mss=z"}).errors,
        {"a/x.ini:2: run.seed: x, whole number", "a/x.ini:4: switch.spedup: switch.speedup",
         "b/x.ini:2: run.duration: 1, us, unit", "tcp.mss: z, KiB"}));
}

TEST(several_files, paths_are_relative_to_the_file_that_they_stand_in) {
    namespace fs = std::filesystem;
    const loaded_config loaded = load_all({"[fabric]\nfile = a.topo\n", "[traffic]\nfile = ../b.csv\n"});
    EXPECT_EQ(loaded.config.fabric.file, (fs::current_path() / "a/a.topo").string());
    EXPECT_EQ(loaded.config.files.file, (fs::current_path() / "b.csv").string());
}

const std::string two_links = "[fabric]\ntopology = racks\nlink = tor0-root1 down\nlink = tor1-root0 down\n";

TEST(several_files, what_replaces_lines_of_an_earlier_file_says_so) {
    const loaded_config loaded =
        load_all({two_links, "[fabric]\nlink = tor2-root0 down\n"}, {"--fabric.link=tor3-root0 down"});
    EXPECT_EQ(loaded.config.fabric.link_overrides, texts{"tor3-root0 down"});
    EXPECT_EQ(
        texts_of(loaded.warnings),
        (texts{"b/x.ini:2: fabric.link: replaces 2 lines of a/x.ini; fabric.link+=... would add to them",
               "command line: fabric.link: replaces line 2 of b/x.ini; fabric.link+=... would add to it"}));
}

TEST(several_files, plus_adds_to_what_came_before) {
    const loaded_config loaded =
        load_all({two_links, "[fabric]\nlink += tor2-root0 down\n"},
                 {"--fabric.link+=tor3-root0 down", "--fabric.link+", "tor4-root0 down"});
    EXPECT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(
        loaded.config.fabric.link_overrides,
        (texts{"tor0-root1 down", "tor1-root0 down", "tor2-root0 down", "tor3-root0 down", "tor4-root0 down"}));
    EXPECT_TRUE(errors_are(loaded.warnings, {}));
    EXPECT_EQ(loaded.repeated_origins.at("fabric.link").at(2).file, "b/x.ini");
}

TEST(several_files, plus_is_refused_where_there_is_one_value_only) {
    EXPECT_TRUE(
        errors_are(load_all({"[switch]\nspeedup += 2\n"}, {"--switch.speedup+=3"}).errors,
                   {"a/x.ini:2: switch.speedup: +=, speedup = value", "switch.speedup: +=, speedup = value"}));
}

TEST(several_files, dashes_stand_for_underscores_on_the_command_line_and_in_files) {
    EXPECT_EQ(load_all({}, {"--switch.ingress-buffer=64KiB"}).config.device.ingress_buffer, 64_KiB);
    const loaded_config of_file = load_all({"[switch]\ningress-buffer = 64KiB\n"});
    EXPECT_EQ(of_file.config.device.ingress_buffer, 64_KiB);
    EXPECT_TRUE(errors_are(of_file.warnings, {}));
    EXPECT_TRUE(
        errors_are(load_all({"[switch]\ningress-bufer = 64KiB\n"}, {"--switch.egress-bufer=1KiB"}).errors,
                   {"a/x.ini:2: switch.ingress-bufer: switch.ingress_buffer",
                    "--switch.egress-bufer: switch.egress_buffer"}));
}

TEST(cells, memory_may_be_given_in_cells_wherever_the_size_of_a_cell_stands) {
    const loaded_config loaded =
        load_all({"[switch]\negress_buffer = 500c\n", "[switch]\nmemory_cell = 208B\n"},
                 {"--switch.ingress_buffer=1000 c", "--marking.threshold=10c, 4160B, 30c"});
    ASSERT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.device.egress_buffer, 104'000_B);
    EXPECT_EQ(loaded.config.device.ingress_buffer, 208'000_B);
    EXPECT_EQ(loaded.config.marking.step.threshold, (std::vector<bytes>{2'080_B, 4'160_B, 6'240_B}));
}

TEST(cells, need_a_size_and_a_whole_number_and_packet_memory) {
    EXPECT_TRUE(errors_are(load_all({"[switch]\negress_buffer = 500c\n"}).errors,
                           {"a/x.ini:2: switch.egress_buffer: 500c, switch.memory_cell, bytes"}));
    EXPECT_TRUE(errors_are(load_all({"[switch]\nmemory_cell = 208B\negress_buffer = 0.5c\n"}).errors,
                           {"a/x.ini:3: switch.egress_buffer: 0.5c, 120c"}));
    EXPECT_TRUE(errors_are(load_all({"[switch]\nmemory_cell = 208B\nmax_frame = 8c\n"}).errors,
                           {"a/x.ini:3: switch.max_frame: 8c, KiB, unit"}));
    EXPECT_EQ(load_all({"[switch]\nmemory_cell = 208B\negress_buffer = 99999999999999999c\n"}).errors.size(),
              1U);
}

TEST(fractions, factors_and_shares_may_be_written_as_they_are_said) {
    const loaded_config loaded =
        load_all({"[switch]\nbuffer = shared\n[shared]\nalpha = 1/8\n[output]\nbusy_links = 9 / 10\n"});
    ASSERT_TRUE(errors_are(loaded.errors, {}));
    EXPECT_EQ(loaded.config.shared.alpha, 0.125);
    EXPECT_EQ(loaded.config.output.busy_links, 0.9);
    for (const char* wrong : {"1/0", "/8", "1/", "1/2/3", "1/8%"}) {
        EXPECT_EQ(load_all({std::string("[shared]\nalpha = ") + wrong + "\n"}).errors.size(), 1U) << wrong;
    }
}

}  // namespace
}  // namespace weir::tb
