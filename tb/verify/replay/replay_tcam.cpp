#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tb/support/text/joined.h"
#include "tb/verify/replay/replay_blocks.h"

namespace weir::tb {

namespace {

struct table_line {
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

constexpr std::tuple tcam_line_columns(cell<std::string>("table", "one file may hold several tables"),
                                       cell<std::uint32_t>("index").range(0, most_entries - 1),
                                       cell<bool>("valid").words("1", "0"), cell<std::string>("value_hex"),
                                       cell<std::string>("xmask_hex(1=dont_care)"));
using tcam_line = row_of<tcam_line_columns>;
constexpr std::tuple tcam_key_columns(cell<std::string>("table"), cell<std::string>("key_hex"));
using tcam_key = row_of<tcam_key_columns>;
constexpr auto tcam_answer_columns =
    with_more(tcam_key_columns, cell<std::string>("first_index(-1=miss)"), cell<std::uint64_t>("match_count"),
              cell<std::uint64_t>("latency_cycles"), cell<std::string>("all_matching_indices_ascending"));
using tcam_answer = row_of<tcam_answer_columns>;

std::map<std::string, ternary_table> read_tables(replay_job& job) {
    auto file = job.read<tcam_line>("table");
    std::map<std::string, ternary_table> tables;
    while (const tcam_line* const row = file.next_line()) {
        const auto& [name, index, valid, value, xmask] = row->cells;
        table_line line{valid, {}, {}};
        // A line that is not valid may say nothing of its contents.
        for (const auto& [column, text, bits] :
             {std::tuple("value_hex", &value, &line.value), std::tuple("xmask_hex", &xmask, &line.xmask)}) {
            if (valid || !text->empty()) {
                *bits =
                    file.hex(column, job.number("key-bits", wide_tcam::most_key_bits)).value_or(wide_bits{});
            }
        }
        ternary_table& table = tables[name];
        table.digits = std::max({table.digits, value.size(), xmask.size()});
        if (file.is_good("index") && !table.lines.emplace(index, line).second) {
            file.refuse_text("index", "is in table '" + name + "' already; expected each index once per table");
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
    tcam_config config{static_cast<std::uint32_t>(lines.size()), static_cast<std::uint32_t>(width)};
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
    auto file = job.read<tcam_key>("lookups");
    if (!job.errors().empty()) {
        return;
    }
    auto out = job.table<tcam_answer>("out");
    // Most likely the tables and keys are of two memories.
    std::map<std::string, std::uint64_t> wider;
    while (const tcam_key* const row = file.next()) {
        const auto& [name, key_text] = row->cells;
        const auto table = tables.find(name);
        if (table == tables.end()) {
            file.refuse_text("table", "is not a table; expected one of " + job.text("table"));
            continue;
        }
        const auto key = file.hex("key_hex", job.number("key-bits", wide_tcam::most_key_bits));
        if (!key) {
            continue;
        }
        wider[name] += key_text.size() > read.at(name).digits ? 1 : 0;
        const filled_table& found = table->second;
        const auto index_of = [&](std::uint32_t line) { return std::to_string(found.indices[line]); };
        const std::vector<std::uint32_t> matches = found.memory.all_matches(*key);
        const int winner = found.memory.lookup(*key);
        out.write({name, key_text, winner < 0 ? "-1" : index_of(static_cast<std::uint32_t>(winner)),
                   matches.size(), job.number("lookup-latency"), joined(matches, " ", index_of)});
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
        {input_option("table", "Lines of the tables.").table<tcam_line>(),
         input_option("lookups", "Keys.").table<tcam_key>(),
         output_option("out", "The keys with their answers.").table<tcam_answer>(),
         word_option("rule", {"standard", "canonical_values_only"},
                     "Meaning of a 1 in a value at a don't-care bit: none, or, as in some RTL, that the line "
                     "never matches. The goldens' table `noncanonical` needs the second.",
                     "mcjtag/tcam compares value == (key & ~xmask)"),
         number_option("lookup-latency", 3, 0, 1'000'000,
                       "Cycles from the edge that samples the request until the result can be read.",
                       "mcjtag/tcam: 3"),
         plain_number("key-bits", 1, wide_tcam::most_key_bits,
                      "Width of a key; wider values are refused. Default: the width of the keys in the files.")
             .optional()},
        run_tcam};
}

}  // namespace weir::tb
