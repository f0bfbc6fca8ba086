#include "weir/model/switch/block_kinds.h"

#include <type_traits>
#include <utility>

#include "weir/model/crossbar/islip.h"
#include "weir/model/crossbar/maximum_size.h"
#include "weir/model/crossbar/pim.h"
#include "weir/model/crossbar/round_robin.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/forwarding/adaptive_selector.h"
#include "weir/model/forwarding/flow_hash_selector.h"
#include "weir/model/forwarding/least_loaded_selector.h"
#include "weir/model/forwarding/packet_scatter_selector.h"
#include "weir/model/scheduling/deficit_round_robin.h"
#include "weir/model/scheduling/strict_priority.h"
#include "weir/model/switch/input_buffered_path.h"
#include "weir/model/switch/output_queued_path.h"
#include "weir/model/switch/partitioned_path.h"
#include "weir/model/switch/shared_path.h"

namespace weir::model {

constexpr const char* in_the_loop =
    "the project's RTL, simulated with Verilator, in the switches that rtl.switches names";

// --- lookup -----------------------------------------------------------------------------------------------

static std::unique_ptr<block_module<lookup_if>> make_tcam(const block_setup& setup) {
    tcam_config config;
    config.entries = setup.parameters.device.tcam_entries;
    return std::make_unique<tcam_block>("tcam", config);
}

registry<lookup_kind, block_traits<lookup_if>>& lookup_kinds() {
    static registry<lookup_kind, block_traits<lookup_if>> list{
        {"model", "the model", {make_tcam}},
        {"rtl", in_the_loop, {make_tcam, true}},
    };
    return list;
}

// --- choice of a port -------------------------------------------------------------------------------------

/// A selector is made of the salt of the switch's flow hash, of its place in the fabric, or of nothing.
template <class Selector>
static registry<balance_policy, balance_traits>::entry selector_kind() {
    balance_traits traits{{}, Selector::facts};
    traits.make = [](const block_setup& setup) -> std::unique_ptr<block_module<port_selector_if>> {
        using block = selector_block<Selector>;
        const switch_parameters& parameters = setup.parameters;
        if constexpr (std::is_constructible_v<Selector, std::uint64_t>) {
            return std::make_unique<block>(
                "port_selector", hash_salt(parameters.device.hash_salt, parameters.seed, setup.index));
        } else if constexpr (std::is_constructible_v<Selector, fabric_place>) {
            return std::make_unique<block>("port_selector", parameters.place);
        } else {
            return std::make_unique<block>("port_selector");
        }
    };
    return {Selector::kind.name, Selector::kind.doc, traits};
}

registry<balance_policy, balance_traits>& balance_policies() {
    static registry<balance_policy, balance_traits> list{
        selector_kind<flow_hash_selector>(), selector_kind<packet_scatter_selector>(),
        selector_kind<adaptive_selector>(),  selector_kind<least_loaded_selector>(),
        selector_kind<d_mod_k_selector>(),   selector_kind<s_mod_k_selector>(),
    };
    return list;
}

// --- memories ---------------------------------------------------------------------------------------------

registry<buffer_kind, memory_organisation>& memory_organisations() {
    static registry<buffer_kind, memory_organisation> list{
        partitioned_path::kind(), shared_path::kind(), output_queued_path::kind(), input_buffered_path::kind()};
    return list;
}

static std::unique_ptr<block_module<ingress_buffer_if>> make_ingress(const block_setup& setup) {
    const switch_parameters& parameters = setup.parameters;
    auto memory = std::make_unique<ingress_buffer_block>("ingress_buffer", setup.slab, setup.port_count(),
                                                         parameters.device.classes);
    for (unsigned port = 0; port < setup.port_count(); ++port) {
        ingress_limits limits = setup.thresholds[port].limits;
        if (organisation_of(parameters.device).is_shared) {
            // The shared memory decides; here a group's frames are only counted.
            limits.xoff = limits.xon = ingress_limits::no_threshold;
        }
        memory->algorithm().set_limits(port, limits);
    }
    return memory;
}

registry<ingress_memory_kind, block_traits<ingress_buffer_if>>& ingress_memory_kinds() {
    static registry<ingress_memory_kind, block_traits<ingress_buffer_if>> list{
        {"model", "the model", {make_ingress}}};
    return list;
}

static std::unique_ptr<block_module<egress_buffer_if>> make_egress(const block_setup& setup) {
    auto memory = std::make_unique<egress_buffer_block>("egress_buffer", setup.slab, setup.parameters.device,
                                                        setup.port_count());
    if (setup.keeps_drain_bytes) {
        memory->algorithm().keep_drain_bytes();
    }
    return memory;
}

registry<egress_memory_kind, block_traits<egress_buffer_if>>& egress_memory_kinds() {
    static registry<egress_memory_kind, block_traits<egress_buffer_if>> list{
        {"model", "the model", {make_egress}}};
    return list;
}

// --- arbiter ----------------------------------------------------------------------------------------------

/// An arbiter is made of its number of ports, and of a random stream if it takes one.
template <class Arbiter>
static registry<arbiter_kind, arbiter_traits>::entry arbiter_of() {
    arbiter_traits traits{{}, true};
    traits.make = [](const block_setup& setup) -> std::unique_ptr<block_module<arbiter_if>> {
        using block = arbiter_block<Arbiter>;
        if constexpr (std::is_constructible_v<Arbiter, unsigned, random_stream>) {
            return std::make_unique<block>(
                Arbiter::kind.name, setup.port_count(),
                random_stream{setup.parameters.seed, setup.index, random_purpose::arbitration});
        } else {
            return std::make_unique<block>(Arbiter::kind.name, setup.port_count());
        }
    };
    return {Arbiter::kind.name, Arbiter::kind.doc, traits};
}

static registry<arbiter_kind, arbiter_traits>::entry islip_as_rtl() {
    auto entry = arbiter_of<islip>();
    entry.name = "rtl";
    entry.doc = "islip as RTL, simulated with Verilator, in the switches that rtl.switches names";
    entry.traits.is_rtl = true;
    return entry;
}

registry<arbiter_kind, arbiter_traits>& arbiter_kinds() {
    static registry<arbiter_kind, arbiter_traits> list{
        arbiter_of<islip>(),        arbiter_of<pim>(), arbiter_of<round_robin>(),
        arbiter_of<maximum_size>(), islip_as_rtl(),
    };
    return list;
}

// --- scheduler and PFC ------------------------------------------------------------------------------------

/// A scheduler is made of its number of ports and the weights of classes, or of nothing.
template <class Scheduler>
static registry<scheduler_kind, scheduler_traits>::entry scheduler_of() {
    scheduler_traits traits{{}, Scheduler::facts};
    traits.make = [](const block_setup& setup) -> std::unique_ptr<block_module<scheduler_if>> {
        using block = scheduler_block<Scheduler>;
        if constexpr (std::is_constructible_v<Scheduler, unsigned, weights_config>) {
            return std::make_unique<block>("scheduler", setup.port_count(), setup.parameters.device.shares());
        } else {
            return std::make_unique<block>("scheduler");
        }
    };
    return {Scheduler::kind.name, Scheduler::kind.doc, traits};
}

registry<scheduler_kind, scheduler_traits>& scheduler_kinds() {
    static registry<scheduler_kind, scheduler_traits> list{
        scheduler_of<strict_priority>(),
        scheduler_of<deficit_round_robin>(),
    };
    return list;
}

registry<pfc_kind, pfc_traits>& pfc_kinds() {
    static registry<pfc_kind, pfc_traits> list{
        {"model", "the model", {{}, true}},
        {"rtl", in_the_loop, {{nullptr, true}, false}},
    };
    return list;
}

}  // namespace weir::model
