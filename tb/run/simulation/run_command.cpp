#include "tb/run/arguments/commands.h"

#include <optional>
#include <sstream>

#include "tb/asic/profiles/config_db_writer.h"
#include "tb/run/arguments/argument_list.h"
#include "tb/run/help/given_units.h"
#include "tb/run/help/option_help.h"
#include "tb/run/options/input_paths.h"
#include "tb/run/options/run_options.h"
#include "tb/run/ranks/difference_between_ranks.h"
#include "tb/run/ranks/errors_of_ranks.h"
#include "tb/run/ranks/rank_session.h"
#include "tb/run/ranks/ranks_of_nodes.h"
#include "tb/run/results/results_collector.h"
#include "tb/run/results/run_verdict.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/setup/prepare_run.h"
#include "tb/run/simulation/dry_run.h"
#include "tb/run/simulation/run_progress.h"
#include "tb/run/simulation/run_traces.h"
#include "tb/run/simulation/simulation.h"
#include "tb/run/simulation/unfinished_traffic.h"
#include "tb/run/simulation/warning_log.h"
#include "tb/run/simulation/write_facts.h"
#include "tb/run/summary/result_table.h"
#include "tb/study/sweep/metrics.h"
#include "tb/support/files/output_file.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/ending_signals.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/huge_pages.h"
#include "weir/base/unit_text.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb {

namespace {

/// Stops the time of the set-up when SystemC has put the fabric together. The last module, so the last to be
/// told.
SC_MODULE(end_of_set_up) {
    end_of_set_up(const sc_core::sc_module_name& name, run_stopwatch& stopwatch)
        : sc_module(name), m_stopwatch(stopwatch) {}

 private:
    void start_of_simulation() override {
        m_stopwatch.set_up();
    }
    run_stopwatch& m_stopwatch;
};

bool lost_at_ingress(const fabric& made) {
    const std::vector<switch_id>& switches = made.own_switches();
    return on_any(made.team(), std::any_of(switches.begin(), switches.end(), [&](switch_id s) {
                      return made.device(s).stats().drops[static_cast<unsigned>(drop_reason::ingress_full)] !=
                             0;
                  }));
}

struct run_arguments {
    static constexpr command_text command{
        "weir run [CONFIG.ini ...] [--key=value ...] --out DIR\n"
        "weir run [CONFIG.ini ...] [--key=value ...] --dry-run [--write-config-db FILE [--config-db-switch "
        "NAME]]\n\n"
        "Simulates a fabric and writes the results into DIR. --dry-run checks all input and prints the\n"
        "fabric, its paths and its delays; --write-config-db writes the buffers of a shared memory as a SONiC\n"
        "config_db.json (docs/sonic.md). Every option may stand in a file, as `key = value` in the\n"
        "[section] before the dot; a later file wins over an earlier one, the command line over files.\n"
        "`key += value`, or --key+=value, adds to an option that may be given several times.\n\n"};

    std::vector<std::string> config_files;
    std::vector<std::string> options;
    std::string out;
    bool dry_run = false;
    std::string config_db;
    std::string config_db_switch;

