#include "tb/bench/bench_engine.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "tb/process/exit_status.h"

namespace weir::tb {

namespace {

process_result run_checked(const std::vector<std::string>& command) {
    process_result r = run_process(command);
    if (r.status == 127) {
        throw command_error(command[0] + ": cannot be started", exit_status::environment);
    }
    if (r.status != 0) {
        std::string text;
        for (const std::string& word : command) {
            text += word + " ";
        }
        throw command_error(text + "ended with status " + std::to_string(r.status) + ":\n" + r.errors,
                            exit_status::of_child(r.status));
    }
    return r;
}

/// Valgrind says `Collected : 123` at the end.
std::uint64_t collected(const std::string& text) {
    const std::string label = "Collected : ";
    const std::size_t at = text.rfind(label);
    std::uint64_t count = 0;
    if (at != std::string::npos) {
        const char* const digits = text.data() + at + label.size();
        std::from_chars(digits, text.data() + text.size(), count);
    }
    if (count == 0) {
        throw command_error("callgrind reported no count of instructions:\n" + text, exit_status::environment);
    }
    return count;
}

}  // namespace

bench_sample read_sample(std::uint64_t packet_hops, const nlohmann::json& took) {
    return {packet_hops,
            took.at("cpu_seconds"),
            took.at("wall_seconds"),
            took.at("setup_cpu_seconds"),
            took.at("setup_wall_seconds"),
            took.at("peak_memory_bytes"),
            took.at("setup_memory_bytes")};
}

void check_callgrind() {
    if (run_process({"valgrind", "--version"}).status != 0) {
        throw command_error(
            "command line: --instructions: valgrind cannot be started; expected where it is installed "
            "(scripts/bootstrap --bench)",
            exit_status::bad_input);
    }
}

bench_sample bench_engine::run(const bench_case& which, unsigned threads) {
    const bench_sample sample = read(run_checked(command(which, share(which.timed_ns), threads)).output);
    if (sample.packet_hops == 0) {
        throw command_error(name() + ": no frame was sent in " + which.name, exit_status::environment);
    }
    return sample;
}

double bench_engine::instructions_per_hop(const bench_case& which) {
    const auto count = [&](std::uint64_t duration_ns) {
        std::vector<std::string> words{"valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"};
        for (const std::string& word : command(which, share(duration_ns), 1)) {
            words.push_back(word);
        }
        const process_result r = run_checked(words);
        return std::pair(collected(r.errors), read(r.output).packet_hops);
    };
    const auto [instructions_1, hops_1] = count(which.counted_from_ns);
    const auto [instructions_2, hops_2] = count(which.counted_to_ns);
    if (hops_2 <= hops_1) {
        throw command_error(name() + ": no frame was sent in the time that is counted in " + which.name,
                            exit_status::environment);
    }
    return static_cast<double>(instructions_2 - instructions_1) / static_cast<double>(hops_2 - hops_1);
}

}  // namespace weir::tb
