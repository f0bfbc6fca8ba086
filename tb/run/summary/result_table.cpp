#include "tb/run/summary/result_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/summary/summary_texts.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/text_format.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

data_table groups_of(const ordered_json& summary, const given_units& units) {
    const std::string measure = measure_of(summary);
    data_table table = data_table::of({measure == "jct_ns" ? "jobs" : "transfers", "size", "priority"});
    std::vector<const completion_value*> shown;
    for (const completion_value& each : completion_values) {
        if (each.key != std::string_view("unfinished") || unfinished_of(summary.at(measure)) > 0) {
            shown.push_back(&each);
            table.columns.push_back({each.name, each.is_time() ? metric_unit::time : metric_unit::number});
        }
    }
    const auto add = [&](std::vector<table_cell> cells, const ordered_json& times) {
        for (const completion_value* each : shown) {
            const ordered_json value = value_of(times, *each);
            cells.emplace_back(value, mean_interval{}, !value.is_null() && is_lower_bound(times, each->key));
        }
        table.add_row(std::move(cells));
    };
    for (const ordered_json& group : summary.at("groups")) {
        if (started_of(group.at(measure)) > 0) {
            add({tag_text(group.at("tag")), units.in(size_text(group)), group.at("priority").dump()},
                group.at(measure));
        }
    }
    add({"all", "", ""}, summary.at(measure));
    return table;
}

/// `ingress_full 3, bit_error 1`, or `none`.
std::string drops_text(const ordered_json& drops) {
    std::string text;
    for (const auto& [reason, count] : drops.items()) {
        if (count != 0) {
            text += (text.empty() ? "" : ", ") + reason + " " + tally_text(count);
        }
    }
    return text.empty() ? "none" : text;
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
           tally_text(figure.at("values")) + " values in " + tally_text(figure.at("batches")) + " batches" +
           (figure.at("reached").get<bool>() ? "" : " (not reached)");
}

bool any_share(const ordered_json& pfc) {
    const ordered_json shares = value_or_null(pfc, "paused_percent");
    return std::any_of(shares.begin(), shares.end(), [](const ordered_json& each) { return !each.is_null(); });
}

}  // namespace

void result_table(std::ostream& out, const ordered_json& summary, const given_units& units,
                  picoseconds warmup) {
    print_table(out, groups_of(summary, units));
    const ordered_json& frames = summary.at("frames");
    const ordered_json& pfc = summary.at("pfc");
    const ordered_json& flows = summary.at("flows");
    out << "\nsimulated  " << time_text(summary.at("simulated_ns")) << ", "
        << tally_text(summary.at("packet_hops")) << " packet-hops"
        << (summary.at("complete").get<bool>() ? "" : " (the run was stopped before its end)") << '\n'
        << "transfers  " << tally_text(flows.at("started")) << " started, " << tally_text(flows.at("completed"))
        << " completed"
        << (flows.contains("unfinished") ? ", " + tally_text(flows.at("unfinished")) + " unfinished\n" : "\n")
        << "frames     " << tally_text(frames.at("sent")) << " sent = " << tally_text(frames.at("delivered"))
        << " delivered + " << tally_text(frames.at("dropped")) << " dropped + "
        << tally_text(frames.at("inside")) << " inside\n"
        << "drops      " << drops_text(summary.at("drops")) << '\n'
        << "pfc        " << tally_text(value_or_null(pfc, "frames_sent")) << " PFC frames, with "
        << tally_text(pfc.at("xoff_sent")) << " XOFF and " << tally_text(pfc.at("xon_sent"))
        << " XON of classes that carried frames\n"
        << "paused     " << paused_text(pfc) << "; summed over ports and classes"
        << (any_share(pfc) ? " (share of their time)\n" : "\n");
    if (summary.contains("averaged_from_ns")) {
        out << "averages   from the first frame, at " << time_text(summary.at("averaged_from_ns"))
            << ", to the end of the run\n";
    }
    if (summary.contains("program") && !summary.at("program").at("slowdown").is_null()) {
        const ordered_json& program = summary.at("program");
        out << "program    " << how_many(program.at("ranks").get<std::uint64_t>(), "rank") << " in "
            << time_text(program.at("time_ns")) << ", " << decimal_text(program.at("slowdown").get<double>(), 2)
            << " times the " << time_text(program.at("ideal_ns")) << " of an ideal network\n";
    }
    if (summary.contains("goodput") && !summary.at("goodput").at("bps").is_null()) {
        out << "goodput    " << rate_text(summary.at("goodput").at("bps").get<std::int64_t>())
            << ", of all hosts together"
            << (warmup > picoseconds{0} ? ", since the end of the warm-up\n" : "\n");
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
        out << "limited by " << limits_text(summary, "\n           ") << '\n';
    }
    if (summary.contains("ecn")) {
        out << "ecn        " << tally_text(summary.at("ecn").at("seen"))
            << " marked segments came to receivers\n";
    }
    if (summary.contains("detours") && summary.at("detours").at("frames") > 0) {
        const ordered_json& detours = summary.at("detours");
        out << "detours    " << tally_text(detours.at("detoured")) << " of " << tally_text(detours.at("frames"))
            << " frames that were delivered (" << decimal_text(detours.at("detoured_percent"), 2)
            << " %), up to " << detours.at("max") << " times\n";
    }
}

}  // namespace weir::tb
