// What bash and man(1) read, and what a processor gets that the program is not built for.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "program.h"
#include "support/errors_said.h"
#include "tb/run/options/run_options.h"
#include "tb/support/process/processor_check.h"

using namespace weir::test;

namespace {

/// What bash would offer for these words, of which the last is being written.
std::string completed(const scratch_directory& where, const std::string& words) {
    where.write("complete.sh",
                "load() { source ./weir.bash; }; load\ncompopt() { :; }\nCOMP_WORDS=(" + words +
                    ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_weir\necho \"${COMPREPLY[*]}\" >offered\n");
    EXPECT_EQ(std::system(("cd " + where.path().string() + " && bash complete.sh").c_str()), 0);
    const std::string offered = contents(where / "offered");
    return offered.substr(0, offered.size() - 1);
}

TEST(shell_files, bash_completes_commands_arguments_options_and_values) {
    const scratch_directory where;
    const outcome o = run_program(where, {"--bash-completion"});
    ASSERT_EQ(o.status, 0) << o.err;
    where.write("weir.bash", o.out);
    EXPECT_EQ(completed(where, "weir sw"), "sweep");
    EXPECT_EQ(completed(where, "weir sweep --laun"), "--launcher");
    EXPECT_EQ(completed(where, "weir plot --switch"), "") << "plot takes no options of a run";
    EXPECT_EQ(completed(where, "weir plot --switch.ar"), "");
    EXPECT_EQ(completed(where, "weir run --fab"), "--fabric.");
    EXPECT_EQ(completed(where, "weir run --switch.arb"), "--switch.arbiter=");
    EXPECT_EQ(completed(where, "weir bench --switch.arb"), "--switch.arbiter=");
    EXPECT_EQ(completed(where, "weir run --switch.arbiter ="), "islip pim round_robin maximum_size rtl");
    EXPECT_EQ(completed(where, "weir run --switch.arbiter = ro"), "round_robin");
    EXPECT_EQ(completed(where, "weir run --run.progress = o"), "on off");
    EXPECT_EQ(completed(where, "weir run --traffic.file = fl"), "") << "files are bash's own";
}

TEST(shell_files, the_manual_page_has_every_command_and_option_and_no_stray_macro) {
    const outcome o = run_program(scratch_directory(), {"--man-page"});
    ASSERT_EQ(o.status, 0) << o.err;
    weir::tb::run_config defaults;
    const weir::tb::option_table table = weir::tb::make_option_table(defaults);
    for (const auto& each : table.options()) {
        std::string key = each->key;
        EXPECT_NE(o.out.find(".B \\-\\-" + key + " = "), std::string::npos) << key;
    }
    for (const char* command : {"run", "sweep", "size", "replay", "headroom"}) {
        EXPECT_NE(o.out.find(std::string(".SS weir ") + command), std::string::npos) << command;
    }
    const std::vector<std::string> macros{".TH", ".SH", ".SS", ".TP", ".B", ".I", ".br", ".nf", ".fi", ".\\\""};
    std::istringstream lines(o.out);
    for (std::string line; std::getline(lines, line);) {
        const std::string first = line.substr(0, line.find(' '));
        EXPECT_TRUE(first.empty() || (first.front() != '.' && first.front() != '\'') ||
                    std::find(macros.begin(), macros.end(), first) != macros.end())
            << line;
    }
    const outcome more = run_program(scratch_directory(), {"--man-page", "x"});
    EXPECT_EQ(more.status, 2);
    EXPECT_TRUE(errors_are(more.err, {"command line: x: --man-page, none"}));
}

TEST(processor, has_what_the_program_is_built_for) {
    EXPECT_EQ(weir::tb::features_of_level("x86-64"), 0U);
    EXPECT_EQ(weir::tb::features_of_level("native"), 0U);
    EXPECT_EQ(weir::tb::features_of_level("x86-64-v2"), 4U);
    EXPECT_EQ(weir::tb::features_of_level("x86-64-v3"), 9U);
    const std::string flags = contents("/proc/cpuinfo");
    for (const auto& feature : weir::tb::processor_features()) {
        EXPECT_EQ(feature.is_there, flags.find(' ' + std::string(feature.name) + ' ') != std::string::npos)
            << feature.name;
    }
}

TEST(processor, that_is_too_old_gets_a_message) {
    if (std::system("qemu-x86_64 --version >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "qemu-x86_64 is not installed (package qemu-user)";
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer reserves more addresses than qemu has";
#endif
    const scratch_directory where;
    const std::string run = "cd " + where.path().string() + " && qemu-x86_64 -cpu ";
    EXPECT_NE(std::system((run + "core2duo " WEIR_PROGRAM " --version 2>said").c_str()), 0);
    EXPECT_TRUE(errors_are(contents(where / "said"), {"weir: x86-64-v3, sse4_1, -DWEIR_ARCH=x86-64"}));
}

}  // namespace
