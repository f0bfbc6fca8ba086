#include "weir/traffic/goal/goal_file.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weir::traffic {

namespace {

constexpr std::uint64_t mark_of_format = 4223;
constexpr std::uint64_t mark_of_spent_file = 2342;
constexpr std::uint64_t operation_bytes = 39;

/// Octets of a part, read one integer after the other; behind the end there are zeros.
class octets {
 public:
    explicit octets(std::vector<unsigned char> bytes) : m_bytes(std::move(bytes)) {}

    template <class Unsigned>
    Unsigned take() {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < sizeof(Unsigned); ++i) {
            value |= std::uint64_t{m_at < m_bytes.size() ? m_bytes[m_at] : std::uint8_t{0}} << 8 * i;
            ++m_at;
        }
        return static_cast<Unsigned>(value);
    }
    void go_to(std::size_t at) { m_at = at; }
    std::size_t at() const { return m_at; }
    std::size_t size() const { return m_bytes.size(); }

 private:
    std::vector<unsigned char> m_bytes;
    std::size_t m_at = 0;
};

class goal_binary_reader {
 public:
    goal_binary_reader(std::istream& in, const std::string& file) : m_in(in), m_file(file) {}

    goal_file read() {
        read_all();
        return {m_builder.take(), std::move(m_errors)};
    }

