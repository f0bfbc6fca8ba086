// Completion times by tag, priority, size and rack, where `output.metrics` names them
// (tb/run/options/requested_metrics.h).
//
//   split_metrics splits(config.output.metrics, plan);
//   splits.add_flow(dst, 8_KB, {fct, unloaded});        // each transfer; add_open_flow for unfinished ones
//   splits.write(statistics, tags, false, summary);     // {"tags": {"websearch": {"fct_ns": {...}}}}
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/run/completions/completion_statistics.h"
#include "tb/run/results/summary_writer.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

class split_metrics {
 public:
    /// `plan` outlives this.
    split_metrics(std::vector<std::string> wanted, const topology& plan);

    /// False if no metric is wanted.
    bool is_on() const { return !m_wanted.empty(); }
    // Both take a transfer that started after the warm-up. `offered`: payload that a host of the fabric has
    // handed to its transport.
    void add_flow(host_id dst, bytes offered, const measured_time& time) {
        m_offered += offered;
        if (m_has_racks) {
            m_racks.add_flow(rack_of(dst), time);
        }
    }
    void add_open_flow(host_id dst, bytes offered, const measured_time& age) {
        m_offered += offered;
        if (m_has_racks) {
            m_racks.add_open_flow(rack_of(dst), age);
        }
    }

    /// Adds what is wanted to the summary. `has_ideal_jobs`: slowdowns of jobs are known.
    void write(const completion_statistics& all, const std::vector<std::string>& tags, bool has_ideal_jobs,
               run_summary& summary) const;

 private:
    completion_class rack_of(host_id dst) const { return {m_plan.edge_switch(dst), bytes{0}, 0}; }
    template <class Field, class NameOf>
    void add_family(nlohmann::ordered_json& extra, const char* family, const completion_statistics& of,
                    Field completion_class::*field, bool has_ideal_jobs, const NameOf& name_of) const;

    std::vector<std::string> m_wanted;
    const topology& m_plan;
    bool m_has_racks;
    completion_statistics m_racks;
    bytes m_offered{0};
};

}  // namespace weir::tb
