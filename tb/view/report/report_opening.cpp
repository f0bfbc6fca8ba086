#include "tb/view/report/report_opening.h"

#include <algorithm>
#include <iterator>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/run/topology/build_topology.h"
#include "tb/support/text/joined.h"
#include "tb/view/report/report_tables.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/memory/memory_organisation.h"

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

/// `auto: 9,893 B`, or a range if the links' thresholds differ.
std::string resolved_text(const std::vector<bytes>& sizes) {
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    return "auto: " + (*least < *most ? tally_text(least->count()) + " to " : "") + tally_text(most->count()) +
           " B";
}

/// Shows the bytes that thresholds of flow control are computed from the links of the run. They stay `auto` if
/// its files are not as they were.
void resolve_thresholds(effective_options& run) {
    const auto find_auto = [&](const char* key) {
        return std::find_if(run.values.begin(), run.values.end(), [&](const effective_option& each) {
            return each.key == key && each.shown == "auto";
        });
    };
    const auto xoff = find_auto("pfc.xoff");
    const auto xon = find_auto("pfc.xon");
    if (xoff == run.values.end() && xon == run.values.end()) {
        return;
    }
    const loaded_config loaded = load_config_files({}, {run.file.string()});
    const run_config& config = loaded.config;
    if (!loaded.errors.empty() || config.flow_control.mode == flow_control_mode::none ||
        organisation_of(config.device).is_shared) {
        return;
    }
    const built_topology built = build_topology(config);
    if (!built.errors.empty()) {
        return;
    }
    std::vector<bytes> xoffs;
    std::vector<bytes> xons;
    for (const port_config& port : kinds_of_links(built, config.link.wire_overhead)) {
        const ingress_limits limits = resolve_flow_control(config.device, config.flow_control, port).limits;
        xoffs.emplace_back(limits.xoff);
        xons.emplace_back(limits.xon);
    }
    for (const auto& [option, sizes] : {std::pair(xoff, xoffs), std::pair(xon, xons)}) {
        if (option != run.values.end() && !sizes.empty()) {
            option->shown = resolved_text(sizes);
        }
    }
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

void opening::add_options(std::vector<effective_options> runs) {
    std::for_each(runs.begin(), runs.end(), resolve_thresholds);
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
