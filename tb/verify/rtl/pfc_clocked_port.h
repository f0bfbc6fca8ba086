// pfc_receive.sv and pfc_transmit.sv at one port of a switch, with a clock of their own: edges lie at whole
// multiples of the period. What comes between two edges is sampled by the next one, and the pipeline takes the
// cycles that it has: three from a frame's last bit to its pauses, four from a request to the frame's first
// bit.
//
// Only edges that move something are evaluated one by one. Between them one edge stands for all, with a `step`
// as large as theirs together: counters only count meanwhile, and none is let run out within. The outputs are
// those of every edge by itself (test/rtl/pfc_clocked_port_test.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "tb/verify/rtl/pfc_port.h"

namespace weir::tb {

/// Edges of the clock from time 0 on.
class edge_counter {
 public:
    explicit edge_counter(picoseconds period) : m_period(period) {}
    /// The first edge at or after `time`.
    std::int64_t sampling(picoseconds time) const {
        return (time.count() + m_period.count() - 1) / m_period.count();
    }
    /// `never` beyond the longest time.
    picoseconds time_of(std::int64_t edge) const;

 private:
    picoseconds m_period;
};

/// Counters lose a whole number of 1/256 quanta in such a period, 2 bit times each, and no more than RTL can
/// take.
bool pfc_clock_fits(picoseconds period, bit_rate rate);
/// The shortest that fits; all others are multiples of it.
picoseconds smallest_pfc_clock(bit_rate rate);

/// No edge.
inline constexpr std::int64_t no_edge = INT64_MAX;

class pfc_receive_clocked_port {
 public:
    /// Cycles from the edge that samples a frame's last bit to its pauses.
    static constexpr std::int64_t latency = pause_request_latency.count();

    /// The period fits the rate, and all rates that it changes to.
    pfc_receive_clocked_port(bit_rate rate, picoseconds period);

    // As pfc_if has them.
    picoseconds arrive(const pause_frame& frame, picoseconds now, picoseconds response);
    class_mask paused(picoseconds now);
    picoseconds next_change() const;
    void set_rate(bit_rate rate) { m_next_step = pfc_steps(m_period, rate); }
    /// Cycles of the RTL that were evaluated.
    std::uint64_t cycles() const { return m_rtl.cycles(); }
    void clear(picoseconds now);

 private:
    struct passing_frame {
        pause_frame frame;
        std::int64_t edge = 0;
    };

    void advance(std::int64_t target);
    void edges(std::int64_t count, const pause_frame* frame);

    pfc_receive_rtl m_rtl;
    picoseconds m_period;
    edge_counter m_clock;
    std::int64_t m_step;
    std::int64_t m_next_step;
    /// Frames whose pauses do not hold yet; the first ones are in the pipeline.
    std::deque<passing_frame> m_frames;
    std::size_t m_in_pipeline = 0;
    /// The next edge, and how many from there on move the pipeline.
    std::int64_t m_edge = 0;
    std::int64_t m_moving = 0;
    /// By class: the edge that should find its pause ended.
    std::array<std::int64_t, pfc_classes> m_end;
};

class pfc_transmit_clocked_port {
 public:
    /// Cycles from the edge that samples a request to the frame's first bit.
    static constexpr std::int64_t latency = pause_first_beat_latency.count();

    pfc_transmit_clocked_port(const pfc_transmit_config& config, bit_rate rate, picoseconds period);

    // As pfc_if has them.
    void request(class_mask wanted, bool again, picoseconds now);
    const pause_fields* offer(picoseconds now);
    void sent(picoseconds last_bit);
    picoseconds next_offer() const;
    void set_rate(bit_rate rate) { m_next_step = pfc_steps(m_period, rate); }
    /// Cycles of the RTL that were evaluated.
    std::uint64_t cycles() const { return m_rtl.cycles(); }

 private:
    struct changed_request {
        std::int64_t edge = 0;
        class_mask wanted = 0;
        bool again = false;
    };

    void advance(std::int64_t target);
    bool take_inputs(pfc_transmit_inputs& in);
    std::int64_t quiet_until(std::int64_t target) const;
    void edges(std::int64_t count, const pfc_transmit_inputs& in);

    pfc_transmit_rtl m_rtl;
    picoseconds m_period;
    edge_counter m_clock;
    std::int64_t m_step;
    std::int64_t m_next_step;
    /// Unit: 1/256 quantum.
    std::int64_t m_refresh;
    std::deque<changed_request> m_requests;
    class_mask m_wanted = 0;
    /// The waiting frame is on the wire, and this edge samples its last bit.
    std::int64_t m_taken = no_edge;
    /// First bit of the waiting frame.
    std::int64_t m_first_beat = no_edge;
    /// No refresh counter of the last frame has run out before this edge.
    std::int64_t m_refresh_edge = no_edge;
    std::int64_t m_edge = 0;
    std::int64_t m_moving = 0;
    /// The last edge at which there was no frame to send.
    std::int64_t m_asked = -1;
};

}  // namespace weir::tb
