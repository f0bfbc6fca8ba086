#include "tb/results/completion_lines.h"

#include <algorithm>

#include "tb/results/summary_writer.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

constexpr std::size_t tag_numbers = 256;
/// Characters of the shared fields but the tag.
constexpr std::size_t most_shared_fields = most_digits + 2 * most_ns_digits + 4;
/// Characters of a line beside the shared fields and the kind of job.
constexpr std::size_t most_line_beside = 7 * most_digits + most_ns_digits + 12;

}  // namespace

completion_lines::completion_lines(const std::vector<std::string>& tags) {
    std::size_t longest = 0;
    for (std::size_t tag = 0; tag < tag_numbers; ++tag) {
        m_tag_names.emplace_back(csv_text(tag_name(tags, static_cast<std::uint8_t>(tag))));
        longest = std::max(longest, m_tag_names.back().most());
    }
    m_shared.resize(most_shared_fields + longest + csv_name::block);
    for (const enum_name<traffic::job_kind>& kind : names_of(traffic::job_kind{})) {
        m_kind_names.emplace_back(csv_text(kind.name));
    }
}

std::string_view completion_lines::shared_fields(pfc_class priority, std::uint8_t tag, picoseconds start,
                                                 picoseconds end) {
    csv_row row(m_shared.data());
    row.add(priority).add_name(m_tag_names[tag]).add_ns(start).add_ns(end - start);
    return {m_shared.data(), static_cast<std::size_t>(row.at() - m_shared.data()) - 1};
}

void completion_lines::add_flow(output_file& file, const traffic::delivery_record& transfer,
                                std::string_view shared, picoseconds ideal,
                                const traffic::sender_record* sender) const {
    csv_row row(file.room(most_line_beside + m_shared.size()));
    row.add(transfer.flow).add(transfer.job).add(transfer.src).add(transfer.dst);
    row.add(static_cast<std::uint64_t>(transfer.flow_bytes.count())).add_blocks(shared.data(), shared.size());
    ideal == never ? row.add_nothing() : row.add_ns(ideal);
    sender != nullptr ? row.add(sender->retransmits).add(sender->timeouts) : row.add_nothing().add_nothing();
    file.written(row.end());
}

void completion_lines::add_job(output_file& file, const traffic::job_record& job, std::string_view shared,
                               std::optional<picoseconds> ideal) const {
    const csv_name& kind = m_kind_names[static_cast<std::size_t>(job.kind)];
    csv_row row(file.room(most_line_beside + kind.most() + m_shared.size()));
    row.add(job.job).add_name(kind).add(job.src).add(static_cast<std::uint64_t>(job.job_bytes.count()));
    row.add(job.transfers).add_blocks(shared.data(), shared.size());
    if (ideal) {
        *ideal == never ? row.add_nothing() : row.add_ns(*ideal);
    }
    file.written(row.end());
}

void completion_lines::add_unfinished(output_file& file, const unfinished_transfer& transfer) {
    const std::string_view shared = shared_fields(transfer);
    csv_row row(file.room(most_line_beside + m_shared.size()));
    row.add(transfer.flow).add(transfer.job).add(transfer.src).add(transfer.dst);
    row.add(static_cast<std::uint64_t>(transfer.flow_bytes.count())).add_blocks(shared.data(), shared.size());
    row.add(transfer.received_bytes);
    file.written(row.end());
}

}  // namespace weir::tb
