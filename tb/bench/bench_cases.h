// What `weir bench` measures: named fabrics with their load. They are fixed, so that figures of different
// versions and machines can be compared; options of the command line are put on top.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::tb {

struct bench_case {
    std::string name;
    /// Of one line, for --list.
    std::string what;
    /// Options as `block.key=value`, without the duration.
    std::vector<std::string> options;
    /// Simulated by a run that is timed. Unit: ns.
    std::uint64_t timed_ns;
    /// Instructions are counted over what lies between the first and the second. Unit: ns.
    std::uint64_t counted_from_ns;
    std::uint64_t counted_to_ns;
    /// The same fabric and load in a peer, by the peer's name: options of tb/bench/PEER/fat_tree.cpp.
    std::map<std::string, std::vector<std::string>> peers;
};

const std::vector<bench_case>& bench_cases();

}  // namespace weir::tb
