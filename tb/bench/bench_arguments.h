// The command line of `weir bench`.
#pragma once

#include <string>
#include <vector>

#include "tb/bench/bench_cases.h"
#include "weir/base/config_error.h"

namespace weir::tb {

std::string bench_help();

struct bench_arguments {
    bool help = false;
    bool list = false;
    /// In the order of the table; all where none was named.
    std::vector<bench_case> cases;
    /// In the order given, each once.
    std::vector<unsigned> threads{1};
    /// Of each run; the best counts.
    unsigned repeat = 3;
    /// Count instructions, too.
    bool instructions = false;
    /// `ns3`, `htsim`; empty: no peer.
    std::string against;
    /// A copy of htsim's repository; empty unless `against` is htsim.
    std::string htsim;
    /// Where bench.json goes; empty: nowhere.
    std::string out;
    /// Options for all cases, as `--key=value`.
    std::vector<std::string> overrides;
    config_errors errors;
};

bench_arguments read_bench_arguments(const std::vector<std::string>& args);

}  // namespace weir::tb
