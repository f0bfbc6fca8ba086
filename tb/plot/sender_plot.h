// What senders do over time, of runs that were asked for it: TCP's windows (output.windows) and the rates of
// limiters and queue pairs (output.rates). A row per run, a line per sender (cross-layer study, figures 7, 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

enum class sender_quantity : std::uint8_t { window, rate };

/// Those with the largest sums, as many as there are styles, in the order of the table.
std::vector<const sender_series*> largest_senders(const std::vector<sender_series>& all);
/// What is drawn of a line. A sender may begin and end during the run: there is a gap where samples are
/// missing.
struct sender_sample {
    std::size_t at;
    bool after_gap;
};
std::vector<sender_sample> shown_samples(const sender_series& series);

/// Senders with the largest sums, as many as there are styles. Nothing where no run has any.
std::optional<picture> sender_picture(const std::string& name, const std::string& title,
                                      const std::string& details, sender_quantity shown,
                                      const std::vector<run_data>& runs);

}  // namespace weir::tb
