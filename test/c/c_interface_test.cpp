// The C interface: beside the classes that it stands for, under random stimulus, and what it does with misuse.
#include "weir/c/weir.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "c/c_handles.h"
#include "golden/rtl/pfc_golden.h"
#include "golden/rtl/tcam_golden.h"
#include "rtl/random_requests.h"
#include "support/errors_said.h"
#include "weir/model/crossbar/islip.h"
#include "weir/model/memory/shared_buffer.h"

namespace {

using namespace weir;
using namespace weir::model;
using test::owned;
using test::port_words;
using test::words_of;

// --- beside the classes ---

TEST(c_interface, islip_is_the_class_under_random_requests) {
    for (const unsigned ports : {1U, 5U, 33U, 64U}) {
        test::random_requests stimulus(ports, ports);
        islip direct(ports);
        const owned<weir_islip> arbiter(
            weir_islip_create(WEIR_C_MAJOR, ("ports=" + std::to_string(ports)).c_str(), nullptr));
        for (int run = 0; run < 300; ++run) {
            stimulus.advance();
            for (pfc_class c = 0; c < pfc_classes; ++c) {
                for (unsigned e = 0; e < ports; ++e) {
                    ASSERT_EQ(weir_islip_request(arbiter.get(), e, c,
                                                 words_of(stimulus.requests.eligible_ingress(e, c)).data()),
                              0);
                }
            }
            std::vector<crossbar_match> matches;
            direct.arbitrate(stimulus.requests, stimulus.free_ingress, stimulus.free_egress,
                             stimulus.iterations, matches);
            ASSERT_EQ(
                weir_islip_step(arbiter.get(), stimulus.iterations, words_of(stimulus.free_ingress).data(),
                                words_of(stimulus.free_egress).data()),
                static_cast<int>(matches.size()));
            for (const crossbar_match& m : matches) {
                std::uint32_t c = 0;
                ASSERT_EQ(weir_islip_match(arbiter.get(), m.egress_port, &c), m.ingress_port);
                ASSERT_EQ(c, m.frame_class);
            }
            for (unsigned p = 0; p < ports; ++p) {
                for (pfc_class c = 0; c < pfc_classes; ++c) {
                    ASSERT_EQ(weir_islip_grant_pointer(arbiter.get(), p, c),
                              static_cast<int>(direct.grant_pointer(p, c)));
                    ASSERT_EQ(weir_islip_accept_pointer(arbiter.get(), p, c),
                              static_cast<int>(direct.accept_pointer(p, c)));
                }
            }
        }
    }
}

TEST(c_interface, islip_takes_requests_of_the_highest_port) {
    const std::string ports = std::to_string(max_ports);
    const owned<weir_islip> arbiter(weir_islip_create(WEIR_C_MAJOR, ("ports=" + ports).c_str(), nullptr));
    EXPECT_EQ(weir_islip_request(arbiter.get(), max_ports - 1, 7, words_of({max_ports - 1}).data()), 0);
    EXPECT_EQ(weir_islip_step(arbiter.get(), 0, nullptr, nullptr), 1);
    EXPECT_EQ(weir_islip_match(arbiter.get(), max_ports - 1, nullptr), static_cast<int>(max_ports - 1));
    // A request that is taken back.
    EXPECT_EQ(weir_islip_request(arbiter.get(), max_ports - 1, 7, port_words{}.data()), 0);
    EXPECT_EQ(weir_islip_step(arbiter.get(), 0, nullptr, nullptr), 0);
    EXPECT_EQ(weir_islip_match(arbiter.get(), max_ports - 1, nullptr), WEIR_NONE);
    EXPECT_EQ(weir_islip_iterations(arbiter.get()), 1);
}

TEST(c_interface, tcam_is_the_class_under_random_writes_and_lookups) {
    golden::random_tcam_edges stimulus(200, 1);
    tcam direct(tcam_config{200, 32});
    const owned<weir_tcam> table(weir_tcam_create(WEIR_C_MAJOR, "entries=200 key_bits=32", nullptr));
    random_stream chance(1, 1, random_purpose::arrivals);
    int hits = 0;
    for (int step = 0; step < 10'000; ++step) {
        golden::tcam_edge edge = stimulus.next();
        edge.entry.priority = chance.below(4);
        if (edge.writes) {
            ASSERT_EQ(direct.write(edge.index, edge.entry, edge.ports), tcam_status::done);
            ASSERT_EQ(weir_tcam_write(table.get(), edge.index, edge.entry.valid, edge.entry.value,
                                      edge.entry.mask, edge.entry.priority, words_of(edge.ports).data()),
                      0);
        }
        const std::uint32_t vacated = chance.below(2'000);
        if (vacated < 200) {
            ASSERT_EQ(weir_tcam_erase(table.get(), vacated) == 0, direct.erase(vacated) == tcam_status::done);
        }
        port_words ports;
        ports.fill(~0U);
        const int winner = direct.lookup(edge.key);
        ASSERT_EQ(weir_tcam_lookup(table.get(), edge.key, ports.data()), winner);
        ASSERT_EQ(ports, words_of(direct.acceptable_ports(winner)));
        hits += winner != tcam::no_match ? 1 : 0;
    }
    EXPECT_GT(hits, 1'000);
}

TEST(c_interface, pfc_is_the_classes_with_other_latencies_and_widths) {
    pfc_receive_config receive;
    receive.data_width = 512;
    receive.quanta_step = 100;
    receive.parsed = cycles{2};
    receive.statistics = cycles{5};
    receive.request = cycles{9};
    receive.acknowledged_timers = false;
    pfc_transmit_config transmit = golden::transmit_config(512);
    transmit.launch = cycles{4};
    transmit.first_beat = cycles{7};
    transmit.refresh_extra = cycles{3};
    transmit.edge = launch_edge::lost;
    pfc_receive_control direct_receive(receive);
    pfc_transmit_control direct_transmit(transmit);
    const owned<weir_pfc_receive> rx(
        weir_pfc_receive_create(WEIR_C_MAJOR,
                                "data_width_bits=512 quanta_step=100 parsed_cycles=2 statistics_cycles=5 "
                                "request_cycles=9 timers=always",
                                nullptr));
    const owned<weir_pfc_transmit> tx(weir_pfc_transmit_create(
        WEIR_C_MAJOR,
        "data_width_bits=512 launch_cycles=4 first_beat_cycles=7 refresh_extra_cycles=3 launch_edge=lost "
        "quanta=65535,1000,200,65535,40,0,7,300 refresh=300,20,10,32767,5,2,1,40",
        nullptr));
    golden::random_receive_edges receive_edges(1);
    golden::random_transmit_edges transmit_edges(1);
    std::uint32_t out[5];
    for (int cycle = 0; cycle < 20'000; ++cycle) {
        golden::receive_edge edge = receive_edges.next(direct_receive.outputs().request);
        direct_receive.clock(edge.inputs());
        const pause_frame frame = edge.frame.value_or(pause_frame{});
        ASSERT_EQ(weir_pfc_receive_step(rx.get(), edge.in.pfc_enable, edge.in.class_enable, edge.in.acknowledge,
                                        !edge.frame                       ? WEIR_NO_FRAME
                                        : frame.kind == frame_kind::pause ? WEIR_PAUSE_FRAME
                                                                          : WEIR_PFC_FRAME,
                                        frame.fields.class_enable, frame.fields.quanta.data()),
                  0);
        ASSERT_EQ(weir_pfc_receive_read(rx.get(), &out[0], &out[1], &out[2], &out[3], &out[4]), 0);
        const pfc_receive_outputs& received = direct_receive.outputs();
        ASSERT_EQ(std::vector<std::uint32_t>(out, out + 5),
                  (std::vector<std::uint32_t>{received.control_frame, received.pfc_frame, received.xoff,
                                              received.xon, received.request}));

        const pfc_transmit_inputs in = transmit_edges.next(direct_transmit.outputs().waiting);
        direct_transmit.clock(in);
        ASSERT_EQ(weir_pfc_transmit_step(tx.get(), in.pfc_enable, in.request, in.resend, in.taken), 0);
        ASSERT_EQ(weir_pfc_transmit_read(tx.get(), &out[0], &out[1], &out[2], &out[3], &out[4]), 0);
        const pfc_transmit_outputs& sent = direct_transmit.outputs();
        ASSERT_EQ(std::vector<std::uint32_t>(out, out + 5),
                  (std::vector<std::uint32_t>{sent.waiting, sent.pfc_frame, sent.xoff, sent.xon, sent.paused}));
        pause_fields fields;
        ASSERT_EQ(weir_pfc_transmit_frame(tx.get(), &out[0], fields.quanta.data()), 0);
        ASSERT_EQ(out[0], direct_transmit.frame().class_enable);
        ASSERT_EQ(fields.quanta, direct_transmit.frame().quanta);
    }
}

TEST(c_interface, shared_buffer_is_the_class_under_random_frames) {
    constexpr unsigned ports = 6;
    shared_buffer_config config;
    config.memory = 60'000_B;
    config.slices = 2;
    config.map = slice_map::ingress;
    config.minimum = 200_B;
    config.alpha = 0.5;
    config.queue_alpha = 0.0625;
    config.xon_offset = 300_B;
    config.headroom_pool = 2'000_B;
    shared_buffer direct(config, ports, 3, 0b010, 100_B, std::vector<bytes>(ports, 700_B));
    ASSERT_TRUE(direct.errors().empty());
    const char* error = nullptr;
    const owned<weir_shared_buffer> memory(weir_shared_buffer_create(
        WEIR_C_MAJOR,
        "ports=6 classes=3 cell=100B memory=60KB slices=2 slice_map=ingress lossless_classes=1 minimum=200B "
        "alpha=0.5 queue_alpha=0.0625 xon_offset=300B headroom=700B headroom_pool=2KB lossless_pool=auto",
        &error));
    ASSERT_NE(memory, nullptr) << error;
    random_stream chance(1, 0, random_purpose::arrivals);
    std::vector<std::pair<buffer_flow, std::uint32_t>> stored;
    int answers[3] = {};
    int paused = 0;
    for (int step = 0; step < 20'000; ++step) {
        const unsigned bias = step / 500 % 2 == 0 ? 7 : 3;
        if (stored.empty() || chance.below(10) < bias) {
            const buffer_flow flow{chance.below(ports), static_cast<pfc_class>(chance.below(3)),
                                   chance.below(ports)};
            const std::uint32_t frame_bytes = 1 + chance.below(900);
            const int answer = weir_shared_buffer_admit(memory.get(), flow.ingress_port, flow.frame_class,
                                                        flow.egress_port, frame_bytes);
            ASSERT_EQ(answer, static_cast<int>(direct.admit(flow, direct.cells_of(bytes{frame_bytes}))));
            ++answers[answer];
            if (answer == WEIR_STORED) {
                stored.emplace_back(flow, frame_bytes);
            }
        } else {
            std::swap(stored[chance.below(static_cast<std::uint32_t>(stored.size()))], stored.back());
            const auto [flow, frame_bytes] = stored.back();
            stored.pop_back();
            direct.release(flow, direct.cells_of(bytes{frame_bytes}));
            ASSERT_EQ(weir_shared_buffer_release(memory.get(), flow.ingress_port, flow.frame_class,
                                                 flow.egress_port, frame_bytes),
                      0);
        }
        for (unsigned port = 0; port < ports; ++port) {
            ASSERT_EQ(weir_shared_buffer_paused(memory.get(), port, 1), direct.paused(port, 1));
            paused += direct.paused(port, 1) ? 1 : 0;
        }
        if (step % 16 != 0) {
            continue;
        }
        for (unsigned slice = 0; slice < 2; ++slice) {
            for (unsigned lossless = 0; lossless < 2; ++lossless) {
                std::uint32_t free = 0;
                ASSERT_EQ(weir_shared_buffer_pool(memory.get(), slice, lossless, &free), 0);
                ASSERT_EQ(free, direct.free_shared(slice, lossless != 0));
            }
            for (unsigned port = 0; port < ports; ++port) {
                ASSERT_EQ(weir_shared_buffer_slice(memory.get(), port, 5),
                          static_cast<int>(direct.slice_of({port, 0, 5})));
                for (pfc_class c = 0; c < 3; ++c) {
                    group_cells held;
                    std::uint64_t threshold = 0;
                    std::uint32_t queue = 0;
                    ASSERT_EQ(weir_shared_buffer_group(memory.get(), slice, port, c, &held.minimum,
                                                       &held.shared, &held.headroom, &threshold),
                              0);
                    const group_cells& expected = direct.group_usage(slice, port, c);
                    ASSERT_EQ(held.minimum, expected.minimum);
                    ASSERT_EQ(held.shared, expected.shared);
                    ASSERT_EQ(held.headroom, expected.headroom);
                    ASSERT_EQ(threshold,
                              direct.threshold_with(port, c, direct.free_shared(slice, direct.is_lossless(c))));
                    ASSERT_EQ(weir_shared_buffer_queue(memory.get(), slice, port, c, &queue), 0);
                    ASSERT_EQ(queue, direct.queue_usage(slice, port, c));
                }
            }
        }
    }
    EXPECT_GT(answers[WEIR_INGRESS_FULL], 100);
    EXPECT_GT(answers[WEIR_EGRESS_FULL], 100);
    EXPECT_GT(paused, 1'000);
    EXPECT_EQ(direct.check(), "");
}

TEST(c_interface, blocks_of_two_threads_know_nothing_of_each_other) {
    const auto work = [](unsigned ingress) {
        const owned<weir_islip> arbiter(weir_islip_create(WEIR_C_MAJOR, "ports=8", nullptr));
        weir_islip_request(arbiter.get(), 0, 0, words_of({ingress}).data());
        for (int run = 0; run < 1'000; ++run) {
            weir_islip_step(arbiter.get(), 1, nullptr, nullptr);
            ASSERT_EQ(weir_islip_match(arbiter.get(), 0, nullptr), static_cast<int>(ingress));
            ASSERT_EQ(weir_islip_match(arbiter.get(), 100 + ingress, nullptr), WEIR_ERROR);
            ASSERT_TRUE(errors_are(weir_error(arbiter.get()),
                                   {"egress_port: " + std::to_string(100 + ingress) + ", 0 to 7"}));
        }
    };
    std::thread other(work, 3);
    work(5);
    other.join();
}

// --- misuse ---

template <class Create>
std::string error_of(Create&& create, const char* options, std::uint32_t major = WEIR_C_MAJOR) {
    const char* error = nullptr;
    void* const block = create(major, options, &error);
    EXPECT_EQ(block == nullptr, *error != '\0');
    weir_free(block);
    return error;
}

TEST(c_interface, options_that_are_wrong_give_no_block_and_a_line_each) {
    EXPECT_EQ(error_of(weir_islip_create, "ports=8"), "");
    EXPECT_TRUE(errors_are(error_of(weir_islip_create, ""), {"ports: missing"}));
    EXPECT_TRUE(
        errors_are(error_of(weir_islip_create, "ports=0"), {"ports: 0, 1 to " + std::to_string(max_ports)}));
    EXPECT_EQ(error_of(weir_islip_create, "ports=-1"),
              "ports: '-1' is not a whole number from 0 to 4294967295");
    EXPECT_TRUE(errors_are(error_of(weir_islip_create, "ports=8 ports=8"), {"ports: twice"}));
    EXPECT_TRUE(errors_are(error_of(weir_islip_create, "ports=8 iterations=4"), {"iterations: ports"}));
    EXPECT_TRUE(errors_are(error_of(weir_islip_create, "ports"), {"ports: name=value", "ports: missing"}));
    EXPECT_TRUE(errors_are(error_of(weir_islip_create, nullptr), {"options: NULL, address"}));
    EXPECT_TRUE(errors_are(
        error_of(weir_tcam_create, "entries=0 key_bits=65 rule=mine"),
        {"rule: mine, standard, canonical_values_only", "entries: 0, 1 to 1048576", "key_bits: 65, 1 to 64"}));
    EXPECT_TRUE(errors_are(error_of(weir_pfc_receive_create, "data_width_bits=63 statistics_cycles=1"),
                           {"data_width_bits: 63, 2 to 1024, even", "statistics_cycles: 1"}));
    EXPECT_EQ(error_of(weir_pfc_receive_create, "parsed_cycles=1000001"),
              "parsed_cycles: '1000001' is not a whole number from 0 to 1000000");
    EXPECT_TRUE(errors_are(error_of(weir_pfc_transmit_create, "quanta=1,2 refresh=65536"),
                           {"quanta: 1,2, 0 to 65535", "refresh: 65536, 0 to 65535"}));
    EXPECT_TRUE(errors_are(error_of(weir_shared_buffer_create, "ports=4"), {"headroom: 40KiB"}));
    EXPECT_TRUE(errors_are(
        error_of(weir_shared_buffer_create, "ports=4 memory=100 alpha=x lossless_classes=3,a"),
        {"memory: 100, KiB, unit", "lossless_classes: 3,a, 3,4", "alpha: x, 0.125", "headroom: 40KiB"}));
    EXPECT_TRUE(errors_are(error_of(weir_shared_buffer_create, "ports=4 classes=9 headroom=1KiB alpha=nan"),
                           {"classes: 9, 1 to 8", "alpha: nan, 0.001 to 1024"}));
    const std::string small = error_of(weir_shared_buffer_create, "ports=4 memory=1KiB headroom=1KiB");
    EXPECT_TRUE(has_error(small, "memory: 1KiB, too small"));
}

TEST(c_interface, another_major_version_is_refused) {
    EXPECT_EQ(weir_c_version() >> 16, WEIR_C_MAJOR);
    EXPECT_TRUE(errors_are(error_of(weir_tcam_create, "", 2), {"api_major: 2, 1, 1.0"}));
}

TEST(c_interface, arguments_out_of_range_change_nothing_and_are_named) {
    const owned<weir_islip> arbiter(weir_islip_create(WEIR_C_MAJOR, "ports=4", nullptr));
    const auto refused = [](void* block, int answer, const std::string& text) {
        EXPECT_EQ(answer, WEIR_ERROR) << text;
        EXPECT_TRUE(errors_are(weir_error(block), {text}));
    };
    weir_islip* const a = arbiter.get();
    std::uint32_t word = 7;
    EXPECT_STREQ(weir_error(a), "");
    EXPECT_EQ(weir_islip_iterations(a), 0);
    refused(a, weir_islip_request(a, 4, 0, port_words{}.data()), "egress_port: 4, 0 to 3");
    refused(a, weir_islip_request(a, 0, 8, port_words{}.data()), "frame_class: 8, 0 to 7");
    refused(a, weir_islip_request(a, 0, 0, words_of({1, 5}).data()), "ingress_ports: 5, 0 to 3");
    refused(a, weir_islip_request(a, 0, 0, nullptr), "ingress_ports: NULL");
    refused(a, weir_islip_step(a, 1, words_of({4}).data(), nullptr), "free_ingress: 4, 0 to 3");
    refused(a, weir_islip_match(a, 4, nullptr), "egress_port: 4, 0 to 3");
    refused(a, weir_islip_grant(a, 0, 0, nullptr, &word), "iteration: 0, less than 0");
    refused(a, weir_islip_grant_pointer(a, 4, 0), "egress_port: 4, 0 to 3");
    refused(a, weir_islip_accept_pointer(a, 4, 0), "ingress_port: 4, 0 to 3");
    EXPECT_EQ(weir_islip_step(a, 0, nullptr, nullptr), 0);  // none of the requests was taken
    refused(a, weir_islip_grant(a, 1, 0, nullptr, &word), "iteration: 1, less than 1");
    refused(a, weir_islip_grant(a, 0, 0, nullptr, nullptr), "accepted: NULL");

    const owned<weir_tcam> table(weir_tcam_create(WEIR_C_MAJOR, "entries=4 key_bits=8", nullptr));
    weir_tcam* const t = table.get();
    refused(t, weir_tcam_write(t, 4, 1, 0, 0, 0, port_words{}.data()), "index: 4, 0 to 3");
    refused(t, weir_tcam_write(t, 0, 1, 0x100, 0, 0, port_words{}.data()), "value: 256, below 2^8, key_bits");
    refused(t, weir_tcam_write(t, 0, 1, 0, 0x1FF, 0, port_words{}.data()), "mask: 511, below 2^8, key_bits");
    refused(t, weir_tcam_write(t, 0, 2, 0, 0, 0, port_words{}.data()), "valid: 2, 0 to 1");
    refused(t, weir_tcam_erase(t, 0), "index: 0, vacant");
    refused(t, weir_tcam_lookup(t, 0x105, nullptr), "key: 261, below 2^8, key_bits");
    EXPECT_EQ(weir_tcam_lookup(t, 0, nullptr), WEIR_NONE);

    const owned<weir_pfc_receive> rx(weir_pfc_receive_create(WEIR_C_MAJOR, "", nullptr));
    const std::uint16_t quanta[8] = {};
    refused(rx.get(), weir_pfc_receive_step(rx.get(), 1, 0x100, 0, 0, 0, quanta),
            "enabled_classes: 256, 0 to 255");
    refused(rx.get(), weir_pfc_receive_step(rx.get(), 1, 0, 0, 3, 0, quanta), "frame: 3, 0 to 2");
    refused(rx.get(), weir_pfc_receive_step(rx.get(), 1, 0, 0, 1, 0, nullptr), "quanta: NULL");
    refused(rx.get(), weir_pfc_receive_read(rx.get(), &word, &word, nullptr, &word, &word), "outputs: NULL");
    EXPECT_EQ(word, 7U);
    const owned<weir_pfc_transmit> tx(weir_pfc_transmit_create(WEIR_C_MAJOR, "", nullptr));
    refused(tx.get(), weir_pfc_transmit_step(tx.get(), 1, 256, 0, 0), "request: 256, 0 to 255");
    refused(tx.get(), weir_pfc_transmit_frame(tx.get(), &word, nullptr), "quanta: NULL");

    const owned<weir_shared_buffer> memory(
        weir_shared_buffer_create(WEIR_C_MAJOR, "ports=2 classes=2 headroom=0B cell=64B", nullptr));
    weir_shared_buffer* const m = memory.get();
    refused(m, weir_shared_buffer_admit(m, 2, 0, 0, 64), "ingress_port: 2, 0 to 1");
    refused(m, weir_shared_buffer_admit(m, 0, 2, 0, 64), "frame_class: 2, 0 to 1");
    refused(m, weir_shared_buffer_admit(m, 0, 0, 2, 64), "egress_port: 2, 0 to 1");
    refused(m, weir_shared_buffer_admit(m, 0, 0, 0, 0), "frame_bytes: 0, 1 to 65535");
    EXPECT_EQ(weir_shared_buffer_admit(m, 0, 0, 1, 65), WEIR_STORED);
    const char* const held = "frame_bytes: 64, 1, 0";
    refused(m, weir_shared_buffer_release(m, 0, 0, 0, 64), held);
    refused(m, weir_shared_buffer_release(m, 1, 0, 1, 64), held);
    EXPECT_EQ(weir_shared_buffer_release(m, 0, 0, 1, 65), 0);
    refused(m, weir_shared_buffer_release(m, 0, 0, 1, 64), held);
    refused(m, weir_shared_buffer_queue(m, 1, 0, 0, &word), "slice: 1, 0 to 0");
}

TEST(c_interface, a_block_of_another_kind_and_none_are_errors) {
    const owned<weir_tcam> table(weir_tcam_create(WEIR_C_MAJOR, "", nullptr));
    EXPECT_EQ(weir_islip_step(reinterpret_cast<weir_islip*>(table.get()), 1, nullptr, nullptr), WEIR_ERROR);
    EXPECT_TRUE(errors_are(weir_error(table.get()), {"block: weir_tcam, weir_islip"}));
    EXPECT_EQ(weir_islip_step(nullptr, 1, nullptr, nullptr), WEIR_ERROR);
    EXPECT_TRUE(errors_are(weir_error(nullptr), {"block: NULL"}));
    weir_free(nullptr);
}

}  // namespace
