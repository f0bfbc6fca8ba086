#include "tb/view/pictures/completion_pictures.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tb/run/summary/summary_texts.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/text_format.h"
#include "tb/view/chart/distribution_plot.h"
#include "tb/view/pictures/completion_times.h"
#include "tb/view/pictures/percentile_plot.h"

namespace weir::tb {

namespace {

constexpr std::size_t most_panels = 6;

/// Of values in a run: `12,000 to 12,500`.
std::string range_text(const std::vector<labelled_values>& runs) {
    std::size_t low = runs.front().values.size();
    std::size_t high = low;
    for (const labelled_values& d : runs) {
        low = std::min(low, d.values.size());
        high = std::max(high, d.values.size());
    }
    return low == high ? count_text(low) : count_text(low) + " to " + count_text(high);
}

/// `12,000 to 12,500 jobs per run`.
std::string counts_text(const std::vector<labelled_values>& runs, const std::string& what) {
    return range_text(runs) + " " + what + (runs.size() > 1 ? " per run" : "");
}

/// By key, a list for each run.
template <class Key>
using completion_groups = std::map<Key, std::vector<labelled_values>>;

/// Groups with the keys that key_of(completion, run, kind) returns; nothing: a value is in no group.
template <class Key, class KeyOf>
completion_groups<Key> grouped(const std::vector<run_data>& runs, completion_measure measure,
                               const KeyOf& key_of) {
    completion_groups<Key> groups;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for_each_completion(runs[i], measure, [&](const completion& c, double value, const std::string& kind) {
            if (const std::optional<Key> key = key_of(c, runs[i], kind)) {
                std::vector<labelled_values>& group = groups[*key];
                group.resize(runs.size());
                add_to(group[i], c, value);
            }
        });
    }
    for (auto& each : groups) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            each.second[i].label = runs[i].label;
            std::sort(each.second[i].values.begin(), each.second[i].values.end());
        }
    }
    return groups;
}

class completion_book {
 public:
    explicit completion_book(picture_list& to) : m_to(to) {}

    std::vector<figure> collect() {
        std::vector<labelled_values> jobs = completion_values_of(m_to.runs(), completion_measure::job_time);
        std::vector<labelled_values> transfers =
            completion_values_of(m_to.runs(), completion_measure::transfer_time);
        const bool are_equal = any_values(jobs) && have_equal_values(jobs, transfers);
        const std::string job = job_noun() == "queries" ? "Query" : "Job";
        const auto all_are = [&](bool run_data::*what) {
            return std::all_of(m_to.runs().begin(), m_to.runs().end(),
                               [what](const auto& r) { return r.*what; });
        };
        add_all(
            "job_completion_cdf", "job",
            size_prefix().empty() ? job + " completion time"
                                  : "Completion time of " + size_prefix() + job_noun(),
            counts_text(jobs, job_noun() + mixed_kinds()) + (are_equal ? ", each of one transfer" : "") +
                only(false),
            jobs,
            all_are(&run_data::without_jobs) ? "no run has jobs.csv (output.jobs)" : "no job has completed");
        add_job_sizes();
        add_groups("job_completion_cdf_by_class", job + " completion time by tag and class", "job",
                   completion_measure::job_time);
        if (are_equal) {
            m_to.note("transfer_completion_cdf",
                      "each job is one transfer, so it would show the same as job_completion_cdf");
        } else {
            add_all("transfer_completion_cdf", "transfer",
                    size_prefix().empty() ? "Transfer completion time"
                                          : "Completion time of " + size_prefix() + "transfers",
                    counts_text(transfers, "transfers") + only(false), transfers,
                    all_are(&run_data::without_flows) ? "no run has flows.csv (output.flows)"
                                                      : "no transfer has completed");
            add_groups("transfer_completion_cdf_by_class", "Transfer completion time by tag and class",
                       "transfer", completion_measure::transfer_time);
        }
        add_percentiles();
        add_slowdowns();
        return std::move(m_figures);
    }

