// How many cycles RTL with its own latency takes in a running fabric, on captures of its links and waveforms of
// its switches: what the blocks are asked and say is nowhere looked at.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "support/capture_bytes.h"
#include "support/wave_reading.h"
#include "system/traced_fabric.h"

using namespace weir::test;

namespace {

// Of `traced_fabric`, without overhead on the wire: all times are whole nanoseconds.
constexpr std::uint64_t ns_per_byte = 8;
constexpr std::uint64_t link_ns = 6'600;
// No divisor of the other times, so that they lie anywhere between edges.
constexpr std::uint64_t clock_ns = 14;

std::uint64_t edge_at_or_after(std::uint64_t ns) {
    return (ns + clock_ns - 1) / clock_ns * clock_ns;
}

struct seen_frame {
    std::uint64_t first_bit = 0;
    std::uint64_t wire_ns = 0;
    bool is_pfc = false;
    /// Classes that it names, and those that it pauses.
    std::uint64_t named = 0;
    std::uint64_t paused = 0;
};

/// By node and the one at the other end of the link.
using seen_frames = std::map<std::pair<std::string, std::string>, std::vector<seen_frame>>;

seen_frames frames_of(const fs::path& run) {
    const capture_file file = read_pcapng(contents(run / "trace.pcapng"));
    seen_frames seen;
    for (const captured_packet& p : file.packets) {
        seen_frame frame{p.ns, p.length * ns_per_byte, network_number(p.octets, 12, 2) == 0x8808, 0, 0};
        for (unsigned c = 0; c < 8 && frame.is_pfc; ++c) {
            const std::uint64_t bit = std::uint64_t{1} << c;
            frame.named |= network_number(p.octets, 16, 2) & bit;
            frame.paused |= network_number(p.octets, 18 + 2 * c, 2) != 0 ? frame.named & bit : 0;
        }
        const std::string& text = file.interfaces[p.interface].description;
        seen[{text.substr(0, text.find(' ')), text.substr(text.rfind(' ') + 1)}].push_back(frame);
    }
    return seen;
}

/// Ports of switches by the two nodes of their link.
std::map<std::pair<std::string, std::string>, unsigned> ports_of(const fs::path& run) {
    std::map<std::pair<std::string, std::string>, unsigned> ports;
    std::istringstream lines(contents(run / "ports.csv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::vector<std::string> fields;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) {
            fields.push_back(cell);
        }
        if (fields[0][0] != 'h') {
            ports[{fields[0], fields[3]}] = static_cast<unsigned>(std::stoul(fields[1]));
        }
    }
    return ports;
}

TEST(rtl_latency, a_pause_holds_three_cycles_behind_its_frame_and_a_frame_comes_four_behind_its_request) {
    const scratch_directory where;
    run_traced(where, "run",
               combined(traced_fabric,
                        {"--traffic.kind=incast", "--traffic.incast_rounds=3", "--traffic.incast_bytes=1MB",
                         "--traffic.priorities=5,2", "--switch.scheme=detail", "--link.wire_overhead=0B",
                         "--mac.pfc=rtl", "--rtl.latency=rtl", "--rtl.clock=14ns", "--trace.wave=run.vcd",
                         "--trace.wave_signals=pause", "--trace.pcap=all", "--trace.pcap_snap=0B"}));
    const fs::path run = where / "run";
    const read_wave wave = read_waveform((run / "run.vcd").string());
    const seen_frames seen = frames_of(run);
    int free = 0;
    int heard = 0;
    for (const auto& [nodes, port] : ports_of(run)) {
        const std::string name = "fabric." + nodes.first + ".";
        // What the port sends: each frame is due at the edge after a change of its request and four cycles, and
        // waits where another one is on the wire.
        std::set<std::uint64_t> due;
        for (const auto& [time, value] : wave.signals.at(name + "rx" + std::to_string(port) + ".xoff")) {
            EXPECT_EQ(time % 1000, 0U);
            due.insert(edge_at_or_after(time / 1000) + 4 * clock_ns);
        }
        std::uint64_t line_free = 0;
        std::uint64_t last = 0;
        const auto sent = seen.find(nodes);
        for (const seen_frame& f : sent == seen.end() ? std::vector<seen_frame>{} : sent->second) {
            if (f.is_pfc) {
                const auto next = due.upper_bound(last);
                ASSERT_NE(next, due.end()) << name << port << " at " << f.first_bit;
                if (f.first_bit != line_free) {
                    EXPECT_EQ(due.count(f.first_bit), 1U) << name << port << " at " << f.first_bit;
                    ++free;
                } else {
                    EXPECT_GE(f.first_bit, *next) << name << port;
                }
                last = f.first_bit;
            }
            line_free = f.first_bit + f.wire_ns;
        }
        // What it hears: the pauses change at the edge after the frame's last bit and three cycles.
        const auto come = seen.find({nodes.second, nodes.first});
        const std::string paused = name + "tx" + std::to_string(port) + ".paused";
        for (const seen_frame& f : come == seen.end() ? std::vector<seen_frame>{} : come->second) {
            if (f.is_pfc) {
                const std::uint64_t effect =
                    (edge_at_or_after(f.first_bit + f.wire_ns + link_ns) + 3 * clock_ns) * 1000;
                EXPECT_EQ(wave.at(paused, effect) & f.named, f.paused) << paused << " at " << effect;
                EXPECT_NE(wave.before(paused, effect) & f.named, f.paused) << paused << " before " << effect;
                ++heard;
            }
        }
    }
    EXPECT_GT(free, 5);
    EXPECT_GT(heard, 10);
}

/// When a memory's fill rises, and by how much. Unit: ns, B.
std::vector<std::pair<std::uint64_t, std::uint64_t>> rises_of(const read_wave& wave, const std::string& name) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rises;
    std::uint64_t before = 0;
    for (const auto& [time, value] : wave.signals.at(name)) {
        if (value > before) {
            EXPECT_EQ(time % 1000, 0U);
            rises.emplace_back(time / 1000, value - before);
        }
        before = value;
    }
    return rises;
}

