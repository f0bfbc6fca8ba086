#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/verify/replay/replay_blocks.h"

namespace weir::tb {

namespace {

enum class prefix_operation : std::uint8_t { insert, overwrite, erase };
constexpr auto names_of(prefix_operation) {
    return enum_names<prefix_operation>({{prefix_operation::insert, "insert"},
                                         {prefix_operation::overwrite, "overwrite"},
                                         {prefix_operation::erase, "erase"}});
}

struct prefix_write {
    std::string table;
    std::uint64_t seq = 0;
    prefix_operation operation{};
    std::uint32_t index = 0;
    std::string prefix_text;
    std::uint32_t length = 0;
    wide_bits prefix;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = prefix_write;
        columns(column("table", &self::table));
        columns(column("seq", &self::seq));
        columns(column("op", &self::operation));
        columns(column("index", &self::index).range(0, most_entries - 1));
        columns(column("prefix_hex", &self::prefix_text, "prefix, at the upper end of a key"));
        columns(column("plen(0=erase)", &self::length, "length of the prefix; 0 for erase"));
    }
};

/// The writes of one table, in the order of seq.
struct prefix_table {
    std::vector<prefix_write> writes;
    /// Lines of the memory, of which the first `initial` writes fill some or all.
    std::uint64_t entries = 0;
    std::uint64_t initial = 0;
    /// Writes before each phase after_update_k.
    std::uint64_t batch = 0;
};
using prefix_tables = std::map<std::string, prefix_table>;

constexpr std::tuple lpm_key_columns(cell<std::string>("table"),
                                     cell<std::string>("phase", "initial, after_update_1, after_update_2, ..."),
                                     cell<std::string>("key_hex"));
using lpm_key = row_of<lpm_key_columns>;
constexpr auto lpm_answer_columns =
    with_more(lpm_key_columns, cell<std::string>("index(-1=miss)"), cell<std::uint64_t>("latency_cycles"));
using lpm_answer = row_of<lpm_answer_columns>;

wide_bits masked(wide_bits value, const wide_bits& mask) {
    value.resize(mask.size());
    for (std::size_t word = 0; word < mask.size(); ++word) {
        value[word] &= mask[word];
    }
    return value;
}

prefix_tables read_tables(replay_job& job, std::size_t width) {
    auto file = job.read<prefix_write>("table", input_kind::stored);  // for widest_hex, too
    const std::uint64_t entries = job.number("entries", most_entries);
    prefix_tables tables;
    std::set<std::pair<std::string, std::uint64_t>> seen;
    std::uint64_t longer = 0;
    while (const prefix_write* const read = file.next_line()) {
        file.number("index", 0, entries - 1);
        file.number("plen", 0, width);
        const auto prefix = file.hex("prefix_hex", width);
        const bool erases = read->operation == prefix_operation::erase;
        if (file.is_good("op", "plen") && erases != (read->length == 0)) {
            file.refuse_text("plen", "with op '" + std::string(name_of(read->operation)) +
                                         "'; expected 0 for erase, 1 to " + std::to_string(width) +
                                         " otherwise");
        }
        if (file.is_good("seq") && !seen.emplace(read->table, read->seq).second) {
            file.refuse_text("seq", "is used by another write, too; expected each once");
        }
        if (!file.is_good()) {
            continue;
        }
        longer += !erases && bit_length(masked(*prefix, ones(width - read->length))) > 0 ? 1 : 0;
        std::vector<prefix_write>& writes = tables[read->table].writes;
        writes.push_back(*read);
        writes.back().prefix = *prefix;
    }
    if (longer > 0) {
        job.notes().push_back(job.text("table") + ": " + std::to_string(longer) +
                              " prefixes have bits beyond their length, which are not compared");
    }
    for (auto& [table_name, table] : tables) {
        std::stable_sort(table.writes.begin(), table.writes.end(),
                         [](const prefix_write& a, const prefix_write& b) { return a.seq < b.seq; });
        while (table.initial < table.writes.size() &&
               table.writes[table.initial].operation == prefix_operation::insert) {
            ++table.initial;
        }
        table.entries = table.initial;
        for (const prefix_write& w : table.writes) {
            table.entries = std::max<std::uint64_t>(table.entries, w.index + 1U);
        }
        table.entries = job.number("entries", table.entries);
        table.batch = job.number("update-batch", std::max<std::uint64_t>(1, table.entries / 4));
    }
    return tables;
}

/// A table as it stands in some phase.
class phased_table {
 public:
    phased_table(const prefix_table& table, std::size_t width) : m_table(table), m_width(width) {}

