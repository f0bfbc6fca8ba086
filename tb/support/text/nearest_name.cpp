#include "tb/support/text/nearest_name.h"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <utility>

namespace weir::tb {

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

/// Set of the characters of a text, one bit each. The edit distance of two texts is at least the number of bits
/// that one set has and the other lacks.
static std::uint64_t letters_of(std::string_view text) {
    std::uint64_t letters = 0;
    for (const char c : text) {
        // Characters that share a bit (0-9 with p-y, . with n, - with m) only weaken the lower bound.
        letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
    }
    return letters;
}

void name_index::add(std::string_view name) {
    m_by_length.resize(std::max(m_by_length.size(), name.size() + 1));
    m_by_length[name.size()].push_back({name, letters_of(name)});
}

std::string_view name_index::nearest(std::string_view text) const {
    const std::uint64_t letters = letters_of(text);
    // Where the text's own name begins, behind its blocks: `speed` of `switch.speed`.
    const std::size_t own_begin = text.rfind('.') + 1;
    const std::size_t most = most_edits(text);
    // For names in the same blocks: `speed` is compared with `speedup`.
    const std::size_t most_of_own = most_edits(text.substr(own_begin));
    std::string_view best;
    // A name counts if its distance is below this. Nothing is near to an empty text.
    std::size_t limit = text.empty() ? 0 : std::max(most, text.size() / 3) + 1;
    const auto offer_all = [&](std::size_t length, std::size_t longer) {
        if (length >= m_by_length.size()) {
            return;
        }
        for (const entry& each : m_by_length[length]) {
            // The distance is at least the difference of the lengths, and an edit adds one letter and removes
            // one, at most.
            const std::size_t missing = std::bitset<64>(letters & ~each.letters).count();
            const std::size_t least =
                std::max({longer, missing, std::bitset<64>(each.letters & ~letters).count()});
            // The beginning of a name may stand for it.
            const bool is_start =
                missing == 0 && text.size() > 2 && each.name.compare(0, text.size(), text) == 0;
            if (least >= limit || (!is_start && least > most)) {
                continue;
            }
            const bool same_blocks = each.name.compare(0, own_begin, text, 0, own_begin) == 0;
            const std::size_t allowed = is_start ? text.size() / 3 : same_blocks ? most_of_own : most;
            // A name in the same blocks that is too far for its length still excludes farther names of others.
            const std::size_t compared = same_blocks && !is_start ? most : allowed;
            const std::size_t below = std::min(limit, compared + 1);
            if (const std::size_t distance = edit_distance(text, each.name, below); distance < below) {
                limit = distance;
                best = distance <= allowed ? each.name : std::string_view();
            }
        }
    };
    for (std::size_t longer = 0; longer < limit; ++longer) {
        if (longer > 0 && longer <= text.size()) {
            offer_all(text.size() - longer, longer);
        }
        offer_all(text.size() + longer, longer);
    }
    return best;
}

std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates) {
    name_index names;
    for (const std::string& candidate : candidates) {
        names.add(candidate);
    }
    return std::string(names.nearest(text));
}

}  // namespace weir::tb
