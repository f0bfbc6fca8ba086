#include "tb/run/arguments/commands.h"

#include <algorithm>

#include "tb/asic/headroom/headroom_options.h"
#include "tb/asic/headroom/headroom_report.h"
#include "tb/asic/headroom/profile_file.h"
#include "tb/asic/headroom/verify.h"
#include "tb/run/arguments/argument_list.h"
#include "tb/run/fields/load_options.h"
#include "tb/run/help/option_help.h"
#include "tb/support/files/input_file.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/status_line.h"

namespace weir::tb {

namespace {

enum class headroom_format : std::uint8_t { csv, json, sonic };
constexpr auto names_of(headroom_format) {
    return enum_names<headroom_format>(
        {{headroom_format::csv, "csv"}, {headroom_format::json, "json"}, {headroom_format::sonic, "sonic"}});
}

struct headroom_arguments {
    static constexpr command_text command{
        "weir headroom [FILE.ini] [--key=value ...]                  prints every term with its source, and "
        "the total\n"
        "weir headroom ... --verify                                  simulates the worst case: margin, waste, "
        "first drop\n"
        "weir headroom ... --table [--format=csv|json|sonic]         one row for each speed and cable length\n"
        "weir headroom ... --diff FILE                               compares with a pg_profile_lookup.ini of "
        "SONiC\n\n"
        "  --format=csv|json   works without --table, too\n\n"
        "A key is an option of [headroom]; the prefix `headroom.` may be left out: --rate=100Gbps "
        "--cable=300m. Exit status: 0 success,\n"
        "1 --diff found a difference or --verify that frames can be lost, 2 bad input, 3 the environment "
        "failed.\n\n"};

    std::vector<std::string> ini_files;
    std::optional<headroom_format> format;
    std::optional<std::string> diff;
    bool table = false;
    bool verify = false;
    /// Options of [headroom].
    std::vector<std::string> options;

    void describe(argument_list& arguments) {
        arguments.files(ini_files, 0, 1);
        arguments.options_of_run(options);
        // If --format is given several times, the last one counts.
        arguments("format", format, "FORMAT").repeated().excludes("diff");
        arguments("diff", diff, "FILE").repeated();
        arguments("table", table).excludes("diff", "which takes its rows from the file");
        arguments("verify", verify).excludes("diff");
    }
    void complete(config_errors& errors) const {
        if (format == headroom_format::sonic && !table) {
            add_error(errors, "--format",
                      "'sonic' is not available here; expected csv, json, or sonic with --table");
        }
        if (verify && (table || format == headroom_format::csv)) {
            add_error(errors, "--verify",
                      "simulates one link and writes no CSV; expected no --table, --diff or --format=csv");
        }
    }
};

/// `--rate` stands for `--headroom.rate`.
std::vector<std::string> with_full_names(const std::vector<std::string>& args, const option_table& table) {
    std::vector<std::string> full;
    for (const std::string& arg : args) {
        const std::string name = arg.substr(0, arg.find('='));
        const bool is_short =
            name.compare(0, 2, "--") == 0 && table.find("headroom." + name.substr(2)) != nullptr;
        full.push_back(is_short ? "--headroom." + arg.substr(2) : arg);
    }
    return full;
}

class headroom_job {
 public:
    headroom_job(std::ostream& out, std::ostream& err)
        : m_out(out), m_err(err), m_table(make_headroom_table(m_request)) {}

    int run(const std::vector<std::string>& args) {
        argument_list arguments;
        m_given.describe(arguments);
        const config_errors errors = arguments.read(with_full_names(args, m_table), m_table);
        if (arguments.wants_help()) {
            m_out << arguments.help(headroom_arguments::command);
            write_blocks(m_out, m_table);
            return exit_status::success;
        }
        load_option_files(m_loaded, m_table, m_given.options, m_given.ini_files);
        m_loaded.errors.insert(m_loaded.errors.begin(), errors.begin(), errors.end());
        if (is_table()) {
            check_rows();
        }
        m_given.complete(m_loaded.errors);
        check_command();
        read_diff();
        if (!m_loaded.errors.empty()) {
            return print_errors(m_loaded.errors, m_err);
        }
        for (const config_error& warning : m_loaded.warnings) {
            m_err << "warning: " << format_error(warning) << '\n';
        }
        return print();
    }

 private:
    bool is_table() const { return m_given.table || m_given.diff; }
    bool is_sonic() const { return m_given.format == headroom_format::sonic; }
    void fail(const std::string& key, const std::string& message) { add_error(m_loaded.errors, key, message); }

    /// A row that is there twice is refused by readers of the table, such as --diff.
    template <class Value>
    void refuse_twice(const char* key, const std::vector<Value>& values) {
        for (auto value = values.begin(); value != values.end(); ++value) {
            const auto before = std::find(values.begin(), value, *value);
            if (before != value) {
                config_errors found{{{},
                                     0,
                                     key,
                                     to_text(*value) + " is given twice (values " +
                                         std::to_string(before - values.begin() + 1) + " and " +
                                         std::to_string(value - values.begin() + 1) +
                                         "); expected each value once"}};
                m_loaded.locate(found);
                m_loaded.errors.push_back(found[0]);
                return;
            }
        }
    }

