// Marks each frame that finds its queue at or above a threshold (DCTCP, SIGCOMM 2010, section 3.1; ECN
// thresholds of real switches), or above it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/model/marking/marker.h"

namespace weir::model {

class step_marker final : public marker {
 public:
    enum class unit : std::uint8_t { bytes, frames };
    /// No queue is as long.
    static constexpr std::uint64_t never_marks = ~std::uint64_t{0};

    /// `from`: threshold of each queue, by port and class.
    step_marker(std::vector<std::uint64_t> from, unsigned classes, unit counted = unit::bytes,
                step_rule rule = step_rule::at_least)
        : m_from(std::move(from)),
          m_classes(classes),
          m_unit(counted),
          m_more(rule == step_rule::at_least ? 0 : 1),
          m_counts_itself(rule == step_rule::above_with_frame) {}

    marking decide(const queue_sight& queue) override {
        std::uint64_t length = m_unit == unit::bytes ? queue.bytes : queue.frames;
        if (m_counts_itself) {
            length += m_unit == unit::bytes ? queue.frame.frame_bytes : 1;
        }
        const std::uint64_t from = m_from[std::size_t{queue.port} * m_classes + queue.frame_class];
        return from != never_marks && length >= from + m_more ? marking::mark : marking::pass;
    }

 private:
    std::vector<std::uint64_t> m_from;
    unsigned m_classes;
    unit m_unit;
    /// Above the threshold: at least this much more.
    std::uint64_t m_more;
    bool m_counts_itself;
};

}  // namespace weir::model
