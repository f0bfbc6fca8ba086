// Numbers in every notation; wide ones against Python's `hex`.
#include "tb/verify/events/whole_number.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::tb {
namespace {

std::string plain(const std::string& text) {
    return plain_number(text).value_or("none");
}

TEST(whole_number, every_notation_of_a_number_gives_one_text) {
    for (const char* text :
         {"255", "+255", "00255", "0xff", "0XFF", "0x00Ff", "0b11111111", "0B011111111", "0o377"}) {
        EXPECT_EQ(plain(text), "255") << text;
    }
    for (const char* text : {"0", "000", "-0", "0x0", "0b0", "-0x00"}) {
        EXPECT_EQ(plain(text), "0") << text;
    }
    EXPECT_EQ(plain("-0b111"), "-7");
    EXPECT_EQ(plain("-007"), "-7");
}

TEST(whole_number, numbers_may_have_any_width) {
    EXPECT_EQ(plain("18446744073709551615"), "18446744073709551615");
    EXPECT_EQ(plain("0xFFFFFFFFFFFFFFFF"), "18446744073709551615");
    for (const std::string& text :
         {std::string("18446744073709551616"), std::string("000018446744073709551616"),
          std::string("0x10000000000000000"), "0b1" + std::string(64, '0'), "0o2" + std::string(21, '0')}) {
        EXPECT_EQ(plain(text), "0x10000000000000000") << text;
        EXPECT_EQ(plain("-" + text), "-0x10000000000000000") << text;
    }
    EXPECT_EQ(plain("12345678901234567890123456789012345678901234567890"),
              "0x8727f6369aaf83ca15026747af8c7f196ce3f0ad2");
    // 10^36 has zeros inside and at the ends of its parts of nine digits.
    EXPECT_EQ(plain("1" + std::string(36, '0')), "0xc097ce7bc90715b34b9f1000000000");
    EXPECT_EQ(plain("0x" + std::string(100, '0') + "1"), "1");
    EXPECT_EQ(plain("0x" + std::string(1'000, 'F')), "0x" + std::string(1'000, 'f'));
}

TEST(whole_number, other_texts_are_no_numbers) {
    for (const char* text : {"", "-", "+", "0x", "0b", "0o", "--1", "0x-1", "1.0", "1e5", "0b2", "0o8", "0xg",
                             "ff", "0b1x", " 1", "1 ", "18446744073709551616x"}) {
        EXPECT_EQ(plain(text), "none") << text;
    }
}

TEST(whole_number, a_decimal_that_is_too_long_to_convert_stays_decimal) {
    EXPECT_EQ(plain(std::string(20'000, '9')).substr(0, 2), "0x");
    // Leading zeros do not make it long.
    EXPECT_EQ(plain(std::string(20'500, '0') + "12"), "12");
    EXPECT_EQ(plain("0" + std::string(20'000, '9')), plain(std::string(20'000, '9')));
    const std::string digits = "1" + std::string(20'499, '0') + "7";
    EXPECT_EQ(plain(digits), digits);
    EXPECT_EQ(plain("0" + digits), digits);
    EXPECT_EQ(plain("+00" + digits), digits);
    EXPECT_EQ(plain("-0" + digits), "-" + digits);
    EXPECT_EQ(plain(digits + "x"), "none");
}

}  // namespace
}  // namespace weir::tb
