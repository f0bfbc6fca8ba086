// figures.csv of a paper: what is drawn over what. Rows of one figure are pictures of their own.
//
// | column | |
// |---|---|
// | figure, title | `8`; what it shows |
// | draw | `curves`: means over seeds along a varied option; `distribution`: shares of completion times, all
// seeds together | | experiment | of experiments.csv | | metric | curves: a panel each, with blanks between;
// distribution: a group's jobs, `groups.query.8000.7.jct_ns`, or `jct_ns` | | at | places of the axes that are
// not drawn | | x | curves: the option of the horizontal axis | | curves | `KEY` or `KEY=VALUE,VALUE`: a curve
// each; may be empty for one curve | | scale | `linear` or `log`: the axis of what is measured; empty: as its
// values lie |
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tb/reproduce/experiment_table.h"
#include "tb/reproduce/point_choice.h"
#include "tb/sweep/sweep_plot.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct paper_figure {
    int line = 0;
    std::string figure;
    std::string title;
    bool is_distribution = false;
    std::size_t experiment = 0;
    std::vector<std::string> metrics;
    choice at;
    std::string x;
    /// One axis, or none.
    choice curves;
    sweep_plot_request::scales scale = sweep_plot_request::scales::automatic;
    /// Of its picture's files: `figure_8`.
    std::string name;

    /// Places by axis that it draws; nothing where the plan does not have them.
    std::optional<std::vector<std::vector<std::size_t>>> places(const sweep_plan& plan) const;
    /// Of curves, on a plan that has its places.
    sweep_plot_request request(const sweep_plan& plan) const;
};

std::vector<paper_figure> read_figures(const std::filesystem::path& folder,
                                       const std::vector<paper_experiment>& experiments, config_errors& errors);

}  // namespace weir::tb
