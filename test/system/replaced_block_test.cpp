// Blocks of a user's own in a switch: right ones work, and wrong ones are caught, with a message that says
// which block did what, instead of a crash or a wrong result.
#include <gtest/gtest.h>

#include <functional>

#include "support/fabric_rig.h"
#include "weir/model/switch/switch_blocks.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::fatal_message;

namespace {

topology star(unsigned hosts = 4) {
    single_config config;
    config.hosts = hosts;
    return make_topology(config);
}

/// An arbiter that answers as it is told.
struct scripted_arbiter : block_module<arbiter_if> {
    using answer = std::function<void(const crossbar_requests&, const port_bitmap& free_ingress,
                                      const port_bitmap& free_egress, std::vector<crossbar_match>&)>;
    scripted_arbiter(sc_core::sc_module_name name, answer a) : block_module(name), m_answer(std::move(a)) {}
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned, std::vector<crossbar_match>& matches) override {
        m_answer(requests, free_ingress, free_egress, matches);
    }

 private:
    answer m_answer;
};

/// Two frames of class 2 from host 0 to host 1, and how the run ends.
std::string end_with_arbiter(const scripted_arbiter::answer& answer,
                             crossbar_mode crossbar = crossbar_mode::frame) {
    fabric_parameters parameters;
    parameters.device.crossbar = crossbar;
    fabric_rig rig(star(), parameters);
    scripted_arbiter arbiter("arbiter", answer);
    rig.made.device(0).arbiter.bind(arbiter.block);
    rig.stream(1us, 2, rig.frame(0, 1, 1000, 2), 0);
    rig.stream(1us, 2, rig.frame(2, 1, 1000, 2), 2);
    return fatal_message([&] { rig.run(1ms); });
}
void expect_in(const std::string& message, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
}

TEST(replaced_block, an_arbiter_of_ones_own_moves_the_frames) {
    int runs = 0;
    const std::string message = end_with_arbiter(
        [&](const crossbar_requests& requests, const port_bitmap& in, const port_bitmap& out, auto& matches) {
            ++runs;
            if (out.test(1) && (requests.eligible_ingress(1, 2) & in).any()) {
                const unsigned port = (requests.eligible_ingress(1, 2) & in).first();
                matches.push_back({static_cast<std::uint8_t>(port), 1, 2});
            }
        });
    EXPECT_EQ(message, "");
    EXPECT_GE(runs, 4);
}

class wrong_arbiter : public testing::TestWithParam<crossbar_mode> {};
TEST_P(wrong_arbiter, that_matches_where_no_frame_waits_is_caught) {
    expect_in(end_with_arbiter(
                  [](const auto&, const auto&, const auto&, auto& matches) {
                      matches.push_back({3, 1, 2});
                  },
                  GetParam()),
              {"fabric.tor0", "arbiter", "ingress port 3", "egress port 1", "class 2"});
}
TEST_P(wrong_arbiter, that_matches_the_wrong_class_is_caught) {
    expect_in(end_with_arbiter(
                  [](const auto&, const auto&, const auto&, auto& matches) {
                      matches.push_back({0, 1, 5});
                  },
                  GetParam()),
              {"fabric.tor0", "arbiter", "class 5"});
}
TEST_P(wrong_arbiter, that_matches_ports_that_do_not_exist_is_caught) {
    expect_in(end_with_arbiter(
                  [](const auto&, const auto&, const auto&, auto& matches) {
                      matches.push_back({0, 200, 2});
                  },
                  GetParam()),
              {"fabric.tor0", "arbiter", "egress port 200"});
}
TEST_P(wrong_arbiter, that_matches_one_egress_port_twice_is_caught) {
    expect_in(end_with_arbiter(
                  [](const crossbar_requests& requests, const auto&, const auto&, auto& matches) {
                      if (requests.eligible_ingress(1, 2).count() == 2) {
                          matches.push_back({0, 1, 2});
                          matches.push_back({2, 1, 2});
                      }
                  },
                  GetParam()),
              {"fabric.tor0", "arbiter", "egress port 1"});
}
INSTANTIATE_TEST_SUITE_P(replaced_block, wrong_arbiter,
                         testing::Values(crossbar_mode::frame, crossbar_mode::cell), [](const auto& mode) {
                             return mode.param == crossbar_mode::frame ? "frame" : "cell";
                         });

