#include "tb/run/help/option_topic.h"

#include <algorithm>
#include <optional>

#include "tb/support/text/joined.h"
#include "tb/support/text/nearest_name.h"
#include "tb/support/text/word_stems.h"
#include "tb/support/text/wrapped_text.h"

namespace weir::tb {

namespace {

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

/// `has(text)` for the key or one of the texts of the option.
template <class Has>
bool any_text(const option& each, Has&& has) {
    const auto choices = each.value->choices();
    return has(each.key) || has(each.doc) || has(each.source) ||
           std::any_of(choices.begin(), choices.end(),
                       [&](const auto& choice) { return has(choice.first) || has(choice.second); });
}

/// Shorter words begin too many others, and are near to too many.
constexpr std::size_t shortest_prefix = 4;

option_choice options_with(const option_table& table, const std::string& word) {
    const word_search search(word);
    const auto found_by = [&](bool (word_search::*matches)(std::string_view) const) {
        return options_where(table, [&](const option& each) {
            return any_text(each, [&](const std::string& text) { return (search.*matches)(text); });
        });
    };
    const option_choice whole = found_by(&word_search::is_in);
    return whole.empty() && word.size() >= shortest_prefix ? found_by(&word_search::begins_in) : whole;
}

/// An option of a term, and the value that has the feature; empty: any.
struct term_option {
    const option* known;
    std::string value;
};

term_option read_term_option(const option_table& table, const std::string& text) {
    const std::size_t end = text.find(" = ");
    return {table.find(text.substr(0, end)), end == std::string::npos ? "" : text.substr(end + 3)};
}

/// Up to its first full stop.
std::string first_sentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

}  // namespace

option_topic find_topic(const option_table& table, const std::string& word) {
    option_topic topic;
    std::string key = with_underscores(small_letters(word));
    std::replace(key.begin(), key.end(), ' ', '_');
    topic.term = find_field_term(word);
    const std::optional<scheme_kind> scheme = schemes().find(key);
    topic.scheme = scheme ? &schemes().of(*scheme) : nullptr;
    if (const option* const one = table.find(key)) {
        topic.options = {one};
    } else if (table.has_block(key)) {
        topic.options = options_where(table, [&](const option& each) { return each.block == key; });
    } else {
        topic.options = options_where(table, [&](const option& each) { return each.name == key; });
    }
    if (topic.options.empty() && topic.scheme == nullptr) {
        topic.searched = true;
        if (topic.term == nullptr) {
            topic.options = options_with(table, word);
        } else {
            for (const char* const text : topic.term->options) {
                topic.options.insert(read_term_option(table, text).known);
            }
        }
    }
    return topic;
}

std::string not_modelled_text(const std::string& word, const field_term& term) {
    return word + " is not modelled: \"" + term.not_modelled +
           "\" (README.md, \"What it does not model\", has the list)";
}

void write_topic(std::ostream& out, const option_table& table, const std::string& word,
                 const option_topic& topic) {
    if (topic.scheme != nullptr) {
        write_scheme(out, *topic.scheme);
    }
    if (!topic.searched && !topic.options.empty()) {
        write_blocks(out, table, topic.options);
    }
    const auto write_line = [&](const option& each, const std::string& value) {
        out << each.key << " = "
            << (value.empty() ? each.default_text : value + "  (default: " + each.default_text + ")") << '\n';
        write_wrapped(out, "    ", "    ", first_sentence(each.doc));
    };
    if (topic.term != nullptr) {
        const field_term& term = *topic.term;
        out << (topic.searched ? "" : "\n");
        if (term.not_modelled != nullptr) {
            write_wrapped(out, "", "    ", not_modelled_text(word, term));
            out << (term.options.empty() ? "" : "\nRelated options:\n\n");
        } else if (!topic.searched) {
            out << "Options for " << word << ":\n\n";
        }
        for (const char* const text : term.options) {
            const term_option read = read_term_option(table, text);
            write_line(*read.known, read.value);
        }
        if (term.options.empty()) {
            return;
        }
    } else if (topic.searched) {
        for (const auto& each : table.options()) {
            if (topic.options.count(each.get()) != 0) {
                write_line(*each, "");
            }
        }
    } else {
        return;
    }
    out << "\nweir help KEY prints all of one of them.\n";
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
    for (const scheme_entry& each : schemes().entries()) {
        names.push_back(each.name);
    }
    const std::string nearest = word.size() < shortest_prefix ? "" : nearest_name(word, names);
    return "'" + word + "' is in no option's name or text; " +
           (nearest.empty() ? "expected a key, a block (" + joined(blocks, ", ") + ") or a scheme"
                            : "did you mean " + nearest + "?");
}

}  // namespace weir::tb
