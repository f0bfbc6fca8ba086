#include "tb/sweep/sweep_arguments.h"

#include <algorithm>
#include <set>

#include "tb/arguments/argument_reader.h"
#include "tb/options/load_config.h"
#include "tb/options/run_options.h"
#include "tb/sweep/quantity.h"

namespace weir::tb {

namespace {

const command_declaration declared{
    "weir sweep [CONFIG.ini ...] --vary KEY=VALUES [--vary ...] [--seeds LIST] [--key=value ...] --out "
    "DIR\nweir "
    "sweep [CONFIG.ini ...] --vary KEY=VALUES [--vary ...] [--seeds LIST] [--key=value ...] --dry-run\n\nRuns "
    "every combination of the varied options with every seed, in parallel processes, and writes the\nresults "
    "into one table. The same command again goes on where it was stopped or killed.\n\n",
    30,
    {
        {"vary", "KEY=A,B,C", "a list; put a value that has commas into brackets: (0,7)"},
        {"vary", "KEY=LOW..HIGH:STEP", "LOW, LOW + STEP, ... HIGH; ends and step with units"},
        {"vary", "KEY=LOW..HIGH:log:N", "N values with equal ratios; lin instead of log: with equal distances"},
        {"vary", "K1,K2=(A,B),(C,D)", "options that vary together"},
        {"vary", "KEY+=A,B", "adds to the lines of an option that may be given several times"},
        {"seeds", "N|LIST",
         "N seeds from run.seed on, or a list such as 3,7,11 or 1..10; each point has the same"},
        {"key=value", nullptr, "any option, for every point; `weir run --help` lists them"},
        {"out", "DIR", "where to write; new, empty or the same sweep"},
        {"jobs", "N",
         "number of simultaneous runs (default: the number of processors); under mpirun,\nof each rank "
         "(default: 1)"},
        {"launcher", "COMMAND",
         "starts each run by this command, such as 'bsub -K -q short' or 'srun -n1': one that\nwaits for the "
         "run, "
         "and ends with its exit status"},
        {"keep", "summary|all",
         "files kept of each run: summary.json, effective.ini and run.json (summary, the\ndefault), or all"},
        {"metric", "LIST",
         "numbers from summary.json for the tables: names (fct_ns.p99, drops.total), prefixes\n(jct_ns), "
         "patterns ('*.p99'); may be repeated; default: all"},
        {"metrics", "LIST", nullptr},
        {"confidence", "SHARE", "confidence level of the intervals (default 95%)"},
        {"against", "KEY",
         "compare each point with the point that has the first value of KEY and is otherwise\nequal (default: "
         "with the first point)"},
        {"plot", "METRIC",
         "draw METRIC over the first two varied options; may be repeated. `weir plot DIR\n--metric METRIC "
         "--over KEY` does the same later, and more"},
        {"point", "LIST",
         "make the runs of these points alone: 3, 1,5 or 1..10, as the folders are numbered. Any\nnumber of "
         "such "
         "commands may share DIR; no tables"},
        {"collect", nullptr, "make no runs: tables and pictures of those that are there"},
        {"extend", nullptr, "DIR may hold the same sweep with fewer seeds"},
        {"retry-failed", nullptr, "repeat the runs that failed"},
        {"mixed-builds", nullptr, "continue although the runs in DIR were made by another build of weir"},
        {"dry-run", nullptr, "check every point, print the plan, write nothing"},
    },
    0,
    SIZE_MAX};

class sweep_reader {
 public:
    explicit sweep_reader(const std::vector<std::string>& args)
        : m_table(make_option_table(m_scratch)), m_given(declared, args, m_table) {
        m_table.set_cell(load_config_files(m_given.options(), m_given.files()).config.device.memory_cell);
    }

