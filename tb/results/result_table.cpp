#include "tb/results/result_table.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "tb/results/percentile_rule.h"
#include "tb/results/value_text.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

struct named_value {
    const char* name;
    const char* key;
    /// With fewer values this percentile is their maximum, by its definition: there is nothing to show.
    std::uint64_t least_count = 1;
};
constexpr named_value p50{"p50", "p50"};
constexpr named_value p90{"p90", "p90", least_values(90)};
constexpr named_value p99{"p99", "p99", least_values(99)};
constexpr named_value p99_9{"p99.9", "p99_9", least_values(99.9)};
constexpr named_value columns[] = {{"mean", "mean"}, p50, p90, p99, p99_9, {"max", "max"}};

std::uint64_t count_of(const ordered_json& times) {
    return times.at("count").get<std::uint64_t>();
}

/// Null where there are too few.
ordered_json value_of(const ordered_json& times, const named_value& column) {
    return count_of(times) >= column.least_count ? times.at(column.key) : ordered_json(nullptr);
}

text_table::row times_row(const std::string& tag, const std::string& size, const std::string& priority,
                          const ordered_json& times) {
    text_table::row cells{tag, size, priority, number_text(times.at("count"))};
    for (const named_value& column : columns) {
        cells.push_back(time_text(value_of(times, column)));
    }
    return cells;
}

/// Jobs, or where a run has none that a user would wait for, transfers.
const char* measure_of(const ordered_json& summary) {
    return count_of(summary.at("jct_ns")) > 0 ? "jct_ns" : "fct_ns";
}

void add_groups(text_table& table, const ordered_json& summary) {
    const std::string measure = measure_of(summary);
    text_table::row head{measure == "jct_ns" ? "jobs" : "transfers", "size", "priority", "count"};
    for (const named_value& column : columns) {
        head.emplace_back(column.name);
    }
    table.add(head);
    for (const ordered_json& group : summary.at("groups")) {
        if (count_of(group.at(measure)) > 0) {
            table.add(times_row(tag_text(group.at("tag").get<std::string>()), size_text(group),
                                std::to_string(group.at("priority").get<unsigned>()), group.at(measure)));
        }
    }
    table.add(times_row("all", "", "", summary.at(measure)));
}

/// `ingress_full 3, bit_error 1`, or `none`.
std::string drops_text(const ordered_json& drops) {
    std::string text;
    for (const auto& [reason, count] : drops.items()) {
        if (count != 0) {
            text += (text.empty() ? "" : ", ") + reason + " " + number_text(count);
        }
    }
    return text.empty() ? "none" : text;
}

/// `tier1 5.62 %`, of the time of all transmitters; before that their time, summed.
std::string paused_text(const ordered_json& pfc) {
    std::string text;
    const ordered_json shares = value_or_null(pfc, "paused_percent");
    for (const auto& [tier, time] : pfc.at("paused_ns").items()) {
        text += (text.empty() ? "" : ", ") + tier + " " + time_text(time);
        const ordered_json share = value_or_null(shares, tier.c_str());
        text += share.is_null() ? "" : " (" + percent_text(share, 2) + ")";
    }
    return text;
}

/// `link edge0.tx3, 99.1 % busy (12 of 640)`, for each kind of resource that binds.
std::string limits_text(const ordered_json& summary) {
    const ordered_json& resources = summary.at("resources");
    const auto one_of = [&](const std::string& kind, const ordered_json& use) {
        std::string text = kind + " " + use.at("worst").get<std::string>() + ", " +
                           percent_text(use.at("busy_percent"), 1) + " busy";
        if (use.at("stalled_percent") > 0) {
            text += ", " + percent_text(use.at("stalled_percent"), 1) + " of the time awaited";
        }
        if (use.at("lost_frames") > 0) {
            text += ", " + number_text(use.at("lost_frames")) + " frames lost";
        }
        const ordered_json bound = value_or_null(use, "bound_percent");
        if (bound.is_number() && bound > 0 && bound < 99.95) {
            text += ", at its limit " + percent_text(bound, 1) + " of the time, between " +
                    time_text(use.at("bound_from_ns")) + " and " + time_text(use.at("bound_to_ns"));
        }
        return text;
    };
    std::string text;
    for (const ordered_json& name : summary.at("limited_by")) {
        const auto kind = name.get<std::string>();
        const ordered_json& use = resources.at(kind);
        text += (text.empty() ? "" : "; ") + one_of(kind, use) + " (" + number_text(use.at("binding")) +
                " of " + number_text(use.at("of")) + " bind)";
    }
    if (!text.empty() || resources.empty()) {
        return text.empty() ? "nothing" : text;
    }
    const auto busiest =
        std::max_element(resources.begin(), resources.end(), [](const ordered_json& a, const ordered_json& b) {
            return a.at("busy_percent").get<double>() < b.at("busy_percent").get<double>();
        });
    return "nothing; busiest: " + one_of(busiest.key(), busiest.value());
}

