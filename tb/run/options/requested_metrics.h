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

#include "weir/base/config_error.h"

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

/// A member of a family as metrics' names have it: in quotes if it is empty or has other characters than
/// letters, digits, `_` and `-`. No tag has quotes.
inline std::string quoted_member(std::string_view member) {
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    const bool is_bare = !member.empty() && std::all_of(member.begin(), member.end(), is_plain);
    return is_bare ? std::string(member) : '"' + std::string(member) + '"';
}

/// The member of such a name.
inline std::string_view unquoted_member(std::string_view text) {
    const bool is_quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// `--metric`, goals, `output.metrics` and expressions read and check names in one way: with these functions of
// tb/run/results/metric_names.cpp.

/// The name of a metric, the beginning of its name or a pattern, with the quotes that the program's own names
/// have: `tags.web-search` for `tags."web-search"`, `tags."a.b".fct_ns.p99` for `tags.a.b.fct_ns.p99`,
/// `groups.a.b.64.0` for `groups."a.b".64.0`.
std::string normal_metric(const std::string& written);

/// Returns why no run has a metric of such a name; empty if some run may have one.
std::string fault_of_metric(const std::string& name);

/// True for `tags`, `groups` and other families with a member behind the first dot.
bool has_members(std::string_view family);

/// `waste` of `waste = 1 - goodput.bps / offered.bps`, the definition of a derived metric
/// (tb/run/results/derived_metric.h); empty for another text. The name of a metric may have a `=`, in its tag.
std::string name_of_definition(const std::string& text);
inline bool is_definition(const std::string& text) {
    return !name_of_definition(text).empty();
}

/// Metrics in texts of `--metric` and `output.metrics`: lists are divided at commas, names are normal,
/// definitions stay whole.
std::vector<std::string> metrics_in(const std::vector<std::string>& texts);

/// Errors of the values of `output.metrics`, with the keys `output.metrics[n]`.
config_errors requested_metric_errors(const std::vector<std::string>& texts);

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
