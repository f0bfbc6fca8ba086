#include "tb/plot/completion_pictures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tb/plot/completion_times.h"
#include "tb/plot/distribution_plot.h"
#include "tb/plot/percentile_plot.h"
#include "tb/results/summary_texts.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"

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

class completion_book {
 public:
    explicit completion_book(picture_list& to) : m_to(to) {}

    void draw() {
        m_jobs = completion_values_of(m_to.runs(), completion_measure::job_time);
        m_transfers = completion_values_of(m_to.runs(), completion_measure::transfer_time);
        m_jobs_are_transfers = any_values(m_jobs) && have_equal_values(m_jobs, m_transfers);
        draw_jobs();
        draw_job_sizes();
        draw_groups(
            "job_completion_cdf_by_class",
            (job_noun() == "queries" ? "Query" : "Job") + std::string(" completion time by tag and class"),
            "job", completion_measure::job_time);
        draw_transfers();
        if (!m_jobs_are_transfers) {
            draw_groups("transfer_completion_cdf_by_class", "Transfer completion time by tag and class",
                        "transfer", completion_measure::transfer_time);
        }
        draw_percentiles();
        draw_slowdowns();
        draw_groups("slowdown_cdf_by_class", "Slowdown of transfers by tag and class", "transfer",
                    completion_measure::transfer_slowdown, slowdown);
    }

