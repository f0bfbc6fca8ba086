#include "tb/sweep/sweep_arguments.h"

#include <algorithm>
#include <set>

#include "tb/options/command_line.h"
#include "tb/options/run_config.h"
#include "tb/sweep/quantity.h"

namespace weir {

const char* const sweep_usage =
    "weir sweep [CONFIG.ini] --vary KEY=VALUES [--vary ...] [--seeds LIST] [--key=value ...] --out DIR\n"
    "weir sweep [CONFIG.ini] --vary KEY=VALUES [--vary ...] [--seeds LIST] [--key=value ...] --dry-run\n"
    "\n"
    "Runs every combination of the varied options with every seed, in parallel processes, and writes "
    "the\nresults into one table. The same command again goes on where it was stopped or killed.\n"
    "\n"
    "  --vary KEY=A,B,C            a list; put a value that has commas into brackets: (0,7)\n"
    "  --vary KEY=LOW..HIGH:STEP   LOW, LOW + STEP, ... HIGH; ends and step with units\n"
    "  --vary KEY=LOW..HIGH:log:N  N values with equal ratios; lin instead of log: with equal distances\n"
    "  --vary K1,K2=(A,B),(C,D)    options that vary together\n"
    "  --seeds N|LIST              N seeds from run.seed on, or a list such as 3,7,11 or 1..10; each point has "
    "the same\n"
    "  --key=value                 any option, for every point; `weir run --help` lists them\n"
    "  --out DIR                   where to write; new, empty or the same sweep\n"
    "  --jobs N                    number of simultaneous runs (default: the number of processors)\n"
    "  --keep summary|all          files kept of each run: summary.json, effective.ini and run.json (summary, "
    "the\n                              default), or all\n"
    "  --metrics LIST              numbers from summary.json for the tables: names (fct_ns.p99, drops.total), "
    "prefixes\n                              (jct_ns), patterns ('*.p99'); default: all\n"
    "  --confidence SHARE          confidence level of the intervals (default 95%)\n"
    "  --against KEY               compare each point with the point that has the first value of KEY and is "
    "otherwise\n                              equal (default: with the first point)\n"
    "  --plot METRIC               draw METRIC over the first two varied options; may be repeated. `weir plot "
    "DIR\n                              --metric METRIC --over KEY` does the same later, and more\n"
    "  --extend                    DIR may hold the same sweep with fewer seeds\n"
    "  --retry-failed              repeat the runs that failed\n"
    "  --mixed-builds              continue although the runs in DIR were made by another build of weir\n"
    "  --dry-run                   check every point, print the plan, write nothing\n";

namespace {

class argument_reader {
 public:
    explicit argument_reader(const std::vector<std::string>& args) : m_table(make_option_table(m_scratch)) {
        command_syntax syntax;
        syntax.values = {"vary", "seeds", "out", "jobs", "keep", "metrics", "confidence", "against", "plot"};
        syntax.flags = {"extend", "retry-failed", "mixed-builds", "dry-run", "help"};
        syntax.max_files = 1;
        m_given = split_arguments(args, syntax, m_table);
        m_read.errors = m_given.errors;
    }

    sweep_arguments read() {
        m_read.help = has("help");
        m_read.file = m_given.files.empty() ? std::string{} : m_given.files[0];
        m_read.overrides = m_given.options;
        m_read.extend = has("extend");
        m_read.retry_failed = has("retry-failed");
        m_read.campaign.mixed_builds = has("mixed-builds");
        m_read.campaign.dry_run = has("dry-run");
        read_axes();
        read_seeds();
        read_out();
        read_jobs();
        read_keep();
        read_tables();
        return std::move(m_read);
    }

 private:
    bool has(const char* flag) const { return m_given.flags.count(flag) != 0; }
    void fail(const std::string& key, const std::string& message) {
        m_read.errors.push_back({"", 0, key, message});
    }
    std::optional<std::string> once(const std::string& name) { return m_given.once(name, m_read.errors); }

