// What summary.json says of memories: how full the fullest of each kind has been, of all switches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// The fullest memory of a kind: its largest share of its size. Unit: B.
struct buffer_mark {
    std::string kind;
    std::uint64_t size = 0;
    std::uint64_t watermark = 0;
    /// The first one, where several are as full.
    switch_id device = 0;
    /// Unit: %.
    double percent() const {
        return size > 0 ? 100.0 * static_cast<double>(watermark) / static_cast<double>(size) : 0;
    }

    template <class Octets>
    void fields(Octets& o) {
        o(kind, size, watermark, device);
    }
};

/// Kinds that runs with such a memory have. `ingress`, `egress`: a class at a port, of the port's memory. Of
/// shared memories, as in buffers.csv: `lossless_pool`, `lossy_pool`, `headroom`, `queue_pool`,
/// `lossless_queue_pool` of a slice, `group_shared`, `group_headroom`, `queue` of all slices. Those of which a
/// run has none have size 0.
std::vector<std::string> buffer_kinds(buffer_kind kind);

/// In that order. `ingress`, `egress`: memory of a port, where it is not shared.
std::vector<buffer_mark> buffer_marks(fabric& made, const switch_setup& setup);

}  // namespace weir::tb
