// NewReno that listens to marks (RFC 3168): data is sent as ECT(0), and a window of which some segment came
// marked is halved as if one had been lost, at most once per window of data. The ACK that tells so does not
// make the window grow. Receivers repeat ECE until the sender's CWR has come.
//
//   newreno_ecn algorithm{1460_B};
//   newreno_ecn_state s;
//   algorithm.open(s, 3 * 1460, 1 << 20);
#pragma once

#include "weir/traffic/congestion/newreno.h"

namespace weir::traffic {

struct newreno_ecn_state : newreno_state {
    /// End of what had been sent when the window was last cut for a mark, or for a timeout. Unit: B.
    std::uint64_t cut_until = 0;
};

class newreno_ecn : public newreno {
 public:
    using newreno::newreno;

    std::size_t state_bytes() const override { return sizeof(newreno_ecn_state); }
    void on_ack(congestion_state& s, const ack_event& ack) const override;
    void on_partial_ack(congestion_state& s, const ack_event& ack) const override;
    void on_recovered(congestion_state& s, const ack_event& ack) const override;
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override;
    bool ecn_capable() const override { return true; }
    bool latches_echo() const override { return true; }

    /// Cuts the window because segments of it were marked. `flight`: bytes sent and not confirmed.
    void on_marks(congestion_state& s, std::uint64_t flight) const;
    /// What an ACK of new data says of marks, whether or not the window may change: in recovery too.
    virtual void note_marks(congestion_state&, const ack_event&) const {}

 private:
    /// What marks leave of the window, before the limit of two segments.
    virtual std::uint64_t left_by_marks(const congestion_state& s, std::uint64_t flight) const;
};

}  // namespace weir::traffic
