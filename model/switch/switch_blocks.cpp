#include "weir/model/switch/switch_blocks.h"

#include <string>

namespace weir::model {

void tcam_block::load(const std::vector<route_entry>& routes) {
    const auto count = static_cast<std::uint32_t>(routes.size());
    if (count > m_entries) {
        SC_REPORT_FATAL("/weir/tcam", (std::string(name()) + ": " + std::to_string(count) +
                                       " routes exceed switch.tcam_entries = " + std::to_string(m_entries))
                                          .c_str());
    }
    for (std::uint32_t i = 0; i < m_used; ++i) {
        static_cast<void>(m_table.erase(i));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const route_entry& route = routes[i];
        const tcam_status status = m_table.set_prefix(i, route.prefix, route.prefix_length, route.acceptable);
        if (status != tcam_status::done) {
            SC_REPORT_FATAL("/weir/tcam", (std::string(name()) + ": " + describe(status)).c_str());
        }
    }
    m_used = count;
}

}  // namespace weir::model
