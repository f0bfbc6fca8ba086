// Metrics that a run computes only where `output.metrics` names them: completion times and slowdowns of one
// tag, priority, size or rack, those of results/run_metrics.h, and definitions of derived metrics.
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

#include "weir/base/trimmed.h"

namespace weir::tb {

/// Families of distributions: by the traffic's tag, its priority, the size of transfers or jobs (of a bin the
/// largest size), and the switch of the receiving host.
inline constexpr const char* split_families[] = {"tags", "priorities", "sizes", "racks"};
inline bool is_split_family(std::string_view name) {
    return std::find(std::begin(split_families), std::end(split_families), name) != std::end(split_families);
}

/// True for `tags.websearch`, and for a name, a beginning of names or a pattern that only metrics on request
/// fit: `offered`, `offered.bps`. The catalogue knows them (results/run_metrics.cpp).
bool is_on_request(const std::string& metric);

/// `goodput` of `goodput.bps`.
inline std::string family_of(std::string_view metric) {
    return std::string(metric.substr(0, metric.find('.')));
}
/// True for lower-case letters, digits and `_` that begin with a letter.
inline bool is_lower_word(const std::string& text) {
    return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
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

/// `waste` of `waste = 1 - goodput.bps / offered.bps`, the definition of a derived metric
/// (tb/results/derived_metric.h); empty for another text. A name with dots or quotes is that of a metric, whose
/// tag may hold a `=`.
inline std::string name_of_definition(const std::string& text) {
    const std::size_t equal = text.find('=');
    const std::string name(trimmed(std::string_view(text).substr(0, equal)));
    return equal == std::string::npos || name.find_first_of(".\"") != std::string::npos ? "" : name;
}
inline bool is_definition(const std::string& text) {
    return !name_of_definition(text).empty();
}

/// Adds options, each as one `--key=value`, with which runs compute those metrics that they have on request,
/// and operands of definitions.
inline void request_metrics(const std::vector<std::string>& metrics, std::vector<std::string>& options) {
    for (const std::string& metric : metrics) {
        if (is_on_request(metric) || is_definition(metric)) {
            options.push_back("--output.metrics+=" + metric);
        }
    }
}

}  // namespace weir::tb
