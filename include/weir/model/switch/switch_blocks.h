// The default modules behind a switch's ports: thin shells around the kernel-free algorithms.
//
// A shell exports its interface under `block`, so it is bound as `device.arbiter.bind(shell.block)`. One
// instance serves a whole switch. `switch_node` makes a default one for each port that nobody bound.
#pragma once

#include <cstdint>
#include <utility>

#include "weir/model/forwarding/tcam.h"
#include "weir/model/memory/egress_buffer.h"
#include "weir/model/memory/ingress_buffer.h"
#include "weir/model/switch/block_interfaces.h"

namespace weir::model {

/// Common part: an sc_module that implements one interface and exports it. The interface is the first base,
/// so that a call through it needs no adjustment.
template <class Interface>
class block_module : public Interface, public sc_core::sc_module {
 public:
    explicit block_module(sc_core::sc_module_name name) : sc_module(name), block("block") { block.bind(*this); }
    sc_core::sc_export<Interface> block;
};

class tcam_block : public block_module<lookup_if> {
 public:
    tcam_block(sc_core::sc_module_name name, const tcam_config& config)
        : block_module(name), m_table(config), m_entries(config.entries) {}

    const port_bitmap& lookup(ipv4_address destination) override {
        return m_table.lookup_ports(to_uint(destination));
    }
    void load(const std::vector<route_entry>& routes) override;
    tcam& algorithm() { return m_table; }

 private:
    tcam m_table;
    std::uint32_t m_entries;
    std::uint32_t m_used = 0;
};

template <class Algorithm>
class selector_block : public block_module<port_selector_if> {
 public:
    template <class... Arguments>
    explicit selector_block(sc_core::sc_module_name name, Arguments&&... arguments)
        : block_module(name), m_algorithm(std::forward<Arguments>(arguments)...) {}

    unsigned select(const port_choice& choice) override { return m_algorithm.select(choice); }
    Algorithm& algorithm() { return m_algorithm; }

 private:
    Algorithm m_algorithm;
};

template <class Algorithm>
class arbiter_block : public block_module<arbiter_if> {
 public:
    template <class... Arguments>
    explicit arbiter_block(sc_core::sc_module_name name, Arguments&&... arguments)
        : block_module(name), m_algorithm(std::forward<Arguments>(arguments)...) {}

    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations,
                   std::vector<crossbar_match>& matches) override {
        m_algorithm.arbitrate(requests, free_ingress, free_egress, iterations, matches);
    }
    bool arbitrate_lone(const crossbar_match& pair) override { return m_algorithm.arbitrate_lone(pair); }
    Algorithm& algorithm() { return m_algorithm; }

 private:
    Algorithm m_algorithm;
};

template <class Algorithm>
class scheduler_block : public block_module<scheduler_if> {
 public:
    template <class... Arguments>
    explicit scheduler_block(sc_core::sc_module_name name, Arguments&&... arguments)
        : block_module(name), m_algorithm(std::forward<Arguments>(arguments)...) {}

    int select(unsigned port, class_mask eligible, const std::uint32_t* head_bytes) override {
        return m_algorithm.select(port, eligible, head_bytes);
    }
    void sent(unsigned port, int c, std::uint32_t length) override { m_algorithm.sent(port, c, length); }
    void drained(unsigned port, class_mask classes) override { m_algorithm.drained(port, classes); }

 private:
    Algorithm m_algorithm;
};

class ingress_buffer_block : public block_module<ingress_buffer_if> {
 public:
    ingress_buffer_block(sc_core::sc_module_name name, frame_slab& slab, unsigned ports, unsigned classes)
        : block_module(name), m_buffer(slab, ports, classes) {}

    charge_result charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return m_buffer.charge(port, c, length, now);
    }
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return m_buffer.release(port, c, length, now);
    }
    bool enqueue(frame_slot slot) override { return m_buffer.enqueue(slot); }
    frame_slot head(unsigned ingress_port, unsigned egress_port, pfc_class c) override {
        return m_buffer.head(ingress_port, egress_port, c);
    }
    bool dequeue(unsigned ingress_port, unsigned egress_port, pfc_class c) override {
        return m_buffer.dequeue(ingress_port, egress_port, c);
    }
    bytes occupancy(unsigned port) const override { return m_buffer.occupancy(port); }
    const occupancy_meter* meter(unsigned port, pfc_class c) const override { return m_buffer.meter(port, c); }
    void settle(picoseconds now) override { m_buffer.settle(now); }
    void restart_statistics(picoseconds now) override { m_buffer.restart_statistics(now); }
    ingress_buffer& algorithm() { return m_buffer; }

 private:
    ingress_buffer m_buffer;
};

class egress_buffer_block : public block_module<egress_buffer_if> {
 public:
    egress_buffer_block(sc_core::sc_module_name name, frame_slab& slab, const switch_config& config,
                        unsigned ports)
        : block_module(name), m_buffer(slab, config, ports) {}

    class_mask room(unsigned port) const override { return m_buffer.room(port); }
    class_mask reserve(unsigned port, pfc_class c, std::uint32_t length) override {
        return m_buffer.reserve(port, c, length);
    }
    void commit(frame_slot slot, picoseconds now) override { m_buffer.commit(slot, now); }
    bool admit(frame_slot slot, picoseconds now) override { return m_buffer.admit(slot, now); }
    class_mask backlog(unsigned port) const override { return m_buffer.backlog(port); }
    frame_slot head(unsigned port, pfc_class c) const override { return m_buffer.head(port, c); }
    frame_slot dequeue(unsigned port, pfc_class c) override { return m_buffer.dequeue(port, c); }
    frame_slot next(unsigned port, pfc_class c) const override { return m_buffer.next(port, c); }
    eviction evict(frame_slot newcomer) override { return m_buffer.evict(newcomer); }
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return m_buffer.release(port, c, length, now);
    }
    const egress_view& view() const override { return m_buffer.view(); }
    bytes occupancy(unsigned port) const override { return m_buffer.occupancy(port); }
    const occupancy_meter* meter(unsigned port, pfc_class c) const override { return m_buffer.meter(port, c); }
    void settle(picoseconds now) override { m_buffer.settle(now); }
    void restart_statistics(picoseconds now) override { m_buffer.restart_statistics(now); }
    egress_buffer& algorithm() { return m_buffer; }

 private:
    egress_buffer m_buffer;
};

}  // namespace weir::model
