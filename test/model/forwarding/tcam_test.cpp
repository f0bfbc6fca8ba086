#include "weir/model/forwarding/tcam.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "golden/golden_rows.h"
#include "weir/base/rng.h"

namespace weir::model {

using namespace tb;
namespace {

using csv_row = std::vector<std::string>;

std::vector<csv_row> read_golden(const std::string& name) {
    return golden::lines("tcam/" + name);
}
std::uint64_t hex(const std::string& text) {
    return std::stoull(text, nullptr, 16);
}
std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text));
}

tcam make_tcam(std::uint32_t entries, std::uint32_t key_bits, ternary_rule rule = ternary_rule::standard,
               std::uint32_t memo_entries = 256) {
    tcam_config config;
    config.entries = entries;
    config.key_bits = key_bits;
    config.rule = rule;
    config.memo_entries = memo_entries;
    EXPECT_TRUE(config.validate("tcam").empty());
    return tcam(config);
}

// The oracle: the definition, line by line, with the table as plain data.
struct literal_line {
    bool present = false;
    tcam_entry entry;
    port_bitmap ports;
};
bool literal_match(const literal_line& line, std::uint64_t key, unsigned key_bits, ternary_rule rule) {
    if (!line.present || !line.entry.valid) {
        return false;
    }
    for (unsigned b = 0; b < key_bits; ++b) {
        const bool compare = (line.entry.mask >> b) & 1;
        const bool value = (line.entry.value >> b) & 1;
        const bool bit = (key >> b) & 1;
        if (compare && value != bit) {
            return false;
        }
        if (!compare && value && rule == ternary_rule::canonical_values_only) {
            return false;
        }
    }
    return true;
}
int literal_winner(const std::vector<literal_line>& lines, std::uint64_t key, unsigned key_bits,
                   ternary_rule rule) {
    int winner = -1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (literal_match(lines[i], key, key_bits, rule) &&
            (winner < 0 || lines[i].entry.priority > lines[static_cast<std::size_t>(winner)].entry.priority)) {
            winner = static_cast<int>(i);
        }
    }
    return winner;
}

// ---- RTL goldens ----

struct ternary_size {
    const char* name;
    std::uint32_t entries;
    std::uint32_t key_bits;
};
constexpr ternary_size ternary_sizes[] = {{"a3_k8", 8, 8}, {"a4_k16", 16, 16}, {"a6_k32", 64, 32}};

std::map<std::string, tcam> golden_tables(const ternary_size& size, ternary_rule rule) {
    std::map<std::string, tcam> tables;
    const std::uint64_t all = (std::uint64_t{1} << size.key_bits) - 1;
    for (const csv_row& row : read_golden(std::string("table_") + size.name + ".csv")) {
        tcam& table = tables.try_emplace(row[0], make_tcam(size.entries, size.key_bits, rule)).first->second;
        const tcam_entry entry{hex(row[3]), ~hex(row[4]) & all, 0, row[2] == "1"};
        EXPECT_EQ(table.insert(number(row[1]), entry, {number(row[1])}), tcam_status::done);
    }
    return tables;
}

TEST(tcam_golden, agrees_with_ternary_rtl_in_winner_count_and_all_matches) {
    std::size_t lookups = 0;
    for (const ternary_size& size : ternary_sizes) {
        std::map<std::string, tcam> tables = golden_tables(size, ternary_rule::canonical_values_only);
        EXPECT_EQ(tables.size(), 5U);
        for (const csv_row& row : read_golden(std::string("lookup_") + size.name + ".csv")) {
            tcam& table = tables.at(row[0]);
            const std::uint64_t key = hex(row[1]);
            const int winner = table.lookup(key);
            ASSERT_EQ(winner, std::stoi(row[2])) << row[0] << " " << row[1];
            ASSERT_EQ(table.all_matches(key).size(), number(row[3]));
            std::string indices;
            for (std::uint32_t index : table.all_matches(key)) {
                indices += (indices.empty() ? "" : " ") + std::to_string(index);
            }
            ASSERT_EQ(indices, row[5]);
            const port_bitmap expected =
                winner < 0 ? port_bitmap{} : port_bitmap{static_cast<unsigned>(winner)};
            ASSERT_EQ(table.acceptable_ports(winner), expected);
            ++lookups;
        }
    }
    EXPECT_EQ(lookups, 4530U);
}