 private:
    std::string size_prefix() const {
        return m_to.request().filter.sizes.empty() ? "" : sizes_text(m_to.request().filter.sizes) + " ";
    }
    /// `; only 2 KiB, kind query, tag q, class 7`: which jobs and transfers were chosen. Some titles have the
    /// sizes.
    std::string only(bool with_sizes = true) const {
        const run_filter& filter = m_to.request().filter;
        std::string all = with_sizes ? sizes_text(filter.sizes) : "";
        const auto add = [&all](const char* what, const auto& wanted, const auto& text_of) {
            for (const auto& each : wanted) {
                all += (all.empty() ? "" : ", ") + (what + text_of(each));
            }
        };
        add("kind ", filter.kinds, [](const std::string& name) { return name; });
        add("tag ", filter.tags, tag_text);
        add("class ", filter.classes, [](std::uint64_t value) { return std::to_string(value); });
        return all.empty() ? "" : "; only " + all;
    }
    std::set<std::string> kinds() const {
        std::set<std::string> all;
        for (const run_data& r : m_to.runs()) {
            for (const auto& by_kind : r.completed.jobs_by_kind) {
                all.insert(by_kind.first);
            }
        }
        return all;
    }
    std::string mixed_kinds() const { return kinds().size() > 1 ? " of kinds " + joined(kinds(), ", ") : ""; }
    /// `queries` where all jobs are, else `jobs`.
    std::string job_noun() const { return kinds() == std::set<std::string>{"query"} ? "queries" : "jobs"; }
    std::string by_size_title() const {
        return job_noun() == "queries" ? "Query completion time by response size"
                                       : "Job completion time by size";
    }

    static bool any_values(const std::vector<labelled_values>& runs) {
        return std::any_of(runs.begin(), runs.end(), [](const auto& r) { return !r.values.empty(); });
    }

    void keep(const std::string& name, std::optional<figure> found, const std::string& why_not) {
        found ? m_figures.push_back(std::move(*found)) : m_to.note(name, why_not);
    }

    /// The distribution of all jobs or transfers, if any run has two of them. Empty `why_not`: there is no note
    /// where no run has any.
    bool add_all(const std::string& name, const std::string& noun, const std::string& shown,
                 const std::string& more, std::vector<labelled_values> runs, const std::string& why_not,
                 const axis_quantity& quantity = completion_time) {
        if (!any_values(runs)) {
            m_to.note(name, why_not);
            return false;
        }
        const bool any = leave_out_single(name, noun, runs);
        if (any) {
            m_figures.push_back(
                distribution_figure(m_to.head(name, shown, more + marks_text(runs)), runs, true, quantity));
        }
        return any;
    }

    /// A panel for each of these groups in which a run has two values. name_of(key): what a group is called.
    template <class Key, class NameOf>
    void add_panels(const std::string& name, const std::string& shown, const std::string& more,
                    const std::string& noun, completion_groups<Key> groups, const NameOf& name_of,
                    const axis_quantity& quantity = completion_time) {
        std::vector<panel_distributions> panels;
        std::vector<labelled_values> all;
        for (auto& [key, runs] : groups) {
            const std::string group = name_of(key);
            const std::string heading = group + ": " + range_text(runs);
            all.insert(all.end(), runs.begin(), runs.end());
            if (leave_out_single(name + " of " + group, noun, runs)) {
                panels.push_back({heading, std::move(runs)});
            }
        }
        if (!panels.empty()) {
            m_figures.push_back(distribution_panels(
                m_to.head(name, shown, more + ", all with the same axes" + only() + marks_text(all)), panels,
                quantity));
        }
    }

    void add_job_sizes() {
        const char* const name = "job_completion_cdf_by_size";
        const std::set<std::string>& wanted = m_to.request().filter.kinds;
        const std::string responses = job_noun() == "queries" ? " responses" : "";
        std::set<std::uint64_t> sizes;
        const auto groups =
            grouped<std::uint64_t>(m_to.runs(), completion_measure::job_time,
                                   [&](const completion& c, const run_data& /*run*/, const std::string& kind) {
                                       const bool is_shown = (kind == "query" || wanted.count(kind) != 0) &&
                                                             sizes.size() <= most_panels;
                                       if (is_shown) {
                                           sizes.insert(c.bytes);
                                       }
                                       return is_shown ? std::optional(c.bytes) : std::nullopt;
                                   });
        if (sizes.size() > most_panels) {
            m_to.note(name, "more than " + std::to_string(most_panels) + " sizes; choose with --size");
        } else if (sizes.size() > 1) {
            // One size is what job_completion_cdf shows already.
            add_panels(name, by_size_title(), "a panel for each size", "job", groups,
                       [&](std::uint64_t size) { return byte_text(size) + responses; });
        }
    }

