#include "tb/bench/weir_engine.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/files/input_file.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

nlohmann::json read_json(const fs::path& name) {
    nlohmann::json document =
        nlohmann::json::parse(read_whole(name.string(), "what a run wrote"), nullptr, false);
    if (document.is_discarded()) {
        throw command_error(name.string() + ": cannot be read", exit_status::environment);
    }
    return document;
}

std::string key_of(const std::string& option) {
    return option.substr(0, option.find('='));
}

}  // namespace

weir_engine::weir_engine(std::vector<std::string> overrides, const fs::path& work)
    : m_overrides(std::move(overrides)),
      m_out(work / "run"),
      m_program(fs::read_symlink("/proc/self/exe").string()) {}

// Overrides take the place of the case's own.
std::vector<std::string> weir_engine::options(const bench_case& which) const {
    std::vector<std::string> words;
    for (const std::string& option : which.options) {
        const auto same = [&](const std::string& other) { return key_of(other) == "--" + key_of(option); };
        if (std::none_of(m_overrides.begin(), m_overrides.end(), same)) {
            words.push_back("--" + option);
        }
    }
    words.insert(words.end(), m_overrides.begin(), m_overrides.end());
    return words;
}

std::vector<std::string> weir_engine::command(const bench_case& which, std::uint64_t duration_ns,
                                              unsigned threads) {
    std::vector<std::string> words{m_program, "run"};
    const std::vector<std::string> all = options(which);
    words.insert(words.end(), all.begin(), all.end());
    words.push_back("--run.duration=" + std::to_string(duration_ns) + "ns");
    words.push_back("--run.threads=" + std::to_string(threads));
    words.insert(words.end(), {"--run.progress=off", "--out", m_out.string()});
    return words;
}

void weir_engine::prepare(const std::vector<bench_case>& cases) {
    for (const bench_case& which : cases) {
        std::vector<std::string> words = command(which, which.timed_ns, m_checked_threads);
        words.resize(words.size() - 2);
        words.emplace_back("--dry-run");
        const process_result checked = run_process(words);
        if (checked.status != 0) {
            throw command_error("case " + which.name + ":\n" + checked.errors,
                                exit_status::of_child(checked.status));
        }
        std::istringstream lines(checked.errors);
        for (std::string line; std::getline(lines, line);) {
            m_warnings += "case " + which.name + ": " + line + "\n";
        }
    }
}

bench_sample weir_engine::read(const std::string&) {
    const nlohmann::json facts = read_json(m_out / "run.json");
    m_machine = facts.at("machine").get<std::string>();
    bench_sample sample = read_sample(read_json(m_out / "summary.json").at("packet_hops"), facts);
    sample.threads = facts.at("threads");
    return sample;
}

}  // namespace weir::tb
