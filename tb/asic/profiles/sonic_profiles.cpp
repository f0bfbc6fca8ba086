
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "tb/asic/headroom/headroom_options.h"
#include "tb/asic/headroom/profile_file.h"
#include "tb/asic/profiles/shared_tables.h"
#include "tb/support/files/input_file.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"

namespace weir::tb {

namespace {

const char* const key = "shared.pg_profile_lookup";

/// 5 ns/m.
picoseconds delay_of(millimetres cable) {
    return picoseconds{5 * cable.count()};
}

/// Values that no group can get.
config_errors errors_of(const profile_row& row, const std::string& file) {
    config_errors errors;
    const auto check = [&](const char* column, bytes value, const field_range<bytes>& range) {
        if (!range.holds(value)) {
            errors.push_back({file, row.line, column,
                              out_of_range(std::to_string(value.count()), range.text(field_text<bytes>))});
        }
    };
    check("size", row.size, shared_buffer_config::minimum_range);
    check("xon", row.xon, shared_buffer_config::pool_range);
    check("xoff", row.headroom, shared_buffer_config::pool_range);
    check("xon_offset", row.xon_offset.value_or(0_B), shared_buffer_config::pool_range);
    if (!profile_row::threshold_range.holds(row.threshold)) {
        errors.push_back({file, row.line, "threshold",
                          out_of_range(std::to_string(row.threshold),
                                       profile_row::threshold_range.text(field_text<std::int64_t>) +
                                           ", alpha's logarithm to base 2; static thresholds are in "
                                           "shared.group_profiles")});
    }
    return errors;
}

/// The first row of which nothing is left when headroom is taken out of its size.
std::optional<config_error> size_error_of(const std::vector<profile_row>& rows, const std::string& file) {
    std::optional<config_error> first;
    std::size_t count = 0;
    for (const profile_row& row : rows) {
        if (row.size >= row.headroom) {
            continue;
        }
        if (++count == 1) {
            first = {file, row.line, "size",
                     std::to_string(row.size.count()) + " is less than the row's xoff (" +
                         std::to_string(row.headroom.count()) +
                         "), but size includes xoff if each group has headroom of its own; expected at least "
                         "xoff, or shared.headroom_pool, with which size is the minimum only"};
        }
    }
    if (count > 1) {
        first->message += "; this applies to " + std::to_string(count) + " rows";
    }
    return first;
}

group_profile profile_of(const profile_row& row, bool headroom_is_pool) {
    group_profile made;
    made.minimum = headroom_is_pool ? row.size : row.size - row.headroom;
    made.alpha = std::ldexp(1.0, static_cast<int>(row.threshold));
    made.xon = row.xon;
    made.xon_offset = row.xon_offset;
    made.headroom = row.headroom;
    return made;
}

/// What shared.config_db says of the group stands above.
void fill(group_profile& group, const group_profile& row) {
    const auto take = [](auto& own, const auto& other) { own = own ? own : other; };
    if (!group.alpha && !group.threshold) {
        group.alpha = row.alpha;
    }
    take(group.minimum, row.minimum);
    take(group.xon, row.xon);
    take(group.xon_offset, row.xon_offset);
    take(group.headroom, row.headroom);
}

/// The row for a link; null, and why, where there is none.
const profile_row* row_for(const std::vector<profile_row>& rows, const port_config& port,
                           std::string& why_not) {
    const profile_row* found = nullptr;
    const profile_row* longest = nullptr;
    for (const profile_row& row : rows) {
        if (row.speed != port.fastest_rate()) {
            continue;
        }
        longest = longest == nullptr || row.cable > longest->cable ? &row : longest;
        if (delay_of(row.cable) >= port.longest_latency() && (found == nullptr || row.cable < found->cable)) {
            found = &row;
        }
    }
    if (longest == nullptr) {
        std::set<std::int64_t> speeds;
        for (const profile_row& row : rows) {
            speeds.insert(row.speed.count());
        }
        why_not = " has only rows of";
        for (const std::int64_t speed : speeds) {
            why_not += (speed == *speeds.begin() ? " " : ", ") + to_text(bit_rate{speed});
        }
        why_not += "; expected a row of this link's rate";
    } else if (found == nullptr) {
        why_not = " has no cable of that length (at 5 ns/m); expected at most " + to_text(longest->cable) +
                  ", " + to_text(delay_of(longest->cable));
    }
    return found;
}

}  // namespace

void read_sonic_profiles(const std::string& path, const run_config& config, const built_topology& built,
                         read_profiles& read, config_errors& errors) {
    input_file opened = open_input(path);
    if (!opened.why_not.empty()) {
        errors.push_back(unreadable(key, path, opened.why_not, "a pg_profile_lookup.ini"));
        return;
    }
    const profile_file file = read_profile_file(opened.text, path);
    errors.insert(errors.end(), file.errors.begin(), file.errors.end());
    for (const profile_row& row : file.rows) {
        const config_errors of_row = errors_of(row, path);
        errors.insert(errors.end(), of_row.begin(), of_row.end());
    }
    const auto headroom_is_pool = [&](switch_id s) {
        return with_pools(config.shared, read.profiles[s].pools).headroom_pool.has_value();
    };
    bool all_are_pools = true;
    for (switch_id s = 0; s < built.plan.switches(); ++s) {
        all_are_pools = all_are_pools && headroom_is_pool(s);
    }
    if (errors.empty() && !all_are_pools) {
        const std::optional<config_error> of_sizes = size_error_of(file.rows, path);
        errors.insert(errors.end(), of_sizes ? 1U : 0U, of_sizes.value_or(config_error{}));
    }
    if (!errors.empty()) {
        return;
    }
    const topology& plan = built.plan;
    const std::vector<port_config> links = ports_of_links(plan, built.changes, config.link.wire_overhead);
    std::set<std::pair<bit_rate, picoseconds>> told;
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const std::vector<link_id>& ports = plan.ports(node_ref::of_switch(s));
        std::vector<group_profile>& groups = read.profiles[s].groups;
        std::vector<int>& lines = read.sources[s].line_of_port;
        groups.resize(ports.size() * config.device.classes);
        lines.resize(ports.size());
        for (unsigned port = 0; port < ports.size(); ++port) {
            const port_config& link = links[ports[port]];
            std::string why_not;
            const profile_row* const row = row_for(file.rows, link, why_not);
            if (row == nullptr) {
                if (told.emplace(link.fastest_rate(), link.longest_latency()).second) {
                    errors.push_back({{},
                                      0,
                                      key,
                                      plan.link(ports[port]).name + " (" + to_text(link.fastest_rate()) + ", " +
                                          to_text(link.longest_latency()) + " one way): '" + path + "'" +
                                          why_not});
                }
                continue;
            }
            lines[port] = row->line;
            for (unsigned c = 0; c < config.device.classes; ++c) {
                group_profile& group = groups[std::size_t{port} * config.device.classes + c];
                if (is_held_back(config, c)) {
                    fill(group, profile_of(*row, headroom_is_pool(s)));
                }
            }
        }
    }
}

}  // namespace weir::tb