    /// A panel for each pair of tag and class; one pair is what the picture of all shows already.
    void add_groups(const std::string& name, const std::string& shown, const char* noun,
                    completion_measure measure, const axis_quantity& quantity = completion_time) {
        auto groups = grouped<std::string_view>(
            m_to.runs(), measure, [](const completion& c, const run_data& run, const std::string& /*kind*/) {
                return std::optional<std::string_view>(run.completed.groups[c.group]);
            });
        const auto count = [](const auto& group) {
            std::size_t all = 0;
            for (const labelled_values& run : group.second) {
                all += run.started();
            }
            return all;
        };
        if (groups.size() < 2) {
            return;
        }
        std::vector<std::string> left_out;
        while (groups.size() > most_panels) {
            const auto least =
                std::min_element(groups.begin(), groups.end(),
                                 [&](const auto& a, const auto& b) { return count(a) < count(b); });
            left_out.emplace_back(least->first);
            groups.erase(least);
        }
        if (!left_out.empty()) {
            m_to.err() << "note: " << name << ": the " << most_panels
                       << " largest pairs of tag and class are drawn, not " << joined(left_out, "; ")
                       << "; choose with --tag and --class\n";
        }
        add_panels(
            name, shown,
            "a panel for each tag and class" +
                (left_out.empty() ? "" : "; not drawn: " + joined(left_out, "; ")),
            noun, std::move(groups), [](std::string_view group) { return std::string(group); }, quantity);
    }

    void add_percentiles() {
        std::vector<sized_completions> all = sized_values_of(m_to.runs(), completion_measure::job_time);
        const char* const why_not =
            first_sizes(all).size() < 2
                ? "fewer than two sizes of jobs"
                : "too few jobs per size for a percentile; a median takes two of one size in one run";
        keep("percentiles_by_size",
             percentile_figure(m_to.head("percentiles_by_size", by_size_title(),
                                         "percentiles over all " + job_noun() + " of a size" + only()),
                               job_noun() == "queries" ? "Response size" : "Size", std::move(all)),
             why_not);
    }

    /// Completion times over those in an empty fabric.
    void add_slowdowns() {
        constexpr completion_measure measure = completion_measure::transfer_slowdown;
        const std::string what = "completion time over the time in an empty fabric" + only();
        std::vector<sized_completions> by_size = sized_values_of(m_to.runs(), measure);
        const bool any = add_all("slowdown_cdf", "transfer", "Slowdown of transfers", what,
                                 completion_values_of(m_to.runs(), measure), "", slowdown);
        if (any && first_sizes(by_size).size() > 1) {
            keep("slowdown_by_size",
                 percentile_figure(m_to.head("slowdown_by_size", "Slowdown of transfers by size", what), "Size",
                                   std::move(by_size), slowdown),
                 "too few transfers per size for a percentile; a median takes two of one size in one run");
        }
        add_groups("slowdown_cdf_by_class", "Slowdown of transfers by tag and class", "transfer", measure,
                   slowdown);
    }

    /// Moves the value of each run with a single one to `not_drawn`, since its curve would be a point, and
    /// notes which runs `what` leaves out. Returns true if any run is left.
    bool leave_out_single(const std::string& what, const std::string& noun,
                          std::vector<labelled_values>& runs) {
        std::map<std::string, std::string> labels_by_reason;
        for (labelled_values& r : runs) {
            if (r.values.size() == 1) {
                const std::string reason =
                    r.ages.empty() ? "it has one " + noun
                                   : "only 1 of " + count_text(r.started()) + " " + noun + "s completed";
                std::string& labels = labels_by_reason[reason];
                labels += (labels.empty() ? "" : ", ") + r.label;
                r.values.clear();
                r.not_drawn = 1;
            }
        }
        for (const auto& [reason, labels] : labels_by_reason) {
            m_to.err() << "note: " << what << ": not drawn for " << labels << ": " << reason
                       << ", and a single value has no distribution\n";
        }
        return any_values(runs);
    }

    picture_list& m_to;
    std::vector<figure> m_figures;
};

}  // namespace

std::vector<std::string> completion_picture_names() {
    return {"job_completion_cdf",
            "job_completion_cdf_by_size",
            "job_completion_cdf_by_class",
            "transfer_completion_cdf",
            "transfer_completion_cdf_by_class",
            "percentiles_by_size",
            "slowdown_cdf",
            "slowdown_cdf_by_class",
            "slowdown_by_size"};
}

std::vector<figure> completion_figures(picture_list& to) {
    return completion_book(to).collect();
}

void add_completion_pictures(picture_list& to) {
    for (const figure& each : completion_figures(to)) {
        to.add(draw(each));
    }
}

}  // namespace weir::tb
