#include "tb/replay/replay_cam.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

/// A bitmap of entries as a hexadecimal number without leading zeros.
std::string bitmap_text(const std::vector<std::uint32_t>& indices) {
    std::string digits(indices.empty() ? 1 : indices.back() / 4 + 1, '0');
    for (const std::uint32_t index : indices) {
        char& digit = digits[digits.size() - 1 - index / 4];
        const int value = (digit <= '9' ? digit - '0' : digit - 'a' + 10) | (1 << (index % 4));
        digit = "0123456789abcdef"[value];
    }
    return digits;
}

class cam_replayer {
 public:
    explicit cam_replayer(replay_job& job)
        : m_job(job),
          m_width(widest_hex(job.text("operations"), "arg_key_hex")),
          m_file(job.text("operations"), job.errors(), input_kind::stored) {
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            m_columns[c] = m_file.column(names[c]);
        }
    }

    void run() {
        std::string& out = m_job.output("out");
        out = "style,op,arg_addr,arg_key_hex,arg_delete,hit,index,match_many_hex,cycles\n";
        while (m_file.next()) {
            std::size_t style = 0;
            std::size_t op = 0;
            const bool good = m_file.word(m_columns[0], style, {"SRL", "BRAM"});
            if (!m_file.word(m_columns[1], op, {"init", "W", "L"}) || !good) {
                continue;
            }
            m_style = style == 0 ? "srl" : "bram";
            for (const std::size_t column : m_columns) {
                m_line.add_name(m_file.text(column));
            }
            op == 0 ? init() : op == 1 ? write() : lookup();
            out += m_line.end();
        }
    }

 private:
    static constexpr std::array<const char*, 5> names{"style", "op", "arg_addr", "arg_key_hex", "arg_delete"};

    wide_tcam& memory() {
        tcam_config config;
        config.entries = most_entries;
        config.key_bits = static_cast<std::uint32_t>(m_width);
        return m_memories.try_emplace(m_style, config).first->second;
    }
    void init() {
        m_memories.erase(m_style);
        m_line.add_nothing(3).add(m_job.number(m_style + "-init"));
    }
    void write() {
        std::uint64_t address = 0;
        std::uint64_t deletes = 0;
        wide_bits key;
        bool good = m_file.number(m_columns[2], address, 0, m_job.number("entries") - 1);
        good = m_file.number(m_columns[4], deletes, 0, 1) && good;
        // A deletion needs no key.
        if (good && (deletes == 0 || !m_file.text(m_columns[3]).empty())) {
            good = m_file.hex(m_columns[3], key, m_width);
        }
        if (good && deletes != 0) {
            (void)memory().erase(static_cast<std::uint32_t>(address));
        } else if (good) {
            (void)memory().write(static_cast<std::uint32_t>(address), {key, ones(m_width), 0, true});
        }
        m_line.add_nothing(3).add(m_job.number(m_style + (deletes != 0 ? "-delete" : "-write")));
    }
    void lookup() {
        wide_bits key;
        if (!m_file.hex(m_columns[3], key, m_width)) {
            return;
        }
        const int winner = memory().lookup(key);
        m_line.add(winner == tcam::no_match ? 0 : 1)
            .add_name(std::to_string(winner))
            .add_name(bitmap_text(memory().all_matches(key)))
            .add(m_job.number("lookup-latency"));
    }

    replay_job& m_job;
    std::size_t m_width;
    csv_file m_file;
    std::array<std::size_t, names.size()> m_columns{};
    std::map<std::string, wide_tcam> m_memories;
    std::string m_style;
    csv_line m_line;
};

void run_cam(replay_job& job) {
    cam_replayer(job).run();
}

}  // namespace

replay_block cam_replay() {
    constexpr std::uint64_t most = 1'000'000;
    const char* const source = "alexforencich/verilog-cam";
    return {
        "cam",
        "the same memory with full masks: exact match, writes and deletions in order",
        "Operations in the order of the file, per style: init (empties the memory), W (write or delete),\n"
        "L (lookup). The lowest index wins.\n",
        {input_option("operations",
                      "Columns style (SRL, BRAM), op (init, W, L), arg_addr, arg_key_hex, arg_delete (0, 1)."),
         output_option("out",
                       "The same and hit, index (-1 = miss), match_many_hex (bitmap of all entries "
                       "that match), cycles (busy, or until the result is stable)."),
         number_option("entries", most_entries, 1, most_entries,
                       "Number of lines of the memory. A higher address is refused."),
         number_option("lookup-latency", 1, 0, most, "Cycles to a stable result.", source),
         number_option("srl-init", 16, 0, most, "Cycles busy after reset.", source),
         number_option("srl-write", 16, 0, most, "Cycles of a write.", source),
         number_option("srl-delete", 16, 0, most, "Cycles of a deletion.", source),
         number_option("bram-init", 512, 0, most, "Cycles busy after reset.", source),
         number_option("bram-write", 4, 0, most, "Cycles of a write.", source),
         number_option("bram-delete", 2, 0, most, "Cycles of a deletion.", source)},
        run_cam};
}

}  // namespace weir::tb
