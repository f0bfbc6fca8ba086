// pfc_receive.sv and pfc_transmit.sv at one port of a switch whose pipeline constants are the model's:
// simulated time passes for the RTL's counters only.
//
// The RTL counts time by what a counter loses per edge (`step`, in 1/256 quantum), which is a pin. So an edge
// with step 0 moves the pipeline and takes no time, and one edge with step n takes as long as n edges with step
// 1, of which none does anything else. Each frame from its first register to the last, and each request, is
// such edges of step 0; between two of them there is one edge for all the time that has passed. Counters start
// with the frame that loads them: whatever its time, they end when the model's do.
//
//   pfc_receive_port rx(10_Gbps);
//   rx.arrive(frame, 5us, 2us);    // its pauses hold from 7 us on
//   rx.paused(8us);                // classes
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "tb/verify/rtl/pfc_pins.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::tb {

/// What an edge of PFC's RTL can take at most. Unit: 1/256 quantum; all counters are shorter.
inline constexpr std::int64_t longest_pfc_step = (1 << 24) - 1;
inline constexpr std::int64_t pfc_steps_per_quantum = 256;

/// Whole 1/256 quanta that pass in `time` on a link of this rate: 2 bit times each.
std::int64_t pfc_steps(picoseconds time, bit_rate rate);
/// A frame that ends the pauses of all classes.
inline pause_frame resume_of_all() {
    pause_frame frame;
    frame.fields.class_enable = 0xFF;
    return frame;
}

class pfc_receive_port {
 public:
    explicit pfc_receive_port(bit_rate rate);

    // As pfc_if has them.
    picoseconds arrive(const pause_frame& frame, picoseconds now, picoseconds response) {
        m_frames.push_back({frame, now + response});
        return now + response;
    }
    class_mask paused(picoseconds now);
    picoseconds next_change() const;
    void set_rate(bit_rate rate) { m_next_rate = rate; }
    /// Cycles of the RTL that were evaluated.
    std::uint64_t cycles() const { return m_rtl.cycles(); }
    void clear(picoseconds now);

 private:
    struct waiting_frame {
        pause_frame frame;
        picoseconds effect{0};
    };

    void load(const pause_frame& frame, picoseconds now);
    void pass_time(picoseconds now);
    void edge(std::int64_t step, const pause_frame* frame);

    pfc_receive_rtl m_rtl;
    bit_rate m_rate;
    bit_rate m_next_rate;
    std::deque<waiting_frame> m_frames;
    /// The last frame, and what the counters have lost since.
    picoseconds m_loaded{0};
    std::int64_t m_steps = 0;
    /// By class: when its pause should end, which is when the RTL is looked at.
    std::array<picoseconds, pfc_classes> m_end{};
};

class pfc_transmit_port {
 public:
    pfc_transmit_port(const pfc_transmit_config& config, bit_rate rate);

    void request(class_mask wanted, bool again, picoseconds now);
    const pause_fields* offer(picoseconds now);
    void sent(picoseconds last_bit);
    picoseconds next_offer() const { return m_changed != 0 ? picoseconds{0} : m_refresh_due; }
    void set_rate(bit_rate rate) { m_rate = rate; }
    /// Cycles of the RTL that were evaluated.
    std::uint64_t cycles() const { return m_rtl.cycles(); }

 private:
    void edge(std::int64_t step, const pfc_transmit_inputs& in);
    void show_changes();

    pfc_transmit_rtl m_rtl;
    bit_rate m_rate;
    /// Of the last frame, by which its refresh is counted.
    bit_rate m_launch_rate;
    pause_quanta m_refresh;
    class_mask m_wanted = 0;
    /// Asked to change since the last frame, be it back and forth.
    class_mask m_changed = 0;
    picoseconds m_launched{0};
    picoseconds m_refresh_due = never;
};

}  // namespace weir::tb
