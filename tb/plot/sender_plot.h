// What senders do over time, of runs that were asked for it: TCP's windows (output.windows) and the rates of
// limiters and queue pairs (output.rates). A row per run, a line per sender (cross-layer study, figures 7, 8).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

enum class sender_quantity : std::uint8_t { window, rate };

/// Senders with the largest sums, as many as there are styles. Nothing where no run has any.
std::optional<picture> sender_picture(const std::string& name, const std::string& title,
                                      const std::string& details, sender_quantity shown,
                                      const std::vector<run_data>& runs);

}  // namespace weir::tb
