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
               joined(traced_fabric,
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

}  // namespace
