// Names of metrics as people write them: in `--metric`, in goals, in `output.metrics` and in expressions.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/derived_metric.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/name_pattern.h"
#include "tb/support/text/nearest_name.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

bool is_metric_pattern(std::string_view text) {
    return text.find_first_of("*?[") != std::string_view::npos;
}

/// `tags.`, `"a.b"` and `.fct_ns.p99` of `tags."a.b".fct_ns.p99`.
struct name_parts {
    std::string head;
    std::string member;
    std::string rest;
};

/// Without quotes, the member of a whole name ends where the rest is that of a metric, else at the next dot.
name_parts parts_of_name(const std::string& name) {
    const std::size_t open = name.find('"');
    const std::size_t close = open == std::string::npos ? open : name.find('"', open + 1);
    if (close != std::string::npos) {
        return {name.substr(0, open), name.substr(open, close + 1 - open), name.substr(close + 1)};
    }
    const std::size_t begin = family_of(name).size() + 1;
    if (begin >= name.size() || open != std::string::npos || !has_members(family_of(name))) {
        return {name, "", ""};
    }
    const metric_entry* const entry = find_metric_entry(name);
    const std::size_t end = entry != nullptr && entry->is_family()
                                ? begin + entry->member_in(name).size()
                                : std::min(name.find('.', begin), name.size());
    return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

/// Returns why the family has no such member, which has its quotes.
std::string fault_of_member(const std::string& family, const std::string& member) {
    const bool is_number = !member.empty() && member.find_first_not_of("0123456789") == std::string::npos;
    if (member.empty() || is_metric_pattern(member)) {
        return "";
    }
    if (family == "priorities" && !(member.size() == 1 && is_number && member[0] < '8')) {
        return "has the priority " + member + "; expected 0 to 7";
    }
    return family == "sizes" && !is_number
               ? "has the size " + member + "; expected a number of bytes, such as sizes.8192"
               : "";
}

/// True if the name of some metric fits both patterns. A set in brackets may be any character.
bool may_both_fit(std::string_view a, std::string_view b) {
    std::vector<std::vector<bool>> fit(a.size() + 2, std::vector<bool>(b.size() + 2));
    for (std::size_t i = a.size() + 1; i-- > 0;) {
        for (std::size_t j = b.size() + 1; j-- > 0;) {
            const char of_a = i < a.size() ? a[i] : '\0';
            const char of_b = j < b.size() ? b[j] : '\0';
            const bool is_same = of_a == of_b || (of_a == '?' && of_b != '\0');
            fit[i][j] = (i == a.size() && j == b.size()) || (of_a == '*' && (fit[i + 1][j] || fit[i][j + 1])) ||
                        (of_b == '*' && (fit[i][j + 1] || fit[i + 1][j])) ||
                        (of_a != '\0' && is_same && fit[i + 1][j + 1]);
        }
    }
    return fit[0][0];
}

std::string with_question_marks(std::string pattern) {
    for (std::size_t open = pattern.find('['); open != std::string::npos; open = pattern.find('[')) {
        const std::size_t close = pattern.find(']', open + 1);
        pattern.replace(open, close == std::string::npos ? close : close + 1 - open, "?");
    }
    return pattern;
}

/// True if some run may have a metric of the entry with this name, or one that begins so.
bool may_be_of(const metric_entry& entry, const std::string& name, const name_parts& parts) {
    const std::string text = with_underscores(name);
    if (is_named(entry.key, name) || entry.has(text)) {
        return true;
    }
    const std::size_t star = entry.key.find('*');
    if (is_metric_pattern(name)) {
        return may_both_fit(with_question_marks(name), entry.key);
    }
    if (star == std::string::npos || text.compare(0, star, entry.key, 0, star) != 0) {
        return false;
    }
    // Tags of groups may have dots without quotes.
    const bool is_measured =
        name.find("ct_ns.", star) != std::string::npos || name.find("ct_slowdown.", star) != std::string::npos;
    return (entry.member == metric_member::group && !is_measured) ||
           (!parts.member.empty() ? is_named(with_part(entry.key, parts.member), name)
                                  : !has_members(family_of(entry.key)));
}

/// Place of the first `=` outside quotes.
std::size_t equal_sign_in(const std::string& text) {
    bool is_quoted = false;
    const auto found = std::find_if(text.begin(), text.end(), [&](char c) {
        is_quoted = is_quoted != (c == '"');
        return c == '=' && !is_quoted;
    });
    return found == text.end() ? std::string::npos : static_cast<std::size_t>(found - text.begin());
}

}  // namespace

