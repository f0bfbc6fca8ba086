// The arguments of `weir bench`.
#pragma once

#include <string>
#include <vector>

#include "tb/bench/bench_cases.h"
#include "tb/run/arguments/argument_list.h"

namespace weir::tb {

enum class peer_kind : std::uint8_t { ns3, htsim };
constexpr auto names_of(peer_kind) {
    return enum_names<peer_kind>({{peer_kind::ns3, "ns3"}, {peer_kind::htsim, "htsim"}});
}

struct bench_arguments {
    static constexpr command_text command{
        "weir bench [CASE ...] [--threads LIST] [--instructions] [--against PEER] [--key=value ...] [--out "
        "DIR]\n"
        "weir bench --list\n\nRuns fixed fabrics with fixed loads, each in a process of its own, one after "
        "another, and prints their cost:\nCPU time per packet-hop, packet-hops per second, set-up, memory. A "
        "packet-hop is a frame that finished its\ntransmission on one link. Without CASE: all cases.\n\n",
        20};

    bool list = false;
    std::vector<std::string> names;
    /// In the order of the table; all where none was named.
    std::vector<bench_case> cases;
    /// In the order given, each once.
    std::vector<unsigned> threads{1};
    /// Of each run; the best counts.
    unsigned repeat = 3;
    /// Count instructions, too.
    bool instructions = false;
    std::optional<peer_kind> against;
    /// A copy of htsim's repository; empty unless `against` is htsim.
    std::string htsim;
    /// Where bench.json goes; empty: nowhere.
    std::string out;
    /// Options for all cases, as `--key=value`.
    std::vector<std::string> overrides;

    void describe(argument_list& arguments) {
        arguments.files(names, 0, bench_cases().size());
        arguments("list", list, "list the cases with a description");
        arguments("threads", threads, "LIST", "numbers of threads: 1,2,4 (default: 1)")
            .range(1, 1'024)
            .not_empty("numbers such as 1,2,4");
        arguments("repeat", repeat, "N",
                  "runs of each case, in alternation; the fastest counts, and beside a peer the\nmedian of the "
                  "pairs, too (default: 3)")
            .range(1, 1'000);
        arguments("instructions", instructions,
                  "count instructions per packet-hop with callgrind, too (needs valgrind)");
        arguments("against", against, "ns3",
                  "also run the equivalent ns-3 cases, in alternation (needs Debian's libns3-dev\nand a "
                  "compiler: $CXX or c++)");
        arguments.form("against", "htsim", "the same with htsim (needs its sources and a compiler)");
        arguments("htsim", htsim, "DIR", "a copy of htsim's repository, Broadcom/csg-htsim; it is only read");
        arguments.options_of_run(overrides, "any option, for every case; `weir run --help` lists them");
        arguments("out", out, "DIR",
                  "write all measurements to DIR/bench.json; new, empty or with a bench.json")
            .not_empty("a directory that is new, empty or has a bench.json");
    }
    void complete(config_errors& errors);
};

}  // namespace weir::tb
