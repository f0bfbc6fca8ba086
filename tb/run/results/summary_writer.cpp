#include "tb/run/results/summary_writer.h"

#include "tb/run/results/metric_catalogue.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

ordered_json json_number(picoseconds time) {
    return json_ns(time);
}

ordered_json json_number(slowdown_ratio value) {
    return static_cast<double>(value) / slowdowns_in_one;
}

}  // namespace

template <class Value>
ordered_json to_json(const distribution_of<Value>& d) {
    ordered_json j;
    j["count"] = d.count;
    if (d.unfinished > 0) {
        j["unfinished"] = d.unfinished;
    }
    j["mean"] = if_there(d.count > 0, json_number(d.mean));
    const auto put = [&](const std::string& key, Value value, std::uint32_t share) {
        j[key] = if_there(!d.is_empty(), json_number(value));
        if (share > d.reached) {
            j[lower_bound_key(key)] = true;
        }
    };
    put("p50", d.p50, 5'000);
    put("p90", d.p90, 9'000);
    put("p99", d.p99, 9'900);
    put("p99_9", d.p99_9, 9'990);
    put("max", d.max, 10'000);
    j["variation_percent"] = if_there(d.count > 0, with_decimals(100 * d.variation));
    return j;
}
template ordered_json to_json(const distribution&);
template ordered_json to_json(const slowdown_distribution&);

namespace {

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
    const bool any = detours.frames > 0;
    const double share = static_cast<double>(detours.detoured) / static_cast<double>(detours.frames);
    j["frames"] = detours.frames;
    j["detoured"] = detours.detoured;
    j["detoured_percent"] = if_there(any, with_decimals(100 * share));
    j["p99"] = if_there(any, detours.p99);
    j["max"] = if_there(any, detours.most);
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
    return if_there(whole > 0, with_decimals(100 * static_cast<double>(tier.paused) / whole));
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

ordered_json to_json(const std::vector<resource_summary>& resources) {
    ordered_json j = ordered_json::object();
    for (const resource_summary& all : resources) {
        ordered_json& kind = j[name_of(all.kind)];
        kind["of"] = all.of;
        kind["binding"] = all.binding;
        kind["worst"] = all.worst.name();
        kind["busy_percent"] = with_decimals(all.worst.busy_percent);
        kind["stalled_percent"] = with_decimals(all.worst.stalled_percent);
        kind["lost_frames"] = all.worst.lost_frames;
        kind["bound_percent"] = with_decimals(all.worst.bound_percent);
        const bool bound = all.worst.bound_percent > 0;
        kind["bound_from_ns"] = if_there(bound, json_ns(all.worst.bound_from));
        kind["bound_to_ns"] = if_there(bound, json_ns(all.worst.bound_to));
        // One alone is the worst.
        for (const resource_use& use : all.fullest.size() > 1 ? all.fullest : std::vector<resource_use>{}) {
            kind["fullest"].push_back({{"name", use.name()},
                                       {"busy_percent", with_decimals(use.busy_percent)},
                                       {"bound_percent", with_decimals(use.bound_percent)}});
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
    j["watermark_bytes"] = if_there(is_there, mark.watermark);
    j["watermark_percent"] = if_there(is_there, with_decimals(mark.percent(), 3));
    return j;
}

ordered_json to_json(const completion_group& group, const run_summary& summary) {
    ordered_json j;
    j["tag"] = tag_name(summary.tags, static_cast<std::uint8_t>(group.tag));
    j["bytes"] = group.largest.count();
    if (group.smallest != group.largest) {
        j["bytes_min"] = group.smallest.count();
        j["bytes_max"] = group.largest.count();
    }
    j["priority"] = group.priority;
    j.update(distributions_of(group, summary.jct_slowdown.has_value()));
    return j;
}

}  // namespace

ordered_json payload_bps(std::uint64_t payload_bytes, picoseconds measured) {
    if (measured <= picoseconds{0}) {
        return nullptr;
    }
    const auto time = static_cast<pause_totals::wide_picoseconds>(measured.count());
    const auto scaled = static_cast<pause_totals::wide_picoseconds>(payload_bytes) * 8 * 1'000'000'000'000;
    return static_cast<std::uint64_t>((scaled + time / 2) / time);
}

ordered_json distributions_of(const completion_group& group, bool has_jct_slowdown) {
    ordered_json j{{"fct_ns", to_json(group.fct)},
                   {"jct_ns", to_json(group.jct)},
                   {"fct_slowdown", to_json(group.fct_slowdown)}};
    if (has_jct_slowdown) {
        j["jct_slowdown"] = to_json(group.jct_slowdown);
    }
    return j;
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
    j["goodput"]["bps"] = payload_bps(summary.goodput_bytes, summary.averaged.length);
    j["limited_by"] = names_of_limiting(summary.resources);
    j["resources"] = to_json(summary.resources);
    for (const auto& [key, value] : summary.extra.items()) {
        j[key] = value;
    }
    j.update(summary.on_request, true);
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

std::vector<metric_entry> described_metrics() {
    constexpr auto flag = json_kind::flag, text = json_kind::text, count = json_kind::count;
    constexpr auto number = json_kind::number, nullable = json_kind::number_or_null;
    constexpr auto always = measure_show::always, if_any = measure_show::if_not_zero;
    constexpr auto losses = measure_subject::losses, watermarks = measure_subject::watermarks;
    constexpr auto pauses = measure_subject::pauses, use = measure_subject::utilisation;
    constexpr auto lower = metric_direction::lower, higher = metric_direction::higher;
    const auto entry = [](const char* key, json_kind kind, const char* help) {
        return metric_entry(key, "", kind).says(help);
    };
    const auto metric = [](const char* key, const char* title, json_kind kind, const char* unit,
                           const char* help = "", metric_row row = {}) {
        return metric_entry(key, title, kind, std::move(row)).in(unit).says(help);
    };
    return {
        entry("complete", flag,
              "False for a run that was interrupted, or whose traffic had not ended at 4,500 s."),
        {"simulated_ns", "Simulated time", number, {use, "simulated time", always}},
        entry("averaged_from_ns?", number,
              "Time of the first frame, where averages and shares start. Without this key they start at "
              "run.warmup."),
        metric("packet_hops", "Packet-hops", count, "frames",
               "Frames that finished a transmission on a link, host links included."),
        entry("seed", json_kind::seed, "Seed of all random streams."),
        entry("version?", text, "Version of the program."),
        metric("frames.sent", "Frames sent", count, "frames", "Frames that a host's MAC began to transmit."),
        metric("frames.originated?", "Frames sent by switches", count, "frames",
               "Frames that switches made themselves.")
            .only("if there are any"),
        metric("frames.delivered", "Frames delivered", count, "frames",
               "Frames handed to the software of their destination host."),
        metric("frames.dropped", "Frames dropped", count, "frames", "Frames lost after they were sent.",
               {losses, "frames dropped", always}),
        metric("frames.inside", "Frames inside at the end", count, "frames",
               "Frames in switches, on wires and in hosts' stacks."),
        metric("drops.*", "Frames lost: *", count, "frames", "Frames lost for that reason.",
               {losses, "*", if_any}),
        metric_entry("drops.total", "Frames lost, all reasons", count).in("frames").computed().better(lower),
        metric("pfc.xoff_sent", "XOFF sent", count, "announcements", "Announcements of pauses.",
               {pauses, "XOFF sent (per class)", always, false, 1}),
        metric("pfc.xon_sent", "XON sent", count, "announcements", "Announcements of ends of pauses."),
        metric("pfc.frames_sent?", "PFC frames sent", count, "frames",
               "PFC and PAUSE frames, whatever classes they announce.", {pauses, "PFC frames sent", always}),
        {"pfc.paused_ns.*", "Time paused, *", number, {pauses, "* paused, sum", if_any, false, 2, true}},
        metric_entry("pfc.paused_ns.total", "Time paused, all transmitters", number).computed().better(lower),
        {"pfc.paused_percent?.*",
         "Share of time paused, *",
         nullable,
         {pauses, "* paused, share", if_any, false, 2, true}},
        {"buffers.*.size_bytes", "Size of the fullest memory: *", nullable},
        {"buffers.*.watermark_bytes", "Highest fill: *", nullable, {watermarks, "*", if_any, false, 0, true}},
        {"buffers.*.watermark_percent",
         "Highest fill, share of the size: *",
         nullable,
         {watermarks, "*, share", if_any, false, 0, true}},
        metric("ecn?.seen", "Marked segments received", count, "frames",
               "Frames of data that came to receivers of TCP and RoCE marked (CE).",
               {losses, "segments marked (ECN)", if_any, false, 1})
            .better(metric_direction::neither),
        metric("detours?.frames", "Frames delivered since the warm-up", count, "frames"),
        metric("detours?.detoured", "Frames detoured", count, "frames").better(lower),
        {"detours?.detoured_percent",
         "Share of frames detoured",
         nullable,
         {losses, "frames detoured", if_any, false, 1}},
        metric("detours?.p99", "Detours of a frame, 99th percentile", nullable, "detours").better(lower),
        metric("detours?.max", "Detours of a frame, maximum", nullable, "detours").better(lower),
        metric("pfabric?.probes", "Probes sent", count, "frames",
               "Probes that senders sent, since the start of the run."),
        metric("goodput.bytes", "Payload delivered", count, "B").better(higher),
        metric("goodput.bps", "Goodput", nullable, "bit/s", "", {use, "goodput", always, true}).better(higher),
        entry("until?.reached", flag, "True: all figures are known well enough at the end."),
        entry("until?.ended_run", flag, "True: that ended the run."),
        metric("until?.looks", "Looks at the figures", count, "1",
               "Number of looks at the figures, with new values of each."),
        entry("until?.figures.*.goal", text, "Goal of the figure."),
        entry("until?.figures.*.reached", flag, "True: the figure is known well enough."),
        entry("until?.figures.*.values", count, "Transfers or jobs that count."),
        entry("until?.figures.*.estimate_ns?", nullable, "The figure."),
        entry("until?.figures.*.half_width_ns?", nullable, "Half of the interval's width."),
        entry("until?.figures.*.estimate?", nullable, "The figure, a slowdown."),
        entry("until?.figures.*.half_width?", nullable, "Half of the interval's width, of slowdowns."),
        entry("until?.figures.*.half_width_percent", nullable, "The same as a share of the estimate."),
        entry("until?.figures.*.confidence_percent", number, "Confidence of the interval."),
        entry("until?.figures.*.batches", count, "Whole batches."),
        entry("until?.figures.*.batch_values", count, "Values in each batch."),
        entry("until?.figures.*.lag1_correlation", json_kind::any, "Correlation of neighbouring batches."),
        entry("until?.figures.*.lag1_limit", nullable, "Largest correlation that counts as none."),
        entry("until?.assumed[]", text, "Assumption of the intervals."),
        entry("limited_by[]", text, "Kind of resource that limits the run, the worst first."),
        {"resources.*.of", "Number of resources: *", count},
        {"resources.*.binding", "Number of resources that bind: *", count},
        entry("resources.*.worst", text,
              "Name of the resource that binds most or is busiest, such as tor0.tx3; the keys below are its "
              "own."),
        {"resources.*.busy_percent", "Time busy, of the busiest: *", number, {use, "*, busiest", if_any}},
        metric("resources.*.stalled_percent", "Time stalled, of the busiest: *", number, "percent")
            .better(lower),
        metric("resources.*.lost_frames", "Frames lost at the busiest: *", count, "frames").better(lower),
        {"resources.*.bound_percent?", "Time at its limit, of the busiest: *", number},
        {"resources.*.bound_from_ns?", "First time at its limit, of the busiest: *", nullable},
        {"resources.*.bound_to_ns?", "Last time at its limit, of the busiest: *", nullable},
        entry("resources.*.fullest?[].name", text, "Name of the resource, such as tor0.tx3."),
        entry("resources.*.fullest?[].busy_percent", number, "Share of the time in which it was busy."),
        entry("resources.*.fullest?[].bound_percent", number, "Share of the time in which it bound."),
        {"busy_links?.mean_percent", "Busy links, mean over time (%)", nullable},
        {"busy_links?.max_percent", "Busy links, most at a time (%)", nullable},
        {"program?.ranks", "Ranks of the program", count},
        {"program?.ranks_done", "Ranks that have ended", count},
        metric("program?.time_ns", "Time of the program", nullable, "ns", "", {use, "program", if_any, true})
            .better(lower),
        {"program?.ideal_ns", "Time of the program on an ideal network", number},
        metric("program?.slowdown", "Slowdown of the program", nullable, "1", "",
               {use, "program, slowdown", if_any})
            .better(lower),
        {"full_queues?.samples", "Full egress ports, all samples together", count},
        {"full_queues?.free_1_hop_percent", "Free memory one hop from full queues (%)", nullable},
        {"full_queues?.free_2_hops_percent", "Free memory within two hops of full queues (%)", nullable},
        metric_entry("segments.*", "Segments, *", json_kind::any).computed(),
        metric_entry("fairness.*", "Transfers under way, *", json_kind::any).computed(),
        entry("fairness?.*.windows", count, "Windows in which any transfer got anything."),
        entry("fairness?.*.window_jain_index_mean", number, "Mean of the windows' Jain's index."),
        entry("fairness?.*.window_jain_index_min", number, "Lowest of the windows' Jain's index."),
        entry("fairness?.*.window_share_max_percent", number,
              "Largest part that one transfer got of what all of the tag got in a window."),
        entry("fairness?.*.flows", count, "Transfers that were under way in all windows."),
        entry("fairness?.*.mean_bps", nullable, "Mean of the rates of these transfers over the whole time."),
        entry("fairness?.*.jain_index", nullable, "Jain's index of these rates."),
        {"flows.started", "Transfers started", count},
        metric("flows.completed", "Transfers completed", count, "1").better(higher),
        metric("flows.unfinished?", "Transfers that did not complete", count, "1")
            .better(lower)
            .only("if there are any; else it is 0"),
        entry("groups.*.tag", text, "Name of the traffic; empty: none."),
        entry("groups.*.bytes", count, "Length of the transfers; of a bin its largest size.").in("B"),
        entry("groups.*.bytes_min?", count, "Smallest size of a bin, included.").in("B"),
        entry("groups.*.bytes_max?", count, "Largest size of a bin, included.").in("B"),
        entry("groups.*.priority", count, "Priority of the transfers, 0 to 7.")};
}

}  // namespace weir::tb
