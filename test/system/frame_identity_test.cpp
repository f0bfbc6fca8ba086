// Every frame by its number: each that a host hands to its NIC arrives once where it was meant for, or is
// counted once as dropped for a named reason, or is still inside, wherever a run is cut off.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "support/child_process.h"
#include "support/fabric_rig.h"
#include "weir/model/switch/switch_blocks.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::in_child;

namespace {

constexpr unsigned hosts = 4;
constexpr int per_host = 60;
constexpr ipv4_address nobody{0xC0A80001};     // has no route
constexpr ipv4_address elsewhere{0xC0A80002};  // is led to host 3, whose it is not

/// The routes of the fabric, and one that is wrong.
struct lookup_with_a_mistake : block_module<lookup_if> {
    explicit lookup_with_a_mistake(sc_core::sc_module_name name) : block_module(name) {}
    const port_bitmap& lookup(ipv4_address address) override {
        m_answer = address == elsewhere ? port_bitmap{3} : lookup_route(m_table, address);
        return m_answer;
    }
    void load(const std::vector<route_entry>& routes) override { m_table = routes; }

 private:
    route_table m_table;
    port_bitmap m_answer;
};

struct setting {
    const char* name;
    flow_control_mode flow_control = flow_control_mode::none;
    drop_policy drop = drop_policy::ingress_tail;
    crossbar_mode crossbar = crossbar_mode::frame;
};
void PrintTo(const setting& s, std::ostream* out) {
    *out << s.name;
}

/// Frames at a switch whose memory holds five of them: some too long, some to nobody, some to the wrong host,
/// over a link with errors and one that is cut and mended.
void run_until(const setting& how, picoseconds end, bool all_gone) {
    fabric_parameters parameters;
    parameters.flow_control.mode = how.flow_control;
    parameters.device.drop = how.drop;
    parameters.device.crossbar = how.crossbar;
    parameters.device.classes = 2;
    parameters.device.ingress_buffer = parameters.device.egress_buffer =
        how.flow_control == flow_control_mode::none ? 8_KB : 40_KB;
    parameters.changes = {{100us, 1, false}, {180us, 1, true}};
    topology plan;
    plan.add_switch("tor0");
    for (host_id h = 0; h < hosts; ++h) {
        plan.add_host("h" + std::to_string(h));
        link_properties link = detail_link;
        link.frame_error_rate = h == 2 ? 0.2 : 0;
        plan.add_link(node_ref::of_host(h), node_ref::of_switch(0), link);
    }
    plan.finish();
    fabric_rig rig(plan, parameters);
    lookup_with_a_mistake lookup("lookup");
    rig.made.device(0).lookup.bind(lookup.block);

    std::uint64_t handed = 0;
    std::map<std::uint64_t, host_id> meant_for;
    for (host_id src = 0; src < hosts; ++src) {
        for (int i = 0; i < per_host; ++i) {
            const picoseconds time = 1us + 4us * i;
            const host_id dst = i % 3 == 0 ? (src + 1) % hosts : 3 - src % 2;
            ethernet_frame frame = rig.frame(src, dst, i % 11 == 10 ? 1600 : 1000, i % 2 == 0 ? 1 : 0);
            frame.transfer.flow = (src * 1000 + static_cast<std::uint64_t>(i)) & transfer_fields::flow_mask;
            meant_for[frame.transfer.flow] = dst;
            if (i % 13 == 12) {
                frame.dst = i % 2 == 0 ? nobody : elsewhere;
            }
            rig.ends[src].at(time, frame);
            handed += time < end ? 1 : 0;
        }
    }
    rig.run(end);

    std::set<std::uint64_t> arrived;
    std::uint64_t dropped = 0;
    std::uint64_t held = 0;
    std::uint64_t originated = 0;
    frame_balance all{};
    const auto add = [&](const node& n) {
        const frame_balance b = n.balance();
        EXPECT_EQ(b.received + b.originated, b.sent + b.consumed + b.dropped + b.inside) << n.name();
        all.sent += b.sent;
        all.received += b.received;
        all.inside += b.inside;
        held += n.frames_held();
    };
    drop_counts drops{};
    for (host_id h = 0; h < hosts; ++h) {
        const host_node& host = *rig.made.host(h);
        for (const auto& arrival : rig.ends[h].arrivals) {
            EXPECT_TRUE(arrived.insert(arrival.frame.transfer.flow).second)
                << "twice: " << arrival.frame.transfer.flow;
            EXPECT_EQ(meant_for.at(arrival.frame.transfer.flow), h);
        }
        EXPECT_EQ(host.balance().consumed, rig.ends[h].arrivals.size());
        originated += host.balance().originated;
        add(host);
        for (unsigned r = 0; r < drop_reasons; ++r) {
            drops[r] += host.stats().drops[r];
        }
    }
    switch_node& device = rig.made.device(0);
    drop_counts by_port{};
    for (unsigned r = 0; r < drop_reasons; ++r) {
        for (unsigned port = 0; port < device.ports(); ++port) {
            for (unsigned c = 0; c < pfc_classes; ++c) {
                by_port[r] += device.stats().drops_at(port, static_cast<pfc_class>(c))[r];
            }
        }
        EXPECT_EQ(by_port[r], device.stats().drops[r]) << name_of(static_cast<drop_reason>(r));
        drops[r] += device.stats().drops[r];
        dropped += drops[r];
    }
    add(device);
    EXPECT_EQ(originated, handed);
    // A link of 6.6 us has at most two frames of 8 us under way in each direction.
    const std::uint64_t on_wires = all.sent - all.received;
    EXPECT_LE(on_wires, 2 * 2 * hosts);
    EXPECT_EQ(handed, arrived.size() + dropped + all.inside + on_wires);
    if (all_gone) {
        EXPECT_EQ(held, 0U);
        EXPECT_EQ(arrived.size() + dropped, handed);
        for (const drop_reason reason :
             {drop_reason::no_route, drop_reason::oversized, drop_reason::misdelivered, drop_reason::bit_error,
              drop_reason::link_down}) {
            EXPECT_GT(drops[static_cast<unsigned>(reason)], 0U) << name_of(reason);
        }
        const bool lossless = how.flow_control != flow_control_mode::none;
        const drop_reason full =
            how.drop == drop_policy::egress_tail ? drop_reason::egress_full : drop_reason::ingress_full;
        EXPECT_EQ(drops[static_cast<unsigned>(full)] > 0, !lossless);
    } else {
        EXPECT_LT(arrived.size() + dropped, handed);
        EXPECT_GT(held, 0U);
    }
}

class frame_identity : public testing::TestWithParam<setting> {};
TEST_P(frame_identity, every_frame_arrives_once_or_is_dropped_for_a_named_reason_or_is_still_inside) {
    for (const picoseconds end : {50'000'123_ps, 137'700'001_ps, 333'333'333_ps}) {
        SCOPED_TRACE(to_text(end));
        in_child([&] {
            run_until(GetParam(), end, false);
            return std::string();
        });
    }
    run_until(GetParam(), 50ms, true);
}
INSTANTIATE_TEST_SUITE_P(system, frame_identity,
                         testing::Values(setting{"drops_at_ingress"},
                                         setting{"drops_at_egress", flow_control_mode::none,
                                                 drop_policy::egress_tail},
                                         setting{"pfc", flow_control_mode::pfc},
                                         setting{"pfc_in_cells", flow_control_mode::pfc,
                                                 drop_policy::ingress_tail, crossbar_mode::cell},
                                         setting{"pause", flow_control_mode::pause}),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
