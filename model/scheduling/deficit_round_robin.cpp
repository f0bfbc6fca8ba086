#include "weir/model/scheduling/deficit_round_robin.h"

#include <algorithm>

namespace weir::model {

namespace {

unsigned lowest(unsigned classes) {
    return static_cast<unsigned>(__builtin_ctz(classes));
}

}  // namespace

deficit_round_robin::deficit_round_robin(unsigned ports, const weights_config& config) : m_ports(ports) {
    for (unsigned c = 0; c < pfc_classes; ++c) {
        m_quantum[c] = static_cast<std::uint32_t>(config.weights[c] * config.quantum_per_weight.count());
        if (config.weights[c] != 0) {
            m_weighted = static_cast<class_mask>(m_weighted | (1U << c));
        }
    }
}

// Strict classes first, the highest of them; then deficit round robin. Only `sent` uses a deficit up: a
// second call finds the deficit that the first one gave, and answers the same.
int deficit_round_robin::select(unsigned port, class_mask eligible, const std::uint32_t* head_bytes) {
    port_state& s = m_ports[port];
    for (unsigned idle = m_weighted & ~unsigned{eligible}; idle != 0; idle &= idle - 1) {
        if (const unsigned c = lowest(idle); head_bytes[c] == 0) {
            s.deficit[c] = 0;
        }
    }
    if (const unsigned strict = eligible & ~unsigned{m_weighted}; strict != 0) {
        return 31 - __builtin_clz(strict);
    }
    const unsigned weighted = eligible & m_weighted;
    if (weighted == 0) {
        return no_class;
    }
    if ((weighted >> s.turn & 1) != 0 && s.deficit[s.turn] >= head_bytes[s.turn]) {
        return static_cast<int>(s.turn);
    }
    if (const int c = next_turn(s, weighted, head_bytes); c != no_class) {
        return c;
    }
    // A whole round, and no deficit covers a frame. All rounds in which that stays so are given at once.
    std::uint32_t idle_rounds = UINT32_MAX;
    for (unsigned rest = weighted; rest != 0; rest &= rest - 1) {
        const unsigned c = lowest(rest);
        idle_rounds = std::min(idle_rounds, (head_bytes[c] - s.deficit[c] - 1) / m_quantum[c]);
    }
    for (unsigned rest = weighted; rest != 0; rest &= rest - 1) {
        const unsigned c = lowest(rest);
        s.deficit[c] += idle_rounds * m_quantum[c];
    }
    return next_turn(s, weighted, head_bytes);
}

int deficit_round_robin::next_turn(port_state& s, unsigned weighted, const std::uint32_t* head_bytes) const {
    // Classes above the one whose turn it was, then from the lowest up to and including it.
    const unsigned above = weighted & ~((2U << s.turn) - 1U);
    for (unsigned part : {above, weighted & ~above}) {
        for (; part != 0; part &= part - 1) {
            const unsigned c = lowest(part);
            s.turn = c;
            // A turn that a pause cut short is resumed: nothing is earned before the rest is used up.
            if (s.deficit[c] < head_bytes[c]) {
                s.deficit[c] += m_quantum[c];
            }
            if (s.deficit[c] >= head_bytes[c]) {
                return static_cast<int>(c);
            }
        }
    }
    return no_class;
}

void deficit_round_robin::sent(unsigned port, int c, std::uint32_t length) {
    std::uint32_t& deficit = m_ports[port].deficit[static_cast<unsigned>(c)];
    deficit -= std::min(deficit, length);
}

void deficit_round_robin::drained(unsigned port, class_mask classes) {
    for (unsigned rest = classes; rest != 0; rest &= rest - 1) {
        m_ports[port].deficit[lowest(rest)] = 0;
    }
}

}  // namespace weir::model
