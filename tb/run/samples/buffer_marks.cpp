#include "tb/run/samples/buffer_marks.h"

#include <algorithm>

#include "tb/run/samples/lines_by_node.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

namespace {

class mark_list {
 public:
    explicit mark_list(const memory_organisation& memory) {
        for (const std::string& name : watermark_names(memory)) {
            m_marks.push_back({name, 0, 0, 0});
        }
    }

    void add(const std::string& kind, std::uint64_t size, std::uint64_t watermark) {
        add({kind, size, watermark, m_device});
    }
    void add(const buffer_mark& seen) {
        const auto mark = std::find_if(m_marks.begin(), m_marks.end(),
                                       [&](const buffer_mark& each) { return each.kind == seen.kind; });
        const bool is_fuller = seen.percent() > mark->percent() ||
                               (seen.percent() == mark->percent() && seen.device < mark->device);
        if (mark->size == 0 || (seen.size > 0 && is_fuller)) {
            *mark = seen;
        }
    }
    /// Whose memories are added from now on.
    void begin(switch_id device) { m_device = device; }
    std::vector<buffer_mark> take() { return std::move(m_marks); }

 private:
    switch_id m_device = 0;
    std::vector<buffer_mark> m_marks;
};

void add_ports(switch_node& device, const switch_config& memories, mark_list& marks) {
    const memory_organisation& memory = organisation_of(memories);
    const auto add = [&](const char* kind, bytes memory, const occupancy_meter* meter) {
        marks.add(kind, byte_count(memory), meter != nullptr ? byte_count(meter->watermark()) : 0);
    };
    for (unsigned port = 0; port < device.ports(); ++port) {
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            if (memory.has_ingress_memories) {
                add("ingress", memories.ingress_buffer, device.ingress_memory().meter(port, c));
            }
            const bytes room =
                memory.has_egress_memories ? memories.egress_buffer : memories.ingress_buffer * device.ports();
            add("egress", room, device.egress_memory().meter(port, c));
        }
    }
}

/// Calls `visit(row, room)` for each slice's pools, the pools of all slices together, and groups and queues.
/// `room`: most that it may hold.
template <class Visit>
void for_each_watermark(const shared_buffer& memory, unsigned ports, Visit&& visit) {
    const auto put = [&](buffer_row row, std::uint64_t room, std::uint64_t mark) {
        row.watermark = memory.bytes_of(mark);
        visit(row, memory.bytes_of(room));
    };
    const auto pool = [&](pool_kind kind, std::optional<unsigned> slice, std::uint64_t size,
                          std::uint64_t mark) {
        put({{}, static_cast<buffer_part>(kind), slice, {}, {}, memory.bytes_of(size)}, size, mark);
    };
    const std::uint64_t slices = memory.slices();
    for (unsigned slice = 0; slice < slices; ++slice) {
        for (const shared_pool& each : pools_of(memory, slice)) {
            pool(each.kind, slice, each.size, each.mark);
        }
    }
    for (const shared_pool& each : pools_of(memory, 0)) {
        pool(each.kind, {}, slices * each.size, each.mark_of_all);
    }
    for (unsigned port = 0; port < ports; ++port) {
        for (unsigned k = 0; k < memory.classes(); ++k) {
            const auto c = static_cast<pfc_class>(k);
            const bool lossless = memory.is_lossless(c);
            const std::uint64_t headroom = slices * memory.limits(port, c).headroom;
            const auto own = headroom > 0 ? std::optional(memory.bytes_of(headroom)) : std::nullopt;
            put({{}, buffer_part::group_shared, {}, port, k}, slices * memory.pool(lossless),
                memory.marks(port, c).shared);
            put({{}, buffer_part::group_headroom, {}, port, k, own}, headroom, memory.marks(port, c).headroom);
            put({{}, buffer_part::queue, {}, port, k}, slices * memory.queue_pool(lossless),
                memory.queue_mark(port, c));
        }
    }
}

}  // namespace

std::array<shared_pool, 5> pools_of(const shared_buffer& memory, unsigned slice) {
    const shared_buffer::pool_sums& all = memory.pool_marks();
    const auto pool = [&](pool_kind kind, bool lossless) -> shared_pool {
        const std::uint64_t size = memory.own_pool(lossless);
        return {kind,
                size,
                size - memory.free_shared(slice, lossless),
                memory.pool_mark(slice, lossless),
                all.shared[lossless ? 1 : 0],
                memory.threshold_of(slice, lossless)};
    };
    const auto queues = [&](pool_kind kind, bool lossless) -> shared_pool {
        const std::uint64_t size = memory.own_queue_pool(lossless);
        return {kind, size, size - memory.free_of_queues(slice, lossless),
                memory.queue_pool_mark(slice, lossless), all.queue[lossless ? 1 : 0]};
    };
    const std::uint64_t headroom = memory.headroom_pool().value_or(memory.private_headroom());
    return {
        pool(pool_kind::lossless_pool, true),
        pool(pool_kind::lossy_pool, false),
        {pool_kind::headroom, headroom, memory.headroom_used(slice), memory.headroom_mark(slice), all.headroom},
        queues(pool_kind::queue_pool, false),
        queues(pool_kind::lossless_queue_pool, true)};
}

void write_buffer_table(output_file file, fabric& made) {
    record_table<buffer_row> table(std::move(file));
    write_by_node(table, made, [&](const node_ref& n, const auto& put) {
        if (n.is_host()) {
            return;
        }
        const switch_node& device = made.device(n.index);
        for_each_watermark(*device.shared_memory(), device.ports(), [&](buffer_row row, bytes room) {
            row.node = made.plan().name(n);
            if (row.port ? row.watermark > bytes{0} : room > bytes{0}) {
                put(row);
            }
        });
    });
    table.finish();
}

std::vector<std::string> watermark_names(const memory_organisation& memory) {
    if (memory.is_shared) {
        return words_of<buffer_part>();
    }
    return memory.has_ingress_memories ? std::vector<std::string>{"ingress", "egress"}
                                       : std::vector<std::string>{"egress"};
}

std::vector<buffer_mark> buffer_marks(fabric& made, const switch_setup& setup) {
    mark_list marks(organisation_of(setup.device));
    for (const switch_id s : made.own_switches()) {
        marks.begin(s);
        if (organisation_of(setup.device).is_shared) {
            for_each_watermark(*made.device(s).shared_memory(), made.device(s).ports(),
                               [&](const buffer_row& row, bytes room) {
                                   if (row.slice || row.port) {
                                       marks.add(name_of(row.what), byte_count(room),
                                                 byte_count(row.watermark));
                                   }
                               });
        } else {
            add_ports(made.device(s), setup.device, marks);
        }
    }
    mark_list all(organisation_of(setup.device));
    for (const buffer_mark& mark : shared(made.team(), marks.take())) {
        all.add(mark);
    }
    return all.take();
}

}  // namespace weir::tb
