#include "tb/support/text/nearest_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weir::tb {
namespace {

/// As it is defined: of the ends of both texts, and of what is left.
std::size_t literal_distance(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) {
        return a.size() + b.size();
    }
    const std::string_view a1 = a.substr(1);
    const std::string_view b1 = b.substr(1);
    std::size_t least = std::min({literal_distance(a1, b1) + (a[0] == b[0] ? 0 : 1),
                                  literal_distance(a1, b) + 1, literal_distance(a, b1) + 1});
    if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0]) {
        least = std::min(least, literal_distance(a.substr(2), b.substr(2)) + 1);
    }
    return least;
}

TEST(nearest_name, distances_are_those_of_the_definition_up_to_any_limit) {
    std::mt19937 draw(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
    const auto text = [&] {
        std::string made(draw() % 7, 'a');
        for (char& c : made) {
            c = static_cast<char>('a' + draw() % 3);
        }
        return made;
    };
    for (int i = 0; i < 3000; ++i) {
        const std::string a = text();
        const std::string b = text();
        const std::size_t literal = literal_distance(a, b);
        ASSERT_EQ(edit_distance(a, b), literal) << a << ' ' << b;
        for (std::size_t limit = 0; limit < 8; ++limit) {
            ASSERT_EQ(edit_distance(a, b, limit), std::min(literal, limit)) << a << ' ' << b << ' ' << limit;
        }
    }
}

/// One edit for each word, or one for each four letters of a longer word. Words end at `. _ -` and blanks.
std::size_t edits_for(std::string text) {
    for (char& c : text) {
        c = c == '.' || c == '_' || c == '-' ? ' ' : c;
    }
    std::size_t edits = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        edits += end > from ? std::max<std::size_t>(1, (end - from) / 4) : 0;
        from = end + 1;
    }
    return edits;
}

TEST(nearest_name, finds_the_first_name_of_least_distance_in_texts_of_any_length) {
    std::mt19937 draw(11);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
    const auto text = [&](std::size_t length) {
        std::string made(length, 'a');
        for (char& c : made) {
            c = static_cast<char>(draw() % 8 == 0 ? draw() : 'a' + draw() % 3);
        }
        return made;
    };
    for (std::size_t length = 0; length < 70; ++length) {
        for (int i = 0; i < 20; ++i) {
            std::string written = text(length);
            if (length > 0 && i % 2 == 0) {
                written[draw() % length] = '.';
            }
            const std::size_t own = written.rfind('.') + 1;
            std::vector<std::string> names;
            for (int n = 0; n < 6; ++n) {
                names.push_back(n % 2 == 0 ? text(draw() % (length + 3)) : written);
                for (std::size_t edits = draw() % (3 + length / 3); edits > 0; --edits) {
                    // Edits of two names in three keep the blocks of what was written.
                    const std::size_t first = n % 3 == 0 ? 0 : std::min(own, names.back().size());
                    const std::size_t at = first + draw() % (names.back().size() + 1 - first);
                    names.back().replace(at, draw() % 2, text(draw() % 2));
                }
            }
            std::string expected;
            std::size_t least = SIZE_MAX;
            const auto unlike = [&](const std::string& name) {
                return std::pair{std::max(name.size(), length) - std::min(name.size(), length), name.size()};
            };
            std::stable_sort(names.begin(), names.end(),
                             [&](const std::string& a, const std::string& b) { return unlike(a) < unlike(b); });
            for (const std::string& name : names) {
                const bool is_start = length > 2 && name.compare(0, length, written) == 0;
                const bool same_blocks = name.compare(0, own, written, 0, own) == 0;
                const std::size_t most =
                    is_start ? length / 3 : edits_for(same_blocks ? written.substr(own) : written);
                const std::size_t compared = is_start ? most : edits_for(written);
                if (const std::size_t distance = edit_distance(written, name);
                    distance < std::min(least, compared + 1)) {
                    least = distance;
                    expected = distance <= most ? name : "";
                }
            }
            ASSERT_EQ(nearest_name(written, names), expected) << written;
        }
    }
}

TEST(nearest_name, takes_the_first_of_the_nearest_and_nothing_far) {
    const std::vector<std::string> names = {"traffic.rate", "traffic.late", "run.seed"};
    EXPECT_EQ(nearest_name("traffic.tate", names), "traffic.rate");
    EXPECT_EQ(nearest_name("traffic.alte", names), "traffic.late");
    EXPECT_EQ(nearest_name("rnu.sede", names), "run.seed");
    EXPECT_EQ(nearest_name("marking", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name("", {"", "a"}), "");
}

TEST(nearest_name, does_not_take_another_word_of_equal_length) {
    const std::vector<std::string> names = {"shared", "switch.share", "switch.scheduler", "tcp",
                                            "marking.threshold"};
    EXPECT_EQ(nearest_name("shaper", names), "");
    EXPECT_EQ(nearest_name("acl", names), "");
    EXPECT_EQ(nearest_name("switch.shaper", names), "");
    EXPECT_EQ(nearest_name("tpc", names), "tcp");
    EXPECT_EQ(nearest_name("shraed", names), "shared");
    EXPECT_EQ(nearest_name("marking.treshhold", names), "marking.threshold");
    EXPECT_EQ(nearest_name("fct_ns.p77", {"fct_ns.p99", "jct_ns.p50"}), "") << "fct_ns.p99 is nearer";
    EXPECT_EQ(nearest_name("fct_ns.p77", {"jct_ns.p50"}), "jct_ns.p50");
}

}  // namespace
}  // namespace weir::tb
