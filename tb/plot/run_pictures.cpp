#include "tb/plot/run_pictures.h"

#include <algorithm>
#include <map>
#include <optional>

#include "tb/plot/completion_times.h"
#include "tb/plot/distribution_plot.h"
#include "tb/plot/frame_path_plot.h"
#include "tb/plot/occupancy_plot.h"
#include "tb/plot/pause_plot.h"
#include "tb/plot/pause_tree_plot.h"
#include "tb/plot/percentile_plot.h"
#include "tb/plot/sender_plot.h"
#include "tb/plot/series_plot.h"
#include "tb/plot/share_plot.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

constexpr std::size_t most_panels = 6;

/// `runs: 12,000 to 12,500 jobs each`.
std::string counts_text(const std::vector<labelled_values>& runs, const std::string& what) {
    std::size_t low = runs.front().values.size();
    std::size_t high = low;
    for (const labelled_values& d : runs) {
        low = std::min(low, d.values.size());
        high = std::max(high, d.values.size());
    }
    return (low == high ? count_text(low) : count_text(low) + " to " + count_text(high)) + " " + what +
           (runs.size() > 1 ? " per run" : "");
}

/// Builds the pictures of a set of runs.
class picture_book {
 public:
    picture_book(const run_picture_request& request, const std::vector<run_data>& runs, std::ostream& err)
        : m_request(request), m_runs(runs), m_err(err) {}

    std::vector<picture> draw() {
        collect();
        draw_jobs();
        draw_job_sizes();
        draw_transfers();
        draw_percentiles();
        const std::size_t ports = ports_per_panel(m_runs);
        const std::string sides =
            (ports == 1 ? "the fullest port" : "the " + std::to_string(ports) + " fullest ports") +
            " (node:port) of each run and side; a port looks the same in all panels";
        keep("occupancy",
             occupancy_picture(file("occupancy"), title("Buffer occupancy over time"),
                               details("Buffer occupancy over time", sides), m_runs),
             "no run has samples of occupancy (occupancy.csv)");
        keep("pauses",
             pause_picture(
                 file("pauses"), title("Transmitters paused by flow control"),
                 details("Transmitters paused by flow control",
                         "by tier, each with a scale of its own; a transmitter is one class of one port"),
                 m_runs),
             "no run has pauses (pauses.csv)");
        draw_senders();
        draw_series();
        draw_causes();
        draw_path();
        draw_hot_spots();
        return std::move(m_pictures);
    }

 private:
    std::string file(const char* name) const { return m_request.prefix + name; }
    std::string title(const std::string& shown) const {
        return m_request.title.empty() ? shown : m_request.title;
    }
    /// With a title of the user's, what is shown goes to the second line.
    std::string details(const std::string& shown, const std::string& more) const {
        return m_request.title.empty() ? more : shown + ": " + more;
    }
    std::string size_prefix() const {
        return m_request.filter.sizes.empty() ? "" : sizes_text(m_request.filter.sizes) + " ";
    }
    void keep(const std::string& name, std::optional<picture> p, const std::string& why_not) {
        if (p) {
            m_pictures.push_back(std::move(*p));
        } else {
            m_err << "note: " << name << ": not drawn: " << why_not << "\n";
        }
    }
    std::set<std::string> kinds() const {
        std::set<std::string> all;
        for (const run_data& r : m_runs) {
            for (const auto& by_kind : r.jobs_by_kind) {
                all.insert(by_kind.first);
            }
        }
        return all;
    }
    std::string mixed_kinds() const { return kinds().size() > 1 ? " of kinds " + list_text(kinds()) : ""; }
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

    /// Both sorted, a list per run.
    void collect() {
        for (const run_data& r : m_runs) {
            m_jobs.push_back(job_times(r));
            m_transfers.push_back(transfer_times(r));
        }
        m_jobs_are_transfers = any_values(m_jobs) && have_equal_values(m_jobs, m_transfers);
    }
    bool all_are(bool run_data::*what) const {
        return std::all_of(m_runs.begin(), m_runs.end(), [what](const run_data& r) { return r.*what; });
    }
    static bool any_values(const std::vector<labelled_values>& runs) {
        return std::any_of(runs.begin(), runs.end(), [](const auto& r) { return !r.values.empty(); });
    }
    void draw_jobs() {
        if (!any_values(m_jobs)) {
            return keep("job_completion_cdf", std::nullopt,
                        all_are(&run_data::without_jobs) ? "no run has jobs.csv (output.jobs)"
                                                         : "no job has completed");
        }
        const std::string counts = counts_text(m_jobs, job_noun() + mixed_kinds()) +
                                   (m_jobs_are_transfers ? ", each of one transfer" : "");
        if (!leave_out_single("job_completion_cdf", "job", m_jobs)) {
            return;
        }
        m_pictures.push_back(distribution_picture(file("job_completion_cdf"), title(job_title()),
                                                  details(job_title(), counts + marks_text(m_jobs)), m_jobs));
    }

