#include "tb/bench/bench_engine.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "tb/support/files/json_file.h"
#include "tb/support/files/output_file.h"
#include "tb/support/process/build_constants.h"
#include "tb/support/process/child_process.h"
#include "tb/support/process/ending_signals.h"
#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace fs = std::filesystem;

/// Texts of tb/bench/PEER/fat_tree.cpp.
extern const char* const ns3_fat_tree_source;
extern const char* const htsim_fat_tree_source;

namespace {

struct process_result {
    /// Exit status; 128 + n where signal n ended it; 127 where it could not be started.
    int status = 0;
    /// Standard output and standard error.
    std::string output;
    std::string errors;
};

void throw_if_interrupted() {
    if (signal_guard::received() != 0) {
        throw command_error("interrupted", exit_status::interrupted(signal_guard::received()));
    }
}

/// Runs a program to its end. Searches PATH. The process dies with this one. Throws std::system_error where no
/// process can be made; command_error, with the status of an interrupted command, where one of `ending_signals`
/// comes, or has come before: the process is ended. A `signal_guard` has to be there.
process_result run_process(const std::vector<std::string>& arguments) {
    throw_if_interrupted();
    // From before the process is there: a signal must not get lost between a look and a wait.
    std::optional<waiting_signals> signals(std::in_place);
    child_process process(arguments);
    int ending = 0;
    while (!process.ended()) {
        const int signal = signals->wait(std::chrono::milliseconds{250});
        if (signal != 0 && signal != SIGCHLD) {
            ending = signal;
            process.kill();
        }
    }
    signals.reset();
    if (ending != 0) {
        std::raise(ending);  // the guard notes it
    }
    throw_if_interrupted();
    return {process.status(), process.output(), process.errors()};
}

/// The same of one that has to end well.
process_result run_checked(const std::vector<std::string>& command) {
    process_result r = run_process(command);
    if (r.status == 127) {
        throw command_error(command[0] + ": cannot be started", exit_status::environment);
    }
    if (r.status != 0) {
        throw command_error(
            joined(command, " ") + " ended with status " + std::to_string(r.status) + ":\n" + r.errors,
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

nlohmann::json written_by_run(const fs::path& name) {
    const json_file read = read_json(name, "what a run wrote");
    if (!read.errors.empty()) {
        throw command_error(format_error(read.errors.front()), exit_status::environment);
    }
    return read.document;
}

std::string key_of(const std::string& option) {
    return option.substr(0, option.find('='));
}

/// How a peer's program is compiled: FLAGS WHERE FILE -o PROGRAM LIBRARIES. The flags are told beside results.
struct peer_build {
    const char* source;
    std::vector<std::string> flags;
    std::vector<std::string> where;
    std::vector<std::string> libraries;
    /// Packages that the message asks for.
    std::string needs;
    /// Prints the version.
    std::vector<std::string> version_command;
};

/// As Debian builds ns-3, its headers without checks; the libraries are as Debian made them.
peer_build build_of_ns3() {
    return {ns3_fat_tree_source,
            {"-std=c++17", "-O3", "-DNDEBUG"},
            {},
            {"-lns3-applications", "-lns3-internet", "-lns3-point-to-point", "-lns3-network", "-lns3-core"},
            "Debian's libns3-dev",
            {"dpkg-query", "--show", "--showformat=${Version}", "libns3-dev"}};
}

/// `sources`: the copy of its repository. Throws command_error.
peer_build build_of_htsim(const fs::path& sources) {
    const auto refuse = [&](const std::string& what) {
        return command_error("command line: --htsim: '" + sources.string() + "' " + what +
                                 "; expected a copy of htsim's repository (Broadcom/csg-htsim)",
                             exit_status::bad_input);
    };
    std::error_code error;
    if (!fs::is_directory(sources, error)) {
        throw refuse("is not a directory");
    }
    if (!fs::exists(sources / "sim/eventlist.cpp", error)) {
        throw refuse("has no sim/eventlist.cpp");
    }
    // Its own Makefile takes -O3, with debugging checks. All in one translation unit, whose compiler knows that
    // there is no other, costs a twentieth fewer instructions. Its sources warn of much. `.git` is named, or
    // git would look for a repository above the copy.
    peer_build build{htsim_fat_tree_source,
                     {"-std=c++17", "-O3", "-DNDEBUG", "-fwhole-program"},
                     {"-w", "-iquote", (sources / "sim").string()},
                     {},
                     "a revision of htsim that this program knows (docs/bench.md)",
                     {"git", "--no-optional-locks", "--git-dir=" + (sources / ".git").string(),
                      "--work-tree=" + sources.string(), "describe", "--always", "--tags", "--dirty"}};
    if (*instruction_set_flag != '\0') {
        build.flags.emplace_back(instruction_set_flag);
    }
    return build;
}

}  // namespace

bench_sample read_sample(const nlohmann::json& took) {
    bench_sample sample;
    for_each_column(sample, [&](const column_facts& facts, auto& value) { took.at(facts.name).get_to(value); });
    return sample;
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
        const std::vector<std::string> measured = command(which, share(duration_ns), 1);
        words.insert(words.end(), measured.begin(), measured.end());
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

// --- this program --------------------------------------------------------------------------------

weir_engine::weir_engine(std::vector<std::string> overrides, const fs::path& work)
    : bench_engine("weir"),
      m_overrides(std::move(overrides)),
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

void weir_engine::check(const std::vector<bench_case>& cases, unsigned threads) {
    for (const bench_case& which : cases) {
        std::vector<std::string> words = command(which, which.timed_ns, threads);
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
    nlohmann::json facts = written_by_run(m_out / "run.json");
    facts["packet_hops"] = written_by_run(m_out / "summary.json").at("packet_hops");
    m_machine = facts.at("machine").get<std::string>();
    bench_sample sample = read_sample(facts);
    sample.threads = facts.at("threads");
    return sample;
}

// --- another simulator ---------------------------------------------------------------------------

// ns-3 takes some twenty times as long, and shorter runs, whose queues are shorter, are cheaper for it.
peer_engine::peer_engine(std::string name, fs::path sources, fs::path work)
    : bench_engine(name, name == "ns3" ? 0.25 : 1), m_sources(std::move(sources)), m_work(std::move(work)) {}

void peer_engine::prepare() {
    const peer_build build = name() == "ns3" ? build_of_ns3() : build_of_htsim(m_sources);
    const std::string file = (m_work / "fat_tree.cpp").string();
    write_file(file, build.source);
    const char* const chosen = std::getenv("CXX");
    const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
    m_build = compiler + " " + joined(build.flags, " ");
    std::vector<std::string> words{compiler};
    const auto add = [&](const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    add(build.flags);
    add(build.where);
    add({file, "-o", (m_work / "fat_tree").string()});
    add(build.libraries);
    const process_result made = run_process(words);
    if (made.status != 0) {
        const std::string why = made.status == 127 ? "cannot be started" : made.errors.substr(0, 1000);
        throw command_error("command line: --against: " + name() +
                                ": its program cannot be compiled; expected " + build.needs +
                                " and a compiler ($CXX or c++) installed\n" + compiler + ": " + why,
                            exit_status::bad_input);
    }
    const process_result told = run_process(build.version_command);
    if (const std::string_view version = trimmed(told.output); told.status == 0 && !version.empty()) {
        m_version = version;
    }
}

std::vector<std::string> peer_engine::command(const bench_case& which, std::uint64_t duration_ns, unsigned) {
    std::vector<std::string> words = options(which);
    words.insert(words.begin(), (m_work / "fat_tree").string());
    words.push_back("--duration_ns=" + std::to_string(duration_ns));
    return words;
}

bench_sample peer_engine::read(const std::string& output) {
    const nlohmann::json said = nlohmann::json::parse(output, nullptr, false);
    if (!said.is_object()) {
        throw command_error(name() + ": its program said:\n" + output, exit_status::environment);
    }
    const std::uint64_t drops = said.at("drops");
    // Of a transport that has them.
    const std::uint64_t negative_acks = said.value("negative_acks", std::uint64_t{0});
    if (drops != 0 || negative_acks != 0) {
        throw command_error(name() + ": " + std::to_string(drops) + " packets were dropped, and " +
                                std::to_string(negative_acks) +
                                " negative ACKs came; its queues are meant to be long enough for all",
                            exit_status::environment);
    }
    return read_sample(said);
}

}  // namespace weir::tb
