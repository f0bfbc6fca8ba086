#include "tb/report/report_opening.h"

#include <algorithm>
#include <iterator>

#include "tb/options/run_options.h"
#include "tb/report/report_tables.h"
#include "tb/results/summary_texts.h"
#include "tb/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Options that decide most of what a run shows, in the order in which a page has them.
constexpr const char* decisive_options[] = {
    // Traffic, links and memory.
    "switch.scheme", "traffic.transport", "tcp.congestion", "link.rate", "switch.buffer",
    "switch.ingress_buffer", "switch.egress_buffer", "switch.share_alpha", "shared.memory", "shared.alpha",
    "shared.lossy_alpha", "shared.queue_alpha", "shared.threshold", "shared.headroom", "shared.xon_offset",
    // Thresholds of flow control and marking; order of service.
    "pfc.mode", "pfc.xoff", "pfc.xon", "shared.ecn_threshold", "marking.kind", "marking.threshold",
    "marking.k_min", "marking.k_max", "marking.p_max", "switch.scheduler", "switch.weights", "switch.arbiter",
    "switch.speedup"};

/// Values that a cell names before it only counts them.
constexpr std::size_t most_values = 6;

/// True for each of the decisive options that has an effect as the run has the others.
std::vector<bool> in_effect(const effective_options& run) {
    run_config config;
    const option_table table = make_option_table(config);
    for (const effective_option& each : run.values) {
        const option* const known = table.find(each.key);
        if (known != nullptr && !known->value->repeatable()) {
            known->value->assign(each.value);
        }
    }
    std::vector<bool> found;
    for (const char* const key : decisive_options) {
        const relevance& matters = table.find(key)->matters;
        found.push_back(!matters.holds || matters.holds());
    }
    return found;
}

}  // namespace

std::string values_text(const std::vector<effective_options>& runs, const std::string& key,
                        const std::function<bool(std::size_t)>& counts) {
    std::vector<std::string> values;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::string* const shown = !counts || counts(r) ? runs[r].find_shown(key) : nullptr;
        if (shown != nullptr && std::find(values.begin(), values.end(), *shown) == values.end()) {
            values.push_back(*shown);
        }
    }
    return values.empty() ? "-"
           : values.size() > most_values
               ? std::to_string(values.size()) + " values, from " + values.front() + " to " + values.back()
               : joined(values, ", ");
}

void opening::add_counts(const std::string& what, const ordered_json& completed,
                         const ordered_json& unfinished) {
    const std::uint64_t left = unfinished.is_number() ? unfinished.get<std::uint64_t>() : 0;
    const bool is_known = completed.is_number();
    add(what + " completed",
        is_known ? tally_text(completed) + " of " + tally_text(completed.get<std::uint64_t>() + left)
                 : "not known");
    add(what + " unfinished", is_known ? tally_text(left) : "not known");
    has_unfinished = has_unfinished || left > 0;
}

void opening::add_options(const std::vector<effective_options>& runs) {
    std::vector<std::vector<bool>> effects;
    std::transform(runs.begin(), runs.end(), std::back_inserter(effects), in_effect);
    for (std::size_t i = 0; i < std::size(decisive_options); ++i) {
        const char* const key = decisive_options[i];
        add(key, values_text(runs, key, [&](std::size_t run) { return effects[run][i]; }));
    }
}

ordered_json opening_table(const std::vector<opening>& all) {
    table_block block;
    block.lines.push_back({""});
    bool any_unfinished = false;
    for (const opening& each : all) {
        block.lines[0].push_back(each.label);
        any_unfinished = any_unfinished || each.has_unfinished;
    }
    for (std::size_t i = 0; i < all.front().facts.size(); ++i) {
        std::vector<std::string> line{all.front().facts[i].first};
        for (const opening& each : all) {
            line.push_back(each.facts[i].second);
        }
        if (std::any_of(line.begin() + 1, line.end(), [](const auto& text) { return text != "-"; })) {
            block.lines.push_back(std::move(line));
        }
    }
    block.labels = block.lines[0].size();
    return page_table("opening", "verdict",
                      any_unfinished
                          ? "percentiles count an unfinished transfer with its age; 'at least' marks "
                            "a percentile that is only a lower bound"
                          : "",
                      block);
}

}  // namespace weir::tb
