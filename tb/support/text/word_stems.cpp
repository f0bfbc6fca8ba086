#include "tb/support/text/word_stems.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace weir::tb {

namespace {

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : small_letters(std::string(text))) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            words.back() += c;
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

bool ends(const std::string& word, std::string_view ending) {
    return word.size() >= ending.size() &&
           word.compare(word.size() - ending.size(), ending.size(), ending) == 0;
}

/// `dropp` of `dropped` is `drop`, but `pass` of `passed` stays.
void make_single(std::string& stem) {
    const std::size_t size = stem.size();
    if (size > 3 && stem[size - 1] == stem[size - 2] &&
        std::string_view("lsz").find(stem.back()) == std::string_view::npos) {
        stem.pop_back();
    }
}

std::string stem_of(std::string word) {
    if (ends(word, "ing") && word.size() > 5) {
        word.resize(word.size() - 3);
        make_single(word);
    } else if (ends(word, "ed") && word.size() > 4) {
        word.resize(word.size() - 2);
        make_single(word);
    } else if (ends(word, "ies") && word.size() > 4) {
        word.replace(word.size() - 3, 3, "y");
    } else if (ends(word, "es") && word.size() > 4) {
        word.resize(word.size() - 2);
    } else if (ends(word, "s") && word.size() > 3 && !ends(word, "ss") && !ends(word, "us")) {
        word.pop_back();
    }
    if (ends(word, "e") && word.size() > 3) {
        word.pop_back();
    }
    return word;
}

/// Whether the words stand in the text next to each other, compared by `same(word of the text, word)`.
template <class Same>
bool has_row(const std::vector<std::string>& text, const std::vector<std::string>& words, Same same) {
    return !words.empty() &&
           std::search(text.begin(), text.end(), words.begin(), words.end(), same) != text.end();
}

}  // namespace

std::string small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::vector<std::string> word_stems(std::string_view text) {
    std::vector<std::string> stems = words_of(text);
    std::transform(stems.begin(), stems.end(), stems.begin(), stem_of);
    return stems;
}

word_search::word_search(std::string_view words) : m_words(words_of(words)), m_stems(word_stems(words)) {}

bool word_search::is_in(std::string_view text) const {
    return has_row(word_stems(text), m_stems, std::equal_to<>());
}

bool word_search::begins_in(std::string_view text) const {
    return has_row(words_of(text), m_words, [](const std::string& there, const std::string& wanted) {
        return there.compare(0, wanted.size(), wanted) == 0;
    });
}

}  // namespace weir::tb
