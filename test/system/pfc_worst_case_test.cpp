// The most bytes that can arrive after XOFF has been decided, by attack, against the closed form
// (docs/experiments/pfc_headroom.md).
//
// Memory is always as small as the closed form allows: the threshold, the frame that crosses it, the reserve.
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "support/child_process.h"
#include "tb/asic/headroom/attack_search.h"
#include "tb/run/arguments/commands.h"
#include "weir/base/unit_text.h"

namespace weir::tb::pfc_attack {
namespace {

using namespace test;

/// Thresholds and memory with nothing to spare. XOFF is at four frames and what arrives during a lookup, so
/// that traffic that only passes (as it does at a partner that is a switch) does not reach it.
void fit_memory(pfc_setting& s) {
    switch_config& device = s.parameters.device;
    const std::int64_t classes =
        s.parameters.flow_control.mode == flow_control_mode::pause ? 1 : device.classes;
    s.parameters.flow_control.xoff = 4 * device.max_frame + s.terms().bytes_of(device.lookup_delay);
    device.ingress_buffer =
        classes * (*s.parameters.flow_control.xoff + device.max_frame - 1_B + s.thresholds().reserve);
    device.egress_buffer = 4 * device.max_frame;
    device.share = egress_share::whole;
    device.tcam_entries = 256;
}

pfc_setting setting_of(const char* name, bit_rate rate, picoseconds latency, bytes max_frame) {
    pfc_setting s;
    s.name = name;
    s.link = {rate, latency};
    s.parameters.device.max_frame = max_frame;
    s.parameters.device.classes = 1;
    s.parameters.flow_control.mode = flow_control_mode::pfc;
    fit_memory(s);
    return s;
}

/// DeTail's link (TR 6.1, 7.1). Frames of 1,510 B take 1,530 B on the wire, the PFC frame 84 B.
pfc_setting detail_wire() {
    return setting_of("DeTail, 1,510 + 20 B", 1_Gbps, 6600ns, 1510_B);
}

/// DeTail's count: 1,530 B on the wire, in the crossbar and in memory, so no overhead. The PFC frame's 20 B of
/// preamble and gap (160 ns), which no overhead leaves out, are put into the response time.
pfc_setting detail_count() {
    pfc_setting s = setting_of("DeTail, 1,530 + 0 B", 1_Gbps, 6600ns, 1530_B);
    s.parameters.wire_overhead = 0_B;
    s.parameters.flow_control.response = 1024ns + 160ns;
    s.parameters.flow_control.reserve = 4922_B;
    fit_memory(s);
    return s;
}

/// The same without that: what `link.wire_overhead = 0B` gives by itself.
pfc_setting detail_experiment() {
    pfc_setting s = setting_of("DeTail, 1,530 + 0 B, PFC frame 64 B", 1_Gbps, 6600ns, 1530_B);
    s.parameters.wire_overhead = 0_B;
    fit_memory(s);
    return s;
}

pfc_setting detail_pause() {
    pfc_setting s = detail_wire();
    s.name += ", 802.3x";
    s.parameters.flow_control.mode = flow_control_mode::pause;
    s.parameters.device.classes = 8;
    fit_memory(s);
    return s;
}

pfc_setting detail_enqueue() {
    pfc_setting s = detail_wire();
    s.name += ", charged after the lookup";
    s.parameters.flow_control.charge = charge_time::enqueue;
    fit_memory(s);
    return s;
}

/// 1,518 + 20 B, SONiC's response times; a hundred metres and transceivers.
pfc_setting standard(const char* name, bit_rate rate) {
    pfc_setting s = setting_of(name, rate, 600ns, 1518_B);
    s.parameters.device.lookup_delay = 400ns;
    fit_memory(s);
    return s;
}

pfc_setting ten_gbps_802_1qbb() {
    pfc_setting s = standard("10 Gb/s, 802.1Qbb's response", 10_Gbps);
    s.parameters.flow_control.response =
        pause_time(*response_quanta(10_Gbps, response_source::ieee_802_1qbb), 10_Gbps);
    fit_memory(s);
    return s;
}

/// DeTail's switch with its eight classes and 128 KiB, thresholds from `reserve`.
pfc_setting eight_classes(pfc_setting s) {
    s.parameters.device.classes = 8;
    s.parameters.device.ingress_buffer = 128_KiB;
    s.parameters.device.share = egress_share::whole;
    s.parameters.flow_control.xoff.reset();
    return s;
}

pfc_setting detail_thresholds(pfc_setting s) {
    s = eight_classes(std::move(s));
    s.parameters.flow_control.xoff = 11'546_B;
    s.parameters.flow_control.xon = 4'838_B;
    s.parameters.flow_control.reserve = 4'838_B;
    return s;
}

std::uint32_t frames_of(const std::vector<burst>& bursts) {
    std::size_t count = 0;
    for (const burst& b : bursts) {
        count += b.lengths.size();
    }
    return static_cast<std::uint32_t>(count);
}

void print(const pfc_setting& s, const char* how, std::size_t cases, bytes found) {
    const pfc_headroom_terms t = s.terms();
    std::printf("%-48s %-9s %7zu cases: %6lld B of %6lld B (%lld.%03lld us)\n", s.name.c_str(), how, cases,
                static_cast<long long>(found.count()), static_cast<long long>(t.total_bytes().count()),
                static_cast<long long>(t.total().count() / 1'000'000),
                static_cast<long long>(t.total().count() / 1'000 % 1'000));
}

/// Runs the computed attack on one class: it must arrive to the picosecond and the byte as computed, just
/// below the closed form, and fill the memory but for what no frame could use.
void expect_computed_worst_case(const pfc_setting& s) {
    SCOPED_TRACE(s.name + (s.switch_partner ? ", a switch obeys" : ", a host obeys"));
    const computed_attack made = compute_attack(s, 1);
    const results r = run_attacks(s, {made.script}, made.end);
    EXPECT_EQ(r.violation, "");
    const pfc_attack::outcome& o = r.outcomes[0];
    const bytes after = o.wire_bytes_after(0, s.parameters.wire_overhead);
    EXPECT_EQ(o.classes[0].xoff_at, made.xoff_at[0]);
    EXPECT_EQ(o.classes[0].bytes_at_xoff,
              s.thresholds().limits.xoff - 1 + s.parameters.device.max_frame.count());
    EXPECT_EQ(after, made.wire_bytes_after);
    EXPECT_EQ(o.watermark, o.classes[0].bytes_at_xoff + o.classes[0].bytes_after);
    EXPECT_EQ(o.frames_refused, 0U);
    const bytes form = s.terms().total_bytes();
    EXPECT_LT(after, form);
    EXPECT_GE(after + 2_B, form);
    if (!s.switch_partner) {
        print(s, "computed", 1, after);
    }
}

search_result expect_search_within_a_frame(const pfc_setting& s, unsigned grid, unsigned random,
                                           unsigned rounds, std::uint64_t seed = 1) {
    SCOPED_TRACE(s.name);
    attack_search search(s, seed);
    search_result found;
    if (grid > 0) {
        found = search.grid(grid, grid);
        print(s, "grid", found.cases, found.most);
    }
    search_result by_chance = search.random(random);
    print(s, "random", by_chance.cases, by_chance.most);
    found.merge(by_chance);
    found = search.climb(found, rounds, 256);
    print(s, "all", found.cases, found.most);
    EXPECT_EQ(found.violation, "") << "the full reserve lost a frame";
    EXPECT_GT(found.cases_with_xoff, found.cases * 9 / 10);
    EXPECT_LE(found.watermark, s.parameters.device.ingress_buffer);
    EXPECT_LE(found.most, s.terms().total_bytes());
    EXPECT_GT(found.most + s.max_wire(), s.terms().total_bytes());
    return found;
}

// --- the closed form -------------------------------------------------------------------------------------

TEST(pfc_worst_case, closed_form_of_detail_is_4922_bytes_and_equation_1_leaves_84_out) {
    for (const pfc_setting& s : {detail_wire(), detail_count()}) {
        EXPECT_EQ(s.terms().total(), 39'376ns);
        EXPECT_EQ(s.terms().total_bytes(), 4'922_B);
        EXPECT_EQ(s.thresholds().reserve, 4'922_B);
    }
    EXPECT_EQ(detail_wire().terms(headroom_equation::detail_eq1).total_bytes(), 4'838_B);
    EXPECT_EQ(detail_experiment().thresholds().reserve, 4'902_B);
    EXPECT_EQ(detail_pause().thresholds().reserve, 4'922_B);
    EXPECT_EQ(detail_enqueue().thresholds().reserve, 5'310_B);
}

TEST(pfc_worst_case, computed_attack_comes_within_two_bytes_of_the_closed_form) {
    for (pfc_setting s : {detail_wire(), detail_count(), detail_experiment(), detail_pause(), detail_enqueue(),
                          standard("10 Gb/s", 10_Gbps), ten_gbps_802_1qbb(), standard("25 Gb/s", 25_Gbps),
                          standard("40 Gb/s", 40_Gbps), standard("100 Gb/s", 100_Gbps),
                          standard("400 Gb/s", 400_Gbps), standard("800 Gb/s", 800_Gbps)}) {
        expect_computed_worst_case(s);
        s.switch_partner = true;
        expect_computed_worst_case(s);
    }
}

TEST(pfc_worst_case, more_than_detail_equation_1_arrives) {
    const pfc_setting s = detail_count();
    const computed_attack made = compute_attack(s, 1);
    const results r = run_attacks(s, {made.script}, made.end);
    EXPECT_EQ(r.outcomes[0].classes[0].bytes_after, 4'921U);
    // Preamble and gap need no memory; even so.
    const pfc_setting wire = detail_wire();
    const computed_attack made_wire = compute_attack(wire, 1);
    EXPECT_EQ(run_attacks(wire, {made_wire.script}, made_wire.end).outcomes[0].classes[0].bytes_after, 4'841U);
}

// --- search ----------------------------------------------------------------------------------------------

TEST(pfc_worst_case, search_at_1_gbps_comes_within_a_frame_and_never_above) {
    expect_search_within_a_frame(detail_wire(), 48, 4096, 16);
    expect_search_within_a_frame(detail_count(), 32, 2048, 16);
}

TEST(pfc_worst_case, search_under_802_3x_pause_comes_within_a_frame_and_never_above) {
    expect_search_within_a_frame(detail_pause(), 24, 2048, 8);
}

TEST(pfc_worst_case, search_with_memory_charged_after_the_lookup_comes_within_a_frame_and_never_above) {
    expect_search_within_a_frame(detail_enqueue(), 24, 2048, 8);
}

TEST(pfc_worst_case, search_at_10_and_100_gbps_comes_within_a_frame_and_never_above) {
    expect_search_within_a_frame(standard("10 Gb/s", 10_Gbps), 24, 1024, 8);
    expect_search_within_a_frame(ten_gbps_802_1qbb(), 24, 512, 8);
    expect_search_within_a_frame(standard("100 Gb/s", 100_Gbps), 16, 512, 8);
}

TEST(pfc_worst_case, search_against_a_switch_that_obeys_comes_within_a_frame_and_never_above) {
    pfc_setting s = detail_wire();
    s.name += ", a switch obeys";
    s.switch_partner = true;
    expect_search_within_a_frame(s, 16, 1024, 8);
}

TEST(pfc_worst_case, search_over_eight_classes_at_once_comes_within_a_frame_and_never_above) {
    pfc_setting s = detail_count();
    s.name += ", 8 classes";
    s.parameters.device.classes = 8;
    fit_memory(s);
    expect_search_within_a_frame(s, 0, 768, 2);
}

TEST(pfc_worst_case, search_finds_the_same_again) {
    const pfc_setting s = detail_wire();
    const auto find = [&](std::uint64_t seed) {
        attack_search search(s, seed);
        return search.climb(search.random(256), 2, 64);
    };
    const search_result first = find(3);
    const search_result again = find(3);
    EXPECT_EQ(first.most, again.most);
    EXPECT_EQ(first.best.forward, again.best.forward);
    EXPECT_EQ(first.best.phase, again.best.phase);
    EXPECT_NE(first.best.phase, find(4).best.phase);
}

TEST(pfc_worst_case, long_run_deeper_search_never_comes_above_the_closed_form) {
    for (std::uint64_t seed = 11; seed < 15; ++seed) {
        expect_search_within_a_frame(detail_wire(), 64, 16'384, 40, seed);
        expect_search_within_a_frame(detail_count(), 64, 16'384, 40, seed);
        expect_search_within_a_frame(detail_pause(), 32, 8'192, 20, seed);
        expect_search_within_a_frame(detail_enqueue(), 32, 8'192, 20, seed);
        expect_search_within_a_frame(standard("10 Gb/s", 10_Gbps), 32, 8'192, 20, seed);
        expect_search_within_a_frame(standard("100 Gb/s", 100_Gbps), 32, 2'048, 20, seed);
    }
}

// --- eight classes ---------------------------------------------------------------------------------------

TEST(pfc_worst_case, eight_classes_with_the_full_reserve_lose_nothing_and_deliver_all) {
    pfc_setting s = eight_classes(detail_count());
    EXPECT_EQ(s.thresholds().limits.xoff, 16'384U - 4'922U - 1'529U);
    const computed_attack made = compute_attack(s, 8);
    const results r = run_attacks(s, {made.script}, made.end + 10ms, made.end);
    EXPECT_EQ(r.violation, "");
    const pfc_attack::outcome& o = r.outcomes[0];
    for (unsigned c = 0; c < pfc_classes; ++c) {
        EXPECT_EQ(o.classes[c].xoff_at, made.xoff_at[c]) << "class " << c;
        EXPECT_EQ(o.classes[c].bytes_after, 4'921U) << "class " << c;
    }
    EXPECT_EQ(o.watermark, 8U * (9'933 - 1 + 1'530 + 4'921));  // 131,064 of 131,072 B
    EXPECT_EQ(o.frames_refused, 0U);
    EXPECT_EQ(o.frames_delivered, frames_of(made.script.forward));
}

TEST(pfc_worst_case, eight_classes_with_detail_thresholds_lose_a_frame) {
    // A full frame crosses each threshold: 7 x (11,545 + 1,530 + 4,921) B leave 5,100 B for the last class.
    const pfc_setting s = detail_thresholds(detail_count());
    const computed_attack made = compute_attack(s, 8);
    const results r = run_attacks(s, {made.script}, made.end);
    EXPECT_EQ(r.outcomes[0].classes[6].bytes_after, 4'921U);
    EXPECT_EQ(r.outcomes[0].watermark, 7U * 17'996 + 3 * 1'530);
    EXPECT_NE(r.violation.find("lost a frame of lossless class 7"), std::string::npos) << r.violation;
    EXPECT_NE(r.violation.find("of 131072 B in use); XOFF at 11546 B, XON below 4838 B"), std::string::npos)
        << r.violation;
}

TEST(pfc_worst_case, eight_classes_with_detail_thresholds_lose_a_frame_even_if_each_is_met_exactly) {
    // 8 x (11,546 + 4,838) B fill the memory; what arrives beyond equation 1 has no place. Wire counted as
    // DeTail does, with preamble and gap outside of memory, and with a PFC frame of 64 B.
    for (const pfc_setting& base : {detail_count(), detail_wire(), detail_experiment()}) {
        const pfc_setting s = detail_thresholds(base);
        SCOPED_TRACE(s.name);
        const computed_attack made = compute_attack(s, 8, false);
        const results r = run_attacks(s, {made.script}, made.end);
        const pfc_attack::outcome& o = r.outcomes[0];
        EXPECT_EQ(o.classes[7].xoff_at, made.xoff_at[7]);
        EXPECT_EQ(o.classes[7].bytes_at_xoff, 11'546U);
        EXPECT_GT(8 * (11'546 + o.classes[7].bytes_after), 131'072U);
        EXPECT_EQ(o.frames_refused, 1U);
        EXPECT_NE(r.violation.find("lost a frame of lossless class 7"), std::string::npos) << r.violation;
        std::printf("%s: 8 x (11,546 + %u) = %u B\n", s.name.c_str(), o.classes[7].bytes_after,
                    8 * (11'546 + o.classes[7].bytes_after));
    }
}

// --- a reserve that is too small -------------------------------------------------------------------------

TEST(pfc_worst_case, reserve_of_the_worst_case_found_is_enough_and_one_byte_less_is_named) {
    for (const bool pause : {false, true}) {
        pfc_setting s = detail_count();
        s.parameters.flow_control.mode = pause ? flow_control_mode::pause : flow_control_mode::pfc;
        s.parameters.flow_control.reserve = 4'921_B;
        fit_memory(s);
        const computed_attack enough = compute_attack(s, 1);
        EXPECT_EQ(run_attacks(s, {enough.script}, enough.end).violation, "");

        s.parameters.flow_control.reserve = 4'920_B;
        fit_memory(s);
        const computed_attack made = compute_attack(s, 1);
        const results r = run_attacks(s, {made.script}, made.end);
        EXPECT_EQ(r.outcomes[0].frames_refused, 1U);
        const picoseconds lost_at = made.xoff_at[0] + s.wire_time(4'921_B);
        const bytes xoff = *s.parameters.flow_control.xoff;
        const bytes in_use = xoff - 1_B + 1'530_B + 4'921_B - 1'530_B;
        for (const std::string& named :
             {"at " + to_text(lost_at) + ": ", std::string("fabric.device0"), std::string("ingress port 0"),
              std::string("lost a frame of lossless class 0 (1530 B)"),
              std::to_string(in_use.count()) + " of " + std::to_string((xoff + 1'529_B + 4'920_B).count()) +
                  " B in use",
              "XOFF at " + std::to_string(xoff.count()) + " B", std::string("XON below 4920 B")}) {
            EXPECT_NE(r.violation.find(named), std::string::npos) << named << " is not in: " << r.violation;
        }
    }
}

TEST(pfc_worst_case, program_ends_with_status_1_and_names_a_loss_for_want_of_reserve) {
    const std::string out = testing::TempDir() + "/weir_small_reserve_" + std::to_string(getpid());
    const auto run = [&](const char* reserve) {
        std::filesystem::remove_all(out);
        return in_child([&] {
            sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
            std::ostringstream table;
            std::ostringstream errors;
            const int status =
                run_command({"--switch.scheme=fc", "--fabric.topology=single", "--fabric.hosts=8",
                             "--traffic.kind=incast", "--traffic.incast_rounds=1", "--traffic.incast_bytes=2MB",
                             "--tcp.initial_window=718", std::string("--pfc.reserve=") + reserve, "--out", out},
                            table, errors);
            return std::to_string(status) + '\n' + errors.str();
        });
    };
    EXPECT_EQ(run("auto"), "0\n");
    const std::string small = run("100B");
    EXPECT_EQ(small.substr(0, 2), "1\n") << small;
    for (const char* named : {"fabric.tor0: ingress port ", "lost a frame of lossless class ", "XOFF at ",
                              "XON below ", " of 131072 B in use"}) {
        EXPECT_NE(small.find(named), std::string::npos) << named << " is not in: " << small;
    }
    EXPECT_FALSE(std::filesystem::exists(out + "/summary.json"));
    std::filesystem::remove_all(out);
}

}  // namespace
}  // namespace weir::tb::pfc_attack
