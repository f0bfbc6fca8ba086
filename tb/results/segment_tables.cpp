#include "tb/results/segment_tables.h"

#include <algorithm>
#include <optional>

#include "tb/record/record_table.h"
#include "tb/record/row_json.h"
#include "tb/results/summary_writer.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

lateness lateness_of(const segment_counts& counts) {
    lateness found;
    if (counts.late == 0) {
        return found;
    }
    double sum = 0;
    std::uint64_t below = 0;
    const std::uint64_t rank = (99 * counts.late + 99) / 100;
    for (std::uint64_t behind = 0; behind < counts.late_by.size(); ++behind) {
        const std::uint64_t here = counts.late_by[behind];
        sum += static_cast<double>(behind) * static_cast<double>(here);
        found.p99 = below < rank && below + here >= rank ? behind : found.p99;
        found.max = here > 0 ? behind : found.max;
        below += here;
    }
    found.mean = sum / static_cast<double>(counts.late);
    return found;
}

/// Rows of the tags that have segments.
std::vector<segment_row> rows_of(const std::vector<segment_counts>& counts,
                                 const std::vector<std::string>& names) {
    std::vector<segment_row> rows;
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
        const segment_counts& c = counts[tag];
        if (c.received + c.acks + c.retransmits + c.timeouts + c.udp_sent_bytes > 0) {
            rows.push_back({c, names[tag], lateness_of(c)});
        }
    }
    return rows;
}

std::vector<std::string> names_of_tags(const std::vector<segment_counts>& counts,
                                       const std::vector<std::string>& tags) {
    std::vector<std::string> names;
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
        names.push_back(tag_name(tags, static_cast<std::uint8_t>(tag)));
    }
    return names;
}

}  // namespace

static void add_to(std::vector<segment_counts>& all, const std::vector<segment_counts>& more) {
    all.resize(std::max(all.size(), more.size()));
    for (std::size_t tag = 0; tag < more.size(); ++tag) {
        all[tag].add(more[tag]);
    }
}

std::vector<segment_counts> count_segments(const std::vector<traffic_endpoint*>& endpoints, rank_team& team) {
    std::vector<segment_counts> own;
    for (const traffic_endpoint* endpoint : endpoints) {
        if (endpoint == nullptr || endpoint->segments() == nullptr) {
            continue;
        }
        add_to(own, endpoint->segments()->counts());
    }
    std::vector<segment_counts> all;
    for (const std::vector<segment_counts>& of_rank : shared_parts(team, std::move(own))) {
        add_to(all, of_rank);
    }
    return all;
}

void write_segments(output_file file, const std::vector<segment_counts>& counts,
                    const std::vector<std::string>& tags) {
    record_table<segment_row> table(std::move(file));
    const std::vector<std::string> names = names_of_tags(counts, tags);
    for (const segment_row& row : rows_of(counts, names)) {
        table.write(row);
    }
    table.finish();
}

void write_paths(output_file file, const std::vector<segment_counts>& counts,
                 const std::vector<std::string>& tags) {
    record_table<path_row> table(std::move(file));
    const std::vector<std::string> names = names_of_tags(counts, tags);
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
        for (std::size_t path = 0; path < counts[tag].by_path.size(); ++path) {
            const std::uint64_t received = counts[tag].by_path[path];
            if (received > 0) {
                table.write(
                    {names[tag], path, received, percent_of(received, counts[tag].received).value_or(0)});
            }
        }
    }
    table.finish();
}

ordered_json to_json(const std::vector<segment_counts>& counts, const std::vector<std::string>& tags) {
    ordered_json all = ordered_json::object();
    const std::vector<std::string> names = names_of_tags(counts, tags);
    for (const segment_row& row : rows_of(counts, names)) {
        ordered_json& group = all[std::string(row.tag)] = json_of(row, "_segments");
        group.erase("tag");
    }
    return all;
}

reroute_row reroute_of(host_id src, host_id dst, const path_stay& stay, std::string_view tag) {
    const bool is_done = stay.why == path_end::done;
    return {stay.to,
            stay.flow,
            src,
            dst,
            tag,
            stay.why,
            stay.path,
            is_done ? std::nullopt : std::optional<std::uint64_t>(stay.next_path),
            stay.to - stay.from,
            stay.sent_bytes};
}

}  // namespace weir::tb
