#include "tb/results/buffer_marks.h"

#include <algorithm>
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

namespace {

class mark_list {
 public:
    explicit mark_list(buffer_kind kind) {
        for (const std::string& name : buffer_kinds(kind)) {
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

void add_ports(switch_node& device, buffer_kind kind, const switch_config& memories, mark_list& marks) {
    const auto add = [&](const char* kind, bytes memory, const occupancy_meter* meter) {
        marks.add(kind, static_cast<std::uint64_t>(memory.count()),
                  meter != nullptr ? static_cast<std::uint64_t>(meter->watermark().count()) : 0);
    };
    for (unsigned port = 0; port < device.ports(); ++port) {
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            if (has_ingress_memories(kind)) {
                add("ingress", memories.ingress_buffer, device.ingress_memory().meter(port, c));
            }
            const bytes room =
                has_egress_memories(kind) ? memories.egress_buffer : memories.ingress_buffer * device.ports();
            add("egress", room, device.egress_memory().meter(port, c));
        }
    }
}

void add_pools(const shared_buffer& memory, unsigned ports, mark_list& marks) {
    const auto add = [&](const char* kind, std::uint64_t size, std::uint64_t mark) {
        const auto in_bytes = [&](std::uint64_t cells) {
            return static_cast<std::uint64_t>(memory.bytes_of(cells).count());
        };
        marks.add(kind, in_bytes(size), in_bytes(mark));
    };
    for (unsigned slice = 0; slice < memory.slices(); ++slice) {
        add("lossless_pool", memory.pool(true), memory.pool_mark(slice, true));
        add("lossy_pool", memory.own_pool(false), memory.pool_mark(slice, false));
        add("headroom", memory.headroom_pool().value_or(memory.private_headroom()),
            memory.headroom_mark(slice));
        add("queue_pool", memory.own_queue_pool(false), memory.queue_pool_mark(slice, false));
        add("lossless_queue_pool", memory.queue_pool(true), memory.queue_pool_mark(slice, true));
    }
    const std::uint64_t slices = memory.slices();
    for (unsigned port = 0; port < ports; ++port) {
        for (unsigned k = 0; k < memory.classes(); ++k) {
            const auto c = static_cast<pfc_class>(k);
            const bool lossless = memory.is_lossless(c);
            add("group_shared", slices * memory.pool(lossless), memory.marks(port, c).shared);
            add("group_headroom", slices * memory.limits(port, c).headroom, memory.marks(port, c).headroom);
            add("queue", slices * memory.queue_pool(lossless), memory.queue_mark(port, c));
        }
    }
}

}  // namespace

std::vector<std::string> buffer_kinds(buffer_kind kind) {
    switch (kind) {
        case buffer_kind::partitioned:
        case buffer_kind::input_buffered:
            return {"ingress", "egress"};
        case buffer_kind::output_queued:
            return {"egress"};
        case buffer_kind::shared:
            break;
    }
    return {"lossless_pool",       "lossy_pool",   "headroom",       "queue_pool",
            "lossless_queue_pool", "group_shared", "group_headroom", "queue"};
}

std::vector<buffer_mark> buffer_marks(fabric& made, const switch_setup& setup) {
    mark_list marks(setup.shared.kind);
    for (const switch_id s : made.own_switches()) {
        marks.begin(s);
        if (setup.shared.kind == buffer_kind::shared) {
            add_pools(*made.device(s).shared_memory(), made.device(s).ports(), marks);
        } else {
            add_ports(made.device(s), setup.shared.kind, setup.device, marks);
        }
    }
    mark_list all(setup.shared.kind);
    for (const buffer_mark& mark : shared(made.team(), marks.take())) {
        all.add(mark);
    }
    return all.take();
}

}  // namespace weir::tb
