// NewReno that reads telemetry: the window gives up what waits beyond a target in the fullest queue of the
// path, once for each window of data. No queue on the way has to be full, or to mark, before senders slow down.
#pragma once

#include <algorithm>
#include <memory>

#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/newreno.h"

namespace outside {

struct shallow_queue_state : weir::traffic::newreno_state {
    /// End of what had been sent when the window was last cut. Unit: B.
    std::uint64_t cut_until;
};

class shallow_queue final : public weir::traffic::newreno {
 public:
    shallow_queue(const weir::traffic::tcp_config& tcp, weir::bytes target)
        : newreno(tcp.mss, tcp.slow_start_limit), m_target(static_cast<std::uint64_t>(target.count())) {}

    std::size_t state_bytes() const override { return sizeof(shallow_queue_state); }
    bool wants_telemetry() const override { return true; }

    void on_ack(weir::traffic::congestion_state& s, const weir::traffic::ack_event& ack) const override {
        const std::uint64_t queued = ack.telemetry != nullptr ? fullest(*ack.telemetry) : 0;
        auto& own = static_cast<shallow_queue_state&>(s);
        if (queued <= m_target) {
            newreno::on_ack(s, ack);
        } else if (ack.una > own.cut_until) {
            const std::uint64_t left = s.cwnd - std::min(s.cwnd / 2, queued - m_target);
            s.cwnd = s.ssthresh = std::max(left, 2 * mss());
            own.counted = 0;
            own.cut_until = ack.max;
        }
    }

 private:
    static std::uint64_t fullest(const weir::frame_annex& annex) {
        std::uint64_t most = 0;
        for (unsigned hop = 0; hop < annex.size(); ++hop) {
            most = std::max<std::uint64_t>(most, annex.records[hop].queued_bytes);
        }
        return most;
    }

    std::uint64_t m_target;
};

inline weir::traffic::congestion_kind add_shallow_queue(weir::bytes target) {
    return weir::traffic::congestion_kinds().add({"shallow_queue",
                                                  "keeps queues short by what switches say of them",
                                                  [target](const weir::traffic::tcp_config& tcp) {
                                                      return std::make_unique<shallow_queue>(tcp, target);
                                                  }});
}

}  // namespace outside
