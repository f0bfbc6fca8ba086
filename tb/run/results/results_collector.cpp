#include "tb/run/results/results_collector.h"

#include <tuple>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/options/run_traits.h"
#include "tb/run/results/derived_metric.h"
#include "tb/run/results/run_metrics.h"
#include "tb/run/results/run_tables.h"
#include "tb/run/samples/buffer_marks.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb {

/// None without flow control, all with 802.3x, the lossless ones with PFC.
static class_mask pausable_classes(const run_config& config) {
    class_mask classes = 0;
    for (unsigned c = 0; config.flow_control.mode != flow_control_mode::none && c < pfc_classes; ++c) {
        const bool is_lossless =
            c < config.device.classes &&
            (!organisation_of(config.device).is_shared || config.shared.is_lossless(static_cast<pfc_class>(c)));
        const bool can_pause = config.flow_control.mode == flow_control_mode::pause || is_lossless;
        classes = static_cast<class_mask>(classes | (can_pause ? 1U << c : 0U));
    }
    return classes;
}

results_collector::results_collector(const run_directory& directory, const run_config& config,
                                     const built_topology& topology, fabric& made,
                                     std::vector<traffic_endpoint*> endpoints, std::vector<std::string> tags,
                                     const ideal_delays& delays, const std::vector<picoseconds>& ideal_ranks)
    : m_directory(directory),
      m_config(config),
      m_topology(topology),
      m_warmup(config.run.warmup),
      m_fabric(made),
      m_endpoints(std::move(endpoints)),
      m_logs(m_endpoints, made.team()),
      m_tags(std::move(tags)),
      m_ideal(made.plan(), delays),
      m_program(ideal_ranks),
      m_timeline(made, config.device, m_warmup),
      m_sampler(made),
      m_senders(made, m_endpoints),
      m_series(made, config.device),
      m_lines(m_tags),
      m_statistics(config.output.size_bins.value_or(std::vector<bytes>{})),
      m_splits(with_operands(config.output.metrics), made.plan()),
      m_precision(parse_precision_goals(config.run.until).value, m_warmup, m_tags) {
    const output_options& options = config.output;
    if (options.flows) {
        m_flows.emplace(directory.create<flow_row>());
    }
    if (options.jobs) {
        m_jobs.emplace(directory.create<job_row>(), job_row{{}, {}, {options.ideal_jobs, {}}});
    }
    if (options.segments) {
        m_reroutes.emplace(directory.create<reroute_row>());
    }
    if (options.fairness_window > picoseconds{0}) {
        m_rates = std::make_unique<flow_rates>(made, m_endpoints, m_tags, options.fairness_window, m_warmup);
    }
    if (const cause_options causes = causes_of(config); causes.pauses || causes.drops) {
        made.log_causes(causes);
    }
    if (options.occupancy_interval > picoseconds{0}) {
        m_sampler.start(options.occupancy_interval, !options.series.empty());
    }
}

void results_collector::take_logs() {
    m_deliveries.clear();
    m_jobs_done.clear();
    m_logs.take();
    for (host_id h = 0; h < m_endpoints.size(); ++h) {
        if (const host_log* const log = m_logs.of(h)) {
            m_deliveries.add(h, log->deliveries, [](const delivery_record& d) { return d.end; });
            m_jobs_done.add(h, log->jobs, [](const logged_job& j) { return j.job.end; });
            for (const delivery_record& sent : log->unconfirmed) {
                m_unfinished.add_sent(sent);
            }
        }
    }
    m_deliveries.sort();
    m_jobs_done.sort();
    const auto delivery_at = [this](const log_place& p) -> const delivery_record& {
        return m_logs.of(p.host)->deliveries[p.index];
    };
    const auto job_at = [this](const log_place& p) -> const logged_job& {
        return m_logs.of(p.host)->jobs[p.index];
    };
    if (has_ideal_jobs()) {
        for (const log_place& place : m_deliveries.places()) {
            if (const delivery_record& transfer = delivery_at(place); !m_program.has(transfer.job)) {
                m_ideal_jobs.add(transfer);
            }
        }
    }
    auto job = m_jobs_done.places().begin();
    const auto no_job = m_jobs_done.places().end();
    // Jobs that are one transfer stand between a host's other jobs where they were done.
    const auto is_before = [&](const log_place& j, const log_place& transfer) {
        return std::make_tuple(j.time, j.host, job_at(j).deliveries) <=
               std::make_tuple(transfer.time, transfer.host, std::size_t{transfer.index});
    };
    for (const log_place& place : m_deliveries.places()) {
        for (; job != no_job && is_before(*job, place); ++job) {
            record_job(job_at(*job).job);
        }
        record_transfer(delivery_at(place));
    }
    for (; job != no_job; ++job) {
        record_job(job_at(*job).job);
    }
    for (host_id h = 0; h < m_endpoints.size(); ++h) {
        if (const host_log* const log = m_logs.of(h)) {
            for (const sender_record& record : log->senders) {
                m_joiner.add(record);
            }
        }
    }
    m_logs.clear();
    m_joiner.take_ready([this](const completed_flow& flow) { write_held(flow); });
    if (m_reroutes) {
        take_reroutes();
    }
}

