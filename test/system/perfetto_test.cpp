// `trace.perfetto` through the program: slices against a packet capture of all links, pauses and losses against
// the run's tables, journeys from host to host; the same bytes however it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>

#include "support/capture_bytes.h"
#include "support/errors_said.h"
#include "traced_fabric.h"

using namespace weir::test;
using nlohmann::json;

namespace {

const arguments bursts{"--traffic.kind=incast", "--traffic.incast_rounds=2", "--traffic.incast_bytes=700KB",
                       "--traffic.priorities=5,2", "--switch.scheme=detail"};

struct slice {
    std::string node;
    std::string track;
    std::string name;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::string chain;
    bool flow_in = false;
    bool flow_out = false;
    json args;
};
struct read_trace {
    std::vector<slice> slices;
    std::vector<slice> marks;
};

/// Microseconds to nanoseconds as Perfetto's importer does.
std::int64_t ns(const json& number) {
    return static_cast<std::int64_t>(number.get<double>() * 1000.0);
}

read_trace read(const fs::path& file) {
    const json all = json::parse(contents(file), nullptr, false);
    read_trace trace;
    std::map<std::uint64_t, std::string> processes;
    std::map<std::uint64_t, std::string> tracks;
    for (const json& event : all["traceEvents"]) {
        const std::string phase = event["ph"];
        if (phase == "M") {
            const bool process = event["name"] == "process_name";
            auto& names = process ? processes : tracks;
            const auto number = event[process ? "pid" : "tid"].get<std::uint64_t>();
            EXPECT_EQ(names.count(number), 0U);
            names[number] = event["args"]["name"];
            continue;
        }
        slice s;
        s.node = processes.at(event["pid"]);
        s.track = tracks.at(event["tid"]);
        s.name = event["name"];
        s.begin = ns(event["ts"]);
        s.args = event["args"];
        if (phase == "i") {
            trace.marks.push_back(s);
            continue;
        }
        EXPECT_EQ(phase, "X");
        s.end = s.begin + ns(event["dur"]);
        s.chain = event.value("bind_id", "");
        s.flow_in = event.value("flow_in", false);
        s.flow_out = event.value("flow_out", false);
        trace.slices.push_back(s);
    }
    return trace;
}

bool is_transmission(const slice& s) {
    return s.track.find(" to ") != std::string::npos;
}
bool is_memory(const slice& s) {
    return s.track.find(" memory") != std::string::npos;
}

TEST(perfetto, has_the_same_bytes_whatever_the_quantum_threads_and_engine_and_changes_no_other_file) {
    const scratch_directory where;
    for (const arguments& kind : {bursts, traced_losses}) {
        const arguments options =
            combined(combined(traced_fabric, kind), {"--trace.perfetto=on", "--trace.pcap=h*"});
        run_traced(where, "a", options);
        run_traced(where, "b", combined(options, {"--run.quantum=700ns"}));
        run_traced(where, "c", combined(options, {"--run.threads=2"}));
        run_traced(where, "d", combined(options, {"--run.engine=literal"}));
        expect_same_bytes(where / "a", where / "b");
        expect_same_bytes(where / "a", where / "c");
        expect_same_bytes(where / "a", where / "d");
        run_traced(where, "off", combined(combined(traced_fabric, kind), {"--trace.pcap=h*"}));
        const auto with = results_in(where / "a");
        for (const auto& [file, text] : results_in(where / "off")) {
            if (file != "effective.ini") {
                EXPECT_EQ(with.at(file), text) << file;
            }
        }
        EXPECT_GT(with.at("perfetto.json").size(), 100'000U);
    }
}

/// What the octets of a PFC frame say: its name, and the quanta of each class.
std::string pfc_text(const captured_packet& p) {
    std::string quanta;
    bool stops = false;
    bool releases = false;
    for (unsigned c = 0; c < 8; ++c) {
        const auto time = network_number(p.octets, 18 + 2 * c, 2);
        const bool named = (network_number(p.octets, 16, 2) >> c & 1) != 0;
        stops = stops || (named && time != 0);
        releases = releases || (named && time == 0);
        quanta += " " + std::to_string(time);
    }
    return std::string(stops && releases ? " PFC XOFF/XON" : stops ? " PFC XOFF" : " PFC XON") + quanta;
}
std::string pfc_text(const slice& s) {
    std::string quanta;
    for (const json& time : s.args["quanta"]) {
        quanta += " " + std::to_string(time.get<unsigned>());
    }
    return " " + s.name + quanta;
}

TEST(perfetto, each_frame_on_a_wire_is_a_slice) {
    const scratch_directory where;
    run_traced(where, "run",
               combined(combined(traced_fabric, bursts),
                        {"--trace.perfetto=on", "--trace.pcap=all", "--trace.pcap_snap=0B"}));
    const capture_file file = read_pcapng(contents(where / "run" / "trace.pcapng"));
    // Node, peer, begin and end; and what the frame is.
    std::multiset<std::string> expected;
    for (const captured_packet& p : file.packets) {
        const std::string& text = file.interfaces[p.interface].description;
        const bool control = network_number(p.octets, 12, 2) == 0x8808;
        expected.insert(text + " " + std::to_string(p.ns) + " " + std::to_string(p.ns + (p.length + 20) * 8) +
                        " " + std::to_string(p.length) + (control ? pfc_text(p) : ""));
    }
    std::multiset<std::string> found;
    for (const slice& s : read(where / "run" / "perfetto.json").slices) {
        if (is_transmission(s)) {
            found.insert(s.node + s.track.substr(s.track.find(" to ")) + " " + std::to_string(s.begin) + " " +
                         std::to_string(s.end) + " " + std::to_string(s.args["bytes"].get<unsigned>()) +
                         (s.name.substr(0, 3) == "PFC" ? pfc_text(s) : ""));
        }
    }
    EXPECT_GT(found.size(), 1'000U);
    EXPECT_EQ(found, expected);
}

TEST(perfetto, a_frames_slices_lead_from_its_source_to_its_destination) {
    const scratch_directory where;
    run_traced(where, "run", combined(combined(traced_fabric, bursts), {"--trace.perfetto=on"}));
    std::map<std::string, std::vector<slice>> journeys;
    for (const slice& s : read(where / "run" / "perfetto.json").slices) {
        if (!s.chain.empty()) {
            journeys[s.chain].push_back(s);
        }
    }
    std::uint64_t hops = 0;
    for (auto& [number, slices] : journeys) {
        std::sort(slices.begin(), slices.end(),
                  [](const slice& a, const slice& b) { return a.begin < b.begin; });
        ASSERT_GE(slices.size(), 3U);
        EXPECT_EQ(slices.front().node, slices.front().args["from"]);
        EXPECT_FALSE(slices.front().flow_in);
        EXPECT_FALSE(slices.back().flow_out);
        const std::string last = slices.back().track;
        EXPECT_EQ(last.substr(last.find(" to ") + 4), slices.back().args["to"]);
        for (std::size_t i = 0; i < slices.size(); ++i) {
            const slice& s = slices[i];
            EXPECT_EQ(s.flow_in, i != 0);
            EXPECT_EQ(s.flow_out, i + 1 != slices.size());
            EXPECT_EQ(s.name, slices.front().name);
            hops += i % 2 == 0 ? 1 : 0;
            // On a wire, in a memory, on a wire, ...: 6.6 us after it has left, and until it leaves again.
            ASSERT_EQ(i % 2 == 0, is_transmission(s)) << number;
            ASSERT_EQ(i % 2 == 1, is_memory(s)) << number;
            if (i % 2 == 1) {
                EXPECT_EQ(s.begin, slices[i - 1].end + 6'600);
                EXPECT_EQ(s.end, slices[i + 1].begin);
                EXPECT_EQ(s.node, slices[i + 1].node);
                EXPECT_EQ(slices[i - 1].track.substr(slices[i - 1].track.find(" to ") + 4), s.node);
                EXPECT_EQ(s.args["leaves_at"].get<std::string>() + " ",
                          slices[i + 1].track.substr(0, slices[i + 1].track.find(' ') + 1));
            }
        }
    }
    EXPECT_EQ(hops, summary_of(where / "run")["packet_hops"]);
}

TEST(perfetto, slices_of_a_track_do_not_overlap) {
    const scratch_directory where;
    run_traced(where, "run", combined(combined(traced_fabric, bursts), {"--trace.perfetto=on"}));
    std::map<std::string, std::vector<slice>> tracks;
    for (const slice& s : read(where / "run" / "perfetto.json").slices) {
        tracks[s.node + "." + s.track].push_back(s);
    }
    for (auto& [name, slices] : tracks) {
        std::sort(slices.begin(), slices.end(),
                  [](const slice& a, const slice& b) { return a.begin < b.begin; });
        for (std::size_t i = 0; i + 1 < slices.size(); ++i) {
            ASSERT_LE(slices[i].end, slices[i + 1].begin) << name;
        }
    }
}

/// Time in `paused` slices, by node, port and class; and what ports.csv says.
void expect_pauses(const fs::path& run, bool one_class) {
    std::map<std::string, std::int64_t> found;
    for (const slice& s : read(run / "perfetto.json").slices) {
        const std::size_t at = s.track.find(" paused");
        if (at != std::string::npos) {
            const std::string c = one_class ? "0" : s.track.substr(s.track.rfind(' ') + 1);
            found[s.node + "," + s.track.substr(2, at - 2) + "," + c] += s.end - s.begin;
        }
    }
    std::istringstream lines(contents(run / "ports.csv"));
    std::string line;
    std::vector<std::string> header;
    std::map<std::string, std::int64_t> expected;
    while (std::getline(lines, line)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        if (header.empty()) {
            header = fields;
            continue;
        }
        const auto column =
            static_cast<std::size_t>(std::find(header.begin(), header.end(), "paused_ns") - header.begin());
        if (column < fields.size() && !fields[column].empty() && fields[column] != "0" &&
            (!one_class || fields[2] == "0")) {
            expected[fields[0] + "," + fields[1] + "," + fields[2]] = std::stoll(fields[column]);
        }
    }
    EXPECT_GT(expected.size(), 1U);
    EXPECT_EQ(found, expected);
}

TEST(perfetto, pauses_last_as_long_as_the_tables_say) {
    const scratch_directory where;
    run_traced(where, "pfc", combined(combined(traced_fabric, bursts), {"--trace.perfetto=on"}));
    expect_pauses(where / "pfc", false);
    run_traced(where, "pause",
               combined(traced_fabric,
                        {"--traffic.kind=incast", "--traffic.incast_rounds=2", "--traffic.incast_bytes=900KB",
                         "--switch.scheme=fc", "--switch.ingress_buffer=32KiB", "--trace.perfetto=on"}));
    expect_pauses(where / "pause", true);
}

TEST(perfetto, losses_are_marks) {
    const scratch_directory where;
    run_traced(where, "run", combined(combined(traced_fabric, traced_losses), {"--trace.perfetto=on"}));
    const read_trace trace = read(where / "run" / "perfetto.json");
    std::map<std::string, std::uint64_t> found;
    for (const slice& mark : trace.marks) {
        EXPECT_EQ(mark.track, "lost frames");
        ++found[mark.name];
    }
    std::uint64_t memory = 0;
    for (const slice& s : trace.slices) {
        memory += is_memory(s) && s.args.count("lost") != 0 ? 1 : 0;
    }
    const json drops = summary_of(where / "run")["drops"];
    std::uint64_t sum = 0;
    for (const auto& [reason, count] : drops.items()) {
        EXPECT_EQ(found[reason], count) << reason;
        sum += count.get<std::uint64_t>();
    }
    EXPECT_GT(sum, 10U);
    EXPECT_EQ(memory, drops["egress_full"]);
}

TEST(perfetto, windows_nodes_and_limits_are_obeyed) {
    const scratch_directory where;
    const arguments options = combined(combined(traced_fabric, bursts), {"--trace.perfetto=on"});
    run_traced(where, "window",
               combined(options, {"--trace.window_start=1ms", "--trace.window_end=2ms",
                                  "--trace.perfetto_nodes=tor*,h1"}));
    const read_trace window = read(where / "window" / "perfetto.json");
    std::set<std::string> nodes;
    for (const slice& s : window.slices) {
        nodes.insert(s.node);
        EXPECT_LT(s.begin, 2'000'000);
        EXPECT_GE(s.end, 1'000'000);
        if (is_transmission(s) || s.track.find(" paused") != std::string::npos) {
            EXPECT_GE(s.begin, 1'000'000);
        }
    }
    EXPECT_EQ(nodes, (std::set<std::string>{"h1", "tor0", "tor1"}));
    const outcome cut = run_traced(where, "cut", combined(options, {"--trace.perfetto_limit=100"}));
    EXPECT_NE(cut.err.find("warning: perfetto.json ends at "), std::string::npos) << cut.err;
    const std::size_t slices = read(where / "cut" / "perfetto.json").slices.size();
    EXPECT_GE(slices, 100U);
    EXPECT_LE(slices, 102U);
    const outcome refused =
        run_program(where, combined(combined({"run"}, options), {"--trace.perfetto_nodes=x9", "--out", "no"}));
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(has_error(refused.err, "trace.perfetto_nodes: x9"));
}

}  // namespace
