// `trace.wave` through the program: the same bytes however it runs; what it shows against an account of its
// own, made of what a packet capture of all links shows; windows and triggers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "support/capture_bytes.h"
#include "support/errors_said.h"
#include "support/wave_reading.h"
#include "tb/verify/wave/wave_file.h"
#include "traced_fabric.h"

using namespace weir::test;

namespace {

const arguments two_bursts{"--traffic.kind=incast", "--traffic.incast_rounds=2", "--traffic.incast_bytes=500KB",
                           "--traffic.priorities=5,2", "--switch.scheme=detail"};

TEST(waveform, has_the_same_bytes_whatever_the_quantum_threads_and_engine_and_changes_no_other_file) {
    const scratch_directory where;
    const std::vector<arguments> kinds{
        combined(two_bursts, {"--trace.wave=run.vcd"}),
        combined(two_bursts, {"--trace.wave=run.vcd", "--switch.buffer=shared", "--shared.memory=1MB"}),
        combined(traced_losses, {"--trace.wave=run.vcd", "--trace.wave_trigger=drop"}),
        combined(two_bursts, {"--trace.wave=run.vcd", "--switch.crossbar=cell", "--trace.wave_trigger=xoff",
                              "--trace.wave_after=3ms"})};
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        SCOPED_TRACE(k);
        const arguments options = combined(traced_fabric, kinds[k]);
        const std::string name(1, static_cast<char>('a' + k));
        run_traced(where, name, options);
        run_traced(where, name + "q", combined(options, {"--run.quantum=700ns"}));
        run_traced(where, name + "t", combined(options, {"--run.threads=2"}));
        run_traced(where, name + "l", combined(options, {"--run.engine=literal"}));
        expect_same_bytes(where / name, where / (name + "q"));
        expect_same_bytes(where / name, where / (name + "t"));
        expect_same_bytes(where / name, where / (name + "l"));
        EXPECT_GT(contents(where / name / "run.vcd").size(), 5'000U);
        arguments off;
        for (const std::string& option : options) {
            if (option.rfind("--trace.", 0) != 0) {
                off.push_back(option);
            }
        }
        run_traced(where, name + "off", off);
        const auto with = results_in(where / name);
        const auto without = results_in(where / (name + "off"));
        EXPECT_EQ(with.size(), without.size() + 1);
        for (const auto& [file, text] : without) {
            if (file != "effective.ini") {
                EXPECT_EQ(with.at(file), text) << file;
            }
        }
    }
}

/// One switch as the captures of its links show it.
struct captured_switch {
    struct passage {
        unsigned port;
        std::uint64_t first_bit_out;  // ns
        captured_packet packet;
    };
    std::string name;
    std::vector<passage> in;
    std::vector<passage> out;
};

constexpr std::uint64_t link_latency = 6'600;  // ns, of every link
constexpr std::uint64_t ns_per_byte = 8;       // 1 Gb/s
constexpr std::uint64_t crossbar_ns = 2;       // four times as fast
constexpr std::uint64_t overhead = 20;         // bytes between frames
constexpr std::uint64_t response_ns = 1'024;   // two quanta of 512 bit times
constexpr std::uint64_t quantum_ns = 512;

bool is_flow_control(const captured_packet& p) {
    return network_number(p.octets, 12, 2) == 0x8808;
}
std::uint64_t wire_time(const captured_packet& p) {
    return (p.length + overhead) * ns_per_byte;
}

/// Ports are numbered as ports.csv has them.
std::vector<captured_switch> switches_of(const fs::path& run) {
    std::map<std::string, std::map<std::string, unsigned>> port_to;
    std::istringstream lines(contents(run / "ports.csv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream in(line);
        std::string node;
        std::string port;
        std::string ignored;
        std::string peer;
        std::getline(in, node, ',');
        std::getline(in, port, ',');
        std::getline(in, ignored, ',');
        std::getline(in, peer, ',');
        port_to[node][peer] = static_cast<unsigned>(std::stoul(port));
    }
    const capture_file file = read_pcapng(contents(run / "trace.pcapng"));
    std::vector<captured_switch> switches;
    for (const auto& [node, ports] : port_to) {
        if (node[0] == 'h') {
            continue;
        }
        captured_switch s{node, {}, {}};
        for (const captured_packet& p : file.packets) {
            const std::string& text = file.interfaces[p.interface].description;
            const std::string from = text.substr(0, text.find(' '));
            const std::string to = text.substr(text.rfind(' ') + 1);
            if (from == node) {
                s.out.push_back({ports.at(to), p.ns, p});
            } else if (to == node) {
                s.in.push_back({ports.at(from), p.ns, p});
            }
        }
        switches.push_back(s);
    }
    return switches;
}

/// Cumulative: what has been added up to each time. Unit: ns, B.
using account = std::map<std::uint64_t, std::int64_t>;
std::int64_t at(const account& a, std::uint64_t time) {
    const auto after = a.upper_bound(time);
    return after == a.begin() ? 0 : std::prev(after)->second;
}
account summed(const std::vector<std::pair<std::uint64_t, std::int64_t>>& steps) {
    account a;
    for (const auto& [time, step] : steps) {
        a[time] += step;
    }
    std::int64_t sum = 0;
    for (auto& [time, value] : a) {
        value = sum += value;
    }
    return a;
}
account data_in(const captured_switch& s, unsigned port) {
    std::vector<std::pair<std::uint64_t, std::int64_t>> steps;
    for (const auto& f : s.in) {
        if (f.port == port && !is_flow_control(f.packet)) {
            steps.emplace_back(f.first_bit_out + link_latency + wire_time(f.packet), f.packet.length);
        }
    }
    return summed(steps);
}
account data_out(const captured_switch& s, unsigned port) {
    std::vector<std::pair<std::uint64_t, std::int64_t>> steps;
    for (const auto& f : s.out) {
        if (f.port == port && !is_flow_control(f.packet)) {
            steps.emplace_back(f.first_bit_out + wire_time(f.packet), f.packet.length);
        }
    }
    return summed(steps);
}

std::string signal(const captured_switch& s, const char* side, unsigned port, const std::string& name) {
    return "fabric." + s.name + "." + side + std::to_string(port) + "." + name;
}
unsigned ports_of(const read_wave& wave, const captured_switch& s) {
    unsigned ports = 0;
    while (wave.signals.count(signal(s, "tx", ports, "bytes")) != 0) {
        ++ports;
    }
    return ports;
}

/// Times at which a memory's fill, corrected by what the captures say, steps: the transfers through the
/// crossbar.
std::map<std::uint64_t, std::int64_t> transfers(const wave_history& fill, const account& known, int sign) {
    std::set<std::uint64_t> times;
    for (const auto& [time, value] : fill) {
        EXPECT_EQ(time % 1000, 0U);
        times.insert(time / 1000);
    }
    for (const auto& [time, value] : known) {
        times.insert(time);
    }
    std::map<std::uint64_t, std::int64_t> steps;
    std::int64_t before = 0;
    for (const std::uint64_t time : times) {
        const auto after = fill.upper_bound(time * 1000);
        const auto now = after == fill.begin() ? 0 : static_cast<std::int64_t>(std::prev(after)->second);
        const std::int64_t moved = at(known, time) + sign * now;
        if (moved != before) {
            steps[time] = moved - before;
        }
        before = moved;
    }
    return steps;
}

class waveform_account : public testing::Test {
 protected:
    void make(const arguments& options) {
        run_traced(m_where, "run",
                   combined(combined(traced_fabric, options),
                            {"--trace.wave=run.vcd", "--trace.pcap=all", "--trace.pcap_snap=0B"}));
        m_wave = read_waveform((m_where / "run" / "run.vcd").string());
        m_switches = switches_of(m_where / "run");
        ASSERT_EQ(m_switches.size(), 3U);
        m_end_ps = summary_of(m_where / "run")["simulated_ns"].get<std::uint64_t>() * 1000;
    }
    scratch_directory m_where;
    read_wave m_wave;
    std::vector<captured_switch> m_switches;
    /// Of the run. Unit: ps.
    std::uint64_t m_end_ps = 0;
};

TEST_F(waveform_account, memory_and_matches_are_what_the_captures_say) {
    ASSERT_NO_FATAL_FAILURE(make(two_bursts));
    std::size_t seen = 0;
    for (const captured_switch& s : m_switches) {
        SCOPED_TRACE(s.name);
        const unsigned ports = ports_of(m_wave, s);
        ASSERT_GE(ports, 2U);
        // Ingress: all that has arrived less what is there has crossed; egress: what is there and what has
        // left.
        std::vector<std::map<std::uint64_t, std::int64_t>> crossed_from(ports);
        for (unsigned p = 0; p < ports; ++p) {
            crossed_from[p] = transfers(m_wave.signals.at(signal(s, "rx", p, "bytes")), data_in(s, p), -1);
        }
        std::size_t ends = 0;
        for (unsigned q = 0; q < ports; ++q) {
            const std::string match = signal(s, "tx", q, "match");
            EXPECT_EQ(m_wave.widths.at(match), ports);
            std::uint64_t connected_ns = 0;
            std::uint64_t needed_ns = 0;
            for (const auto& [time, moved] :
                 transfers(m_wave.signals.at(signal(s, "tx", q, "bytes")), data_out(s, q), 1)) {
                // One frame, from the port that was connected until now, which has lost it at this time.
                const std::uint64_t ingress = m_wave.before(match, time * 1000);
                ASSERT_TRUE(ingress != 0 && (ingress & (ingress - 1)) == 0) << match << " at " << time;
                const auto p = static_cast<unsigned>(__builtin_ctzll(ingress));
                ASSERT_EQ(crossed_from[p].count(time), 1U) << time;
                ASSERT_EQ(crossed_from[p].at(time), moved) << time;
                needed_ns += (static_cast<std::uint64_t>(moved) + overhead) * crossbar_ns;
                ++ends;
            }
            std::uint64_t since = 0;
            std::uint64_t value = 0;
            for (const auto& [time, now] : m_wave.signals.at(match)) {
                connected_ns += value != 0 ? (time - since) / 1000 : 0;
                since = time;
                value = now;
            }
            EXPECT_EQ(value, 0U);
            EXPECT_EQ(connected_ns, needed_ns);
        }
        std::size_t begins = 0;
        for (const auto& steps : crossed_from) {
            begins += steps.size();
        }
        EXPECT_EQ(begins, ends);
        seen += ends;
    }
    EXPECT_GT(seen, 500U);
}

TEST_F(waveform_account, classes_add_up_and_drain_bytes_count_the_more_urgent_ones) {
    ASSERT_NO_FATAL_FAILURE(make(two_bursts));
    bool several = false;
    for (const auto& [name, history] : m_wave.signals) {
        const std::size_t end = name.rfind(".bytes");
        if (end == std::string::npos || end + 6 != name.size()) {
            continue;
        }
        const std::string memory = name.substr(0, end);
        std::set<std::uint64_t> times;
        for (unsigned c = 0; c < 8; ++c) {
            for (const auto& [time, value] : m_wave.signals.at(memory + ".bytes_c" + std::to_string(c))) {
                times.insert(time);
            }
        }
        for (const std::uint64_t time : times) {
            std::uint64_t sum = 0;
            unsigned used = 0;
            for (unsigned c = 8; c-- > 0;) {
                const std::uint64_t value = m_wave.at(memory + ".bytes_c" + std::to_string(c), time);
                used += value != 0 ? 1 : 0;
                sum += value;
                ASSERT_EQ(m_wave.at(memory + ".drain_bytes_c" + std::to_string(c), time), sum) << name << time;
            }
            ASSERT_EQ(m_wave.at(name, time), sum) << name << " at " << time;
            several = several || used > 1;
        }
    }
    EXPECT_TRUE(several);
}

TEST_F(waveform_account, pauses_are_those_of_the_pfc_frames_on_the_wires) {
    ASSERT_NO_FATAL_FAILURE(
        make({"--traffic.kind=incast", "--traffic.incast_rounds=3", "--traffic.incast_bytes=1MB",
              "--traffic.priorities=5,2", "--switch.scheme=detail"}));
    std::size_t heard = 0;
    std::size_t sent = 0;
    for (const captured_switch& s : m_switches) {
        for (const auto& f : s.out) {
            if (!is_flow_control(f.packet)) {
                continue;
            }
            // The frame says what the port wants when it leaves.
            std::uint64_t wanted = 0;
            for (unsigned c = 0; c < 8; ++c) {
                const bool named = (network_number(f.packet.octets, 16, 2) >> c & 1) != 0;
                const bool xoff = network_number(f.packet.octets, 18 + 2 * c, 2) != 0;
                wanted |= named && xoff ? std::uint64_t{1} << c : 0;
            }
            EXPECT_EQ(m_wave.at(signal(s, "rx", f.port, "xoff"), f.first_bit_out * 1000), wanted);
            ++sent;
        }
        for (unsigned port = 0; port < ports_of(m_wave, s); ++port) {
            // Ends of pauses by class, and the mask by time; each frame replaces what it names.
            std::array<std::uint64_t, 8> end{};
            std::set<std::uint64_t> ends;
            std::vector<std::pair<std::uint64_t, std::array<std::uint64_t, 8>>> states{{0, end}};
            for (const auto& f : s.in) {
                if (f.port != port || !is_flow_control(f.packet)) {
                    continue;
                }
                const std::uint64_t effect = f.first_bit_out + link_latency + wire_time(f.packet) + response_ns;
                for (unsigned c = 0; c < 8; ++c) {
                    if ((network_number(f.packet.octets, 16, 2) >> c & 1) != 0) {
                        end[c] = effect + network_number(f.packet.octets, 18 + 2 * c, 2) * quantum_ns;
                        ends.insert(end[c]);
                    }
                }
                states.emplace_back(effect, end);
                ends.insert(effect);
                ++heard;
            }
            const std::string paused = signal(s, "tx", port, "paused");
            for (const auto& [time, value] : m_wave.signals.at(paused)) {
                ends.insert(time / 1000);
            }
            for (const std::uint64_t time : ends) {
                std::uint64_t mask = 0;
                for (const auto& [from, until] : states) {
                    if (from <= time) {
                        mask = 0;
                        for (unsigned c = 0; c < 8; ++c) {
                            mask |= until[c] > time ? std::uint64_t{1} << c : 0;
                        }
                    }
                }
                // A run ends with the last frame.
                if (time * 1000 <= m_end_ps) {
                    ASSERT_EQ(m_wave.at(paused, time * 1000), mask) << paused << " at " << time;
                }
            }
        }
    }
    EXPECT_GT(sent, 20U);
    EXPECT_GT(heard, 10U);
}

TEST_F(waveform_account, cells_connect_a_port_for_as_many_slots_as_its_frames_have_cells) {
    ASSERT_NO_FATAL_FAILURE(make(combined(two_bursts, {"--switch.crossbar=cell"})));
    for (const captured_switch& s : m_switches) {
        const unsigned ports = ports_of(m_wave, s);
        std::uint64_t slots = 0;
        std::uint64_t connected_ns = 0;
        for (const auto& f : s.out) {
            slots += is_flow_control(f.packet) ? 0 : (f.packet.length + 63) / 64;
        }
        for (unsigned q = 0; q < ports; ++q) {
            std::uint64_t since = 0;
            std::uint64_t value = 0;
            for (const auto& [time, now] : m_wave.signals.at(signal(s, "tx", q, "match"))) {
                ASSERT_EQ(time % 128'000, 0U);
                ASSERT_EQ(now & (now - 1), 0U);
                connected_ns += value != 0 ? (time - since) / 1000 : 0;
                since = time;
                value = now;
            }
            EXPECT_EQ(value, 0U);
        }
        EXPECT_EQ(connected_ns, slots * 128) << s.name;
    }
}

TEST(waveform, favoured_ports_are_those_with_fewer_drain_bytes_than_the_threshold) {
    const scratch_directory where;
    run_traced(
        where, "run",
        combined(combined(traced_fabric, two_bursts), {"--trace.wave=run.vcd", "--trace.wave_switches=tor*",
                                                       "--switch.balance_thresholds=3KB,20KB"}));
    const read_wave wave = read_waveform((where / "run" / "run.vcd").string());
    std::size_t unfavoured = 0;
    for (const std::string tor : {"tor0", "tor1"}) {
        for (const unsigned threshold : {3'000U, 20'000U}) {
            for (unsigned c = 0; c < 8; ++c) {
                const std::string name = "fabric." + tor + ".egress_buffer.favored_below_" +
                                         std::to_string(threshold) + "_c" + std::to_string(c);
                EXPECT_EQ(wave.widths.at(name), 4U);
                std::set<std::uint64_t> times{0};
                for (unsigned port = 0; port < 4; ++port) {
                    const std::string drain =
                        "fabric." + tor + ".tx" + std::to_string(port) + ".drain_bytes_c" + std::to_string(c);
                    for (const auto& [time, value] : wave.signals.at(drain)) {
                        times.insert(time);
                    }
                }
                for (const std::uint64_t time : times) {
                    std::uint64_t expected = 0;
                    for (unsigned port = 0; port < 4; ++port) {
                        const std::string drain = "fabric." + tor + ".tx" + std::to_string(port) +
                                                  ".drain_bytes_c" + std::to_string(c);
                        expected |= wave.at(drain, time) < threshold ? std::uint64_t{1} << port : 0;
                    }
                    ASSERT_EQ(wave.at(name, time), expected) << name << " at " << time;
                    unfavoured += expected != 15 ? 1 : 0;
                }
            }
        }
    }
    EXPECT_EQ(wave.signals.count("fabric.root0.drops"), 0U);
    EXPECT_GT(unfavoured, 100U);
}

/// `part` has what `whole` has from `start` to `end` (ps, not included), and the values at its start.
void expect_slice(const read_wave& part, const read_wave& whole, std::uint64_t start, std::uint64_t end) {
    ASSERT_EQ(part.signals.size(), whole.signals.size());
    for (const auto& [name, history] : whole.signals) {
        wave_history expected{{start, whole.at(name, start)}};
        for (auto change = history.upper_bound(start); change != history.end() && change->first < end;
             ++change) {
            expected.insert(*change);
        }
        ASSERT_EQ(part.signals.at(name), expected) << name;
    }
}

TEST(waveform, windows_and_triggers_cut_a_slice_out_of_the_whole) {
    const scratch_directory where;
    const arguments options = combined(combined(traced_fabric, traced_losses), {"--trace.wave=run.vcd"});
    run_traced(where, "whole", options);
    const read_wave whole = read_waveform((where / "whole" / "run.vcd").string());
    run_traced(where, "window", combined(options, {"--trace.window_start=1ms", "--trace.window_end=1500us"}));
    expect_slice(read_waveform((where / "window" / "run.vcd").string()), whole, 1'000'000'000, 1'500'000'000);

    std::uint64_t first_drop = ~std::uint64_t{0};
    for (const auto& [name, history] : whole.signals) {
        if (name.find(".drops") != std::string::npos && history.size() > 1) {
            first_drop = std::min(first_drop, std::next(history.begin())->first);
        }
    }
    ASSERT_LT(first_drop, ~std::uint64_t{0});
    ASSERT_GT(first_drop, 200'000'000U);
    run_traced(where, "drop",
               combined(options,
                        {"--trace.wave_trigger=drop", "--trace.wave_before=200us", "--trace.wave_after=1ns"}));
    const read_wave drop = read_waveform((where / "drop" / "run.vcd").string());
    expect_slice(drop, whole, first_drop - 200'000'000, first_drop + 1'000);
    // Armed from the window's start on only.
    const std::string text = contents(where / "drop" / "run.vcd");
    EXPECT_NE(text.find("#" + std::to_string(first_drop - 200'000'000) + "\n$dumpvars"), std::string::npos);
    run_traced(
        where, "later",
        combined(options, {"--trace.wave_trigger=drop", "--trace.wave_before=0us", "--trace.wave_after=1ns",
                           "--trace.window_start=" + std::to_string(first_drop + 1) + "ps"}));
    std::uint64_t second_drop = ~std::uint64_t{0};
    for (const auto& [name, history] : whole.signals) {
        const auto later = history.upper_bound(first_drop);
        if (name.find(".drops") != std::string::npos && later != history.end()) {
            second_drop = std::min(second_drop, later->first);
        }
    }
    expect_slice(read_waveform((where / "later" / "run.vcd").string()), whole, second_drop,
                 second_drop + 1'000);
}

TEST(waveform, the_first_xoff_opens_the_window) {
    const scratch_directory where;
    const arguments options = combined(combined(traced_fabric, two_bursts), {"--trace.wave=run.vcd"});
    run_traced(where, "whole", options);
    const read_wave whole = read_waveform((where / "whole" / "run.vcd").string());
    std::uint64_t first = ~std::uint64_t{0};
    for (const auto& [name, history] : whole.signals) {
        if (name.find(".xoff") != std::string::npos && history.size() > 1) {
            first = std::min(first, std::next(history.begin())->first);
        }
    }
    ASSERT_LT(first, ~std::uint64_t{0});
    run_traced(where, "xoff",
               combined(options,
                        {"--trace.wave_trigger=xoff", "--trace.wave_before=20us", "--trace.wave_after=30us"}));
    expect_slice(read_waveform((where / "xoff" / "run.vcd").string()), whole, first - 20'000'000,
                 first + 30'000'000);
    // No switch but this one, and no frame is lost here.
    const outcome none = run_traced(
        where, "none", combined(options, {"--trace.wave_trigger=drop", "--trace.wave_switches=tor1"}));
    EXPECT_NE(none.err.find("run.vcd has no value: the event of trace.wave_trigger did not occur"),
              std::string::npos)
        << none.err;
    const outcome still = run_traced(
        where, "still", combined(options, {"--trace.wave_signals=drops", "--trace.wave_switches=tor1"}));
    EXPECT_NE(still.err.find("run.vcd has no change: the chosen signals (trace.wave_signals)"),
              std::string::npos)
        << still.err;
}

TEST(waveform, a_limit_ends_it_with_a_warning) {
    const scratch_directory where;
    const arguments options = combined(combined(traced_fabric, two_bursts), {"--trace.wave=run.vcd"});
    run_traced(where, "whole", options);
    const outcome o = run_traced(where, "cut", combined(options, {"--trace.wave_limit=1000"}));
    const std::size_t at = o.err.find("warning: run.vcd ends at ");
    ASSERT_NE(at, std::string::npos) << o.err;
    EXPECT_NE(o.err.find("trace.wave_limit = 1000 changes", at), std::string::npos);
    const std::string cut = contents(where / "cut" / "run.vcd");
    EXPECT_EQ(contents(where / "whole" / "run.vcd").substr(0, cut.size()), cut);
}

TEST(waveform, as_fst_holds_the_same_as_as_vcd) {
    if (!weir::tb::fst_is_supported()) {
        GTEST_SKIP() << "built without FST (packages verilator, zlib1g-dev)";
    }
    const scratch_directory where;
    const arguments options = combined(traced_fabric, two_bursts);
    run_traced(where, "vcd", combined(options, {"--trace.wave=run.vcd"}));
    run_traced(where, "fst", combined(options, {"--trace.wave=run.fst", "--run.quantum=700ns"}));
    run_traced(where, "again", combined(options, {"--trace.wave=run.fst"}));
    EXPECT_EQ(contents(where / "fst" / "run.fst"), contents(where / "again" / "run.fst"));
    const read_wave vcd = read_waveform((where / "vcd" / "run.vcd").string());
    const read_wave fst = read_waveform((where / "fst" / "run.fst").string());
    EXPECT_EQ(fst.widths, vcd.widths);
    EXPECT_EQ(fst.signals, vcd.signals);
    // And to the user's eye: the docs' map, edges of the crossbar's connections as clocks.
    where.write("map.csv",
                "path,event,clock\n"
                "fabric.root0.rx0.bytes,rx0,fabric.root0.tx1.match[0]\n"
                "fabric.root0.tx1.paused,paused,negedge fabric.root0.tx1.match[0]\n");
    const outcome o = run_program(where, {"compare", "vcd/run.vcd", "fst/run.fst", "--map", "map.csv"});
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_EQ(o.out.find("matched   0,"), std::string::npos) << o.out;
}

TEST(waveform, extra_gtkwaves_own_tools_read_both_formats_and_agree) {
    if (std::system("fst2vcd --help >/dev/null 2>&1") != 0 || !weir::tb::fst_is_supported()) {
        GTEST_SKIP() << "gtkwave is not installed, or built without FST";
    }
    const scratch_directory where;
    const arguments options = combined(traced_fabric, two_bursts);
    run_traced(where, "vcd", combined(options, {"--trace.wave=run.vcd"}));
    run_traced(where, "fst", combined(options, {"--trace.wave=run.fst"}));
    const std::string at = where.path().string();
    ASSERT_EQ(std::system(("vcd2fst " + at + "/vcd/run.vcd " + at + "/a.fst >/dev/null 2>&1 && fst2vcd " + at +
                           "/a.fst -o " + at + "/a.vcd && fst2vcd " + at + "/fst/run.fst -o " + at + "/b.vcd")
                              .c_str()),
              0);
    const read_wave a = read_waveform(at + "/a.vcd");
    const read_wave b = read_waveform(at + "/b.vcd");
    EXPECT_EQ(a.widths, b.widths);
    EXPECT_EQ(a.signals, b.signals);
    EXPECT_EQ(a.signals, read_waveform(at + "/vcd/run.vcd").signals);
}

TEST(waveform, a_failed_run_leaves_it_whole_up_to_the_failure) {
    const scratch_directory where;
    // XOFF so late that a frame is lost.
    const arguments options =
        combined(combined(traced_fabric, two_bursts),
                 {"--trace.wave=run.vcd", "--pfc.xoff=16KB", "--pfc.xon=4KB", "--switch.ingress_buffer=16384B",
                  "--trace.wave_trigger=drop", "--trace.wave_before=50us"});
    std::string first;
    for (const std::string more : {"--run.engine=literal", "--run.quantum=700ns", "--run.threads=2"}) {
        const outcome o = run_program(where, combined(combined({"run"}, options), {more, "--out", "run"}));
        ASSERT_EQ(o.status, 1) << o.err;
        EXPECT_NE(o.err.find("/weir/invariant"), std::string::npos) << o.err;
        EXPECT_FALSE(fs::exists(where / "run" / "summary.json"));
        const std::string text = contents(where / "run" / "run.vcd");
        EXPECT_EQ(text, first.empty() ? text : first);
        first = text;
    }
    const read_wave wave = read_waveform((where / "run" / "run.vcd").string());
    std::uint64_t lost = 0;
    for (const auto& [name, history] : wave.signals) {
        lost += name.find(".drops") != std::string::npos ? history.rbegin()->second : 0;
    }
    EXPECT_EQ(lost, 1U);
}

// Nine switches in a ring, each host sends to the one four switches on: every buffer waits for the next one.
TEST(waveform, a_deadlock_shows_what_led_to_it) {
    const scratch_directory where;
    std::string plan;
    std::string flows = "start_ns,src,dst,bytes\n";
    for (unsigned i = 0; i < 9; ++i) {
        const std::string n = std::to_string(i);
        const std::string next = std::to_string((i + 1) % 9);
        plan += "host h" + n + "\nswitch s" + n + "\nlink h" + n + " s" + n + " rate=10Gbps latency=1us\n";
        plan += "link s" + n + " s" + next + " rate=1Gbps latency=1us\n";
        flows += "0," + n + "," + std::to_string((i + 4) % 9) + ",20000000\n";
    }
    where.write("ring.topo", plan + "end\n");
    where.write("ring.csv", flows);
    const arguments options{"run",
                            "--fabric.topology=file",
                            "--fabric.file=ring.topo",
                            "--traffic.kind=trace",
                            "--traffic.file=ring.csv",
                            "--traffic.transport=udp",
                            "--switch.scheme=fc",
                            "--switch.ingress_buffer=16KiB",
                            "--trace.wave=run.vcd",
                            "--trace.wave_trigger=deadlock",
                            "--trace.wave_before=50us"};
    std::string first;
    for (const std::string more : {"--run.engine=literal", "--run.quantum=300ns", "--run.threads=2"}) {
        const outcome o = run_program(where, combined(options, {more, "--out", "run"}));
        ASSERT_EQ(o.status, 1) << o.err;
        EXPECT_NE(
            o.err.find(
                "/weir/deadlock: deadlock, found at 400us: 9 paused queues wait for each other in a cycle"),
            std::string::npos)
            << o.err;
        const std::string text = contents(where / "run" / "run.vcd");
        EXPECT_EQ(text, first.empty() ? text : first);
        first = text;
    }
    EXPECT_NE(first.find("$enddefinitions $end\n#250934000\n$dumpvars"), std::string::npos);
    // From the last transmission on, every switch has asked the one before it to wait.
    const read_wave wave = read_waveform((where / "run" / "run.vcd").string());
    for (unsigned i = 0; i < 9; ++i) {
        const std::string name = "fabric.s" + std::to_string(i) + ".";
        const std::string before = i == 0 ? "rx2" : "rx1";  // ports in the order of the links
        EXPECT_NE(wave.at(name + before + ".xoff", 300'934'000), 0U) << name;
    }
}

// Without cells and minima every byte is in a pool or in headroom; T as Choudhury and Hahne have it.
TEST(waveform, a_shared_memory_shows_its_pools_thresholds_and_headroom) {
    const scratch_directory where;
    const arguments shared{
        "--traffic.kind=incast",       "--traffic.incast_rounds=2",    "--traffic.incast_bytes=500KB",
        "--traffic.priorities=1,0",    "--switch.scheme=detail",       "--switch.classes=2",
        "--switch.buffer=shared",      "--shared.memory=1MB",          "--shared.slices=2",
        "--shared.lossless_classes=1", "--shared.lossless_pool=100KB", "--shared.lossy_pool=40KB",
        "--shared.alpha=0.5",          "--trace.wave=run.vcd"};
    run_traced(where, "run", combined(traced_fabric, shared));
    const read_wave wave = read_waveform((where / "run" / "run.vcd").string());
    std::set<std::uint64_t> times;
    for (const auto& [name, history] : wave.signals) {
        EXPECT_EQ(name.find(".match"), std::string::npos) << name;
        for (const auto& [time, value] : history) {
            times.insert(time);
        }
    }
    ASSERT_GT(times.size(), 1'000U);
    std::map<std::string, std::uint64_t> most;
    for (const std::string device : {"fabric.tor0.", "fabric.root0."}) {
        const unsigned ports = device == "fabric.tor0." ? 4 : 2;
        for (const std::uint64_t time : times) {
            const auto now = [&](const std::string& name) { return wave.at(device + name, time); };
            std::uint64_t stored = 0;
            for (unsigned port = 0; port < ports; ++port) {
                stored += now("rx" + std::to_string(port) + ".bytes");
            }
            std::uint64_t accounted = 0;
            for (const std::string slice : {"slice0.", "slice1."}) {
                for (const std::string part : {"lossless_bytes", "lossy_bytes", "headroom_bytes"}) {
                    accounted += now(slice + part);
                    most[part] = std::max(most[part], now(slice + part));
                }
                ASSERT_EQ(now(slice + "lossless_threshold"), (50'000 - now(slice + "lossless_bytes")) / 2);
                ASSERT_EQ(now(slice + "lossy_threshold"), 8 * (20'000 - now(slice + "lossy_bytes")));
            }
            ASSERT_EQ(stored, accounted) << device << " at " << time;
        }
    }
    EXPECT_GT(most["lossless_bytes"], 25'000U);
    EXPECT_GT(most["lossy_bytes"], 15'000U);
    EXPECT_GT(most["headroom_bytes"], 0U);
    // In cells, as the memory counts them; a threshold that is a number.
    run_traced(
        where, "cells",
        combined(combined(traced_fabric, shared), {"--switch.memory_cell=208B", "--shared.threshold=10KB"}));
    const read_wave cells = read_waveform((where / "cells" / "run.vcd").string());
    for (const auto& [time, value] : cells.signals.at("fabric.tor0.slice0.lossless_bytes")) {
        ASSERT_EQ(value % 208, 0U) << time;
    }
    EXPECT_EQ(cells.at("fabric.tor0.slice0.lossless_threshold", 1'000'000), 10'000U / 208 * 208);
}

TEST(waveform, switches_whose_scopes_do_not_tell_their_names_are_said) {
    const scratch_directory where;
    where.write("three.topo",
                "host h0\nhost h1\nswitch s.0\nswitch s-0\nswitch s_0\nswitch other\n"
                "link h0 s.0 rate=1Gbps latency=1us\nlink h1 s_0 rate=1Gbps latency=1us\n"
                "link s.0 s-0 rate=1Gbps latency=1us\nlink s-0 s_0 rate=1Gbps latency=1us\n"
                "link s-0 other rate=1Gbps latency=1us\nend\n");
    const arguments options{"--fabric.topology=file", "--fabric.file=" + (where / "three.topo").string(),
                            "--traffic.kind=poisson", "--traffic.stop=100us",
                            "--trace.wave=run.vcd",   "--run.progress=false"};
    const outcome o = run_traced(where, "run", options);
    EXPECT_NE(o.err.find("warning: run.vcd: these names differ only in '.', '-' and '_': fabric.s_0 is s.0, "
                         "fabric.s_0_0 is s-0, fabric.s_0_1 is s_0\n"),
              std::string::npos)
        << o.err;
    EXPECT_EQ(read_waveform((where / "run" / "run.vcd").string()).signals.count("fabric.s_0_0.drops"), 1U);
    EXPECT_EQ(run_traced(where, "one", combined(options, {"--trace.wave_switches=other"})).err.find("alike"),
              std::string::npos);
}

TEST(waveform, options_that_make_no_sense_are_refused) {
    const scratch_directory where;
    const auto refused = [&](const arguments& options, const std::string& why) {
        const outcome o = run_program(where, combined(combined({"run"}, combined(traced_fabric, options)),
                                                      {"--trace.wave=run.vcd", "--out", "no"}));
        EXPECT_EQ(o.status, 2);
        EXPECT_TRUE(has_error(o.err, why));
        EXPECT_FALSE(fs::exists(where / "no"));
    };
    refused({"--trace.wave_switches=tor0,spine*"}, "trace.wave_switches: spine*, weir run --dry-run, tor0");
    refused({"--trace.wave_signals="}, "trace.wave_signals: selects no signals");
    refused({"--trace.wave_signals=match", "--switch.buffer=shared"}, "trace.wave_signals: occupancy, drops");
    refused({"--trace.wave_signals=pools"},
            "trace.wave_signals: selects only signals that these switches do not have");
    refused({"--trace.wave_signals=voltage"}, "trace.wave_signals: voltage, occupancy");
    refused({"--trace.wave_trigger=xoff", "--switch.scheme=baseline"},
            "trace.wave_trigger: 'xoff' never occurs with pfc.mode = none");
    refused({"--run.duration=1ms", "--trace.window_start=1ms"}, "trace.window_start: 1ms");
    refused({"--trace.wave_limit=0"}, "trace.wave_limit: 0");
    const outcome o = run_program(where, {"run", "--trace.wave=x.vcd", "--out", "no"});
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(o.err, "trace.wave: x.vcd, none, run.vcd, run.fst"));
}

}  // namespace
