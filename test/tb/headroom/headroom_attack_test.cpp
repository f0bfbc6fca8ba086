// Frames that an attack on PFC's reserve is made of, against literal dynamic programming over every length.
#include <gtest/gtest.h>

#include "tb/asic/headroom/attack_script.h"

namespace weir::tb::pfc_attack {
namespace {

/// Most memory that frames of 64 B to `longest` take in at most `wire` bytes: every length, every number of
/// bytes.
std::int64_t literal_most(int wire, int longest, int overhead, int cell) {
    std::vector<std::int64_t> most(static_cast<std::size_t>(wire) + 1, 0);
    for (int w = 1; w <= wire; ++w) {
        most[w] = most[w - 1];
        for (int length = 64; length <= longest && length + overhead <= w; ++length) {
            most[w] =
                std::max<std::int64_t>(most[w], most[w - length - overhead] +
                                                    (cell == 0 ? length : (length + cell - 1) / cell * cell));
        }
    }
    return most.back();
}

TEST(headroom_attack, no_frames_take_more_memory_than_those_that_are_packed) {
    for (const int cell : {0, 64, 80, 96, 128, 208, 512}) {
        for (const auto& [wire, longest, overhead] :
             {std::tuple(83, 1518, 20), std::tuple(84, 1518, 20), std::tuple(3'000, 1518, 20),
              std::tuple(9'001, 200, 0), std::tuple(30'000, 1518, 20), std::tuple(60'007, 600, 8)}) {
            const std::vector<std::uint16_t> made =
                most_memory(bytes{wire}, bytes{longest}, bytes{overhead}, bytes{cell});
            std::int64_t on_wire = 0;
            for (const std::uint16_t length : made) {
                EXPECT_GE(length, 64);
                EXPECT_LE(length, longest);
                on_wire += length + overhead;
            }
            EXPECT_LE(on_wire, wire);
            EXPECT_EQ(memory_of_frames(made, bytes{cell}).count(), literal_most(wire, longest, overhead, cell))
                << cell << ' ' << wire << ' ' << longest;
        }
    }
}

// Every remainder on the wire, with lengths that leave many of them (64 B: all but one).
TEST(headroom_attack, single_bytes_may_want_a_frame_less_and_some_wire_unused) {
    for (const int longest : {64, 65, 100, 200, 300}) {
        for (const int overhead : {0, 8, 20}) {
            for (int wire = 0; wire < 1'100; ++wire) {
                const std::vector<std::uint16_t> made =
                    most_memory(bytes{wire}, bytes{longest}, bytes{overhead}, 0_B);
                std::int64_t on_wire = 0;
                for (const std::uint16_t length : made) {
                    ASSERT_TRUE(length >= 64 && length <= longest);
                    on_wire += length + overhead;
                }
                ASSERT_LE(on_wire, wire);
                ASSERT_EQ(memory_of_frames(made, 0_B).count(), literal_most(wire, longest, overhead, 0))
                    << wire << ' ' << longest << ' ' << overhead;
            }
        }
    }
}

TEST(headroom_attack, frames_of_cells_take_exactly_what_is_asked) {
    for (const int cell : {40, 64, 96, 208, 512}) {
        for (const int longest : {64, 300, 1'518, 9'216}) {
            const std::int64_t least = (64 + cell - 1) / cell;
            for (std::int64_t n = least; n < 200; ++n) {
                const std::vector<std::uint16_t> made =
                    frames_of_cells(bytes{n * cell}, bytes{longest}, bytes{cell});
                const bool possible = (longest + cell - 1) / cell > least || n % least == 0;
                EXPECT_EQ(memory_of_frames(made, bytes{cell}).count(), possible ? n * cell : 0)
                    << cell << ' ' << longest << ' ' << n;
                for (const std::uint16_t length : made) {
                    EXPECT_TRUE(length >= 64 && length <= longest);
                }
            }
        }
    }
}

}  // namespace
}  // namespace weir::tb::pfc_attack