bool has_members(std::string_view family) {
    const std::string begin = std::string(family) + ".*";
    const auto& all = metric_catalogue();
    return std::any_of(all.begin(), all.end(), [&](const metric_entry& entry) {
        return entry.key.compare(0, begin.size(), begin) == 0;
    });
}

std::string normal_metric(const std::string& written) {
    const name_parts parts = parts_of_name(written);
    const std::string member(unquoted_member(parts.member));
    const bool stays = parts.head == written || (member == parts.member && is_metric_pattern(member));
    return stays ? written
                 : parts.head + (is_split_family(family_of(written)) ? quoted_member(member) : member) +
                       parts.rest;
}

std::string fault_of_metric(const std::string& name) {
    const std::string normal = normal_metric(name);
    if (std::count(normal.begin(), normal.end(), '"') % 2 != 0) {
        return "has a quote that is not closed; expected a name such as tags.\"a.b\".fct_ns.p99";
    }
    const name_parts parts = parts_of_name(normal);
    if (std::string fault = fault_of_member(family_of(normal), parts.member); !fault.empty()) {
        return fault;
    }
    std::vector<std::string> known;
    for (const metric_entry& entry : metric_catalogue()) {
        if (entry.title.empty()) {
            continue;
        }
        if (may_be_of(entry, normal, parts)) {
            return "";
        }
        if (!entry.is_family() || !parts.member.empty()) {
            known.push_back(with_part(entry.key, parts.member));
        }
    }
    const std::string nearest = nearest_name(normal, known);
    return "is not a number in summary.json; " + (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
           "expected names such as fct_ns.p99, frames.dropped, drops.total, pfc.paused_ns.total, prefixes "
           "(fct_ns), patterns (*.p99); weir help metric lists all";
}

std::string name_of_definition(const std::string& text) {
    const std::size_t equal = equal_sign_in(text);
    return equal == std::string::npos || is_possible_metric(normal_metric(text))
               ? ""
               : std::string(trimmed(std::string_view(text).substr(0, equal)));
}

std::vector<std::string> metrics_in(const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    for (const std::string& text : texts) {
        const std::vector<std::string> parts = is_definition(text) ? std::vector{text} : split_list(text);
        std::transform(parts.begin(), parts.end(), std::back_inserter(all), [](const std::string& part) {
            return is_definition(part) ? part : normal_metric(part);
        });
    }
    return all;
}

config_errors requested_metric_errors(const std::vector<std::string>& texts) {
    config_errors errors;
    read_definitions(texts, errors);
    for (std::size_t n = 0; n < texts.size(); ++n) {
        std::vector<std::string> names = metrics_in({texts[n]});
        names.resize(std::max<std::size_t>(names.size(), 1));  // an empty text is an empty name
        for (const std::string& name : names) {
            std::string fault = is_definition(name) ? "" : fault_of_metric(name);
            if (fault.empty() && !is_definition(name) && !is_on_request(name)) {
                fault =
                    "is not on request; expected a name such as tags.query.fct_ns.p99, priorities.7, "
                    "sizes.8192, "
                    "racks.tor0, offered.bps, goodput.line_rate_percent, or a definition such as tail = "
                    "fct_ns.p99 / fct_ns.p50";
            }
            if (!fault.empty()) {
                errors.push_back(
                    {"", 0, "output.metrics[" + std::to_string(n) + "]", "'" + name + "' " + fault});
            }
        }
    }
    std::stable_sort(errors.begin(), errors.end(), [](const config_error& a, const config_error& b) {
        return std::pair(a.key.size(), a.key) < std::pair(b.key.size(), b.key);  // by n
    });
    return errors;
}

}  // namespace weir::tb
