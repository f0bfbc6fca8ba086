// One switch with a crossbar of cells under random traffic, slot by slot: what entered the VOQs, what room the
// egress ports had, and what the slot moved. The stimulus of voq_crossbar.sv, and what it has to do.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "support/fabric_rig.h"
#include "weir/base/rng.h"
#include "weir/model/crossbar/islip.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::test {

using namespace tb;

inline constexpr unsigned slot_log_ports = 4;
inline constexpr unsigned slot_log_iterations = 4;

struct voq_arrival {
    unsigned ingress;
    unsigned egress;
    pfc_class frame_class;
    unsigned cells;
};
struct moved_cell {
    unsigned egress;
    unsigned ingress;
    pfc_class frame_class;
    /// The frame's last one.
    bool last;
};
struct slot_record {
    /// In the order in which they came.
    std::vector<voq_arrival> arrivals;
    /// Egress ports with room for a whole frame, by class.
    std::array<std::uint64_t, pfc_classes> room{};
    /// In the order of the egress ports.
    std::vector<moved_cell> moved;
};

/// `egress:ingress:class`, a `+` behind a frame's last cell.
inline std::string text_of(const std::vector<moved_cell>& moved) {
    std::string text;
    for (const moved_cell& m : moved) {
        text += (text.empty() ? "" : " ") + std::to_string(m.egress) + ":" + std::to_string(m.ingress) + ":" +
                std::to_string(m.frame_class) + (m.last ? "+" : "");
    }
    return text.empty() ? "-" : text;
}
inline std::string text_of(const std::vector<voq_arrival>& arrivals) {
    std::string text;
    for (const voq_arrival& a : arrivals) {
        text += (text.empty() ? "" : " ") + std::to_string(a.ingress) + ":" + std::to_string(a.egress) + ":" +
                std::to_string(a.frame_class) + ":" + std::to_string(a.cells);
    }
    return text.empty() ? "-" : text;
}
inline std::string text_of(const std::array<std::uint64_t, pfc_classes>& room) {
    std::string text;
    for (const std::uint64_t ports : room) {
        text += "0123456789abcdef"[ports];
    }
    return text;
}

/// A slot is whole when the next one begins: frames end after the arbiter's run.
class slot_log {
 public:
    using visitor = std::function<void(const slot_record&)>;
    explicit slot_log(visitor visit) : m_visit(std::move(visit)) {}

    void arrived(const voq_arrival& arrival) { m_arrivals.push_back(arrival); }
    void matched(const crossbar_requests& requests, const std::vector<crossbar_match>& matches) {
        finish();
        m_open = true;
        m_slot = {};
        m_slot.arrivals.swap(m_arrivals);
        for (pfc_class c = 0; c < pfc_classes; ++c) {
            for (unsigned e = 0; e < slot_log_ports; ++e) {
                m_slot.room[c] |= std::uint64_t{requests.has_room(e, c)} << e;
            }
        }
        for (const crossbar_match& m : matches) {
            m_slot.moved.push_back({m.egress_port, m.ingress_port, m.frame_class, false});
        }
        std::sort(m_slot.moved.begin(), m_slot.moved.end(),
                  [](const moved_cell& a, const moved_cell& b) { return a.egress < b.egress; });
    }
    void ended(unsigned egress) {
        for (moved_cell& m : m_slot.moved) {
            m.last = m.last || m.egress == egress;
        }
    }
    void finish() {
        if (m_open) {
            m_visit(m_slot);
        }
        m_open = false;
    }

 private:
    visitor m_visit;
    std::vector<voq_arrival> m_arrivals;
    slot_record m_slot;
    bool m_open = false;
};

/// The default arbiter and ingress memory, which tell the log.
class logging_arbiter : public block_module<arbiter_if> {
 public:
    explicit logging_arbiter(slot_log& log) : block_module("logging_arbiter"), m_log(log) {}
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations,
                   std::vector<crossbar_match>& matches) override {
        m_islip.arbitrate(requests, free_ingress, free_egress, iterations, matches);
        m_log.matched(requests, matches);
    }

 private:
    islip m_islip{slot_log_ports};
    slot_log& m_log;
};
class logging_ingress : public ingress_buffer_block {
 public:
    logging_ingress(slot_log& log, frame_slab& slab, unsigned classes, bytes cell)
        : ingress_buffer_block("logging_ingress", slab, slot_log_ports, classes),
          m_log(log),
          m_slab(slab),
          m_cell(cell) {}
    bool enqueue(frame_slot slot) override {
        const frame_route& route = m_slab.route(slot);
        m_log.arrived({route.ingress_port, route.egress_port, route.frame_class,
                       static_cast<unsigned>(cells_of(m_slab.frame(slot).length(), m_cell).count())});
        return ingress_buffer_block::enqueue(slot);
    }
    bool dequeue(unsigned ingress_port, unsigned egress_port, pfc_class c) override {
        m_log.ended(egress_port);
        return ingress_buffer_block::dequeue(ingress_port, egress_port, c);
    }

 private:
    slot_log& m_log;
    frame_slab& m_slab;
    bytes m_cell;
};

/// Runs a switch of four ports and eight lossless classes at speedup 4, whose egress ports are too small for
/// the traffic, and shows every slot. Once in a process.
inline void log_slots(picoseconds duration, std::uint64_t seed, slot_log::visitor visit) {
    single_config star;
    star.hosts = slot_log_ports;
    fabric_parameters parameters;
    parameters.device.crossbar = crossbar_mode::cell;
    parameters.device.speedup = 4;
    parameters.device.iterations = slot_log_iterations;
    parameters.device.egress_buffer = 8_KiB;
    parameters.flow_control.mode = flow_control_mode::pfc;
    fabric_rig rig(make_topology(star), parameters);
    switch_node& device = rig.made.device(0);

    slot_log log(std::move(visit));
    logging_arbiter arbiter(log);
    logging_ingress memory(log, device.slab(), parameters.device.classes, parameters.device.cell);
    const std::vector<port_config> ports = ports_of_links(rig.plan, {}, parameters.wire_overhead);
    for (unsigned p = 0; p < slot_log_ports; ++p) {
        memory.algorithm().set_limits(
            p, resolve_flow_control(parameters.device, parameters.flow_control, ports[p]).limits);
    }
    device.arbiter.bind(arbiter.block);
    device.ingress.bind(memory.block);

    // Bursts of frames; half of them to one host, so that its egress port is full and others wait behind it.
    random_stream random(seed, 0, random_purpose::arrivals);
    for (host_id src = 0; src < slot_log_ports; ++src) {
        for (picoseconds at{random.below(5'000'000)}; at < duration;
             at += picoseconds{1'000'000 + random.below(60'000'000)}) {
            const host_id dst = random.below(2) == 0 ? 0 : random.below(slot_log_ports);
            const auto priority = static_cast<pfc_class>(random.below(pfc_classes));
            for (unsigned n = 1 + random.below(6); n > 0 && dst != src; --n) {
                const auto length = static_cast<std::uint16_t>(200 + random.below(1330));
                rig.stream(at, 1, rig.frame(src, dst, length, priority), src);
            }
        }
    }
    rig.run(duration);
    log.finish();
}

}  // namespace weir::test