 private:
    /// False, and an error, where the file is shorter.
    bool fetch(std::uint64_t bytes, const std::string& key, std::vector<unsigned char>& into) {
        // Bit by bit, or a damaged length would ask for memory without end.
        constexpr std::uint64_t step = 1U << 20;
        into.clear();
        while (into.size() < bytes) {
            const std::size_t before = into.size();
            const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(step, bytes - before));
            into.resize(before + more);
            m_in.read(reinterpret_cast<char*>(into.data() + before), static_cast<std::streamsize>(more));
            if (static_cast<std::size_t>(m_in.gcount()) != more) {
                return error(key, "the file ends within it; expected " + std::to_string(bytes) + " octets");
            }
        }
        return true;
    }
    bool error(const std::string& key, std::string message) {
        m_errors.push_back({m_file, 0, key, std::move(message)});
        return false;
    }

    bool read_all() {
        std::vector<unsigned char> bytes;
        if (!fetch(14, "header", bytes)) {
            return false;
        }
        octets header(std::move(bytes));
        const auto mark = header.take<std::uint64_t>();
        if (mark != mark_of_format) {
            return error("header",
                         mark == mark_of_spent_file
                             ? "is that of a schedule which a run of LogGOPSim has used up (--save-mem); "
                               "expected one as txt2bin writes it"
                             : "is not that of a GOAL schedule; expected 4223, as txt2bin writes it");
        }
        m_ranks = header.take<std::uint32_t>();
        if (m_ranks == 0 || m_ranks > most_goal_ranks) {
            return error("header", "has " + std::to_string(m_ranks) + " ranks; expected 1 to " +
                                       std::to_string(most_goal_ranks));
        }
        if (!fetch(std::uint64_t{16} * m_ranks, "header", bytes)) {
            return false;
        }
        octets parts(std::move(bytes));
        std::uint64_t expected = 6 + std::uint64_t{16} * m_ranks;
        for (std::uint32_t rank = 0; rank < m_ranks; ++rank) {
            m_key = "rank " + std::to_string(rank);
            const auto begin = parts.take<std::uint64_t>();
            const auto end = parts.take<std::uint64_t>();
            if (begin != expected || end < begin) {
                return error(m_key, "stands from octet " + std::to_string(begin) + " to " +
                                        std::to_string(end) + "; expected it behind the part before, from " +
                                        std::to_string(expected) + " on");
            }
            if (!fetch(end - begin, m_key, bytes) || !read_rank(octets(bytes))) {
                return false;
            }
            expected = end;
        }
        return true;
    }

    bool read_rank(octets part) {
        const auto count = part.take<std::uint32_t>();
        const auto roots = part.take<std::uint32_t>();
        const std::uint64_t first = 8 + std::uint64_t{4} * roots;
        const std::uint64_t appendix = first + operation_bytes * count;
        if (roots > count || appendix > part.size() || (part.size() - appendix) % 4 != 0) {
            return error(m_key, "has " + std::to_string(count) + " operations, " + std::to_string(roots) +
                                    " of them without requirements, in " + std::to_string(part.size()) +
                                    " octets; expected a part as txt2bin writes it");
        }
        m_builder.begin_rank();
        part.go_to(static_cast<std::size_t>(first));
        std::vector<std::uint32_t> requirements(count);
        std::vector<std::uint32_t> counted(count, 0);
        struct waiting_list {
            std::uint32_t count;
            std::uint32_t first;
        };
        std::vector<std::array<waiting_list, 2>> lists(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            requirements[i] = part.take<std::uint32_t>();
            const auto kind = part.take<std::uint8_t>();
            goal_operation read;
            read.peer = part.take<std::uint32_t>();
            read.amount = part.take<std::uint64_t>();
            read.tag = part.take<std::uint32_t>();
            read.cpu = part.take<std::uint8_t>();
            read.nic = part.take<std::uint8_t>();
            for (waiting_list& list : lists[i]) {
                list.count = part.take<std::uint32_t>();
                list.first = part.take<std::uint32_t>();
            }
            if (kind < 1 || kind > 3) {
                return error(m_key, operation_text(i) + " is of kind " + std::to_string(kind) +
                                        "; expected 1 (send), 2 (receive) or 3 (computation)");
            }
            read.kind = kind == 1 ? goal_kind::send : kind == 2 ? goal_kind::recv : goal_kind::calc;
            if (!check(i, read)) {
                return false;
            }
            m_builder.add(read);
            if (m_builder.full()) {
                return error(m_key, "is one too many; expected at most " +
                                        std::to_string(most_goal_operations) + " operations in a file");
            }
        }
        const std::uint64_t entries = (part.size() - appendix) / 4;
        std::uint64_t named = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            for (const goal_event event : {goal_event::end, goal_event::start}) {
                const waiting_list& list = lists[i][event == goal_event::end ? 0 : 1];
                if (list.count > 0 && std::uint64_t{list.first} + list.count > entries) {
                    return error(m_key, operation_text(i) +
                                            " has those that wait for it behind the end of the "
                                            "part; expected them within it");
                }
                // Lists that share entries would make more requirements than the part has octets.
                named += list.count;
                if (named > entries) {
                    return error(m_key, operation_text(i) +
                                            " shares those that wait for it with an earlier one; expected a "
                                            "list of its own for each");
                }
                part.go_to(static_cast<std::size_t>(appendix + std::uint64_t{4} * list.first));
                for (std::uint32_t k = 0; k < list.count; ++k) {
                    const auto waiting = part.take<std::uint32_t>();
                    if (waiting >= count) {
                        return error(m_key, operation_text(waiting) + " is to wait for operation " +
                                                std::to_string(i) + "; expected 0 to " +
                                                std::to_string(count - 1));
                    }
                    m_builder.require(waiting, i, event);
                    ++counted[waiting];
                }
            }
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            if (requirements[i] != counted[i]) {
                return error(m_key, operation_text(i) + " says that it has " + std::to_string(requirements[i]) +
                                        " requirements; expected " + std::to_string(counted[i]) +
                                        ", as many as name it");
            }
        }
        if (const auto stuck = m_builder.end_rank()) {
            return error(m_key, operation_text(*stuck) +
                                    " waits for itself, over what it requires; expected requirements without a "
                                    "circle");
        }
        return true;
    }

    static std::string operation_text(std::uint32_t number) { return "operation " + std::to_string(number); }
    bool check(std::uint32_t number, const goal_operation& read) {
        const bool has_peer = read.kind != goal_kind::calc;
        const bool is_open = read.kind == goal_kind::recv && read.peer == any_rank;
        if (has_peer && !is_open && read.peer >= m_ranks) {
            return error(m_key, operation_text(number) + " has rank " + std::to_string(read.peer) +
                                    " at its other end; expected 0 to " + std::to_string(m_ranks - 1));
        }
        return read.amount <= largest_goal_amount ||
               error(m_key, operation_text(number) + " has " + std::to_string(read.amount) +
                                " B or ns; expected at most " + std::to_string(largest_goal_amount));
    }

    std::istream& m_in;
    const std::string& m_file;
    config_errors m_errors;
    goal_builder m_builder;
    std::uint32_t m_ranks = 0;
    std::string m_key;
};

}  // namespace

goal_file read_goal_binary(std::istream& in, const std::string& file) {
    return goal_binary_reader(in, file).read();
}

}  // namespace weir::traffic
