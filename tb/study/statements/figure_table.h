// figures.csv of a paper: what is drawn over what. Rows of one figure are pictures of their own.
// docs/reproduce.md describes the columns.
//
//     figure,title,draw,experiment,metric,at,x,curves,scale,relative
//     8,99th percentiles,curves,steady,fct_ns.p99,,traffic.rate,switch.scheme,linear,switch.scheme=baseline
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/statements/experiment_table.h"
#include "tb/study/sweep/point_choice.h"
#include "tb/study/sweep/sweep_plot.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct paper_figure {
    enum class drawings : std::uint8_t { curves, distribution, effects, run };

    std::string figure;
    std::string title;
    drawings draw = drawings::curves;
    std::size_t experiment = 0;
    /// Metrics; for `run` the name of a picture of `weir plot`.
    std::vector<std::string> metrics;
    choice at;
    std::string x;
    /// One axis, or none.
    choice curves;
    /// The one of them to which all are drawn relative, or without curves a value of `x`; or none.
    choice relative;
    sweep_plot_request::scales scale = sweep_plot_request::scales::automatic;
    /// Name of the picture's files: `figure_8`, or `figure_8_occupancy` for a picture of runs.
    std::string name;

    bool is_distribution() const { return draw == drawings::distribution; }
    bool has_effects() const { return draw == drawings::effects; }
    /// Drawn from tables of single runs, of the first seed.
    bool is_of_runs() const { return draw == drawings::run; }
    bool has_axis() const { return !is_distribution() && !is_of_runs(); }
    /// Places by axis that it draws; nothing where the plan does not have them, or has no design for effects.
    std::optional<std::vector<std::vector<std::size_t>>> places(const sweep_plan& plan) const;
    /// Request for curves. Precondition: the plan has the figure's places.
    sweep_plot_request request(const sweep_plan& plan) const;
};

std::vector<paper_figure> read_figures(const std::filesystem::path& folder,
                                       const std::vector<paper_experiment>& experiments, config_errors& errors);

}  // namespace weir::tb
