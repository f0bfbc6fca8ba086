#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/verify/replay/replay_blocks.h"

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

enum class cam_operation : std::uint8_t { init, write, lookup };
constexpr auto names_of(cam_operation) {
    return enum_names<cam_operation>(
        {{cam_operation::init, "init"}, {cam_operation::write, "W"}, {cam_operation::lookup, "L"}});
}

constexpr std::tuple cam_columns(cell<bool>("style").words("SRL", "BRAM"),
                                 cell<cam_operation>("op", "empties the memory, writes or deletes, looks up"),
                                 cell<std::string>("arg_addr"), cell<std::string>("arg_key_hex"),
                                 cell<std::string>("arg_delete", "1: the address is deleted"));
using cam_request = row_of<cam_columns>;
using maybe_bool = std::optional<bool>;
constexpr auto cam_answer_columns =
    with_more(cam_columns, cell<maybe_bool>("hit").words("1", "0"),
              cell<std::string>("index", "lowest index that matches, -1 if none does"),
              cell<std::string>("match_many_hex", "bitmap of all entries that match"),
              cell<std::uint64_t>("cycles", "cycles busy, or until the result is stable"));
using cam_answer = row_of<cam_answer_columns>;

void run_cam(replay_job& job) {
    const std::size_t width = widest_hex(job.text("operations"), "arg_key_hex");
    const tcam_config config{most_entries, static_cast<std::uint32_t>(width)};
    std::map<bool, wide_tcam> memories;
    auto file = job.read<cam_request>("operations", input_kind::stored);
    auto out = job.table<cam_answer>("out");
    while (const cam_request* const row = file.next_line()) {
        const auto& [is_srl, operation, address, key_text, deletes_text] = row->cells;
        const std::string style = is_srl ? "srl" : "bram";
        wide_tcam& memory = memories.try_emplace(is_srl, config).first->second;
        maybe_bool hit;
        std::string index;
        std::string bitmap;
        std::uint64_t cycles = job.number(style + "-init");
        if (!file.is_good("op")) {
            continue;
        }
        if (operation == cam_operation::init) {
            memory = wide_tcam(config);
        } else if (operation == cam_operation::write) {
            const auto at = file.number("arg_addr", 0, job.number("entries") - 1);
            const auto deletes = file.number("arg_delete", 0, 1);
            cycles = job.number(style + (deletes == 1 ? "-delete" : "-write"));
            // A deletion needs no key.
            const bool has_key = deletes == 0 || !key_text.empty();
            const auto key = has_key ? file.hex("arg_key_hex", width) : std::nullopt;
            if (deletes == 1 && at) {
                (void)memory.erase(static_cast<std::uint32_t>(*at));
            } else if (key && at) {
                (void)memory.write(static_cast<std::uint32_t>(*at), {*key, ones(width), 0, true});
            }
        } else if (const auto key = file.hex("arg_key_hex", width)) {
            const int winner = memory.lookup(*key);
            hit = winner != tcam::no_match;
            index = std::to_string(winner);
            bitmap = bitmap_text(memory.all_matches(*key));
            cycles = job.number("lookup-latency");
        }
        out.write({is_srl, operation, address, key_text, deletes_text, hit, index, bitmap, cycles});
    }
}

}  // namespace

replay_block cam_replay() {
    constexpr std::uint64_t most = 1'000'000;
    const char* const source = "alexforencich/verilog-cam";
    return {"cam",
            "the same memory with full masks: exact match, writes and deletions in order",
            "Operations in the order of the file, per style: init (empties the memory), W (write or delete),\n"
            "L (lookup). The lowest index wins.\n",
            {input_option("operations", "Operations in their order.").table<cam_request>(),
             output_option("out", "The operations with their answers.").table<cam_answer>(),
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