void results_collector::record_transfer(const delivery_record& transfer) {
    ++m_flows_completed;
    m_foreign_completed += transfer.src < m_endpoints.size() ? 0 : 1;
    m_unfinished.remove_delivered(transfer);
    const bool is_measured = transfer.start >= m_warmup;
    const bool leaves_now = is_measured && m_flows && m_joiner.leaves_at_once(transfer);
    const picoseconds ideal = is_measured ? m_ideal.of(transfer) : never;
    std::string_view shared;
    if (is_measured && (leaves_now || transfer.is_job)) {
        shared = m_lines.shared_cells(transfer);
    }
    if (leaves_now) {
        constexpr sender_record nothing_again{};
        m_flows->write(flow_row_of(transfer, shared, ideal, &nothing_again));
    } else if (is_measured && m_flows) {
        m_joiner.add(transfer);
    }
    const completion_class of{transfer.tag, transfer.flow_bytes, transfer.priority};
    const measured_time flow_time{transfer.end - transfer.start, ideal};
    if (is_measured && m_precision.has_goals()) {
        m_precision.add_flow(transfer.tag, flow_time);
        if (transfer.is_job) {
            m_precision.add_job(transfer.tag, flow_time.time);
        }
    }
    if (is_measured && m_splits.is_on()) {
        const bool is_own = transfer.src < m_endpoints.size();
        m_splits.add_flow(transfer.dst, is_own ? transfer.flow_bytes : bytes{0}, flow_time);
    }
    if (!transfer.is_job) {
        if (is_measured) {
            m_statistics.add_flow(of, flow_time);
        }
        return;
    }
    const job_record job = job_of(transfer);
    const measured_time job_time{flow_time.time, ideal_of(job)};
    if (is_measured) {
        m_statistics.add_flow_and_job(of, flow_time, job_time);
        write_job(job, shared, job_time.ideal);
    }
}

void results_collector::record_unfinished(picoseconds end, run_summary& summary) {
    const auto started_in_warmup = [this](const auto& each) { return each.start < m_warmup; };
    std::vector<unfinished_transfer> transfers = m_unfinished.at_end(m_endpoints, m_fabric.team(), end);
    summary.flows_unfinished = transfers.size();
    transfers.erase(std::remove_if(transfers.begin(), transfers.end(), started_in_warmup), transfers.end());
    std::vector<job_record> jobs = unfinished_jobs(m_endpoints, m_fabric.team(), end);
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), started_in_warmup), jobs.end());
    for (const unfinished_transfer& each : transfers) {
        const completion_class of{each.tag, each.flow_bytes, each.priority};
        const measured_time age{end - each.start, m_ideal.of(each)};
        m_statistics.add_open_flow(of, age);
        m_splits.add_open_flow(each.dst, each.flow_bytes, age);
        if (each.is_job) {
            m_statistics.add_open_job(of, has_ideal_jobs() ? age : measured_time{age.time});
            jobs.push_back(job_of(each));
        }
    }
    for (const job_record& job : jobs) {
        if (job.kind != job_kind::flow) {
            const picoseconds ideal = m_program.has(job.job) ? m_program.ideal_of(job.job) : never;
            m_statistics.add_open_job({job.tag, job.job_bytes, job.priority}, {end - job.start, ideal});
        }
    }
    std::sort(jobs.begin(), jobs.end(), [](const job_record& a, const job_record& b) {
        return std::tie(a.start, a.job) < std::tie(b.start, b.job);
    });
    if (m_flows && !transfers.empty()) {
        record_table<unfinished_row> table(m_directory.create<unfinished_row>());
        for (const unfinished_transfer& each : transfers) {
            table.write({columns_of_transfer(each), {m_lines.shared_cells(each)}, each.received_bytes});
        }
        table.finish();
    }
    if (m_jobs && !jobs.empty()) {
        record_table<unfinished_job_row> table(m_directory.create<unfinished_job_row>());
        for (const job_record& job : jobs) {
            table.write({columns_of_job(job), {m_lines.shared_cells(job)}});
        }
        table.finish();
    }
}