    /// Makes the first `due` writes; fewer than before starts anew.
    void write_until(std::uint64_t due) {
        if (due < m_written) {
            m_memory = wide_tcam(tcam_config{most_entries, static_cast<std::uint32_t>(m_width)});
            m_written = 0;
        }
        for (; m_written < due; ++m_written) {
            const prefix_write& w = m_table.writes[m_written];
            if (w.operation == prefix_operation::erase) {
                (void)m_memory.erase(w.index);
                continue;
            }
            const wide_bits mask = ones(w.length, m_width - w.length);
            (void)m_memory.write(w.index, {masked(w.prefix, mask), mask, w.length, true});
        }
    }
    int lookup(const wide_bits& key) const { return m_memory.lookup(key); }

 private:
    const prefix_table& m_table;
    std::size_t m_width;
    wide_tcam m_memory{tcam_config{most_entries, static_cast<std::uint32_t>(m_width)}};
    std::uint64_t m_written = 0;
};

/// `initial`: 0, `after_update_3`: 3.
std::optional<std::uint64_t> batches_of(csv_file& file, const std::string& phase) {
    static const std::string after = "after_update_";
    if (phase == "initial") {
        return 0;
    }
    const auto number = phase.compare(0, after.size(), after) == 0
                            ? parse_whole_number(phase.substr(after.size()))
                            : std::nullopt;
    if (!number || *number == 0 || *number > most_entries) {
        file.refuse_text("phase", "is unknown; expected initial, after_update_1, after_update_2, ...");
        return std::nullopt;
    }
    return number;
}

std::uint64_t latency_of(const prefix_table& table, const replay_job& job) {
    std::uint64_t levels = 0;
    while ((std::uint64_t{1} << levels) < table.entries) {
        ++levels;
    }
    return job.number("lookup-latency", 3 + levels);
}

void run_lpm(replay_job& job) {
    // A prefix stands at the key's upper end, so the width has to be known.
    const std::size_t width =
        job.given("key-bits") ? job.number("key-bits") : widest_hex(job.text("table"), "prefix_hex");
    const prefix_tables tables = read_tables(job, width);
    auto file = job.read<lpm_key>("lookups");
    if (!job.errors().empty()) {
        return;
    }
    std::map<std::string, phased_table> memories;
    auto out = job.table<lpm_answer>("out");
    while (const lpm_key* const row = file.next()) {
        const auto& [name, phase, key_text] = row->cells;
        const auto table = tables.find(name);
        if (table == tables.end()) {
            file.refuse_text("table", "is not a table; expected one of " + job.text("table"));
            continue;
        }
        const auto key = file.hex("key_hex", width);
        const auto batches = batches_of(file, phase);
        if (!key || !batches) {
            continue;
        }
        const prefix_table& t = table->second;
        const std::uint64_t due = t.initial + *batches * t.batch;
        if (due > t.writes.size()) {
            file.refuse_text("phase", "needs " + std::to_string(due) + " writes of table '" + name +
                                          "'; expected at most the table's " + std::to_string(t.writes.size()));
            continue;
        }
        phased_table& memory = memories.try_emplace(name, t, width).first->second;
        memory.write_until(due);
        out.write({name, phase, key_text, std::to_string(memory.lookup(*key)), latency_of(t, job)});
    }
}

}  // namespace

replay_block lpm_replay() {
    return {"lpm",
            "the same memory with prefixes: the longest match wins; with inserts and erasures",
            "The first inserts of a table come before the phase `initial`, then a batch of writes before each\n"
            "phase `after_update_1`, `after_update_2`, ... The order of indices has no meaning for priority.\n",
            {input_option("table", "Writes of the tables.").table<prefix_write>(),
             input_option("lookups", "Keys.").table<lpm_key>(),
             output_option("out", "The keys with their answers.").table<lpm_answer>(),
             plain_number("lookup-latency", 0, 1'000'000,
                          "Cycles of a lookup. Default: 3 + log2(entries), rounded up.",
                          "SatCat5 tcam_core, TCAM_MODE_MAXLEN")
                 .optional(),
             plain_number("entries", 1, most_entries,
                          "Number of lines of the memory. A higher index is refused. Default: the number of "
                          "the table's first inserts, or its highest index + 1.")
                 .optional(),
             plain_number("update-batch", 1, most_entries,
                          "Writes before each phase after_update_k. Default: entries / 4.",
                          "how the goldens were made")
                 .optional(),
             plain_number("key-bits", 1, wide_tcam::most_key_bits,
                          "Width of a key. Default: 4 per digit of the longest prefix_hex.")
                 .optional()},
            run_lpm};
}

}  // namespace weir::tb
