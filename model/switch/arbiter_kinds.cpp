#include "weir/model/switch/arbiter_kinds.h"

#include "weir/model/crossbar/islip.h"
#include "weir/model/crossbar/maximum_size.h"
#include "weir/model/crossbar/pim.h"
#include "weir/model/crossbar/round_robin.h"

namespace weir::model {

template <class Algorithm>
static arbiter_traits of_ports(const char* name) {
    return {[name](const arbiter_setup& setup) {
                return std::make_unique<arbiter_block<Algorithm>>(name, setup.ports);
            },
            true};
}

static std::unique_ptr<block_module<arbiter_if>> make_pim(const arbiter_setup& setup) {
    const random_stream chance{setup.seed, setup.node, random_purpose::arbitration};
    return std::make_unique<arbiter_block<pim>>("pim", setup.ports, chance);
}

registry<arbiter_kind, arbiter_traits>& arbiter_kinds() {
    static registry<arbiter_kind, arbiter_traits> list{
        {"islip", "prioritised iSLIP (McKeown 1999)", of_ports<islip>("islip")},
        {"pim", "parallel iterative matching: random grants and accepts (Anderson 1993)", {make_pim, true}},
        {"round_robin", "as islip, but the pointers move at every grant and therefore do not desynchronise",
         of_ports<round_robin>("round_robin")},
        {"maximum_size", "maximum-size matching: an upper bound for comparison, not a hardware algorithm",
         of_ports<maximum_size>("maximum_size")},
        {"rtl", "islip as RTL, simulated with Verilator, in the switches that rtl.switches names",
         of_ports<islip>("islip")},
    };
    return list;
}

}  // namespace weir::model
