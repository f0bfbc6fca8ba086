#include "tb/replay/replay_lpm.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

struct prefix_write {
    std::uint64_t seq = 0;
    std::uint32_t index = 0;
    bool erase = false;
    bool insert = false;
    wide_bits prefix;
    std::uint32_t length = 0;
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

/// A prefix stands at the key's upper end, so the width has to be known: --key-bits, or the digits of the
/// longest prefix.
std::size_t find_width(const replay_job& job) {
    if (job.given("key-bits")) {
        return job.number("key-bits");
    }
    return widest_hex(job.text("table"), "prefix_hex");
}

bool read_write(csv_file& file, const std::vector<std::size_t>& columns, std::size_t width,
                std::uint64_t entries, prefix_write& write) {
    std::uint64_t index = 0;
    std::uint64_t length = 0;
    std::size_t operation = 0;
    bool good = file.number(columns[0], write.seq, 0, ~std::uint64_t{0});
    good = file.word(columns[1], operation, {"insert", "overwrite", "erase"}) && good;
    good = file.number(columns[2], index, 0, entries - 1) && good;
    good = file.hex(columns[3], write.prefix, width) && good;
    good = file.number(columns[4], length, 0, width) && good;
    if (!good) {
        return false;
    }
    write.index = static_cast<std::uint32_t>(index);
    write.length = static_cast<std::uint32_t>(length);
    write.insert = operation == 0;
    write.erase = operation == 2;
    if (write.erase != (length == 0)) {
        file.refuse(columns[4], "'" + file.text(columns[4]) + "' with op '" + file.text(columns[1]) +
                                    "'; expected 0 for erase, 1 to " + std::to_string(width) + " otherwise");
    }
    return true;
}

/// Any of the lowest `count` bits is 1.
bool has_bits_below(const wide_bits& value, std::size_t count) {
    for (std::size_t bit = 0; bit < count && bit / 64 < value.size(); ++bit) {
        if ((value[bit / 64] >> (bit % 64) & 1) != 0) {
            return true;
        }
    }
    return false;
}

prefix_tables read_tables(replay_job& job, std::size_t width) {
    csv_file file(job.text("table"), job.errors(), input_kind::stored);  // for find_width, too
    const std::size_t name = file.column("table");
    std::vector<std::size_t> columns;
    for (const char* column : {"seq", "op", "index", "prefix_hex", "plen(0=erase)"}) {
        columns.push_back(file.column(column));
    }
    const std::uint64_t entries = job.given("entries") ? job.number("entries") : most_entries;
    prefix_tables tables;
    std::set<std::pair<std::string, std::uint64_t>> seen;
    std::uint64_t longer = 0;
    while (file.next()) {
        prefix_write write;
        if (!read_write(file, columns, width, entries, write)) {
            continue;
        }
        if (!seen.emplace(file.text(name), write.seq).second) {
            file.refuse(columns[0],
                        "'" + file.text(columns[0]) + "' is used by another write, too; expected each once");
        }
        longer += has_bits_below(write.prefix, width - write.length) && !write.erase ? 1 : 0;
        tables[file.text(name)].writes.push_back(std::move(write));
    }
    if (longer > 0) {
        job.notes().push_back(job.text("table") + ": " + std::to_string(longer) +
                              " prefixes have bits beyond their length, which are not compared");
    }
    for (auto& [table_name, table] : tables) {
        std::stable_sort(table.writes.begin(), table.writes.end(),
                         [](const prefix_write& a, const prefix_write& b) { return a.seq < b.seq; });
        while (table.initial < table.writes.size() && table.writes[table.initial].insert) {
            ++table.initial;
        }
        table.entries = table.initial;
        for (const prefix_write& w : table.writes) {
            table.entries = std::max<std::uint64_t>(table.entries, w.index + 1U);
        }
        if (job.given("entries")) {
            table.entries = job.number("entries");
        }
        table.batch = job.given("update-batch") ? job.number("update-batch")
                                                : std::max<std::uint64_t>(1, table.entries / 4);
    }
    return tables;
}

/// A table as it stands in some phase.
class phased_table {
 public:
    phased_table(const prefix_table& table, std::size_t width)
        : m_table(table), m_width(width), m_memory(config_of(width)) {}

    /// Makes the first `due` writes; fewer than before starts anew.
    void write_until(std::uint64_t due) {
        if (due < m_written) {
            m_memory = wide_tcam(config_of(m_width));
            m_written = 0;
        }
        for (; m_written < due; ++m_written) {
            const prefix_write& w = m_table.writes[m_written];
            if (w.erase) {
                (void)m_memory.erase(w.index);
                continue;
            }
            const wide_bits mask = ones(w.length, m_width - w.length);
            wide_bits value = w.prefix;
            value.resize(mask.size());
            for (std::size_t word = 0; word < mask.size(); ++word) {
                value[word] &= mask[word];
            }
            (void)m_memory.write(w.index, {value, mask, w.length, true});
        }
    }
    int lookup(const wide_bits& key) const { return m_memory.lookup(key); }

