// Texts made from the table: effective configuration (round trip), help, reference.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "tb/run/help/option_help.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/run/options/schemes.h"
#include "weir/base/rng.h"

namespace weir::tb {
namespace {

using values = std::map<std::string, std::vector<std::string>>;

values values_of(run_config config) {
    const option_table table = make_option_table(config);
    values all;
    for (const auto& each : table.options()) {
        all[each->key] = each->value->texts();
    }
    return all;
}

run_config reload(const run_config& config) {
    std::stringstream ini;
    write_effective_ini(ini, config);
    return load_config({}, {{"elsewhere/effective.ini", &ini}}).config;
}

std::string help_of(const option_table& table) {
    std::ostringstream text;
    write_help(text, table);
    return text.str();
}

std::string reference_of(const option_table& table) {
    std::ostringstream text;
    write_reference(text, table);
    return text.str();
}

/// Texts of every kind; an option takes those that suit it.
std::vector<std::string> candidates(const option& each) {
    if (each.is_path) {
        return {"/some where/else=[x];y.ini", "/a"};  // as loading leaves them: absolute
    }
    std::vector<std::string> all = {"1",
                                    "2",
                                    "3",
                                    "5",
                                    "255",
                                    "65535",
                                    "18446744073709551615",
                                    "0.1",
                                    "1e-300",
                                    "3.25",
                                    "15%",
                                    "33.3%",
                                    "0.07%",
                                    "1530B",
                                    "21B",
                                    "50B",
                                    "100B",
                                    "9001B",
                                    "65KiB",
                                    "7MB",
                                    "1ps",
                                    "1.234us",
                                    "499ms",
                                    "4499s",
                                    "1Mbps",
                                    "2.5Gbps",
                                    "1.6Tbps",
                                    "auto",
                                    "true",
                                    "no",
                                    "1KiB, 2KB, 3001B",
                                    "8, 7, 6, 5, 4, 3, 2, 1"};
    for (const char* name : {"file", "hadoop", "occupancy", "most_detours", "17:2920"}) {
        all.push_back(name);  // traffic.distribution, trace.wave_signals, trace.frame_path
    }
    for (const auto& [name, doc] : each.value->choices()) {
        all.push_back(name);
    }
    return all;
}

TEST(option_texts, effective_configuration_reads_back_to_the_same_values_for_every_option) {
    run_config config;
    const option_table table = make_option_table(config);
    const values defaults = values_of(config);
    EXPECT_EQ(values_of(reload(config)), defaults);
    std::map<std::string, std::set<std::string>> tried;
    // In each round every option takes its next text, so that they all differ from their defaults together.
    for (std::size_t round = 0; round < 24; ++round) {
        for (const auto& each : table.options()) {
            std::vector<std::string> good;
            for (const std::string& text : candidates(*each)) {
                each->value->clear();
                if (each->value->assign(text).empty()) {
                    good.push_back(text);
                }
            }
            ASSERT_FALSE(good.empty()) << each->key;
            each->value->clear();
            each->value->assign(good[round % good.size()]);
            if (each->value->text() != each->default_text) {
                tried[each->key].insert(each->value->text());
            }
        }
        values expected = values_of(config);
        expected["run.threads"] = defaults.at("run.threads");
        expected["run.thread_grain"] = defaults.at("run.thread_grain");
        expected["run.quantum"] = defaults.at("run.quantum");
        expected["run.engine"] = defaults.at("run.engine");
        expected["output.metrics"] = defaults.at("output.metrics");
        const values back = values_of(reload(config));
        for (const auto& [key, texts] : expected) {
            EXPECT_EQ(back.at(key), texts) << key << " in round " << round;
        }
    }
    for (const auto& each : table.options()) {
        const bool has_one_kind = each->value->choices().size() == 1;
        EXPECT_TRUE(has_one_kind || !tried[each->key].empty())
            << each->key << " was never anything but its default";
    }
}

TEST(option_texts, doubles_survive_the_round_trip_bit_for_bit) {
    random_stream chance{7, 0, random_purpose::sizes};
    for (int i = 0; i < 200; ++i) {
        run_config config;
        config.device.share_alpha = 64 * chance.uniform() + 1e-9;
        config.flow_control.refresh = chance.uniform();
        const run_config back = reload(config);
        EXPECT_EQ(back.device.share_alpha, config.device.share_alpha);
        EXPECT_EQ(back.flow_control.refresh, config.flow_control.refresh);
    }
}

TEST(option_texts, shares_are_printed_shortest_and_read_exactly) {
    for (const auto& [share, text] : std::map<double, std::string>{{0.15, "15%"},
                                                                   {0.5, "50%"},
                                                                   {0.333, "33.3%"},
                                                                   {0.001, "0.1%"},
                                                                   {0.0007, "0.07%"},
                                                                   {1, "100%"},
                                                                   {12.5, "1250%"},
                                                                   {0, "0%"}}) {
        EXPECT_EQ(share_text(share), text);
        EXPECT_EQ(detail::parse_share(text).value, share);
    }
    random_stream chance{8, 0, random_purpose::sizes};
    for (int i = 0; i < 20'000; ++i) {
        const double share = chance.uniform() / (1 + static_cast<double>(chance.below(1'000'000)));
        EXPECT_EQ(detail::parse_share(share_text(share)).value, share);
    }
    EXPECT_EQ(detail::parse_share("0.15").value, 0.15);
    EXPECT_EQ(detail::parse_share("15 %").value, 0.15);
    EXPECT_EQ(detail::parse_share("1.5e1%").value, 0.15);
    EXPECT_EQ(detail::parse_share("150E-1 %").value, 0.15);
    EXPECT_EQ(detail::parse_share("1.5e+1%").value, 0.15);
    for (const char* const text : {"e1%", "1e%", "1e+-1%", "1e1e1%", "1e999999999999%"}) {
        EXPECT_FALSE(detail::parse_share(text)) << text;
    }
    for (const char* wrong : {"", "%", "x%", "15 %%", "inf%", "nan%", "inf", "0,15"}) {
        EXPECT_FALSE(detail::parse_share(wrong)) << wrong;
    }
}

TEST(option_texts, effective_configuration_leaves_out_what_results_do_not_depend_on) {
    std::ostringstream ini;
    run_config config;
    write_effective_ini(ini, config);
    const option_table table = make_option_table(config);
    std::size_t lines = 0;
    for (const auto& each : table.options()) {
        const bool execution = each->key == "run.threads" || each->key == "run.thread_grain" ||
                               each->key == "run.quantum" || each->key == "run.engine";
        EXPECT_EQ(each->in_results, !execution && each->key != "output.metrics") << each->key;
        lines += each->in_results ? 1 : 0;
    }
    const std::string text = ini.str();
    std::size_t found = 0;
    for (std::size_t at = text.find(" ="); at != std::string::npos; at = text.find(" =", at + 1)) {
        const std::size_t start = text.rfind('\n', at) + 1;
        const std::string line = text.substr(start, at - start);
        found += line.find(' ', line.compare(0, 2, "# ") == 0 ? 2 : 0) == std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(found, lines);
    EXPECT_EQ(text.find("threads ="), std::string::npos);
    EXPECT_EQ(text.find("quantum ="), std::string::npos);
}

TEST(option_texts, effective_configuration_overrides_the_schemes_presets) {
    run_config config;
    config.scheme = named<scheme_kind>("detail");
    EXPECT_EQ(values_of(reload(config)), values_of(config));
}

TEST(option_texts, effective_configuration_runs_from_anywhere) {
    std::istringstream in("[fabric]\ntopology = file\nfile = a.topo\n");
    const run_config config = load_config({}, {{"here/x.ini", &in}}).config;
    EXPECT_EQ(reload(config).fabric.file, config.fabric.file);
}

TEST(option_texts, the_list_of_all_options_is_an_ini_file_without_errors) {
    run_config config;
    std::stringstream ini;
    write_ini(ini, make_option_table(config));
    const loaded_config loaded = load_config({}, {{"all.ini", &ini}});
    for (const config_error& error : loaded.errors) {
        ADD_FAILURE() << format_error(error);
    }
    EXPECT_EQ(values_of(loaded.config), values_of(config));
}

TEST(option_texts, help_and_reference_name_every_option_with_all_that_is_known_of_it) {
    run_config config;
    const option_table table = make_option_table(config);
    const std::string help = help_of(table);
    const std::string reference = reference_of(table);
    for (const auto& each : table.options()) {
        EXPECT_NE(help.find("--" + each->key + " = "), std::string::npos) << each->key;
        EXPECT_NE(reference.find("| `" + each->key + "` |"), std::string::npos) << each->key;
        EXPECT_NE(reference.find(each->source), std::string::npos) << each->key;
        EXPECT_FALSE(each->doc.empty()) << each->key;
        EXPECT_EQ(each->doc.back(), '.') << each->key;
        EXPECT_EQ(each->doc.find('\n'), std::string::npos) << each->key;
        EXPECT_FALSE(each->source.empty()) << each->key;
        EXPECT_EQ(each->value->range().empty(), each->is_path) << each->key << " states no range";
    }
    EXPECT_NE(help.find("Default by switch.scheme: baseline 10ms, priority 10ms, fc 50ms"), std::string::npos);
}

TEST(option_texts, help_and_reference_quote_relations_at_every_option_that_they_involve) {
    run_config config;
    const option_table table = make_option_table(config);
    const std::string help = help_of(table);
    const std::string reference = reference_of(table);
    const auto times = [](const std::string& text, const std::string& part) {
        std::size_t count = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
            ++count;
        }
        return count;
    };
    EXPECT_EQ(times(help, "\n      Relation: pfc.xon: expected at most pfc.xoff.\n"), 2U);
    EXPECT_EQ(times(reference, "<br>Relation: pfc.xon: expected at most pfc.xoff."), 2U);
    EXPECT_EQ(times(reference, "Relation: tcp.receive_window: expected at least ... (mss)."), 2U);
    // A condition is part of the text, because the value is left out.
    for (const char* text :
         {"switch.overflow: '...' would drop frames of lossless classes (pfc.mode other than none)",
          "switch.drop: 'egress_tail' would drop frames of lossless classes (pfc.mode other than none)",
          "switch.crossbar: 'cell' has slots of fixed length, but with sram.access_time above 0 cells",
          "pfc.charge: 'enqueue' does not count frames that wait for a lookup (switch.lookup_interval)"}) {
        EXPECT_EQ(times(reference, std::string("<br>Refused: ") + text), 2U) << text;
    }
    EXPECT_EQ(times(reference, "Relation: traffic.start: expected below run.duration."), 2U);
    EXPECT_EQ(times(reference, "(...)"), 0U);
    // Of a fabric that is not chosen, too.
    EXPECT_EQ(times(reference, "Refused: fabric.racks: a root's racks x links_per_root makes ... ports"), 2U);
}

TEST(option_texts, help_and_reference_show_what_each_scheme_sets) {
    run_config config;
    const option_table table = make_option_table(config);
    const std::string help = help_of(table);
    const std::string reference = reference_of(table);
    const std::string scheme_help = help.substr(help.find("\nSchemes (switch.scheme)"));
    const std::string rows = reference.substr(reference.find("\n## Schemes"));
    for (const scheme_entry& scheme : schemes().entries()) {
        const std::string& name = scheme.name;
        std::string shown;  // in the help: lines further in than the scheme's own
        std::string sets;   // in the reference
        for (const scheme_setting& setting : scheme.traits.settings) {
            const std::string text = setting.key + " = " + setting.value;
            shown += "      " + text + '\n';
            sets += (sets.empty() ? "`" : "<br>`") + text + '`';
        }
        const std::size_t own = scheme_help.find("\n  " + name + ": ");
        ASSERT_NE(own, std::string::npos) << name;
        const std::size_t first = shown.empty() ? std::string::npos : scheme_help.find("\n      ", own);
        EXPECT_EQ(shown.empty() ? "" : scheme_help.substr(first + 1, shown.size()), shown) << name;
        const std::size_t row = rows.find("\n| `" + name + "` | ");
        ASSERT_NE(row, std::string::npos) << name;
        const std::size_t end = rows.find('\n', row + 1);
        EXPECT_EQ(rows.substr(end - sets.size() - 2, sets.size() + 2), sets + " |") << name;
    }
}

TEST(option_texts, reference_is_the_same_every_time) {
    run_config first;
    run_config second;
    const std::string a = reference_of(make_option_table(first));
    EXPECT_EQ(a, reference_of(make_option_table(second)));
    EXPECT_NE(a.find("| `switch.speedup` | 4 | count | 1 to 16 | Crossbar rate divided by the rate of "
                     "the switch's fastest port. | DeTail 7.1 |"),
              std::string::npos);
}

TEST(option_texts, names_that_scripts_rely_on_exist) {
    run_config config;
    const option_table table = make_option_table(config);
    for (const char* key : {"run.duration",
                            "run.warmup",
                            "run.seed",
                            "run.threads",
                            "run.thread_grain",
                            "run.quantum",
                            "fabric.topology",
                            "link.rate",
                            "link.latency",
                            "link.wire_overhead",
                            "switch.scheme",
                            "switch.ingress_buffer",
                            "switch.egress_buffer",
                            "switch.lookup_delay",
                            "switch.speedup",
                            "switch.iterations",
                            "switch.crossbar",
                            "switch.cell",
                            "switch.balance",
                            "pfc.xoff",
                            "pfc.xon",
                            "tcp.min_rto",
                            "tcp.initial_window",
                            "traffic.kind",
                            "traffic.format",
                            "traffic.file",
                            "traffic.rate",
                            "traffic.load"}) {
        EXPECT_NE(table.find(key), nullptr) << key;
    }
}

}  // namespace
}  // namespace weir::tb
