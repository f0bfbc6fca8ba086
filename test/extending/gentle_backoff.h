// Alternative backoff with ECN (RFC 8511): a mark says that a queue has begun, not that one is full, so it cuts
// the window less than a loss does.
#pragma once

#include <cstdint>
#include <memory>

#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/newreno_ecn.h"

namespace outside {

class gentle_backoff final : public weir::traffic::newreno_ecn {
 public:
    /// `left`: beta_ecn, the share of the window that a mark leaves. RFC 8511 3.1: 0.7 to 0.85.
    gentle_backoff(const weir::traffic::tcp_config& tcp, double left)
        : weir::traffic::newreno_ecn(tcp.mss, tcp.slow_start_limit, tcp.avoidance), m_left(left) {}

    void on_marks(weir::traffic::congestion_state& s, std::uint64_t) const override {
        cut_to(s, static_cast<std::uint64_t>(static_cast<double>(s.cwnd) * m_left));
    }

 private:
    double m_left;
};

inline weir::traffic::congestion_kind add_gentle_backoff(double left = 0.8) {
    return weir::traffic::congestion_kinds().add(
        {"abe", "RFC 8511",
         [left](const weir::traffic::tcp_config& tcp) { return std::make_unique<gentle_backoff>(tcp, left); }});
}

}  // namespace outside
