#include "tb/bench/bench_arguments.h"

#include <algorithm>
#include <set>

#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

std::string names_of_cases(const std::vector<bench_case>& cases) {
    return joined(cases, ", ", [](const bench_case& known) { return known.name; });
}

void check_peer(const bench_arguments& given, config_errors& errors) {
    const bool is_htsim = given.against == peer_kind::htsim;
    if (!given.htsim.empty() && !is_htsim) {
        add_error(errors, "--htsim", "has no effect; expected with --against htsim");
    }
    if (is_htsim && given.htsim.empty()) {
        add_error(errors, "--htsim", "is missing; expected a copy of htsim's repository (Broadcom/csg-htsim)");
    }
    if (!given.against) {
        return;
    }
    const std::string peer = name_of(*given.against);
    const auto has = [&](const bench_case& which) { return which.peers.count(peer) != 0; };
    if (!given.cases.empty() && std::none_of(given.cases.begin(), given.cases.end(), has)) {
        std::vector<bench_case> known;
        std::copy_if(bench_cases().begin(), bench_cases().end(), std::back_inserter(known), has);
        add_error(
            errors, "--against",
            "none of these cases exists in " + peer + "; expected at least one of " + names_of_cases(known));
    }
    if (!given.overrides.empty()) {
        add_error(errors, "--against",
                  peer + " does not support " + key_of_option(given.overrides.front()) +
                      " and would run something else; expected no options of the run");
    }
}

}  // namespace

void bench_arguments::complete(config_errors& errors) {
    std::set<std::string> wanted(names.begin(), names.end());
    for (const bench_case& known : bench_cases()) {
        if (wanted.erase(known.name) != 0 || names.empty()) {
            cases.push_back(known);
        }
    }
    for (const std::string& name : wanted) {
        add_error(errors, name, "is not a case; expected " + names_of_cases(bench_cases()));
    }
    std::set<unsigned> before;
    threads.erase(
        std::remove_if(threads.begin(), threads.end(), [&](unsigned n) { return !before.insert(n).second; }),
        threads.end());
    check_peer(*this, errors);
    const std::pair<const char*, const char*> refused[] = {
        {"run.threads", "is set by --threads"},
        {"run.duration", "is set by the benchmark"},
        {"run.progress", "is set by the benchmark"},
        {"run.until", "ends a run before its time; expected runs of the benchmark's length"}};
    for (const std::string& option : overrides) {
        for (const auto& [key, why] : refused) {
            if (key_of_option(option) == key) {
                add_error(errors, "--" + std::string(key), why);
            }
        }
    }
}

}  // namespace weir::tb
