// Bytes in some memory, by the transfer that they belong to.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/protocol/frame.h"

namespace weir::model {

/// Bytes of one transfer.
struct flow_bytes {
    /// Number of the transfer.
    std::uint64_t flow = 0;
    ipv4_address src{};
    ipv4_address dst{};
    std::uint64_t bytes = 0;
};

/// Adds up by transfer.
class flow_bytes_list {
 public:
    void add(const ethernet_frame& frame, std::uint32_t bytes);
    /// Most bytes first, and by number where they are equal.
    std::vector<flow_bytes> sorted() const;

 private:
    std::vector<flow_bytes> m_flows;
};

}  // namespace weir::model
