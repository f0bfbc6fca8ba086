#include "tb/run/summary/summary_texts.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "weir/base/unit_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

ordered_json value_or_null(const ordered_json& object, const char* key) {
    return object.contains(key) ? object.at(key) : ordered_json{};
}

std::string size_text(const ordered_json& group) {
    const std::string size = to_text(bytes{group.at("bytes").get<std::int64_t>()});
    return group.contains("bytes_min") ? "<= " + size : size;
}

std::string tag_text(const std::string& tag) {
    return tag.empty() ? "(no tag)" : tag;
}

std::uint64_t count_of(const ordered_json& times) {
    return times.at("count").get<std::uint64_t>();
}

std::uint64_t unfinished_of(const ordered_json& times) {
    return times.value("unfinished", std::uint64_t{0});
}

std::uint64_t started_of(const ordered_json& times) {
    return count_of(times) + unfinished_of(times);
}

ordered_json value_of(const ordered_json& times, const completion_value& column) {
    if (column.key == std::string_view("unfinished")) {
        return unfinished_of(times);
    }
    return started_of(times) >= column.least_count ? times.at(column.key) : ordered_json(nullptr);
}

bool is_lower_bound(const ordered_json& times, const std::string& percentile) {
    return times.contains(lower_bound_key(percentile));
}

std::string unfinished_warning(const ordered_json& summary, const std::string& run) {
    const ordered_json unfinished = value_or_null(summary.at("flows"), "unfinished");
    return unfinished.is_null() ? ""
                                : "warning: " + run + ": " + tally_text(unfinished) + " of " +
                                      tally_text(summary.at("flows").at("started")) +
                                      " transfers did not complete; percentiles count them with their age, and "
                                      "'at least' marks lower bounds\n";
}

const char* measure_of(const ordered_json& summary) {
    return started_of(summary.at("jct_ns")) > 0 ? "jct_ns" : "fct_ns";
}

std::string paused_text(const ordered_json& pfc) {
    std::string text;
    const ordered_json shares = value_or_null(pfc, "paused_percent");
    for (const auto& [tier, time] : pfc.at("paused_ns").items()) {
        text += (text.empty() ? "" : ", ") + tier + " " + time_text(time);
        const ordered_json share = value_or_null(shares, tier.c_str());
        text += share.is_null() ? "" : " (" + percent_text(share, 2) + ")";
    }
    return text;
}

namespace {

/// `377 of 384 links`
std::string share_of_kind(const std::string& kind, const ordered_json& use) {
    static constexpr std::pair<const char*, const char*> plurals[] = {{"link", "links"},
                                                                      {"host_link", "host links"},
                                                                      {"lookup", "lookups"},
                                                                      {"crossbar", "crossbars"},
                                                                      {"memory", "memories"},
                                                                      {"memory_read", "memories (reads)"},
                                                                      {"memory_write", "memories (writes)"}};
    const auto* const found = std::find_if(std::begin(plurals), std::end(plurals),
                                           [&](const auto& each) { return each.first == kind; });
    return tally_text(use.at("binding")) + " of " + tally_text(use.at("of")) + " " +
           (found != std::end(plurals) ? found->second : kind);
}

/// `between 63.488 us and 134.912 us`, if that says more than "in the run".
std::string when_bound(const ordered_json& use, double averaged_ns) {
    const ordered_json from = value_or_null(use, "bound_from_ns");
    const ordered_json to = value_or_null(use, "bound_to_ns");
    const bool is_short =
        from.is_number() && to.is_number() && to.get<double>() - from.get<double>() < averaged_ns / 2;
    const std::string first = time_text(from);
    const std::string last = time_text(to);
    return is_short && first != last ? ", between " + first + " and " + last : "";
}

/// `; also edge1.tx2 (51.2 %) and edge3.tx0 (49.9 %)`
std::string others_text(const ordered_json& use) {
    const ordered_json fullest = value_or_null(use, "fullest");
    std::string text;
    for (std::size_t i = 1; i < fullest.size(); ++i) {
        text += (i == 1 ? "; also " : " and ") + fullest[i].value("name", "") + " (" +
                percent_text(value_or_null(fullest[i], "bound_percent"), 1) + ")";
    }
    return text;
}

/// The resource of a kind that binds most, and how many others do.
std::string use_text(const std::string& kind, const ordered_json& use, double averaged_ns) {
    std::string text = kind + " " + use.at("worst").get<std::string>() + ", " +
                       percent_text(use.at("busy_percent"), 1) + " busy on average";
    if (use.at("stalled_percent") > 0) {
        text += ", awaited for " + percent_text(use.at("stalled_percent"), 1) + " of the time";
    }
    if (use.at("lost_frames") > 0) {
        text += ", " + tally_text(use.at("lost_frames")) + " frames lost";
    }
    const ordered_json bound = value_or_null(use, "bound_percent");
    if (bound.is_number() && bound > 0) {
        text += bound < 99.95
                    ? ", full for " + percent_text(bound, 1) + " of the time" + when_bound(use, averaged_ns)
                    : ", full all the time";
    }
    text += others_text(use);
    if (use.at("binding") > 0 && use.at("of") > 1) {
        text += "; " + share_of_kind(kind, use) + (use.at("binding") == 1 ? " was" : " were") +
                " full at some time";
    }
    return text;
}

}  // namespace

std::string limits_text(const ordered_json& summary, const std::string& separator) {
    const ordered_json& resources = summary.at("resources");
    const double averaged_ns =
        summary.at("simulated_ns").get<double>() - summary.value("averaged_from_ns", 0.0);
    std::string text;
    for (const ordered_json& name : summary.at("limited_by")) {
        const auto kind = name.get<std::string>();
        text += (text.empty() ? "" : separator) + use_text(kind, resources.at(kind), averaged_ns);
    }
    if (!text.empty() || resources.empty()) {
        return text.empty() ? "nothing" : text;
    }
    const auto bound = [](const ordered_json& use) { return use.value("bound_percent", 0.0); };
    const auto most =
        std::max_element(resources.begin(), resources.end(), [&](const ordered_json& a, const ordered_json& b) {
            return std::make_pair(bound(a), a.at("busy_percent").get<double>()) <
                   std::make_pair(bound(b), b.at("busy_percent").get<double>());
        });
    return (bound(*most) > 0 ? "nothing for long; fullest: " : "nothing; busiest: ") +
           use_text(most.key(), *most, averaged_ns);
}

}  // namespace weir::tb
