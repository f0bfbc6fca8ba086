#include "tb/results/run_verdict.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tb/results/summary_writer.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

using nlohmann::ordered_json;

static constexpr const char* verdict_names[] = {"lossless_loss", "deadlock", "invariant", "limit"};
static_assert(std::size(verdict_names) == static_cast<std::size_t>(run_verdict::count));

run_verdict verdict_of(const sc_core::sc_report& report, fabric& made) {
    if (std::string_view(report.get_msg_type()) == deadlock_report_type) {
        return run_verdict::deadlock;
    }
    return made.engine().first_violation().kind == violation_kind::lossless_loss ? run_verdict::lossless_loss
                                                                                 : run_verdict::invariant;
}

std::string to_text(const run_failure& failure) {
    ordered_json j;
    j["status"] = failure.status;
    if (failure.verdict) {
        j["verdict"] = verdict_names[static_cast<std::size_t>(*failure.verdict)];
    }
    j["error"] = failure.error;
    return to_text(j);
}

std::optional<run_failure> parse_failure(const std::string& text) {
    const ordered_json j = ordered_json::parse(text, nullptr, false);
    try {
        run_failure read{j.at("status").get<int>(), {}, j.at("error").get<std::string>()};
        const auto* const named =
            std::find(std::begin(verdict_names), std::end(verdict_names), j.value("verdict", std::string()));
        if (named != std::end(verdict_names)) {
            read.verdict = static_cast<run_verdict>(named - std::begin(verdict_names));
        }
        // Earlier versions kept what the environment had ended, too.
        return j.value("final", true) ? std::optional(read) : std::nullopt;
    } catch (const ordered_json::exception&) {
        return std::nullopt;
    }
}

}  // namespace weir::tb
