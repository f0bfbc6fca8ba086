#include "tb/replay/replay_goal.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tb/files/schedule_file.h"
#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"
#include "weir/traffic/goal/loggp_times.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::tb {

namespace {

struct named_parameters {
    std::string name;
    loggp_parameters values;
};

/// False, and an error, where the column is no time of whole picoseconds. Unit of the column: ns.
bool read_ns(csv_file& file, std::size_t column, picoseconds& time) {
    constexpr std::uint64_t most_ns = 1'000'000'000'000;
    std::uint64_t value = 0;
    const number_fault fault = parse_decimal(file.text(column), 3, most_ns * 1000, value);
    if (fault != number_fault::none) {
        file.refuse(column,
                    describe(fault, file.text(column), "0 to " + std::to_string(most_ns) + ", in whole ps"));
        return false;
    }
    time = picoseconds{static_cast<std::int64_t>(value)};
    return true;
}

std::vector<named_parameters> read_parameters(replay_job& job) {
    csv_file file(job.text("parameters"), job.errors());
    const std::size_t name = file.column("parameters");
    const std::vector<std::size_t> at = file.columns({"L_ns", "o_ns", "g_ns", "G_ns_per_byte"});
    const std::string& wanted = job.text("set");
    std::vector<named_parameters> all;
    while (file.next()) {
        named_parameters read{file.text(name), {}};
        if (!wanted.empty() && read.name != wanted) {
            continue;
        }
        bool good = read_ns(file, at[0], read.values.latency);
        good = read_ns(file, at[1], read.values.overhead) && good;
        good = read_ns(file, at[2], read.values.gap) && good;
        good = read_ns(file, at[3], read.values.byte_gap) && good;
        if (good) {
            all.push_back(std::move(read));
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
    std::string& out = job.output("out");
    out = "schedule,parameters,rank,end_ns\n";
    std::string totals = "schedule,parameters,ranks,last_end_ns\n";
    csv_line line;
    for (const named_parameters& set : sets) {
        if (!job.errors().empty()) {
            return;
        }
        const loggp_times times = evaluate_loggp(schedule, set.values, accounting);
        if (times.is_too_long) {
            job.errors().push_back(
                {source, 0, set.name, "the schedule takes more than 13 days; expected shorter times"});
            return;
        }
        job.errors().add(unmatched_messages(schedule, times, source));
        picoseconds last{0};
        for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
            last = std::max(last, times.end[rank]);
            out += line.add_name(name).add_name(set.name).add(rank).add_ns(times.end[rank]).end();
        }
        totals += line.add_name(name).add_name(set.name).add(schedule.ranks()).add_ns(last).end();
    }
    if (job.given("out-times")) {
        job.output("out-times") = totals;
    }
}

}  // namespace

replay_block goal_replay() {
    replay_option set;
    set.name = "set";
    set.kind = replay_option_kind::text;
    set.doc = "Which line of the file of parameters. Default: all, one after the other.";
    set.required = false;
    replay_option times = output_option(
        "out-times", "schedule, parameters, ranks, last_end_ns: a line per set of parameters. May be missing.");
    times.required = false;
    return {
        "goal",
        "a GOAL schedule: when its ranks end on an ideal network (LogGP)",
        "Evaluates the schedule with LogGP, without a switch: all messages eager, one CPU and one NIC "
        "per\nrank "
        "unless operations name others. Times are whole picoseconds.\n",
        {optional_input_option("schedule", "In GOAL's text format, or as LogGOPSim's txt2bin writes it."),
         optional_input_option("traces",
                               "Instead of a schedule: liballprof's trace of rank 0, whose name ends with that "
                               "number, pmpi-trace-rank-0.txt; those of ranks 1, 2 and so on stand beside it."),
         number_option("request-bytes", 8, 1, 64,
                       "With --traces: bytes of a request's handle. 8 in Open MPI, 4 in MPICH."),
         input_option("parameters", "Columns parameters (a name), L_ns, o_ns, g_ns, G_ns_per_byte."), set,
         word_option(
             "text", {"logp", "goalsim", "loggopsim"},
             "logp: a receiving CPU is busy for o after the last byte. goalsim: for o + (k - 1) G from the "
             "first byte on. loggopsim: the same, and events of one instant in LogGOPSim's order."),
         output_option("out", "schedule, parameters, rank, end_ns."), times},
        run_goal};
}

}  // namespace weir::tb
