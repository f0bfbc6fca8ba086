#include "tb/sweep/metric_title.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tb/plot/gnuplot.h"
#include "tb/sweep/metrics.h"

namespace weir::tb {

namespace {

using titles = std::pair<const char*, const char*>;

std::string with_blanks(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

/// `host` is called hosts, `tier1` tier 1.
std::string tier_title(const std::string& tier) {
    return tier == "host" ? "hosts" : tier.rfind("tier", 0) == 0 ? "tier " + tier.substr(4) : tier;
}

/// `query.8192.7` as `query, 8 KiB, priority 7`; a tag may be empty, and have dots. `larger`: the last of
/// `output.size_bins`.
std::string group_title(const std::string& group) {
    const std::size_t priority = group.rfind('.');
    const std::size_t bytes =
        priority == std::string::npos || priority == 0 ? std::string::npos : group.rfind('.', priority - 1);
    std::uint64_t count = 0;
    if (bytes == std::string::npos ||
        std::from_chars(group.data() + bytes + 1, group.data() + priority, count).ptr !=
            group.data() + priority) {
        return group;
    }
    // Workloads count in thousands: 128,000 B are 128 KB, although they are 125 KiB, too.
    const bool thousands = count % 1000 == 0 && count % 1'000'000 != 0;
    const std::string size = count >= std::uint64_t{1} << 48 ? "larger"
                             : thousands                     ? std::to_string(count / 1000) + " KB"
                                                             : byte_text(count);
    return group.substr(0, bytes) + (bytes == 0 ? "" : ", ") + size + ", priority " +
           group.substr(priority + 1);
}

/// Of completion times: `jct_ns.p99`; empty where it is none.
std::string completion_title(const std::string& name) {
    static constexpr titles measures[] = {{"fct_ns", "transfer completion time"},
                                          {"jct_ns", "job completion time"},
                                          {"fct_slowdown", "slowdown of transfers"},
                                          {"jct_slowdown", "slowdown of jobs"}};
    static constexpr titles values[] = {{"mean", "Mean"},
                                        {"p50", "Median"},
                                        {"p90", "90th percentile"},
                                        {"p99", "99th percentile"},
                                        {"p99_9", "99.9th percentile"},
                                        {"max", "Maximum"},
                                        {"variation_percent", "Coefficient of variation (%)"}};
    static constexpr titles counts[] = {
        {"fct_ns.count", "Transfers reported"},
        {"jct_ns.count", "Jobs reported"},
        {"fct_ns.unfinished", "Transfers reported that did not complete"},
        {"jct_ns.unfinished", "Jobs reported that did not complete"},
        {"fct_slowdown.unfinished", "Transfers with a slowdown that did not complete"},
        {"jct_slowdown.unfinished", "Jobs with a slowdown that did not complete"},
        {"fct_slowdown.count", "Transfers with a slowdown"},
        {"jct_slowdown.count", "Jobs with a slowdown"}};
    for (const auto& [count, title] : counts) {
        if (name == count) {
            return title;
        }
    }
    for (const auto& [measure, what] : measures) {
        for (const auto& [value, title] : values) {
            if (name == std::string(measure) + "." + value) {
                return std::string(title) + " of " + what;
            }
        }
    }
    return {};
}

/// What follows `head` in the name; empty where it begins otherwise.
std::string after(const std::string& name, const std::string& head) {
    return name.compare(0, head.size(), head) == 0 ? name.substr(head.size()) : std::string{};
}

/// `TAG.PART`.
std::string tagged_title(const std::string& what, const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos
               ? std::string{}
               : what + ", " + with_blanks(name.substr(dot + 1)) + " (" + name.substr(0, dot) + ")";
}

/// `KIND.PART` of memories and resources.
std::string part_title(const std::string& name) {
    static constexpr titles parts[] = {{"size_bytes", "Size of the fullest memory: "},
                                       {"watermark_bytes", "Highest fill: "},
                                       {"watermark_percent", "Highest fill, share of the size: "},
                                       {"of", "Number of resources: "},
                                       {"binding", "Number of resources that bind: "},
                                       {"busy_percent", "Time busy, of the busiest: "},
                                       {"bound_percent", "Time at its limit, of the busiest: "},
                                       {"bound_from_ns", "First time at its limit, of the busiest: "},
                                       {"bound_to_ns", "Last time at its limit, of the busiest: "},
                                       {"stalled_percent", "Time stalled, of the busiest: "},
                                       {"lost_frames", "Frames lost at the busiest: "}};
    const std::size_t dot = name.rfind('.');
    for (const auto& [part, title] : parts) {
        if (dot != std::string::npos && name.substr(dot + 1) == part) {
            return title + with_blanks(name.substr(0, dot));
        }
    }
    return {};
}

}  // namespace

std::string metric_title(const std::string& name) {
    static constexpr titles others[] = {
        {"complete", "Complete"},
        {"simulated_ns", "Simulated time"},
        {"packet_hops", "Packet-hops"},
        {"frames.sent", "Frames sent"},
        {"frames.originated", "Frames sent by switches"},
        {"frames.delivered", "Frames delivered"},
        {"frames.dropped", "Frames dropped"},
        {"frames.inside", "Frames inside at the end"},
        {"drops.total", "Frames lost, all reasons"},
        {"pfc.xoff_sent", "XOFF sent"},
        {"pfc.xon_sent", "XON sent"},
        {"pfc.frames_sent", "PFC frames sent"},
        {"pfc.paused_ns.total", "Time paused, all transmitters"},
        {"ecn.seen", "Marked segments received"},
        {"detours.frames", "Frames delivered since the warm-up"},
        {"detours.detoured", "Frames detoured"},
        {"detours.detoured_percent", "Share of frames detoured"},
        {"detours.p99", "Detours of a frame, 99th percentile"},
        {"detours.max", "Detours of a frame, maximum"},
        {"busy_links.mean_percent", "Busy links, mean over time (%)"},
        {"busy_links.max_percent", "Busy links, most at a time (%)"},
        {"program.ranks", "Ranks of the program"},
        {"program.ranks_done", "Ranks that have ended"},
        {"program.time_ns", "Time of the program"},
        {"program.ideal_ns", "Time of the program on an ideal network"},
        {"program.slowdown", "Slowdown of the program"},
        {"full_queues.samples", "Full egress ports, all samples together"},
        {"full_queues.free_1_hop_percent", "Free memory one hop from full queues (%)"},
        {"full_queues.free_2_hops_percent", "Free memory within two hops of full queues (%)"},
        {"goodput.bps", "Goodput"},
        {"goodput.bytes", "Payload delivered"},
        {"flows.started", "Transfers started"},
        {"flows.completed", "Transfers completed"},
        {"flows.unfinished", "Transfers that did not complete"}};
    for (const auto& [key, title] : others) {
        if (name == key) {
            return title;
        }
    }
    std::string title = completion_title(name);
    if (const std::string reason = after(name, "drops."); !reason.empty()) {
        title = "Frames lost: " + with_blanks(reason);
    } else if (const std::string tag = after(name, "detours.tags."); !tag.empty()) {
        const std::size_t dot = tag.rfind('.');
        const std::string value = dot == std::string::npos ? name : metric_title("detours" + tag.substr(dot));
        title = value + " (" + tag.substr(0, dot) + ")";
    } else if (const std::string tier = after(name, "pfc.paused_ns."); !tier.empty()) {
        title = "Time paused, " + tier_title(tier);
    } else if (const std::string share = after(name, "pfc.paused_percent."); !share.empty()) {
        title = "Share of time paused, " + tier_title(share);
    } else if (const std::string group = after(name, "groups."); !group.empty()) {
        const std::size_t measure = group.rfind('.', group.rfind('.') - 1);
        const std::string value =
            measure == std::string::npos ? std::string{} : completion_title(group.substr(measure + 1));
        title = value.empty() ? value : value + " (" + group_title(group.substr(0, measure)) + ")";
    } else if (const std::string segments = after(name, "segments."); !segments.empty()) {
        title = tagged_title("Segments", segments);
    } else if (const std::string fairness = after(name, "fairness."); !fairness.empty()) {
        title = tagged_title("Transfers under way", fairness);
    } else if (title.empty()) {
        const std::string memory = after(name, "buffers.");
        title = part_title(memory.empty() ? after(name, "resources.") : memory);
    }
    return title.empty() ? name : title;
}

axis_unit metric_axis_unit(const std::string& name, double low, double high, bool logarithmic) {
    switch (unit_of_metric(name)) {
        case metric_unit::time:
            return logarithmic ? log_time_unit(low, high) : time_unit(high);
        case metric_unit::rate:
            return rate_unit(high);
        case metric_unit::bytes:
            return byte_unit(high);
        case metric_unit::percent:
            return {"%", 1};
        default:
            return high >= 2e6   ? axis_unit{"millions", 1e6}
                   : high >= 1e5 ? axis_unit{"thousands", 1e3}
                                 : axis_unit{"", 1};
    }
}

}  // namespace weir::tb
