#include "tb/study/sweep/metric_title.h"

#include <algorithm>
#include <cstdlib>

#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/study/sweep/metrics.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

namespace {

std::string with_blanks(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

/// `host` is called hosts, `tier1` tier 1.
std::string tier_title(const std::string& tier) {
    return tier == "host" ? "hosts" : tier.rfind("tier", 0) == 0 ? "tier " + tier.substr(4) : tier;
}

/// `8192` as `8 KiB`; `larger` for what is larger than the last of `output.size_bins`.
std::string size_title(const std::string& size) {
    const std::uint64_t count = std::strtoull(size.c_str(), nullptr, 10);
    // Workloads count in thousands: 128,000 B are 128 KB, although they are 125 KiB, too.
    const bool thousands = count % 1000 == 0 && count % 1'000'000 != 0;
    return count >= std::uint64_t{1} << 48 ? "larger"
           : thousands                     ? std::to_string(count / 1000) + " KB"
                                           : byte_text(count);
}

/// `query.8192.7` as `query, 8 KiB, priority 7`; a tag may be empty, and have dots.
std::string group_title(const std::string& group) {
    const std::size_t priority = group.rfind('.');
    const std::size_t bytes =
        priority == std::string::npos || priority == 0 ? std::string::npos : group.rfind('.', priority - 1);
    if (bytes == std::string::npos || group.find_first_not_of("0123456789", bytes + 1) != priority ||
        priority == bytes + 1) {
        return group;
    }
    return group.substr(0, bytes) + (bytes == 0 ? "" : ", ") +
           size_title(group.substr(bytes + 1, priority - bytes - 1)) + ", priority " +
           group.substr(priority + 1);
}

/// Text of a title for the member of a family.
std::string member_title(metric_member kind, const std::string& member) {
    switch (kind) {
        case metric_member::tier:
            return tier_title(member);
        case metric_member::group:
            return group_title(member);
        case metric_member::tag:
            return std::string(unquoted_member(member));
        case metric_member::priority:
            return "priority " + member;
        case metric_member::size:
            return size_title(member);
        case metric_member::part: {
            const std::size_t dot = member.rfind('.');
            return dot == std::string::npos
                       ? member
                       : with_blanks(member.substr(dot + 1)) + " (" + member.substr(0, dot) + ")";
        }
        case metric_member::none:
            break;
    }
    return member;
}

}  // namespace

std::string metric_title(const std::string& name, const derived_metrics& definitions) {
    if (const derived_metric* const derived = find_derived(definitions, name)) {
        return derived->text;
    }
    const metric_entry* const entry = find_metric_entry(name);
    if (entry == nullptr || entry->title.empty()) {
        return name;
    }
    return with_part(entry->title, member_title(entry->member, std::string(entry->member_in(name))));
}

axis_kind metric_axis_kind(const std::string& name) {
    // The order is that of metric_unit.
    constexpr axis_kind kinds[] = {axis_kind::time, axis_kind::rate, axis_kind::bytes, axis_kind::percent,
                                   axis_kind::count};
    return kinds[static_cast<std::size_t>(unit_of_metric(name))];
}

axis_unit metric_axis_unit(const std::string& name, double low, double high, bool logarithmic) {
    return value_unit(metric_axis_kind(name), low, high, logarithmic);
}

}  // namespace weir::tb
