// What goes to another process comes back as it was, and a message that ends too early is noticed.
#include "weir/base/octets.h"

#include <gtest/gtest.h>

#include <limits>

using namespace weir;

namespace {

struct plain_counts {
    std::uint64_t frames;
    double share;
    bool operator==(const plain_counts& other) const { return frames == other.frames && share == other.share; }
};

struct named_list {
    std::string name;
    std::vector<plain_counts> counts;
    std::map<std::string, std::vector<std::string>> texts;
    std::optional<std::string> note;

    template <class Fields>
    void fields(Fields& f) {
        f(name, counts, texts, note);
    }
    bool operator==(const named_list& other) const {
        return name == other.name && counts == other.counts && texts == other.texts && note == other.note;
    }
};

/// A class that says what goes, though it could go as it is.
struct chosen_field {
    int goes = 0;
    int stays = 7;

    template <class Fields>
    void fields(Fields& f) {
        f(goes);
    }
};

template <class T>
void expect_back(const T& value) {
    const std::string octets = to_octets(value);
    EXPECT_EQ(from_octets<T>(octets), value);
    // Whatever part of it is missing.
    for (std::size_t size = 0; size < octets.size(); ++size) {
        EXPECT_THROW(from_octets<T>(std::string_view(octets).substr(0, size)), std::length_error) << size;
    }
    // What follows is another's.
    const std::string followed = octets + "more";
    octet_reader reader(followed);
    T read{};
    reader(read);
    EXPECT_EQ(read, value);
    EXPECT_FALSE(reader.at_end());
}

const named_list full_list{"tor0", {{1, 0.5}, {2, 0.25}}, {{"", {}}, {"a", {"", "b"}}}, std::string("x")};

TEST(octets, bring_back_every_kind_of_value) {
    expect_back(std::int8_t{-1});
    expect_back(std::numeric_limits<std::uint64_t>::max());
    expect_back(0.1);
    expect_back(true);
    expect_back(plain_counts{7, -0.0});
    expect_back(std::string());
    expect_back(std::string("a\0b", 3));
    expect_back(std::vector<int>{});
    expect_back(std::vector<int>{1, 2, 3});
    expect_back(std::vector<plain_counts>{{1, 2}, {3, 4}});
    expect_back(std::vector<std::string>{"", "a", "bc"});
    expect_back(std::vector<bool>{true, false, true});
    expect_back(std::vector<std::vector<bool>>{{}, {true}});
    expect_back(std::map<int, std::string>{{-1, "a"}, {1, ""}});
    expect_back(std::pair<std::string, int>{"a", 1});
    expect_back(std::vector<std::pair<std::uint8_t, std::uint64_t>>{{1, 2}, {3, 4}});
    expect_back(std::optional<std::string>{});
    expect_back(std::optional<std::string>{"a"});
    expect_back(std::vector<std::optional<double>>{{}, 1.5});
    expect_back(named_list{});
    expect_back(full_list);
    expect_back(std::vector<named_list>{full_list, {}, full_list});
}

TEST(octets, of_a_class_are_the_fields_that_it_names) {
    chosen_field sent;
    sent.goes = 1;
    sent.stays = 2;
    const std::string octets = to_octets(sent);
    EXPECT_EQ(octets.size(), sizeof(int));
    const auto received = from_octets<chosen_field>(octets);
    EXPECT_EQ(received.goes, 1);
    EXPECT_EQ(received.stays, 7);
}

TEST(octets, replace_what_a_value_held_before) {
    named_list value = full_list;
    const std::string octets = to_octets(named_list{});
    octet_reader reader(octets);
    reader(value);
    EXPECT_EQ(value, named_list{});
    EXPECT_TRUE(reader.at_end());
}

TEST(octets, with_an_absurd_length_are_refused_before_memory_is_taken) {
    for (const std::size_t length : {std::size_t{1} << 40, std::numeric_limits<std::size_t>::max(),
                                     std::numeric_limits<std::size_t>::max() / 8 + 2}) {
        const std::string octets = to_octets(length) + std::string(64, '\0');
        EXPECT_THROW(from_octets<std::string>(octets), std::length_error);
        EXPECT_THROW(from_octets<std::vector<std::uint64_t>>(octets), std::length_error);
        EXPECT_THROW(from_octets<std::vector<std::string>>(octets), std::length_error);
        EXPECT_THROW((from_octets<std::map<int, int>>(octets)), std::length_error);
    }
}

}  // namespace