TEST(replaced_block, an_arbiter_that_never_matches_is_reported_as_a_deadlock) {
    const std::string message = end_with_arbiter([](const auto&, const auto&, const auto&, auto&) {});
    expect_in(message, {"/weir/deadlock", "fabric.tor0"});
}

/// A table that gives every destination the same ports.
struct constant_lookup : block_module<lookup_if> {
    constant_lookup(sc_core::sc_module_name name, const port_bitmap& ports)
        : block_module(name), m_ports(ports) {}
    const port_bitmap& lookup(ipv4_address) override { return m_ports; }
    void load(const std::vector<route_entry>&) override {}

 private:
    port_bitmap m_ports;
};

TEST(replaced_block, a_lookup_that_names_a_port_beyond_the_last_is_caught) {
    fabric_rig rig(star(), {});
    constant_lookup lookup("lookup", {9});
    rig.made.device(0).lookup.bind(lookup.block);
    rig.stream(1us, 1, rig.frame(0, 1, 1000), 0);
    expect_in(fatal_message([&] { rig.run(1ms); }), {"fabric.tor0", "lookup", "port 9", "of 4"});
}
TEST(replaced_block, a_lookup_that_knows_no_port_drops_the_frame_for_want_of_a_route) {
    fabric_rig rig(star(), {});
    constant_lookup lookup("lookup", {});
    rig.made.device(0).lookup.bind(lookup.block);
    rig.stream(1us, 3, rig.frame(0, 1, 1000), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(1ms); }), "");
    EXPECT_EQ(rig.made.device(0).stats().drops[static_cast<unsigned>(drop_reason::no_route)], 3U);
}
TEST(replaced_block, a_lookup_that_leads_to_the_wrong_host_shows_as_misdelivered) {
    fabric_rig rig(star(), {});
    constant_lookup lookup("lookup", {2});
    rig.made.device(0).lookup.bind(lookup.block);
    rig.stream(1us, 3, rig.frame(0, 1, 1000), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(1ms); }), "");
    EXPECT_EQ(rig.made.host(2)->stats().drops[static_cast<unsigned>(drop_reason::misdelivered)], 3U);
}

struct constant_scheduler : block_module<scheduler_if> {
    constant_scheduler(sc_core::sc_module_name name, int answer) : block_module(name), m_answer(answer) {}
    int select(unsigned, class_mask, const std::uint32_t*) override { return m_answer; }
    void sent(unsigned, int, std::uint32_t) override {}
    void drained(unsigned, class_mask) override {}

 private:
    int m_answer;
};

TEST(replaced_block, a_scheduler_that_chooses_a_class_without_a_frame_is_caught) {
    fabric_rig rig(star(), {});
    constant_scheduler scheduler("scheduler", 6);
    rig.made.device(0).egress_scheduler.bind(scheduler.block);
    rig.stream(1us, 1, rig.frame(0, 1, 1000, 2), 0);
    expect_in(fatal_message([&] { rig.run(1ms); }), {"fabric.tor0", "scheduler", "class 6", "port 1"});
}
TEST(replaced_block, a_scheduler_that_never_sends_is_reported_as_a_deadlock) {
    fabric_rig rig(star(), {});
    constant_scheduler scheduler("scheduler", -1);
    rig.made.device(0).egress_scheduler.bind(scheduler.block);
    rig.stream(1us, 1, rig.frame(0, 1, 1000, 2), 0);
    expect_in(fatal_message([&] { rig.run(1s); }), {"/weir/deadlock", "fabric.tor0.tx1"});
}
TEST(replaced_block, a_scheduler_that_never_sends_is_reported_although_the_run_has_no_end) {
    fabric_rig rig(star(), {});
    constant_scheduler scheduler("scheduler", -1);
    rig.made.device(0).egress_scheduler.bind(scheduler.block);
    rig.stream(1us, 1, rig.frame(0, 1, 1000, 2), 0);
    rig.made.configure_run(engine_kind::fast, rig.made.lookahead(), never);
    expect_in(fatal_message([&] { sc_core::sc_start(); }), {"/weir/deadlock", "fabric.tor0.tx1"});
}

