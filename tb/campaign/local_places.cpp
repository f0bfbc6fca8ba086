#include "tb/campaign/local_places.h"

#include <unistd.h>

#include <boost/program_options/parsers.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>
#include <thread>

#include "tb/process/child_process.h"

namespace weir::tb {

namespace {

/// Of a launcher after SIGTERM: it may have to reach another machine.
constexpr std::chrono::seconds patience{5};
constexpr std::chrono::milliseconds nap{10};

class local_run final : public started_run {
 public:
    local_run(const std::vector<std::string>& command, const child_process::settings& how)
        : m_is_launched(how.program.empty()), m_process(command, how) {}
    ~local_run() override { local_run::end(); }

    bool ended() override { return m_process.ended(); }
    // A run of this program can be killed; a launcher would leave its run behind.
    void cancel() override { m_process.send(m_is_launched ? SIGTERM : SIGKILL); }
    void end() override {
        if (ended()) {
            return;
        }
        cancel();
        const auto until = std::chrono::steady_clock::now() + patience;
        while (!ended() && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(nap);
        }
        m_process.kill();
    }
    int status() const override { return m_process.status(); }
    std::string errors() const override {
        return m_process.why_not() ? "--launcher: cannot be started: " + m_process.why_not().message()
                                   : m_process.errors();
    }

 private:
    const bool m_is_launched;
    child_process m_process;
};

}  // namespace

/// As exec searches it.
static bool is_program(const std::string& name) {
    const auto can_run = [](const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos) {
        return can_run(name);
    }
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (can_run(std::filesystem::path(folder.empty() ? "." : folder) / name)) {
            return true;
        }
    }
    return false;
}

parse_result<std::vector<std::string>> parse_launcher(const std::string& text) {
    const std::string expected = "; expected a program and its arguments, such as 'bsub -K -q short'";
    std::vector<std::string> words;
    try {
        words = boost::program_options::split_unix(text);
        // An open quote takes what follows.
        if (boost::program_options::split_unix(text + " x").size() != words.size() + 1) {
            return {{}, "'" + text + "' has a quote that is not closed" + expected};
        }
    } catch (const std::exception&) {
        return {{},
                "'" + text + "' has a backslash before another character than a quote, a backslash or n" +
                    expected};
    }
    if (words.empty()) {
        return {{}, "'" + text + "' is empty" + expected};
    }
    if (!is_program(words.front())) {
        return {{},
                "'" + words.front() + "' is no program" +
                    (words.front().find('/') == std::string::npos ? " in PATH" : " that can be run") +
                    expected};
    }
    return {std::move(words), {}};
}

std::unique_ptr<started_run> local_places::start(const std::vector<std::string>& arguments) {
    child_process::settings how;
    how.captured = child_process::streams::errors_only;
    how.descriptor = m_lock;
    std::vector<std::string> command = m_launcher;
    if (m_launcher.empty()) {
        how.program = child_process::this_program;
        command.emplace_back("weir");
    } else {
        how.at_parents_end = SIGTERM;
        command.push_back(std::filesystem::read_symlink(child_process::this_program).string());
    }
    command.emplace_back("run");
    command.insert(command.end(), arguments.begin(), arguments.end());
    return std::make_unique<local_run>(command, how);
}

}  // namespace weir::tb
