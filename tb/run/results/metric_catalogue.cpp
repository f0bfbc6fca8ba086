#include "tb/run/results/metric_catalogue.h"

#include <fnmatch.h>

#include <algorithm>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/run_metrics.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/samples/buffer_marks.h"
#include "tb/run/samples/resources.h"
#include "tb/run/tables/segment_tables.h"
#include "tb/support/record/row_json.h"
#include "tb/support/record/table_schema.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb {

namespace {

std::string without_marks(std::string marked) {
    marked.erase(std::remove(marked.begin(), marked.end(), '?'), marked.end());
    return marked;
}

bool begins(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with;
}

metric_member member_of(std::string_view key) {
    return begins(key, "pfc.")                                                        ? metric_member::tier
           : begins(key, "detours.") || begins(key, "tags.") || begins(key, "racks.") ? metric_member::tag
           : begins(key, "priorities.")                                               ? metric_member::priority
           : begins(key, "sizes.")                                                    ? metric_member::size
           : begins(key, "groups.")                                                   ? metric_member::group
           : begins(key, "segments.") || begins(key, "fairness.")                     ? metric_member::part
                                                                                      : metric_member::none;
}

metric_direction direction_of(measure_subject rows) {
    const bool is_cost = rows == measure_subject::losses || rows == measure_subject::watermarks ||
                         rows == measure_subject::pauses;
    return is_cost ? metric_direction::lower : metric_direction::neither;
}

/// A distribution of completion times or slowdowns.
struct distribution_facts {
    /// It ends with `?` if not every summary has it.
    const char* key;
    const char* noun;
    const char* counted;
    measure_subject subject;
};
constexpr distribution_facts distributions[] = {
    {"fct_ns", "transfer completion time", "Transfers reported", measure_subject::transfers},
    {"jct_ns", "job completion time", "Jobs reported", measure_subject::jobs},
    {"fct_slowdown?", "slowdown of transfers", "Transfers with a slowdown", measure_subject::slowdown},
    {"jct_slowdown?", "slowdown of jobs", "Jobs with a slowdown", measure_subject::slowdown}};

void add_entries(std::deque<metric_entry>& all, const distribution_facts& of, const std::string& head,
                 const std::string& title_end, const char* end = ".") {
    const std::string key = head + of.key + end;
    const std::string of_noun = std::string(" of ") + of.noun + title_end;
    const std::size_t first = all.size();
    all.emplace_back(key + "count", of.counted + title_end, json_kind::count);
    all.push_back(metric_entry(key + "unfinished?",
                               of.counted + std::string(" that did not complete") + title_end, json_kind::count)
                      .better(metric_direction::lower)
                      .only("if one did not complete; else it is 0"));
    for (const completion_value& each : completion_times{}) {
        all.push_back(metric_entry(key + each.key, each.title + of_noun, json_kind::number_or_null)
                          .better(metric_direction::lower));
        if (each.key != std::string_view("mean")) {
            all.push_back(metric_entry(key + lower_bound_key(each.key) + "?", "", json_kind::flag)
                              .says("True: the value is a lower bound, the largest age of those that did not "
                                    "complete."));
        }
    }
    all.emplace_back(key + "variation_percent?", "Coefficient of variation (%)" + of_noun,
                     json_kind::number_or_null);
    for (std::size_t i = first; i < all.size(); ++i) {
        all[i].row.subject = of.subject;
        all[i].is_on_request = is_split_family(family_of(all[i].key));
    }
}

/// Adds the entry, once for each member.
void add_described(std::deque<metric_entry>& all, const metric_entry& described) {
    const std::vector<std::string> members = members_of(described.key.substr(0, described.key.find(".*")));
    if (members.empty()) {
        all.push_back(described);
    }
    for (const std::string& member : members) {
        std::string blanks = member;
        std::replace(blanks.begin(), blanks.end(), '_', ' ');
        metric_entry one = described;
        one.key = with_part(described.key, member);
        one.title = with_part(described.title, blanks);
        one.help = described.help.empty() ? described.title : described.help;
        one.row.label = with_part(described.row.label, member);
        // limits.csv has the busiest links; here is the link that binds most.
        one.row.show = member == "link" || member == "host_link" ? measure_show::never : described.row.show;
        one.row.rank =
            static_cast<std::uint8_t>(one.row.rank + (described.row.alternates ? &member - members.data() : 0));
        all.push_back(std::move(one));
    }
}

std::string unit_of(const metric_entry& entry) {
    if (!entry.unit.empty()) {
        return entry.unit;
    }
    for (std::string path = entry.key;; path.resize(path.rfind('.'))) {
        const std::string unit = unit_of_name(path);
        if (!unit.empty()) {
            return unit;
        }
        if (entry.shape.kind == json_kind::count || path.find('.') == std::string::npos) {
            return "1";
        }
    }
}

}  // namespace

std::vector<std::string> members_of(std::string_view family) {
    std::vector<std::string> names;
    if (family == "drops") {
        names = words_of<drop_reason>();
        names.emplace_back("unsent_link_down");
    } else if (family == "buffers") {
        for (const auto& memory : memory_organisations().entries()) {
            for (const std::string& kind : watermark_names(memory.traits)) {
                if (std::find(names.begin(), names.end(), kind) == names.end()) {
                    names.push_back(kind);
                }
            }
        }
    } else if (family == "resources") {
        names = words_of<resource_kind>();
    }
    return names;
}