/// The default memory, but for one thing.
struct leaking_ingress : ingress_buffer_block {
    using ingress_buffer_block::ingress_buffer_block;
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        return ingress_buffer_block::release(port, c, length - 1, now);
    }
};
TEST(replaced_block, an_ingress_memory_that_forgets_a_byte_is_caught) {
    fabric_rig rig(star(), {});
    switch_node& device = rig.made.device(0);
    leaking_ingress memory("memory", device.slab(), 4, 8);
    for (unsigned port = 0; port < 4; ++port) {
        ingress_limits limits;
        limits.capacity = 131'072;
        limits.xoff = limits.xon = ingress_limits::no_threshold;
        memory.algorithm().set_limits(port, limits);
    }
    device.ingress.bind(memory.block);
    rig.stream(1us, 5, rig.frame(0, 1, 1000, 2), 0);
    expect_in(fatal_message([&] { rig.run(1ms); }), {"fabric.tor0", "ingress memory holds 5 B"});
}

// --- a real deadlock --------------------------------------------------------------------------------------

TEST(replaced_block, a_cycle_of_full_buffers_is_reported_as_a_deadlock_and_not_as_a_hang) {
    // Four switches in a ring, forwarding clockwise only, each host sending to the one two switches on: with
    // lossless links the ring's buffers fill, and each waits for the next.
    topology plan;
    constexpr unsigned switches = 4;
    for (unsigned s = 0; s < switches; ++s) {
        plan.add_host("h" + std::to_string(s));
        plan.add_switch("s" + std::to_string(s), 1);
    }
    for (unsigned s = 0; s < switches; ++s) {
        plan.add_link(node_ref::of_host(s), node_ref::of_switch(s), detail_link);  // port 0
    }
    for (unsigned s = 0; s < switches; ++s) {
        plan.add_link(node_ref::of_switch(s), node_ref::of_switch((s + 1) % switches), detail_link);
    }
    plan.finish();
    fabric_parameters parameters;
    parameters.device.classes = 1;
    parameters.device.egress_buffer = 20_KB;
    parameters.device.ingress_buffer = 20_KB;
    parameters.flow_control.mode = flow_control_mode::pfc;
    parameters.flow_control.quanta = pause_quanta{1000};
    fabric_rig rig(plan, parameters);
    struct clockwise : block_module<lookup_if> {
        clockwise(const char* name, ipv4_address own, unsigned next)
            : block_module(name), m_own(own), m_next{next} {}
        const port_bitmap& lookup(ipv4_address destination) override {
            return destination == m_own ? m_host : m_next;
        }
        void load(const std::vector<route_entry>&) override {}
        ipv4_address m_own;
        port_bitmap m_next;
        port_bitmap m_host{0};
    };
    std::vector<std::unique_ptr<clockwise>> tables;
    for (unsigned s = 0; s < switches; ++s) {
        const node_ref self = node_ref::of_switch(s);
        const node_ref next = node_ref::of_switch((s + 1) % switches);
        const unsigned port = plan.far_end(self, 1).node == next ? 1 : 2;
        tables.push_back(
            std::make_unique<clockwise>(("table" + std::to_string(s)).c_str(), plan.address_of(s), port));
        rig.made.device(s).lookup.bind(tables.back()->block);
        rig.stream(0us, 400, rig.frame(s, (s + 2) % switches, 1500), s);
    }
    const std::string message = fatal_message([&] { rig.run(1s); });
    expect_in(message, {"/weir/deadlock", "4 paused queues wait for each other in a cycle", "s0.tx1 class 0",
                        "s1.tx2 class 0", "s2.tx2 class 0", "s3.tx2 class 0"});
    EXPECT_LT(sc_core::sc_time_stamp(), sc_core::sc_time(2, sc_core::SC_MS));
}

}  // namespace