    void describe(argument_list& arguments) {
        arguments.files(config_files, 0, SIZE_MAX);
        arguments.options_of_run(options);
        arguments("out", out, "DIR").required("--out DIR, or --dry-run", "dry-run");
        arguments("dry-run", dry_run);
        arguments("write-config-db", config_db, "FILE").not_empty("--write-config-db FILE").needs("dry-run");
        arguments("config-db-switch", config_db_switch, "NAME").needs("write-config-db");
    }
};

/// It is not known to the other ranks, which have to be ended.
struct failure_of_rank {
    failure what;
};

/// All ranks have found it together.
bool is_known_to_all(const sc_core::sc_report& report) {
    const std::string_view type = report.get_msg_type();
    return type == deadlock_report_type || type == violation_report_type;
}

/// Of a failure that `simulate` throws.
struct failed_simulation {
    /// What may help to understand it.
    std::string hint;
    /// Rank 0 could not write all that ranks write together: the others wait for it.
    bool others_wait = false;
};

int simulate(prepared_run& run, rank_team& team, const run_directory& directory, run_stopwatch& stopwatch,
             warning_log& warnings, std::ostream& out, std::ostream& err, failed_simulation& failed) {
    const run_config& config = run.loaded.config;
    std::ostringstream effective;
    write_effective_ini(effective, config);
    directory.write("effective.ini", effective.str());

    reserve_huge_pages(likely_memory(run.topology.plan) / team.size());
    // For as long as the process lives: SystemC takes modules out of its registries in quadratic time, which
    // for 70,000 of them is far longer than to build them, and a process has one simulation.
    simulation& simulated =
        *new simulation(config, run.topology, run.inputs, run.trace.get(), team, ranks_of_nodes(team, run));
    results_collector collector(directory, config, run.topology, simulated.network(), simulated.endpoints(),
                                run.tags, ideal_delays_of(config, shortest_lookup(config, run.topology.plan)),
                                run.ideal_ranks);
    collector.count_detours(simulated.detours());
    collector.watch_ports(run.series_nodes);
    collector.watch_senders(run.window_hosts, run.rate_hosts);
    if (collector.precision().has_goals()) {
        simulated.end_by(collector.precision());
    }
    run_traces traces(run, simulated.network(), directory);
    const end_of_set_up set_up("end_of_set_up", stopwatch);
    const signal_guard signals;
    {
        const picoseconds end = config.run.duration == picoseconds{0} ? never : config.run.duration;
        run_progress progress(err, config.run.progress && team.leads(), end);
        const simulation::barrier_call at_barrier = [&](picoseconds time) {
            collector.take(time);
            traces.take(time);
            progress.show(time, collector.flows_completed());
        };
        try {
            simulated.run(at_barrier);
        } catch (const sc_core::sc_report& report) {
            if (!team.is_alone() && !is_known_to_all(report)) {
                throw;
            }
            if (lost_at_ingress(simulated.network()) && !config.trace.drop_causes) {
                failed.hint = "--trace.drop_causes=on writes whose frames filled the memory (drop_causes.csv)";
            }
            try {
                // First: it is what others ask for, and what follows may not be writable.
                if (const failure ended = failure_of(report); ended.status == exit_status::verdict) {
                    directory.write("failure.json",
                                    to_text(run_failure{ended.status, verdict_of(report, simulated.network()),
                                                        ended.message, collector.flows_so_far()}));
                }
                traces.finish_failed(report);
                warnings.add(traces.warnings());
                collector.write_failed();
                write_facts(directory, stopwatch, simulated, config, "failed", warnings);
            } catch (const output_error& error) {
                if (!team.leads()) {
                    throw;
                }
                err << "weir run: " << error.what() << '\n';
                failed.others_wait = !team.is_alone();
            }
            throw;
        }
    }
    const bool unfinished = !simulated.complete() && simulated.interrupted() == 0;
    const std::string under_way = unfinished ? unfinished_traffic(simulated) : std::string();
    try {
        if (unfinished) {
            directory.write("failure.json", to_text(run_failure{exit_status::verdict, run_verdict::limit,
                                                                under_way, collector.flows_so_far()}));
        }
        traces.finish(simulated.simulated());
        warnings.add(traces.warnings());
        const run_summary summary = collector.finish(simulated.complete(), simulated.simulated());
        warnings.add(collector.warnings());
        if (config.run.warmup > picoseconds{0} && config.run.warmup >= simulated.simulated()) {
            warnings.add("run.warmup = " + to_text(config.run.warmup) +
                         " is longer than the run, which ended at " + to_text(simulated.simulated()) +
                         ": nothing is reported");
        }
        const nlohmann::ordered_json written = to_json(summary);
        warnings.add(absent_requests(config.output.metrics, written));
        const char* const ended = simulated.complete() ? "complete" : unfinished ? "failed" : "interrupted";
        write_facts(directory, stopwatch, simulated, config, ended, warnings);
        result_table(out, written, warnings.units(), config.run.warmup);
    } catch (const output_error& error) {
        if (!unfinished || !team.leads()) {
            throw;
        }
        err << "weir run: " << error.what() << '\n';
        failed.others_wait = !team.is_alone();
        throw command_error(under_way, exit_status::verdict);
    }
    const std::string results = directory.path().string() + " holds the results so far, marked incomplete\n";
    if (simulated.interrupted() != 0) {
        err << "weir run: interrupted at " << to_text(simulated.simulated()) << "; " << results;
        return exit_status::interrupted(simulated.interrupted());
    }
    if (unfinished) {
        err << "weir run: " << under_way << "; " << results;
        return exit_status::verdict;
    }
    return 0;
}

/// Returns the sizes as they were given, without those that a path, a tag or a name of the run holds.
given_units units_of(const run_arguments& given, prepared_run& run) {
    given_units units(given.options, given.config_files);
    if (units.by_option().empty()) {
        return units;
    }
    run_config& config = run.loaded.config;
    const std::vector<std::string> read = input_paths(config, make_option_table(config));
    const std::vector<std::string> written{given.out, given.config_db};
    for (const std::vector<std::string>& names : {given.options, given.config_files, read, written, run.tags}) {
        for (const std::string& name : names) {
            units.keep(name);
        }
    }
    if (run.errors.empty()) {
        const topology& plan = run.topology.plan;
        for (host_id h = 0; h < plan.hosts(); ++h) {
            units.keep(plan.name(node_ref::of_host(h)));
        }
        for (switch_id s = 0; s < plan.switches(); ++s) {
            units.keep(plan.name(node_ref::of_switch(s)));
        }
        for (const topology_link& link : plan.links()) {
            units.keep(link.name);
        }
    }
    return units;
}

/// `out` and `err` go nowhere but on rank 0.
int run_as_rank(const std::vector<std::string>& args, rank_team& team, std::ostream& out, std::ostream& err) {
    run_stopwatch stopwatch("run", args);

    run_arguments given;
    argument_list arguments;
    given.describe(arguments);
    config_errors errors = arguments.read(args);
    if (print_other_command(team, "run", err)) {
        return exit_status::bad_input;
    }
    if (!team.is_alone()) {
        config_errors wrong;
        const char* const help = arguments.wants_help() ? "on" : "off";
        if (const auto difference = difference_between_ranks(team, {{"--help", help}})) {
            wrong.push_back(*difference);
        }
        if (print_errors_of_ranks(team, wrong, err)) {
            return exit_status::bad_input;
        }
    }
    if (arguments.wants_help()) {
        out << arguments.help(run_arguments::command);
        write_help(out, known_options());
        return 0;
    }
    const bool dry = given.dry_run;
    const std::string& config_db = given.config_db;
    prepared_run run = prepare_run(load_config_files(given.options, given.config_files));
    errors.insert(errors.end(), run.errors.begin(), run.errors.end());
    const given_units units = units_of(given, run);
    for (config_error& error : errors) {
        error.message = units.in(error.message);
    }
    if (!team.is_alone() && run.loaded.config.run.engine == engine_kind::literal) {
        errors.push_back({{}, 0, "run.engine", "'literal' runs in one process; expected fast, or no mpirun"});
    }
    if (print_errors_of_ranks(team, errors, err)) {
        return exit_status::bad_input;
    }
    if (!team.is_alone()) {
        std::vector<rank_fact> facts = facts_of_rank(run.loaded.config);
        // Lists of traces may be of different length, and end the list.
        facts.insert(facts.begin(), {"--dry-run", dry ? "on" : "off"});
        const std::optional<config_error> difference = difference_between_ranks(team, std::move(facts));
        if (difference) {
            errors.push_back(*difference);
        }
    }
    if (errors.empty() && !dry && team.leads()) {
        errors = check_run_directory(given.out);
    }
    written_config_db written;
    if (errors.empty() && !config_db.empty() && !organisation_of(run.loaded.config.device).is_shared) {
        errors.push_back(
            {{}, 0, "--write-config-db", "has no buffers to write; expected switch.buffer = shared"});
    } else if (errors.empty() && !config_db.empty()) {
        written = config_db_of_switch(run.loaded.config, run.topology, given.config_db_switch);
        errors = written.errors;
        run.loaded.locate(errors);
        if (team.leads()) {
            errors.add(check_config_db_target(config_db));
        }
    }
    if (print_errors_of_ranks(team, errors, err)) {
        return exit_status::bad_input;
    }
    warning_log warnings(err, units);
    warnings.add(run.warnings);
    warnings.add(written.warnings);
    if (dry) {
        std::ostringstream fabric;
        print_fabric(fabric, run.loaded.config, run.topology);
        out << units.in(fabric.str());
        if (!config_db.empty() && team.leads()) {
            write_file(config_db, written.document.dump(4) + "\n");
        }
        return 0;
    }
    std::optional<run_directory> directory;
    std::int64_t refused = exit_status::success;
    if (team.leads()) {
        try {
            directory.emplace(given.out);
        } catch (const output_error& error) {
            const command_error why =
                refused_path(error, "--out", "a writable directory that no other run uses");
            refused = print_failure("weir run", failure_of(why), err);
        }
    } else {
        directory.emplace();
    }
    team.agree(&refused, 1);
    if (refused != exit_status::success) {
        return static_cast<int>(refused);
    }
    failed_simulation failed;
    try {
        return simulate(run, team, *directory, stopwatch, warnings, out, err, failed);
    } catch (const ended_by_other_rank&) {
        throw;
    } catch (const std::exception& error) {
        failure what = failure_of(error);
        // The input has been found good: what fails now is the environment.
        what.status = what.status == exit_status::bad_input ? int{exit_status::environment} : what.status;
        const int status = print_failure("weir run", what, err);
        err << "weir run: the run failed; incomplete files in " << given.out << " end in .partial\n"
            << (failed.hint.empty() ? "" : "hint: " + failed.hint + "\n");
        const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error);
        if (failed.others_wait || (!team.is_alone() && (report == nullptr || !is_known_to_all(*report)))) {
            throw failure_of_rank{what};
        }
        return status;
    }
}

}  // namespace

int run_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    std::optional<rank_session> ranks;
    try {
        ranks.emplace();
    } catch (const std::exception& error) {
        return refused_session("run", error, err);
    }
    rank_team& team = ranks->team();
    std::ostream nowhere(nullptr);
    const bool speaks = team.leads();
    try {
        const int status = run_as_rank(args, team, speaks ? out : nowhere, speaks ? err : nowhere);
        // The launcher may end this process as soon as another rank has ended with a status other than 0.
        out.flush();
        return status;
    } catch (const ended_by_other_rank&) {
        ranks->wait_for_end();
        return exit_status::environment;
    } catch (const failure_of_rank& failed) {
        // The leader has said it.
        if (!speaks) {
            print_failure("weir run: rank " + std::to_string(team.rank()), failed.what, err);
        }
        ranks->end_all(failed.what.status);
        return failed.what.status;
    } catch (const std::exception& error) {
        if (team.is_alone()) {
            throw;
        }
        const std::string who = speaks ? "weir run" : "weir run: rank " + std::to_string(team.rank());
        const int status = print_failure(who, failure_of(error), err);
        ranks->end_all(status);
        return status;
    }
}

}  // namespace weir::tb
