// `trace.pcap` through the program: every frame once, in order, the same bytes however it runs; decoded by
// tshark where it is installed; fed back as traffic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

#include "program.h"
#include "support/capture_bytes.h"
#include "support/errors_said.h"
#include "tb/verify/capture/capture_file.h"

using namespace weir::test;
using nlohmann::json;

namespace {

const arguments fabric{"--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=3",
                       "--fabric.roots=1",        "--run.seed=4",     "--run.progress=false"};
/// Enough for XOFF and XON.
const arguments bursts{"--traffic.kind=incast",  "--traffic.incast_rounds=2", "--traffic.incast_bytes=500KB",
                       "--traffic.priorities=5", "--switch.scheme=detail",    "--trace.pcap_snap=0B"};

void run_into(const scratch_directory& where, const std::string& out, const arguments& options) {
    const outcome o = run_program(where, combined(combined({"run"}, options), {"--out", out}));
    ASSERT_EQ(o.status, 0) << o.err;
}

/// Lines of a command's output; nothing where it cannot be run.
std::vector<std::string> output_of(const std::string& command) {
    std::vector<std::string> lines;
    FILE* const pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
    std::string line;
    for (int c = pipe == nullptr ? EOF : std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        if (c == '\n') {
            lines.push_back(line);
            line.clear();
        } else {
            line += static_cast<char>(c);
        }
    }
    if (pipe != nullptr) {
        ::pclose(pipe);
    }
    return lines;
}

bool is_flow_control(const captured_packet& p) {
    return network_number(p.octets, 12, 2) == 0x8808;
}

TEST(capture, every_link_transmission_is_there_once_in_order_of_time) {
    const scratch_directory where;
    ASSERT_NO_FATAL_FAILURE(run_into(where, "run", combined(combined(fabric, bursts), {"--trace.pcap=all"})));
    const capture_file file = read_pcapng(contents(where / "run" / "trace.pcapng"));
    const json summary = summary_of(where / "run");
    EXPECT_EQ(file.interfaces.size(), 2U * (6 + 2));
    for (const captured_interface& i : file.interfaces) {
        EXPECT_EQ(i.resolution, 9U);
        EXPECT_EQ(i.fcs, 4U);
        EXPECT_EQ(i.snap, 0U);
        EXPECT_GE(i.bits_per_second, 1'000'000'000U);
    }
    EXPECT_TRUE(std::is_sorted(file.packets.begin(), file.packets.end(),
                               [](const auto& a, const auto& b) { return a.ns < b.ns; }));
    const auto pauses = std::count_if(file.packets.begin(), file.packets.end(), is_flow_control);
    // The run ends when all is delivered: every frame that left has come.
    EXPECT_EQ(file.packets.size() - static_cast<std::size_t>(pauses), summary["packet_hops"]);
    EXPECT_GT(pauses, 0);
    for (const captured_packet& p : file.packets) {
        ASSERT_EQ(p.length, p.octets.size());
    }
    // On one wire frames do not overlap: 20 B of gap and preamble, and a nanosecond of rounding.
    std::map<std::uint32_t, std::uint64_t> free_at;
    for (const captured_packet& p : file.packets) {
        EXPECT_GE(p.ns + 1, free_at[p.interface]);
        free_at[p.interface] =
            p.ns + (p.length + 20) * 8'000'000'000 / file.interfaces[p.interface].bits_per_second;
    }
}

TEST(capture, frames_of_one_time_stand_in_the_order_of_the_interfaces) {
    const scratch_directory where;
    // All times are whole nanoseconds, so that stamps hide none.
    ASSERT_NO_FATAL_FAILURE(run_into(where, "run", combined(combined(fabric, bursts), {"--trace.pcap=all"})));
    const capture_file file = read_pcapng(contents(where / "run" / "trace.pcapng"));
    std::size_t together = 0;
    for (std::size_t i = 1; i < file.packets.size(); ++i) {
        const captured_packet& before = file.packets[i - 1];
        const captured_packet& p = file.packets[i];
        if (p.ns == before.ns) {
            ++together;
            EXPECT_LT(before.interface, p.interface) << "at " << p.ns << " ns";
        }
    }
    EXPECT_GT(together, 50U);
}

TEST(capture, flow_control_comes_from_the_address_of_the_port_that_sends_it) {
    const scratch_directory where;
    ASSERT_NO_FATAL_FAILURE(run_into(where, "run", combined(combined(fabric, bursts), {"--trace.pcap=all"})));
    const capture_file file = read_pcapng(contents(where / "run" / "trace.pcapng"));
    // Numbers of nodes: hosts, then switches in the order of the fabric. Ports are as ports.csv has them.
    const std::map<std::string, std::uint32_t> nodes{{"h0", 0},   {"h1", 1},   {"h2", 2},
                                                     {"h3", 3},   {"h4", 4},   {"h5", 5},
                                                     {"tor0", 6}, {"tor1", 7}, {"root0", 8}};
    std::map<std::string, std::uint32_t> ports;
    std::istringstream lines(contents(where / "run" / "ports.csv"));
    std::string line;
    std::getline(lines, line);
    ASSERT_EQ(line.substr(0, 20), "node,port,class,peer");
    while (std::getline(lines, line)) {
        std::istringstream in(line);
        std::string node;
        std::string port;
        std::string frame_class;
        std::string peer;
        std::getline(in, node, ',');
        std::getline(in, port, ',');
        std::getline(in, frame_class, ',');
        std::getline(in, peer, ',');
        ports[node + " to " + peer] = static_cast<std::uint32_t>(std::stoul(port));
    }
    std::set<std::string> senders;
    for (const captured_packet& p : file.packets) {
        if (is_flow_control(p)) {
            const std::string& direction = file.interfaces[p.interface].description;
            const std::uint32_t node = nodes.at(direction.substr(0, direction.find(' ')));
            EXPECT_EQ(network_number(p.octets, 6, 2), 0x1201U) << direction;
            EXPECT_EQ(network_number(p.octets, 8, 3), node) << direction;
            EXPECT_EQ(network_number(p.octets, 11, 1), ports.at(direction)) << direction;
            senders.insert(direction);
        }
    }
    EXPECT_GE(senders.size(), 3U);
}

TEST(capture, has_the_same_bytes_whatever_the_quantum_and_changes_no_other_file) {
    const scratch_directory where;
    const arguments options =
        combined(combined(fabric, bursts), {"--trace.pcap=h*", "--trace.window_start=1ms"});
    ASSERT_NO_FATAL_FAILURE(run_into(where, "a", options));
    ASSERT_NO_FATAL_FAILURE(run_into(where, "b", combined(options, {"--run.quantum=700ns"})));
    ASSERT_NO_FATAL_FAILURE(run_into(where, "c", combined(options, {"--run.engine=literal"})));
    expect_same_bytes(where / "a", where / "b");
    expect_same_bytes(where / "a", where / "c");
    ASSERT_NO_FATAL_FAILURE(run_into(where, "off", combined(fabric, bursts)));
    const auto with = results_in(where / "a");
    auto without = results_in(where / "off");
    EXPECT_EQ(with.size(), without.size() + 1);
    for (const auto& [name, text] : without) {
        if (name != "effective.ini") {
            EXPECT_EQ(with.at(name), text) << name;
        }
    }
    for (const captured_packet& p : read_pcapng(with.at("trace.pcapng")).packets) {
        EXPECT_GE(p.ns, 1'000'000U);
    }
}

TEST(capture, windows_snaps_and_directions_are_obeyed) {
    const scratch_directory where;
    ASSERT_NO_FATAL_FAILURE(
        run_into(where, "run",
                 combined(combined(fabric, bursts),
                          {"--trace.pcap=h0>*", "--trace.pcap=*>h4", "--trace.window_end=2ms"})));
    const capture_file file = read_pcapng(contents(where / "run" / "trace.pcapng"));
    ASSERT_EQ(file.interfaces.size(), 2U);
    EXPECT_EQ(file.interfaces[0].description.substr(0, 6), "h0 to ");
    EXPECT_EQ(file.interfaces[1].description.substr(file.interfaces[1].description.size() - 6), " to h4");
    EXPECT_FALSE(file.packets.empty());
    EXPECT_LT(file.packets.back().ns, 2'000'000U);
    auto snapped = combined(fabric, bursts);
    snapped.back() = "--trace.pcap_snap=80B";
    snapped.push_back("--trace.pcap=h0*");
    ASSERT_NO_FATAL_FAILURE(run_into(where, "snapped", snapped));
    for (const captured_packet& p : read_pcapng(contents(where / "snapped" / "trace.pcapng")).packets) {
        EXPECT_EQ(p.octets.size(), std::min<std::size_t>(80, p.length));
    }
}

TEST(capture, a_limit_ends_it_with_a_warning_whatever_the_quantum) {
    const scratch_directory where;
    const arguments options = combined(combined(fabric, bursts), {"--trace.pcap=all"});
    ASSERT_NO_FATAL_FAILURE(run_into(where, "whole", options));
    const std::string whole = contents(where / "whole" / "trace.pcapng");
    const std::size_t frames = read_pcapng(whole).packets.size();
    ASSERT_GT(frames, 1'000U);
    std::string first;
    for (const std::string quantum : {"0ps", "700ns"}) {
        const outcome o = run_program(
            where, combined(combined({"run"}, options),
                            {"--trace.pcap_limit=1000", "--run.quantum=" + quantum, "--out", "cut" + quantum}));
        ASSERT_EQ(o.status, 0) << o.err;
        const std::string text = contents(where / ("cut" + quantum) / "trace.pcapng");
        EXPECT_EQ(read_pcapng(text).packets.size(), 1'000U);
        EXPECT_EQ(whole.substr(0, text.size()), text);
        EXPECT_NE(o.err.find("warning: trace.pcapng ends at "), std::string::npos) << o.err;
        EXPECT_NE(o.err.find(": trace.pcap_limit = 1000 frames\n"), std::string::npos) << o.err;
        first = first.empty() ? text : first;
        EXPECT_EQ(text, first);
    }
    const outcome exact =
        run_program(where, combined(combined({"run"}, options),
                                    {"--trace.pcap_limit=" + std::to_string(frames), "--out", "exact"}));
    EXPECT_EQ(contents(where / "exact" / "trace.pcapng"), whole);
    EXPECT_EQ(exact.err.find("pcap_limit"), std::string::npos) << exact.err;
}

TEST(capture, of_a_run_that_fails_is_whole_up_to_the_failure) {
    const scratch_directory where;
    // XOFF so late that a frame is lost.
    const arguments options =
        combined(combined(fabric, bursts),
                 {"--trace.pcap=all", "--pfc.xoff=16KB", "--pfc.xon=4KB", "--switch.ingress_buffer=16384B"});
    std::string first;
    for (const std::string more : {"--run.engine=literal", "--run.quantum=700ns", "--run.threads=2"}) {
        const outcome o = run_program(where, combined(combined({"run"}, options), {more, "--out", "run"}));
        ASSERT_EQ(o.status, 1) << o.err;
        const std::string text = contents(where / "run" / "trace.pcapng");
        ASSERT_FALSE(read_pcapng(text).packets.empty());
        first = first.empty() ? text : first;
        EXPECT_TRUE(text == first) << more;
        const std::string invariant = "/weir/invariant: at ";
        const double lost_us = std::stod(o.err.substr(o.err.find(invariant) + invariant.size()));
        const double last_us = static_cast<double>(read_pcapng(text).packets.back().ns) / 1000;
        EXPECT_LE(last_us, lost_us);
        EXPECT_GT(last_us, lost_us - 10);  // frames of 1.2 us
    }
}

TEST(capture, of_a_deadlock_has_what_led_to_it_whatever_the_quantum) {
    const scratch_directory where;
    std::string first;
    for (const std::string more : {"--run.quantum=0ps", "--run.quantum=300ns"}) {
        const outcome o = run_program(where, {"run", WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/ring.ini",
                                              "--trace.pcap=all", more, "--out", "run"});
        ASSERT_EQ(o.status, 1) << o.err;
        const std::string text = contents(where / "run" / "trace.pcapng");
        EXPECT_GT(read_pcapng(text).packets.size(), 100U);
        first = first.empty() ? text : first;
        EXPECT_TRUE(text == first) << more;
    }
}

// Broken adapters repeat XOFF when the traffic has long ended: no activity, and not within the run.
TEST(capture, ends_with_the_traffic_whatever_the_quantum) {
    const scratch_directory where;
    const arguments options =
        combined(combined(fabric, bursts),
                 {"--trace.pcap=all", "--host.broken=h1 classes=1 from=1ms",
                  "--host.broken=h5 classes=1 from=1ms", "--pfc.quanta=60", "--link.latency=10us"});
    std::string first;
    for (const std::string more : {"--run.quantum=0ps", "--run.quantum=3us", "--run.quantum=700ns"}) {
        ASSERT_NO_FATAL_FAILURE(run_into(where, "run", combined(options, {more})));
        const std::string text = contents(where / "run" / "trace.pcapng");
        const std::vector<captured_packet> packets = read_pcapng(text).packets;
        ASSERT_GT(std::count_if(packets.begin(), packets.end(), is_flow_control), 500);
        EXPECT_LE(packets.back().ns, summary_of(where / "run")["simulated_ns"].get<double>());
        first = first.empty() ? text : first;
        EXPECT_TRUE(text == first) << more;
    }
}

TEST(capture, options_that_make_no_sense_are_refused) {
    const scratch_directory where;
    const auto refused = [&](const arguments& options, const std::string& why) {
        const outcome o =
            run_program(where, combined(combined({"run"}, combined(fabric, options)), {"--out", "no"}));
        EXPECT_EQ(o.status, 2);
        EXPECT_TRUE(has_error(o.err, why));
        EXPECT_FALSE(fs::exists(where / "no"));
    };
    refused({"--trace.pcap=h0-nowhere"}, "trace.pcap: h0-nowhere, all");
    refused({"--trace.pcap=all", "--trace.pcap=h9>*"}, "h9>*");
    refused({"--trace.pcap_snap=20B"}, "trace.pcap_snap: 20B, 0");
    refused({"--trace.window_start=2ms", "--trace.window_end=1ms"}, "trace.window_end: 1ms");
}

TEST(capture, tshark_finds_nothing_malformed_and_shows_pfc) {
    if (output_of("tshark --version").empty()) {
        GTEST_SKIP() << "tshark is not installed";
    }
    const scratch_directory where;
    ASSERT_NO_FATAL_FAILURE(run_into(where, "run", combined(combined(fabric, bursts), {"--trace.pcap=all"})));
    const std::string file = (where / "run" / "trace.pcapng").string();
    const std::string check =
        "tshark -n -o eth.check_fcs:TRUE -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -r " + file;
    EXPECT_TRUE(output_of(check + " -Y '_ws.malformed or _ws.expert.severity == 8388608'").empty());
    EXPECT_TRUE(
        output_of(check + " -Y 'eth.fcs.status == 0 or ip.checksum.status == 0 or tcp.checksum.status == 0'")
            .empty());
    const capture_file read = read_pcapng(contents(file));
    const auto sound = output_of(check + " -Y 'eth.fcs.status == 1' -T fields -e frame.number");
    EXPECT_EQ(sound.size(), read.packets.size());
    const auto segments = output_of(check + " -Y 'tcp.checksum.status == 1 and ip.checksum.status == 1'");
    EXPECT_GT(segments.size(), read.packets.size() / 2);
    std::vector<std::string> expected;
    for (const captured_packet& p : read.packets) {
        if (is_flow_control(p)) {
            std::ostringstream line;
            line << "0x" << std::hex << std::setw(4) << std::setfill('0') << network_number(p.octets, 16, 2)
                 << std::dec;
            for (unsigned c = 0; c < 8; ++c) {
                line << '\t' << network_number(p.octets, 18 + 2 * c, 2);
            }
            expected.push_back(line.str());
        }
    }
    std::string fields = check + " -Y 'macc.opcode == 0x0101' -T fields -e macc.cbfc.enbv";
    for (unsigned c = 0; c < 8; ++c) {
        fields += " -e macc.cbfc.pause_time.c" + std::to_string(c);
    }
    EXPECT_EQ(output_of(fields), expected);
    EXPECT_GT(expected.size(), 0U);
}

/// Source, destination, bytes and priority of each transfer.
std::multiset<std::string> transfers_of(const fs::path& directory) {
    std::multiset<std::string> found;
    std::istringstream lines(contents(directory / "flows.csv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        found.insert(fields[2] + "," + fields[3] + "," + fields[4] + "," + fields[5]);
    }
    return found;
}

// More than there are ports of one side: a pair of ports that comes back would be taken for packets sent again.
TEST(capture, fed_back_many_short_transfers_between_two_hosts_are_all_there) {
    if (!weir::tb::captures_are_supported()) {
        GTEST_SKIP() << "built without libpcap (package libpcap-dev)";
    }
    const scratch_directory where;
    std::string trace = "start_ns,src,dst,bytes\n";
    for (unsigned flow = 0; flow < 6'000; ++flow) {
        trace += std::to_string(2'000 * flow) + ",0,1," + std::to_string(1 + flow % 1'400) + "\n";
    }
    std::ofstream(where / "trace.csv") << trace;
    const arguments two{"--fabric.topology=single", "--fabric.hosts=2", "--run.progress=false",
                        "--traffic.kind=trace"};
    for (const std::string transport : {"tcp", "udp"}) {
        SCOPED_TRACE(transport);
        ASSERT_NO_FATAL_FAILURE(
            run_into(where, transport,
                     combined(two, {"--traffic.file=" + (where / "trace.csv").string(), "--trace.pcap=h*>*",
                                    "--traffic.transport=" + transport})));
        const auto sent = transfers_of(where / transport);
        EXPECT_EQ(sent.size(), 6'000U);
        ASSERT_NO_FATAL_FAILURE(
            run_into(where, transport + "_again",
                     combined(two, {"--traffic.format=pcap", "--traffic.addresses=fabric",
                                    "--traffic.file=" + (where / transport / "trace.pcapng").string()})));
        EXPECT_EQ(transfers_of(where / (transport + "_again")), sent);
    }
}

TEST(capture, fed_back_as_traffic_gives_the_same_transfers) {
    if (!weir::tb::captures_are_supported()) {
        GTEST_SKIP() << "built without libpcap (package libpcap-dev)";
    }
    const scratch_directory where;
    for (const std::string transport : {"tcp", "udp"}) {
        SCOPED_TRACE(transport);
        ASSERT_NO_FATAL_FAILURE(run_into(
            where, transport,
            combined(fabric, {"--traffic.kind=poisson", "--traffic.sizes=200B,1460B,20KB,100KB",
                              "--traffic.load=0.4", "--traffic.stop=20ms", "--traffic.transport=" + transport,
                              "--switch.scheme=detail", "--trace.pcap=h*>*"})));
        const auto sent = transfers_of(where / transport);
        EXPECT_GT(sent.size(), 20U);
        ASSERT_NO_FATAL_FAILURE(run_into(
            where, transport + "_again",
            combined(fabric, {"--traffic.kind=trace", "--traffic.format=pcap", "--traffic.addresses=fabric",
                              "--traffic.file=" + (where / transport / "trace.pcapng").string(),
                              "--switch.scheme=detail"})));
        EXPECT_EQ(transfers_of(where / (transport + "_again")), sent);
    }
}

}  // namespace
