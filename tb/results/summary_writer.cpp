#include "tb/results/summary_writer.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

#include "tb/process/build_facts.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

double rounded(double percent) {
    return std::round(percent * 1e4) / 1e4;
}

ordered_json json_number(picoseconds time) {
    return json_ns(time);
}

ordered_json json_number(slowdown_ratio value) {
    return static_cast<double>(value) / slowdowns_in_one;
}

template <class Value>
ordered_json summary_of(const distribution_of<Value>& d) {
    ordered_json j;
    j["count"] = d.count;
    if (d.unfinished > 0) {
        j["unfinished"] = d.unfinished;
    }
    j["mean"] = d.count > 0 ? json_number(d.mean) : ordered_json(nullptr);
    const auto put = [&](const std::string& key, Value value, std::uint32_t share) {
        j[key] = d.is_empty() ? ordered_json(nullptr) : json_number(value);
        if (share > d.reached) {
            j[lower_bound_key(key)] = true;
        }
    };
    put("p50", d.p50, 5'000);
    put("p90", d.p90, 9'000);
    put("p99", d.p99, 9'900);
    put("p99_9", d.p99_9, 9'990);
    put("max", d.max, 10'000);
    j["variation_percent"] = d.count > 0 ? ordered_json(rounded(100 * d.variation)) : ordered_json(nullptr);
    return j;
}

ordered_json to_json(const frame_account& frames) {
    ordered_json j;
    j["sent"] = frames.sent;
    if (frames.originated > 0) {
        j["originated"] = frames.originated;
    }
    j["delivered"] = frames.delivered;
    j["dropped"] = frames.dropped;
    j["inside"] = frames.inside;
    return j;
}

ordered_json drops_of(const frame_account& frames) {
    ordered_json j;
    for (const drop_reason reason : frames.reasons) {
        j[name_of(reason)] = frames.drops[static_cast<unsigned>(reason)];
    }
    j["unsent_link_down"] = frames.unsent_link_down;
    return j;
}

ordered_json to_json(const detour_summary& detours) {
    ordered_json j;
    const auto frames = static_cast<double>(detours.frames);
    j["frames"] = detours.frames;
    j["detoured"] = detours.detoured;
    j["detoured_percent"] = detours.frames > 0
                                ? ordered_json(rounded(100 * static_cast<double>(detours.detoured) / frames))
                                : ordered_json(nullptr);
    j["p99"] = detours.frames > 0 ? ordered_json(detours.p99) : ordered_json(nullptr);
    j["max"] = detours.frames > 0 ? ordered_json(detours.most) : ordered_json(nullptr);
    return j;
}

ordered_json to_json(const detour_counts& counts, const std::vector<std::string>& tags) {
    ordered_json j = to_json(detour_summary_of(counts.all));
    j["tags"] = ordered_json::object();
    for (const auto& [tag, frames] : counts.by_tag) {
        if (tag != detour_counter::no_tag) {
            j["tags"][tag_at(tag, tags)] = to_json(detour_summary_of(frames));
        }
    }
    return j;
}

/// Of the time in which all of them could have sent; null where that is none.
ordered_json paused_percent(const pause_totals::tier& tier, picoseconds measured) {
    const double whole = static_cast<double>(measured.count()) * static_cast<double>(tier.transmitters);
    return whole > 0 ? ordered_json(rounded(100 * static_cast<double>(tier.paused) / whole))
                     : ordered_json(nullptr);
}

ordered_json to_json(const pause_totals& pauses, picoseconds measured) {
    ordered_json j;
    j["xoff_sent"] = pauses.xoff_sent;
    j["xon_sent"] = pauses.xon_sent;
    j["frames_sent"] = pauses.frames_sent;
    j["paused_ns"] = ordered_json::object();
    j["paused_percent"] = ordered_json::object();
    for (const auto& [name, tier] : pauses.tiers) {
        j["paused_ns"][name] = json_ns(tier.paused);
        j["paused_percent"][name] = paused_percent(tier, measured);
    }
    return j;
}

/// Unit: bit/s, rounded. Null where nothing was measured.
ordered_json goodput_bps(std::uint64_t payload_bytes, picoseconds measured) {
    if (measured <= picoseconds{0}) {
        return nullptr;
    }
    const auto time = static_cast<pause_totals::wide_picoseconds>(measured.count());
    const auto scaled = static_cast<pause_totals::wide_picoseconds>(payload_bytes) * 8 * 1'000'000'000'000;
    return static_cast<std::uint64_t>((scaled + time / 2) / time);
}

ordered_json to_json(const std::vector<resource_summary>& resources) {
    ordered_json j = ordered_json::object();
    for (const resource_summary& all : resources) {
        ordered_json& kind = j[name_of(all.kind)];
        kind["of"] = all.of;
        kind["binding"] = all.binding;
        kind["worst"] = all.worst.name();
        kind["busy_percent"] = rounded(all.worst.busy_percent);
        kind["stalled_percent"] = rounded(all.worst.stalled_percent);
        kind["lost_frames"] = all.worst.lost_frames;
        kind["bound_percent"] = rounded(all.worst.bound_percent);
        const bool bound = all.worst.bound_percent > 0;
        kind["bound_from_ns"] = bound ? json_ns(all.worst.bound_from) : ordered_json(nullptr);
        kind["bound_to_ns"] = bound ? json_ns(all.worst.bound_to) : ordered_json(nullptr);
        // One alone is the worst.
        for (const resource_use& use : all.fullest.size() > 1 ? all.fullest : std::vector<resource_use>{}) {
            kind["fullest"].push_back({{"name", use.name()},
                                       {"busy_percent", rounded(use.busy_percent)},
                                       {"bound_percent", rounded(use.bound_percent)}});
        }
    }
    return j;
}

ordered_json names_of_limiting(const std::vector<resource_summary>& resources) {
    ordered_json names = ordered_json::array();
    for (const resource_summary& kind : limiting_of(resources)) {
        names.push_back(name_of(kind.kind));
    }
    return names;
}

ordered_json to_json(const buffer_mark& mark) {
    ordered_json j;
    const bool is_there = mark.size > 0;
    j["size_bytes"] = mark.size;
    j["watermark_bytes"] = is_there ? ordered_json(mark.watermark) : ordered_json(nullptr);
    j["watermark_percent"] =
        is_there ? ordered_json(std::round(1000 * mark.percent()) / 1000) : ordered_json(nullptr);
    return j;
}

ordered_json to_json(const completion_group& group, const run_summary& summary) {
    ordered_json j;
    j["tag"] = tag_name(summary.tags, group.tag);
    j["bytes"] = group.largest.count();
    if (group.smallest != group.largest) {
        j["bytes_min"] = group.smallest.count();
        j["bytes_max"] = group.largest.count();
    }
    j["priority"] = group.priority;
    j["fct_ns"] = to_json(group.fct);
    j["jct_ns"] = to_json(group.jct);
    j["fct_slowdown"] = to_json(group.fct_slowdown);
    if (summary.jct_slowdown) {
        j["jct_slowdown"] = to_json(group.jct_slowdown);
    }
    return j;
}

std::string processor_model() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(':');
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            const std::size_t begin = line.find_first_not_of(' ', colon + 1);
            return begin == std::string::npos ? "unknown" : line.substr(begin);
        }
    }
    return "unknown";
}

double seconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// As a shell takes it.
std::string quoted(const std::string& argument) {
    const auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("-_./=,:+%@").find(c) != std::string_view::npos;
    };
    if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) {
        return argument;
    }
    std::string text = "'";
    for (char c : argument) {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + "'";
}

}  // namespace

