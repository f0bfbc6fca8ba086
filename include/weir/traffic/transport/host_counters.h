// One number for each other host, 0 at first, in memory for the hosts that were ever counted.
//
// A host of a large fabric may talk to all others, or to a few. So the numbers stand in lines of 16 hosts, made
// at their first use: with all others 4 to 8 B for each and 2 to 4 B for finding the lines, with one alone
// 100 to 200 B.
//
//   host_counters started;
//   const std::uint32_t ordinal = started.of(dst)++;
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/protocol/frame.h"

namespace weir::traffic {

class host_counters {
 public:
    /// The reference holds until the next call.
    std::uint32_t& of(host_id host) {
        const std::uint32_t* known = m_lines.find(host / line_hosts);
        const std::size_t line = known != nullptr ? *known : make_line(host / line_hosts);
        return m_counts[line * line_hosts + host % line_hosts];
    }

 private:
    static constexpr std::size_t line_hosts = 16;

    std::size_t make_line(std::uint64_t number) {
        const std::size_t line = m_counts.size() / line_hosts;
        m_lines.add(number) = static_cast<std::uint32_t>(line);
        m_counts.resize(m_counts.size() + line_hosts, 0);
        return line;
    }

    /// By number of line: its place in `m_counts`, in lines.
    number_table<std::uint32_t> m_lines;
    std::vector<std::uint32_t> m_counts;
};

}  // namespace weir::traffic
