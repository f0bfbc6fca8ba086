// Watermarks of packet memories: buffers.csv lists those of the pools of shared memories, as SONiC counts them;
// summary.json tells how full the fullest of each kind has been, of all switches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb {

inline std::uint64_t byte_count(bytes value) {
    return static_cast<std::uint64_t>(value.count());
}

/// Pools of a slice of a shared memory.
enum class pool_kind : std::uint8_t { lossless_pool, lossy_pool, headroom, queue_pool, lossless_queue_pool };
constexpr auto names_of(pool_kind) {
    return enum_names<pool_kind>({{pool_kind::lossless_pool, "lossless_pool"},
                                  {pool_kind::lossy_pool, "lossy_pool"},
                                  {pool_kind::headroom, "headroom"},
                                  {pool_kind::queue_pool, "queue_pool"},
                                  {pool_kind::lossless_queue_pool, "lossless_queue_pool"}});
}

/// A pool in one slice. Unit: cells.
struct shared_pool {
    pool_kind kind;
    /// 0: the memory has none of its own.
    std::uint64_t size;
    std::uint64_t used;
    /// Most that was in use, and most of all slices together.
    std::uint64_t mark;
    std::uint64_t mark_of_all;
    /// Threshold of one group of the pool now.
    std::optional<std::uint64_t> group_threshold{};
};
/// In the order of their kinds.
std::array<shared_pool, 5> pools_of(const model::shared_buffer& memory, unsigned slice);

/// Pools, and then parts of groups (ingress port and class) and queues (egress port and class).
enum class buffer_part : std::uint8_t {
    lossless_pool,
    lossy_pool,
    headroom,
    queue_pool,
    lossless_queue_pool,
    group_shared,
    group_headroom,
    queue
};
constexpr auto names_of(buffer_part) {
    return enum_names<buffer_part>({{buffer_part::lossless_pool, "lossless_pool"},
                                    {buffer_part::lossy_pool, "lossy_pool"},
                                    {buffer_part::headroom, "headroom"},
                                    {buffer_part::queue_pool, "queue_pool"},
                                    {buffer_part::lossless_queue_pool, "lossless_queue_pool"},
                                    {buffer_part::group_shared, "group_shared"},
                                    {buffer_part::group_headroom, "group_headroom"},
                                    {buffer_part::queue, "queue"}});
}

struct buffer_row {
    std::string_view node{};
    buffer_part what{};
    std::optional<unsigned> slice{}, port{}, frame_class{};
    std::optional<bytes> size{};
    bytes watermark{};

    static constexpr table_facts table{"buffers.csv", "Highest usage of shared memories from run.warmup on.",
                                       "`switch.buffer = shared`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("what", &self::what,
                       "Pool, group (ingress port and class) or queue (egress port and class)."));
        columns(column("slice", &self::slice, "Slice of a pool.").absent("all slices together"));
        columns(column("port", &self::port, "Port of a group or queue.").absent("a pool"));
        columns(column("class", &self::frame_class, "Class of a group or queue, 0 to 7.").absent("a pool"));
        columns(
            column("size_bytes", &self::size, "Size of a pool, or of a group's own headroom, in whole cells.")
                .absent("it has no size of its own"));
        columns(column("watermark_bytes", &self::watermark, "Highest usage, in whole cells."));
    }
};

/// Writes lines for each switch's slices and pools, and for each group and queue that ever held a cell.
/// Collective. Throws output_error.
void write_buffer_table(output_file file, fabric& made);

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

/// Names of the watermarks that runs with such a memory have. A port's memory has `ingress` and `egress`, each
/// for a class at a port. A shared memory has those of buffers.csv: each slice has `lossless_pool`,
/// `lossy_pool`, `headroom`, `queue_pool` and `lossless_queue_pool`; all slices together have `group_shared`,
/// `group_headroom` and `queue`. A part that a run does not have has size 0.
std::vector<std::string> watermark_names(const memory_organisation& memory);

/// In that order. `ingress`, `egress`: memory of a port, where it is not shared.
std::vector<buffer_mark> buffer_marks(fabric& made, const switch_setup& setup);

}  // namespace weir::tb
