#include "tb/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <numeric>
#include <utility>

namespace weir::tb {

/// Longest text whose characters have a bit each in `nearest_search::m_places`.
static constexpr std::size_t most_bits = 64;

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    // The row of each of a's characters, and those of the two before it.
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
            least = std::min(least, row[j]);
        }
        // A swap continues from the row before the last one, and costs one more.
        if (std::min(least, *std::min_element(last.begin(), last.end()) + 1) >= limit) {
            return limit;
        }
    }
    return std::min(row[b.size()], limit);
}

/// Most edits between a name and what was meant: one per word, or one per four letters of a longer word. With
/// two edits in six letters, `shaper` would be `shared`.
static std::size_t most_edits(std::string_view text) {
    std::size_t most = 0;
    std::size_t length = 0;
    const auto end_word = [&] {
        most += length == 0 ? 0 : std::max<std::size_t>(1, length / 4);
        length = 0;
    };
    for (const char c : text) {
        if (c == '.' || c == '_' || c == '-' || c == ' ') {
            end_word();
        } else {
            ++length;
        }
    }
    end_word();
    return most;
}

namespace {

/// Set of the characters of a text, one bit each. The edit distance of two texts is at least the number of bits
/// that one set has and the other lacks.
std::uint64_t letters_of(std::string_view text) {
    std::uint64_t letters = 0;
    for (const char c : text) {
        // Characters that share a bit (0-9 with p-y, . with n, - with m) only weaken the lower bound.
        letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
    }
    return letters;
}

/// Looks for the nearest of the names offered to it.
class nearest_search {
 public:
    /// `text` must outlive the search.
    explicit nearest_search(std::string_view text);
    /// `letters` are those of the name.
    void offer(std::string_view name, std::uint64_t letters);
    std::string_view best() const { return m_best; }
    /// A name counts if its distance is below this, which is the distance of the nearest name so far.
    std::size_t limit() const { return m_limit; }

 private:
    std::size_t distance_by_bits(std::string_view name) const;

    std::string_view m_text;
    std::uint64_t m_letters;
    /// Where the text's own name begins, behind its blocks: `speed` of `switch.speed`.
    std::size_t m_own_begin;
    std::size_t m_most_edits;
    /// For names in the same blocks: `speed` is compared with `speedup`.
    std::size_t m_most_edits_of_own;
    /// Bit i of m_places[c] is set if character i of the text is c, for the first 64 characters.
    std::array<std::uint64_t, 256> m_places{};
    std::size_t m_limit;
    std::string_view m_best;
};

nearest_search::nearest_search(std::string_view text)
    : m_text(text),
      m_letters(letters_of(text)),
      m_own_begin(text.rfind('.') + 1),
      m_most_edits(most_edits(text)),
      m_most_edits_of_own(most_edits(text.substr(m_own_begin))),
      // Nothing is near to an empty text.
      m_limit(text.empty() ? 0 : std::max(m_most_edits, text.size() / 3) + 1) {
    for (std::size_t i = 0; i < std::min(text.size(), most_bits); ++i) {
        m_places[static_cast<unsigned char>(text[i])] |= std::uint64_t{1} << i;
    }
}

void nearest_search::offer(std::string_view name, std::uint64_t letters) {
    // The distance is at least the difference of the lengths, and an edit adds one letter and removes one, at
    // most.
    const std::size_t longer = std::max(m_text.size(), name.size()) - std::min(m_text.size(), name.size());
    const std::size_t missing = std::bitset<64>(m_letters & ~letters).count();
    const std::size_t least =
        std::max(longer, std::max(missing, std::bitset<64>(letters & ~m_letters).count()));
    // The beginning of a name may stand for it.
    const bool is_start = missing == 0 && m_text.size() > 2 && name.compare(0, m_text.size(), m_text) == 0;
    if (least >= m_limit || (!is_start && least > m_most_edits)) {
        return;
    }
    const bool same_blocks = name.compare(0, m_own_begin, m_text, 0, m_own_begin) == 0;
    const std::size_t most = is_start ? m_text.size() / 3 : same_blocks ? m_most_edits_of_own : m_most_edits;
    const std::size_t limit = std::min(m_limit, most + 1);
    const std::size_t distance =
        m_text.size() <= most_bits ? distance_by_bits(name) : edit_distance(m_text, name, limit);
    if (distance < limit) {
        m_limit = distance;
        m_best = name;
    }
}

// Hyyro, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances" (2003): a column of the
// table that `edit_distance` fills row by row, as differences between neighbours, one bit each.
std::size_t nearest_search::distance_by_bits(std::string_view name) const {
    std::uint64_t rises = ~std::uint64_t{0};
    std::uint64_t falls = 0;
    std::uint64_t diagonal = 0;
    std::uint64_t places_before = 0;
    std::size_t distance = m_text.size();
    for (const char c : name) {
        const std::uint64_t places = m_places[static_cast<unsigned char>(c)];
        const std::uint64_t swaps = ((~diagonal & places) << 1) & places_before;
        diagonal = (((places & rises) + rises) ^ rises) | places | falls | swaps;
        const std::uint64_t more = falls | ~(diagonal | rises);
        const std::uint64_t less = diagonal & rises;
        distance += more >> (m_text.size() - 1) & 1;
        distance -= less >> (m_text.size() - 1) & 1;
        rises = (less << 1) | ~(diagonal | (more << 1 | 1));
        falls = (more << 1 | 1) & diagonal;
        places_before = places;
    }
    return distance;
}

}  // namespace

void name_index::add(std::string_view name) {
    m_by_length.resize(std::max(m_by_length.size(), name.size() + 1));
    m_by_length[name.size()].push_back({name, letters_of(name)});
}

std::string_view name_index::nearest(std::string_view text) const {
    nearest_search search(text);
    const auto offer_all = [&](std::size_t length) {
        if (length < m_by_length.size()) {
            for (const entry& each : m_by_length[length]) {
                search.offer(each.name, each.letters);
            }
        }
    };
    for (std::size_t longer = 0; longer < search.limit(); ++longer) {
        if (longer > 0 && longer <= text.size()) {
            offer_all(text.size() - longer);
        }
        offer_all(text.size() + longer);
    }
    return search.best();
}

std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates) {
    name_index names;
    for (const std::string& candidate : candidates) {
        names.add(candidate);
    }
    return std::string(names.nearest(text));
}

}  // namespace weir::tb
