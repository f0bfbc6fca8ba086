// `weir accuracy` with the RTL of a whole switch as the reference, through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "support/errors_said.h"
#include "system/program.h"

using namespace weir::test;

namespace {

/// Two hosts that send each other datagrams of 1,486 B: each is alone in its ports.
constexpr const char* lone_datagrams =
    "[fabric]\nhosts = 2\n[link]\nrate = 10Gbps\nlatency = 1us\n"
    "[switch]\nmax_frame = 1486B\nshare = whole\n[udp]\npayload = 1440B\n[tcp]\nmss = 1400B\n"
    "[traffic]\nkind = bernoulli\nload = 20%\nslot = 1300.3ns\nstop = 2ms\n";

std::vector<std::map<std::string, std::string>> read_csv(const fs::path& file) {
    std::istringstream in(contents(file));
    const auto fields = [&] {
        std::vector<std::string> found;
        std::string line;
        std::getline(in, line);
        std::istringstream text(line);
        for (std::string field; std::getline(text, field, ',');) {
            found.push_back(field);
        }
        return found;
    };
    const std::vector<std::string> header = fields();
    std::vector<std::map<std::string, std::string>> rows;
    for (std::vector<std::string> line = fields(); !line.empty(); line = fields()) {
        rows.emplace_back();
        for (std::size_t i = 0; i < line.size(); ++i) {
            rows.back()[header.at(i)] = line[i];
        }
    }
    return rows;
}

struct swept {
    explicit swept(const arguments& options = {}) {
        where.write("config.ini", lone_datagrams);
        const outcome made =
            run_program(where, combined({"sweep", "config.ini", "--vary", "switch.crossbar=frame,cell",
                                         "--keep=all", "--out", "swept"},
                                        options));
        EXPECT_EQ(made.status, 0) << made.err;
    }
    outcome compare(const std::string& mode) {
        return run_program(where,
                           {"accuracy", "swept", "--pair", "switch.crossbar=" + mode + ",rtl", "--out", "out"});
    }
    scratch_directory where;
};

// The edge that samples it, the slot after it, 24 cells, 1,506 B in steps of 2 B, and the register before the
// line.
std::int64_t rtl_time(std::int64_t start) {
    constexpr std::int64_t clock = 1'600;
    const std::int64_t in_voq = start + 1'204'800 + 1'000'000 + 3'100'000;
    std::int64_t edge = (in_voq + clock - 1) / clock;
    while (edge % 8 != 4) {
        ++edge;
    }
    return (edge + 24 * 8 + 753 + 1) * clock + 1'000'000 - start;
}

TEST(switch_accuracy, of_lone_frames_is_that_of_a_closed_form) {
    swept all;
    for (const char* mode : {"frame", "cell"}) {
        const outcome o = all.compare(mode);
        ASSERT_EQ(o.status, 0) << o.err;
        const auto rows = read_csv(all.where / "out" / "accuracy.csv");
        ASSERT_EQ(rows.size(), 1U);
        const auto flows =
            read_csv(all.where / (std::string(mode) == "frame" ? "swept/points/0001/seed_1/flows.csv"
                                                               : "swept/points/0002/seed_1/flows.csv"));
        ASSERT_GT(flows.size(), 400U);
        double error = 0;
        double largest = 0;
        double sum = 0;
        for (const auto& flow : flows) {
            const auto rtl = static_cast<double>(rtl_time(std::llround(1000 * std::stod(flow.at("start_ns")))));
            const double off = 1000 * std::stod(flow.at("fct_ns")) - rtl;
            sum += rtl;
            error += off;
            largest = std::max(largest, std::abs(off));
        }
        const auto count = static_cast<double>(flows.size());
        EXPECT_EQ(std::stoul(rows[0].at("transfers")), flows.size());
        EXPECT_NEAR(std::stod(rows[0].at("reference_mean_ns")), sum / count / 1000, 0.0011) << mode;
        EXPECT_NEAR(std::stod(rows[0].at("mean_error_ns")), error / count / 1000, 0.0011) << mode;
        EXPECT_NEAR(std::stod(rows[0].at("max_abs_ns")), largest / 1000, 0.0011) << mode;
        // A cell mode's frame is off by half a slot, the wait for an edge and one cycle.
        EXPECT_LE(std::string(mode) == "cell" ? largest : 0, 6'400 + 1'600 + 1'600);
    }
}

TEST(switch_accuracy, refuses_what_the_rtl_does_not_have) {
    const auto expect_refused = [](const arguments& options, const std::string& text) {
        swept all(options);
        const outcome o = all.compare("cell");
        EXPECT_EQ(o.status, 2) << text;
        EXPECT_TRUE(has_error(o.err, text));
        EXPECT_FALSE(fs::exists(all.where / "out"));
    };
    expect_refused({"--switch.share=dynamic", "--switch.speedup=2"}, "switch.speedup: RTL, 4");
    expect_refused({"--switch.share=dynamic"}, "switch.share: RTL, whole");
    expect_refused({"--switch.iterations=7"}, "switch.iterations: RTL, 1 to 6");
    expect_refused({"--run.duration=1ms"}, "completed, traffic.stop, run.duration");
    expect_refused({"--fabric.hosts=65"}, "fabric.topology: RTL");
    expect_refused({"--link.rate=7Gbps"}, "link.rate: RTL");
    expect_refused({"--traffic.slot=1000ns"}, "while it still sends the previous one");
    expect_refused({"--traffic.kind=permutation", "--traffic.transport=udp", "--traffic.flow_bytes=1440B",
                    "--traffic.slot=0ps"},
                   "traffic.kind: bernoulli, trace");
}

// Three hosts fill one port: 12,000 of their frames wait there in the end.
TEST(switch_accuracy, says_that_a_queue_of_the_rtl_is_too_short) {
    std::string trace = "start_ns,src,dst,bytes,priority,tag\n";
    for (unsigned n = 0; n < 6000; ++n) {
        for (unsigned src = 1; src < 4; ++src) {
            trace += std::to_string(2200 * n) + "," + std::to_string(src) + ",0,200,0,\n";
        }
    }
    const scratch_directory where;
    where.write("trace.csv", trace);
    where.write("config.ini",
                std::string(lone_datagrams).substr(0, std::string(lone_datagrams).find("[traffic]")) +
                    "[traffic]\nkind = trace\ntransport = udp\nfile = trace.csv\n");
    ASSERT_EQ(run_program(where, {"sweep", "config.ini", "--fabric.hosts=4", "--link.rate=1Gbps", "--vary",
                                  "switch.crossbar=frame,cell", "--keep=all", "--out", "swept",
                                  "--switch.egress_buffer=64MiB", "--switch.ingress_buffer=64MiB"})
                  .status,
              0);
    const outcome o =
        run_program(where, {"accuracy", "swept", "--pair", "switch.crossbar=cell,rtl", "--out", "out"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("has more frames in a queue than the RTL of a whole switch holds"), std::string::npos)
        << o.err;
}

}  // namespace
