#include "tb/verify/rtl/rtl_tcam.h"

#include <algorithm>
#include <string>

namespace weir::tb {

const port_bitmap& rtl_tcam::lookup(ipv4_address destination) {
    m_pins->look_up(to_uint(destination));
    for (unsigned cycle = 0; cycle < tcam_rtl_cycles; ++cycle) {
        clock();
    }
    m_answer = m_pins->ports();
    return m_answer;
}

void rtl_tcam::load(const std::vector<route_entry>& routes) {
    if (routes.size() > m_pins->entries()) {
        SC_REPORT_FATAL("/weir/tcam", (std::string(name()) + ": " + std::to_string(routes.size()) +
                                       " routes do not fit into the " + std::to_string(m_pins->entries()) +
                                       " entries of the RTL")
                                          .c_str());
    }
    std::vector<route_entry> longest_first = routes;
    std::stable_sort(
        longest_first.begin(), longest_first.end(),
        [](const route_entry& a, const route_entry& b) { return a.prefix_length > b.prefix_length; });
    const auto count = static_cast<std::uint32_t>(longest_first.size());
    for (std::uint32_t i = 0; i < std::max(count, m_used); ++i) {
        tcam_entry entry;
        entry.valid = i < count;
        if (entry.valid) {
            const route_entry& route = longest_first[i];
            entry.mask = route.prefix_length == 0 ? 0 : ~std::uint32_t{0} << (32 - route.prefix_length);
            entry.value = to_uint(route.prefix);
        }
        m_pins->write(i, entry, entry.valid ? longest_first[i].acceptable : port_bitmap());
        clock();
    }
    m_used = count;
    // The RAM's last writes.
    clock();
    clock();
}

}  // namespace weir::tb
