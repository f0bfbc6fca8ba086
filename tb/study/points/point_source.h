// From a point of a plan to its run: the arguments of `weir run`, the configuration, and effective.ini.
//
// The configuration files are read once. A run reads them again, and its effective.ini must then be the one
// that was expected here: that tells a file which was edited while the sweep was running.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/options/load_config.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/points/sweep_plan.h"

namespace weir::tb {

class point_source {
 public:
    /// `overrides`: options from the command line, each as one `--key=value`; a run.seed among them is taken as
    /// the first seed only. An option that a plan sets replaces its override. `files`: INI files, if any.
    /// `table`: where axes and overrides are written, for messages, if that is not the command line.
    point_source(std::vector<std::string> files, std::vector<std::string> overrides, setting_origin table = {});

    /// Files that cannot be read. Nothing else may be used where there are any.
    const config_errors& unread() const { return m_unread; }
    /// For messages: the file, or `one of` several.
    std::string file() const;
    /// File names without their folders.
    std::string title() const;

    const setting_origin& table() const { return m_table; }

    /// Before any axis moves.
    loaded_config base() const;
    loaded_config load(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const;
    /// Behind `weir run`, without --out.
    std::vector<std::string> arguments(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const;
    /// What the run will write as effective.ini. Allowed for a configuration without errors.
    std::string effective_ini(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const;

 private:
    loaded_config load(const std::vector<std::string>& options) const;
    std::vector<std::string> options(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const;

    std::vector<std::string> m_files;
    std::vector<std::string> m_texts;
    config_errors m_unread;
    std::vector<std::string> m_overrides;
    setting_origin m_table;
};

/// The runs of a plan, as a campaign sees them.
class planned_runs : public run_list {
 public:
    /// Both must outlive it; the plan may still be made.
    planned_runs(const sweep_plan& plan, const point_source& source) : m_plan(plan), m_source(source) {}

    std::string describe(std::size_t point) const override { return m_plan.describe(point); }
    std::string file(std::size_t) const override { return m_source.file(); }
    std::vector<std::string> arguments(const pending_run& run) const override {
        const auto [plan, point] = at(run.point);
        return m_source.arguments(plan, point, run.seed);
    }
    std::string effective_ini(const pending_run& run) const override {
        const auto [plan, point] = at(run.point);
        return m_source.effective_ini(plan, point, run.seed);
    }
    kept_files kept(std::size_t) const override { return m_plan.keep; }

 private:
    /// Plan that has the point, and its number there.
    virtual std::pair<const sweep_plan&, std::size_t> at(std::size_t point) const { return {m_plan, point}; }

    const sweep_plan& m_plan;
    const point_source& m_source;
};

}  // namespace weir::tb