TEST(tcam_golden, standard_rule_differs_from_ternary_rtl_in_noncanonical_tables_only) {
    std::size_t differences = 0;
    for (const ternary_size& size : ternary_sizes) {
        std::map<std::string, tcam> tables = golden_tables(size, ternary_rule::standard);
        for (const csv_row& row : read_golden(std::string("lookup_") + size.name + ".csv")) {
            const bool same = tables.at(row[0]).lookup(hex(row[1])) == std::stoi(row[2]);
            differences += same ? 0 : 1;
            ASSERT_TRUE(same || row[0] == "noncanonical") << row[0] << " " << row[1];
        }
    }
    EXPECT_GT(differences, 0U);
}

TEST(tcam_golden, agrees_with_longest_prefix_rtl_through_inserts_overwrites_and_erasures) {
    std::size_t lookups = 0;
    for (const std::uint32_t entries : {8U, 16U}) {
        const std::string suffix = "_n" + std::to_string(entries) + ".csv";
        std::map<std::string, std::vector<csv_row>> writes;
        for (const csv_row& row : read_golden("lpm_table" + suffix)) {
            EXPECT_EQ(number(row[1]), writes[row[0]].size()) << "writes are in the order of seq";
            writes[row[0]].push_back(row);
        }
        struct progress {
            tcam table;
            std::size_t written = 0;
        };
        std::map<std::string, progress> tables;
        for (const csv_row& row : read_golden("lpm_lookup" + suffix)) {
            progress& p = tables.try_emplace(row[0], progress{make_tcam(entries, 32)}).first->second;
            const std::size_t batches = row[1] == "initial" ? 0 : number(row[1].substr(13));
            const std::size_t due = entries + batches * (entries / 4);
            const std::vector<csv_row>& list = writes.at(row[0]);
            ASSERT_LE(due, list.size());
            for (; p.written < due; ++p.written) {
                const csv_row& w = list[p.written];
                const std::uint32_t index = number(w[3]);
                if (w[2] == "erase") {
                    ASSERT_EQ(p.table.erase(index), tcam_status::done);
                } else {
                    const ipv4_address address{static_cast<std::uint32_t>(hex(w[4]))};
                    ASSERT_EQ(p.table.set_prefix(index, address, number(w[5]), {index}), tcam_status::done);
                }
            }
            ASSERT_EQ(p.table.lookup(hex(row[2])), std::stoi(row[3])) << row[0] << " " << row[2];
            ++lookups;
        }
        for (const auto& [name, p] : tables) {
            EXPECT_EQ(p.written, writes.at(name).size()) << name;
        }
    }
    EXPECT_EQ(lookups, 2200U);
}

TEST(tcam_golden, with_full_masks_agrees_with_exact_cam_rtl) {
    constexpr std::uint64_t all = (std::uint64_t{1} << 48) - 1;
    std::map<std::string, tcam> cams;
    std::size_t lookups = 0;
    for (const csv_row& row : read_golden("exact_cam_mac_d48_n32.csv")) {
        tcam& cam = cams.try_emplace(row[0], make_tcam(32, 48)).first->second;
        if (row[1] == "W" && row[4] == "1") {
            const tcam_status status = cam.erase(number(row[2]));
            ASSERT_TRUE(status == tcam_status::done || status == tcam_status::slot_vacant);
        } else if (row[1] == "W") {
            ASSERT_EQ(cam.write(number(row[2]), {hex(row[3]), all, 0, true}, {}), tcam_status::done);
        } else if (row[1] == "L") {
            const int winner = cam.lookup(hex(row[3]));
            ASSERT_EQ(winner >= 0, row[5] == "1");
            ASSERT_EQ(winner, std::stoi(row[6]));
            std::uint64_t matches = 0;
            for (std::uint32_t index : cam.all_matches(hex(row[3]))) {
                matches |= std::uint64_t{1} << index;
            }
            ASSERT_EQ(matches, hex(row[7]));
            ++lookups;
        }
    }
    EXPECT_EQ(cams.size(), 2U);
    EXPECT_EQ(lookups, 536U);
}

// ---- random tables against the definition ----

