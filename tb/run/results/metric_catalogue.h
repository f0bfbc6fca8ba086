// Numbers of summary.json: each is described once, beside the code that writes it (summary_writer.cpp,
// run_metrics.cpp). The reader of summary.json, titles of plots, rows of `weir table` and the names that
// `--metric` takes follow.
//
//   const metric_entry* paused = find_metric_entry("pfc.paused_ns.tier1");     // the family pfc.paused_ns.*
//   paused->title;                                                             // "Time paused, *"
//   paused->member_in("pfc.paused_ns.tier1");                                  // "tier1"
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/run/completions/percentile_rule.h"
#include "tb/support/files/json_file.h"
#include "tb/support/record/column_format.h"
#include "tb/support/text/name_pattern.h"

namespace weir::tb {

/// Blocks of rows of `weir table`, in their order.
enum class measure_subject : std::uint8_t {
    jobs,
    transfers,
    slowdown,
    losses,
    watermarks,
    pauses,
    utilisation,
    others,
    count
};

/// Whether tables show a number without being asked for it.
enum class measure_show : std::uint8_t { always, if_not_zero, never };

/// Row of a metric in `weir table`.
struct metric_row {
    measure_subject subject = measure_subject::others;
    /// `*` stands for the member of a family. Empty: the row has the metric's key, among others.
    std::string label{};
    measure_show show = measure_show::never;
    /// The row has the ratio to the first run, too.
    bool is_compared = false;
    /// Order within the subject. With `alternates` families stand member by member.
    std::uint8_t rank = 0;
    bool alternates = false;
};

/// Kind of a family's members. It decides their titles.
enum class metric_member : std::uint8_t {
    none,
    tier,      ///< `tier1`, shown as `tier 1`
    tag,       ///< a name of traffic
    group,     ///< tag, bytes and priority: `query.8192.7`
    priority,  ///< `7`
    size,      ///< `8192`
    part       ///< a tag and a part: `query.late_percent`
};

/// Direction in which values are better; many metrics have none.
enum class metric_direction : std::uint8_t { neither, lower, higher };

struct metric_entry {
    /// `marked_key`: the key, with `?` behind each part that some summaries do not have: `until?.looks`.
    metric_entry(std::string marked_key, std::string its_title, json_kind its_kind, metric_row its_row = {});
    /// Set one fact each, and return the same entry.
    metric_entry&& in(const char* its_unit) && { return unit = its_unit, std::move(*this); }
    metric_entry&& says(const char* its_help) && { return help = its_help, std::move(*this); }
    metric_entry&& better(metric_direction values) && { return direction = values, std::move(*this); }
    /// `condition`: when a summary has it, such as `with pFabric`.
    metric_entry&& only(const char* condition) && { return only_if = condition, std::move(*this); }
    metric_entry&& computed() && { return place.clear(), std::move(*this); }

    /// `frames.dropped`. `*` stands for a member that depends on the run: `groups.*.fct_ns.p99`.
    std::string key;
    /// `Frames lost: *`. Empty: the entry is no metric.
    std::string title;
    metric_row row;
    /// Lower values are better in rows of losses, watermarks and pauses, unless the entry says otherwise.
    metric_direction direction;
    metric_member member;
    /// Place in summary.json with the marks of the key: `drops.*`, `groups[].jct_slowdown?.p99`. Empty: the
    /// value is computed from others.
    std::string place;
    /// The same without marks.
    json_shape shape;
    /// Unit of numbers. Empty in descriptions: the unit that the end of a part of the key says (`_ns`), or that
    /// of a count.
    std::string unit;
    /// Sentence for the schema and for help. Empty: the title.
    std::string help;
    /// Condition under which a summary has it. Empty: that of its object, or none.
    std::string only_if;
    /// A run computes it only where `output.metrics` names it.
    bool is_on_request = false;

    bool has(std::string_view name) const { return name.size() >= key.size() && fits_pattern(key, name); }
    bool is_family() const { return key.find('*') != std::string::npos; }
    /// Text that `*` stands for; empty without one. Precondition: has(name).
    std::string_view member_in(std::string_view name) const { return part_in(key, name); }
};

/// Entries of summary.json but for distributions, in their order (summary_writer.cpp).
std::vector<metric_entry> described_metrics();
/// The same with distributions and metrics on request (run_metrics.h), with their units. References stay valid.
const std::deque<metric_entry>& metric_catalogue();
/// Members of a family such as `drops` that are the same in all runs. Empty: they depend on the run.
std::vector<std::string> members_of(std::string_view family);

/// Description of the object or list at the path, without marks. Empty: there is none.
std::string help_of_object(const std::string& path);
/// Condition under which summaries have the metric: `with pFabric`. Empty: all have it.
std::string condition_of(const metric_entry& entry);

/// JSON Schema (2020-12) of summary.json, one line per key of the document:
/// tb/python/weir/schema/summary.schema.json. It follows from the catalogue and from rows whose values
/// summary.json repeats. Throws std::logic_error if a place lacks a description.
std::string summary_schema_text();

/// True if `wanted` names the metric: it is its name, the beginning of its name up to a dot, or a pattern with
/// `*`, `?` and `[`. `-` and `_` are the same but in patterns.
bool is_named(const std::string& name, const std::string& wanted);
/// True if one of `wanted` does.
bool is_named(const std::string& name, const std::vector<std::string>& wanted);

/// The metric or family of that name; null if there is none.
const metric_entry* find_metric_entry(std::string_view name);
/// Direction of the metric of that name; neither if there is none.
metric_direction direction_of(std::string_view name);
/// True if some run has a metric of that name.
bool is_possible_metric(const std::string& name);

/// Unit of a metric: `fct_ns.p99` is in ns, `goodput.bps` in bit/s, `buffers.ingress.watermark_bytes` in bytes;
/// `fct_ns.count` has none. The name of a derived metric ends with it: `tail_ns` is in ns.
metric_unit unit_of_metric(const std::string& name);

/// A value of a distribution of completion times or slowdowns.
struct completion_value {
    const char* key;
    /// Name in tables.
    const char* name;
    /// Title in plots, which goes on with `of` and the distribution. Null for counts.
    const char* title;
    /// Smallest number of values that gives it: with fewer a percentile is their maximum, by its definition.
    std::uint64_t least_count;
    /// Whether tables show it of groups, and of all together.
    bool of_groups;
    bool of_all;
    measure_show show = measure_show::always;

    bool is_time() const { return title != nullptr; }
};
inline constexpr completion_value completion_values[] = {
    {"count", "completed", nullptr, 0, false, true},
    {"unfinished", "unfinished", nullptr, 0, false, true, measure_show::if_not_zero},
    {"mean", "mean of completed", "Mean", 1, false, true},
    {"p50", "p50", "Median", 1, true, true},
    {"p90", "p90", "90th percentile", least_values(90), false, false},
    {"p99", "p99", "99th percentile", least_values(99), true, true},
    {"p99_9", "p99.9", "99.9th percentile", least_values(99.9), true, true},
    {"max", "max", "Maximum", 1, false, true}};

/// The values that are times.
struct completion_times {
    static const completion_value* begin() { return std::begin(completion_values) + 2; }
    static const completion_value* end() { return std::end(completion_values); }
};

}  // namespace weir::tb
