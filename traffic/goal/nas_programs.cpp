#include "weir/traffic/goal/programs.h"

#include <algorithm>
#include <vector>

namespace weir::traffic {

namespace {

constexpr std::uint64_t real = 8;
constexpr std::uint64_t integer = 4;

/// By class, S to D.
using by_class = std::array<std::uint64_t, 6>;

std::uint64_t size_of(const by_class& sizes, const program_setup& setup) {
    return sizes[static_cast<std::size_t>(setup.problem)];
}

constexpr std::uint64_t parts(std::uint64_t whole, std::uint64_t count) {
    return (whole + count - 1) / count;
}

/// Places on a grid whose sides are closed to rings, the first coordinate the fastest.
struct rank_grid {
    std::array<std::uint32_t, 3> sides;
    std::array<std::uint32_t, 3> at;

    rank_grid(std::uint32_t ranks, unsigned dimensions, std::uint32_t rank)
        : sides(grid_of(ranks, dimensions)),
          at{rank % sides[0], rank / sides[0] % sides[1], rank / sides[0] / sides[1]} {}

    /// `steps`: by coordinate, -1, 0 or 1.
    std::uint32_t neighbour(std::array<int, 3> steps) const {
        std::array<std::uint32_t, 3> there{};
        for (unsigned i = 0; i < 3; ++i) {
            there[i] = (at[i] + sides[i] + static_cast<std::uint32_t>(steps[i])) % sides[i];
        }
        return (there[2] * sides[1] + there[1]) * sides[0] + there[0];
    }
};

/// Messages beside each other, to and from several ranks.
class face_exchange {
 public:
    face_exchange(rank_program& program, std::uint32_t self) : m_program(program), m_self(self) {}

    /// A face to `to`, and one of that length from `from`, the opposite neighbour. None to the rank itself.
    void add(std::uint32_t to, std::uint32_t from, std::uint64_t bytes, std::uint32_t tag) {
        if (from != m_self) {
            m_started.push_back(m_program.start_recv(from, bytes, tag));
        }
        if (to != m_self) {
            m_started.push_back(m_program.start_send(to, bytes, tag));
        }
    }
    void wait() {
        for (const goal_index each : m_started) {
            m_program.wait(each);
        }
        m_started.clear();
    }