TEST(tcam, random_tables_agree_with_the_definition_after_every_change) {
    struct shape {
        std::uint32_t entries;
        std::uint32_t key_bits;
    };
    for (const shape s :
         {shape{1, 1}, shape{7, 4}, shape{40, 8}, shape{64, 32}, shape{33, 33}, shape{48, 64}}) {
        for (const ternary_rule rule : {ternary_rule::standard, ternary_rule::canonical_values_only}) {
            tcam table = make_tcam(s.entries, s.key_bits, rule, 16);
            std::vector<literal_line> lines(s.entries);
            random_stream chance{1, s.entries * 100 + s.key_bits, random_purpose::adversary};
            const std::uint64_t all = ~std::uint64_t{0} >> (64 - s.key_bits);
            std::size_t hits = 0;
            for (unsigned step = 0; step < 3000; ++step) {
                const std::uint32_t index = chance.below(s.entries);
                literal_line& line = lines[index];
                // Few bits compared, so that entries overlap; few priorities, so that they tie.
                const std::uint64_t mask = chance() & chance() & chance() & all;
                const std::uint64_t value = chance() & all & (chance.below(4) == 0 ? all : mask);
                const tcam_entry entry{value, mask, chance.below(3), chance.below(8) != 0};
                const port_bitmap ports{chance.below(max_ports)};
                switch (chance.below(4)) {
                    case 0:
                        EXPECT_EQ(table.erase(index),
                                  line.present ? tcam_status::done : tcam_status::slot_vacant);
                        line = {};
                        break;
                    case 1:
                        EXPECT_EQ(table.insert(index, entry, ports),
                                  line.present ? tcam_status::slot_in_use : tcam_status::done);
                        line = line.present ? line : literal_line{true, entry, ports};
                        break;
                    case 2:
                        EXPECT_EQ(table.replace(index, entry, ports),
                                  line.present ? tcam_status::done : tcam_status::slot_vacant);
                        line = line.present ? literal_line{true, entry, ports} : line;
                        break;
                    default:
                        EXPECT_EQ(table.write(index, entry, ports), tcam_status::done);
                        line = {true, entry, ports};
                }
                for (unsigned n = 0; n < 4; ++n) {
                    const std::uint64_t key = (n == 0 ? value ^ (1U << chance.below(3)) : chance()) & all;
                    const int winner = literal_winner(lines, key, s.key_bits, rule);
                    ASSERT_EQ(table.lookup(key), winner);
                    ASSERT_EQ(table.scan(key), winner);
                    const port_bitmap expected =
                        winner < 0 ? port_bitmap{} : lines[static_cast<std::size_t>(winner)].ports;
                    ASSERT_EQ(table.acceptable_ports(winner), expected);
                    std::uint32_t count = 0;
                    for (const literal_line& l : lines) {
                        count += literal_match(l, key, s.key_bits, rule) ? 1 : 0;
                    }
                    ASSERT_EQ(table.all_matches(key).size(), count);
                    hits += winner >= 0 ? 1 : 0;
                }
            }
            EXPECT_GT(hits, 100U);
        }
    }
}

TEST(tcam, winner_has_the_highest_priority_and_of_equals_the_lowest_index) {
    tcam table = make_tcam(8, 32);
    ASSERT_EQ(table.insert(6, {0, 0, 7, true}, {6}), tcam_status::done);
    ASSERT_EQ(table.insert(1, {0, 0, 3, true}, {1}), tcam_status::done);
    ASSERT_EQ(table.insert(4, {0, 0, 7, true}, {4}), tcam_status::done);
    ASSERT_EQ(table.insert(0, {0, 0, 0xFFFFFFFF, false}, {0}), tcam_status::done);
    EXPECT_EQ(table.lookup(123), 4);
    EXPECT_EQ(table.all_matches(123), (std::vector<std::uint32_t>{1, 4, 6}));
    ASSERT_EQ(table.erase(4), tcam_status::done);
    EXPECT_EQ(table.lookup(123), 6);
    ASSERT_EQ(table.replace(1, {0, 0, 8, true}, {1}), tcam_status::done);
    EXPECT_EQ(table.lookup(123), 1);
    EXPECT_EQ(table.size(), 3U);
}

TEST(tcam, longest_prefix_wins_and_length_0_is_the_default_route) {
    tcam table = make_tcam(8, 32);
    const auto set = [&](std::uint32_t index, std::uint32_t address, unsigned length) {
        return table.set_prefix(index, ipv4_address{address}, length, {index});
    };
    ASSERT_EQ(set(0, 0xFFFFFFFF, 0), tcam_status::done);
    ASSERT_EQ(set(1, 0x0A0000FF, 8), tcam_status::done);
    ASSERT_EQ(set(2, 0x0A010203, 32), tcam_status::done);
    ASSERT_EQ(set(3, 0x0A010000, 16), tcam_status::done);
    EXPECT_EQ(table.lookup(0x0B000000), 0);
    EXPECT_EQ(table.lookup(0x0A800000), 1);
    EXPECT_EQ(table.lookup(0x0A01FF00), 3);
    EXPECT_EQ(table.lookup(0x0A010203), 2);
    EXPECT_EQ(table.acceptable_ports(2), port_bitmap{2});
    EXPECT_EQ(set(4, 0x0A000000, 33), tcam_status::prefix_too_long);
    EXPECT_EQ(table.size(), 4U);
}

