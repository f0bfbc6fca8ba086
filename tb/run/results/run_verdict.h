// What the model says of a run that it ends with exit status 1, as data: `failure.json` in the run's directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weir/base/enum_names.h"
#include "weir/base/namespaces.h"
#include "weir/base/unit_text.h"

namespace sc_core {
class sc_report;
}
namespace weir::model {
class fabric;
}

namespace weir::tb {

using weir::to_text;

enum class run_verdict : std::uint8_t {
    lossless_loss,  ///< a lossless class lost a frame
    deadlock,       ///< frames wait for each other for good
    invariant,      ///< a broken rule of a block
    limit,          ///< the longest possible run ended before its traffic
    count
};
constexpr auto names_of(run_verdict) {
    return enum_names<run_verdict>({{run_verdict::lossless_loss, "lossless_loss"},
                                    {run_verdict::deadlock, "deadlock"},
                                    {run_verdict::invariant, "invariant"},
                                    {run_verdict::limit, "limit"}});
}

/// Of a run that a block's report has ended.
run_verdict verdict_of(const sc_core::sc_report& report, fabric& made);

/// Transfers of a run up to its end.
struct transfer_counts {
    std::uint64_t started = 0;
    std::uint64_t completed = 0;
    std::uint64_t unfinished = 0;
};

/// `failure.json`. `status`: the run's exit status. A verdict is there unless an earlier version had ended the
/// run.
struct run_failure {
    int status = 0;
    std::optional<run_verdict> verdict;
    /// What was said.
    std::string error;
    /// Nothing if an earlier version had ended the run.
    std::optional<transfer_counts> flows = {};
};
std::string to_text(const run_failure& failure);
/// Nothing where `text` is none.
std::optional<run_failure> parse_failure(const std::string& text);

}  // namespace weir::tb
