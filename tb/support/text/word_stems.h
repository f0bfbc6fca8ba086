// Words of a text without their endings, for a search that takes `pauses`, `paused` and `pausing` for one word
// and does not find `FEC` in `effect`.
//
//   const word_search search("pauses");
//   search.is_in("XOFF pauses a class");       // true, and so is "time paused"
//   search.is_in("unpaused");                  // false
//   word_search("thresh").begins_in("an ECN threshold");    // true
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::tb {

std::string small_letters(std::string text);

/// Small letters and digits of each word, without the endings of plurals and verbs: `Paused frames` is `paus`,
/// `fram`.
std::vector<std::string> word_stems(std::string_view text);

/// One word or several that stand next to each other; blanks, dashes, underscores and dots divide them.
class word_search {
 public:
    explicit word_search(std::string_view words);

    /// True if `text` has the words whole and in this order.
    bool is_in(std::string_view text) const;
    /// True if `text` has words that begin with these.
    bool begins_in(std::string_view text) const;

 private:
    std::vector<std::string> m_words;
    std::vector<std::string> m_stems;
};

}  // namespace weir::tb
