// How long a parallel program took (traffic.kind = goal), beside what it would take on an ideal network:
// `program` of summary.json.
//
//   program_result program(ideal_ends);
//   program.add(job);
//   program.summary();   // ranks, ranks_done, time_ns, ideal_ns, slowdown
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "weir/base/time.h"
#include "weir/traffic/apps/application.h"

namespace weir::tb {

class program_result {
 public:
    /// By rank, from the start of the program; `never`: it does nothing. Empty: there is no program.
    explicit program_result(std::vector<picoseconds> ideal_ends);

    bool is_there() const { return !m_ideal.empty(); }
    /// It is a rank's part of the program, whose number it has.
    bool has(std::uint64_t job) const { return job < m_ideal.size(); }
    /// Range: has(job).
    picoseconds ideal_of(std::uint64_t job) const { return m_ideal[job]; }
    /// A rank has ended.
    void add(const job_record& job);
    /// Time and slowdown are null unless all ranks that do anything have ended.
    nlohmann::ordered_json summary() const;

 private:
    std::vector<picoseconds> m_ideal;
    picoseconds m_ideal_end{0};
    /// That do anything.
    std::uint64_t m_ranks = 0;
    std::uint64_t m_done = 0;
    picoseconds m_longest{0};
};

}  // namespace weir::tb
