#include "tb/results/buffer_table.h"

#include "tb/results/lines_by_node.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

void write_buffer_table(output_file file, fabric& made) {
    using part = buffer_part;
    record_table<buffer_row> table(std::move(file));
    write_by_node(table, made, [&](const node_ref& n, const auto& put) {
        if (n.is_host()) {
            return;
        }
        const switch_node& device = made.device(n.index);
        const shared_buffer& memory = *device.shared_memory();
        const std::string& name = made.plan().name(n);
        // Without a slice: all slices together.
        const auto pool = [&](part what, std::optional<unsigned> slice, std::uint64_t size,
                              std::uint64_t mark) {
            if (size > 0) {
                put({name, what, slice, {}, {}, memory.bytes_of(size), memory.bytes_of(mark)});
            }
        };
        const auto member = [&](part what, unsigned port, unsigned c, std::uint64_t size, std::uint32_t mark) {
            if (mark > 0) {
                const auto own = size > 0 ? std::optional(memory.bytes_of(size)) : std::nullopt;
                put({name, what, {}, port, c, own, memory.bytes_of(mark)});
            }
        };
        const std::uint64_t headroom = memory.headroom_pool().value_or(memory.private_headroom());
        for (unsigned slice = 0; slice < memory.slices(); ++slice) {
            pool(part::lossless_pool, slice, memory.pool(true), memory.pool_mark(slice, true));
            pool(part::lossy_pool, slice, memory.own_pool(false), memory.pool_mark(slice, false));
            pool(part::headroom, slice, headroom, memory.headroom_mark(slice));
            pool(part::queue_pool, slice, memory.own_queue_pool(false), memory.queue_pool_mark(slice, false));
            pool(part::lossless_queue_pool, slice, memory.queue_pool(true),
                 memory.queue_pool_mark(slice, true));
        }
        const std::uint64_t slices = memory.slices();
        const shared_buffer::pool_sums& marks = memory.pool_marks();
        pool(part::lossless_pool, {}, slices * memory.pool(true), marks.shared[1]);
        pool(part::lossy_pool, {}, slices * memory.own_pool(false), marks.shared[0]);
        pool(part::headroom, {}, slices * headroom, marks.headroom);
        pool(part::queue_pool, {}, slices * memory.own_queue_pool(false), marks.queue[0]);
        pool(part::lossless_queue_pool, {}, slices * memory.queue_pool(true), marks.queue[1]);
        for (unsigned port = 0; port < device.ports(); ++port) {
            for (unsigned k = 0; k < memory.classes(); ++k) {
                const auto c = static_cast<pfc_class>(k);
                member(part::group_shared, port, k, 0, memory.marks(port, c).shared);
                member(part::group_headroom, port, k, slices * memory.limits(port, c).headroom,
                       memory.marks(port, c).headroom);
                member(part::queue, port, k, 0, memory.queue_mark(port, c));
            }
        }
    });
    table.finish();
}

}  // namespace weir::tb