    /// Every row has to be possible; the first error of each row that is not.
    void check_rows() {
        if (m_request.speeds.empty() || m_request.cables.empty()) {
            fail(m_request.speeds.empty() ? "headroom.speeds" : "headroom.cables",
                 "is empty; expected at least one value");
        }
        refuse_twice("headroom.speeds", m_request.speeds);
        refuse_twice("headroom.cables", m_request.cables);
        for (const bit_rate speed : m_request.speeds) {
            headroom_budget_config row = m_request.budget;
            row.rate = speed;
            config_errors found = row.validate();
            if (!found.empty() && m_request.budget.validate().empty()) {
                m_loaded.locate(found);
                found[0].message += " (at " + to_text(speed) + ")";
                m_loaded.errors.push_back(found[0]);
            }
        }
    }

    void check_command() {
        const auto refuse = [&](const char* key, bool when, const char* why) {
            if (when && m_loaded.is_set(key)) {
                config_errors found{{{}, 0, key, why}};
                m_loaded.locate(found);
                m_loaded.errors.push_back(found[0]);
            }
        };
        for (const char* key : {"headroom.speeds", "headroom.cables"}) {
            refuse(key, !m_given.table, "has no effect without a table; expected --table");
        }
        for (const char* key : {"headroom.threshold", "headroom.xon_offset"}) {
            refuse(key, !is_sonic(), "has no effect here; expected --table --format=sonic");
        }
        if (is_sonic() && m_given.table) {
            for (const bit_rate speed : m_request.speeds) {
                if (speed.count() % 1'000'000 != 0) {
                    fail("headroom.speeds",
                         to_text(speed) + " cannot be written to a SONiC file; expected speeds in whole Mb/s");
                }
            }
        }
        for (const char* key : {"headroom.seed", "headroom.search_cases", "headroom.attacked_memory",
                                "headroom.attacked_ports"}) {
            refuse(key, !m_given.verify, "has no effect without a simulation; expected --verify");
        }
        refuse("headroom.mix", m_given.verify,
               "gives only the mean of the frame lengths, but an attack chooses the order of frames; expected "
               "no --verify");
        if (m_given.verify && m_loaded.errors.empty()) {
            config_errors found = m_request.attack.validate(make_headroom_budget(m_request.budget));
            m_loaded.locate(found);
            m_loaded.errors.insert(m_loaded.errors.end(), found.begin(), found.end());
        }
        for (const char* key : {"headroom.rate", "headroom.cable"}) {
            refuse(key, is_table(),
                   "has no effect on a table; expected headroom.speeds and headroom.cables, with --table");
        }
    }

    void read_diff() {
        if (!m_given.diff) {
            return;
        }
        const std::string& name = *m_given.diff;
        input_file opened = open_input(name);
        if (!opened.why_not.empty()) {
            m_loaded.errors.push_back(unreadable("--diff", name, opened.why_not, "a pg_profile_lookup.ini"));
            return;
        }
        m_file = read_profile_file(opened.text, name);
        m_loaded.errors.insert(m_loaded.errors.end(), m_file.errors.begin(), m_file.errors.end());
    }

    headroom_budget budget_at(bit_rate speed, millimetres cable) const {
        headroom_budget_config config = m_request.budget;
        config.rate = speed;
        config.cable = cable;
        return make_headroom_budget(config);
    }
    profile_row row_of(const headroom_budget& b) const {
        return {b.used.rate,         b.used.cable,        b.size, b.xon, b.headroom,
                m_request.threshold, m_request.xon_offset};
    }

    int print() {
        if (m_given.diff) {
            return print_difference();
        }
        std::vector<headroom_budget> budgets;
        std::optional<headroom_verdict> verdict;
        if (!m_given.table) {
            budgets.push_back(make_headroom_budget(m_request.budget));
        } else {
            for (const millimetres cable : m_request.cables) {
                for (const bit_rate speed : m_request.speeds) {
                    budgets.push_back(budget_at(speed, cable));
                }
            }
        }
        if (m_given.verify) {
            status_line status(m_err, true);
            verdict = verify_headroom(budgets[0], m_request.attack, [&](std::size_t attacks) {
                status.show(std::to_string(attacks) + " attacks simulated");
            });
        }
        if (m_given.format == headroom_format::csv) {
            write_budget_csv(m_out, budgets);
        } else if (m_given.format == headroom_format::json) {
            write_budget_json(m_out, budgets, verdict ? &*verdict : nullptr);
        } else if (is_sonic()) {
            std::vector<profile_row> rows;
            std::transform(budgets.begin(), budgets.end(), std::back_inserter(rows),
                           [&](const headroom_budget& b) { return row_of(b); });
            write_profile_file(
                m_out, rows,
                std::string("weir " WEIR_VERSION ", profile ") + name_of(m_request.budget.profile));
        } else if (m_given.table) {
            print_budget_table(m_out, budgets);
        } else {
            print_budget(m_out, budgets[0]);
            if (verdict) {
                print_verdict(m_out, budgets[0], *verdict);
            }
        }
        return verdict && (verdict->headroom_loses || !verdict->contradiction.empty()) ? exit_status::verdict
                                                                                       : exit_status::success;
    }

    int print_difference() {
        std::vector<profile_row> computed;
        metres_per_second propagation{1};
        for (const profile_row& row : m_file.rows) {
            const headroom_budget made = budget_at(row.speed, row.cable);
            propagation = *made.used.propagation;
            computed.push_back(row_of(made));
        }
        return print_diff(m_out, m_file.rows, computed, *m_given.diff, propagation) == 0 ? exit_status::success
                                                                                         : exit_status::verdict;
    }

    std::ostream& m_out;
    std::ostream& m_err;
    headroom_request m_request;
    option_table m_table;
    headroom_arguments m_given;
    loaded_options m_loaded;
    profile_file m_file;
};

}  // namespace

int headroom_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    return headroom_job(out, err).run(args);
}

}  // namespace weir::tb
