#include "tb/study/campaign/run_places.h"

#include <unistd.h>
#include <algorithm>
#include <boost/program_options/parsers.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <thread>

#include "tb/support/process/child_process.h"
#include "tb/support/process/ending_signals.h"
#include "tb/support/process/exit_status.h"
#include "weir/base/octets.h"

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

namespace {

enum class order_kind : std::uint8_t { start, cancel, quit };

/// From rank 0.
struct run_order {
    order_kind kind = order_kind::quit;
    std::uint64_t run = 0;
    std::vector<std::string> arguments;
    template <class Fields>
    void fields(Fields& f) {
        f(kind, run, arguments);
    }
};

/// To rank 0.
struct run_answer {
    std::uint64_t run = 0;
    int status = 0;
    std::string errors;
    template <class Fields>
    void fields(Fields& f) {
        f(run, status, errors);
    }
};

constexpr std::chrono::milliseconds look{10};
/// After it the launcher may have ended the rank.
constexpr std::chrono::milliseconds patience_with_ranks{500};

class run_server {
 public:
    explicit run_server(rank_messages& messages) : m_messages(messages) {}

    int serve() {
        const waiting_signals signals;
        for (;;) {
            while (const auto message = m_messages.receive()) {
                const auto order = from_octets<run_order>(message->octets);
                if (order.kind == order_kind::quit) {
                    return exit_status::success;
                }
                obey(order);
            }
            answer_ended();
            if (const int signal = signals.wait(look); signal != 0 && signal != SIGCHLD) {
                return exit_status::interrupted(signal);
            }
        }
    }

 private:
    void obey(const run_order& order) {
        if (order.kind == order_kind::cancel) {
            if (const auto run = m_running.find(order.run); run != m_running.end()) {
                run->second->cancel();
            }
            return;
        }
        try {
            m_running.emplace(order.run, m_here.start(order.arguments));
        } catch (const std::system_error& error) {
            answer({order.run, exit_status::environment, error.what()});
        }
    }
    void answer_ended() {
        for (auto run = m_running.begin(); run != m_running.end();) {
            if (!run->second->ended()) {
                ++run;
                continue;
            }
            try {
                answer({run->first, run->second->status(), run->second->errors()});
            } catch (const std::system_error& error) {  // what it wrote cannot be read
                answer({run->first, exit_status::environment, error.what()});
            }
            run = m_running.erase(run);
        }
    }
    void answer(const run_answer& what) { m_messages.send(0, to_octets(what)); }

    rank_messages& m_messages;
    local_places m_here{-1};
    std::map<std::uint64_t, std::unique_ptr<started_run>> m_running;
};

}  // namespace

int serve_runs(rank_messages& messages) {
    return run_server(messages).serve();
}

serving_ranks::~serving_ranks() {
    for (unsigned r = 1; r < m_messages.ranks(); ++r) {
        m_messages.send(r, to_octets(run_order{}));
    }
}

/// Of another rank, or of this one, counted as one of its.
class rank_run final : public started_run {
 public:
    rank_run(rank_places& places, unsigned rank, std::uint64_t run, std::unique_ptr<started_run> here)
        : m_places(places), m_rank(rank), m_run(run), m_here(std::move(here)) {
        ++m_places.m_active[m_rank];
    }
    ~rank_run() override {
        rank_run::end();
        --m_places.m_active[m_rank];
    }

    bool ended() override {
        if (m_here != nullptr) {
            return m_here->ended();
        }
        if (!m_end) {
            m_end = m_places.take_end(m_run);
        }
        return m_end.has_value();
    }
    void cancel() override {
        if (m_here != nullptr) {
            m_here->cancel();
        } else if (!ended()) {
            m_places.m_messages.send(m_rank, to_octets(run_order{order_kind::cancel, m_run, {}}));
        }
    }
    void end() override {
        if (m_here != nullptr) {
            m_here->end();
            return;
        }
        if (ended()) {
            return;
        }
        cancel();
        const auto until = std::chrono::steady_clock::now() + patience_with_ranks;
        while (!ended()) {
            if (std::chrono::steady_clock::now() >= until) {
                m_end = rank_places::run_end{128 + SIGKILL, {}};
                return;
            }
            std::this_thread::sleep_for(look);
        }
    }
    int status() const override { return m_here != nullptr ? m_here->status() : m_end ? m_end->status : 0; }
    std::string errors() const override {
        return m_here != nullptr ? m_here->errors() : m_end ? m_end->errors : std::string{};
    }

 private:
    rank_places& m_places;
    const unsigned m_rank;
    const std::uint64_t m_run;
    /// Of rank 0 itself.
    const std::unique_ptr<started_run> m_here;
    std::optional<rank_places::run_end> m_end;
};

std::unique_ptr<started_run> rank_places::start(const std::vector<std::string>& arguments) {
    const auto rank =
        static_cast<unsigned>(std::min_element(m_active.begin(), m_active.end()) - m_active.begin());
    const std::uint64_t run = m_next++;
    if (rank == 0) {
        return std::make_unique<rank_run>(*this, rank, run, m_here.start(arguments));
    }
    m_messages.send(rank, to_octets(run_order{order_kind::start, run, arguments}));
    return std::make_unique<rank_run>(*this, rank, run, nullptr);
}

void rank_places::receive() {
    while (const auto message = m_messages.receive()) {
        const auto answer = from_octets<run_answer>(message->octets);
        m_ended[answer.run] = {answer.status, answer.errors};
    }
}

std::optional<rank_places::run_end> rank_places::take_end(std::uint64_t run) {
    receive();
    const auto found = m_ended.find(run);
    if (found == m_ended.end()) {
        return std::nullopt;
    }
    std::optional<run_end> end = std::move(found->second);
    m_ended.erase(found);
    return end;
}

}  // namespace weir::tb