 private:
    std::string size_prefix() const {
        return m_to.request().filter.sizes.empty() ? "" : sizes_text(m_to.request().filter.sizes) + " ";
    }
    /// `; only 2 KiB, kind query, tag q, class 7`: which jobs and transfers were chosen.
    std::string only() const {
        const run_filter& filter = m_to.request().filter;
        return chosen(filter.sizes.empty() ? "" : sizes_text(filter.sizes));
    }
    /// Of pictures whose title has the sizes.
    std::string only_beside_sizes() const { return chosen(""); }
    std::string chosen(std::string all) const {
        const run_filter& filter = m_to.request().filter;
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
    std::string job_title() const {
        const std::string noun = job_noun() == "queries" ? "query" : "job";
        return size_prefix().empty() ? (noun == "query" ? "Query completion time" : "Job completion time")
                                     : "Completion time of " + size_prefix() + job_noun();
    }

    std::string by_size_title() const {
        return job_noun() == "queries" ? "Query completion time by response size"
                                       : "Job completion time by size";
    }

    bool all_are(bool run_data::*what) const {
        return std::all_of(m_to.runs().begin(), m_to.runs().end(),
                           [what](const run_data& r) { return r.*what; });
    }
    static bool any_values(const std::vector<labelled_values>& runs) {
        return std::any_of(runs.begin(), runs.end(), [](const auto& r) { return !r.values.empty(); });
    }
    /// The distribution of all jobs or transfers, if any run has two of them.
    bool draw_distribution(const char* name, const std::string& noun, const std::string& shown,
                           const std::string& more, std::vector<labelled_values>& runs,
                           const axis_quantity& quantity = completion_time) {
        const bool any = leave_out_single(name, noun, runs);
        if (any) {
            m_to.add(
                distribution_picture(m_to.head(name, shown, more + marks_text(runs)), runs, true, quantity));
        }
        return any;
    }
    void draw_jobs() {
        if (!any_values(m_jobs)) {
            return m_to.keep("job_completion_cdf", std::nullopt,
                             all_are(&run_data::without_jobs) ? "no run has jobs.csv (output.jobs)"
                                                              : "no job has completed");
        }
        draw_distribution("job_completion_cdf", "job", job_title(),
                          counts_text(m_jobs, job_noun() + mixed_kinds()) +
                              (m_jobs_are_transfers ? ", each of one transfer" : "") + only_beside_sizes(),
                          m_jobs);
    }

    void draw_job_sizes() {
        std::map<std::uint64_t, std::vector<labelled_values>> by_size;
        const std::set<std::string>& wanted = m_to.request().filter.kinds;
        for (std::size_t i = 0; i < m_to.runs().size(); ++i) {
            for (const auto& [kind, jobs] : m_to.runs()[i].completed.jobs_by_kind) {
                for (const completion& c : jobs) {
                    if (kind != "query" && wanted.count(kind) == 0) {
                        break;
                    }
                    std::vector<labelled_values>& runs = by_size[c.bytes];
                    runs.resize(m_to.runs().size());
                    add_to(runs[i], c, c.time_ns);
                    if (by_size.size() > most_panels) {
                        return m_to.keep(
                            sized_name, std::nullopt,
                            "more than " + std::to_string(most_panels) + " sizes; choose with --size");
                    }
                }
            }
        }
        // One size is what job_completion_cdf shows already.
        if (by_size.size() < 2) {
            return;
        }
        std::vector<panel_distributions> panels;
        std::vector<labelled_values> all;
        for (auto& [size, runs] : by_size) {
            for (std::size_t i = 0; i < m_to.runs().size(); ++i) {
                runs[i].label = m_to.runs()[i].label;
                std::sort(runs[i].values.begin(), runs[i].values.end());
            }
            all.insert(all.end(), runs.begin(), runs.end());
            const std::string shown = byte_text(size) + (job_noun() == "queries" ? " responses" : "");
            if (leave_out_single(sized_name + (" of " + shown), "job", runs)) {
                panels.push_back({shown, std::move(runs)});
            }
        }
        if (panels.empty()) {
            return;
        }
        m_to.add(distribution_panels_picture(
            m_to.head(sized_name, by_size_title(),
                      counts_text(all, job_noun()) + " and size" + only() + marks_text(all)),
            panels));
    }

    void draw_transfers() {
        if (!any_values(m_transfers)) {
            return m_to.keep("transfer_completion_cdf", std::nullopt,
                             all_are(&run_data::without_flows) ? "no run has flows.csv (output.flows)"
                                                               : "no transfer has completed");
        }
        if (m_jobs_are_transfers) {
            return m_to.keep("transfer_completion_cdf", std::nullopt,
                             "each job is one transfer, so it would show the same as job_completion_cdf");
        }
        draw_distribution("transfer_completion_cdf", "transfer",
                          size_prefix().empty() ? "Transfer completion time"
                                                : "Completion time of " + size_prefix() + "transfers",
                          counts_text(m_transfers, "transfers") + only_beside_sizes(), m_transfers);
    }

    /// A panel for each pair of tag and class; one pair is what the picture of all shows already.
    void draw_groups(const std::string& name, const std::string& shown, const char* noun,
                     completion_measure measure, const axis_quantity& quantity = completion_time) {
        completion_groups groups = completions_by_group(m_to.runs(), measure, most_panels);
        if (groups.shown.size() < 2) {
            return;
        }
        if (!groups.left_out.empty()) {
            m_to.err() << "note: " << name << ": the " << most_panels
                       << " largest pairs of tag and class are drawn, not " << joined(groups.left_out, "; ")
                       << "; choose with --tag and --class\n";
        }
        std::vector<panel_distributions> panels;
        for (completion_group_values& group : groups.shown) {
            const std::string heading = group.name + ": " + range_text(group.runs);
            if (leave_out_single(name + " of " + group.name, noun, group.runs)) {
                panels.push_back({heading, std::move(group.runs)});
            }
        }
        if (!panels.empty()) {
            m_to.add(distribution_panels_picture(
                m_to.head(name, shown, "a panel for each tag and class, all with the same axes" + only()),
                panels, quantity));
        }
    }
    /// Completion times over those in an empty fabric.
    void draw_slowdowns() {
        std::vector<labelled_values> all =
            completion_values_of(m_to.runs(), completion_measure::transfer_slowdown);
        std::vector<sized_completions> by_size;
        for (const run_data& r : m_to.runs()) {
            by_size.push_back({r.label, {}});
            for (const completion& t : r.completed.transfers) {
                if (!std::isnan(t.slowdown)) {
                    by_size.back().values.push_back(
                        {t.bytes, t.slowdown, t.slowdown, t.group, t.is_unfinished});
                }
            }
        }
        const std::string what = "completion time over the time in an empty fabric" + only();
        if (!draw_distribution("slowdown_cdf", "transfer", "Slowdown of transfers", what, all, slowdown)) {
            return;
        }
        if (first_sizes(by_size).size() > 1) {
            m_to.keep("slowdown_by_size",
                      percentile_picture(m_to.head("slowdown_by_size", "Slowdown of transfers by size", what),
                                         "Size", std::move(by_size), slowdown),
                      "too few transfers per size for a percentile; a median takes two of one size in one run");
        }
    }

    void draw_percentiles() {
        std::vector<sized_completions> all = jobs_by_size(m_to.runs());
        const bool one_size = first_sizes(all).size() < 2;
        m_to.keep("percentiles_by_size",
                  percentile_picture(m_to.head("percentiles_by_size", by_size_title(),
                                               "percentiles over all " + job_noun() + " of a size" + only()),
                                     job_noun() == "queries" ? "Response size" : "Size", std::move(all)),
                  one_size
                      ? "fewer than two sizes of jobs"
                      : "too few jobs per size for a percentile; a median takes two of one size in one run");
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

    static constexpr const char* sized_name = "job_completion_cdf_by_size";

    picture_list& m_to;
    /// Both sorted, a list per run.
    std::vector<labelled_values> m_jobs;
    std::vector<labelled_values> m_transfers;
    /// As in traces: their pictures would be the same.
    bool m_jobs_are_transfers = false;
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

void add_completion_pictures(picture_list& to) {
    completion_book(to).draw();
}

}  // namespace weir::tb
