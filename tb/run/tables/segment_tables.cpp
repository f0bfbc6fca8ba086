#include "tb/run/tables/segment_tables.h"

#include "tb/run/samples/json_values.h"
#include "tb/support/record/record_table.h"
#include "tb/support/record/row_json.h"

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

void add_to(std::vector<segment_counts>& all, const std::vector<segment_counts>& more) {
    all.resize(std::max(all.size(), more.size()));
    for (std::size_t tag = 0; tag < more.size(); ++tag) {
        all[tag].add(more[tag]);
    }
}

}  // namespace

std::vector<segment_row> count_segments(const std::vector<traffic_endpoint*>& endpoints, rank_team& team,
                                        const std::vector<std::string>& tags) {
    std::vector<segment_counts> own;
    for (const traffic_endpoint* endpoint : endpoints) {
        if (endpoint != nullptr && endpoint->segments() != nullptr) {
            add_to(own, endpoint->segments()->counts());
        }
    }
    std::vector<segment_counts> all;
    for (const std::vector<segment_counts>& of_rank : shared_parts(team, std::move(own))) {
        add_to(all, of_rank);
    }
    std::vector<segment_row> rows;
    for (std::size_t tag = 0; tag < all.size(); ++tag) {
        const segment_counts& c = all[tag];
        if (c.received + c.acks + c.retransmits + c.timeouts + c.udp_sent_bytes > 0) {
            rows.push_back({c, tag_name(tags, static_cast<std::uint8_t>(tag)), lateness_of(c)});
        }
    }
    return rows;
}

void write_paths(output_file file, const std::vector<segment_row>& rows) {
    record_table<path_row> table(std::move(file));
    for (const segment_row& of_tag : rows) {
        for (std::size_t path = 0; path < of_tag.by_path.size(); ++path) {
            const std::uint64_t received = of_tag.by_path[path];
            if (received > 0) {
                table.write({of_tag.tag, path, received, percent_of(received, of_tag.received).value_or(0)});
            }
        }
    }
    table.finish();
}

ordered_json to_json(const std::vector<segment_row>& rows) {
    ordered_json all = ordered_json::object();
    for (const segment_row& row : rows) {
        ordered_json& group = all[row.tag] = json_of(row, "_segments");
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
