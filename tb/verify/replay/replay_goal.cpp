#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/support/files/schedule_file.h"
#include "tb/verify/replay/replay_blocks.h"
#include "weir/traffic/goal/loggp_times.h"

namespace weir::tb {

namespace {

struct named_parameters : loggp_parameters {
    std::string name;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = named_parameters;
        constexpr std::uint64_t most_ns = 1'000'000'000'000;
        columns(column("parameters", &self::name));
        columns(column("L_ns", &self::latency).range(0, most_ns).decimals(3));
        columns(column("o_ns", &self::overhead).range(0, most_ns).decimals(3));
        columns(column("g_ns", &self::gap).range(0, most_ns).decimals(3));
        columns(column("G_ns_per_byte", &self::byte_gap).range(0, most_ns).decimals(3));
    }
};

constexpr std::tuple rank_columns(cell<std::string>("schedule"), cell<std::string>("parameters"),
                                  cell<std::uint32_t>("rank"), cell<picoseconds>("end_ns"));
using rank_row = row_of<rank_columns>;
constexpr std::tuple total_columns(cell<std::string>("schedule"), cell<std::string>("parameters"),
                                   cell<std::uint32_t>("ranks"), cell<picoseconds>("last_end_ns"));
using total_row = row_of<total_columns>;

std::vector<named_parameters> read_parameters(replay_job& job) {
    auto file = job.read<named_parameters>("parameters");
    // A missing column has been reported.
    const std::optional<std::size_t> name = file.optional_column("parameters");
    const std::string& wanted = job.text("set");
    std::vector<named_parameters> all;
    while (name && file.csv_file::next()) {
        const bool is_wanted = wanted.empty() || file.text(*name) == wanted;
        if (is_wanted) {
            all.push_back(file.current());
        }
    }
    if (all.empty() && job.errors().empty()) {
        job.errors().push_back(
            {job.text("parameters"), 0, "parameters",
             wanted.empty() ? "no line has any; expected a line for each set"
                            : "'" + wanted + "' is in no line; expected --set with the name of one that is"});
    }
    return all;
}

goal_schedule read_schedule_of(replay_job& job) {
    if (job.given("schedule") == job.given("traces")) {
        job.errors().push_back({"", 0, "--schedule",
                                job.given("traces")
                                    ? "is given beside --traces; expected one of them"
                                    : "is missing; expected --schedule FILE, or --traces FILE"});
        return {};
    }
    goal_file read =
        job.given("traces")
            ? read_traces(job.text("traces"), static_cast<unsigned>(job.number("request-bytes")), "--traces")
            : read_schedule(job.text("schedule"), "--schedule");
    job.errors().add(read.errors);
    return std::move(read.schedule);
}

void run_goal(replay_job& job) {
    const std::vector<named_parameters> sets = read_parameters(job);
    const goal_schedule schedule = read_schedule_of(job);
    const loggp_accounting accounting = *find_named<loggp_accounting>(job.text("text"));
    const std::string source = job.text(job.given("traces") ? "traces" : "schedule");
    const std::string name = std::filesystem::path(source).stem().string();
    auto out = job.table<rank_row>("out");
    auto totals = job.table<total_row>("out-times");
    for (const named_parameters& set : sets) {
        if (!job.errors().empty()) {
            return;
        }
        const loggp_times times = evaluate_loggp(schedule, set, accounting);
        if (times.is_too_long) {
            job.errors().push_back(
                {source, 0, set.name, "the schedule takes more than 13 days; expected shorter times"});
            return;
        }
        job.errors().add(unmatched_messages(schedule, times, source));
        picoseconds last{0};
        for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
            last = std::max(last, times.end[rank]);
            out.write({name, set.name, rank, times.end[rank]});
        }
        totals.write({name, set.name, schedule.ranks(), last});
    }
}

}  // namespace

replay_block goal_replay() {
    return {
        "goal",
        "a GOAL schedule: when its ranks end on an ideal network (LogGP)",
        "Evaluates the schedule with LogGP, without a switch: all messages eager, one CPU and one NIC\n"
        "per rank unless operations name others. Times are whole picoseconds.\n",
        {input_option("schedule", "In GOAL's text format, or as LogGOPSim's txt2bin writes it.").optional(),
         input_option("traces",
                      "Instead of a schedule: liballprof's trace of rank 0, whose name ends with that number, "
                      "pmpi-trace-rank-0.txt; those of ranks 1, 2 and so on stand beside it.")
             .optional(),
         number_option("request-bytes", 8, 1, 64,
                       "With --traces: bytes of a request's handle. 8 in Open MPI, 4 in MPICH."),
         input_option("parameters", "Sets of parameters.").table<named_parameters>(),
         text_option("set", "Which line of the file of parameters. Default: all, one after the other."),
         word_option(
             "text", {"logp", "goalsim", "loggopsim"},
             "logp: a receiving CPU is busy for o after the last byte. goalsim: for o + (k - 1) G from the "
             "first byte on. loggopsim: the same, and events of one instant in LogGOPSim's order."),
         output_option("out", "A line per set and rank.").table<rank_row>(),
         output_option("out-times", "A line per set of parameters. May be missing.")
             .optional()
             .table<total_row>()},
        run_goal};
}

}  // namespace weir::tb
