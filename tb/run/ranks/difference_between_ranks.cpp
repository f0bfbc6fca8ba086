#include "tb/run/ranks/difference_between_ranks.h"

#include <algorithm>

#include "tb/run/options/input_paths.h"
#include "tb/run/options/run_options.h"
#include "tb/support/files/input_file.h"
#include "tb/support/process/build_facts.h"

namespace weir::tb {

static std::string text_of_file(const std::string& path) {
    const auto print = fingerprint_of(path);
    return print ? std::to_string(print->bytes) + " B, CRC-64 " + print->crc64 : "none";
}

static std::string program_text() {
    const build_facts& build = this_build();
    // Two builds of one commit may differ, too.
    return "weir " + build.version + ", commit " + build.commit + ", " + build.build + ", " +
           text_of_file("/proc/self/exe");
}

std::vector<rank_fact> facts_of_rank(const run_config& config) {
    std::vector<rank_fact> facts{{"the program", program_text()}};
    run_config copy = config;
    const option_table table = make_option_table(copy);
    for (const auto& each : table.options()) {
        facts.emplace_back(each->key, each->value->text());
    }
    for (const std::string& path : input_paths(copy, table)) {
        facts.emplace_back(path, text_of_file(path));
    }
    return facts;
}

std::optional<config_error> difference_between_ranks(model::rank_team& team, std::vector<rank_fact> own) {
    const std::vector<std::vector<rank_fact>> all = gathered_parts(team, std::move(own));
    for (std::size_t r = 1; r < all.size(); ++r) {
        const auto [here, there] = std::mismatch(all[0].begin(), all[0].end(), all[r].begin(), all[r].end());
        if (here == all[0].end() && there == all[r].end()) {
            continue;
        }
        const std::string name = here != all[0].end() ? here->first : there->first;
        const auto value = [&](auto at, auto end) {
            return at != end && at->first == name ? "'" + at->second + "'" : std::string("not there");
        };
        return config_error{"ranks", 0, name,
                            "is " + value(there, all[r].end()) + " on rank " + std::to_string(r) + ", and " +
                                value(here, all[0].end()) +
                                " on rank 0; expected the same program, options and files on all ranks"};
    }
    return std::nullopt;
}

}  // namespace weir::tb
