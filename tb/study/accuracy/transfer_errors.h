// How far the completion times of two models of one thing are apart, transfer by transfer.
//
//   transfer_errors errors;
//   errors.add(read_completions("out/frame/flows.csv", wrong), read_completions("out/cell/flows.csv", wrong));
//   errors.absolute().percentile(9'900);     // ps: 99 % of the transfers are nearer
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/percentiles.h"

namespace weir::tb {

struct transfer_time {
    std::uint64_t flow = 0;
    /// Unit: ps.
    std::int64_t fct = 0;
    // What makes it the same transfer in another run. Not its number: hosts number responses as they send them.
    std::uint64_t job = 0;
    std::uint64_t src = 0;
    std::uint64_t dst = 0;
    std::uint64_t length_bytes = 0;
    std::uint64_t priority = 0;
    /// Unit: ps. Of a response, or what else waits for a transfer, it differs from run to run.
    std::int64_t start = 0;
};

/// Of a flows.csv, in the order in which `transfer_errors` wants them. Errors name file and line.
std::vector<transfer_time> read_completions(const std::string& file, config_errors& errors);

/// Adds an error where two runs are not of the same traffic: a job's transfers are others, or of all that both
/// have none begins at the same time. What only one of the two completed is no difference.
void check_same_traffic(const std::string& run, const std::vector<transfer_time>& of_run,
                        const std::string& reference, const std::vector<transfer_time>& of_reference,
                        config_errors& errors);

/// Over any number of pairs of runs.
class transfer_errors {
 public:
    /// Both as they were read. Transfers that only one of the two has are counted, and else left out.
    void add(const std::vector<transfer_time>& model, const std::vector<transfer_time>& reference);

    std::uint64_t transfers() const { return m_absolute.count(); }
    std::uint64_t only_in_one() const { return m_only_in_one; }
    /// Model less reference, mean over the transfers. Unit: ps.
    double mean() const;
    /// Without its sign. Unit: ps.
    percentiles& absolute() { return m_absolute; }
    /// Without its sign, over the reference's time of the same transfer. Unit: 1/10^6.
    percentiles& relative() { return m_relative; }
    /// Completion times of the transfers that both have. Unit: ps.
    percentiles& model() { return m_model; }
    percentiles& reference() { return m_reference; }

 private:
    void add(std::int64_t model, std::int64_t reference);

    std::uint64_t m_only_in_one = 0;
    double m_sum = 0;
    percentiles m_absolute;
    percentiles m_relative;
    percentiles m_model;
    percentiles m_reference;
};

// The RTL of a whole switch (tb/verify/verilog/cell_switch.sv) as the reference of `weir accuracy`: the
// datagrams that a run's hosts have sent, through the RTL instead of the model.
//
//   config_errors errors;
//   rtl_completions("out/points/0001/seed_1", errors);   // as read_completions has those of the model

/// The slots of a chip do not begin with the model's: those of the reference begin half a slot later.
///
/// Of a run of one switch, whose transfers are one datagram each and have all arrived: flows.csv, effective.ini
/// and summary.json are read. What the RTL does not have, and a build without it, are errors.
std::vector<transfer_time> rtl_completions(const std::string& run, config_errors& errors);

}  // namespace weir::tb
