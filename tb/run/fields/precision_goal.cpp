#include "tb/run/fields/precision_goal.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "tb/run/fields/option_value.h"
#include "weir/base/share_text.h"

namespace weir::tb {

namespace {

using goal_words = std::vector<std::string>;

constexpr double percentile_unit = 10'000;

parse_result<std::uint32_t> read_figure(const std::string& word) {
    if (word == "mean") {
        return {0, {}};
    }
    const bool is_percentile = word.size() > 1 && word[0] == 'p';
    const auto share = is_percentile ? detail::parse_share(word.substr(1) + "%") : parse_result<double>{};
    const double units = std::round(share.value * percentile_unit);
    // As near as both are written in decimal.
    const bool is_whole = std::abs(share.value * percentile_unit - units) < 1e-6;
    if (share && is_whole && units >= 1 && units < percentile_unit) {
        return {static_cast<std::uint32_t>(units), {}};
    }
    const bool is_too_fine = share && share.value > 0 && share.value < 1;
    return {0, "'" + word + "' " + (is_too_fine ? "has more than two decimals" : "is no figure")};
}

std::optional<double> read_percent(const std::string& word, double least, double most) {
    const auto share = detail::parse_share(word);
    const bool is_percent = !word.empty() && word.back() == '%';
    return share && is_percent && share.value >= least && share.value <= most ? std::optional(share.value)
                                                                              : std::nullopt;
}

/// What is wrong; empty: nothing.
std::string read_goal(const goal_words& words, precision_goal& goal) {
    std::size_t at = 0;
    const auto next = [&](const char* word) { return at < words.size() && words[at] == word && ++at > 0; };
    const auto word = [&] { return at < words.size() ? words[at++] : std::string(); };

    const auto not_a_share = [&](const std::string& percent, const char* range) {
        return "'" + percent +
               (next("%") ? " %' has a space before the %" : std::string("' is not a share from ") + range);
    };

    const auto percentile = read_figure(word());
    if (!percentile) {
        return percentile.error;
    }
    goal.percentile = percentile.value;
    if (!next("of")) {
        return "`of METRIC` is missing";
    }
    const std::string metric = word();
    const auto measure = find_named<goal_measure>(metric);
    if (!measure) {
        return "'" + metric + "' is no metric";
    }
    goal.measure = *measure;
    if (next("of")) {
        goal.tag = word();
    }
    if (!next("within")) {
        return "`within N%` is missing";
    }
    const std::string width = word();
    const auto within = read_percent(width, 0.001, 0.5);
    if (!within) {
        return not_a_share(width, "0.1% to 50%");
    }
    goal.within = *within;
    if (next("at")) {
        const std::string percent = word();
        const auto confidence = read_percent(percent, 0.5, 0.999);
        if (!confidence) {
            return not_a_share(percent, "50% to 99.9%");
        }
        goal.confidence = *confidence;
    }
    return at < words.size() ? "'" + words[at] + "' is one word too many" : std::string();
}

}  // namespace

std::string figure_name(const precision_goal& goal) {
    if (goal.percentile == 0) {
        return "mean";
    }
    const std::string percent = share_text(goal.percentile / percentile_unit);
    return "p" + percent.substr(0, percent.size() - 1);
}

std::string goal_text(const precision_goal& goal) {
    return figure_name(goal) + " of " + name_of(goal.measure) + (goal.tag.empty() ? "" : " of " + goal.tag) +
           " within " + share_text(goal.within) + " at " + share_text(goal.confidence);
}

parse_result<std::vector<precision_goal>> parse_precision_goals(std::string_view text) {
    std::vector<goal_words> sentences(1);
    std::istringstream rest{std::string(text)};
    for (std::string word; rest >> word;) {
        if (word == "and") {
            sentences.emplace_back();
        } else {
            sentences.back().push_back(word);
        }
    }
    std::vector<precision_goal> goals;
    if (sentences.size() == 1 && sentences[0].empty()) {
        return {goals, {}};
    }
    for (const goal_words& words : sentences) {
        goals.emplace_back();
        if (const std::string wrong = read_goal(words, goals.back()); !wrong.empty()) {
            return {{}, "'" + std::string(text) + "': " + wrong + "; expected " + precision_goal_form};
        }
        const precision_goal& last = goals.back();
        const auto same = std::find_if(goals.begin(), goals.end() - 1, [&](const precision_goal& other) {
            return other.percentile == last.percentile && other.measure == last.measure &&
                   other.tag == last.tag;
        });
        if (same != goals.end() - 1) {
            return {{},
                    "'" + std::string(text) + "': asks for the " + figure_name(last) + " of " +
                        name_of(last.measure) + " twice; expected each figure once"};
        }
    }
    return {goals, {}};
}

}  // namespace weir::tb
