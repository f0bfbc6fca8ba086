// Pipeline registers in a row: what goes in at one clock edge comes out a number of cycles later.
//
//   delay_line<class_mask> line(cycles{2});
//   class_mask late = line.shift(paused);     // what `shift` was given two calls ago, or a fresh value
#pragma once

#include <cstddef>
#include <vector>

#include "weir/base/units.h"

namespace weir::model {

template <class T>
class delay_line {
 public:
    /// `length` 0 passes everything through.
    explicit delay_line(cycles length) : m_stages(static_cast<std::size_t>(length.count())) {}

    /// One clock edge.
    T shift(T in) {
        if (m_stages.empty()) {
            return in;
        }
        T out = m_stages[m_next];
        m_stages[m_next] = in;
        m_next = m_next + 1 == m_stages.size() ? 0 : m_next + 1;
        return out;
    }

 private:
    std::vector<T> m_stages;
    std::size_t m_next = 0;
};

}  // namespace weir::model
