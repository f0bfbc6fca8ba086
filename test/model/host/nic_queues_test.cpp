// A NIC of another kind in the place of the host's own queues: it spaces frames, keeps few, and says "not now".
#include "weir/model/host/nic_queues.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;

namespace {

/// One frame every 20 us; two may wait, counting those in the stack. Swallows frames with tag 9, after which it
/// goes at once.
class spacing_nic final : public nic_queues {
 public:
    explicit spacing_nic(const nic_setup& setup) : m_slab(setup.slab) {}

    send_outcome admit(const ethernet_frame&, picoseconds) override {
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

fabric_parameters with_spacing_nic() {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    p.host.nic = nic_kinds().add(
        {"spacing", "", [](const nic_setup& setup) { return std::make_unique<spacing_nic>(setup); }});
    return p;
}

TEST(nic_queues, a_limiter_spaces_frames_and_software_is_called_when_it_may_send_more) {
    single_config config;
    config.hosts = 2;
    fabric_rig r(make_topology(config), with_spacing_nic());
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

TEST(nic_queues, a_notification_is_the_nics_own_and_acts_on_what_waits) {
    single_config config;
    config.hosts = 2;
    fabric_rig r(make_topology(config), with_spacing_nic());
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

}  // namespace
