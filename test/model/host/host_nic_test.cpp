// A host's NIC with queues of several kinds: one spaces frames, keeps few, and says "not now"; one keeps the
// newest frame only.
#include "weir/model/host/host_nic.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "support/fabric_rig.h"
#include "weir/model/host/nic_queues.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::user_module;

namespace {

/// One frame every 20 us; two may wait, counting those in the stack. Swallows frames with tag 9, after which it
/// goes at once.
class spacing_nic final : public nic_queues {
 public:
    explicit spacing_nic(const nic_setup& setup) : m_slab(setup.slab) {}

    send_outcome admit(const ethernet_frame&, bytes, picoseconds) override {
        return m_waiting < 2 && !m_refused ? (++m_waiting, send_outcome::taken)
                                           : (m_refused = true, send_outcome::not_now);
    }
    frame_slot enqueue(frame_slot slot, picoseconds) override {
        m_frames.push_back(slot);
        return no_slot;
    }
    frame_slot dequeue(class_mask classes, picoseconds now) override {
        if (m_frames.empty() || now < m_next || (backlog() & classes) == 0) {
            return no_slot;
        }
        const frame_slot slot = m_frames.front();
        m_frames.pop_front();
        --m_waiting;
        m_next = now + m_gap;
        return slot;
    }
    picoseconds next_release(picoseconds now) const override { return m_next > now ? m_next : never; }
    class_mask backlog() const override {
        return m_frames.empty() ? class_mask{0}
                                : static_cast<class_mask>(1U << m_slab.route(m_frames.front()).frame_class);
    }
    void add_flows(pfc_class c, flow_bytes_list& flows) const override {
        for (const frame_slot slot : m_frames) {
            if (m_slab.route(slot).frame_class == c) {
                flows.add(m_slab.frame(slot), m_slab.frame(slot).frame_bytes);
            }
        }
    }
    bool takes_notification(const ethernet_frame& frame, picoseconds) override {
        if (frame.transfer.tag == 9) {
            m_gap = m_next = 0_ps;
        }
        return frame.transfer.tag == 9;
    }
    bool takes_again() override {
        m_refused = m_refused && m_waiting >= 2;
        return !m_refused;
    }

 private:
    frame_slab& m_slab;
    std::deque<frame_slot> m_frames;
    unsigned m_waiting = 0;
    picoseconds m_gap{20us};
    picoseconds m_next{0};
    bool m_refused = false;
};

/// Has room for one frame, which gives way to the next.
class newest_frame_nic final : public nic_queues {
 public:
    explicit newest_frame_nic(const nic_setup&) {}
    bool may_refuse() const override { return false; }
    send_outcome admit(const ethernet_frame&, bytes, picoseconds) override { return send_outcome::dropped; }
    frame_slot enqueue(frame_slot slot, picoseconds) override { return std::exchange(m_newest, slot); }
    frame_slot dequeue(class_mask, picoseconds) override { return std::exchange(m_newest, no_slot); }
    class_mask backlog() const override { return m_newest == no_slot ? 0 : 1; }
    void add_flows(pfc_class, flow_bytes_list&) const override {}

 private:
    frame_slot m_newest = no_slot;
};

/// Hands over frames until it is told to wait, and goes on when it may.
class eager_endpoint final : public endpoint {
 public:
    eager_endpoint(ipv4_address to, unsigned frames) : m_to(to), m_left(frames) {}
    void start(host_services& host) override {
        m_host = &host;
        ready();
    }
    void ready() override {
        ethernet_frame frame;
        frame.src = m_host->address();
        frame.dst = m_to;
        frame.frame_bytes = 1000;
        while (m_left > 0 && m_host->send(frame) == send_outcome::taken) {
            --m_left;
        }
        ++calls;
    }
    void receive(const ethernet_frame&) override { ++received; }
    void wake() override {}

    unsigned calls = 0;
    unsigned received = 0;

