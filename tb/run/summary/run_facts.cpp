#include "tb/run/summary/run_facts.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string_view>

#include "tb/run/results/summary_writer.h"
#include "tb/support/process/build_facts.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

std::string processor_model() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(':');
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            const std::size_t begin = line.find_first_not_of(' ', colon + 1);
            return begin == std::string::npos ? "unknown" : line.substr(begin);
        }
    }
    return "unknown";
}

double seconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// The argument as a shell takes it.
std::string quoted(const std::string& argument) {
    const auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("-_./=,:+%@").find(c) != std::string_view::npos;
    };
    if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) {
        return argument;
    }
    std::string text = "'";
    for (char c : argument) {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + "'";
}

}  // namespace

void run_facts::add(const run_facts& other) {
    cpu_seconds += other.cpu_seconds;
    peak_memory_bytes += other.peak_memory_bytes;
    setup_cpu_seconds += other.setup_cpu_seconds;
    setup_memory_bytes += other.setup_memory_bytes;
    engine_events += other.engine_events;
    rtl.insert(rtl.end(), other.rtl.begin(), other.rtl.end());
    ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
}

ordered_json to_json(const run_facts& facts) {
    ordered_json j;
    j["wall_seconds"] = facts.wall_seconds;
    j["cpu_seconds"] = facts.cpu_seconds;
    j["peak_memory_bytes"] = facts.peak_memory_bytes;
    j["setup_wall_seconds"] = facts.setup_wall_seconds;
    j["setup_cpu_seconds"] = facts.setup_cpu_seconds;
    j["setup_memory_bytes"] = facts.setup_memory_bytes;
    j["threads"] = facts.threads;
    j["quantum_ns"] = json_ns(facts.quantum);
    j["engine"] = facts.engine;
    j["quanta"] = facts.quanta;
    j["engine_events"] = facts.engine_events;
    j["machine"] = facts.machine;
    j["date"] = facts.date;
    j["command_line"] = facts.command_line;
    const build_facts& build = this_build();
    j["version"] = build.version;
    j["commit"] = build.commit;
    j["build"] = build.build;
    for (const auto& [name, version] : build.libraries) {
        j["libraries"][name] = version;
    }
    if (!facts.linked_plugin.empty()) {
        j["linked_plugin"] = facts.linked_plugin;
    }
    j["ended"] = facts.ended;
    j["warnings"] = facts.warnings;
    for (const run_facts::rtl_cycles& each : facts.rtl) {
        j["rtl_cycles"][each.switch_name][each.block] = each.cycles;
    }
    for (const run_facts::rank_part& each : facts.ranks) {
        j["ranks"].push_back({{"hosts", each.hosts},
                              {"switches", each.switches},
                              {"cut_links", each.cut_links},
                              {"engine_events", each.engine_events},
                              {"cpu_seconds", each.cpu_seconds},
                              {"peak_memory_bytes", each.peak_memory_bytes}});
    }
    return j;
}

run_stopwatch::run_stopwatch(const std::string& command, const std::vector<std::string>& args)
    : m_command_line(command.empty() ? "" : "weir " + command), m_start(std::chrono::steady_clock::now()) {
    for (const std::string& arg : args) {
        m_command_line += " " + quoted(arg);
    }
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char date[32];
    m_date.assign(date, std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

void run_stopwatch::take(double& wall_seconds, double& cpu_seconds, std::uint64_t& memory_bytes) const {
    wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void run_stopwatch::set_up() {
    take(m_set_up.setup_wall_seconds, m_set_up.setup_cpu_seconds, m_set_up.setup_memory_bytes);
}

run_facts run_stopwatch::facts() const {
    run_facts f = m_set_up;
    take(f.wall_seconds, f.cpu_seconds, f.peak_memory_bytes);
    f.machine = processor_model();
    f.date = m_date;
    f.command_line = m_command_line;
    return f;
}

}  // namespace weir::tb
