// `weir help`, `weir options`, `--help=WORD`, `--version`, several INI files, and what run.json says of the
// build.
#include <gtest/gtest.h>

#include "program.h"

namespace weir::test {
namespace {

TEST(help, explains_commands_options_blocks_and_schemes) {
    const scratch_directory where;
    for (const char* const command : {"run", "sweep", "size", "reproduce", "plot", "table", "report",
                                      "headroom", "replay", "compare", "accuracy", "bench", "options"}) {
        const std::string text = run_program(where, {command, "--help"}).out;
        EXPECT_EQ(text.rfind(std::string("weir ") + command + " ", 0), 0U) << text;
        EXPECT_EQ(run_program(where, {"help", command}).out, text);
    }
    EXPECT_EQ(run_program(where, {"help"}).out, run_program(where, {"--help"}).out);
    const outcome one = run_program(where, {"help", "pfc.xoff"});
    EXPECT_EQ(one.status, 0);
    EXPECT_NE(one.out.find("--pfc.xoff = auto"), std::string::npos) << one.out;
    EXPECT_EQ(one.out.find("--pfc.xon"), std::string::npos) << one.out;
    EXPECT_EQ(run_program(where, {"run", "--help=pfc.xoff"}).out, one.out);
    EXPECT_EQ(run_program(where, {"options", "pfc.xoff"}).out, one.out);
    const outcome two = run_program(where, {"help", "sram", "dctcp"});
    EXPECT_NE(two.out.find("[sram]"), std::string::npos) << two.out;
    EXPECT_NE(two.out.find("marking.kind = step"), std::string::npos) << two.out;
}

TEST(help, finds_arguments_of_commands_and_options_of_headroom) {
    const scratch_directory where;
    const std::string sweep = run_program(where, {"sweep", "--help"}).out;
    const std::size_t against = sweep.find("  --against KEY");
    const outcome dashed = run_program(where, {"help", "--against"});
    EXPECT_EQ(dashed.status, 0);
    EXPECT_EQ(dashed.out.rfind("weir sweep\n" + sweep.substr(against, sweep.find("  --plot") - against), 0), 0U)
        << dashed.out;
    EXPECT_NE(dashed.out.find("\nweir bench\n  --against ns3 "), std::string::npos) << dashed.out;
    EXPECT_EQ(dashed.out.find("traffic."), std::string::npos) << dashed.out;
    EXPECT_EQ(run_program(where, {"help", "against"}).out.rfind(dashed.out, 0), 0U);
    EXPECT_EQ(run_program(where, {"help", "--dry_run"}).out, run_program(where, {"help", "--dry-run"}).out);
    EXPECT_NE(run_program(where, {"help", "--out"}).out.find("weir run\nweir run [CONFIG.ini"),
              std::string::npos);
    EXPECT_NE(run_program(where, {"help", "where"}).out.find("weir plot SWEEP_DIR\n  --where KEY=VALUE"),
              std::string::npos);
    const std::string cable = run_program(where, {"help", "headroom.cable"}).out;
    EXPECT_EQ(cable.rfind("weir headroom\n  --headroom.cable = 5m\n      Length", 0), 0U) << cable;
    EXPECT_EQ(cable.find("--headroom.cables"), std::string::npos) << cable;
    const std::string cell = run_program(where, {"headroom", "--help=cell"}).out;
    EXPECT_NE(cell.find("  --headroom.cell = auto\n"), std::string::npos) << cell;
    EXPECT_NE(cell.find("  --switch.cell = 64B\n"), std::string::npos) << cell;
    const outcome near = run_program(where, {"help", "--aginst"});
    EXPECT_EQ(near.status, 2);
    EXPECT_NE(near.err.find("did you mean against?"), std::string::npos) << near.err;
}

TEST(help, lists_and_describes_metrics) {
    const scratch_directory where;
    const auto help = [&](const arguments& words) {
        const outcome made = run_program(where, combined({"help"}, words));
        EXPECT_EQ(made.status, 0) << made.err;
        return made.out;
    };
    const auto expect_texts = [](const std::string& text, const std::vector<std::string>& parts) {
        for (const std::string& part : parts) {
            EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
        }
    };
    expect_texts(help({"metric"}), {"\nfct_ns.p99 ", "\ndrops.egress_full ", "\npfabric.probes ",
                                    "with pFabric\n", "\noffered.bps ", "on request\n", "tags.TAG.fct_ns.p99"});
    EXPECT_EQ(help({"metric"}).find("\nracks."), std::string::npos);
    expect_texts(help({"metric", "tags.query"}), {"tags.*.fct_ns.p99 "});
    const std::string racks = help({"metric", "racks"});
    expect_texts(racks, {"racks.*.fct_slowdown.p99_9 "});
    EXPECT_EQ(racks.find("racks.*.jct_ns"), std::string::npos);
    expect_texts(help({"fct_ns.p99"}),
                 {"99th percentile of transfer", "Unit: ns. Lower", "In every run", "null:"});
    expect_texts(help({"tags.query.fct_ns.p99", "goodput.bps"}),
                 {"(query)", "On request", "goodput.bps\n", "Higher values"});
    expect_texts(help({"groups.a.b.64.0.fct_ns.p99"}), {"groups[].fct_ns.p99", "(a.b, 64 B, priority 0)"});
    expect_texts(help({"drops.total", "pfc.xoff"}), {"In no file", "--pfc.xoff ="});
    expect_texts(help({"program.time_ns"}), {"Only with traffic.kind = goal"});
    for (const arguments& wrong :
         {arguments{"help", "fct_ns.p98"}, arguments{"help", "metric", "fct_ns.p98"}}) {
        const outcome made = run_program(where, wrong);
        EXPECT_EQ(made.status, 2);
        EXPECT_EQ(made.out, "");
        expect_texts(made.err, {"fct_ns.p98", "did you mean fct_ns.p9"});
    }
}

TEST(help, a_word_that_names_nothing_is_bad_input) {
    const scratch_directory where;
    const outcome o = run_program(where, {"help", "pfc", "ingress_bufer"});
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_NE(o.err.find("did you mean ingress_buffer?"), std::string::npos) << o.err;
}

TEST(options_command, formats_of_some_options_are_parts_of_those_of_all) {
    const scratch_directory where;
    for (const char* format : {"--format=ini", "--format=md"}) {
        const std::string all = run_program(where, {"options", format}).out;
        const std::string some = run_program(where, {"options", "sram", format}).out;
        ASSERT_FALSE(some.empty());
        EXPECT_NE(all.find(some), std::string::npos) << some;
    }
}

TEST(options_command, diff_prints_what_two_configurations_use) {
    const scratch_directory where;
    where.write("a.ini", "[switch]\nscheme = dctcp\n[run]\nduration = 10us\n");
    where.write("b.ini", "[switch]\nscheme = dctcp\nspeedup = 8\n[run]\nduration = 10us\n");
    const outcome o = run_program(where, {"options", "--diff", "a.ini", "b.ini"});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, "option          a.ini  b.ini\nswitch.speedup      4      8\n");
    ASSERT_EQ(run_program(where, {"run", "b.ini", "--out", "out"}).status, 0);
    EXPECT_EQ(run_program(where, {"options", "--diff", "b.ini", "out"}).out, "no option differs\n");
    // Sizes are printed in the units in which the file and the run were given them.
    where.write("kb.ini", "[switch]\negress_buffer = 256KB\n[run]\nduration = 10us\n");
    where.write("kib.ini", "[switch]\negress_buffer = 256KiB\n[run]\nduration = 10us\n");
    ASSERT_EQ(run_program(where, {"run", "kb.ini", "--out", "kb"}).status, 0);
    for (const char* const given : {"kb.ini", "kb"}) {
        const outcome sizes = run_program(where, {"options", "--diff", "kib.ini", given, "--format=md"});
        EXPECT_NE(sizes.out.find("| switch.egress_buffer | 256KiB | 256KB |\n"), std::string::npos)
            << sizes.out;
    }
    EXPECT_EQ(run_program(where, {"options", "--diff", "a.ini", "out", "--format=md"}).out,
              "| option | a.ini | out |\n|---|---|---|\n| switch.speedup | 4 | 8 |\n");
    where.write("c.ini", "[switch]\nspeedup = x\n");
    for (const arguments& wrong :
         {arguments{"options", "--diff", "a.ini"}, arguments{"options", "--diff", "a.ini", "c.ini"},
          arguments{"options", "--diff", "a.ini", "no.ini"},
          arguments{"options", "--diff", "a.ini", "b.ini", "--format=ini"}}) {
        const outcome refused = run_program(where, wrong);
        EXPECT_EQ(refused.status, 2) << wrong.back();
        EXPECT_EQ(refused.out, "") << wrong.back();
    }
}

TEST(provenance, version_and_run_json_name_the_build) {
    const scratch_directory where;
    const outcome version = run_program(where, {"--version"});
    EXPECT_EQ(version.out.rfind("weir ", 0), 0U);
    ASSERT_EQ(run_program(where, {"run", "--run.duration=10us", "--out", "out"}).status, 0);
    const auto facts = nlohmann::json::parse(contents(where / "out/run.json"));
    EXPECT_EQ(facts.at("ended"), "complete");
    for (const char* key : {"version", "commit", "build"}) {
        EXPECT_NE(version.out.find(facts.at(key).get<std::string>()), std::string::npos) << key;
    }
    for (const auto& [name, library] : facts.at("libraries").items()) {
        EXPECT_NE(version.out.find(name + " " + library.get<std::string>()), std::string::npos) << name;
    }
}

TEST(provenance, warnings_are_kept_beside_how_the_run_ended) {
    const scratch_directory where;
    const outcome o = run_program(
        where, {"run", "--run.duration=10us", "--run.warmup=9us", "--sram.banks=4", "--out", "out"});
    ASSERT_EQ(o.status, 0);
    const auto facts = nlohmann::json::parse(contents(where / "out/run.json"));
    std::string printed;
    for (const auto& warning : facts.at("warnings")) {
        printed += "warning: " + warning.get<std::string>() + "\n";
    }
    EXPECT_NE(printed, "");
    EXPECT_EQ(o.err, printed);
}

TEST(several_files, of_run_and_sweep_make_one_configuration) {
    const scratch_directory where;
    where.write("a.ini", "[run]\nduration = 10us\n[switch]\nspeedup = 2\n");
    where.write("b.ini", "[switch]\nspeedup = 3\nclasses = 2\n");
    ASSERT_EQ(run_program(where, {"run", "a.ini", "b.ini", "--out", "out"}).status, 0);
    const std::string effective = contents(where / "out/effective.ini");
    EXPECT_NE(effective.find("\nspeedup = 3\n"), std::string::npos);
    EXPECT_NE(effective.find("\nduration = 10us\n"), std::string::npos);
    const outcome sweep =
        run_program(where, {"sweep", "a.ini", "b.ini", "--vary", "switch.classes=1,4", "--out", "s"});
    ASSERT_EQ(sweep.status, 0) << sweep.err;
    EXPECT_NE(contents(where / "s/plan.json").find("a.ini, b.ini"), std::string::npos);
    const outcome missing = run_program(where, {"run", "a.ini", "no.ini", "--out", "none"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_FALSE(fs::exists(where / "none"));
}

}  // namespace
}  // namespace weir::test
