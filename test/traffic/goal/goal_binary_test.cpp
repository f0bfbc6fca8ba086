#include "support/errors_said.h"
#include "weir/traffic/goal/goal_file.h"

#include "traffic/goal/goal_test_files.h"

namespace weir::traffic {
namespace {

/// `mixed_1.goal` as txt2bin writes it.
std::string binary_golden() {
    std::string octets;
    unsigned digits = 0;
    unsigned value = 0;
    for (const char c : golden_goal("mixed_1.bin.hex")) {
        if (c != '\n') {
            value = value * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
            if (++digits % 2 == 0) {
                octets += static_cast<char>(value);
                value = 0;
            }
        }
    }
    return octets;
}

TEST(goal_binary, a_file_of_txt2bin_is_its_text) {
    EXPECT_EQ(text_of(good_goal_of(binary_golden())), text_of(good_goal_of(golden_goal("mixed_1.goal"))));
}

std::string first_error_of(const std::string& octets) {
    const config_errors errors = goal_of(octets).errors;
    return errors.empty() ? "" : errors[0].key + ": " + errors[0].message;
}

TEST(goal_binary, a_file_that_was_cut_is_told_wherever_it_ends) {
    const std::string whole = binary_golden();
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const std::string error = first_error_of(whole.substr(0, length));
        EXPECT_TRUE(has_error(error, "ends within it")) << length << ": " << error;
    }
}

// Whatever an octet says instead: an error, or a schedule, but no crash, and no memory without end.
TEST(goal_binary, damaged_octets_do_no_harm) {
    const std::string whole = binary_golden();
    std::size_t refused = 0;
    for (std::size_t at = 1; at < whole.size(); ++at) {
        for (const char other : {'\0', '\1', '\x7F', '\xFF'}) {
            std::string damaged = whole;
            damaged[at] = other;
            const goal_file read = goal_of(damaged);
            refused += read.errors.empty() ? 0 : 1;
            if (read.errors.empty()) {
                EXPECT_EQ(read.schedule.ranks(), good_goal_of(whole).ranks());
            }
        }
    }
    EXPECT_GT(refused, whole.size());
}

TEST(goal_binary, what_is_wrong_is_told_with_its_rank_and_operation) {
    const std::string whole = binary_golden();
    const auto with = [&](std::size_t at, char octet) {
        std::string damaged = whole;
        damaged[at] = octet;
        return first_error_of(damaged);
    };
    const auto ranks = static_cast<std::size_t>(whole[8]);
    const auto roots = static_cast<std::size_t>(whole[8 + 6 + 16 * ranks + 4]);
    const std::size_t first = 8 + 6 + 16 * ranks + 8 + 4 * roots;
    EXPECT_TRUE(errors_are(with(1, 0), {"header: GOAL, 4223, txt2bin"}));
    EXPECT_EQ(with(14, 1).substr(0, 27), "rank 0: stands from octet 1");
    EXPECT_TRUE(errors_are(with(first + 4, 4), {"rank 0: operation 0, kind 4, 1, 2, 3"}));
    const std::string requirements = with(first, 77);
    EXPECT_EQ(requirements.substr(0, 59), "rank 0: operation 0 says that it has 77 requirements; expec")
        << requirements;
}

}  // namespace
}  // namespace weir::traffic
