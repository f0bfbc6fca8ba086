// The runs of a reproduction: the sweeps of a paper's experiments, in one directory. A configuration that two
// experiments have is one point, and runs once.
//
// Points are numbered over the whole paper, whatever figures are asked for, so a later call can run further
// figures in the same directory. Experiments may be added at the end of the table, and seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/points/point_source.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/reproduce/paper.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Cost of the runs that are left, as far as the table of experiments has it.
struct paper_cost {
    std::size_t runs = 0;
    /// Processor time of the runs whose time is known, if the reference run takes a second, and the number of
    /// those runs.
    double cpu_seconds = 0;
    std::size_t known = 0;
    /// Memory of the largest run; 0 if it is not known.
    std::uint64_t memory_mb = 0;
    double disk_mb = 0;
};

class paper_plan : public run_list {
 public:
    struct experiment {
        const paper_experiment* row;
        point_source source;
        sweep_plan plan;
        /// Number in the directory of each point of the sweep. Set by `check`.
        std::vector<std::size_t> points;
    };

    /// `p` must outlive it. `threads`: of each run; 0: as its configuration says.
    paper_plan(const paper& p, bool quick, std::vector<std::uint64_t> seeds, unsigned threads);

    /// Reads the configurations. Afterwards `threads` and `progress` are there.
    config_errors load();
    unsigned threads() const { return m_threads; }
    bool progress() const { return m_progress; }
    /// Checks every point as `weir run --dry-run` does, and numbers them if nothing is wrong. Lines to be
    /// printed.
    std::vector<std::string> check(std::vector<std::string>& warnings);

    bool is_quick() const { return m_quick; }
    const std::vector<std::uint64_t>& seeds() const { return m_seeds; }
    const std::vector<experiment>& experiments() const { return m_experiments; }
    std::size_t points() const { return m_places.size(); }
    /// Points of some figures (none: of all), each once, in order.
    std::vector<std::size_t> points_of(const std::vector<std::string>& figures) const;
    paper_cost cost_of(const std::vector<pending_run>& runs) const;

    nlohmann::ordered_json to_json() const;
    /// Why this does not go on with `there`, the text of a reproduction.json.
    config_errors differences(const std::string& there, const std::string& file) const;

    std::string describe(std::size_t point) const override;
    std::string file(std::size_t point) const override { return at(point).source.file(); }
    std::vector<std::string> arguments(const pending_run& run) const override;
    std::string effective_ini(const pending_run& run) const override;
    kept_files kept(std::size_t point) const override;

 private:
    struct place {
        std::size_t experiment;
        std::size_t point;
    };
    const experiment& at(std::size_t point) const { return m_experiments[m_places[point].experiment]; }
    /// 0 where the file is none of theirs.
    std::size_t experiments_with(const std::string& file) const;
    void number();

    const paper& m_paper;
    bool m_quick;
    std::vector<std::uint64_t> m_seeds;
    std::vector<experiment> m_experiments;
    std::vector<place> m_places;
    /// Files kept of points whose tables are drawn.
    std::map<std::size_t, kept_files> m_kept;
    unsigned m_threads = 1;
    bool m_progress = true;
};

/// Points of an experiment's sweep that a picture shows; none where the plan does not have them.
std::vector<std::size_t> points_of_figure(const paper_figure& f, const sweep_plan& plan);

}  // namespace weir::tb