void results_collector::take_reroutes() {
    m_stays.clear();
    for (host_id h = 0; h < m_endpoints.size(); ++h) {
        segment_log* const log = m_endpoints[h] != nullptr ? m_endpoints[h]->segments() : nullptr;
        if (log != nullptr) {
            for (const path_stay& stay : log->stays()) {
                m_stays.push_back({stay, h});
            }
            log->clear_stays();
        }
    }
    m_stays = gathered(m_fabric.team(), std::move(m_stays));
    std::stable_sort(m_stays.begin(), m_stays.end(), [](const host_stay& a, const host_stay& b) {
        return std::make_pair(a.stay.to, a.host) < std::make_pair(b.stay.to, b.host);
    });
    for (const host_stay& each : m_stays) {
        if (each.stay.to >= m_warmup) {
            const host_id dst = m_fabric.host_of(each.stay.dst);
            const std::string tag = tag_name(m_tags, each.stay.tag);
            m_reroutes->write(reroute_of(each.host, dst, each.stay, tag));
        }
    }
}

// Called for each transfer, as write_job is for each job: everything that it calls is inlined.
[[gnu::flatten]] void results_collector::write_held(const completed_flow& flow) {
    const delivery_record& d = flow.delivery;
    const sender_record sender{d.flow, d.end, flow.retransmits, flow.timeouts};
    m_flows->write(
        flow_row_of(d, m_lines.shared_cells(d), m_ideal.of(d), flow.sender_known ? &sender : nullptr));
}

picoseconds results_collector::ideal_of(const job_record& job) {
    if (m_program.has(job.job)) {
        return m_program.ideal_of(job.job);
    }
    return has_ideal_jobs() ? m_ideal_jobs.take(job) : never;
}

void results_collector::record_job(const job_record& job) {
    const picoseconds ideal = ideal_of(job);
    if (m_program.has(job.job)) {
        m_program.add(job);
    }
    if (job.start >= m_warmup) {
        m_statistics.add_job({job.tag, job.job_bytes, job.priority}, {job.end - job.start, ideal});
        m_precision.add_job(job.tag, job.end - job.start);
        write_job(job, m_lines.shared_cells(job), ideal);
    }
}

[[gnu::flatten]] void results_collector::write_job(const job_record& job, std::string_view shared,
                                                   picoseconds ideal) {
    if (m_jobs) {
        m_jobs->write({columns_of_job(job), {shared}, {has_ideal_jobs(), if_known(ideal)}});
    }
}

class_mask results_collector::paused_classes() const {
    return static_cast<class_mask>(pausable_classes(m_config) & classes_sent(m_fabric));
}

