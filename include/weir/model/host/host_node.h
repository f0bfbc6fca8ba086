// A host: a NIC (host_nic.h) and the delays of the network stack. What runs on it is an `endpoint`
// (protocol/endpoint.h).
//
//     endpoint::send -- stack_out --> NIC queue of the frame's class -- strict priority, PFC --> wire
//     wire -- last bit in -- stack_in --> endpoint::receive
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "weir/base/delay_distribution.h"
#include "weir/model/host/host_nic.h"
#include "weir/protocol/endpoint.h"

namespace weir::model {

/// One direction of a host's network stack where its delays are drawn (cross-layer study 2012, figures 4 and
/// 5): a FIFO. A frame that would overtake the one ahead of it comes out right behind it.
///
///   stack_delay in({24us, delay_shape::exponential, 0.5}, {seed, host, random_purpose::stack_in});
///   const picoseconds at = in.way_out(5us);
class stack_delay {
 public:
    stack_delay(const delay_distribution& delays, const random_stream& chance)
        : m_delays(delays), m_chance(chance) {}

    /// When a frame that goes in at `now` comes out: at the earliest 1 ps later, and 1 ps after the one ahead
    /// of it, so that no two are out in one instant.
    picoseconds way_out(picoseconds now) {
        const picoseconds drawn = now + m_delays.draw(m_chance);
        m_last = std::min(std::max(drawn, std::max(now, m_last) + 1_ps), latest_time);
        return m_last;
    }

 private:
    delay_distribution m_delays;
    random_stream m_chance;
    picoseconds m_last{-1};
};

class host_node final : public host_nic, private host_services {
 public:
    host_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
              const port_config& port, const host_parameters& parameters);

    /// What runs here; must outlive the run. Its `start` is called from here at time 0.
    void run(endpoint& guest);

    /// At a barrier: the endpoint has been given something to do at `time`, not before this node's time.
    void wake_endpoint_at(picoseconds time) {
        wake_at(time);
        tell_group();
    }

    void advance() override;
    void settle(picoseconds now) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override {
        const bool has_left = m_mac.sending.frame != no_slot && m_mac.sending.end < m_clock.end;
        return m_slab.used() - (has_left ? 1 : 0);
    }
    std::string waiting_ports() const override;
    bool needs_kernel_thread() const override { return m_guest != nullptr && m_guest->needs_kernel_thread(); }

 private:
    picoseconds now() const override { return m_now; }
    [[gnu::flatten]] send_outcome send(const ethernet_frame& frame) override;
    send_outcome return_annex(const frame_annex& annex, const ethernet_frame& frame) override;
    void wake_at(picoseconds time) override;
    host_id id() const override { return m_parameters.id; }
    ipv4_address address() const override { return m_parameters.address; }
    bit_rate link_rate() const override { return m_rate; }
    bytes nic_backlog() const override { return bytes{m_backlog_bytes + m_stack_bytes}; }
    void fail(const std::string& what) override { violate(m_now, what); }
    void takes_again() override { m_guest->ready(); }

    void prefetch_parts() const override {
        host_nic::prefetch_parts();
        prefetch_lines<4>(m_guest);
    }
    /// `Literal`: events are kept by the literal agenda.
    template <bool Literal>
    [[gnu::flatten]] void run_events();
    template <bool Literal>
    void dispatch();
    template <bool Literal, unsigned Stage>
    std::uint32_t take();
    [[gnu::noinline]] void dispatch_rare();
    void on_arrival(frame_slot slot);
    void on_stack_in(frame_slot slot);
    void deliver(frame_slot slot);
    /// `annex`: null but of a frame that returns one.
    send_outcome send_with(const frame_annex* annex, const ethernet_frame& frame);
    [[gnu::noinline]] void put_annex(frame_slot slot, const frame_annex* annex);
    [[gnu::noinline]] void enter_stack(frame_slot slot);
    void on_stack_out();
    void restart_statistics();

    bit_rate m_rate;
    // Not set: the delays are fixed.
    std::optional<stack_delay> m_drawn_out;
    std::optional<stack_delay> m_drawn_in;
    endpoint* m_guest = nullptr;
    // Frames on their way through the stack to the NIC, whose memory they will need, in order.
    frame_queue m_stack_queue;
    std::uint32_t m_stack_bytes = 0;
    // The last batch's first frame and its time.
    frame_slot m_stack_batch = no_slot;
    picoseconds m_stack_event = picoseconds{-1};
    // No wake is asked for: what would be later cannot come.
    static constexpr picoseconds no_wake = latest_time + 1_ps;
    picoseconds m_next_wake = no_wake;
};

}  // namespace weir::model
