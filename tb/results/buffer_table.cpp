#include "tb/results/buffer_table.h"

#include <algorithm>
#include <optional>

#include "tb/results/lines_by_node.h"
#include "tb/text/text_format.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

namespace {

class buffer_lines {
 public:
    buffer_lines(std::string& lines, const std::string& node, const shared_buffer& memory)
        : m_lines(lines), m_node(node), m_memory(memory) {}

    /// Without a slice: of all together.
    void pool(const char* what, std::optional<unsigned> slice, std::uint64_t size, std::uint64_t mark) {
        if (size > 0) {
            m_line.add_name(m_node).add_name(what);
            slice ? m_line.add(*slice) : m_line.add_nothing();
            m_line.add_nothing(2);
            add(size);
            add(mark);
            m_lines += m_line.end();
        }
    }
    /// `size` of 0: it has none of its own.
    void member(const char* what, unsigned port, unsigned c, std::uint64_t size, std::uint32_t mark) {
        if (mark > 0) {
            m_line.add_name(m_node).add_name(what).add_nothing().add(port).add(c);
            if (size > 0) {
                add(size);
            } else {
                m_line.add_nothing();
            }
            add(mark);
            m_lines += m_line.end();
        }
    }

 private:
    void add(std::uint64_t cells) { m_line.add(static_cast<std::uint64_t>(m_memory.bytes_of(cells).count())); }

    std::string& m_lines;
    std::string m_node;
    const shared_buffer& m_memory;
    csv_line m_line;
};

}  // namespace

void write_buffer_table(output_file& file, fabric& made) {
    file.write("node,what,slice,port,class,size_bytes,watermark_bytes\n");
    write_by_node(file, made, [&](const node_ref& n, std::string& text) {
        if (n.is_host()) {
            return;
        }
        const switch_node& device = made.device(n.index);
        const shared_buffer& memory = *device.shared_memory();
        buffer_lines lines(text, made.plan().name(n), memory);
        const std::uint64_t headroom = memory.headroom_pool().value_or(memory.private_headroom());
        for (unsigned slice = 0; slice < memory.slices(); ++slice) {
            lines.pool("lossless_pool", slice, memory.pool(true), memory.pool_mark(slice, true));
            lines.pool("lossy_pool", slice, memory.own_pool(false), memory.pool_mark(slice, false));
            lines.pool("headroom", slice, headroom, memory.headroom_mark(slice));
            lines.pool("queue_pool", slice, memory.own_queue_pool(false), memory.queue_pool_mark(slice, false));
            lines.pool("lossless_queue_pool", slice, memory.queue_pool(true),
                       memory.queue_pool_mark(slice, true));
        }
        const std::uint64_t slices = memory.slices();
        const shared_buffer::pool_sums& marks = memory.pool_marks();
        lines.pool("lossless_pool", {}, slices * memory.pool(true), marks.shared[1]);
        lines.pool("lossy_pool", {}, slices * memory.own_pool(false), marks.shared[0]);
        lines.pool("headroom", {}, slices * headroom, marks.headroom);
        lines.pool("queue_pool", {}, slices * memory.own_queue_pool(false), marks.queue[0]);
        lines.pool("lossless_queue_pool", {}, slices * memory.queue_pool(true), marks.queue[1]);
        for (unsigned port = 0; port < device.ports(); ++port) {
            for (unsigned k = 0; k < memory.classes(); ++k) {
                const auto c = static_cast<pfc_class>(k);
                lines.member("group_shared", port, k, 0, memory.marks(port, c).shared);
                lines.member("group_headroom", port, k, slices * memory.limits(port, c).headroom,
                             memory.marks(port, c).headroom);
                lines.member("queue", port, k, 0, memory.queue_mark(port, c));
            }
        }
    });
}

}  // namespace weir::tb