TEST(rtl_latency, transfers_begin_behind_as_many_cycles_as_their_matching_has_taken) {
    const scratch_directory where;
    // Three long frames that cross at once; meanwhile short ones come that all want egress ports 3, 4 and 5.
    // Then two frames between free ports, the second one while the arbiter still works on the first.
    where.write("flows.csv",
                "start_ns,src,dst,bytes\n0,0,6,1000\n0,1,7,1000\n0,2,8,1000\n"
                "1,0,3,100\n1,1,4,100\n1,2,5,100\n2,0,4,100\n2,1,5,100\n3,0,5,100\n"
                "100000,3,6,100\n100060,4,7,100\n");
    run_traced(where, "run",
               {"--fabric.topology=single", "--fabric.hosts=9", "--link.rate=1Gbps", "--link.wire_overhead=0B",
                "--switch.scheme=baseline", "--switch.speedup=1", "--switch.lookup_delay=1us",
                "--switch.arbiter=rtl", "--rtl.latency=rtl", "--rtl.clock=100ns", "--traffic.kind=trace",
                "--traffic.file=" + (where / "flows.csv").string(), "--traffic.transport=udp",
                "--run.progress=false", "--trace.wave=run.vcd", "--trace.wave_signals=occupancy"});
    const read_wave wave = read_waveform((where / "run" / "run.vcd").string());
    const auto egress = [&](unsigned port) {
        std::vector<std::uint64_t> ends;
        for (const auto& [time, by] : rises_of(wave, "fabric.tor0.tx" + std::to_string(port) + ".bytes")) {
            ends.push_back(time);
        }
        return ends;
    };
    const auto arrivals = rises_of(wave, "fabric.tor0.rx0.bytes");
    ASSERT_EQ(arrivals.size(), 4U);
    const std::uint64_t cycle = 100;
    const std::uint64_t lookup = 1'000;
    // The crossbar is as fast as a line.
    const std::uint64_t long_frame = arrivals[0].second * ns_per_byte;
    const std::uint64_t short_frame = arrivals[1].second * ns_per_byte;
    const std::uint64_t first = arrivals[0].first + lookup;
    ASSERT_LT(arrivals[3].first + lookup, first + long_frame);
    // Nobody is refused: one iteration.
    const std::uint64_t long_ones = first + cycle + long_frame;
    // All grant pointers of 3, 4 and 5 are at 0. All three grant 0, which accepts 3; 4 and 5 grant 1, which
    // accepts 4; 5 grants 2: three iterations.
    const std::uint64_t all_three = long_ones + 3 * cycle + short_frame;
    // Matches of the second and third iteration moved no pointer: 4 and 5 grant 0, which accepts 4; 5 grants 1:
    // two.
    const std::uint64_t two = all_three + 2 * cycle + short_frame;
    const std::uint64_t last = two + cycle + short_frame;
    using times = std::vector<std::uint64_t>;
    EXPECT_EQ(egress(8), times{long_ones});
    EXPECT_EQ(egress(3), times{all_three});
    EXPECT_EQ(egress(4), (times{all_three, two}));
    EXPECT_EQ(egress(5), (times{all_three, two, last}));
    // The second run begins when the first is over.
    const auto early = rises_of(wave, "fabric.tor0.rx3.bytes");
    const auto late = rises_of(wave, "fabric.tor0.rx4.bytes");
    ASSERT_EQ(early.size(), 1U);
    ASSERT_EQ(late.size(), 1U);
    EXPECT_EQ(late[0].first, early[0].first + 60);
    EXPECT_EQ(egress(6), (times{long_ones, early[0].first + lookup + cycle + short_frame}));
    EXPECT_EQ(egress(7), (times{long_ones, early[0].first + lookup + 2 * cycle + short_frame}));
}

}  // namespace
