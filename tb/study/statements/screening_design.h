// A screening design of two levels: options that move together, row by row, such that every option has each of
// its two values in half of the rows and no two options are tied. Plackett and Burman (Biometrika 33, 1946)
// give one of 12 rows for up to 11 options.
//
//   design_faults(axis);                                // empty: effects can be told apart
//   main_effects(axis, values, 0.95).effects.front();   // the option that matters most
#pragma once

#include <string>
#include <vector>

#include "tb/study/points/sweep_axis.h"
#include "tb/study/statements/seed_values.h"
#include "tb/study/sweep/sweep_statistics.h"

namespace weir::tb {

/// One for each option with another number of values than two, with more rows of one value than of the other,
/// and for each pair of options whose columns are equal, opposite or otherwise not orthogonal: each effect
/// then holds (a part of) the other.
std::vector<std::string> design_faults(const sweep_axis& axis);

struct main_effect {
    std::string option;
    /// The value of the first row, and the other.
    std::string from;
    std::string to;
    mean_interval effect;
    /// `tcp.handshake: on -> off`
    std::string label() const { return option + ": " + from + " -> " + to; }
};

struct design_effects {
    /// Mean over all rows.
    mean_interval mean;
    /// The largest first, whatever its sign.
    std::vector<main_effect> effects;
};

/// Main effects from values by row and seed: seed by seed, the mean over the rows with an option's second value
/// less the mean over the rows with its first. A seed that lacks a value counts nowhere. Precondition: the
/// design has no fault.
design_effects main_effects(const sweep_axis& axis, const std::vector<seed_values>& values, double confidence);

}  // namespace weir::tb
