#include "tb/results/segment_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "tb/results/percentile_rule.h"
#include "tb/results/summary_writer.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Of late segments: how far they were behind. Nothing where none was.
struct lateness {
    double mean = 0;
    std::uint64_t p99 = 0;
    std::uint64_t max = 0;
};

std::optional<lateness> lateness_of(const segment_counts& counts) {
    if (counts.late == 0) {
        return std::nullopt;
    }
    lateness found;
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

std::optional<double> percent(std::uint64_t part, std::uint64_t whole) {
    return whole > 0 ? std::optional(100 * static_cast<double>(part) / static_cast<double>(whole))
                     : std::nullopt;
}

bool has_any(const segment_counts& counts) {
    return counts.received + counts.acks + counts.retransmits + counts.timeouts + counts.udp_sent_bytes > 0;
}

/// Of UDP: what was sent and has not come. Datagrams that are sent again do not exist; what was under way at
/// the end of the warm-up may have come without having been sent after it.
std::uint64_t lost_bytes(const segment_counts& counts) {
    return counts.udp_sent_bytes - std::min(counts.udp_sent_bytes, counts.udp_received_bytes);
}

void add_percent(csv_line& line, std::uint64_t part, std::uint64_t whole) {
    const std::optional<double> share = percent(part, whole);
    line.add(part);
    share ? line.add_decimal(*share, 6) : line.add_nothing();
}

void put_percent(ordered_json& group, const char* name, std::uint64_t part, std::uint64_t whole) {
    const std::optional<double> share = percent(part, whole);
    group[name] = part;
    group[std::string(name) + "_percent"] =
        share ? ordered_json(std::round(*share * 1e6) / 1e6) : ordered_json(nullptr);
}

}  // namespace

/// By tag.
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

void write_segments(output_file& file, const std::vector<segment_counts>& counts,
                    const std::vector<std::string>& tags) {
    file.write(
        "tag,received,marked,marked_percent,early,early_percent,late,late_percent,late_by_mean_segments,"
        "late_by_p99_segments,late_by_max_segments,acks,echoes,echoes_percent,retransmits,timeouts,"
        "path_changes,udp_sent_bytes,udp_lost_bytes,udp_lost_percent\n");
    csv_line line;
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
        const segment_counts& c = counts[tag];
        if (!has_any(c)) {
            continue;
        }
        line.add_name(tag_name(tags, static_cast<std::uint8_t>(tag))).add(c.received);
        add_percent(line, c.marked, c.received);
        add_percent(line, c.early, c.received);
        if (c.tcp_received > 0) {
            add_percent(line, c.late, c.tcp_received);
        } else {
            line.add_nothing(2);
        }
        if (const auto late = lateness_of(c)) {
            line.add_decimal(late->mean, 4).add(late->p99).add(late->max);
        } else {
            line.add_nothing(3);
        }
        line.add(c.acks);
        add_percent(line, c.echoes, c.acks);
        line.add(c.retransmits).add(c.timeouts).add(c.path_changes);
        if (c.udp_sent_bytes > 0) {
            line.add(c.udp_sent_bytes);
            add_percent(line, lost_bytes(c), c.udp_sent_bytes);
        } else {
            line.add_nothing(3);
        }
        file.write(line.end());
    }
}

void write_paths(output_file& file, const std::vector<segment_counts>& counts,
                 const std::vector<std::string>& tags) {
    file.write("tag,path,received,received_percent\n");
    csv_line line;
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
        for (std::size_t path = 0; path < counts[tag].by_path.size(); ++path) {
            if (counts[tag].by_path[path] > 0) {
                line.add_name(tag_name(tags, static_cast<std::uint8_t>(tag))).add(path);
                add_percent(line, counts[tag].by_path[path], counts[tag].received);
                file.write(line.end());
            }
        }
    }
}

ordered_json to_json(const std::vector<segment_counts>& counts, const std::vector<std::string>& tags) {
    ordered_json all = ordered_json::object();
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
        const segment_counts& c = counts[tag];
        if (!has_any(c)) {
            continue;
        }
        ordered_json& group = all[tag_name(tags, static_cast<std::uint8_t>(tag))];
        group["received"] = c.received;
        put_percent(group, "marked", c.marked, c.received);
        put_percent(group, "early", c.early, c.received);
        if (c.tcp_received > 0) {
            put_percent(group, "late", c.late, c.tcp_received);
        } else {
            group["late"] = group["late_percent"] = nullptr;
        }
        const auto late = lateness_of(c);
        group["late_by_mean"] = late ? ordered_json(std::round(late->mean * 1e4) / 1e4) : ordered_json(nullptr);
        group["late_by_p99"] = late ? ordered_json(late->p99) : ordered_json(nullptr);
        group["late_by_max"] = late ? ordered_json(late->max) : ordered_json(nullptr);
        group["acks"] = c.acks;
        put_percent(group, "echoes", c.echoes, c.acks);
        group["retransmits"] = c.retransmits;
        group["timeouts"] = c.timeouts;
        group["path_changes"] = c.path_changes;
        const bool is_udp = c.udp_sent_bytes > 0;
        const std::optional<double> lost = percent(lost_bytes(c), c.udp_sent_bytes);
        group["udp_sent_bytes"] = is_udp ? ordered_json(c.udp_sent_bytes) : ordered_json(nullptr);
        group["udp_lost_bytes"] = is_udp ? ordered_json(lost_bytes(c)) : ordered_json(nullptr);
        group["udp_lost_percent"] = lost ? ordered_json(std::round(*lost * 1e6) / 1e6) : ordered_json(nullptr);
    }
    return all;
}

std::string_view reroute_line(csv_line& line, host_id src, host_id dst, const path_stay& stay,
                              const std::vector<std::string>& tags) {
    line.add_ns(stay.to).add(stay.flow).add(src).add(dst).add_name(tag_name(tags, stay.tag));
    line.add_name(name_of(stay.why)).add(stay.path);
    stay.why == path_end::done ? line.add_nothing() : line.add(stay.next_path);
    return line.add_ns(stay.to - stay.from).add(stay.sent_bytes).end();
}

}  // namespace weir::tb
