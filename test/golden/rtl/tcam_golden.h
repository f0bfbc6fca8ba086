// Cycles of a TCAM as text, for the golden that tcam.sv writes and its model has to repeat (PROVENANCE.md has
// the columns).
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/base/rng.h"
#include "weir/model/forwarding/tcam.h"

namespace weir::golden {

using namespace model;

/// Ports of the golden's bitmaps: the most that a build can have.
inline constexpr unsigned tcam_golden_ports = 256;
static_assert(max_ports <= tcam_golden_ports);
/// The RTL's entries compare 32 bits.
inline constexpr std::uint32_t tcam_key_bits = 32;

/// What one edge samples.
struct tcam_edge {
    bool writes = false;
    std::uint32_t index = 0;
    tcam_entry entry;
    port_bitmap ports;
    bool looks_up = false;
    std::uint32_t key = 0;
};

/// What is there three edges later.
struct tcam_answer {
    bool result = false;
    int winner = tcam::no_match;
    port_bitmap ports;
};

inline std::string text_of(const port_bitmap& ports) {
    std::string text;
    ports.for_each([&](unsigned p) { text += (text.empty() ? "" : " ") + std::to_string(p); });
    return text.empty() ? "-" : text;
}

inline std::string text_of(const tcam_answer& answer) {
    if (!answer.result) {
        return "-,-";
    }
    return std::to_string(answer.winner) + "," + text_of(answer.ports);
}

/// Random tables and keys: few values, so that many entries match, and prefixes, so that some are inside
/// others; masks that are none too; values with bits that are not compared.
class random_tcam_edges {
 public:
    random_tcam_edges(std::uint32_t entries, std::uint64_t seed)
        : m_entries(entries), m_random(seed, 0, random_purpose::arrivals) {}

    tcam_edge next() {
        tcam_edge edge;
        // Phases: the table is filled, then looked up, then both.
        const unsigned phase = (m_cycle++ / 512) % 4;
        edge.writes = m_random.below(100) < (phase == 0 ? 90U : phase == 1 ? 0U : 20U);
        if (edge.writes) {
            edge.index = m_random.below(m_entries);
            edge.entry.valid = m_random.below(8) != 0;
            edge.entry.value = draw_key();
            const unsigned length = m_random.below(8) == 0 ? m_random.below(33) : 20 + m_random.below(13);
            edge.entry.mask = m_random.below(4) == 0 ? draw_key()
                              : length == 0          ? 0
                                                     : std::uint64_t{0xFFFFFFFF} << (32 - length) & 0xFFFFFFFF;
            for (unsigned ports = m_random.below(4); ports > 0; --ports) {
                // A build with fewer ports draws the same, and leaves out those that it lacks.
                const unsigned port = m_random.below(tcam_golden_ports);
                if (port < max_ports) {
                    edge.ports.set(port);
                }
            }
        }
        edge.looks_up = m_random.below(100) < 85;
        edge.key = draw_key();
        return edge;
    }

 private:
    // Four keys per entry, their bits spread over the key.
    std::uint32_t draw_key() {
        const std::uint32_t bits = m_random.below(4 * m_entries);
        return (bits & 0xF0) << 24 | (bits & 0xF00) << 12 | (bits & 0x0C) << 14 | (bits & 0x03) << 1;
    }

    std::uint32_t m_entries;
    random_stream m_random;
    std::uint64_t m_cycle = 0;
};

/// `tcam` with the RTL's pipeline: the table as it is before the edge that samples a lookup.
class tcam_in_cycles {
 public:
    explicit tcam_in_cycles(std::uint32_t entries) : m_table(tcam_config{entries, tcam_key_bits}) {}

    /// What is there after this edge.
    tcam_answer clock(const tcam_edge& edge) {
        tcam_answer answer;
        if (edge.looks_up) {
            answer.result = true;
            answer.winner = m_table.lookup(edge.key);
            answer.ports = m_table.acceptable_ports(answer.winner);
        }
        if (edge.writes && m_table.write(edge.index, edge.entry, edge.ports) != tcam_status::done) {
            throw std::logic_error("the stimulus does not fit the table");
        }
        const tcam_answer out = m_second;
        m_second = m_first;
        m_first = answer;
        return out;
    }
    const tcam& table() const { return m_table; }

 private:
    tcam m_table;
    tcam_answer m_first;
    tcam_answer m_second;
};

}  // namespace weir::golden
