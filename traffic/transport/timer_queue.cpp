#include "weir/traffic/transport/timer_queue.h"

#include <algorithm>

namespace weir::traffic {

void timer_queue::rise(timer_entry entry) {
    std::size_t at = m_heap.size() - 1;
    while (at > 0) {
        const std::size_t parent = (at - 1) / children;
        if (!(entry < m_heap[parent])) {
            break;
        }
        m_heap[at] = m_heap[parent];
        at = parent;
    }
    m_heap[at] = entry;
    m_next_time = m_heap.front().time;
}

void timer_queue::replace_first(timer_entry entry) {
    const std::size_t size = m_heap.size();
    std::size_t at = 0;
    for (;;) {
        const std::size_t begin = at * children + 1;
        if (begin >= size) {
            break;
        }
        const std::size_t end = std::min(begin + children, size);
        std::size_t smallest = begin;
        for (std::size_t child = begin + 1; child < end; ++child) {
            if (m_heap[child] < m_heap[smallest]) {
                smallest = child;
            }
        }
        if (!(m_heap[smallest] < entry)) {
            break;
        }
        m_heap[at] = m_heap[smallest];
        at = smallest;
    }
    m_heap[at] = entry;
    m_next_time = m_heap.front().time;
}

}  // namespace weir::traffic