    void read_axes() {
        std::set<std::string> swept;
        for (const std::string& text : m_given.values["vary"]) {
            axis_result axis = read_axis(text, m_table);
            m_read.errors.insert(m_read.errors.end(), axis.errors.begin(), axis.errors.end());
            for (const std::string& key : axis.axis.keys) {
                if (!swept.insert(key).second) {
                    fail("--vary " + key, "is given more than once; expected one --vary per option");
                }
            }
            m_read.axes.push_back(std::move(axis.axis));
        }
        for (const std::string& option : m_read.overrides) {
            const std::string key = option.substr(2, option.find('=') - 2);
            if (swept.count(key) != 0) {
                fail("--" + key, "is also varied; expected --vary or --" + key);
            }
        }
    }

    void read_seeds() {
        const std::optional<std::string> seeds = once("seeds");
        m_read.seeds = seeds.value_or("");
        if (seeds && seeds->empty()) {
            fail("--seeds", "is empty; expected a number of seeds, or seeds such as 1,2,3 or 1..10");
        }
        if (!seeds && m_given.values["vary"].empty()) {
            fail("--vary", "is missing; expected --vary KEY=VALUES, or --seeds");
        }
        const bool is_list = seeds && seeds->find_first_of(",.") != std::string::npos;
        const bool has_seed = std::any_of(m_read.overrides.begin(), m_read.overrides.end(),
                                          [](const std::string& o) { return o.rfind("--run.seed=", 0) == 0; });
        if (is_list && has_seed) {
            fail("--run.seed",
                 "has no effect beside a list of --seeds; expected only one of the two, or --seeds N");
        }
    }

    void read_out() {
        const std::optional<std::string> out = once("out");
        m_read.campaign.out = out.value_or("");
        if (!out && !m_read.campaign.dry_run) {
            fail("--out", "is missing; expected --out DIR, or --dry-run");
        }
    }

    void read_jobs() {
        if (const std::optional<std::string> jobs = once("jobs")) {
            const auto read = detail::parse_count(*jobs, 4096);
            if (!read || read.value == 0) {
                fail("--jobs", read ? "'0' is out of range; expected 1 to 4096" : read.error);
            }
            m_read.campaign.jobs = static_cast<unsigned>(read.value);
        }
    }

    void read_keep() {
        if (const std::optional<std::string> keep = once("keep")) {
            if (*keep != "summary" && *keep != "all") {
                fail("--keep", "'" + *keep + "' is unknown; expected summary, all");
            }
            m_read.keep = *keep == "all" ? kept_files::all : kept_files::summary;
        }
    }

    void read_tables() {
        std::vector<std::string> wanted;
        for (const std::string& list : m_given.values["metrics"]) {
            for (const std::string& name : detail::split_list(list)) {
                wanted.push_back(name);
            }
        }
        m_read.metrics = metric_filter(std::move(wanted));
        add(m_read.metrics.check("--metrics"));
        m_read.plots = m_given.values["plot"];
        add(metric_filter(m_read.plots).check("--plot"));
        if (!m_read.plots.empty() && m_read.axes.empty()) {
            fail("--plot", "has no option for its horizontal axis; expected at least one --vary");
        }
        if (const std::optional<std::string> confidence = once("confidence")) {
            const auto read = detail::parse_share(*confidence);
            if (!read || !(read.value > 0 && read.value < 1)) {
                fail(
                    "--confidence",
                    read ? "'" + *confidence + "' is out of range; expected above 0%, below 100%" : read.error);
            }
            m_read.tables.confidence = read.value;
        }
        if (const std::optional<std::string> against = once("against")) {
            m_read.tables.against = *against;
            const bool swept = std::any_of(m_read.axes.begin(), m_read.axes.end(), [&](const sweep_axis& axis) {
                return std::find(axis.keys.begin(), axis.keys.end(), *against) != axis.keys.end();
            });
            if (!swept) {
                fail("--against", "'" + *against + "' is not varied; expected a key of --vary");
            }
        }
    }

    void add(const config_errors& errors) {
        m_read.errors.insert(m_read.errors.end(), errors.begin(), errors.end());
    }

    run_config m_scratch;
    option_table m_table;
    command_arguments m_given;
    sweep_arguments m_read;
};

}  // namespace

sweep_arguments read_sweep_arguments(const std::vector<std::string>& args) {
    return argument_reader(args).read();
}

}  // namespace weir
