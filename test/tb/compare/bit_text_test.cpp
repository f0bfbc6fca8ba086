// Bits whose text is shorter than their signal, beside the same bits written out.
#include "tb/verify/events/bit_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::tb {
namespace {

/// IEEE 1364-2005, 18.2.1, by the letter.
std::string written_out(std::string bits, std::size_t width) {
    bits.insert(0, width - bits.size(), bits[0] == '1' ? '0' : bits[0]);
    return bits;
}

/// Every text of up to `most` characters.
std::vector<std::string> all_texts(std::size_t most) {
    std::vector<std::string> all{""};
    for (std::size_t from = 0; all[from].size() < most; ++from) {
        for (const char c : {'0', '1', 'x', 'z'}) {
            all.push_back(all[from] + c);
        }
    }
    all.erase(all.begin());
    return all;
}

TEST(bit_text, a_short_text_is_the_same_value_and_none_is_shorter) {
    for (const std::string& bits : all_texts(5)) {
        const std::string own{shortest(bits)};
        EXPECT_EQ(written_out(own, 8), written_out(bits, 8)) << bits;
        if (own.size() > 1) {
            EXPECT_NE(written_out(own.substr(1), 8), written_out(bits, 8)) << bits;
        }
    }
}

TEST(bit_text, a_slice_of_a_short_text_is_the_slice_of_the_same_text_written_out) {
    constexpr std::size_t width = 7;
    for (const std::string& bits : all_texts(4)) {
        for (std::size_t first = 0; first < width; ++first) {
            for (std::size_t count = 1; first + count <= width; ++count) {
                const std::string slice{slice_of(bits, width, {first, count})};
                ASSERT_FALSE(slice.empty());
                ASSERT_LE(slice.size(), count);
                EXPECT_EQ(written_out(slice, count), written_out(bits, width).substr(first, count))
                    << bits << " " << first << " " << count;
            }
        }
    }
    EXPECT_TRUE(slice_of("", width, {0, 3}).empty());
}

TEST(bit_text, all_bits_of_a_signal_of_up_to_64_are_shown_and_of_a_wider_one_those_that_say_something) {
    EXPECT_EQ(value_text("1", 1), "1");
    EXPECT_EQ(value_text("1111", 8), "0x0f");
    EXPECT_EQ(value_text("00001111", 8), "0x0f");
    EXPECT_EQ(value_text("x", 8), "0bxxxxxxxx");
    EXPECT_EQ(value_text("1x", 4), "0b001x");
    EXPECT_EQ(value_text("1", 64), "0x0000000000000001");
    EXPECT_EQ(value_text(std::string(100, '1'), 1000), "0x" + std::string(25, 'f'));
    EXPECT_EQ(value_text("1", 1'000'000), "0x0000000000000001");
    EXPECT_EQ(value_text("x1", 100), "0b" + std::string(63, 'x') + "1");
    // A real's text is no bits, and unknown is not 0.
    EXPECT_EQ(value_text("10", 0), "10");
    EXPECT_EQ(value_text("", 8), "");
}

TEST(bit_text, texts_of_a_value_are_equal_whatever_digits_are_implied) {
    EXPECT_EQ(plain_value("0x000f"), "15");
    EXPECT_EQ(plain_value("0b00xx1"), "0b0xx1");
    EXPECT_EQ(plain_value("0bxxx1"), "0bx1");
    EXPECT_EQ(plain_value("0BXZ1"), "0bxz1");
    EXPECT_EQ(plain_value("0x02 0b0x x 3"), "2 0b0x x 3");
    EXPECT_EQ(plain_value("0x02 idle"), "0x02 idle");
    EXPECT_EQ(plain_value("2  3"), "2  3");
    EXPECT_EQ(plain_value("idle"), "idle");
    EXPECT_EQ(plain_value("0"), "0");
    EXPECT_EQ(plain_value(""), "");
}

TEST(bit_text, letter_case_of_unknown_bits_does_not_count) {
    for (const char* text : {"x", "X", "0bx", "0BX", "0bXx"}) {
        EXPECT_EQ(plain_value(text), "x") << text;
    }
    for (const char* text : {"z", "Z", "0bz", "0BZ", "0bzZ"}) {
        EXPECT_EQ(plain_value(text), "z") << text;
    }
    EXPECT_EQ(plain_value("3 X 0BZ 0bX1"), "3 x z 0bx1");
    for (const char* text : {"Xx", "XZ", "0b", "0B", "0bX2", "X idle", "IDLE"}) {
        EXPECT_EQ(plain_value(text), text);
    }
}

TEST(bit_text, the_nine_values_of_vhdl_are_four) {
    std::string four;
    for (const char value : std::string("UX01ZWLH-uxzwlh")) {
        four += four_valued(value);
    }
    EXPECT_EQ(four, "xx01zx01xxxzx01");
    for (const char other : {'2', 'b', 'r', 's', '?', ' ', '\0'}) {
        EXPECT_EQ(four_valued(other), '\0') << other;
    }
}

}  // namespace
}  // namespace weir::tb
