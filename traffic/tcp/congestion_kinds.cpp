#include "weir/traffic/tcp/congestion_kinds.h"

#include "weir/traffic/congestion/dctcp.h"

namespace weir::traffic {

template <class Algorithm>
static std::unique_ptr<const congestion_control> make(const tcp_config& tcp) {
    return std::make_unique<const Algorithm>(tcp.mss, tcp.slow_start_limit, tcp.avoidance);
}

static std::unique_ptr<const congestion_control> make_dctcp(const tcp_config& tcp) {
    return std::make_unique<const dctcp>(tcp.mss, tcp.slow_start_limit, tcp.avoidance, tcp.dctcp_g);
}

registry<congestion_kind, congestion_maker>& congestion_kinds() {
    static registry<congestion_kind, congestion_maker> list{
        {"newreno", "RFC 5681 and RFC 6582; does not listen to marks", make<newreno>},
        {"newreno_ecn", "NewReno that takes marks as losses (RFC 3168)", make<newreno_ecn>},
        {"dctcp", "marks cut the window by half of the share of bytes that are marked (RFC 8257)", make_dctcp},
    };
    return list;
}

}  // namespace weir::traffic