 private:
    ipv4_address m_to;
    unsigned m_left;
    host_services* m_host = nullptr;
};

template <class Queues>
fabric_parameters with_nic() {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    p.host.nic = nic_kinds().add(
        {"another", "", [](const nic_setup& setup) { return std::make_unique<Queues>(setup); }});
    return p;
}

topology hosts_at_one_switch(unsigned hosts) {
    single_config config;
    config.hosts = hosts;
    return make_topology(config);
}

TEST(host_nic, a_limiter_spaces_frames_and_software_is_called_when_it_may_send_more) {
    fabric_rig r(hosts_at_one_switch(2), with_nic<spacing_nic>());
    eager_endpoint sender(r.plan.address_of(1), 5);
    r.made.host(0)->run(sender);
    r.run(1ms);
    ASSERT_EQ(r.ends[1].arrivals.size(), 5U);
    for (std::size_t i = 1; i < 5; ++i) {
        EXPECT_EQ(r.ends[1].arrivals[i].time - r.ends[1].arrivals[i - 1].time, 20us) << i;
    }
    EXPECT_EQ(sender.calls, 4U);  // the start, and after each of the first three frames
    EXPECT_EQ(r.made.host(0)->stats().drops[static_cast<unsigned>(drop_reason::nic_full)], 0U);
    EXPECT_EQ(r.made.host(0)->balance().inside, 0U);
}

TEST(host_nic, a_notification_is_the_nics_own_and_acts_on_what_waits) {
    fabric_rig r(hosts_at_one_switch(2), with_nic<spacing_nic>());
    eager_endpoint sender(r.plan.address_of(1), 5);
    r.made.host(0)->run(sender);
    ethernet_frame notification = r.frame(1, 0, 64);
    notification.transfer.tag = 9;
    r.ends[1].at(0us, notification);
    r.run(1ms);
    ASSERT_EQ(r.ends[1].arrivals.size(), 5U);
    EXPECT_EQ(sender.received, 0U);
    const auto& arrivals = r.ends[1].arrivals;
    // The notification is in after 20 us or so; then frames follow each other without a gap.
    EXPECT_EQ(arrivals[4].time - arrivals[3].time, transmission_time(1000_B, 1_Gbps));
}

TEST(host_nic, a_frame_that_gives_way_to_another_is_counted_as_one_that_found_the_nic_full) {
    fabric_rig r(hosts_at_one_switch(2), with_nic<newest_frame_nic>());
    r.stream(1us, 5, r.frame(0, 1, 1000), 0);
    r.run(1ms);
    const host_node& sender = *r.made.host(0);
    EXPECT_EQ(r.ends[1].arrivals.size(), 1U) << "all five came in one instant";
    EXPECT_EQ(sender.stats().drops[static_cast<unsigned>(drop_reason::nic_full)], 4U);
    EXPECT_EQ(sender.balance().dropped, 4U);
    EXPECT_EQ(sender.balance().inside, 0U);
    EXPECT_EQ(sender.nic_meter().current(), 0_B);
    EXPECT_EQ(sender.nic_meter().watermark(), 1000_B);
}

/// Host 0 sends to a module that pauses the switch, until the memories before it are full and the switch pauses
/// host 0. What waited there then.
std::vector<flow_bytes> stopped_at_the_host(fabric_parameters p) {
    p.flow_control.mode = flow_control_mode::pfc;
    p.open_hosts = {1};
    fabric_rig r(hosts_at_one_switch(3), p);
    user_module user("user");
    user.bind(r, 1);
    ethernet_frame pause;
    pause.kind = frame_kind::pfc;
    pause.pause.class_enable = 1;
    pause.pause.quanta.fill(65'535);
    user.at(0us, pause, 6'600ns);
    eager_endpoint sender(r.plan.address_of(1), 400);
    r.made.host(0)->run(sender);
    cause_options options;
    options.pauses = true;
    r.made.host(0)->log_causes(options);
    r.run(4ms);
    const auto& pauses = r.made.host(0)->causes()->pauses();
    EXPECT_EQ(pauses.size(), 1U);
    return pauses.empty() ? std::vector<flow_bytes>{} : pauses[0].stopped;
}

TEST(host_nic, a_pause_names_the_flows_that_wait_in_the_default_queues) {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    const std::vector<flow_bytes> stopped = stopped_at_the_host(p);
    ASSERT_EQ(stopped.size(), 1U);
    EXPECT_GT(stopped[0].bytes, 100'000U) << "most of 400 frames";
}

TEST(host_nic, a_pause_names_the_flows_that_wait_in_queues_of_another_kind) {
    const std::vector<flow_bytes> stopped = stopped_at_the_host(with_nic<spacing_nic>());
    ASSERT_EQ(stopped.size(), 1U);
    EXPECT_EQ(stopped[0].bytes, 2000U) << "two frames of 1,000 B";
}

TEST(host_nic, a_cut_link_loses_what_a_limiter_lets_go_and_keeps_the_rest) {
    fabric_rig r(hosts_at_one_switch(2), with_nic<spacing_nic>());
    eager_endpoint sender(r.plan.address_of(1), 4);
    r.made.host(0)->run(sender);
    r.made.host(0)->schedule({5us, 0, false, 0_bps});
    r.run(30us);
    const host_node& host = *r.made.host(0);
    EXPECT_EQ(host.balance().sent, 1U);
    EXPECT_EQ(host.stats().unsent, 1U) << "the second one, at 20 us";
    EXPECT_EQ(host.balance().inside, 2U);
}

TEST(host_nic, a_cut_link_loses_at_once_what_a_rate_limiter_would_keep) {
    fabric_parameters p;
    p.host.nic = named<nic_kind>("voq");
    p.changes = {{100us, 0, false}};  // link 0 is host 0's
    fabric_rig r(hosts_at_one_switch(2), p);
    ethernet_frame notification = r.frame(1, 0, 64);
    notification.kind = frame_kind::qcn;
    notification.notification = notification_fields{};
    notification.notification.sampled_dst = r.plan.address_of(1);
    notification.notification.feedback = 63;
    r.ends[1].at(0us, notification);
    r.stream(50us, 20, r.frame(0, 1, 1000), 0);
    r.run(110us);
    const host_node& host = *r.made.host(0);
    // 1,020 B on the wire at 1 Gb/s x (1 - 63 / 128): one frame every 16.07 us.
    EXPECT_EQ(host.balance().sent, 4U);
    EXPECT_EQ(host.stats().unsent, 16U);
    EXPECT_EQ(host.balance().inside, 0U);
    EXPECT_EQ(host.nic_meter().current(), 0_B);
}

}  // namespace
