#include "tb/run/help/option_help.h"

#include <algorithm>
#include <utility>

#include "tb/run/fields/ini_file.h"
#include "tb/run/options/run_options.h"
#include "tb/support/text/markdown_cell.h"
#include "tb/support/text/wrapped_text.h"

namespace weir::tb {

namespace {

std::string shown(const std::string& text) {
    return text.empty() ? "(empty)" : text;
}

/// The relations that an option takes part in: `Relation: pfc.xon: expected at most pfc.xoff.`
std::vector<std::string> relations_of(const std::vector<option_relation>& relations, const std::string& key) {
    std::vector<std::string> texts;
    for (const option_relation& relation : relations) {
        if (relation.key == key ||
            std::find(relation.others.begin(), relation.others.end(), key) != relation.others.end()) {
            const bool is_limit = relation.kind == relation_kind::limit;
            texts.push_back((is_limit ? "Relation: " : "Refused: ") + relation.key +
                            (is_limit ? ": expected " : ": ") + relation.text +
                            (relation.text.back() == '.' ? "" : "."));
        }
    }
    return texts;
}

std::string unit_of(const option& each) {
    std::string unit = each.value->unit();
    if (each.in_cells) {
        const std::string measure = text_form<bytes>::unit();
        unit.insert(unit.find(measure) + measure.size(), " or cells (120c)");
    }
    return unit;
}

void write_option_help(std::ostream& out, const option& each, const std::vector<option_relation>& relations) {
    const std::string range = each.value->range();
    out << "  --" << each.key << " = " << shown(each.default_text) << '\n';
    const std::string indent(6, ' ');
    write_wrapped(out, indent, indent, each.doc);
    write_wrapped(out, indent, indent + "  ",
                  "Unit: " + unit_of(each) + "." + (range.empty() ? "" : " Allowed: " + range + ".") +
                      " Default: " + shown(each.default_text) + "." +
                      (each.source.empty() ? "" : " Source: " + each.source + "."));
    for (const auto& [name, doc] : each.value->choices()) {
        write_wrapped(out, indent + "  " + name + ": ", indent + "    ", doc);
    }
    const std::string schemes = schemes_of(each.key);
    if (!schemes.empty()) {
        write_wrapped(out, indent, indent + "  ", "Default by switch.scheme: " + schemes + ".");
    }
    for (const std::string& text : relations_of(relations, each.key)) {
        write_wrapped(out, indent, indent + "  ", text);
    }
}

/// One of a table in Markdown.
void write_table_line(std::ostream& out, const option& each, const std::vector<option_relation>& relations) {
    std::string what = each.doc;
    for (const auto& [name, doc] : each.value->choices()) {
        what += "<br>`" + name + "`: " + doc;
    }
    for (const std::string& text : relations_of(relations, each.key)) {
        what += "<br>" + text;
    }
    out << "| `" << each.key << "` | " << markdown_cell(shown(each.default_text)) << " | " << unit_of(each)
        << " | " << markdown_cell(each.value->range()) << " | " << markdown_cell(what) << " | "
        << markdown_cell(each.source) << " |\n";
}

bool shows(const option_choice& chosen, const option& each) {
    return chosen.empty() || chosen.count(&each) != 0;
}
/// Blocks with options to show.
std::vector<const option_block*> shown_blocks(const option_table& table, const option_choice& chosen) {
    std::vector<const option_block*> blocks;
    for (const option_block& block : table.blocks()) {
        const bool any = std::any_of(table.options().begin(), table.options().end(), [&](const auto& each) {
            return each->block == block.name && shows(chosen, *each);
        });
        if (any || chosen.empty()) {
            blocks.push_back(&block);
        }
    }
    return blocks;
}

/// Blocks divided by empty lines; `before` stands before the first one.
template <class Head, class Each>
void write_shown(std::ostream& out, const option_table& table, const option_choice& chosen, const char* before,
                 const Head& write_head, const Each& write_option) {
    for (const option_block* block : shown_blocks(table, chosen)) {
        out << std::exchange(before, "\n");
        write_head(*block);
        for (const auto& each : table.options()) {
            if (each->block == block->name && shows(chosen, *each)) {
                write_option(*each);
            }
        }
    }
}

void write_comment(std::ostream& out, const option& each) {
    out << "# " << each.doc << '\n';
}

void write_values(std::ostream& out, const option& each) {
    const std::vector<std::string> texts = each.value->texts();
    if (texts.empty()) {
        out << "# " << each.name << " =\n";
    }
    for (const std::string& text : texts) {
        out << each.name << " =" << (text.empty() ? "" : " ") << text << '\n';
    }
}

}  // namespace

void write_blocks(std::ostream& out, const option_table& table, const option_choice& chosen) {
    const std::vector<option_relation> relations = table.relations();
    if (chosen.empty()) {
        out << "Options, in an INI file as `key = value` below `[block]`, on the command line "
               "as\n--block.key=value, which takes precedence. A quantity needs a unit: 128KiB (powers of "
               "two), 128KB (powers\n"
               "of ten), 10Gbps, 1.6us. A share is 15%, 0.15 or 3/20.\n";
    }
    write_shown(
        out, table, chosen, chosen.empty() ? "\n" : "",
        [&](const option_block& block) { out << '[' << block.name << "] " << block.doc << '\n'; },
        [&](const option& each) { write_option_help(out, each, relations); });
}

void write_scheme(std::ostream& out, const scheme_entry& scheme) {
    write_wrapped(out, "  " + scheme.name + ": ", "    ", scheme.doc);
    for (const scheme_setting& setting : scheme.traits.settings) {
        out << "      " << setting.key << " = " << setting.value << '\n';
    }
}

void write_help(std::ostream& out, const option_table& table) {
    out << "One block, option or scheme: --help=pfc, --help=pfc.xoff, --help=dctcp; by any word: "
           "--help=lookahead.\n";
    write_blocks(out, table);
    out << "\nSchemes (switch.scheme) and the defaults that they set\n";
    for (const scheme_entry& scheme : schemes().entries()) {
        write_scheme(out, scheme);
    }
}

void write_reference(std::ostream& out, const option_table& table, const option_choice& chosen) {
    const std::vector<option_relation> relations = table.relations();
    if (chosen.empty()) {
        out << "# Options\n\nMade by `weir options --format=md`; do not edit. An option is set in an INI file "
               "as `key = value` below `[block]`,\nor on the command line as `--block.key=value`, which takes "
               "precedence. A quantity needs a unit: `128KiB` (powers of two),\n`128KB` (powers of ten), "
               "`10Gbps`, `1.6us`. A share is `15%`, `0.15` or `3/20`.\n";
    }
    write_shown(
        out, table, chosen, chosen.empty() ? "\n" : "",
        [&](const option_block& block) {
            out << "## [" << block.name << "]\n\n" << block.doc << "\n\n";
            out << "| key | default | unit | allowed | what | source |\n|---|---|---|---|---|---|\n";
        },
        [&](const option& each) { write_table_line(out, each, relations); });
    if (!chosen.empty()) {
        return;
    }
    out << "\n## Schemes\n\n`switch.scheme` sets these defaults; values in a file or on the command line take "
           "precedence.\n\n";
    out << "| scheme | what | sets |\n|---|---|---|\n";
    for (const scheme_entry& scheme : schemes().entries()) {
        std::string sets;
        for (const scheme_setting& setting : scheme.traits.settings) {
            sets += (sets.empty() ? "`" : "<br>`") + setting.key + " = " + setting.value + "`";
        }
        out << "| `" << scheme.name << "` | " << markdown_cell(scheme.doc) << " | " << sets << " |\n";
    }
}

void write_ini(std::ostream& out, const option_table& table, const option_choice& chosen) {
    write_shown(
        out, table, chosen, "",
        [&](const option_block& block) { out << "# " << block.doc << "\n[" << block.name << "]\n"; },
        [&](const option& each) {
            write_comment(out, each);
            const std::string range = each.value->range();
            out << "# Unit: " << unit_of(each) << (range.empty() ? "" : ". Allowed: " + range)
                << ". Source: " << each.source << '\n';
            write_values(out, each);
        });
}

void write_effective_ini(std::ostream& out, const run_config& config) {
    run_config copy = config;
    const option_table table = make_option_table(copy);
    out << effective_head << '\n';
    for (const option_block& block : table.blocks()) {
        out << "\n[" << block.name << "]\n";
        for (const auto& each : table.options()) {
            if (each->block == block.name && each->in_results) {
                write_comment(out, *each);
                write_values(out, *each);
            }
        }
    }
    out << '\n' << effective_end << '\n';
}

}  // namespace weir::tb