ordered_json to_json(const distribution& times) {
    return summary_of(times);
}

ordered_json to_json(const slowdown_distribution& slowdowns) {
    return summary_of(slowdowns);
}

// A double with at most 15 digits is printed with just these: up to 1e15 ps no decimal is lost or made up.
ordered_json json_ns(pause_totals::wide_picoseconds time) {
    if (time % 1000 == 0 || time >= 1'000'000'000'000'000) {
        return static_cast<std::int64_t>((time + 500) / 1000);
    }
    return static_cast<double>(static_cast<std::int64_t>(time)) / 1000.0;
}

std::string to_text(const ordered_json& document) {
    // A name that is not UTF-8 does not cost the run its results.
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string lower_bound_key(const std::string& percentile) {
    return percentile + "_is_lower_bound";
}

std::string tag_name(const std::vector<std::string>& tags, std::uint8_t tag) {
    return tag < tags.size() ? tags[tag] : std::to_string(tag);
}

ordered_json to_json(const run_summary& summary) {
    ordered_json j;
    j["version"] = summary.version;
    j["seed"] = summary.seed;
    j["complete"] = summary.complete;
    j["simulated_ns"] = json_ns(summary.simulated);
    if (summary.averaged.idle > 0_ps) {
        j["averaged_from_ns"] = json_ns(summary.averaged.start);
    }
    j["packet_hops"] = summary.packet_hops;
    j["frames"] = to_json(summary.frames);
    j["drops"] = drops_of(summary.frames);
    j["pfc"] = to_json(summary.pauses, summary.averaged.length);
    j["buffers"] = ordered_json::object();
    for (const buffer_mark& mark : summary.buffers) {
        j["buffers"][mark.kind] = to_json(mark);
    }
    if (summary.ecn_seen) {
        j["ecn"]["seen"] = *summary.ecn_seen;
    }
    if (summary.detours) {
        j["detours"] = to_json(*summary.detours, summary.tags);
    }
    if (summary.probes) {
        j["pfabric"]["probes"] = *summary.probes;
    }
    j["goodput"]["bytes"] = summary.goodput_bytes;
    j["goodput"]["bps"] = goodput_bps(summary.goodput_bytes, summary.averaged.length);
    j["limited_by"] = names_of_limiting(summary.resources);
    j["resources"] = to_json(summary.resources);
    for (const auto& [key, value] : summary.extra.items()) {
        j[key] = value;
    }
    j["flows"]["started"] = summary.flows_started;
    j["flows"]["completed"] = summary.flows_completed;
    if (summary.flows_unfinished > 0) {
        j["flows"]["unfinished"] = summary.flows_unfinished;
    }
    j["fct_ns"] = to_json(summary.fct);
    j["jct_ns"] = to_json(summary.jct);
    j["fct_slowdown"] = to_json(summary.fct_slowdown);
    if (summary.jct_slowdown) {
        j["jct_slowdown"] = to_json(*summary.jct_slowdown);
    }
    j["groups"] = ordered_json::array();
    for (const completion_group& group : summary.groups) {
        j["groups"].push_back(to_json(group, summary));
    }
    return j;
}

void run_facts::add(const run_facts& other) {
    cpu_seconds += other.cpu_seconds;
    peak_memory_bytes += other.peak_memory_bytes;
    setup_cpu_seconds += other.setup_cpu_seconds;
    setup_memory_bytes += other.setup_memory_bytes;
    engine_events += other.engine_events;
    rtl.insert(rtl.end(), other.rtl.begin(), other.rtl.end());
    ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
}

ordered_json to_json(const run_facts& facts) {
    ordered_json j;
    j["wall_seconds"] = facts.wall_seconds;
    j["cpu_seconds"] = facts.cpu_seconds;
    j["peak_memory_bytes"] = facts.peak_memory_bytes;
    j["setup_wall_seconds"] = facts.setup_wall_seconds;
    j["setup_cpu_seconds"] = facts.setup_cpu_seconds;
    j["setup_memory_bytes"] = facts.setup_memory_bytes;
    j["threads"] = facts.threads;
    j["quantum_ns"] = json_ns(facts.quantum);
    j["engine"] = facts.engine;
    j["quanta"] = facts.quanta;
    j["engine_events"] = facts.engine_events;
    j["machine"] = facts.machine;
    j["date"] = facts.date;
    j["command_line"] = facts.command_line;
    const build_facts& build = this_build();
    j["version"] = build.version;
    j["commit"] = build.commit;
    j["build"] = build.build;
    for (const auto& [name, version] : build.libraries) {
        j["libraries"][name] = version;
    }
    if (!facts.linked_plugin.empty()) {
        j["linked_plugin"] = facts.linked_plugin;
    }
    j["ended"] = facts.ended;
    j["warnings"] = facts.warnings;
    for (const run_facts::rtl_cycles& each : facts.rtl) {
        j["rtl_cycles"][each.switch_name][each.block] = each.cycles;
    }
    for (const run_facts::rank_part& each : facts.ranks) {
        j["ranks"].push_back({{"hosts", each.hosts},
                              {"switches", each.switches},
                              {"cut_links", each.cut_links},
                              {"engine_events", each.engine_events},
                              {"cpu_seconds", each.cpu_seconds},
                              {"peak_memory_bytes", each.peak_memory_bytes}});
    }
    return j;
}

run_stopwatch::run_stopwatch(int count, const char* const* arguments)
    : m_start(std::chrono::steady_clock::now()) {
    for (int i = 0; i < count; ++i) {
        m_command_line += (i > 0 ? " " : "") + quoted(arguments[i]);
    }
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char date[32];
    m_date.assign(date, std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

void run_stopwatch::take(double& wall_seconds, double& cpu_seconds, std::uint64_t& memory_bytes) const {
    wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void run_stopwatch::set_up() {
    take(m_set_up.setup_wall_seconds, m_set_up.setup_cpu_seconds, m_set_up.setup_memory_bytes);
}

run_facts run_stopwatch::facts() const {
    run_facts f = m_set_up;
    take(f.wall_seconds, f.cpu_seconds, f.peak_memory_bytes);
    f.machine = processor_model();
    f.date = m_date;
    f.command_line = m_command_line;
    return f;
}

}  // namespace weir::tb
