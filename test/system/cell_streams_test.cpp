// Cells without a rival cross as one timed transfer (cell_streams.h). The literal engine arbitrates in each
// slot: both write the same, over random traffic through one switch that moves cells.
#include <gtest/gtest.h>

#include "program.h"
#include "random_fabric.h"

namespace weir::test {
namespace {

/// 2 to 8 ports, several classes, PFC or losses, egress memory that often has no room, a link that is cut.
std::string random_cells(unsigned number) {
    dice d(number);
    ini_text ini;
    ini.set("run.seed", std::to_string(number));
    ini.set("run.duration", "400us");
    ini.set("run.warmup", d.of({"0ps", "33us"}));
    ini.set("fabric.topology", "single");
    ini.set("fabric.hosts", std::to_string(d.between(2, 8)));
    ini.set("link.rate", "10Gbps");
    ini.set("link.latency", d.of({"500ns", "137777ps"}));
    ini.set("switch.crossbar", "cell");
    ini.set("switch.cell", d.of({"64B", "208B", "1000B"}));
    ini.set("switch.speedup", d.of({"1", "2", "4"}));
    ini.set("switch.iterations", d.of({"0", "1", "2", "4"}));
    ini.set("switch.scheme", d.of({"none", "priority", "fc", "detail", "detail"}));
    ini.set("switch.lookup_delay", d.of({"0ps", "300ns", "3.1us"}));
    if (d.chance(70)) {
        ini.set("switch.egress_buffer", d.of({"10KB", "20KB"}));
        ini.set("switch.share", d.of({"whole", "dynamic"}));
        ini.set("switch.share_alpha", d.of({"0.5", "1", "2"}));
    }
    if (d.chance(50)) {
        ini.set("pfc.xoff", "4KB");
        ini.set("pfc.xon", "3KB");
        ini.set("switch.ingress_buffer", "256KiB");
    }
    const std::string kind = d.of({"poisson", "permutation", "incast", "bernoulli"});
    ini.set("traffic.kind", kind);
    ini.set("traffic.priorities", d.of({"0", "1, 6", "0, 3, 7"}));
    ini.set("traffic.distribution", d.of({"web_search", "google_rpc_2008"}));
    ini.set("traffic.load", d.of({"40%", "70%", "100%"}));
    ini.set("traffic.transport", kind == "incast" ? d.of({"tcp", "roce"}) : d.of({"tcp", "udp", "roce"}));
    ini.set("traffic.flows_per_host", d.of({"1", "5"}));
    ini.set("traffic.flow_bytes", d.of({"0B", "3KB"}));
    ini.set("traffic.incast_bytes", "60KB");
    ini.set("traffic.incast_rounds", "5");
    if (d.chance(30)) {
        ini.set("fabric.link", "h0-tor0 down at=100us");
        ini.set("fabric.link", "h0-tor0 up at=250us");
    }
    ini.set("output.rates", "*");
    return ini.text();
}

void expect_same_as_literal(unsigned first, unsigned count) {
    unsigned compared = 0;
    for (unsigned number = first; number < first + count; ++number) {
        const std::string ini = random_cells(number);
        SCOPED_TRACE("configuration " + std::to_string(number) + ":\n" + ini);
        const scratch_directory where;
        where.write("c.ini", ini);
        const outcome streams = run_program(where, {"run", "c.ini", "--run.progress=off", "--out", "streams"});
        const outcome literal = run_program(
            where, {"run", "c.ini", "--run.progress=off", "--run.engine=literal", "--out", "literal"});
        ASSERT_EQ(streams.status, literal.status) << streams.err << literal.err;
        ASSERT_NE(streams.status, 2) << streams.err;
        if (streams.status == 0) {
            expect_same_bytes(where / "streams", where / "literal");
            ++compared;
        }
    }
    EXPECT_GE(10 * compared, 9 * count);
}

TEST(cell_streams, change_nothing_that_a_run_writes) {
    expect_same_as_literal(0, 30);
}
TEST(cell_streams, long_run_change_nothing_that_many_runs_write) {
    expect_same_as_literal(1'000, 1'000);
}

}  // namespace
}  // namespace weir::test
