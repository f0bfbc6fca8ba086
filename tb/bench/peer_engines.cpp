#include "tb/bench/peer_engines.h"

#include "tb/bench/htsim_engine.h"
#include "tb/bench/ns3_engine.h"

namespace weir::tb {

std::unique_ptr<compiled_peer> make_peer(const bench_arguments& arguments, const std::filesystem::path& work) {
    if (arguments.against == "ns3") {
        return std::make_unique<ns3_engine>(work);
    }
    if (arguments.against == "htsim") {
        return std::make_unique<htsim_engine>(arguments.htsim, work);
    }
    return nullptr;
}

}  // namespace weir::tb
