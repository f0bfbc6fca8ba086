#include "weir/model/switch/block_kinds.h"

#include <utility>

#include "weir/model/crossbar/islip.h"
#include "weir/model/crossbar/maximum_size.h"
#include "weir/model/crossbar/pim.h"
#include "weir/model/crossbar/round_robin.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/memory/memory_organisation.h"

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
        {"rtl", in_the_loop, {make_tcam}},
    };
    return list;
}

// --- choice of a port -------------------------------------------------------------------------------------

template <balance_policy Policy>
static std::unique_ptr<block_module<port_selector_if>> make_selector(const block_setup& setup) {
    const switch_parameters& parameters = setup.parameters;
    return std::make_unique<port_selector_block>(
        "port_selector", Policy, hash_salt(parameters.device.hash_salt, parameters.seed, setup.index));
}
template <balance_policy Policy>
static std::unique_ptr<block_module<port_selector_if>> make_by_levels(const block_setup& setup) {
    return std::make_unique<modulo_selector_block>("port_selector", Policy, setup.parameters.place);
}

registry<balance_policy, balance_traits>& balance_policies() {
    using p = balance_policy;
    static registry<balance_policy, balance_traits> list{
        {"flow_hash",
         "a flow keeps its port (ECMP)",
         {{make_selector<p::flow_hash>}, true, false, false, false, true}},
        {"packet_scatter", "a random acceptable port per frame", {{make_selector<p::packet_scatter>}}},
        {"adaptive",
         "a random favoured port per frame, by drain bytes (DeTail 6.2)",
         {{make_selector<p::adaptive>}, false, false, false, true}},
        {"least_loaded",
         "the port with the fewest drain bytes, per frame",
         {{make_selector<p::least_loaded>}, false, false, true}},
        {"d_mod_k",
         "up a tree by the destination's number, level by level",
         {{make_by_levels<p::d_mod_k>}, true, true}},
        {"s_mod_k",
         "up a tree by the source's number, level by level",
         {{make_by_levels<p::s_mod_k>}, true, true}},
    };
    return list;
}

// --- memories ---------------------------------------------------------------------------------------------

static std::unique_ptr<block_module<ingress_buffer_if>> make_ingress(const block_setup& setup) {
    const switch_parameters& parameters = setup.parameters;
    auto memory = std::make_unique<ingress_buffer_block>("ingress_buffer", setup.slab, setup.port_count(),
                                                         parameters.device.classes);
    for (unsigned port = 0; port < setup.port_count(); ++port) {
        ingress_limits limits =
            resolve_flow_control(parameters.device, parameters.flow_control, setup.ports[port]).limits;
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

template <class Algorithm>
static arbiter_traits of_ports(const char* name) {
    return {{[name](const block_setup& setup) {
                return std::make_unique<arbiter_block<Algorithm>>(name, setup.port_count());
            }},
            true};
}

static std::unique_ptr<block_module<arbiter_if>> make_pim(const block_setup& setup) {
    const random_stream chance{setup.parameters.seed, setup.index, random_purpose::arbitration};
    return std::make_unique<arbiter_block<pim>>("pim", setup.port_count(), chance);
}

registry<arbiter_kind, arbiter_traits>& arbiter_kinds() {
    static registry<arbiter_kind, arbiter_traits> list{
        {"islip", "prioritised iSLIP (McKeown 1999)", of_ports<islip>("islip")},
        {"pim", "parallel iterative matching: random grants and accepts (Anderson 1993)", {{make_pim}, true}},
        {"round_robin", "as islip, but the pointers move at every grant and therefore do not desynchronise",
         of_ports<round_robin>("round_robin")},
        {"maximum_size", "maximum-size matching: an upper bound for comparison, not a hardware algorithm",
         of_ports<maximum_size>("maximum_size")},
        {"rtl", "islip as RTL, simulated with Verilator, in the switches that rtl.switches names",
         of_ports<islip>("islip")},
    };
    return list;
}

// --- scheduler and PFC ------------------------------------------------------------------------------------

template <scheduler_kind Kind>
static std::unique_ptr<block_module<scheduler_if>> make_scheduler(const block_setup& setup) {
    scheduler_config config = setup.parameters.device.egress_scheduler();
    config.algorithm = Kind;
    return std::make_unique<scheduler_block>("scheduler", setup.port_count(), config);
}

registry<scheduler_kind, scheduler_traits>& scheduler_kinds() {
    static registry<scheduler_kind, scheduler_traits> list{
        {"strict", "the most urgent class first", {{make_scheduler<scheduler_kind::strict>}}},
        {"deficit_round_robin",
         "by weights, in bytes (Shreedhar 1995)",
         {{make_scheduler<scheduler_kind::deficit_round_robin>}, true}},
    };
    return list;
}

registry<pfc_kind, block_traits<pfc_if>>& pfc_kinds() {
    static registry<pfc_kind, block_traits<pfc_if>> list{
        {"model", "the model", {}},
        {"rtl", in_the_loop, {}},
    };
    return list;
}

}  // namespace weir::model
