#include "weir/model/switch/shared_path.h"

#include <systemc>

#include "weir/base/unit_text.h"
#include "weir/model/marking/step_marker.h"
#include "weir/model/memory/egress_buffer.h"
#include "weir/model/memory/ingress_buffer.h"
#include "weir/model/memory/shared_memory.h"
#include "weir/model/switch/banked_paths.h"
#include "weir/model/switch/shared_causes.h"
#include "weir/model/switch/switch_path.h"

namespace weir::model {

registry<buffer_kind, memory_organisation>::entry shared_path::kind() {
    const auto make = [](switch_path& device) -> std::unique_ptr<memory_path> {
        if (device.parameters.sram.is_limited()) {
            return std::make_unique<banked_shared_path>(device);
        }
        return std::make_unique<shared_path>(device);
    };
    const auto adapt = [](switch_parameters& parameters, std::size_t /*ports*/) {
        adapt_to_shared_memory(parameters.device, parameters.flow_control);
    };
    return {"shared",
            "all ports share one memory ([shared]); there is no crossbar",
            {false, false, true, make, adapt}};
}

shared_path::shared_path(switch_path& device)
    : memory_path(device),
      m_memory(make_shared_buffer(device.parameters.shared, device.parameters.device,
                                  device.parameters.flow_control, device.links, device.parameters.profiles)) {
    if (!m_memory.errors().empty()) {
        SC_REPORT_FATAL("/weir/shared_buffer",
                        (std::string(device.owner.name()) + ": " + m_memory.errors()[0].message).c_str());
    }
    if (frames_wait_before_memory(device.parameters)) {
        m_fifos.assign(device.links.size(), arrival_fifo(device.parameters.device.ingress_fifo));
    }
}

// --- before the lookup ------------------------------------------------------------------------------------

picoseconds shared_path::look_up(unsigned port, frame_slot slot, picoseconds now, lookup_pipeline& pipeline) {
    if (m_fifos.empty()) {
        return pipeline.issue(now);
    }
    if (!has_room_before_lookup(port, slot)) {
        return never;
    }
    const picoseconds done = pipeline.issue(now);
    const picoseconds starts = done - pipeline.latency();
    if (starts > now) {
        m_fifos[port].wait_for_lookup(m_switch.frames.frame(slot).length(), starts);
    }
    return done;
}

// False: the frame is gone.
bool shared_path::has_room_before_lookup(unsigned port, frame_slot slot) {
    const stored_frame& stored = m_switch.frames[slot];
    if (m_fifos[port].has_room(stored.frame.length(), m_switch.instant.now)) {
        return true;
    }
    if (m_fifos[port].waits_for_memory()) {
        note_lost_for_memory(port);
    } else {
        ++m_lost_for_lookup;
    }
    if (m_memory.is_lossless(stored.route.frame_class)) {
        m_switch.report_lossless_loss(fifo_loss_text(port, stored));
    }
    m_switch.drop(slot, port, drop_reason::ingress_fifo_full);
    return false;
}

std::string shared_path::fifo_loss_text(unsigned port, const stored_frame& stored) {
    return "ingress port " + std::to_string(port) + " lost a frame of lossless class " +
           std::to_string(stored.route.frame_class) + " (" + std::to_string(stored.frame.frame_bytes) +
           " B) at " + to_text(m_switch.instant.now) + ": " +
           std::to_string(m_fifos[port].fill(m_switch.instant.now).count()) + " of " +
           std::to_string(m_switch.parameters.device.ingress_fifo.count()) +
           " B of switch.ingress_fifo wait for the lookup (switch.lookup_interval = " +
           to_text(m_switch.parameters.device.lookup_interval) +
           ") and the memory (sram.access_time = " + to_text(m_switch.parameters.sram.access_time) +
           "), which are slower than the arriving traffic";
}

// --- memory -----------------------------------------------------------------------------------------------

memory_path::entry shared_path::enter(frame_slot slot, stored_frame& stored, picoseconds now) {
    const frame_route& route = stored.route;
    const buffer_flow flow = flow_of(route);
    const std::uint32_t cells = m_memory.cells_of(bytes{route.charged_bytes});
    admission answer = m_memory.admit(flow, cells);
    while (answer == admission::egress_full && m_switch.evict_for(slot)) {
        answer = m_memory.admit(flow, cells);
    }
    apply_pauses(answer == admission::stored ? slot : no_slot);
    if (answer != admission::stored) {
        lose(slot, answer);
        return entry::lost;
    }
    // The buffers of the ports only count groups and queues: both have room for all that the memory can hold.
    m_charged_bytes += route.charged_bytes;
    m_switch.ingress().charge(route.ingress_port, route.frame_class, route.charged_bytes, now);
    m_switch.egress().reserve(route.egress_port, route.frame_class, route.charged_bytes);
    write(m_memory.slice_of(flow), slot);
    return entry::stored;
}

bool shared_path::has_room(const frame_route& route, unsigned egress_port, std::uint64_t, std::uint64_t) const {
    return m_memory.would_admit({route.ingress_port, route.frame_class, egress_port},
                                m_memory.cells_of(bytes{route.charged_bytes})) == admission::stored;
}

double shared_path::fill(const frame_route& route, unsigned egress_port, std::uint64_t) const {
    const buffer_flow flow{route.ingress_port, route.frame_class, egress_port};
    const unsigned slice = m_memory.slice_of(flow);
    const std::uint32_t used = m_memory.queue_usage(slice, egress_port, route.frame_class);
    const std::uint32_t room = m_memory.queue_room(slice, egress_port, route.frame_class);
    return room == 0 ? 1.0 : static_cast<double>(used) / (static_cast<double>(used) + room);
}

std::unique_ptr<marker> shared_path::make_marker() const {
    const unsigned classes = m_memory.classes();
    std::vector<std::uint64_t> from;
    bool any = false;
    for (unsigned port = 0; port < m_switch.rules.ports; ++port) {
        for (unsigned c = 0; c < classes; ++c) {
            const std::uint32_t cells = m_memory.queue_limits_of(port, static_cast<pfc_class>(c)).marked_from;
            const bool marks = cells != queue_limits::never_marks;
            from.push_back(marks ? static_cast<std::uint64_t>(m_memory.bytes_of(cells).count())
                                 : step_marker::never_marks);
            any = any || marks;
        }
    }
    return any ? std::make_unique<step_marker>(std::move(from), classes) : nullptr;
}

void shared_path::transferred(frame_slot slot) {
    m_switch.enqueue(slot);
}

void shared_path::leave(const frame_route& route, picoseconds at) {
    m_charged_bytes -= route.charged_bytes;
    m_switch.ingress().release(route.ingress_port, route.frame_class, route.charged_bytes, at);
    m_memory.release(flow_of(route), m_memory.cells_of(bytes{route.charged_bytes}));
    apply_pauses(no_slot);
}

// `crossing`: the frame that is stored and in no queue yet, or `no_slot`.
void shared_path::apply_pauses(frame_slot crossing) {
    if (!m_memory.adds_up()) {
        m_switch.violate(m_memory.check());
    }
    for (const shared_buffer::group_change& change : m_memory.changes()) {
        pause_requests& requests = m_switch.ports[change.ingress_port].requests;
        const auto mask = static_cast<class_mask>(1U << change.frame_class);
        if (change.paused) {
            // 802.3x: a link that is paused already is told nothing new.
            if (m_switch.parameters.flow_control.mode == flow_control_mode::pfc || requests.wanted() == 0) {
                m_switch.note_xoff(change.ingress_port, mask, crossing);
            }
            requests.request_xoff(mask);
        } else {
            requests.request_xon(mask);
        }
        m_switch.flow_control->requests_changed(change.ingress_port);
    }
}

// --- losses -----------------------------------------------------------------------------------------------

void shared_path::lose(frame_slot slot, admission answer) {
    const frame_route& route = m_switch.frames.route(slot);
    const bool lossless = m_memory.is_lossless(route.frame_class);
    if (answer == admission::ingress_full) {
        if (lossless) {
            m_switch.report_lossless_loss(loss_text(route));
        }
        m_switch.drop(slot, route.ingress_port, drop_reason::ingress_full);
    } else {
        // Flow control cannot help: it knows of the group, not of the queue.
        m_switch.drop(slot, route.egress_port,
                      lossless ? drop_reason::lossless_egress_full : drop_reason::egress_full);
    }
}

// Two rules have to refuse a lossless frame: that of shared memory sends it to headroom, and that is full too.
std::string shared_path::loss_text(const frame_route& route) const {
    const shared_refusal met = m_memory.refusal(flow_of(route), m_memory.cells_of(bytes{route.charged_bytes}));
    const unsigned slice = m_memory.slice_of(flow_of(route));
    const group_cells& used = m_memory.group_usage(slice, route.ingress_port, route.frame_class);
    const std::uint32_t free = m_memory.free_shared(slice, true);
    const std::uint64_t threshold = m_memory.limits(route.ingress_port, route.frame_class).threshold.with(free);
    const auto of = [](std::uint64_t part, std::uint64_t whole) {
        return std::to_string(part) + " of " + std::to_string(whole);
    };
    const bool own_headroom = met.limit == shared_refusal::limits::headroom;
    return "ingress port " + std::to_string(route.ingress_port) + " lost a frame of lossless class " +
           std::to_string(route.frame_class) + " (" + std::to_string(route.charged_bytes) + " B) at " +
           to_text(m_switch.instant.now) + ": in slice " + std::to_string(slice) + " " +
           (used.shared >= threshold
                ? "its group is at or above its threshold (" + of(used.shared, threshold) + " shared cells)"
                : "the shared pool has no room (" + of(free, m_memory.pool(true)) + " cells free)") +
           ", and " + (own_headroom ? "the group's headroom" : "the headroom pool") + " has no room for its " +
           std::to_string(m_memory.cells_of(bytes{route.charged_bytes})) + " cells (" +
           of(met.in_use, met.cells) + " in use); cells of " + to_text(m_memory.bytes_of(1)) + ", " +
           of(free, m_memory.pool(true)) + " shared cells are free";
}

// --- statistics -------------------------------------------------------------------------------------------

void shared_path::restart_statistics() {
    m_memory.restart_statistics();
    m_lost_for_lookup = 0;
}

std::unique_ptr<cause_recorder> shared_path::make_causes(const cause_options& options) const {
    return std::make_unique<shared_causes>(options, m_switch, m_switch.parameters.flow_control, m_memory);
}

}  // namespace weir::model
