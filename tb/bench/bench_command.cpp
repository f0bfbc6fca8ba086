#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>

#include "tb/bench/bench_arguments.h"
#include "tb/bench/bench_report.h"
#include "tb/run/options/load_config.h"
#include "tb/run/samples/json_values.h"
#include "tb/run/summary/run_facts.h"
#include "tb/support/files/output_file.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/ending_signals.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/output_error.h"
#include "tb/support/process/status_line.h"
#include "tb/support/text/joined.h"
#include "weir/base/processors.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

class benchmark {
 public:
    benchmark(const bench_arguments& arguments, std::ostream& err)
        : m_arguments(arguments),
          m_weir(arguments.overrides, m_work.path()),
          m_peer(arguments.against ? std::make_unique<peer_engine>(name_of(*arguments.against), arguments.htsim,
                                                                   m_work.path())
                                   : nullptr),
          m_progress(err, true) {}

    void prepare() {
        if (m_arguments.instructions) {
            check_callgrind();
        }
        m_weir.check(m_arguments.cases,
                     *std::max_element(m_arguments.threads.begin(), m_arguments.threads.end()));
        if (m_peer) {
            m_progress.show("compiling the program of " + m_peer->name());
            m_peer->prepare();
        }
        for (const bench_case& which : m_arguments.cases) {
            bench_result result{which, {}};
            for (const unsigned threads : m_arguments.threads) {
                result.rows.push_back(row_of(m_weir, which, threads));
            }
            if (m_peer && which.peers.count(m_peer->name()) != 0) {
                result.rows.push_back(row_of(*m_peer, which, 1));
            }
            m_results.push_back(std::move(result));
        }
    }

    /// All rows in turn, so that what else the machine does meets all alike.
    void measure() {
        for (bench_result& result : m_results) {
            for (unsigned turn = 1; turn <= m_arguments.repeat; ++turn) {
                for (bench_row& row : result.rows) {
                    show(result, row, std::to_string(turn) + " of " + std::to_string(m_arguments.repeat));
                    row.samples.push_back(engine_of(row).run(result.which, row.threads));
                }
            }
            if (m_arguments.instructions) {
                count(result);
            }
        }
    }

    const std::string& warnings() const { return m_weir.warnings(); }
    /// Cases of which every row has been measured, were it not as often as was asked for.
    std::vector<bench_result> results() const {
        std::vector<bench_result> measured;
        std::copy_if(m_results.begin(), m_results.end(), std::back_inserter(measured),
                     [](const bench_result& result) { return result.is_measured(); });
        return measured;
    }
    bench_facts facts(const run_facts& run, bool complete) const {
        bench_facts f{WEIR_VERSION, complete,         m_weir.machine(),      usable_processors(),
                      run.date,     run.command_line, m_arguments.overrides, {}};
        if (m_peer) {
            f.peers.push_back({m_peer->name(), m_peer->version(), m_peer->build()});
        }
        return f;
    }

 private:
    bench_engine& engine_of(const bench_row& row) {
        return row.engine == m_weir.name() ? static_cast<bench_engine&>(m_weir) : *m_peer;
    }
    static bench_row row_of(const bench_engine& engine, const bench_case& which, unsigned threads) {
        return {engine.name(), threads, {}, {}, engine.timed_ns(which), engine.options(which)};
    }
    void show(const bench_result& result, const bench_row& row, const std::string& what) {
        m_progress.show(result.which.name + ", " + row.engine + ", threads " + std::to_string(row.threads) +
                        ": " + what);
    }
    /// Of one row per engine: instructions are counted with one thread.
    void count(bench_result& result) {
        for (bench_row& row : result.rows) {
            const bool first = &row == &result.rows.front() || row.engine != result.rows.front().engine;
            if (first) {
                show(result, row, "callgrind");
                row.instructions_per_hop = engine_of(row).instructions_per_hop(result.which);
            }
        }
    }

    const bench_arguments& m_arguments;
    work_directory m_work{"weir_bench_"};
    weir_engine m_weir;
    /// Null where there is none.
    std::unique_ptr<peer_engine> m_peer;
    status_line m_progress;
    std::vector<bench_result> m_results;
};

void list_cases(std::ostream& out) {
    const auto name_of = [](const auto& peer) { return peer.first; };
    for (const bench_case& known : bench_cases()) {
        out << known.name << std::string(12 - std::min<std::size_t>(11, known.name.size()), ' ') << known.what
            << (known.peers.empty() ? "" : " (also in " + joined(known.peers, ", ", name_of) + ")") << '\n';
    }
}

/// Errors that forbid writing bench.json there; changes nothing. Throws output_error if it cannot be read.
config_errors check_out(const fs::path& path) {
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) {
        return {};
    }
    const auto refuse = [&](const std::string& what) {
        return config_errors{{"", 0, "--out",
                              "'" + path.string() + "' " + what +
                                  "; expected a directory that is new, empty or has a bench.json"}};
    };
    if (!fs::is_directory(path, error)) {
        return refuse("is a file");
    }
    for (const auto& entry : fs::directory_iterator(path, error)) {
        const std::string name = entry.path().filename().string();
        if (name != "bench.json" && name != "bench.json.partial") {
            return refuse("holds '" + name + "'");
        }
    }
    if (error) {
        throw output_error(path, "cannot be read", error);
    }
    return {};
}

}  // namespace

int bench_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    const run_stopwatch stopwatch("bench", args);
    bench_arguments arguments;
    config_errors errors;
    if (read_arguments(arguments, args, out, errors)) {
        return exit_status::success;
    }
    if (errors.empty()) {
        errors = check_out(arguments.out);
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (arguments.list) {
        list_cases(out);
        return 0;
    }
    const signal_guard signals;
    benchmark bench(arguments, err);
    int status = exit_status::success;
    try {
        bench.prepare();
        if (!arguments.out.empty()) {
            make_out_directory(arguments.out);  // before hours of measuring, not after
        }
        err << bench.warnings();
        if (!is_optimised_build()) {
            err << "warning: this program was built without optimisation, or with a sanitizer; its results "
                   "differ from those of a release\n";
        }
        bench.measure();
    } catch (const std::exception& error) {
        status = print_failure("weir bench", failure_of(error), err);
    }
    // Also of a benchmark that was interrupted.
    const std::vector<bench_result> results = bench.results();
    if (!results.empty()) {
        const bench_facts facts = bench.facts(stopwatch.facts(), status == exit_status::success);
        print_bench(out, facts, results);
        if (!arguments.out.empty()) {
            write_file(fs::path(arguments.out) / "bench.json", to_text(to_json(facts, results)));
            synchronise(arguments.out);
        }
    }
    return status;
}

}  // namespace weir::tb
