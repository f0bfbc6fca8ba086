#include "tb/results/metric_catalogue.h"

#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "tb/options/option_table.h"
#include "tb/options/requested_metrics.h"
#include "tb/results/buffer_marks.h"
#include "tb/results/resources.h"
#include "tb/results/summary_writer.h"

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

/// A distribution of completion times or slowdowns.
struct distribution_facts {
    /// It ends with `?` if not every summary has it.
    const char* key;
    const char* noun;
    const char* counted;
};
constexpr distribution_facts distributions[] = {
    {"fct_ns", "transfer completion time", "Transfers reported"},
    {"jct_ns", "job completion time", "Jobs reported"},
    {"fct_slowdown?", "slowdown of transfers", "Transfers with a slowdown"},
    {"jct_slowdown?", "slowdown of jobs", "Jobs with a slowdown"}};

void add_entries(std::vector<metric_entry>& all, const distribution_facts& of, const std::string& head,
                 const std::string& title_end, const char* end = ".") {
    const std::string key = head + of.key + end;
    const std::string of_noun = std::string(" of ") + of.noun + title_end;
    all.emplace_back(key + "count", of.counted + title_end, json_kind::count);
    all.emplace_back(key + "unfinished?", of.counted + std::string(" that did not complete") + title_end,
                     json_kind::count);
    for (const completion_value& each : completion_times{}) {
        all.emplace_back(key + each.key, each.title + of_noun, json_kind::number_or_null);
        if (each.key != std::string_view("mean")) {
            all.push_back(metric_entry(key + lower_bound_key(each.key) + "?", "", json_kind::flag)
                              .says("True: the value is a lower bound, the largest age of those that did not "
                                    "complete."));
        }
    }
    all.emplace_back(key + "variation_percent?", "Coefficient of variation (%)" + of_noun,
                     json_kind::number_or_null);
}

std::string replaced(std::string text, const std::string& by) {
    const std::size_t star = text.find('*');
    return star == std::string::npos ? text : text.replace(star, 1, by);
}

/// Adds the entry, once for each member.
void add_described(std::vector<metric_entry>& all, const metric_entry& described) {
    const std::vector<std::string> members = members_of(described.key.substr(0, described.key.find(".*")));
    if (members.empty()) {
        all.push_back(described);
    }
    for (const std::string& member : members) {
        std::string blanks = member;
        std::replace(blanks.begin(), blanks.end(), '_', ' ');
        metric_entry one = described;
        one.key = replaced(described.key, member);
        one.title = replaced(described.title, blanks);
        one.help = described.help.empty() ? described.title : described.help;
        one.row.label = replaced(described.row.label, member);
        // limits.csv has the busiest links; here is the link that binds most.
        one.row.show = member == "link" || member == "host_link" ? measure_show::never : described.row.show;
        one.row.rank =
            static_cast<std::uint8_t>(one.row.rank + (described.row.alternates ? &member - members.data() : 0));
        all.push_back(std::move(one));
    }
}

}  // namespace

std::vector<std::string> members_of(std::string_view family) {
    std::vector<std::string> names;
    if (family == "drops") {
        names = words_of<drop_reason>();
        names.emplace_back("unsent_link_down");
    } else if (family == "buffers") {
        names = buffer_kinds(buffer_kind::partitioned);
        const std::vector<std::string> shared = buffer_kinds(buffer_kind::shared);
        names.insert(names.end(), shared.begin(), shared.end());
    } else if (family == "resources") {
        names = words_of<resource_kind>();
    }
    return names;
}

metric_entry::metric_entry(std::string marked_key, std::string its_title, json_kind kind, metric_row its_row)
    : key(without_marks(marked_key)),
      title(std::move(its_title)),
      row(std::move(its_row)),
      member(member_of(key)),
      place(member == metric_member::group ? "groups[]" + marked_key.substr(marked_key.find('*') + 1)
                                           : std::move(marked_key)),
      shape{without_marks(place), kind, place.find('?') == std::string::npos} {}

bool metric_entry::has(std::string_view name) const {
    const std::size_t star = key.find('*');
    if (star == std::string::npos) {
        return key == name;
    }
    const std::string_view end = std::string_view(key).substr(star + 1);
    return name.size() >= key.size() && begins(name, std::string_view(key).substr(0, star)) &&
           name.substr(name.size() - end.size()) == end;
}

std::string_view metric_entry::member_in(std::string_view name) const {
    const std::size_t star = key.find('*');
    return star == std::string::npos ? std::string_view() : name.substr(star, name.size() + 1 - key.size());
}

const std::vector<metric_entry>& metric_catalogue() {
    static const std::vector<metric_entry> all = [] {
        std::vector<metric_entry> entries;
        for (const metric_entry& described : described_metrics()) {
            add_described(entries, described);
            if (begins(described.key, "detours.")) {
                entries.emplace_back("detours?.tags.*" + described.key.substr(described.key.find('.')),
                                     described.title + " (*)", described.shape.kind);
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
        return entries;
    }();
    return all;
}

bool is_named(const std::string& name, const std::string& wanted) {
    if (wanted.find_first_of("*?[") != std::string::npos) {
        return ::fnmatch(wanted.c_str(), name.c_str(), 0) == 0;
    }
    const std::string text = with_underscores(wanted);
    return begins(with_underscores(name), text) && (name.size() == text.size() || name[text.size()] == '.');
}

const metric_entry* find_metric_entry(std::string_view name) {
    const std::vector<metric_entry>& all = metric_catalogue();
    const auto is_exact = [&](const metric_entry& e) { return e.key == name; };
    auto found = std::find_if(all.begin(), all.end(), is_exact);
    if (found == all.end()) {
        found = std::find_if(all.begin(), all.end(), [&](const metric_entry& e) { return e.has(name); });
    }
    return found != all.end() ? &*found : nullptr;
}

}  // namespace weir::tb
