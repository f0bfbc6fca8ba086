#include <cstdint>
#include <utility>

#include "tb/results/summary_texts.h"
#include "tb/table/completion_words.h"
#include "tb/table/measure_list.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

bool any_value(const ordered_json& times) {
    return started_of(times) > 0;
}

std::string word_of(const ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// In a run whose transfers are its jobs the same times would stand there twice.
bool transfers_are_jobs(const ordered_json& summary) {
    bool same = summary.at("fct_ns") == summary.at("jct_ns");
    for (const ordered_json& group : summary.at("groups")) {
        same = same && group.at("fct_ns") == group.at("jct_ns");
    }
    return same;
}

struct shown_times {
    bool of_groups;
    bool of_all;
};

void add_times(const ordered_json& summary, const completion_kind& kind, shown_times shown,
               measure_list& list) {
    for (const ordered_json& group : summary.at("groups")) {
        if (!any_value(group.at(kind.measure))) {
            continue;
        }
        const std::string key = "groups." + word_of(group["tag"]) + "." + word_of(group["bytes"]) + "." +
                                word_of(group["priority"]) + "." + kind.measure;
        for (const completion_value& each : completion_values) {
            run_measure measure;
            measure.key = key + "." + each.key;
            measure.subject = kind.subject;
            measure.words = {tag_text(group["tag"].get<std::string>()), size_text(group),
                             word_of(group["priority"]), each.name};
            measure.is_compared = each.is_time;
            measure.show = shown.of_groups && each.of_groups ? measure_show::always : measure_show::never;
            list.add_number(std::move(measure));
        }
    }
    for (const completion_value& each : completion_values) {
        run_measure measure;
        measure.key = std::string(kind.measure) + "." + each.key;
        measure.subject = kind.subject;
        measure.words = {"all", "", "", each.name};
        measure.is_compared = each.is_time;
        measure.show = shown.of_all && each.of_all ? each.show : measure_show::never;
        measure.rank = rank_of_all;
        if (measure.key == std::string(kind.measure) + ".unfinished") {
            measure.value = unfinished_of(summary.at(kind.measure));
            list.add(std::move(measure));
        } else {
            list.add_number(std::move(measure));
        }
    }
}

/// Groups are for those who name them: they stand among the rest of the summary.
void add_slowdowns(const completion_kind& kind, measure_list& list) {
    for (const completion_value& each : completion_values) {
        run_measure measure;
        measure.key = std::string(kind.slowdown) + "." + each.key;
        measure.subject = measure_subject::slowdown;
        measure.words = {kind.name, "", "", each.name};
        measure.is_compared = each.is_time;
        measure.show = each.is_time && each.of_all ? measure_show::if_not_zero : measure_show::never;
        measure.rank = rank_of_all;
        list.add_number(std::move(measure));
    }
}

class subject_writer {
 public:
    subject_writer(measure_list& list, measure_subject subject, std::uint8_t rank = 0)
        : m_list(list), m_subject(subject), m_rank(rank) {}

    void add(const std::string& key, const std::string& name, measure_show show, bool is_compared = false) {
        run_measure measure;
        measure.key = key;
        measure.subject = m_subject;
        measure.words = {name};
        measure.show = show;
        measure.is_compared = is_compared;
        measure.rank = m_rank;
        m_list.add_number(std::move(measure));
    }

 private:
    measure_list& m_list;
    measure_subject m_subject;
    std::uint8_t m_rank;
};

void add_losses(const ordered_json& summary, measure_list& list) {
    subject_writer losses(list, measure_subject::losses);
    losses.add("frames.dropped", "frames dropped", measure_show::always);
    for (const auto& [reason, count] : summary.at("drops").items()) {
        losses.add("drops." + reason, reason, measure_show::if_not_zero);
    }
    // Behind the reasons of all runs, of which each run has its own.
    subject_writer marks(list, measure_subject::losses, 1);
    marks.add("ecn.seen", "segments marked (ECN)", measure_show::if_not_zero);
    marks.add("detours.detoured_percent", "frames detoured", measure_show::if_not_zero);
}

void add_buffers(const ordered_json& summary, measure_list& list) {
    std::uint8_t rank = 0;
    for (const auto& [kind, mark] : summary.at("buffers").items()) {
        subject_writer marks(list, measure_subject::watermarks, rank++);
        marks.add("buffers." + kind + ".watermark_bytes", kind, measure_show::if_not_zero);
        marks.add("buffers." + kind + ".watermark_percent", kind + ", share", measure_show::if_not_zero);
    }
}

void add_pauses(const ordered_json& summary, measure_list& list) {
    subject_writer pauses(list, measure_subject::pauses);
    pauses.add("pfc.frames_sent", "PFC frames sent", measure_show::always);
    pauses.add("pfc.xoff_sent", "XOFF sent (per class)", measure_show::always);
    for (const auto& [tier, time] : summary.at("pfc").at("paused_ns").items()) {
        pauses.add("pfc.paused_ns." + tier, tier + " paused, sum", measure_show::if_not_zero);
        pauses.add("pfc.paused_percent." + tier, tier + " paused, share", measure_show::if_not_zero);
    }
}

void add_use(const ordered_json& summary, measure_list& list) {
    subject_writer use(list, measure_subject::utilisation);
    use.add("simulated_ns", "simulated time", measure_show::always);
    use.add("goodput.bps", "goodput", measure_show::always, true);
    run_measure limits;
    limits.key = "limited_by";
    limits.subject = measure_subject::utilisation;
    limits.words = {"limited by"};
    limits.value = summary.at("limited_by");
    limits.show = measure_show::always;
    list.add(std::move(limits));
    for (const auto& [kind, resource] : summary.at("resources").items()) {
        // Of links limits.csv has the busiest ones; what stands here is the one that binds most.
        const bool is_link = kind == "link" || kind == "host_link";
        use.add("resources." + kind + ".busy_percent", kind + ", busiest",
                is_link ? measure_show::never : measure_show::if_not_zero);
    }
    use.add("program.time_ns", "program", measure_show::if_not_zero, true);
    use.add("program.slowdown", "program, slowdown", measure_show::if_not_zero);
}

}  // namespace

void add_summary_measures(const ordered_json& summary, measure_list& list) {
    const bool any_jobs = any_value(summary.at("jct_ns"));
    add_times(summary, completion_of_jobs, {any_jobs, any_jobs}, list);
    // Transfers that are parts of jobs matter all together; whoever wants their groups names them.
    add_times(summary, completion_of_transfers, {!any_jobs, !any_jobs || !transfers_are_jobs(summary)}, list);
    add_slowdowns(completion_of_jobs, list);
    add_slowdowns(completion_of_transfers, list);
    add_losses(summary, list);
    add_buffers(summary, list);
    add_pauses(summary, list);
    add_use(summary, list);
}

}  // namespace weir::tb
