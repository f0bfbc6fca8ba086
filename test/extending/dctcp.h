// DCTCP (RFC 8257): NewReno, but marks cut the window by half of the share of bytes that came back marked.
#pragma once

#include <algorithm>
#include <memory>

#include "weir/traffic/congestion/newreno.h"
#include "weir/traffic/tcp/congestion_kinds.h"

namespace outside {

struct dctcp_config {
    /// g, the weight of the latest window in the estimate. RFC 8257 4.2: 1/16.
    double gain = 1.0 / 16;
};

struct dctcp_state : weir::traffic::newreno_state {
    /// Estimate of the share of bytes that are marked. At first 1: the first mark halves the window.
    double alpha;
    /// Bytes confirmed in this window of data, and those of them by ACKs with ECE.
    std::uint64_t acked;
    std::uint64_t marked;
    /// End of this window of data, and of the one in which the congestion window was last cut.
    std::uint64_t window_end;
    std::uint64_t cut_until;
};

class dctcp final : public weir::traffic::newreno {
 public:
    dctcp(const weir::traffic::tcp_config& tcp, const dctcp_config& config)
        : newreno(tcp.mss, tcp.slow_start_limit), m_gain(config.gain) {}

    std::size_t state_bytes() const override { return sizeof(dctcp_state); }
    bool ecn_capable() const override { return true; }

    void open(weir::traffic::congestion_state& s, std::uint64_t initial_window,
              std::uint64_t ssthresh) const override {
        newreno::open(s, initial_window, ssthresh);
        own(s).alpha = 1;
    }
    void on_ack(weir::traffic::congestion_state& s, const weir::traffic::ack_event& ack) const override {
        count(own(s), ack);
        if (!ack.ecn_echo) {
            newreno::on_ack(s, ack);
        } else if (ack.una > own(s).cut_until) {  // once for each window of data, as RFC 3168 says
            const auto cut = static_cast<std::uint64_t>(static_cast<double>(s.cwnd) * (1 - own(s).alpha / 2));
            s.cwnd = s.ssthresh = std::max(cut, 2 * mss());
            own(s).counted = 0;
            own(s).cut_until = ack.max;
        }
    }
    // Losses are NewReno's; what these ACKs say of marks counts all the same.
    void on_partial_ack(weir::traffic::congestion_state& s,
                        const weir::traffic::ack_event& ack) const override {
        count(own(s), ack);
        newreno::on_partial_ack(s, ack);
    }
    void on_recovered(weir::traffic::congestion_state& s, const weir::traffic::ack_event& ack) const override {
        count(own(s), ack);
        newreno::on_recovered(s, ack);
    }

 private:
    static dctcp_state& own(weir::traffic::congestion_state& s) { return static_cast<dctcp_state&>(s); }

    /// RFC 8257 3.3, steps 1 to 8.
    void count(dctcp_state& s, const weir::traffic::ack_event& ack) const {
        s.acked += ack.acked_bytes;
        s.marked += ack.ecn_echo ? ack.acked_bytes : 0;
        if (ack.una <= s.window_end) {
            return;
        }
        const double share = static_cast<double>(s.marked) / static_cast<double>(s.acked);
        s.alpha = s.alpha * (1 - m_gain) + m_gain * share;
        s.acked = s.marked = 0;
        s.window_end = ack.max;
    }

    double m_gain;
};

inline weir::traffic::congestion_kind add_dctcp(const dctcp_config& config = {}) {
    return weir::traffic::congestion_kinds().add(
        {"dctcp", "RFC 8257",
         [config](const weir::traffic::tcp_config& tcp) { return std::make_unique<dctcp>(tcp, config); }});
}

}  // namespace outside
