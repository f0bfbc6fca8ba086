// Rows of the tables with a line per transfer or job: flows.csv, jobs.csv, unfinished.csv and
// unfinished_jobs.csv.
//
//   completion_lines lines({"query", "background"});
//   flows.write(flow_row_of(transfer, lines.shared_cells(transfer), 25us, nullptr));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/completions/unfinished_transfers.h"
#include "tb/support/record/cell_groups.h"
#include "tb/support/text/csv_row.h"
#include "weir/traffic/host/records.h"

namespace weir::tb {

/// Names of the column for the time from start to end.
struct fct_column {
    static constexpr const char* name = "fct_ns";
    static constexpr const char* help = "Completion time: from the start until the receiver has every byte.";
};
struct jct_column {
    static constexpr const char* name = "jct_ns";
    static constexpr const char* help = "Completion time of the job.";
};
struct age_column {
    static constexpr const char* name = "age_ns";
    static constexpr const char* help = "Time from the start to the end of the run.";
};

/// Columns with the same text in the line of a transfer and in the line of its job.
template <class Time>
struct completion_columns {
    pfc_class priority = 0;
    const csv_name* tag = nullptr;
    picoseconds start{0};
    picoseconds took{0};

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(
            column("priority", &self::priority, "Priority of the traffic, 0 to 7; 7 is the most urgent one."));
        columns(column("tag", &self::tag, "Name of the traffic.").absent("the transfer has no tag"));
        columns(column("start_ns", &self::start, "Time of the start."));
        columns(column(Time::name, &self::took, Time::help));
    }
};

/// Columns that name a transfer.
struct transfer_columns {
    std::uint64_t flow = 0, job = 0;
    host_id src{}, dst{};
    bytes size;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("flow", &self::flow, "Number of the transfer."));
        columns(column("job", &self::job, "Number of the job that it is part of."));
        columns(column("src", &self::src, "Host that sends."));
        columns(column("dst", &self::dst, "Host that receives."));
        columns(column("bytes", &self::size, "Length of the transfer.").unit("B"));
    }
};

/// Columns that name a job.
struct job_columns {
    std::uint64_t job = 0;
    traffic::job_kind kind{};
    host_id src{};
    bytes size;
    std::uint64_t transfers = 0;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("job", &self::job, "Number of the job."));
        columns(column("kind", &self::kind, "Kind of job."));
        columns(column("src", &self::src, "Host that reports the job."));
        columns(
            column(
                "bytes", &self::size,
                "Size of the job: of a query its response, of a rank all messages that it sends or receives.")
                .unit("B"));
        columns(column("transfers", &self::transfers,
                       "Transfers of the job; of a rank the transfers that it started.")
                    .unit("flows"));
    }
};

struct flow_row {
    transfer_columns transfer;
    formatted<completion_columns<fct_column>> shared;
    std::optional<picoseconds> ideal{};
    std::optional<std::uint64_t> retransmits{}, timeouts{};

    static constexpr table_facts table{
        "flows.csv",
        "A line for each transfer that is complete and began after the warm-up, in order of completion.",
        "`output.flows`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns.part(&self::transfer);
        columns(shared_columns(&self::shared));
        columns(column("ideal_ns", &self::ideal,
                       "Completion time without other traffic and with an infinite window: the denominator of "
                       "a slowdown.")
                    .absent("the transfer has no path"));
        columns(column("retransmits", &self::retransmits, "Segments that the sender sent again.")
                    .unit("segments")
                    .absent("the sender was not done"));
        columns(column("timeouts", &self::timeouts, "Retransmission timers that ran out.")
                    .unit("timeouts")
                    .absent("the sender was not done"));
    }
};

struct job_row {
    job_columns job;
    formatted<completion_columns<jct_column>> shared;
    optional_column<picoseconds> ideal;

    static constexpr table_facts table{
        "jobs.csv",
        "A line for each job that is complete and began after the warm-up, in order of "
        "completion. A job is what a user waits for.",
        "`output.jobs`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns.part(&self::job);
        columns(shared_columns(&self::shared));
        columns(column("ideal_ns", &self::ideal, "Least completion time, in a fabric without other traffic.")
                    .only_with("output.ideal_jobs")
                    .absent("one of its transfers has no ideal time"));
    }
};

struct unfinished_row {
    transfer_columns transfer;
    formatted<completion_columns<age_column>> shared;
    std::uint64_t received = 0;

    static constexpr table_facts table{
        "unfinished.csv",
        "A line for each transfer that began after the warm-up and was not complete at "
        "the end of the run, in order of its start.",
        "`output.flows`, where there is one"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns.part(&self::transfer);
        columns(shared_columns(&self::shared));
        columns(column("received_bytes", &self::received, "Payload that its receiver has, each byte once."));
    }
};

struct unfinished_job_row {
    job_columns job;
    formatted<completion_columns<age_column>> shared;

    static constexpr table_facts table{
        "unfinished_jobs.csv",
        "A line for each job that began after the warm-up and was not complete at the end "
        "of the run, in order of its start.",
        "`output.jobs`, where there is one"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns.part(&self::job);
        columns(shared_columns(&self::shared));
    }
};

/// Formats the cells that the lines of a transfer and of its job share.
class completion_lines {
 public:
    /// `tags`: names by number.
    explicit completion_lines(const std::vector<std::string>& tags);

    /// Valid until the next call. `Record`: a transfer or a job.
    template <class Record>
    std::string_view shared_cells(const Record& record) {
        return shared_cells(record.priority, record.tag, record.start, record.end);
    }

 private:
    std::string_view shared_cells(pfc_class priority, std::uint8_t tag, picoseconds start, picoseconds end);

    /// The index is the tag.
    std::vector<csv_name> m_tag_names;
    std::string m_text;
};

inline transfer_columns columns_of_transfer(const traffic::delivery_record& t) {
    return {t.flow, t.job, t.src, t.dst, t.flow_bytes};
}
inline job_columns columns_of_job(const traffic::job_record& j) {
    return {j.job, j.kind, j.src, j.job_bytes, j.transfers};
}
/// Nothing where it is not known (`never`).
inline std::optional<picoseconds> if_known(picoseconds time) {
    return time == never ? std::nullopt : std::optional(time);
}
/// `sender`: null where it is not known.
inline flow_row flow_row_of(const traffic::delivery_record& transfer, std::string_view shared,
                            picoseconds ideal, const traffic::sender_record* sender) {
    flow_row row{columns_of_transfer(transfer), {shared}, if_known(ideal), {}, {}};
    if (sender != nullptr) {
        row.retransmits = sender->retransmits;
        row.timeouts = sender->timeouts;
    }
    return row;
}

}  // namespace weir::tb
