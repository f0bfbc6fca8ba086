// A converged adapter's queues: a virtual output queue for each destination, or each transfer, and QCN's rate
// limiters in front of them (cross-layer study 2012, section III-B4; 802.1Qau's reaction points).
//
//     admit -- no room for this VOQ: not_this --> software waits
//     enqueue --> VOQ of (destination or transfer, class) -- rate limiter --> ready, in turn within the class
//     takes_notification: the VOQ's rate falls, or it gets a limiter
//
// VOQs share the adapter's memory (`host.nic_buffer`) under a dynamic threshold: each may hold as much as is
// free beside it, so that one that is limited or paused leaves room for the others (Choudhury and Hahne 1998,
// with a factor of 1). What finds no room stays with software until its VOQ is half empty; datagrams of UDP,
// for which nobody waits, are dropped. Data that transports leave in host memory until the adapter wants it
// (RoCE, pFabric) is fetched as rdma_queues does, by VOQ (`fetched_data`). The most urgent class is served
// first; within it VOQs take turns by frames. A limited VOQ's frame may leave when the time of the one before
// it at the VOQ's rate is over; when the rate changes, what is left of that time changes with it.
//
//   voq_queues queues({host_config{}, 10_Gbps, slab, qcn_config{}});
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/host/qcn_reaction.h"

namespace weir::model {

class voq_queues final : public nic_queues {
 public:
    explicit voq_queues(const nic_setup& setup);

    send_outcome admit(const ethernet_frame& frame, bytes held, picoseconds now) override;
    frame_slot enqueue(frame_slot slot, picoseconds now) override;
    frame_slot dequeue(class_mask classes, picoseconds now) override;
    frame_slot discard(picoseconds now) override;
    class_mask backlog() const override { return static_cast<class_mask>(m_backlog); }
    void add_flows(pfc_class c, flow_bytes_list& flows) const override;
    picoseconds next_release(picoseconds now) const override;
    bool takes_notification(const ethernet_frame& frame, picoseconds now) override;
    bool takes_again() override { return std::exchange(m_has_room_again, false); }
    std::vector<rate_limit> rate_limits() const override;

    /// The rate at which the VOQ of frames like this one sends now: the link's where it has no limiter.
    bit_rate rate_of(const ethernet_frame& frame, picoseconds now);
    /// VOQs with frames, or with a limiter.
    std::size_t in_use() const { return m_numbers.size(); }

 private:
    using voq_number = std::uint32_t;
    static constexpr voq_number none = ~voq_number{0};

    struct voq {
        std::uint64_t key = 0;
        pfc_class frame_class = 0;
        /// Its frames are refused until it holds at most `refill_at`.
        bool has_refused = false;
        /// Fetched data is refused, and no other frame, until some of it has left.
        bool has_refused_fetched = false;
        frame_queue frames;
        qcn_limit limit;
        /// When its next frame may leave.
        picoseconds release{0};
        /// What was taken and has not left, and how much of it is fetched data. Unit: B.
        std::int64_t held = 0;
        std::int64_t fetched = 0;
        std::int64_t refill_at = 0;
        /// The next one of those whose turn it is.
        voq_number next = none;
        /// Its place in `m_waiting`, or `none`.
        voq_number place = none;

        /// When its limiter lets a frame go or changes its rate.
        picoseconds wake() const { return std::min(release, limit.timer_at); }
        bool is_used() const { return held > 0 || has_refused; }
    };
    /// The VOQs of a class that may send, in turn.
    struct turn_list {
        voq_number head = none;
        voq_number tail = none;
    };

    pfc_class class_of(const ethernet_frame& frame) const {
        return static_cast<pfc_class>(std::min<unsigned>(frame.priority, m_classes - 1));
    }
    std::uint64_t key_of(std::uint64_t flow, ipv4_address dst, pfc_class c) const {
        return (m_kind == voq_of::destination ? to_uint(dst) : flow) << 3 | c;
    }
    send_outcome refuse(voq_number number);
    voq_number voq_with(std::uint64_t key, pfc_class c, picoseconds now);
    [[gnu::noinline]] voq_number make_voq(std::uint64_t key, pfc_class c, picoseconds now);
    void free_idle(picoseconds now);
    void free_if_idle(voq_number number);
    void take_turn(voq_number number);
    /// It has frames: it waits for its limiter, or takes its turn.
    void line_up(voq_number number, picoseconds now);
    void begin_turns(picoseconds now);
    /// The first frame of the VOQ whose turn it is in this class. The VOQ has its next turn to find.
    frame_slot take(pfc_class c, voq_number& number);
    void take_next_turn(voq_number number, picoseconds now);
    /// Room for what was refused.
    void free_memory(voq& v, const ethernet_frame& frame);
    void sent(voq& v, const ethernet_frame& frame, picoseconds now);
    /// The timer's cycles that are over at `now` or before.
    void advance(voq& v, picoseconds now);
    void stretch_wait(voq& v, picoseconds now, double rate_before);
    double cycle_factor();
    // `m_waiting` is a heap by `wake`, and by number where that is equal.
    bool is_before(voq_number a, voq_number b) const;
    void place(std::size_t at, voq_number number);
    void restore(std::size_t at);
    void stop_waiting(voq_number number);

    frame_slab& m_slab;
    qcn_reaction m_rule;
    voq_of m_kind;
    bytes m_memory;
    bit_rate m_rate;
    bytes m_wire_overhead;
    std::int64_t m_ahead;
    double m_jitter;
    unsigned m_classes;
    random_stream m_chance;
    std::vector<voq> m_voqs;
    std::vector<voq_number> m_free;
    number_table<voq_number> m_numbers;
    std::array<turn_list, pfc_classes> m_turns;
    std::vector<voq_number> m_waiting;
    // By class, of frames here.
    std::array<std::uint32_t, pfc_classes> m_frames{};
    unsigned m_backlog = 0;
    // By class: some VOQ's turn it is.
    unsigned m_ready = 0;
    // VOQs that were refused while they held nothing: any frame that leaves makes room for them.
    std::vector<voq_number> m_starved;
    bool m_has_room_again = false;
    // In use when idle ones were last freed, twice.
    std::size_t m_free_at = 16;
};

}  // namespace weir::model
