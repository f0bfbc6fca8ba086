#include "tb/run/results/split_metrics.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/metric_catalogue.h"

namespace weir::tb {

using nlohmann::ordered_json;

split_metrics::split_metrics(std::vector<std::string> wanted, const topology& plan)
    : m_wanted(std::move(wanted)),
      m_plan(plan),
      m_has_racks(std::any_of(m_wanted.begin(), m_wanted.end(),
                              [](const std::string& name) { return family_of(name) == "racks"; })) {}

template <class Field, class NameOf>
void split_metrics::add_family(ordered_json& extra, const char* family, const completion_statistics& of,
                               Field completion_class::*field, bool has_ideal_jobs,
                               const NameOf& name_of) const {
    std::map<Field, std::vector<std::string>> members;
    for (const completion_class& each : of.classes()) {
        members[each.*field];
    }
    for (auto& [member, measures] : members) {
        for (const char* const measure : {"fct_ns", "jct_ns", "fct_slowdown", "jct_slowdown"}) {
            const std::string name =
                std::string(family) + "." + quoted_member(name_of(member)) + "." + measure + ".";
            if (std::any_of(
                    std::begin(completion_values), std::end(completion_values),
                    [&](const completion_value& each) { return is_named(name + each.key, m_wanted); })) {
                measures.emplace_back(measure);
            }
        }
        if (measures.empty()) {
            continue;
        }
        const ordered_json times = distributions_of(
            of.total([field, value = member](const completion_class& c) { return c.*field == value; }),
            has_ideal_jobs);
        for (const std::string& measure : measures) {
            if (times.contains(measure) && !times.at(measure).at("max").is_null()) {
                extra[family][name_of(member)][measure] = times.at(measure);
            }
        }
    }
}

void split_metrics::write(const completion_statistics& all, const std::vector<std::string>& tags,
                          bool has_ideal_jobs, run_summary& summary) const {
    if (!is_on()) {
        return;
    }
    ordered_json& extra = summary.extra;
    add_family(extra, "tags", all, &completion_class::tag, has_ideal_jobs,
               [&](std::uint32_t tag) { return tag_name(tags, static_cast<std::uint8_t>(tag)); });
    add_family(extra, "priorities", all, &completion_class::priority, has_ideal_jobs,
               [](pfc_class priority) { return std::to_string(priority); });
    add_family(extra, "sizes", all, &completion_class::size, has_ideal_jobs,
               [](bytes size) { return std::to_string(size.count()); });
    add_family(extra, "racks", m_racks, &completion_class::tag, false,
               [&](std::uint32_t rack) { return m_plan.name(node_ref::of_switch(rack)); });
    summary.offered_bytes = static_cast<std::uint64_t>(m_offered.count());
}

}  // namespace weir::tb
