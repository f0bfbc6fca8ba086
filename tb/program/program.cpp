#include "tb/program/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "tb/run/arguments/argument_help.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/fields/plugin_arguments.h"
#include "tb/study/sweep/metrics.h"
#include "tb/support/plugins/loaded_plugins.h"
#include "tb/support/process/build_facts.h"
#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/launcher.h"
#include "tb/support/process/processor_check.h"
#include "tb/support/text/joined.h"

#ifdef WEIR_PROFILE_COUNTING
// Of GCC's library of profiles: writes what was counted.
extern "C" void __gcov_dump();
#endif

namespace weir::tb {

namespace {

using arguments = std::vector<std::string>;

struct subcommand {
    std::string name;
    command* run;
    /// A line each, as the usage has them.
    std::vector<const char*> usage;
    /// Its arguments may be options of a run.
    bool takes_options = false;
    /// Several processes that mpirun has started divide its work.
    bool uses_ranks = false;
};

int plot(const arguments& args, std::ostream& out, std::ostream& err) {
    const plot_subject subject = subject_of_plot(args);
    command* const draw = subject == plot_subject::sweep             ? sweep_plot_command
                          : subject == plot_subject::metrics_of_runs ? run_metric_plot_command
                                                                     : plot_command;
    return draw(args, out, err);
}

const std::vector<subcommand>& subcommands() {
    static const std::vector<subcommand> all{
        {"run",
         run_command,
         {"run [CONFIG.ini ...] [--key=value ...] --out DIR   one simulation",
          "run [CONFIG.ini ...] [--key=value ...] --dry-run   checks the input and prints the fabric"},
         true,
         true},
        {"sweep",
         sweep_command,
         {"sweep [CONFIG.ini ...] --vary KEY=A,B,... ...      many runs, one table"},
         true,
         true},
        {"size",
         size_command,
         {"size [CONFIG.ini ...] --goal G --smallest KEY=...  the smallest value for which a goal is met"},
         true,
         true},
        {"reproduce",
         reproduce_command,
         {"reproduce PAPER [--quick] --out DIR                a paper's figures and statements, and ours"},
         false,
         true},
        {"plot",
         plot,
         {"plot DIR [DIR ...] --out DIR                       pictures from one run, or several compared",
          "plot DIR [DIR ...] --metric M [--over M] --out DIR a metric of each run",
          "plot SWEEP_DIR --metric M --over KEY --out DIR     pictures from a sweep"}},
        {"table",
         table_command,
         {"table DIR [DIR ...] [--format=text|csv|json|md]    runs, or the points of sweeps, in one table"}},
        {"report",
         report_command,
         {"report DIR [DIR ...] --out FILE.html               one page of a run, or of several compared"}},
        {"headroom",
         headroom_command,
         {"headroom [--rate=R] [--cable=L] ...                PFC headroom, term by term"}},
        {"replay",
         replay_command,
         {"replay BLOCK ...                                   one block, driven by stimulus files like RTL in "
          "a test"}},
        {"compare",
         compare_command,
         {"compare EXPECTED ACTUAL ...                        two files of events, with tolerances and "
          "waivers"}},
        {"accuracy",
         accuracy_command,
         {"accuracy SWEEP_DIR --pair KEY=MODEL,REFERENCE      difference between two models, transfer by "
          "transfer"}},
        {"bench",
         bench_command,
         {"bench [CASE ...] [--against PEER]                  speed and memory for fixed fabrics and loads"},
         true},
        {"options",
         options_command,
         {"options [WORD ...] [--format=text|ini|md]          the reference of all options, or of some",
          "options --diff A B                                 the options in which two configurations differ"}},
    };
    return all;
}

void print_usage(std::ostream& out) {
    out << "weir COMMAND ...\n\n";
    for (const subcommand& c : subcommands()) {
        for (const char* line : c.usage) {
            out << "  weir " << line << '\n';
        }
    }
    out << "  weir help WORD ...                                      options, blocks, schemes, commands and "
           "their arguments explained\n"
           "  weir help metric [NAME ...]                             the numbers in results: unit, title, "
           "condition\n"
           "  weir --version                                          version, commit, build and libraries\n"
           "  weir --bash-completion, weir --man-page                 for bash, and for man, with all "
           "options\n";
    out << "\nweir COMMAND --help says more; weir help WORD explains an option, a block of options, a scheme "
           "or an argument; --plugin LIB, in every command, loads blocks of your own.\nExit status: 0 success; "
           "1 a verdict of the model or of a comparison;\n"
           "2 bad input, nothing was written; 3 the environment failed (a full disk, no memory).\n";
}

void print_version(std::ostream& out) {
    const build_facts& build = this_build();
    out << "weir " << build.version << ", commit " << build.commit << '\n' << build.build << '\n';
    out << joined(build.libraries, ", ", [](const auto& each) { return each.first + " " + each.second; })
        << '\n';
}

constexpr std::string_view help_about = "--help=";

std::vector<command_help> command_helps() {
    std::vector<command_help> all;
    for (const subcommand& c : subcommands()) {
        std::ostringstream text;
        c.run({"--help"}, text, std::cerr);
        all.push_back({c.name, text.str(), c.takes_options});
    }
    const std::pair<const char*, command*> more[] = {{"plot SWEEP_DIR", sweep_plot_command},
                                                     {"plot DIR --metric", run_metric_plot_command}};
    for (const auto& [name, run] : more) {
        std::ostringstream text;
        run({"--help"}, text, std::cerr);
        all.push_back({name, text.str()});
    }
    return all;
}

/// A command's help, or that of metrics, options, schemes and arguments; without words the usage.
int help(const arguments& words) {
    if (words.empty() || words.front() == "--help" || words.front() == "-h") {
        print_usage(std::cout);
        return 0;
    }
    for (const subcommand& c : subcommands()) {
        if (words.size() == 1 && c.name == words.front()) {
            return c.run({"--help"}, std::cout, std::cerr);
        }
    }
    if (words.front() == "metric" || words.front() == "metrics") {
        return metric_help({words.begin() + 1, words.end()}, std::cout, std::cerr);
    }
    arguments metrics;
    arguments others;
    std::partition_copy(words.begin(), words.end(), std::back_inserter(metrics), std::back_inserter(others),
                        is_possible_metric);
    const int status = others.empty() ? exit_status::success
                                      : help_on(others, command_helps(), known_metrics(), std::cout, std::cerr);
    return status != exit_status::success || metrics.empty() ? status
                                                             : metric_help(metrics, std::cout, std::cerr);
}

/// What is printed of the program itself.
constexpr std::pair<const char*, void (*)(std::ostream& out)> whole_texts[] = {
    {"--version", print_version},
    {"--bash-completion", [](std::ostream& out) { write_bash_completion(out, command_helps()); }},
    {"--man-page", [](std::ostream& out) { write_man_page(out, command_helps()); }},
};

int dispatch(const std::string& command, const arguments& args) {
    if (command == "--help" || command == "-h" || command == "help") {
        return help(args);
    }
    if (command.rfind(help_about, 0) == 0) {
        return help({command.substr(help_about.size())});
    }
    for (const auto& [name, print] : whole_texts) {
        if (command == name && !args.empty()) {
            std::cerr << "command line: " << args[0] << ": is not an argument of " << name
                      << "; expected none\n";
            return exit_status::bad_input;
        }
        if (command == name) {
            print(std::cout);
            return 0;
        }
    }
    for (const std::string& argument : args) {
        if (argument.rfind(help_about, 0) == 0) {
            return help({argument.substr(help_about.size())});
        }
    }
    for (const subcommand& c : subcommands()) {
        if (c.name != command) {
            continue;
        }
        if (!c.uses_ranks && launched_processes() > 1) {
            if (!speaks_for_launched()) {
                return exit_status::bad_input;
            }
            throw command_error("weir " + command + ": runs in one process, but a launcher has started " +
                                    std::to_string(launched_processes()) + "; expected no mpirun",
                                exit_status::bad_input);
        }
        return c.run(args, std::cout, std::cerr);
    }
    std::cerr << "command line: '" << command << "' is unknown; expected "
              << joined(subcommands(), ", ", [](const subcommand& c) { return c.name; }) << ", help\n\n";
    print_usage(std::cerr);
    return exit_status::bad_input;
}

/// Wherever it happens: on a thread, or in the kernel, an exception would end the program otherwise than with
/// this status.
[[noreturn]] void out_of_memory() {
    std::array<char, 64> text{};
    const char* const rank = launched_rank();
    const int size = rank == nullptr
                         ? std::snprintf(text.data(), text.size(), "weir: out of memory\n")
                         : std::snprintf(text.data(), text.size(), "weir: rank %.20s: out of memory\n", rank);
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, text.data(), static_cast<std::size_t>(size));
    std::_Exit(exit_status::environment);
}

void prepare_process() {
    check_processor();
    std::set_new_handler(out_of_memory);
}

/// Before any library's static objects take memory, and before anything that is compiled for this processor.
/// One pointer: an array of two is aligned to 16 bytes, and what a sanitizer's own pointer leaves free before
/// it would be called, too.
[[gnu::section(".preinit_array"), gnu::used]] void (*const first_of_all)() = prepare_process;

/// Takes the places of standard streams that the caller has closed: a file of results would get them, and every
/// message with it. Writing there fails, as it would without this.
void occupy_closed_streams() {
    int descriptor = 0;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) {
        descriptor = ::open("/dev/null", O_RDONLY);
    }
    ::close(descriptor);
}

}  // namespace

}  // namespace weir::tb

