// The tree of pauses that a run with trace.pause_causes writes (pause_tree.json, docs/causes.md), read back.
//
//   config_errors errors;
//   if (auto tree = read_pause_tree("out/why", errors)) { tree->places[0].queue; }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

struct pause_tree {
    /// A root, or a transmitter that was paused because of its parent.
    struct place {
        static constexpr std::size_t no_parent = ~std::size_t{0};
        /// `tor0.tx4 class 0`.
        std::string queue;
        /// Of a root: `congested` or `adapter`.
        std::string kind;
        std::size_t parent = no_parent;
        /// Hops from the root, 0 for the root itself.
        unsigned depth = 0;
        /// Paused time that is the root's over this way; with all below. Unit: ns.
        double paused_ns = 0;
        double all_ns = 0;
    };
    /// Of all pauses, and of those whose cause is not known.
    double paused_ns = 0;
    double unknown_ns = 0;
    std::uint64_t events_left_out = 0;
    /// By hops from the root, from 1.
    std::vector<double> hop_ns;
    /// Each before what is below it, siblings in the order of the file.
    std::vector<place> places;
};

/// Nothing where the directory has no such file, or a broken one: then there is an error that names it.
std::optional<pause_tree> read_pause_tree(const std::string& directory, config_errors& errors);

/// The tree with all classes of a place in one row, called `tor0.tx4 classes 0-5, 7`, whose times are their
/// sums; siblings by time, longest first.
pause_tree with_classes_summed(const pause_tree& tree);

/// The places with the longest times, as they stand in the tree. A place's parent has no less than it, and
/// stands before it, so it is among them too.
std::vector<std::size_t> longest_places(const pause_tree& tree, std::size_t most);

}  // namespace weir::tb
