// The program `weir`.
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "tb/bench/bench_command.h"
#include "tb/compare/compare_command.h"
#include "tb/headroom/headroom_command.h"
#include "tb/options/options_command.h"
#include "tb/plot/plot_command.h"
#include "tb/replay/replay_command.h"
#include "tb/results/table_command.h"
#include "tb/run/run_command.h"
#include "tb/sweep/sweep_command.h"
#include "tb/sweep/sweep_plot_command.h"

namespace {

const char* const usage =
    "weir COMMAND ...\n\n"
    "  weir run [CONFIG.ini] [--key=value ...] --out DIR     one simulation\n"
    "  weir run [CONFIG.ini] [--key=value ...] --dry-run     checks, and prints the fabric\n"
    "  weir sweep [CONFIG.ini] --vary KEY=A,B,... --out DIR  many runs, one table\n"
    "  weir plot DIR [DIR ...] --out DIR                     pictures from one run, or several compared\n"
    "  weir plot SWEEP_DIR --metric M --over KEY --out DIR   pictures from a sweep\n"
    "  weir table DIR [DIR ...]                              several runs in one table\n"
    "  weir replay BLOCK ...                                 one block with stimulus files, as RTL is tested\n"
    "  weir bench [CASE ...] [--against ns3]                 speed and memory, fixed fabrics and loads\n"
    "  weir compare EXPECTED ACTUAL ...                      two files of events, with tolerances and waivers\n"
    "  weir headroom [--rate=R] [--cable=L] ...              PFC headroom, term by term\n"
    "  weir options [--format=ini|md]                        the reference of all options\n\n"
    "weir COMMAND --help says more. Exit status: 0 success, 1 the run failed, 2 bad input.\n";

int dispatch(const std::string& command, const std::vector<std::string>& args) {
    if (command == "run") {
        return weir::run_command(args, std::cout, std::cerr);
    }
    if (command == "sweep") {
        return weir::sweep_command(args, std::cout, std::cerr);
    }
    if (command == "plot" && weir::is_sweep_plot(args)) {
        return weir::sweep_plot_command(args, std::cout, std::cerr);
    }
    if (command == "plot") {
        return weir::plot_command(args, std::cout, std::cerr);
    }
    if (command == "table") {
        return weir::table_command(args, std::cout, std::cerr);
    }
    if (command == "replay") {
        return weir::replay_command(args, std::cout, std::cerr);
    }
    if (command == "bench") {
        return weir::bench_command(args, std::cout, std::cerr);
    }
    if (command == "compare") {
        return weir::compare_command(args, std::cout, std::cerr);
    }
    if (command == "headroom") {
        return weir::headroom_command(args, std::cout, std::cerr);
    }
    if (command == "options") {
        return weir::options_command(args, std::cout, std::cerr);
    }
    if (command == "--help" || command == "help") {
        std::cout << usage;
        return 0;
    }
    if (command == "--version") {
        std::cout << "weir " WEIR_VERSION "\n";
        return 0;
    }
    std::cerr << "command line: '" << command
              << "' is unknown; allowed: run, sweep, plot, table, replay, bench, compare, headroom, options\n\n"
              << usage;
    return 2;
}

}  // namespace

// libsystemc's own main prints a banner, so the program has its own; the library still wants this symbol.
int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    // A file that may not grow is an error of the write, with a message, and not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    const std::vector<std::string> args(argv + 1, argv + argc);
    if (args.empty()) {
        std::cerr << usage;
        return 2;
    }
    int status = 1;
    try {
        status = dispatch(args[0], {args.begin() + 1, args.end()});
    } catch (const std::exception& error) {
        std::cerr << "weir: " << error.what() << '\n';
    }
    std::cout.flush();
    if (status == 0 && !std::cout) {
        std::cerr << "weir: standard output can not be written\n";
        status = 1;
    }
    // A fabric of tens of thousands of modules takes long to take apart, and nothing is left to do.
    std::cerr.flush();
    std::_Exit(status);
}
