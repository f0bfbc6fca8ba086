// What an algorithm keeps of each transfer: an array of states of one size, by the sender's slot. The size is
// the algorithm's; a sender of a plain algorithm does not pay for what a richer one needs.
//
//   flow_states windows(sizeof(congestion_state));
//   windows.clear(slot);                                 // zeros, in a slot that may be new
//   windows.of<congestion_state>(slot).cwnd = 4380;
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir::traffic {

class flow_states {
 public:
    explicit flow_states(std::size_t state_bytes) : m_stride(stride_of(state_bytes)) {}

    /// Makes the slot's state all zeros, and places for the slots up to it. References end here.
    void clear(std::uint32_t slot) {
        const std::size_t needed = (slot + std::size_t{1}) * m_stride;
        if (needed > m_lines.size() * sizeof(line)) {
            m_lines.resize((needed + sizeof(line) - 1) / sizeof(line));
        }
        std::memset(place(slot), 0, m_stride);
    }
    /// Slots that have places.
    std::size_t slots() const { return m_lines.size() * sizeof(line) / m_stride; }
    /// Range: `clear(slot)` has been called; `State` is the base of what is kept.
    template <class State>
    State& of(std::uint32_t slot) {
        return *reinterpret_cast<State*>(place(slot));
    }
    template <class State>
    const State& of(std::uint32_t slot) const {
        return const_cast<flow_states*>(this)->of<State>(slot);
    }

 private:
    /// States lie in as few cache lines as they can.
    struct alignas(64) line {
        std::byte bytes[64];
    };
    static std::size_t stride_of(std::size_t state_bytes) {
        std::size_t stride = alignof(std::max_align_t);
        while (stride < state_bytes && stride < sizeof(line)) {
            stride *= 2;
        }
        return state_bytes <= stride ? stride : (state_bytes + sizeof(line) - 1) / sizeof(line) * sizeof(line);
    }
    std::byte* place(std::uint32_t slot) {
        return reinterpret_cast<std::byte*>(m_lines.data()) + slot * m_stride;
    }

    std::size_t m_stride;
    std::vector<line> m_lines;
};

}  // namespace weir::traffic
