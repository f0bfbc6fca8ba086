#include "tb/options/option_topic.h"

#include <algorithm>
#include <cctype>

#include "tb/text/joined.h"
#include "tb/text/nearest_name.h"
#include "tb/text/wrapped_text.h"

namespace weir::tb {

namespace {

std::string small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

template <class Holds>
option_choice options_where(const option_table& table, Holds&& holds) {
    option_choice chosen;
    for (const auto& each : table.options()) {
        if (holds(*each)) {
            chosen.insert(each.get());
        }
    }
    return chosen;
}

bool has(const std::string& text, const std::string& word) {
    return small_letters(text).find(word) != std::string::npos;
}

bool speaks_of(const option& each, const std::string& word) {
    const auto choices = each.value->choices();
    return has(each.doc, word) || has(each.source, word) ||
           std::any_of(choices.begin(), choices.end(),
                       [&](const auto& choice) { return has(choice.first, word) || has(choice.second, word); });
}

/// Up to its first full stop.
std::string first_sentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

}  // namespace

option_topic find_topic(const option_table& table, const std::string& word) {
    option_topic topic;
    const std::string small = small_letters(word);
    const std::string key = with_underscores(small);
    for (const scheme_preset& preset : scheme_presets()) {
        topic.scheme = preset.name == key ? &preset : topic.scheme;
    }
    if (const option* const one = table.find(key)) {
        topic.options = {one};
    } else if (table.has_block(key)) {
        topic.options = options_where(table, [&](const option& each) { return each.block == key; });
    } else {
        topic.options = options_where(table, [&](const option& each) { return each.name == key; });
    }
    if (topic.empty() && !small.empty()) {
        topic.searched = true;
        topic.options = options_where(
            table, [&](const option& each) { return has(each.key, key) || speaks_of(each, small); });
    }
    return topic;
}

void write_topic(std::ostream& out, const option_table& table, const option_topic& topic) {
    if (topic.scheme != nullptr) {
        write_scheme(out, *topic.scheme);
    }
    if (topic.options.empty()) {
        return;
    }
    if (!topic.searched) {
        write_blocks(out, table, topic.options);
        return;
    }
    for (const auto& each : table.options()) {
        if (topic.options.count(each.get()) != 0) {
            out << each->key << " = " << each->default_text << '\n';
            write_wrapped(out, "    ", "    ", first_sentence(each->doc));
        }
    }
    out << "\nweir help KEY says all of one of them.\n";
}

std::string no_topic(const option_table& table, const std::string& word, const std::vector<std::string>& more) {
    std::vector<std::string> blocks;
    for (const option_block& each : table.blocks()) {
        blocks.push_back(each.name);
    }
    std::vector<std::string> names = blocks;
    names.insert(names.end(), more.begin(), more.end());
    for (const auto& each : table.options()) {
        names.push_back(each->key);
        names.push_back(each->name);
    }
    for (const scheme_preset& preset : scheme_presets()) {
        names.emplace_back(preset.name);
    }
    const std::string nearest = nearest_name(word, names);
    return "'" + word + "' is in no option's name or text; " +
           (nearest.empty() ? "expected a key, a block (" + joined(blocks, ", ") + ") or a scheme"
                            : "did you mean " + nearest + "?");
}

}  // namespace weir::tb
