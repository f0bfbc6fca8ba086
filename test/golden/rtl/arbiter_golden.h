// Runs of an arbiter as text, for the goldens that islip_arbiter.sv writes and its model has to repeat
// (PROVENANCE.md has the columns).
#pragma once

#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "weir/model/crossbar/islip.h"

namespace weir::golden {

using namespace model;

/// What an arbiter does in one iteration: per egress port that grants, to whom and in which class.
struct arbiter_iteration {
    std::uint64_t granted = 0;
    std::uint64_t accepted = 0;
    std::array<std::uint8_t, 64> ingress{};
    std::array<pfc_class, 64> frame_class{};

    void grant(unsigned egress, unsigned to, pfc_class c) {
        granted |= std::uint64_t{1} << egress;
        ingress[egress] = static_cast<std::uint8_t>(to);
        frame_class[egress] = c;
    }
};

/// Observes runs of `islip`.
struct arbiter_recorder {
    void granted(unsigned n, unsigned egress, unsigned ingress, pfc_class c) {
        if (n >= iterations.size()) {
            iterations.resize(n + 1);
        }
        iterations[n].grant(egress, ingress, c);
    }
    void accepted(unsigned n, unsigned egress, unsigned, pfc_class) {
        iterations[n].accepted |= std::uint64_t{1} << egress;
    }
    /// An iteration in which nobody grants has no calls.
    arbiter_iteration at(std::size_t n) const {
        return n < iterations.size() ? iterations[n] : arbiter_iteration{};
    }
    std::vector<arbiter_iteration> iterations;
};

/// Whether another iteration of the run comes after the n-th, counted from 0.
inline bool is_last(const arbiter_iteration& made, unsigned n, unsigned iterations) {
    return made.granted == made.accepted || n + 1 == iterations;
}

inline std::string hex(std::uint64_t value) {
    std::ostringstream text;
    text << std::hex << value;
    return text.str();
}

/// `egress:class:ingress` of all grants, those accepted with a `+`.
inline std::string text_of(const arbiter_iteration& made) {
    std::string text;
    for (std::uint64_t left = made.granted; left != 0; left &= left - 1) {
        const auto e = static_cast<unsigned>(__builtin_ctzll(left));
        text += (text.empty() ? "" : " ") + std::to_string(e) + ":" + std::to_string(made.frame_class[e]) +
                ":" + std::to_string(made.ingress[e]) + ((made.accepted >> e & 1) != 0 ? "+" : "");
    }
    return text.empty() ? "-" : text;
}

/// Pointers that have moved since the last call, `port.class=value`. `Pointer(port, class)` reads one.
class moved_pointers {
 public:
    explicit moved_pointers(unsigned ports) : m_known(ports) {}

    template <class Pointer>
    std::string take(Pointer&& pointer) {
        std::string text;
        for (unsigned p = 0; p < m_known.size(); ++p) {
            for (pfc_class c = 0; c < pfc_classes; ++c) {
                const unsigned now = pointer(p, c);
                if (now != m_known[p][c]) {
                    m_known[p][c] = now;
                    text += (text.empty() ? "" : " ") + std::to_string(p) + "." + std::to_string(c) + "=" +
                            std::to_string(now);
                }
            }
        }
        return text.empty() ? "-" : text;
    }

 private:
    std::vector<std::array<unsigned, pfc_classes>> m_known;
};

/// `class:egress:set` of ingress ports that ask, the set in hexadecimal. `Visit(class, egress, set)`.
template <class Visit>
void for_each_asking(const std::string& text, Visit&& visit) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t first = word.find(':');
        const std::size_t second = word.find(':', first + 1);
        if (second == std::string::npos) {
            continue;  // `-`: nobody asks
        }
        visit(static_cast<pfc_class>(std::stoul(word.substr(0, first))),
              static_cast<unsigned>(std::stoul(word.substr(first + 1, second - first - 1))),
              std::stoull(word.substr(second + 1), nullptr, 16));
    }
}

inline port_bitmap ports_of(std::uint64_t set) {
    port_bitmap ports;
    ports.set_word(0, set);
    return ports;
}

}  // namespace weir::golden
