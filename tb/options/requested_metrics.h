// Metrics that a run computes only where `output.metrics` names them: completion times and slowdowns of one
// tag, priority, size or rack, the offered load, and shares of the line rate.
//
//     tags.websearch.fct_ns.p99      tags."a.b".jct_ns         priorities.7.fct_slowdown.p50
//     sizes.8192.fct_ns.max          racks.tor0.fct_ns.p99     offered.bps
#pragma once

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tb {

/// Families of distributions: by the traffic's tag, its priority, the size of transfers or jobs (of a bin the
/// largest size), and the switch of the receiving host.
inline constexpr const char* split_families[] = {"tags", "priorities", "sizes", "racks"};

/// True for `tags.websearch`, `offered.bps` and the like.
inline bool is_on_request(const std::string& metric) {
    const std::string family = metric.substr(0, metric.find('.'));
    return family == "offered" || metric == "goodput.line_rate_percent" ||
           std::find(std::begin(split_families), std::end(split_families), family) != std::end(split_families);
}

/// A member of a family as metrics' names have it: in quotes, those within doubled, if it is empty or has other
/// characters than letters, digits, `_` and `-`.
inline std::string quoted_member(std::string_view member) {
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    if (!member.empty() && std::all_of(member.begin(), member.end(), is_plain)) {
        return std::string(member);
    }
    std::string quoted = "\"";
    for (const char c : member) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

/// The member of such a name.
inline std::string unquoted_member(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        return std::string(text);
    }
    std::string member;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        member += text[i];
        i += text.substr(i, 2) == "\"\"" ? 1 : 0;
    }
    return member;
}

/// Adds options, each as one `--key=value`, with which runs compute those metrics that they have on request.
inline void request_metrics(const std::vector<std::string>& metrics, std::vector<std::string>& options) {
    for (const std::string& metric : metrics) {
        if (is_on_request(metric)) {
            options.push_back("--output.metrics+=" + metric);
        }
    }
}

}  // namespace weir::tb