    sweep_arguments read() {
        m_read.help = m_given.wants_help();
        m_read.files = m_given.files();
        m_read.overrides = m_given.options();
        m_read.extend = m_given.has("extend");
        m_read.retry_failed = m_given.has("retry-failed");
        m_read.campaign.mixed_builds = m_given.has("mixed-builds");
        m_read.campaign.dry_run = m_given.has("dry-run");
        m_read.campaign.collects = m_given.has("collect");
        m_read.points = m_given.once("point");
        m_read.campaign.shares = m_read.points.has_value();
        if (m_read.points && m_read.campaign.collects) {
            m_given.fail("--point", "is given with --collect, which makes no runs; expected one of the two");
        }
        if (m_read.campaign.collects && m_given.is_given("launcher")) {
            m_given.fail("--launcher", "is given with --collect, which makes no runs; expected one of the two");
        }
        read_axes();
        read_seeds();
        read_out(m_given, m_read.campaign);
        m_read.keep = m_given.one_of("keep", {"summary", "all"}) == 1 ? kept_files::all : kept_files::summary;
        read_tables();
        m_read.errors = m_given.errors;
        return std::move(m_read);
    }

 private:
    void read_axes() {
        std::set<std::string> swept;
        for (const std::string& text : m_given.all("vary")) {
            axis_result axis = read_axis(text, m_table);
            m_given.add(axis.errors);
            for (const std::string& key : axis.axis.keys) {
                if (!swept.insert(key).second) {
                    m_given.fail("--vary " + key, "is given more than once; expected one --vary per option");
                }
            }
            m_read.axes.push_back(std::move(axis.axis));
        }
        for (const std::string& option : m_read.overrides) {
            const std::string key = key_of_option(option);
            if (swept.count(key) != 0) {
                m_given.fail("--" + key, "is also varied; expected --vary or --" + key);
            }
        }
    }

    void read_seeds() {
        const std::optional<std::string> seeds = m_given.once("seeds");
        m_read.seeds = seeds.value_or("");
        if (seeds && seeds->empty()) {
            m_given.fail("--seeds", "is empty; expected a number of seeds, or seeds such as 1,2,3 or 1..10");
        }
        if (!seeds && m_given.all("vary").empty()) {
            m_given.fail("--vary", "is missing; expected --vary KEY=VALUES, or --seeds");
        }
        const bool is_list = seeds && seeds->find_first_of(",.") != std::string::npos;
        const bool has_seed = std::any_of(m_read.overrides.begin(), m_read.overrides.end(),
                                          [](const std::string& o) { return o.rfind("--run.seed=", 0) == 0; });
        if (is_list && has_seed) {
            m_given.fail("--run.seed",
                         "has no effect beside a list of --seeds; expected only one of the two, or --seeds N");
        }
    }

    void read_tables() {
        // `--metrics` is what it was called once.
        std::vector<std::string> metrics = m_given.list("metric");
        const std::vector<std::string> old = m_given.list("metrics");
        metrics.insert(metrics.end(), old.begin(), old.end());
        m_read.metrics = metric_filter(metrics);
        m_given.add(m_read.metrics.check("--metric"));
        m_read.plots = m_given.all("plot");
        if (m_read.points && !m_read.plots.empty()) {
            m_given.fail("--plot", "is given with --point, which has no tables; expected it with --collect");
        }
        m_given.add(metric_filter(m_read.plots).check("--plot"));
        if (!m_read.plots.empty() && m_read.axes.empty()) {
            m_given.fail("--plot", "has no option for its horizontal axis; expected at least one --vary");
        }
        m_read.tables.confidence = m_given.share("confidence", m_read.tables.confidence);
        if (const std::optional<std::string> against = m_given.once("against")) {
            const std::string key = m_table.key_of(*against);
            m_read.tables.against = key;
            const bool swept = std::any_of(m_read.axes.begin(), m_read.axes.end(), [&](const sweep_axis& axis) {
                return std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end();
            });
            if (!swept) {
                m_given.fail("--against", "'" + *against + "' is not varied; expected a key of --vary");
            }
        }
    }

    run_config m_scratch;
    option_table m_table;
    argument_reader m_given;
    sweep_arguments m_read;
};

}  // namespace

std::string sweep_help() {
    return help_of(declared);
}

sweep_arguments read_sweep_arguments(const std::vector<std::string>& args) {
    return sweep_reader(args).read();
}

}  // namespace weir::tb
