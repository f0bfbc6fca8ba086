// What a sweep runs: every combination of the places of its axes is a point, and every point runs with every
// seed. Kept as plan.json in the sweep's directory, so that the same command finds it again. The directory is a
// campaign's (tb/study/campaign/campaign_directory.h) with
//
//     plan.json                        what is run
//     sweep.csv  sweep.json            a row per run
//     means.csv  means.json            a row per point and metric
//     plots/
//
//   sweep_plan plan;
//   plan.axes = {{{"traffic.rate"}, {{"500"}, {"1000"}}}, {{"switch.scheme"}, {{"fc"}, {"detail"}}}};
//   plan.points();              // 4
//   plan.settings(1);           // traffic.rate=500, switch.scheme=detail: the last axis moves first
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/results/derived_metric.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/points/sweep_axis.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// An option and its values (one, unless it is repeatable).
struct plan_option {
    std::string key;
    std::vector<std::string> values;
    bool operator==(const plan_option& other) const { return key == other.key && values == other.values; }
};

/// A file that runs read besides the configuration.
struct plan_input {
    std::string path;
    file_fingerprint fingerprint;
    bool operator==(const plan_input& other) const {
        return path == other.path && fingerprint == other.fingerprint;
    }
};

struct sweep_plan {
    /// Most points times seeds.
    static constexpr std::size_t most_runs = 100'000;

    /// Of the program.
    std::string version;
    /// File name of the configuration, for people; empty without one.
    std::string configuration;
    kept_files keep = kept_files::summary;
    std::vector<sweep_axis> axes;
    std::vector<std::uint64_t> seeds;
    /// Every option that results depend on and that no axis moves, as the configuration and the command line
    /// set it.
    std::vector<plan_option> options;
    std::vector<plan_input> inputs;
    /// Metrics that the last call of the command defined. Runs do not depend on them.
    derived_metrics metrics{};
    /// The points are runs of `weir run`, and the axis has their names.
    bool is_of_runs = false;

    /// Points, from 0; saturates beyond `most_runs`.
    std::size_t points() const;
    std::size_t runs() const { return points() * seeds.size(); }
    /// Which place of each axis. The last axis moves fastest.
    std::vector<std::size_t> places(std::size_t point) const;
    /// The point at these places, one of each axis.
    std::size_t point(const std::vector<std::size_t>& places) const;
    /// The swept options of a point.
    std::vector<std::pair<std::string, std::string>> settings(std::size_t point) const;
    /// All keys of all axes.
    std::vector<std::string> keys() const;
    /// True if some axis has the key.
    bool varies(const std::string& key) const;
    /// The key that is written so, `-` for `_` or not; where there is none, what is written.
    std::string key_of(const std::string& written) const;
    /// `0012`: a point's number from 1, as files and messages have it.
    std::string name(std::size_t point) const { return point_name(point, points()); }
    /// `traffic.rate=500, switch.scheme=fc`
    std::string settings_text(std::size_t point) const;
    /// `point 0012: traffic.rate=500, switch.scheme=fc`; a run's name.
    std::string describe(std::size_t point) const;
};

/// The swept options of a point: each text, and beside it the number where the text has a unit.
/// `{"switch.ingress_buffer": "64KiB", "switch.ingress_buffer_bytes": 65536}`
nlohmann::ordered_json swept_options(const sweep_plan& plan, std::size_t point);

nlohmann::ordered_json to_json(const sweep_plan& plan);

struct plan_result {
    sweep_plan plan;
    /// What keeps the text from being a plan.
    config_errors errors;
};
/// `file` is what errors call it.
plan_result plan_from_json(const std::string& text, const std::string& file);
/// The same of a part of a document; `place`: the part's key.
plan_result plan_from_json(const nlohmann::ordered_json& j, const std::string& file, const std::string& place);
/// The same of a search.json as it was read: the plan is a part of it.
plan_result search_plan(json_file read, const std::string& file);

const directory_kind& sweep_kind();
/// The plan that a directory has to hold.
sweep_plan read_plan(const std::filesystem::path& directory, config_errors& errors);

/// Why `wanted` does not go on with what `there` began; nothing where it does. `file` is what errors call the
/// plan that is there, `kind` what it is of. With `extend`, `wanted` may have further seeds behind those that
/// are there.
config_errors differences(const sweep_plan& there, const sweep_plan& wanted, const std::string& file,
                          bool extend, const std::string& kind = "sweep");

}  // namespace weir::tb
