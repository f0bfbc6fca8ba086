#include "weir/traffic/traces/flow.h"

#include <algorithm>

namespace weir::traffic {

std::optional<std::uint8_t> tag_table::index(std::string_view name) {
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found != m_names.end()) {
        return static_cast<std::uint8_t>(found - m_names.begin());
    }
    if (m_names.size() > most_names) {
        return std::nullopt;
    }
    m_names.emplace_back(name);
    return static_cast<std::uint8_t>(m_names.size() - 1);
}

}  // namespace weir::traffic