TEST(tcam, prefix_with_host_bits_matches_under_either_rule) {
    tcam table = make_tcam(4, 32, ternary_rule::canonical_values_only);
    ASSERT_EQ(table.set_prefix(0, ipv4_address{0x0A0000FF}, 8, {1}), tcam_status::done);
    EXPECT_EQ(table.lookup(0x0A800000), 0);
}

// ---- errors ----

TEST(tcam, refused_changes_change_nothing) {
    tcam table = make_tcam(4, 8);
    const tcam_entry any{};
    ASSERT_EQ(table.insert(3, any, {3}), tcam_status::done);
    EXPECT_EQ(table.insert(4, any, {}), tcam_status::beyond_capacity);
    EXPECT_EQ(table.write(4, any, {}), tcam_status::beyond_capacity);
    EXPECT_EQ(table.replace(0xFFFFFFFF, any, {}), tcam_status::beyond_capacity);
    EXPECT_EQ(table.erase(4), tcam_status::beyond_capacity);
    EXPECT_EQ(table.begin_write(4), tcam_status::beyond_capacity);
    EXPECT_EQ(table.end_write(4, any, {}), tcam_status::beyond_capacity);
    EXPECT_EQ(table.set_prefix(4, ipv4_address{0}, 0, {}), tcam_status::beyond_capacity);
    EXPECT_EQ(table.insert(3, any, {1}), tcam_status::slot_in_use);
    EXPECT_EQ(table.replace(0, any, {1}), tcam_status::slot_vacant);
    EXPECT_EQ(table.erase(0), tcam_status::slot_vacant);
    EXPECT_EQ(table.end_write(3, any, {1}), tcam_status::no_write_begun);
    EXPECT_EQ(table.replace(3, {0x100, 0, 0, true}, {1}), tcam_status::bits_beyond_key);
    EXPECT_EQ(table.replace(3, {0, 0x100, 0, true}, {1}), tcam_status::bits_beyond_key);
    EXPECT_EQ(table.set_prefix(3, ipv4_address{0}, 8, {1}), tcam_status::bits_beyond_key);
    EXPECT_EQ(table.lookup(0), 3);
    EXPECT_EQ(table.acceptable_ports(3), port_bitmap{3});
    EXPECT_EQ(table.size(), 1U);
}

TEST(tcam, acceptable_ports_of_no_match_and_of_unwritten_lines_are_none) {
    tcam table = make_tcam(4, 8);
    EXPECT_EQ(table.lookup(0), tcam::no_match);
    ASSERT_EQ(table.insert(1, {}, {5}), tcam_status::done);
    for (const int index : {tcam::no_match, 0, 2, 3, 4, 1'000'000}) {
        EXPECT_TRUE(table.acceptable_ports(index).none()) << index;
    }
}

TEST(tcam_config, every_violation_is_named) {
    EXPECT_TRUE(tcam_config{}.validate("tcam").empty());
    tcam_config wrong;
    wrong.entries = 0;
    wrong.key_bits = 65;
    wrong.memo_entries = 100;
    const config_errors errors = wrong.validate("tcam");
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0].key, "tcam.entries");
    EXPECT_EQ(errors[1].key, "tcam.key_bits");
    EXPECT_EQ(errors[2].key, "tcam.memo_entries");
}

// ---- writes that take time, and the memo ----