/// `p99 of fct within 2% at 95%: 1.234 ms +- 1.7 %, of 12,800 values in 32 batches (reached)`
std::string figure_text(const ordered_json& figure) {
    const bool is_time = figure.contains("estimate_ns");
    const ordered_json& estimate = figure.at(is_time ? "estimate_ns" : "estimate");
    const ordered_json& share = figure.at("half_width_percent");
    return figure.at("goal").get<std::string>() + ": " +
           (is_time                ? time_text(estimate)
            : estimate.is_number() ? decimal_text(estimate.get<double>(), 3)
                                   : "-") +
           (share.is_number() ? " +- " + percent_text(share, 2) : "") + ", of " +
           number_text(figure.at("values")) + " values in " + number_text(figure.at("batches")) + " batches" +
           (figure.at("reached").get<bool>() ? "" : " (not reached)");
}

}  // namespace

void result_table(std::ostream& out, const ordered_json& summary) {
    text_table groups;
    add_groups(groups, summary);
    groups.print(out);
    const ordered_json& frames = summary.at("frames");
    const ordered_json& pfc = summary.at("pfc");
    const ordered_json& flows = summary.at("flows");
    out << "\nsimulated  " << time_text(summary.at("simulated_ns")) << ", "
        << number_text(summary.at("packet_hops")) << " packet-hops"
        << (summary.at("complete").get<bool>() ? "" : " (the run was ended before its time)") << '\n'
        << "transfers  " << number_text(flows.at("started")) << " started, "
        << number_text(flows.at("completed")) << " completed\n"
        << "frames     " << number_text(frames.at("sent")) << " sent = " << number_text(frames.at("delivered"))
        << " delivered + " << number_text(frames.at("dropped")) << " dropped + "
        << number_text(frames.at("inside")) << " inside\n"
        << "drops      " << drops_text(summary.at("drops")) << '\n'
        << "pfc        " << number_text(value_or_null(pfc, "frames_sent")) << " PFC frames, with "
        << number_text(pfc.at("xoff_sent")) << " XOFF and " << number_text(pfc.at("xon_sent"))
        << " XON of classes that carried frames\n"
        << "paused     " << paused_text(pfc) << "; summed over ports and classes (share of their time)\n";
    if (summary.contains("program") && !summary.at("program").at("slowdown").is_null()) {
        const ordered_json& program = summary.at("program");
        out << "program    " << how_many(program.at("ranks").get<std::uint64_t>(), "rank") << " in "
            << time_text(program.at("time_ns")) << ", " << decimal_text(program.at("slowdown").get<double>(), 2)
            << " times the " << time_text(program.at("ideal_ns")) << " of an ideal network\n";
    }
    if (summary.contains("goodput") && !summary.at("goodput").at("bps").is_null()) {
        out << "goodput    " << rate_text(summary.at("goodput").at("bps").get<std::int64_t>())
            << ", of all hosts together, since the end of the warm-up\n";
    }
    if (summary.contains("until")) {
        const ordered_json& until = summary.at("until");
        const char* name = "until      ";
        for (const ordered_json& figure : until.at("figures")) {
            out << name << figure_text(figure) << '\n';
            name = "           ";
        }
        const char* also = "assumed: ";
        for (const ordered_json& assumed : until.at("assumed")) {
            out << name << also << assumed.get<std::string>() << '\n';
            also = "         ";
        }
    }
    if (summary.contains("resources")) {
        out << "limited by " << limits_text(summary) << '\n';
    }
    if (summary.contains("ecn")) {
        out << "ecn        " << number_text(summary.at("ecn").at("seen"))
            << " marked segments came to receivers\n";
    }
    if (summary.contains("detours") && summary.at("detours").at("frames") > 0) {
        const ordered_json& detours = summary.at("detours");
        out << "detours    " << number_text(detours.at("detoured")) << " of "
            << number_text(detours.at("frames")) << " frames that were delivered ("
            << decimal_text(detours.at("detoured_percent"), 2) << " %), up to " << detours.at("max")
            << " times\n";
    }
}

}  // namespace weir::tb
