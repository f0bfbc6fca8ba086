#include "tb/campaign/campaign.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "tb/campaign/build_ledger.h"
#include "tb/files/run_directory.h"
#include "tb/options/load_options.h"
#include "tb/process/exit_status.h"
#include "tb/process/status_line.h"
#include "tb/results/summary_writer.h"
#include "weir/base/processors.h"

namespace weir::tb {

void read_out(argument_reader& given, campaign_options& options) {
    const std::optional<std::string> out = given.once("out");
    options.out = out.value_or("");
    if (!out && !options.dry_run && !given.wants_help()) {
        given.fail("--out", "is missing; expected --out DIR, or --dry-run");
    }
    options.jobs = static_cast<unsigned>(given.count("jobs", 0, 1, 4096));
}

campaign::campaign(const directory_kind& kind, campaign_options options, std::string command_line,
                   std::ostream& out, std::ostream& err)
    : m_out(out),
      m_err(err),
      m_kind(kind),
      m_options(std::move(options)),
      m_command_line(std::move(command_line)),
      m_layout(m_options.out, 0) {}

int campaign::run() {
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
    make_out_directory(directory());
    const directory_lock lock = lock_campaign(directory());
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
    build_ledger ledger(directory());
    if (!goes_on(ledger)) {
        return exit_status::bad_input;
    }
    write_plan();
    return report(has_runs_to_make() ? make(lock.descriptor(), ledger) : 0);
}

bool campaign::print(const config_errors& errors) {
    print_errors(errors, m_err);
    return !errors.empty();
}

unsigned campaign::jobs() const {
    return m_options.jobs > 0 ? m_options.jobs : std::max(1U, usable_processors() / std::max(1U, m_threads));
}

/// Whether this campaign can be put, or gone on with, where it is to be; writes nothing.
bool campaign::goes_on(const build_ledger& ledger) {
    const std::filesystem::path file = directory() / m_kind.plan;
    m_there = read_if_there(file);
    if ((!m_there.empty() && print(differences(m_there, file.string()))) || print(foreign_runs())) {
        return false;
    }
    const bool other_build = !ledger.program().empty() && ledger.program() != build_ledger::this_program();
    if (other_build && adds_runs() && !m_options.mixed_builds) {
        return !print({{(directory() / "run.json").string(), 0, "program_crc64",
                        "the runs there were made by another build of weir; expected that build, "
                        "--mixed-builds, or another --out"}});
    }
    return true;
}

void campaign::write_plan() const {
    const std::string text = to_text(plan_json());
    if (text != m_there) {
        write_file(directory() / m_kind.plan, text);
        synchronise(directory());
    }
}

int campaign::make(int lock, build_ledger& ledger) {
    for (const char* table : m_kind.tables) {
        remove_file(directory() / table);
    }
    ledger.begin(m_command_line, jobs());
    made_runs made;
    {
        status_line line(m_err, m_progress);
        // Whatever throws: the runs under way end with the pool.
        run_pool pool(runs(), m_layout, lock);
        made = make_runs(demand([&](const std::string& text) { line.note(text); }), pool, jobs(),
                         [&](const std::string& text) { line.show(text); });
    }
    ledger.end(made.signal != 0 ? "interrupted" : "ended", made.count);
    return made.signal;
}

int run_campaign(const std::string& command, const std::vector<std::string>& args, std::ostream& err,
                 const std::function<int(const std::string& command_line)>& run) {
    std::vector<const char*> words{"weir", command.c_str()};
    for (const std::string& arg : args) {
        words.push_back(arg.c_str());
    }
    const run_stopwatch stopwatch(static_cast<int>(words.size()), words.data());
    try {
        return run(stopwatch.facts().command_line);
    } catch (const std::exception& error) {
        failure what = failure_of(error);
        if (what.status != exit_status::bad_input) {
            what.message += "; the same command goes on with the runs that have not ended";
        }
        return print_failure("weir " + command, what, err);
    }
}

}  // namespace weir::tb