 private:
    rank_program& m_program;
    std::uint32_t m_self;
    std::vector<goal_index> m_started;
};

}  // namespace

std::array<std::uint32_t, 3> grid_of(std::uint32_t ranks, unsigned dimensions) {
    std::array<std::uint32_t, 3> best{ranks, 1, 1};
    for (std::uint32_t c = 1; std::uint64_t{c} * c * c <= ranks && (dimensions == 3 || c == 1); ++c) {
        for (std::uint32_t b = c; ranks % c == 0 && std::uint64_t{b} * b <= ranks / c; ++b) {
            const std::uint32_t a = ranks / c / b;
            if (ranks / c % b == 0 && std::uint64_t{a} + b + c < std::uint64_t{best[0]} + best[1] + best[2]) {
                best = {a, b, c};
            }
        }
    }
    return best;
}

// Each rank has a cell in every layer of the cube (multi-partition), so that all work at every stage of a
// sweep: along the first side, along the second, and along the diagonal.
void nas_bt(const program_setup& setup, std::uint32_t rank, rank_program& program) {
    const rank_grid grid(setup.ranks, 2, rank);
    const std::uint64_t cells = grid.sides[0];
    const std::uint64_t side = parts(size_of({12, 24, 64, 102, 162, 408}, setup), cells);
    constexpr std::uint64_t unknowns = 5;
    constexpr std::array<std::array<int, 3>, 3> directions{{{1, 0, 0}, {0, 1, 0}, {-1, -1, 0}}};
    const auto opposite = [](std::array<int, 3> steps) {
        return std::array<int, 3>{-steps[0], -steps[1], -steps[2]};
    };
    program.compute(compute_ns(setup));
    face_exchange faces(program, rank);
    std::uint32_t tag = 0;
    for (const auto& steps : directions) {
        const std::uint32_t next = grid.neighbour(steps);
        const std::uint32_t before = grid.neighbour(opposite(steps));
        const std::uint64_t bytes = 2 * unknowns * side * side * cells * real;
        faces.add(next, before, bytes, tag++);
        faces.add(before, next, bytes, tag++);
    }
    faces.wait();
    const auto sweep = [&](std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
        std::vector<goal_index> sent;
        for (std::uint64_t stage = 0; stage < cells && to != rank; ++stage) {
            if (stage > 0) {
                program.recv(from, bytes, tag);
            }
            if (stage + 1 < cells) {
                sent.push_back(program.start_send(to, bytes, tag));
            }
        }
        for (const goal_index each : sent) {
            program.wait(each);
        }
        ++tag;
    };
    for (const auto& steps : directions) {
        const std::uint32_t next = grid.neighbour(steps);
        const std::uint32_t before = grid.neighbour(opposite(steps));
        sweep(before, next, side * side * unknowns * (unknowns + 1) * real);
        sweep(next, before, side * side * unknowns * real);
    }
}

void nas_cg(const program_setup& setup, std::uint32_t rank, rank_program& program) {
    const rank_grid grid(setup.ranks, 2, rank);
    const std::uint32_t columns = grid.sides[0];
    const std::uint32_t rows = grid.sides[1];
    const std::uint32_t column = grid.at[0];
    const std::uint32_t row = grid.at[1];
    const std::uint64_t order = size_of({1400, 7000, 14'000, 75'000, 150'000, 1'500'000}, setup);
    const auto add_across_row = [&](std::uint64_t bytes, std::uint32_t tag) {
        for (std::uint32_t distance = 1; distance < columns; distance *= 2) {
            program.exchange(row * columns + (column + distance) % columns, bytes,
                             row * columns + (column + columns - distance) % columns, bytes, tag, tag);
        }
    };
    // Where the transposed grid has a place, and whose place it is there.
    const std::uint32_t to = column * rows + row;
    const std::uint32_t from = rank % rows * columns + rank / rows;
    const auto multiply = [&] {
        add_across_row(parts(order, rows) * real, 0);
        if (to != rank) {
            program.exchange(to, parts(order, columns) * real, from, parts(order, columns) * real, 1, 1);
        }
    };
    program.compute(compute_ns(setup));
    constexpr unsigned inner_iterations = 25;
    add_across_row(real, 2);
    for (unsigned i = 0; i < inner_iterations; ++i) {
        multiply();
        add_across_row(real, 2);
        add_across_row(real, 2);
    }
    multiply();
    add_across_row(real, 2);
}

void nas_ft(const program_setup& setup, std::uint32_t, rank_program& program) {
    const std::uint64_t points =
        size_of({std::uint64_t{1} << 18, std::uint64_t{1} << 19, std::uint64_t{1} << 23, std::uint64_t{1} << 25,
                 std::uint64_t{1} << 27, std::uint64_t{1} << 31},
                setup);
    constexpr std::uint64_t complex = 2 * real;
    program.compute(compute_ns(setup));
    program.all_to_all(parts(points * complex, std::uint64_t{setup.ranks} * setup.ranks), 0);
    program.reduce(0, complex, 1);
}

void nas_is(const program_setup& setup, std::uint32_t, rank_program& program) {
    const std::uint64_t keys = std::uint64_t{1} << size_of({16, 20, 23, 25, 27, 31}, setup);
    const std::uint64_t buckets = std::uint64_t{1} << size_of({9, 10, 10, 10, 10, 10}, setup);
    constexpr std::uint64_t checked_keys = 5;
    program.compute(compute_ns(setup));
    program.all_reduce((buckets + checked_keys) * integer, 0);
    program.all_to_all(integer, 1);
    program.all_to_all(parts(keys * integer, std::uint64_t{setup.ranks} * setup.ranks), 2);
}

// Every rank has at least a point at the coarsest levels, where NPB leaves out ranks.
void nas_mg(const program_setup& setup, std::uint32_t rank, rank_program& program) {
    const rank_grid grid(setup.ranks, 3, rank);
    const auto levels = static_cast<unsigned>(size_of({5, 7, 8, 8, 9, 10}, setup));
    face_exchange faces(program, rank);
    // Each direction's faces have the borders that those before have brought.
    const auto exchange_faces = [&](unsigned level) {
        const auto points = [&](unsigned i) { return parts(std::uint64_t{1} << level, grid.sides[i]); };
        const std::array<std::uint64_t, 3> lengths{points(1) * points(2), (points(0) + 2) * points(2),
                                                   (points(0) + 2) * (points(1) + 2)};
        for (unsigned i = 0; i < 3; ++i) {
            std::array<int, 3> up{};
            std::array<int, 3> down{};
            up[i] = 1;
            down[i] = -1;
            faces.add(grid.neighbour(up), grid.neighbour(down), lengths[i] * real, 0);
            faces.add(grid.neighbour(down), grid.neighbour(up), lengths[i] * real, 1);
            faces.wait();
        }
    };
    program.compute(compute_ns(setup));
    exchange_faces(levels);
    for (unsigned level = levels - 1; level >= 1; --level) {
        exchange_faces(level);  // restriction
    }
    exchange_faces(1);
    for (unsigned level = 2; level <= levels; ++level) {
        exchange_faces(level);  // residual
        exchange_faces(level);  // smoother
    }
    program.all_reduce(2 * real, 2);
}

}  // namespace weir::traffic
