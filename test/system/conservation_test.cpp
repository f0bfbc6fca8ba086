// No frame is made or lost: for runs that end in mid-traffic, what summary.json says adds up, in itself and
// against ports.csv (design section 8).
#include <gtest/gtest.h>

#include <sstream>

#include "program.h"

using namespace weir::test;
using nlohmann::json;

namespace {

/// Rows of a CSV table by the names of its columns.
std::vector<std::map<std::string, std::string>> rows_of(const fs::path& file) {
    std::istringstream text(contents(file));
    const auto split = [](const std::string& line) {
        std::vector<std::string> fields;
        std::istringstream parts(line + ",");
        for (std::string field; std::getline(parts, field, ',');) {
            fields.push_back(field);
        }
        return fields;
    };
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> names = split(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(text, line)) {
        const std::vector<std::string> fields = split(line);
        EXPECT_EQ(fields.size(), names.size());
        rows.emplace_back();
        for (std::size_t i = 0; i < fields.size() && i < names.size(); ++i) {
            rows.back()[names[i]] = fields[i];
        }
    }
    return rows;
}
std::int64_t number(const std::string& text) {
    return text.empty() ? 0 : std::stoll(text);
}

struct cut_off_run {
    const char* name;
    arguments options;
    /// What the longest run must have counted, for the sums to say something.
    const char* happened = "/frames/inside";
};
void PrintTo(const cut_off_run& r, std::ostream* out) {
    *out << r.name;
}

class conservation : public testing::TestWithParam<cut_off_run> {};
TEST_P(conservation, holds_wherever_a_run_is_cut_off) {
    std::int64_t happened = 0;
    // Odd picoseconds, so that frames are in every place: queues, pipelines, crossbars, wires, stacks.
    for (const char* duration : {"37us", "1234567891ps", "5ms", "8000000001ps"}) {
        SCOPED_TRACE(duration);
        const scratch_directory where;
        const outcome o = run_program(
            where, joined(joined({"run", "--fabric.topology=racks", "--fabric.racks=3",
                                  "--fabric.hosts_per_rack=4", "--fabric.roots=2", "--run.progress=false",
                                  std::string("--run.duration=") + duration, "--out", "out"},
                                 GetParam().options),
                          {}));
        ASSERT_EQ(o.status, 0) << o.err;
        const json summary = summary_of(where / "out");
        happened = summary.at(json::json_pointer(GetParam().happened)).get<std::int64_t>();
        const json& frames = summary["frames"];
        const auto sent = frames["sent"].get<std::int64_t>();
        const auto delivered = frames["delivered"].get<std::int64_t>();
        const auto dropped = frames["dropped"].get<std::int64_t>();
        const auto inside = frames["inside"].get<std::int64_t>();
        EXPECT_EQ(sent, delivered + dropped + inside);
        EXPECT_GE(inside, 0);
        EXPECT_GT(sent, 0);
        EXPECT_LE(inside, sent);
        // Drops by reason; what never was on a wire is not among the sent.
        std::int64_t by_reason = 0;
        for (const auto& [reason, count] : summary["drops"].items()) {
            EXPECT_GE(count.get<std::int64_t>(), 0) << reason;
            by_reason += reason == "nic_full" || reason == "unsent_link_down" ? 0 : count.get<std::int64_t>();
        }
        EXPECT_EQ(by_reason, dropped);

        std::int64_t host_tx = 0;
        std::int64_t host_rx = 0;
        std::int64_t all_tx = 0;
        std::int64_t all_rx = 0;
        std::int64_t port_drops = 0;
        std::int64_t xoffs = 0;
        for (const auto& row : rows_of(where / "out/ports.csv")) {
            const std::int64_t tx = number(row.at("tx_frames"));
            const std::int64_t rx = number(row.at("rx_frames"));
            all_tx += tx;
            all_rx += rx;
            host_tx += row.at("node")[0] == 'h' ? tx : 0;
            host_rx += row.at("node")[0] == 'h' ? rx : 0;
            xoffs += row.at("node")[0] == 'h' ? 0 : number(row.at("xoff_sent"));
            for (const char* reason :
                 {"ingress_full", "egress_full", "no_route", "oversized", "link_down", "bit_error"}) {
                port_drops += row.at("node")[0] == 'h' ? 0 : number(row.at(std::string(reason) + "_frames"));
            }
        }
        EXPECT_EQ(host_tx, sent);
        EXPECT_GE(host_rx, delivered) << "what is still in the hosts' stacks has been received";
        EXPECT_LE(all_rx, all_tx);
        EXPECT_LE(summary["packet_hops"].get<std::int64_t>(), all_tx);
        EXPECT_LE(port_drops, dropped);
        EXPECT_EQ(xoffs, summary["pfc"]["xoff_sent"]);
        // Lines of flows.csv.
        EXPECT_EQ(rows_of(where / "out/flows.csv").size(), summary["flows"]["completed"]);
        EXPECT_LE(summary["flows"]["completed"], summary["flows"]["started"]);
    }
    EXPECT_GT(happened, 0) << GetParam().happened;
}
const cut_off_run runs[] = {
    {"detail", {"--switch.scheme=detail", "--traffic.kind=query", "--traffic.rate=3000"}},
    {"detail_in_cells",
     {"--switch.scheme=detail", "--switch.crossbar=cell", "--traffic.kind=query", "--traffic.rate=3000"}},
    {"baseline_that_drops_at_ingress",
     {"--switch.scheme=baseline", "--switch.drop=ingress_tail", "--switch.ingress_buffer=6KB",
      "--switch.egress_buffer=6KB", "--traffic.kind=query", "--traffic.rate=4000", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     "/drops/ingress_full"},
    {"priority_that_drops_at_egress",
     {"--switch.scheme=priority", "--switch.egress_buffer=8KB", "--switch.share_alpha=1",
      "--traffic.kind=query", "--traffic.rate=4000", "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms"},
     "/drops/egress_full"},
    {"a_link_down_and_up",
     {"--switch.scheme=detail", "--traffic.kind=query", "--traffic.rate=3000",
      "--fabric.link=tor0-root0 down at=500us", "--fabric.link=h3-tor0 down at=1ms",
      "--fabric.link=h3-tor0 up at=3ms", "--fabric.link=tor0-root0 up at=4ms"},
     "/drops/link_down"},
    {"links_that_change",
     {"--switch.scheme=detail", "--traffic.kind=query", "--traffic.rate=3000",
      "--fabric.link=tor0-root0 latency=20us at=500us", "--fabric.link=tor0-root0 latency=3us at=2ms",
      "--fabric.link=h3-tor0 frame_error_rate=0.1 latency=9us at=1ms",
      "--fabric.link=h3-tor0 bit_error_rate=1e-6 frame_error_rate=0 at=3ms", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     "/drops/bit_error"},
    {"bit_errors",
     {"--switch.scheme=baseline", "--traffic.kind=query", "--traffic.rate=3000",
      "--fabric.link=h3-tor0 frame_error_rate=0.1", "--fabric.link=tor0-root0 frame_error_rate=0.05",
      "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms"},
     "/drops/bit_error"},
    {"stack_delays",
     {"--switch.scheme=detail", "--host.stack_out=9.5us", "--host.stack_in=24us", "--traffic.kind=query",
      "--traffic.rate=3000"}},
    {"udp_over_full_nics",
     {"--switch.scheme=fc", "--traffic.kind=permutation", "--traffic.transport=udp", "--host.nic_buffer=5KB"},
     "/drops/nic_full"},
};
INSTANTIATE_TEST_SUITE_P(system, conservation, testing::ValuesIn(runs),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
