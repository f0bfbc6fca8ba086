#include "weir/traffic/congestion/congestion_kinds.h"

#include "weir/traffic/congestion/classic_ecn.h"
#include "weir/traffic/congestion/cubic.h"
#include "weir/traffic/congestion/dctcp.h"
#include "weir/traffic/congestion/vegas.h"

namespace weir::traffic {

template <class Algorithm>
static std::unique_ptr<const congestion_control> make(const tcp_config& tcp) {
    return std::make_unique<const Algorithm>(tcp.mss, tcp.slow_start_limit, tcp.avoidance);
}

static std::unique_ptr<const congestion_control> make_dctcp(const tcp_config& tcp) {
    return std::make_unique<const dctcp>(tcp.mss, tcp.slow_start_limit, tcp.avoidance, tcp.dctcp_g,
                                         tcp.dctcp_initial_alpha);
}

template <class Algorithm>
static std::unique_ptr<const congestion_control> make_cubic(const tcp_config& tcp) {
    return std::make_unique<const Algorithm>(tcp.mss, tcp.slow_start_limit, tcp.cubic);
}

template <class Algorithm>
static std::unique_ptr<const congestion_control> make_vegas(const tcp_config& tcp) {
    return std::make_unique<const Algorithm>(tcp.mss, tcp.slow_start_limit, tcp.vegas);
}

registry<congestion_kind, congestion_maker>& congestion_kinds() {
    static registry<congestion_kind, congestion_maker> list{
        {"newreno", "RFC 5681 and RFC 6582; does not listen to marks", make<newreno>},
        {"newreno_ecn", "NewReno that takes marks as losses (RFC 3168)", make<newreno_ecn>},
        {"dctcp", "marks cut the window by half of the share of bytes that are marked (RFC 8257)", make_dctcp},
        {"cubic", "the window is a cubic function of time (RFC 9438); does not listen to marks",
         make_cubic<cubic>},
        {"cubic_ecn", "CUBIC that takes marks as losses (RFC 3168)", make_cubic<classic_ecn<cubic>>},
        {"vegas", "keeps a few segments waiting in queues (Brakmo and Peterson 1995); does not listen to marks",
         make_vegas<vegas>},
        {"vegas_ecn", "Vegas that takes marks as losses (RFC 3168)", make_vegas<classic_ecn<vegas>>},
    };
    return list;
}

congestion_kind default_congestion(bool switches_mark) {
    return switches_mark ? named<congestion_kind>("newreno_ecn") : congestion_kind{};
}

}  // namespace weir::traffic
