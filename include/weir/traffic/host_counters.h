// One number for each other host, 0 at first: 4 B for a host that was ever counted, and little for the rest.
//
// A host of a large fabric may talk to all others, or to a few. So the numbers stand in pages of 64 hosts,
// made at their first use.
//
//   host_counters started(fabric_hosts);
//   const std::uint32_t ordinal = started.of(dst)++;
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/protocol/frame.h"

namespace weir {

class host_counters {
 public:
    explicit host_counters(std::size_t hosts) : m_pages(hosts / page_hosts + 1) {}

    /// Range: host <= the number of hosts given to the constructor.
    std::uint32_t& of(host_id host) {
        std::unique_ptr<page>& p = m_pages[host / page_hosts];
        if (p == nullptr) {
            p = std::make_unique<page>();  // zeros
        }
        return (*p)[host % page_hosts];
    }

 private:
    static constexpr std::size_t page_hosts = 64;
    using page = std::array<std::uint32_t, page_hosts>;

    std::vector<std::unique_ptr<page>> m_pages;
};

}  // namespace weir
