// Lines of the tables with a line per transfer or job: flows.csv, jobs.csv, unfinished.csv and
// unfinished_jobs.csv.
//
//   completion_lines lines({"query", "background"});
//   const std::string_view shared = lines.shared_fields(transfer);
//   lines.add_flow(flows, transfer, shared, 25us, nullptr);
//   lines.add_unfinished(unfinished, open);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/files/output_file.h"
#include "tb/results/unfinished_transfers.h"
#include "tb/text/csv_row.h"
#include "weir/traffic/host/records.h"

namespace weir::tb {

class completion_lines {
 public:
    static constexpr const char* flows_header =
        "flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts\n";
    static constexpr const char* unfinished_header =
        "flow,job,src,dst,bytes,priority,tag,start_ns,age_ns,received_bytes\n";
    static constexpr const char* unfinished_jobs_header =
        "job,kind,src,bytes,transfers,priority,tag,start_ns,age_ns\n";
    static const char* jobs_header(bool has_ideal_times) {
        return has_ideal_times ? "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns,ideal_ns\n"
                               : "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns\n";
    }

    /// `tags`: names by number.
    explicit completion_lines(const std::vector<std::string>& tags);

    /// Fields that the lines of a transfer and of its job share: priority, tag, start, time from start to end.
    /// Valid until the next call. `Record`: a transfer or a job.
    template <class Record>
    std::string_view shared_fields(const Record& record) {
        return shared_fields(record.priority, record.tag, record.start, record.end);
    }

    /// `ideal`: `never` where it is not known. `sender`: null where it is not known.
    void add_flow(output_file& file, const traffic::delivery_record& transfer, std::string_view shared,
                  picoseconds ideal, const traffic::sender_record* sender) const;
    /// `ideal`: nothing where the file has no such column; `never` where it is not known.
    void add_job(output_file& file, const traffic::job_record& job, std::string_view shared,
                 std::optional<picoseconds> ideal) const;
    void add_unfinished(output_file& file, const unfinished_transfer& transfer);

 private:
    std::string_view shared_fields(pfc_class priority, std::uint8_t tag, picoseconds start, picoseconds end);

    /// Names as lines have them: by tag, by `job_kind`.
    std::vector<csv_name> m_tag_names;
    std::vector<csv_name> m_kind_names;
    std::string m_shared;
};

}  // namespace weir::tb
