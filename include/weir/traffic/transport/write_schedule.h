// What an application writes to its socket over time: bytes at a rate that changes at given times. The sender
// may send no byte before it is written; what is written and not sent waits in the socket, however much it is.
//
//   write_schedule written;
//   written.add(0_ps, 1_Gbps);
//   written.add(100ms, 4_Gbps);
//   written.at(108ms);                  // 16'500'000
//   written.time_of(16'500'000);        // 108 ms
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::traffic {

class write_schedule {
 public:
    /// The rate from `from` on. Range: from is not before the last one's; rate >= 0.
    void add(picoseconds from, bit_rate rate) { m_steps.push_back({from, rate, at(from)}); }

    /// Bytes written at `now` or before.
    std::uint64_t at(picoseconds now) const {
        for (auto s = m_steps.rbegin(); s != m_steps.rend(); ++s) {
            if (s->from <= now) {
                const wide bits = static_cast<wide>((now - s->from).count()) * s->rate.count();
                return s->before + static_cast<std::uint64_t>(bits / bits_in_byte_ps);
            }
        }
        return 0;
    }
    /// When so many bytes are written; `never` if they are never. Range: more than are written at the first
    /// step.
    picoseconds time_of(std::uint64_t bytes) const {
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            const step& s = m_steps[i];
            const bool is_last = i + 1 == m_steps.size();
            if ((!is_last && m_steps[i + 1].before < bytes) || s.rate == 0_bps) {
                continue;
            }
            const wide rate = s.rate.count();
            const wide time = (static_cast<wide>(bytes - s.before) * bits_in_byte_ps + rate - 1) / rate;
            return s.from + picoseconds{static_cast<std::int64_t>(std::min<wide>(time, longest_time.count()))};
        }
        return never;
    }

 private:
    __extension__ using wide = __int128;
    static constexpr std::int64_t bits_in_byte_ps = 8'000'000'000'000;

    struct step {
        picoseconds from;
        bit_rate rate;
        /// Written when it begins. Unit: B.
        std::uint64_t before;
    };
    std::vector<step> m_steps;
};

}  // namespace weir::traffic