 private:
    static tcam_config config_of(std::size_t width) {
        tcam_config config;
        config.entries = most_entries;
        config.key_bits = static_cast<std::uint32_t>(width);
        return config;
    }

    const prefix_table& m_table;
    std::size_t m_width;
    wide_tcam m_memory;
    std::uint64_t m_written = 0;
};

/// `initial`: 0, `after_update_3`: 3.
bool read_phase(csv_file& file, std::size_t column, std::uint64_t& batches) {
    static const std::string after = "after_update_";
    const std::string& phase = file.text(column);
    batches = 0;
    if (phase == "initial") {
        return true;
    }
    const auto number = phase.compare(0, after.size(), after) == 0
                            ? parse_whole_number(phase.substr(after.size()))
                            : std::nullopt;
    if (!number || *number == 0 || *number > most_entries) {
        file.refuse(column,
                    "'" + phase + "' is unknown; expected initial, after_update_1, after_update_2, ...");
        return false;
    }
    batches = *number;
    return true;
}

std::uint64_t latency_of(const prefix_table& table, const replay_job& job) {
    if (job.given("lookup-latency")) {
        return job.number("lookup-latency");
    }
    std::uint64_t levels = 0;
    while ((std::uint64_t{1} << levels) < table.entries) {
        ++levels;
    }
    return 3 + levels;
}

void run_lpm(replay_job& job) {
    const std::size_t width = find_width(job);
    const prefix_tables tables = read_tables(job, width);
    csv_file file(job.text("lookups"), job.errors());
    const std::size_t name = file.column("table");
    const std::size_t phase = file.column("phase");
    const std::size_t key_column = file.column("key_hex");
    if (!job.errors().empty()) {
        return;
    }
    std::map<std::string, phased_table> memories;
    std::string& out = job.output("out");
    out = "table,phase,key_hex,index(-1=miss),latency_cycles\n";
    csv_line line;
    while (file.next()) {
        const auto table = tables.find(file.text(name));
        if (table == tables.end()) {
            file.refuse(name, "'" + file.text(name) + "' is not a table; expected one of " + job.text("table"));
            continue;
        }
        std::uint64_t batches = 0;
        wide_bits key;
        const bool good = file.hex(key_column, key, width);
        if (!read_phase(file, phase, batches) || !good) {
            continue;
        }
        const prefix_table& t = table->second;
        const std::uint64_t due = t.initial + batches * t.batch;
        if (due > t.writes.size()) {
            file.refuse(phase, "'" + file.text(phase) + "' needs " + std::to_string(due) +
                                   " writes of table '" + table->first + "'; expected at most the table's " +
                                   std::to_string(t.writes.size()));
            continue;
        }
        phased_table& memory = memories.try_emplace(table->first, t, width).first->second;
        memory.write_until(due);
        out += line.add_name(file.text(name))
                   .add_name(file.text(phase))
                   .add_name(file.text(key_column))
                   .add_name(std::to_string(memory.lookup(key)))
                   .add(latency_of(t, job))
                   .end();
    }
}

}  // namespace

replay_block lpm_replay() {
    return {"lpm",
            "the same memory with prefixes: the longest match wins; with inserts and erasures",
            "The first inserts of a table come before the phase `initial`, then a batch of writes before each\n"
            "phase `after_update_1`, `after_update_2`, ... The order of indices has no meaning for priority.\n",
            {input_option("table",
                          "Columns table, seq, op (insert, overwrite, erase), index, prefix_hex, plen (0 = "
                          "erase)."),
             input_option("lookups", "Columns table, phase, key_hex."),
             output_option("out", "table, phase, key_hex, index (-1 = miss), latency_cycles."),
             derived_number("lookup-latency", 0, 1'000'000,
                            "Cycles of a lookup. Default: 3 + log2(entries), rounded up.",
                            "SatCat5 tcam_core, TCAM_MODE_MAXLEN"),
             derived_number("entries", 1, most_entries,
                            "Number of lines of the memory. A higher index is refused. Default: the number of "
                            "the table's first inserts, or its highest index + 1."),
             derived_number("update-batch", 1, most_entries,
                            "Writes before each phase after_update_k. Default: entries / 4.",
                            "how the goldens were made"),
             derived_number("key-bits", 1, wide_tcam::most_key_bits,
                            "Width of a key. Default: 4 per digit of the longest prefix_hex.")},
            run_lpm};
}

}  // namespace weir::tb
