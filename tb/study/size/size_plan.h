// What `weir size` asks: places (an option's values, or the product of two options'), goals, and how hard to
// look. Kept as search.json in the directory, so that the same command finds it again.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/study/points/point_source.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/size/size_goal.h"
#include "tb/study/size/size_search.h"
#include "tb/support/text/joined.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

using weir::to_text;

/// What is asked of an option. each: every value is looked at for itself.
enum class axis_wish : std::uint8_t { each, smallest, largest };
constexpr auto names_of(axis_wish) {
    return enum_names<axis_wish>(
        {{axis_wish::each, "each"}, {axis_wish::smallest, "smallest"}, {axis_wish::largest, "largest"}});
}

/// Reference points of relative goals: the base configuration with other options. With `--each` there is one
/// for each of its values, unless the reference sets one of these options.
struct reference_set {
    /// `reference` of the goals.
    std::string options;
    sweep_plan runs;
    bool has_each = false;
    /// For each point of `runs`, the number of the search's point that has its runs.
    std::vector<std::size_t> numbers = {};

    /// Index of the reference that a tried point is compared with.
    std::size_t place(const sweep_plan& tried, std::size_t point) const {
        return has_each ? tried.places(point).front() : 0;
    }
};

/// Why places are left out: by point, what the configuration's check says; empty where nothing is wrong.
using refusals = std::vector<std::vector<std::string>>;

struct size_plan {
    /// Most places, and most runs at each.
    static constexpr std::size_t most_places = 10'000;
    static constexpr std::size_t most_runs = 10'000;

    /// One axis, or two: along the last one is searched, for each value of the other. Its only seed is the
    /// first one.
    sweep_plan runs;
    /// Of each axis; the last one is `each` only where it is alone.
    std::vector<axis_wish> wishes;
    std::vector<size_goal> goals;
    size_search::limits limits;
    /// Filled by `add_references`.
    std::vector<reference_set> references;

    void add_references();
    /// Gives reference points the number of a tried point, or of an earlier reference, with the same
    /// configuration. `refused`: tried points that are left out.
    void merge_equal_references(const refusals& refused, const run_list& all);
    /// Numbers of the points that goals compare tried points with, ascending.
    std::vector<std::size_t> reference_points(const refusals& refused) const;
    /// The point that the goal compares this one with; nothing if the goal is not relative.
    std::optional<std::size_t> reference(std::size_t goal, std::size_t point) const;
    /// Plan of a tried or reference point, and its number there.
    std::pair<const sweep_plan&, std::size_t> at(std::size_t point) const;
    /// `switch.ingress_buffer=1GiB, traffic.rate=500`
    std::string settings_text(std::size_t point) const;

    /// Points from the worst to the best, a line for each value of the first of two axes. Points of `each`
    /// alone are lines of their own. `refused`: by point, whether it is left out; its line may then be empty.
    std::vector<std::vector<std::size_t>> lines(const std::vector<bool>& refused) const;
    /// Seed of the index-th run at each point.
    std::uint64_t seed(std::size_t index) const { return runs.seeds.front() + index; }
    /// Whether `each` is asked for: every line has to have an answer, where else one is enough.
    bool asks_for_each() const { return wishes.front() == axis_wish::each; }
    /// Options of the axis searched along, as people know them: `pfc.xoff,pfc.xon`.
    std::string searched_keys() const { return joined(runs.axes.back().keys, ","); }
    /// `17KiB`, or `20KB,10KB` for options that move together: a point's place on an axis.
    std::string value(std::size_t point, std::size_t axis) const;
};

nlohmann::ordered_json to_json(const size_plan& plan);

/// Runs of tried points and of reference points.
class search_runs : public planned_runs {
 public:
    /// Both must outlive it; the plan may still be made.
    search_runs(const size_plan& plan, const point_source& source)
        : planned_runs(plan.runs, source), m_plan(plan) {}

    std::string describe(std::size_t point) const override;

 private:
    std::pair<const sweep_plan&, std::size_t> at(std::size_t point) const override { return m_plan.at(point); }

    const size_plan& m_plan;
};

/// Why `wanted` cannot use what `there` (the text of a search.json) began; nothing where it can: with the same
/// places, options and files. Goals, confidence and limits may differ, since runs do not depend on them.
config_errors search_differences(const std::string& there, const size_plan& wanted, const std::string& file);

}  // namespace weir::tb
