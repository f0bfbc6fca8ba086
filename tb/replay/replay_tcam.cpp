#include "tb/replay/replay_tcam.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

struct table_line {
    std::uint32_t index = 0;
    bool valid = true;
    wide_bits value;
    /// 1 = don't care.
    wide_bits xmask;
};
struct ternary_table {
    /// By index.
    std::map<std::uint32_t, table_line> lines;
    /// Of the longest value or mask in the file.
    std::size_t digits = 0;
};

std::size_t most_key_bits(const replay_job& job) {
    return job.given("key-bits") ? job.number("key-bits") : wide_tcam::most_key_bits;
}

std::map<std::string, ternary_table> read_tables(replay_job& job) {
    csv_file file(job.text("table"), job.errors());
    const std::size_t name = file.column("table");
    const std::size_t index = file.column("index");
    const std::size_t valid = file.column("valid");
    const std::size_t value = file.column("value_hex");
    const std::size_t xmask = file.column("xmask_hex(1=dont_care)");
    std::map<std::string, ternary_table> tables;
    while (file.next()) {
        table_line line;
        std::uint64_t at = 0;
        std::uint64_t is_valid = 0;
        const bool good = file.number(index, at, 0, most_entries - 1);
        if (!file.number(valid, is_valid, 0, 1) || !good) {
            continue;
        }
        line.index = static_cast<std::uint32_t>(at);
        line.valid = is_valid != 0;
        // A line that is not valid may say nothing of its contents.
        for (const auto& [column, bits] : {std::pair(value, &line.value), std::pair(xmask, &line.xmask)}) {
            if (line.valid || !file.text(column).empty()) {
                file.hex(column, *bits, most_key_bits(job));
            }
        }
        ternary_table& table = tables[file.text(name)];
        table.digits = std::max({table.digits, file.text(value).size(), file.text(xmask).size()});
        if (!table.lines.emplace(line.index, line).second) {
            file.refuse(index, "'" + file.text(index) + "' is in table '" + file.text(name) +
                                   "' already; expected each index once per table");
        }
    }
    return tables;
}

/// A table in a memory that has its lines only, however far they are apart: what the table takes follows from
/// the file's size, not from an index in it.
struct filled_table {
    wide_tcam memory;
    /// In the file, of each line of the memory.
    std::vector<std::uint32_t> indices;
};

/// As wide as the widest of the lines; a wider key can match none of them.
filled_table build(const std::map<std::uint32_t, table_line>& lines, const replay_job& job) {
    std::size_t width = 1;
    for (const auto& [index, line] : lines) {
        width = std::max({width, bit_length(line.value), bit_length(line.xmask)});
    }
    tcam_config config;
    config.entries = static_cast<std::uint32_t>(lines.size());
    config.key_bits = static_cast<std::uint32_t>(width);
    config.rule = job.text("rule") == "standard" ? ternary_rule::standard : ternary_rule::canonical_values_only;
    filled_table table{wide_tcam(config), {}};
    for (const auto& [index, line] : lines) {
        (void)table.memory.write(static_cast<std::uint32_t>(table.indices.size()),
                                 {line.value, complement(line.xmask, width), 0, line.valid});
        table.indices.push_back(index);
    }
    return table;
}

void run_tcam(replay_job& job) {
    std::map<std::string, filled_table> tables;
    const std::map<std::string, ternary_table> read = read_tables(job);
    for (const auto& [name, table] : read) {
        tables.emplace(name, build(table.lines, job));
    }
    csv_file file(job.text("lookups"), job.errors());
    const std::size_t name = file.column("table");
    const std::size_t key_column = file.column("key_hex");
    if (!job.errors().empty()) {
        return;
    }
    std::string& out = job.output("out");
    out = "table,key_hex,first_index(-1=miss),match_count,latency_cycles,all_matching_indices_ascending\n";
    csv_line line;
    // Most likely the tables and keys are of two memories.
    std::map<std::string, std::uint64_t> wider;
    while (file.next()) {
        const auto table = tables.find(file.text(name));
        if (table == tables.end()) {
            file.refuse(name, "'" + file.text(name) + "' is not a table; expected one of " + job.text("table"));
            continue;
        }
        wide_bits key;
        if (!file.hex(key_column, key, most_key_bits(job))) {
            continue;
        }
        wider[table->first] += file.text(key_column).size() > read.at(table->first).digits ? 1 : 0;
        const auto& [memory, index_of] = table->second;
        const std::vector<std::uint32_t> matches = memory.all_matches(key);
        std::string indices;
        for (const std::uint32_t match : matches) {
            indices += (indices.empty() ? "" : " ") + std::to_string(index_of[match]);
        }
        const int winner = memory.lookup(key);
        out += line.add_name(file.text(name))
                   .add_name(file.text(key_column))
                   .add_name(winner < 0 ? "-1" : std::to_string(index_of[static_cast<std::size_t>(winner)]))
                   .add(matches.size())
                   .add(job.number("lookup-latency"))
                   .add_name(indices)
                   .end();
    }
    for (const auto& [table, keys] : wider) {
        if (keys > 0) {
            job.notes().push_back(job.text("lookups") + ": " + std::to_string(keys) +
                                  " keys have more digits than all lines of table '" + table + "' (" +
                                  std::to_string(read.at(table).digits) + ")");
        }
    }
}

}  // namespace

replay_block tcam_replay() {
    return {
        "tcam",
        "the ternary memory: from tables and keys to winners and all matches",
        "All lines have equal priority: the lowest index wins. Keys may have any width. The digits in "
        "the\nfiles give the widths, unless --key-bits sets a limit.\n",
        {input_option("table",
                      "Columns table, index, valid, value_hex, xmask_hex (1 = don't care). One file may hold "
                      "several tables."),
         input_option("lookups", "Columns table, key_hex."),
         output_option("out",
                       "table, key_hex, first_index (-1 = miss), match_count, latency_cycles, "
                       "all_matching_indices_ascending."),
         word_option("rule", {"standard", "canonical_values_only"},
                     "Meaning of a 1 in a value at a don't-care bit: none, or, as in some RTL, that the line "
                     "never matches. The goldens' table `noncanonical` needs the second.",
                     "mcjtag/tcam compares value == (key & ~xmask)"),
         number_option("lookup-latency", 3, 0, 1'000'000,
                       "Cycles from the edge that samples the request until the result can be read.",
                       "mcjtag/tcam: 3"),
         derived_number(
             "key-bits", 1, wide_tcam::most_key_bits,
             "Width of a key; wider values are refused. Default: the width of the keys in the files.")},
        run_tcam};
}

}  // namespace weir::tb
