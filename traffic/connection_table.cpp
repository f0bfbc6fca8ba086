#include "weir/traffic/connection_table.h"

namespace weir {

connection_table::found connection_table::add(std::uint64_t key, std::size_t at) {
    if ((m_used + 1) * 2 > m_entries.size()) {
        grow();
        at = place_for(key);
    }
    ++m_used;
    m_entries[at] = entry{key, 0, 0};
    return {&m_entries[at], false};
}

std::size_t connection_table::place_for(std::uint64_t key) const {
    std::size_t at = random_stream::mix(key) & m_mask;
    while (m_entries[at].key != empty) {
        at = (at + 1) & m_mask;
    }
    return at;
}

void connection_table::grow() {
    std::vector<entry> old(m_entries.size() * 2, entry{empty, 0, 0});
    old.swap(m_entries);
    m_mask = m_entries.size() - 1;
    for (const entry& e : old) {
        if (e.key != empty) {
            m_entries[place_for(e.key)] = e;
        }
    }
}

}  // namespace weir