run_summary results_collector::finish(bool complete, picoseconds end) {
    const picoseconds settled = settle(end);
    run_summary summary;
    summary.frames = account_of(count_frames(m_fabric, !m_topology.changes.empty()));
    if (!summary.frames.violation.empty()) {
        SC_REPORT_FATAL("/weir/invariant", summary.frames.violation.c_str());
    }
    take_logs();
    record_unfinished(end, summary);
    for (traffic_endpoint* endpoint : m_endpoints) {
        if (endpoint != nullptr) {
            endpoint->settle(end);
        }
    }
    take_logs();
    m_joiner.take_all([this](const completed_flow& flow) { write_held(flow); });
    const auto finish_if_there = [](auto& table) { return table ? table->finish() : void(); };
    finish_if_there(m_flows);
    finish_if_there(m_jobs);
    finish_if_there(m_reroutes);
    if (m_rates) {
        m_rates->finish(end);
    }
    m_senders.finish(end);
    m_series.finish(end);

    summary.version = WEIR_VERSION;
    summary.seed = m_config.run.seed;
    summary.complete = complete;
    summary.simulated = end;
    summary.packet_hops = packet_hops(m_fabric);
    summary.pauses = count_pauses(m_fabric, paused_classes());
    run_results results = results_at(end, settled, false, summary.extra);
    write_run_tables(results, false);
    summary.resources = summary_of(results.resources);
    if (m_program.is_there()) {
        summary.extra["program"] = m_program.summary();
    }
    if (m_precision.has_goals()) {
        summary.extra["until"] = m_precision.summary();
        const std::vector<std::string> short_of = m_precision.shortcomings();
        m_warnings.insert(m_warnings.end(), short_of.begin(), short_of.end());
    }
    summary.buffers = buffer_marks(m_fabric, m_config);
    if (marks_frames(m_config, m_topology)) {
        summary.ecn_seen = total([](const traffic_endpoint& e) { return e.counters().marked_segments; });
    }
    if (!m_detours.empty()) {
        summary.detours = detours_of(m_detours, m_fabric.team());
    }
    if (uses_transport(m_config, "pfabric")) {
        summary.probes = total(
            [](const traffic_endpoint& e) { return e.counters().sent.frames_of(frame_kind::pfabric_probe); });
    }
    summary.averaged = averaged_time_of(m_fabric, m_warmup, end);
    if (const std::string warning = idle_warning(m_fabric, summary.averaged); !warning.empty()) {
        m_warnings.push_back(warning);
    }
    if (summary.averaged.length > picoseconds{0}) {
        summary.goodput_bytes = total([](const traffic_endpoint& e) { return e.goodput_bytes(); });
    }
    summary.flows_started = total([](const traffic_endpoint& e) { return e.log().flows_started; });
    summary.flows_completed = m_flows_completed;
    check_transfers(summary);
    summary.groups = m_statistics.groups();
    summary.fct = m_statistics.fct();
    summary.jct = m_statistics.jct();
    summary.fct_slowdown = m_statistics.fct_slowdown();
    if (has_ideal_jobs()) {
        summary.jct_slowdown = m_statistics.jct_slowdown();
    }
    summary.tags = m_tags;
    m_splits.write(m_statistics, m_tags, has_ideal_jobs(), summary);
    compute_metrics(with_operands(m_config.output.metrics), results, summary);
    m_directory.synchronise();  // it must not be found without them
    m_directory.write("summary.json", to_text(to_json(summary)));
    return summary;
}

transfer_counts results_collector::flows_so_far() const {
    const auto is_own = [this](const delivery_record& d) { return d.src < m_endpoints.size(); };
    const std::uint64_t started = total([](const traffic_endpoint& e) { return e.log().flows_started; });
    const std::uint64_t completed =
        summed(m_fabric.team(), m_flows_completed - m_foreign_completed) +
        total([&](const traffic_endpoint& e) {
            return std::count_if(e.log().deliveries.begin(), e.log().deliveries.end(), is_own);
        });
    return {started, completed, started - completed};
}

void results_collector::check_transfers(const run_summary& summary) const {
    const std::uint64_t known = summary.flows_completed - m_foreign_completed + summary.flows_unfinished;
    if (m_fabric.team().leads() && summary.flows_started != known) {
        const std::string text = std::to_string(summary.flows_started) + " transfers started, but " +
                                 std::to_string(known) + " of them have completed or are unfinished";
        SC_REPORT_FATAL("/weir/invariant", text.c_str());
    }
}

run_results results_collector::results_at(picoseconds end, picoseconds settled, bool failed,
                                          nlohmann::ordered_json& extra) {
    averaged_time averaged = averaged_time_of(m_fabric, m_warmup, end);
    if (averaged.length == picoseconds{0}) {
        averaged.length = end;  // the warm-up outlasts the run
    }
    std::vector<resource_use> resources = resources_of(m_fabric, m_config.device, end, averaged.length);
    m_timeline.finish(end);
    m_timeline.mark(resources);
    const fabric_samples samples = m_sampler.samples_until(settled);
    // After a failure nodes are not settled; samples have settled pauses.
    const picoseconds paused_until = failed ? m_sampler.last_before(settled) : settled;
    return {m_directory,   m_config,         m_fabric,  m_endpoints, m_tags, m_timeline,
            m_rates.get(), m_senders,        m_series,  samples,     end,    averaged,
            paused_until,  paused_classes(), m_detours, m_warnings,  extra,  std::move(resources)};
}

void results_collector::write_failed() {
    nlohmann::ordered_json nowhere;
    run_results results = results_at(m_fabric.reached(), m_fabric.reached(), true, nowhere);
    write_run_tables(results, true);
    m_directory.synchronise();
}

}  // namespace weir::tb
