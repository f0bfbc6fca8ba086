#include "tb/study/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tb/run/fields/load_options.h"
#include "tb/run/ranks/errors_of_ranks.h"
#include "tb/run/ranks/rank_session.h"
#include "tb/run/samples/json_values.h"
#include "tb/run/summary/run_facts.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/status_line.h"
#include "weir/base/processors.h"

namespace weir::tb {

campaign::campaign(const directory_kind& kind, campaign_arguments options, const campaign_call& call,
                   std::ostream& out, std::ostream& err)
    : m_out(out),
      m_err(err),
      m_kind(kind),
      m_options(std::move(options)),
      m_call(call),
      m_layout(m_options.out, 0) {}

int campaign::run() {
    if (!m_options.launcher.empty() && m_call.ranks != nullptr) {
        print({{"", 0, "--launcher", "is given under mpirun; expected only one of the two"}});
        return exit_status::bad_input;
    }
    if (!plan() || !check()) {
        return exit_status::bad_input;
    }
    if (m_options.dry_run) {
        print_plan();
        return exit_status::success;
    }
    m_layout = campaign_layout(m_options.out, points());
    if (print(check_directory(directory(), m_kind))) {
        return exit_status::bad_input;
    }
    if (m_options.collects && !std::filesystem::exists(directory() / m_kind.plan)) {
        print({{"", 0, "--out",
                "'" + m_options.out + "' holds no runs of this " + m_kind.name +
                    "; expected the directory that its runs were made in"}});
        return exit_status::bad_input;
    }
    make_out_directory(directory());
    // Waits for the runs of a campaign that has been killed. The runs inherit the lock's descriptor.
    const directory_lock lock(directory(), std::chrono::seconds{2},
                              m_options.shares ? directory_lock::kind::shared : directory_lock::kind::alone);
    if (lock.impossible()) {
        throw output_error(directory(), "cannot be locked", lock.reason());
    }
    if (!lock.held()) {
        const std::string name = m_kind.name;
        print({{"", 0, "--out",
                "'" + m_options.out + "' is in use by another " + name +
                    "; expected another --out, or this one after that " + name + " has ended"}});
        return exit_status::bad_input;
    }
    if (!goes_on()) {
        return exit_status::bad_input;
    }
    return report(has_runs_to_make() ? make(lock.descriptor()) : 0);
}

std::unique_ptr<directory_lock> campaign::lock_if_shared() const {
    if (!m_options.shares) {
        return nullptr;
    }
    auto lock =
        std::make_unique<directory_lock>(make_directory(directory() / "points"), std::chrono::minutes{1});
    if (!lock->held()) {
        throw output_error(directory() / "points", "cannot be locked", lock->reason());
    }
    return lock;
}

bool campaign::print(const config_errors& errors) {
    print_errors(errors, m_err);
    return !errors.empty();
}

unsigned campaign::jobs() const {
    if (m_call.ranks != nullptr) {
        return m_call.ranks->messages().ranks() * std::max(1U, m_options.jobs);
    }
    return m_options.jobs > 0 ? m_options.jobs : std::max(1U, usable_processors() / std::max(1U, m_threads));
}

/// Whether this campaign can be put, or gone on with, where it is to be; writes the plan if it can.
bool campaign::goes_on() {
    const auto lock = lock_if_shared();
    const std::filesystem::path file = directory() / m_kind.plan;
    m_there = read_if_there(file);
    if ((!m_there.empty() && print(differences(m_there, file.string()))) || print(foreign_runs())) {
        return false;
    }
    const build_ledger ledger(directory());
    const bool other_build = !ledger.program().empty() && ledger.program() != build_ledger::this_program();
    if (other_build && adds_runs() && !m_options.mixed_builds) {
        return !print({{(directory() / "run.json").string(), 0, "program_crc64",
                        "the runs there were made by another build of weir; expected that build, "
                        "--mixed-builds, or another --out"}});
    }
    // A call that was killed while it wrote run.json has left this. If no run is left to make, nothing writes
    // run.json again.
    remove_file((directory() / "run.json") += partial_suffix);
    write_plan();
    return true;
}

void campaign::write_plan() const {
    const std::string text = to_text(plan_json());
    if (text != m_there) {
        write_file(directory() / m_kind.plan, text);
        synchronise(directory());
    }
}

int campaign::make(int descriptor) {
    std::optional<build_ledger> ledger;
    {
        const auto lock = lock_if_shared();
        for (const char* table : m_kind.tables) {
            remove_file(directory() / table);
        }
        ledger.emplace(directory());
        ledger->begin(m_call.command_line, jobs());
    }
    local_places here(descriptor, m_options.launcher);
    std::optional<rank_places> of_ranks;
    if (m_call.ranks != nullptr) {
        of_ranks.emplace(m_call.ranks->messages(), here);
    }
    made_runs made;
    {
        status_line line(m_err, m_progress);
        // Whatever throws: the runs under way end with the pool.
        run_pool pool(runs(), m_layout, of_ranks ? static_cast<run_places&>(*of_ranks) : here);
        made = make_runs(demand([&](const std::string& text) { line.note(text); }), pool, jobs(),
                         [&](const std::string& text) { line.show(text); });
    }
    const auto lock = lock_if_shared();
    ledger->end(made.signal != 0 ? "interrupted" : "ended", made.count);
    return made.signal;
}

queued_campaign::queued_campaign(const directory_kind& kind, std::string command, bool retry_failed,
                                 campaign_arguments options, const campaign_call& call, std::ostream& out,
                                 std::ostream& err)
    : campaign(kind, std::move(options), call, out, err),
      m_command(std::move(command)),
      m_retry_failed(retry_failed) {}

void queued_campaign::want(const std::vector<std::size_t>& points, const std::vector<std::uint64_t>& seeds) {
    m_wanted.clear();
    for (const std::uint64_t seed : seeds) {
        for (const std::size_t point : points) {
            m_wanted.push_back({point, seed});
        }
    }
}

std::optional<int> queued_campaign::unfinished(int signal) const {
    const campaign_status& s = status();
    if (signal != 0) {
        m_err << "weir " << m_command << ": interrupted; " << s.done << " of " << s.total
              << " runs are done, the same command goes on\n";
        return exit_status::interrupted(signal);
    }
    if (collects() && !m_found.pending.empty()) {
        m_err << "weir " << m_command << ": " << m_found.pending.size() << " of " << s.total
              << " runs are missing; --point, or the command without --collect, makes them\n";
        return exit_status::environment;
    }
    if (s.not_finished > 0) {
        m_err << "weir " << m_command << ": " << s.not_finished << " of " << s.total
              << " runs did not finish, for the reasons above (not because of the model); the same command "
                 "runs them again\n";
        return exit_status::environment;
    }
    return std::nullopt;
}

config_errors queued_campaign::foreign_runs() {
    m_found = take_inventory(m_wanted, runs(), layout(), m_retry_failed);
    m_queue.emplace(runs(), m_found, points(), jobs());
    constexpr std::size_t most = 10;
    config_errors foreign = m_found.foreign;
    foreign.resize(std::min(most, foreign.size()));
    return foreign;
}

run_demand& queued_campaign::demand(const std::function<void(const std::string&)>& note) {
    m_queue->note = note;
    return *m_queue;
}

int run_campaign(const std::string& command, const std::vector<std::string>& args, std::ostream& err,
                 const std::function<int(const campaign_call&)>& run) {
    const run_stopwatch stopwatch(command, args);
    std::optional<rank_session> session;
    try {
        session.emplace();
    } catch (const std::exception& error) {
        return refused_session(command, error, err);
    }
    rank_team& team = session->team();
    rank_messages* const messages = session->messages();
    std::optional<serving_ranks> ranks;
    try {
        if (print_other_command(team, command, err)) {
            return exit_status::bad_input;
        }
        if (!team.leads()) {
            return serve_runs(*messages);
        }
        if (messages != nullptr) {
            ranks.emplace(*messages);
        }
        return run({stopwatch.facts().command_line, ranks ? &*ranks : nullptr});
    } catch (const std::exception& error) {
        failure what = failure_of(error);
        if (!team.is_alone() && !ranks) {
            // The others wait for this rank, and do not know.
            what.message = "rank " + std::to_string(team.rank()) + ": " + what.message;
            print_failure("weir " + command, what, err);
            err.flush();
            session->end_all(what.status);
        }
        if (what.status != exit_status::bad_input) {
            what.message += "; the same command goes on with the runs that have not ended";
        }
        return print_failure("weir " + command, what, err);
    }
}

}  // namespace weir::tb
