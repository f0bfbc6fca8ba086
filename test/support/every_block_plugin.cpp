// A plugin with a kind of each block of a switch: `copy` hands every call to the model's block, so that a run
// writes the same bytes, as do copies of adaptive balancing and of deficit round robin; `mac.pfc = silent`
// never asks for a pause, and obeys none.
#include <memory>
#include <utility>

#include "weir/base/plugin.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::model {
namespace {

template <class Interface>
class copy_of : public block_module<Interface> {
 public:
    copy_of(sc_core::sc_module_name name, std::unique_ptr<block_module<Interface>> model)
        : block_module<Interface>(name), m_model(std::move(model)) {}

 protected:
    Interface& model() { return *m_model; }
    const Interface& model() const { return *m_model; }

 private:
    std::unique_ptr<block_module<Interface>> m_model;
};

struct lookup_copy : copy_of<lookup_if> {
    using copy_of::copy_of;
    const port_bitmap& lookup(ipv4_address destination) override { return model().lookup(destination); }
    void load(const std::vector<route_entry>& routes) override { model().load(routes); }
};

struct selector_copy : copy_of<port_selector_if> {
    using copy_of::copy_of;
    unsigned select(const port_choice& choice) override { return model().select(choice); }
};

struct arbiter_copy : copy_of<arbiter_if> {
    using copy_of::copy_of;
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations,
                   std::vector<crossbar_match>& matches) override {
        model().arbitrate(requests, free_ingress, free_egress, iterations, matches);
    }
};

struct scheduler_copy : copy_of<scheduler_if> {
    using copy_of::copy_of;
    int select(unsigned port, class_mask eligible, const std::uint32_t* head_bytes) override {
        return model().select(port, eligible, head_bytes);
    }
    void sent(unsigned port, int c, std::uint32_t length) override { model().sent(port, c, length); }
    void drained(unsigned port, class_mask classes) override { model().drained(port, classes); }
};

struct ingress_copy : copy_of<ingress_buffer_if> {
    using copy_of::copy_of;
    charge_result charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return model().charge(port, c, length, now);
    }
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return model().release(port, c, length, now);
    }
    bool enqueue(frame_slot slot) override { return model().enqueue(slot); }
    frame_slot head(unsigned ingress_port, unsigned egress_port, pfc_class c) override {
        return model().head(ingress_port, egress_port, c);
    }
    bool dequeue(unsigned ingress_port, unsigned egress_port, pfc_class c) override {
        return model().dequeue(ingress_port, egress_port, c);
    }
    bytes occupancy(unsigned port) const override { return model().occupancy(port); }
    const occupancy_meter* meter(unsigned port, pfc_class c) const override { return model().meter(port, c); }
    void settle(picoseconds now) override { model().settle(now); }
    void restart_statistics(picoseconds now) override { model().restart_statistics(now); }
};

struct egress_copy : copy_of<egress_buffer_if> {
    using copy_of::copy_of;
    class_mask room(unsigned port) const override { return model().room(port); }
    class_mask reserve(unsigned port, pfc_class c, std::uint32_t length) override {
        return model().reserve(port, c, length);
    }
    void commit(frame_slot slot, picoseconds now) override { model().commit(slot, now); }
    bool admit(frame_slot slot, picoseconds now) override { return model().admit(slot, now); }
    class_mask backlog(unsigned port) const override { return model().backlog(port); }
    frame_slot head(unsigned port, pfc_class c) const override { return model().head(port, c); }
    frame_slot next(unsigned port, pfc_class c) const override { return model().next(port, c); }
    frame_slot dequeue(unsigned port, pfc_class c) override { return model().dequeue(port, c); }
    eviction evict(frame_slot newcomer) override { return model().evict(newcomer); }
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return model().release(port, c, length, now);
    }
    const egress_view& view() const override { return model().view(); }
    bytes occupancy(unsigned port) const override { return model().occupancy(port); }
    const occupancy_meter* meter(unsigned port, pfc_class c) const override { return model().meter(port, c); }
    void settle(picoseconds now) override { model().settle(now); }
    void restart_statistics(picoseconds now) override { model().restart_statistics(now); }
};

struct silent_pfc : block_module<pfc_if> {
    explicit silent_pfc(sc_core::sc_module_name name) : block_module(name) {}
    picoseconds arrive(unsigned, const ethernet_frame&, picoseconds now, picoseconds) override { return now; }
    class_mask paused(unsigned, picoseconds) override { return 0; }
    picoseconds next_change(unsigned) const override { return never; }
    void request(unsigned, class_mask, bool, picoseconds) override {}
    const pause_fields* offer(unsigned, picoseconds) override { return nullptr; }
    void sent(unsigned, picoseconds) override {}
    picoseconds next_offer(unsigned) const override { return never; }
    void set_rate(unsigned, bit_rate) override {}
    void clear(unsigned, picoseconds) override {}
};

template <class Copy, class Kind, class Traits>
void add_copy(registry<Kind, Traits>& kinds, const char* name = "copy", Kind of = Kind{}) {
    Traits traits = kinds[of];
    const auto model = traits.make;
    traits.make = [model](const block_setup& setup) {
        auto inner = model(setup);
        const std::string module = std::string(inner->basename()) + "_copy";
        return std::make_unique<Copy>(module.c_str(), std::move(inner));
    };
    kinds.add({name, "the model, called by a plugin", traits});
}

}  // namespace
}  // namespace weir::model

WEIR_PLUGIN(every_block) {
    using namespace weir::model;
    add_copy<lookup_copy>(lookup_kinds());
    add_copy<selector_copy>(balance_policies());
    add_copy<selector_copy>(balance_policies(), "adaptive_copy", weir::named<balance_policy>("adaptive"));
    add_copy<ingress_copy>(ingress_memory_kinds());
    add_copy<arbiter_copy>(arbiter_kinds());
    add_copy<egress_copy>(egress_memory_kinds());
    add_copy<scheduler_copy>(scheduler_kinds());
    add_copy<scheduler_copy>(scheduler_kinds(), "round_robin_copy",
                             weir::named<scheduler_kind>("deficit_round_robin"));
    pfc_kinds().add({"silent", "never asks for a pause", {[](const block_setup&) {
                         return std::make_unique<silent_pfc>("silent_pfc");
                     }}});
}
