// Counts the runs of a campaign, and names those that failed.
//
//   failed_runs runs;
//   runs.add({{"pfc.xoff", "130KB"}}, 1, layout.record(4, 1));
//   runs.text();      // 1 of 28 runs failed (pfc.xoff=130KB, seed 1: lossless loss)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/campaign/campaign_directory.h"

namespace weir::tb {

class failed_runs {
 public:
    using settings = std::vector<std::pair<std::string, std::string>>;

    /// `varied`: the run's values of the options that the campaign varies.
    void add(const settings& varied, std::uint64_t seed, const run_record& record);

    bool any() const { return !m_failed.empty(); }
    /// Empty if all runs are done. Names up to eight runs.
    std::string text() const;

 private:
    std::size_t m_runs = 0;
    std::size_t m_missing = 0;
    std::vector<std::string> m_failed;
};

}  // namespace weir::tb
