// A window that listens to marks (RFC 3168, "classic" ECN): data is sent as ECT(0), and a window of data of
// which some segment came marked cuts the window as a loss would, at most once. The ACK that tells so does not
// make the window grow. Receivers repeat ECE until the sender's CWR has come.
//
// `Window` is newreno or derives from it, and has grow(); its state is `Window::state`.
//
//   classic_ecn<newreno> algorithm{1460_B};
//   classic_ecn<newreno>::state s;
//   algorithm.open(s, 3 * 1460, 1 << 20);
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/traffic/congestion/newreno.h"

namespace weir::traffic {

template <class Window>
class classic_ecn : public Window {
 public:
    struct state : Window::state {
        /// End of what had been sent when the window was last cut for a mark, or for a timeout. 0: never. Unit:
        /// B.
        std::uint64_t cut_until = 0;
    };

    using Window::Window;

    std::size_t state_bytes() const override { return sizeof(state); }
    void on_ack(congestion_state& s, const ack_event& ack) const override {
        this->note_ack(s, ack);
        std::uint64_t& cut_until = own(s).cut_until;
        if (cut_until == all_that_was_sent) {
            cut_until = ack.max;
        }
        if (!ack.ecn_echo) {
            Window::grow(s, ack);
        } else if (ack.una > cut_until) {
            // RFC 3168 6.1.2: once per window; the ACK for what was sent after the last time tells of a new
            // one.
            on_marks(s, ack.max - ack.una + ack.acked_bytes);
            cut_until = ack.max;
        }
    }
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override {
        Window::on_timeout(s, flight, repeated);
        own(s).cut_until = all_that_was_sent;
    }
    bool ecn_capable() const override { return true; }
    bool latches_echo() const override { return true; }
    bool is_cut_by_marks(const congestion_state& s, std::uint64_t una) const override {
        const std::uint64_t cut_until = static_cast<const state&>(s).cut_until;
        return cut_until != 0 && una <= cut_until;
    }

    /// Cuts the window because segments of it were marked. `flight`: bytes sent and not confirmed.
    virtual void on_marks(congestion_state& s, std::uint64_t flight) const { Window::on_loss(s, flight, 0); }

 private:
    static state& own(congestion_state& s) { return static_cast<state&>(s); }

    /// `cut_until` between a timeout and the next ACK, which says how much had been sent.
    static constexpr std::uint64_t all_that_was_sent = ~std::uint64_t{0};
};

}  // namespace weir::traffic