metric_entry::metric_entry(std::string marked_key, std::string its_title, json_kind kind, metric_row its_row)
    : key(without_marks(marked_key)),
      title(std::move(its_title)),
      row(std::move(its_row)),
      direction(direction_of(row.subject)),
      member(member_of(key)),
      place(member == metric_member::group ? "groups[]" + marked_key.substr(marked_key.find('*') + 1)
                                           : std::move(marked_key)),
      shape{without_marks(place), kind, place.find('?') == std::string::npos} {}

const std::deque<metric_entry>& metric_catalogue() {
    static std::deque<metric_entry> all = [] {
        std::deque<metric_entry> entries;
        for (const metric_entry& described : described_metrics()) {
            add_described(entries, described);
            if (begins(described.key, "detours.")) {
                entries.push_back(
                    metric_entry("detours?.tags.*" + described.key.substr(described.key.find('.')),
                                 described.title + " (*)", described.shape.kind)
                        .in(described.unit.c_str())
                        .better(described.direction));
            }
        }
        for (const distribution_facts& of : distributions) {
            add_entries(entries, of, "", "");
            add_entries(entries, of, "groups.*.", " (*)");
            for (const std::string family : split_families) {
                if (family != "racks" || begins(of.key, "fct")) {  // a job has no receiver
                    const bool is_marked = of.key[std::string_view(of.key).size() - 1] == '?';
                    add_entries(entries, of, family + "?.*.", " (*)", is_marked ? "." : "?.");
                }
            }
        }
        for (metric_entry& each : entries) {
            each.unit = unit_of(each);
        }
        return entries;
    }();
    // Plugins may add theirs after the first call.
    for (static std::size_t taken = 0; taken < run_metrics().size(); ++taken) {
        metric_entry entry = run_metrics()[taken].entry;
        entry.unit = unit_of(entry);
        entry.is_on_request = true;
        entry.shape.required = false;
        entry.place = entry.key + "?";
        for (std::size_t dot = entry.place.find('.'); dot != std::string::npos;
             dot = entry.place.find('.', dot + 2)) {
            entry.place.insert(dot, "?");
        }
        all.push_back(std::move(entry));
    }
    return all;
}

std::string condition_of(const metric_entry& entry) {
    if (!entry.only_if.empty()) {
        return entry.only_if;
    }
    for (std::size_t dot = entry.key.find('.'); dot != std::string::npos; dot = entry.key.find('.', dot + 1)) {
        constexpr std::string_view only = "Only ";
        std::string help = help_of_object(entry.key.substr(0, dot));
        if (begins(help, only)) {
            help.resize(std::min({help.find(": "), help.find("; "), help.find(". "), help.size() - 1}));
            return help.substr(only.size());
        }
    }
    return "";
}

bool is_named(const std::string& name, const std::string& wanted) {
    if (wanted.find_first_of("*?[") != std::string::npos) {
        return ::fnmatch(wanted.c_str(), name.c_str(), 0) == 0;
    }
    const std::string text = with_underscores(wanted);
    return begins(with_underscores(name), text) && (name.size() == text.size() || name[text.size()] == '.');
}

bool is_named(const std::string& name, const std::vector<std::string>& wanted) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& each) { return is_named(name, each); });
}

const metric_entry* find_metric_entry(std::string_view name) {
    const std::deque<metric_entry>& all = metric_catalogue();
    const auto is_exact = [&](const metric_entry& e) { return e.key == name; };
    auto found = std::find_if(all.begin(), all.end(), is_exact);
    if (found == all.end()) {
        found = std::find_if(all.begin(), all.end(), [&](const metric_entry& e) { return e.has(name); });
    }
    return found != all.end() ? &*found : nullptr;
}

metric_direction direction_of(std::string_view name) {
    const metric_entry* const entry = find_metric_entry(name);
    return entry != nullptr ? entry->direction : metric_direction::neither;
}

/// True if rows of `segments` and `fairness`, which runs have by tag, have that part.
static bool has_part(const std::string& name) {
    const std::string part = name.substr(name.rfind('.') + 1);
    if (begins(name, "fairness.")) {
        const auto& all = metric_catalogue();
        return std::any_of(all.begin(), all.end(),
                           [&](const metric_entry& entry) { return entry.key == "fairness.*." + part; });
    }
    const std::vector<column_schema> columns = columns_of<segment_row>();
    return part != "tag" && std::any_of(columns.begin(), columns.end(), [&](const column_schema& column) {
               return part.compare(json_key(column.facts.name, "_segments")) == 0;
           });
}

bool is_possible_metric(const std::string& name) {
    const metric_entry* const entry = find_metric_entry(name);
    return entry != nullptr && !entry->title.empty() &&
           (entry->member != metric_member::part || has_part(name)) && fault_of_metric(name).empty();
}

metric_unit unit_of_metric(const std::string& metric) {
    const metric_entry* const entry = find_metric_entry(metric);
    // Names of parts, of derived metrics and of what only `weir table` has end with their units.
    const bool is_in_name = entry == nullptr || entry->member == metric_member::part;
    const std::string unit = is_in_name ? unit_of_name(metric) : entry->unit;
    return unit == "ns"        ? metric_unit::time
           : unit == "bit/s"   ? metric_unit::rate
           : unit == "B"       ? metric_unit::bytes
           : unit == "percent" ? metric_unit::percent
                               : metric_unit::number;
}

}  // namespace weir::tb
