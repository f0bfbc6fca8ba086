#include "tb/run/results/run_verdict.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "tb/run/samples/json_values.h"
#include "tb/support/files/json_file.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

using nlohmann::ordered_json;

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
        j["verdict"] = name_of(*failure.verdict);
    }
    j["error"] = failure.error;
    if (failure.flows) {
        j["flows"] = {{"started", failure.flows->started},
                      {"completed", failure.flows->completed},
                      {"unfinished", failure.flows->unfinished}};
    }
    return to_text(j);
}

std::optional<run_failure> parse_failure(const std::string& text) {
    const ordered_json j = json_or_discarded(text);
    try {
        run_failure read{j.at("status").get<int>(), find_named<run_verdict>(j.value("verdict", "")),
                         j.at("error").get<std::string>()};
        if (const auto flows = j.find("flows"); flows != j.end()) {
            read.flows = {flows->at("started").get<std::uint64_t>(),
                          flows->at("completed").get<std::uint64_t>(),
                          flows->at("unfinished").get<std::uint64_t>()};
        }
        // Earlier versions kept what the environment had ended, too.
        return j.value("final", true) ? std::optional(read) : std::nullopt;
    } catch (const ordered_json::exception&) {
        return std::nullopt;
    }
}

}  // namespace weir::tb
