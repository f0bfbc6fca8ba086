// buffers.csv: watermarks of the pools of shared packet memories, as SONiC counts them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tb/files/output_file.h"
#include "tb/record/cell.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

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

}  // namespace weir::tb
