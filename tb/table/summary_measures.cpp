#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tb/results/summary_texts.h"
#include "tb/table/completion_words.h"
#include "tb/table/measure_list.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

bool any_value(const ordered_json& times) {
    return started_of(times) > 0;
}

/// In a run whose transfers are its jobs the same times would stand there twice.
bool transfers_are_jobs(const ordered_json& summary) {
    bool same = summary.at("fct_ns") == summary.at("jct_ns");
    for (const ordered_json& group : summary.at("groups")) {
        same = same && group.at("fct_ns") == group.at("jct_ns");
    }
    return same;
}

struct shown_times {
    bool of_groups;
    bool of_all;
};

void add_times(const ordered_json& summary, const completion_kind& kind, shown_times shown,
               measure_list& list) {
    for (const ordered_json& group : summary.at("groups")) {
        if (!any_value(group.at(kind.measure))) {
            continue;
        }
        const std::string key = name_of_group(group) + "." + kind.measure + ".";
        for (const completion_value& each : completion_values) {
            list.add_number({key + each.key,
                             kind.subject,
                             {tag_text(group["tag"]), size_text(group), group["priority"].dump(), each.name},
                             nullptr,
                             shown.of_groups && each.of_groups ? measure_show::always : measure_show::never,
                             each.is_time()});
        }
    }
    for (const completion_value& each : completion_values) {
        const run_measure measure{kind.measure + std::string(".") + each.key,
                                  kind.subject,
                                  {"all", "", "", each.name},
                                  unfinished_of(summary.at(kind.measure)),
                                  shown.of_all && each.of_all ? each.show : measure_show::never,
                                  each.is_time(),
                                  rank_of_all};
        std::string_view(each.key) == "unfinished" ? list.add(measure) : list.add_number(measure);
    }
}

/// Groups are for those who name them: they stand among the rest of the summary.
void add_slowdowns(const completion_kind& kind, measure_list& list) {
    for (const completion_value& each : completion_values) {
        list.add_number({kind.slowdown + std::string(".") + each.key,
                         measure_subject::slowdown,
                         {kind.name, "", "", each.name},
                         nullptr,
                         each.is_time() && each.of_all ? measure_show::if_not_zero : measure_show::never,
                         each.is_time(),
                         rank_of_all});
    }
}

/// Rows of all other metrics, in the order of the catalogue.
void add_others(const ordered_json& summary, measure_list& list) {
    const std::vector<metric_value> values = metrics_of(summary);
    const auto add = [&](const metric_entry& entry, const std::string& key) {
        const std::string member(entry.member_in(key));
        std::string label = entry.row.label;
        if (const std::size_t star = label.find('*'); star != std::string::npos) {
            label.replace(star, 1, member);
        }
        // Tiers alternate: `host`, `tier1`, `tier2`.
        const int tier = entry.row.alternates && !member.empty() && member != "host" ? member.back() - '0' : 0;
        list.add_number({key,
                         entry.row.subject,
                         {label},
                         nullptr,
                         entry.row.show,
                         entry.row.is_compared,
                         static_cast<std::uint8_t>(entry.row.rank + tier)});
    };
    for (const metric_entry& entry : metric_catalogue()) {
        if (entry.row.label.empty()) {
            continue;
        }
        if (!entry.is_family()) {
            add(entry, entry.key);
        }
        for (const metric_value& each : values) {
            if (entry.is_family() && find_metric_entry(each.name) == &entry) {
                add(entry, each.name);
            }
        }
        if (entry.key == "goodput.bps") {
            list.add({"limited_by",
                      measure_subject::utilisation,
                      {"limited by"},
                      summary.at("limited_by"),
                      measure_show::always});
        }
    }
}

}  // namespace

void add_summary_measures(const ordered_json& summary, measure_list& list) {
    const bool any_jobs = any_value(summary.at("jct_ns"));
    add_times(summary, completion_of_jobs, {any_jobs, any_jobs}, list);
    // Transfers that are parts of jobs matter all together; whoever wants their groups names them.
    add_times(summary, completion_of_transfers, {!any_jobs, !any_jobs || !transfers_are_jobs(summary)}, list);
    add_slowdowns(completion_of_jobs, list);
    add_slowdowns(completion_of_transfers, list);
    add_others(summary, list);
}

}  // namespace weir::tb