// libsystemc's own main prints a banner, so the program has its own; the library still wants this symbol.
int sc_main(int, char**) {
    return 0;
}

void weir::tb::run_program(int argc, char** argv) {
    occupy_closed_streams();
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    // A file that may not grow is an error of the write, with a message, and not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    std::vector<std::string> args(argv + 1, argv + argc);
    if (args.empty()) {
        print_usage(std::cerr);
        std::_Exit(exit_status::bad_input);
    }
    int status = exit_status::success;
    try {
        if (const std::string wrong = add_linked_plugin(); !wrong.empty()) {
            throw std::runtime_error(wrong);
        }
        plugin_arguments given = load_plugins(args, [](const std::string& name) {
            return std::any_of(subcommands().begin(), subcommands().end(),
                               [&](const subcommand& each) { return each.name == name && each.takes_options; });
        });
        args = std::move(given.rest);
        if (!given.errors.empty() && !speaks_for_launched()) {
            std::cerr << "On rank " << launched_rank() << ":\n";
        }
        status = !given.errors.empty() ? print_errors(given.errors, std::cerr)
                 : args.empty()        ? help({})
                                       : dispatch(args[0], {args.begin() + 1, args.end()});
    } catch (const std::exception& error) {
        status = print_failure(args.empty() ? "weir" : "weir " + args[0], failure_of(error), std::cerr);
    }
    std::cout.flush();
    if (status == exit_status::success && !std::cout) {
        std::cerr << "weir: standard output cannot be written\n";
        status = exit_status::environment;
    }
    // A fabric of tens of thousands of modules takes long to take apart, and nothing is left to do.
    std::cerr.flush();
#ifdef WEIR_PROFILE_COUNTING
    __gcov_dump();
#endif
    std::_Exit(status);
}
