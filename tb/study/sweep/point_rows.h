// Lines of tables about the points of a plan. Varied options and metrics take a column each.
//
//   record_table<sweep_row> table(output_file("out/sweep.csv"), first_row);
//   table.write(row);      // 1,64KiB,65536,7,done,,,15160594.338
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/support/record/cell_groups.h"

namespace weir::tb {

struct named_cells {
    std::vector<std::string> names{};
    std::vector<std::string> texts{};
};
/// The swept options of a point (`swept_options`).
struct option_cells : named_cells {
    option_cells() = default;
    option_cells(const sweep_plan& plan, std::size_t point) {
        const nlohmann::ordered_json options = swept_options(plan, point);
        names = names_in(options);
        texts = plain_texts(options);
    }
};
/// Numbers of summary.json.
struct metric_cells : named_cells {};

template <class T>
struct csv_cell<T, std::enable_if_t<std::is_base_of_v<named_cells, T>>> {
    template <class Visit>
    static void names(const named_cells& cells, const column_facts&, Visit&& visit) {
        for (const std::string& name : cells.names) {
            visit(std::string_view(csv_text(name)));
        }
    }
    static std::size_t most(const named_cells& cells, const column_facts& facts) {
        std::size_t sum = 0;
        for (const std::string& text : cells.texts) {
            sum += csv_cell<std::string>::most(text, facts) + 1;
        }
        return sum;
    }
    static void put(csv_row& row, const named_cells& cells, const column_facts& facts) {
        for (const std::string& text : cells.texts) {
            csv_cell<std::string>::put(row, text, facts);
        }
    }
};

/// A mean over seeds with its interval: four columns.
struct interval_cells {
    const column_facts (&columns)[4];
    /// Without one the cells are empty.
    std::optional<mean_interval> interval{};
};
template <>
struct csv_cell<interval_cells> {
    template <class Visit>
    static void names(const interval_cells& cells, const column_facts&, Visit&& visit) {
        for (const column_facts& column : cells.columns) {
            visit(std::string_view(column.name));
        }
    }
    static std::size_t most(const interval_cells&, const column_facts&) { return 4 * (longest_decimal + 1); }
    static void put(csv_row& row, const interval_cells& cells, const column_facts&) {
        for (const std::string& text :
             cells.interval ? plain_texts(json_of(*cells.interval)) : std::vector<std::string>(4)) {
            row.add_text(text);
        }
    }
};

/// A line of sweep.csv.
struct sweep_row {
    std::uint64_t point = 0;
    option_cells options{};
    std::uint64_t seed = 0;
    run_record::states state = run_record::states::missing;
    std::optional<std::uint64_t> status{};
    std::optional<std::string> error{};
    metric_cells metrics{};

    static constexpr table_facts table{"sweep.csv", "A line for each run of a sweep."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("point", &self::point, "Number of the combination of varied options, from 1."));
        columns(shared_columns(&self::options));
        columns(column("seed", &self::seed, "Seed of the run."));
        columns(column("state", &self::state, "What has become of the run."));
        columns(column("status", &self::status, "Exit status of a failed run.").absent("state is not failed"));
        columns(column("error", &self::error, "What a failed run said.").absent("state is not failed"));
        columns(shared_columns(&self::metrics));
    }
};

/// A line of means.csv.
struct means_row {
    static constexpr const char* without_width =
        "fewer than two seeds have a value, or the mean is a lower bound";
    static constexpr column_facts mean_columns[] = {
        {"n", "Seeds with a value.", "seeds"},
        {"mean", "Mean over the seeds, in the metric's unit.", "metric", "no seed has a value"},
        {"low", "Lower end of its interval.", "metric", without_width},
        {"high", "Upper end of its interval.", "metric", without_width}};
    static constexpr const char* without_difference =
        "the point is compared with itself, fewer than two seeds have a value, or it is a lower bound";
    static constexpr column_facts difference_columns[] = {
        {"difference_n",
         "Seeds that count: both points have a value, and that of the reference is no lower bound.", "seeds",
         "the point is compared with itself"},
        {"difference", "This point's mean less the reference's, seed by seed.", "metric",
         "the point is compared with itself, or no seed has both values"},
        {"difference_low", "Lower end of its interval.", "metric", without_difference},
        {"difference_high", "Upper end of its interval.", "metric", without_difference}};

    std::uint64_t point = 0;
    option_cells options{};
    std::string metric{};
    interval_cells mean{mean_columns};
    bool mean_is_lower_bound = false;
    std::uint64_t reference = 0;
    interval_cells difference{difference_columns};
    bool difference_is_lower_bound = false;
    double confidence = 0;

    static constexpr table_facts table{
        "means.csv",
        "A line for each point and metric of a sweep: means over the seeds, intervals of Student's t, and "
        "differences."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("point", &self::point, "Number of the combination of varied options, from 1."));
        columns(shared_columns(&self::options));
        columns(column("metric", &self::metric,
                       "A number of summary.json, named by its keys with dots between them."));
        columns(shared_columns(&self::mean));
        columns(column("mean_is_lower_bound", &self::mean_is_lower_bound,
                       "Whether a seed's value, and so the mean, is only a lower bound.")
                    .words("true", "false"));
        columns(column("reference_point", &self::reference, "Point that this one is compared with."));
        columns(shared_columns(&self::difference));
        columns(column("difference_is_lower_bound", &self::difference_is_lower_bound,
                       "Whether the difference is only a lower bound.")
                    .words("true", "false"));
        columns(column("confidence", &self::confidence, "Confidence level of the intervals, from 0 to 1.")
                    .unit("1"));
    }
};

}  // namespace weir::tb