TEST(tcam, line_being_written_matches_nothing_and_keeps_its_ram_until_the_end) {
    tcam table = make_tcam(4, 32);
    ASSERT_EQ(table.set_prefix(0, ipv4_address{0}, 0, {0}), tcam_status::done);
    ASSERT_EQ(table.set_prefix(1, ipv4_address{0x0A000000}, 8, {1}), tcam_status::done);
    ASSERT_EQ(table.begin_write(1), tcam_status::done);
    EXPECT_EQ(table.lookup(0x0A000001), 0);
    EXPECT_EQ(table.all_matches(0x0A000001).size(), 1U);
    EXPECT_EQ(table.acceptable_ports(1), port_bitmap{1});
    EXPECT_EQ(table.insert(1, {}, {}), tcam_status::slot_in_use);
    ASSERT_EQ(table.begin_write(1), tcam_status::done);
    ASSERT_EQ(table.end_write(1, {0x0A000000, 0xFF000000, 8, true}, {2}), tcam_status::done);
    EXPECT_EQ(table.lookup(0x0A000001), 1);
    EXPECT_EQ(table.acceptable_ports(1), port_bitmap{2});

    ASSERT_EQ(table.begin_write(2), tcam_status::done);  // a vacant line
    EXPECT_EQ(table.size(), 3U);
    EXPECT_EQ(table.lookup(0x0B000001), 0);
    ASSERT_EQ(table.set_prefix(2, ipv4_address{0x0B000000}, 8, {3}), tcam_status::done);
    EXPECT_EQ(table.lookup(0x0B000001), 2);
    ASSERT_EQ(table.begin_write(2), tcam_status::done);
    ASSERT_EQ(table.erase(2), tcam_status::done);
    EXPECT_EQ(table.lookup(0x0B000001), 0);
    EXPECT_EQ(table.size(), 2U);
}

TEST(tcam, every_kind_of_change_takes_effect_on_answers_given_before) {
    tcam table = make_tcam(64, 32);
    for (std::uint32_t host = 0; host < 40; ++host) {
        ASSERT_EQ(table.set_prefix(host, ipv4_address{host}, 32, {host}), tcam_status::done);
    }
    const auto give_all = [&] {
        for (std::uint32_t key = 0; key < 41; ++key) {
            (void)table.lookup(key);
        }
    };
    give_all();
    ASSERT_EQ(table.set_prefix(63, ipv4_address{0}, 0, {63}), tcam_status::done);
    EXPECT_EQ(table.lookup(40), 63) << "a miss is forgotten when a line is added";
    give_all();
    ASSERT_EQ(table.erase(5), tcam_status::done);
    EXPECT_EQ(table.lookup(5), 63);
    give_all();
    ASSERT_EQ(table.begin_write(6), tcam_status::done);
    EXPECT_EQ(table.lookup(6), 63);
    give_all();
    ASSERT_EQ(table.end_write(6, {6, 0xFFFFFFFF, 32, true}, {6}), tcam_status::done);
    EXPECT_EQ(table.lookup(6), 6);
    give_all();
    ASSERT_EQ(table.replace(7, {7, 0xFFFFFFFF, 32, false}, {7}), tcam_status::done);
    EXPECT_EQ(table.lookup(7), 63);
    give_all();
    ASSERT_EQ(table.insert(5, {8, 0xFFFFFFFF, 33, true}, {8}), tcam_status::done);
    EXPECT_EQ(table.lookup(8), 5);
    give_all();
    ASSERT_EQ(table.replace(9, {9, 0xFFFFFFFF, 32, true}, {50}), tcam_status::done);
    EXPECT_EQ(table.acceptable_ports(table.lookup(9)), port_bitmap{50});
}

TEST(tcam, answers_are_the_same_with_any_memo_and_without) {
    constexpr std::uint32_t hosts = 2000;
    tcam tables[] = {make_tcam(hosts + 1, 32, ternary_rule::standard, 0),
                     make_tcam(hosts + 1, 32, ternary_rule::standard, 1),
                     make_tcam(hosts + 1, 32, ternary_rule::standard, 256)};
    random_stream chance{2, 0, random_purpose::adversary};
    const auto write_all = [&](std::uint32_t index, std::uint32_t address, unsigned length) {
        for (tcam& table : tables) {
            ASSERT_EQ(table.set_prefix(index, ipv4_address{address}, length, {1}), tcam_status::done);
        }
    };
    write_all(hosts, 0, 0);
    for (std::uint32_t i = 0; i < hosts; ++i) {
        write_all(i, i * 16, 28 + chance.below(5));
    }
    std::uint32_t key = 0;
    for (unsigned n = 0; n < 20'000; ++n) {
        // Three quarters of the lookups repeat a recent key.
        key = chance.below(4) == 0 ? chance.below(hosts * 18) : key ^ chance.below(2);
        const int winner = tables[0].lookup(key);
        ASSERT_EQ(tables[1].lookup(key), winner);
        ASSERT_EQ(tables[2].lookup(key), winner);
        if (n % 100 == 0) {
            write_all(chance.below(hosts), key, 20 + chance.below(13));
        }
    }
}

}  // namespace
}  // namespace weir::model