    void draw_job_sizes() {
        std::map<std::uint64_t, std::vector<labelled_values>> by_size;
        const std::set<std::string>& wanted = m_request.filter.kinds;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            for (const auto& [kind, jobs] : m_runs[i].jobs_by_kind) {
                for (const completion& c : jobs) {
                    if (kind != "query" && wanted.count(kind) == 0) {
                        break;
                    }
                    std::vector<labelled_values>& runs = by_size[c.bytes];
                    runs.resize(m_runs.size());
                    runs[i].values.push_back(c.time_ns);
                    if (by_size.size() > most_panels) {
                        return keep(sized_name, std::nullopt,
                                    "more than " + std::to_string(most_panels) + " sizes; choose with --size");
                    }
                }
            }
        }
        // One size is what job_completion_cdf shows already.
        if (by_size.size() < 2) {
            return;
        }
        std::vector<sized_distributions> panels;
        std::vector<labelled_values> all;
        for (auto& [size, runs] : by_size) {
            for (std::size_t i = 0; i < m_runs.size(); ++i) {
                runs[i].label = m_runs[i].label;
                finish(runs[i]);
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
        m_pictures.push_back(distributions_by_size_picture(
            file(sized_name), title(by_size_title()),
            details(by_size_title(), counts_text(all, job_noun()) + " and size" + marks_text(all)), panels));
    }

    void draw_transfers() {
        if (!any_values(m_transfers)) {
            return keep("transfer_completion_cdf", std::nullopt,
                        all_are(&run_data::without_flows) ? "no run has flows.csv (output.flows)"
                                                          : "no transfer has completed");
        }
        if (m_jobs_are_transfers) {
            return keep("transfer_completion_cdf", std::nullopt,
                        "each job is one transfer, so it would show the same as job_completion_cdf");
        }
        const std::string counts = counts_text(m_transfers, "transfers");
        if (!leave_out_single("transfer_completion_cdf", "transfer", m_transfers)) {
            return;
        }
        const std::string shown = size_prefix().empty() ? "Transfer completion time"
                                                        : "Completion time of " + size_prefix() + "transfers";
        m_pictures.push_back(distribution_picture(file("transfer_completion_cdf"), title(shown),
                                                  details(shown, counts + marks_text(m_transfers)),
                                                  m_transfers));
    }

    void draw_percentiles() {
        std::vector<sized_completions> all;
        std::set<std::uint64_t> sizes;
        for (const run_data& r : m_runs) {
            all.push_back({r.label, {}});
            for (const auto& by_kind : r.jobs_by_kind) {
                for (const completion& c : by_kind.second) {
                    sizes.insert(c.bytes);
                }
                all.back().values.insert(all.back().values.end(), by_kind.second.begin(), by_kind.second.end());
            }
        }
        keep("percentiles_by_size",
             percentile_picture(file("percentiles_by_size"), title(by_size_title()),
                                details(by_size_title(), "percentiles over all " + job_noun() + " of a size"),
                                job_noun() == "queries" ? "Response size" : "Size", std::move(all)),
             sizes.size() < 2
                 ? "fewer than two sizes of jobs"
                 : "too few jobs per size for a percentile; a median takes two of one size in one run");
    }

    /// Without a message where no run was asked for them.
    share_panel panel_of(const char* label, std::vector<weighted_share> run_data::*shares) const {
        share_panel panel{label, {}};
        for (const run_data& r : m_runs) {
            panel.runs.push_back({r.label, r.*shares});
        }
        return panel;
    }
    bool any_have(std::vector<weighted_share> run_data::*shares) const {
        return std::any_of(m_runs.begin(), m_runs.end(),
                           [shares](const run_data& r) { return !(r.*shares).empty(); });
    }
    /// Of runs that were asked for them.
    void draw_hot_spots() {
        if (any_have(&run_data::busy_links)) {
            const std::string shown = "Links that are busy at the same time";
            m_pictures.push_back(share_picture(
                file("busy_links"), title(shown),
                details(shown,
                        "share of all transmitters that were busy for at least output.busy_links of an "
                        "interval"),
                "Share of time (CDF)", {panel_of("Busy links", &run_data::busy_links)}));
        }
        if (any_have(&run_data::free_one_hop)) {
            const std::string shown = "Free egress memory near full queues";
            m_pictures.push_back(share_picture(file("free_memory"), title(shown),
                                               details(shown, "at each sample, for each full egress port"),
                                               "Share of full ports (CDF)",
                                               {panel_of("Free one hop away", &run_data::free_one_hop),
                                                panel_of("Free within two hops", &run_data::free_two_hops)}));
        }
    }

    /// Likewise.
    void draw_senders() {
        const auto draw = [this](const char* name, sender_quantity quantity, const std::string& shown,
                                 const std::string& more) {
            if (auto p = sender_picture(file(name), title(shown), details(shown, more), quantity, m_runs)) {
                m_pictures.push_back(std::move(*p));
            }
        };
        draw("windows", sender_quantity::window, "Congestion windows over time",
             "a line per transfer over TCP");
        draw("rates", sender_quantity::rate, "Rates of senders over time",
             "a line per rate limiter or queue pair, while it has a rate of its own");
    }

    /// Likewise.
    void draw_series() {
        std::vector<series_row> memory;
        std::vector<series_row> traffic;
        std::vector<series_row> pools;
        for (const run_data& r : m_runs) {
            if (!r.ports.empty()) {
                memory.push_back({r.label, {foremost(r.ports.ingress), foremost(r.ports.egress)}});
                traffic.push_back({r.label, {foremost(r.ports.throughput), foremost(r.ports.paused)}});
            }
            if (!r.pools.empty()) {
                pools.push_back({r.label, {foremost(r.pools)}});
            }
        }
        const auto draw = [this](const char* name, const std::string& shown, const std::string& more,
                                 const std::vector<series_column>& columns,
                                 const std::vector<series_row>& rows) {
            if (auto p = series_picture(file(name), title(shown), details(shown, more), columns, rows)) {
                m_pictures.push_back(std::move(*p));
            }
        };
        draw("port_memory", "Memory of ports and classes over time",
             "the four nearest to their limits; dashed: the threshold of pauses or drops, and what the class "
             "may hold",
             {{"ingress", "Counted", series_unit::bytes}, {"egress", "Occupancy", series_unit::bytes}}, memory);
        draw("port_throughput", "Throughput and pauses of ports and classes over time",
             "the four largest, averaged over stretches",
             {{"sent", "Rate", series_unit::rate}, {"paused", "Share of time", series_unit::percent}}, traffic);
        draw("pool_memory", "Pools of shared memories over time",
             "the four nearest to their limits; dashed: threshold, or size",
             {{"", "Occupancy", series_unit::bytes}}, pools);
    }

    void draw_causes() {
        const auto with_tree = [](const run_data& r) { return r.tree.has_value(); };
        if (std::none_of(m_runs.begin(), m_runs.end(), with_tree)) {
            return;
        }
        const char* const nothing = "nothing was paused, or its causes were not recorded (pause_tree.json)";
        const std::string tree = "Why transmitters were paused";
        keep("pause_tree",
             pause_tree_picture(file("pause_tree"), title(tree),
                                details(tree, "tree of pauses from their roots"), m_runs),
             nothing);
        if (std::count_if(m_runs.begin(), m_runs.end(), with_tree) > 1) {
            m_err << "note: pause_tree: drawn for the first run that has one; others: one weir plot each\n";
        }
        const std::string hops = "Paused time by hops from its root";
        keep("pause_hops",
             pause_hops_picture(file("pause_hops"), title(hops),
                                details(hops, "1: paused by the congested switch or the adapter itself"),
                                m_runs),
             nothing);
    }

    /// Likewise.
    void draw_path() {
        const auto with_path = [](const run_data& r) { return r.path.has_value(); };
        const auto count = std::count_if(m_runs.begin(), m_runs.end(), with_path);
        if (count == 0) {
            return;
        }
        const std::string shown = "Path of a frame";
        keep("frame_path",
             frame_path_picture(file("frame_path"), title(shown), details(shown, "node by node over time"),
                                m_runs),
             "");
        if (count > 1) {
            m_err << "note: frame_path: drawn for the first run that has one; others: one weir plot each\n";
        }
    }

    static void finish(labelled_values& d) { std::sort(d.values.begin(), d.values.end()); }

    /// One value has no distribution: its curve would be a point. Says which runs are left out of `what`, by
    /// making them empty; returns whether any is left.
    bool leave_out_single(const std::string& what, const char* noun, std::vector<labelled_values>& runs) {
        std::string single;
        for (labelled_values& r : runs) {
            if (r.values.size() == 1) {
                single += (single.empty() ? "" : ", ") + r.label;
                r.values.clear();
            }
        }
        if (!single.empty()) {
            m_err << "note: " << what << ": not drawn for " << single << ": it has one " << noun
                  << ", and a single value has no distribution\n";
        }
        return any_values(runs);
    }

    static constexpr const char* sized_name = "job_completion_cdf_by_size";

    const run_picture_request& m_request;
    const std::vector<run_data>& m_runs;
    std::ostream& m_err;
    std::vector<labelled_values> m_jobs;
    std::vector<labelled_values> m_transfers;
    /// As in traces: their pictures would be the same.
    bool m_jobs_are_transfers = false;
    std::vector<picture> m_pictures;
};

}  // namespace

const std::vector<std::string>& run_picture_names() {
    static const std::vector<std::string> names{"job_completion_cdf",
                                                "job_completion_cdf_by_size",
                                                "transfer_completion_cdf",
                                                "percentiles_by_size",
                                                "occupancy",
                                                "pauses",
                                                "windows",
                                                "rates",
                                                "port_memory",
                                                "port_throughput",
                                                "pool_memory",
                                                "pause_tree",
                                                "pause_hops",
                                                "frame_path",
                                                "busy_links",
                                                "free_memory"};
    return names;
}

std::string list_text(const std::set<std::string>& items) {
    return joined(items, ", ");
}

std::string sizes_text(const std::set<std::uint64_t>& sizes) {
    return joined(sizes, ", ", byte_text);
}

std::vector<picture> run_pictures(const run_picture_request& request, const std::vector<run_data>& runs,
                                  std::ostream& err) {
    return picture_book(request, runs, err).draw();
}

}  // namespace weir::tb
