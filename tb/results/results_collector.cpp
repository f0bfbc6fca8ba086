#include "tb/results/results_collector.h"

#include <algorithm>

#include "tb/results/buffer_marks.h"
#include "tb/results/run_tables.h"
#include "tb/results/segment_tables.h"
#include "tb/shared/read_profiles.h"

namespace weir::tb {

namespace {

class_mask pausable_classes(const run_config& config) {
    if (config.flow_control.mode == flow_control_mode::none) {
        return 0;
    }
    class_mask classes = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        const bool is_lossless =
            c < config.device.classes &&
            (config.shared.kind != buffer_kind::shared || config.shared.is_lossless(static_cast<pfc_class>(c)));
        const bool can_pause = config.flow_control.mode == flow_control_mode::pause || is_lossless;
        classes = static_cast<class_mask>(classes | (can_pause ? 1U << c : 0U));
    }
    return classes;
}

}  // namespace

collector_options collector_options_of(const run_config& config, const built_topology& topology) {
    collector_options o;
    o.version = WEIR_VERSION;
    o.seed = config.run.seed;
    o.warmup = config.run.warmup;
    o.until = parse_precision_goals(config.run.until).value;
    o.flows = config.output.flows;
    o.jobs = config.output.jobs;
    o.size_bins = config.output.size_bins.value_or(std::vector<bytes>{});
    o.occupancy_interval = config.output.occupancy_interval;
    o.window = {config.output.window_start, config.output.window_end.value_or(never)};
    o.occupancy_nodes = config.output.occupancy_nodes;
    o.ideal_jobs = config.output.ideal_jobs;
    o.segments = config.output.segments;
    o.fairness_window = config.output.fairness_window;
    o.busy_links = config.output.busy_links;
    o.full_queues = config.output.full_queues && has_egress_memories(config.shared.kind) &&
                    config.output.occupancy_interval > picoseconds{0};
    o.pausable_classes = pausable_classes(config);
    o.causes.pauses = config.trace.pause_causes;
    o.causes.drops = config.trace.drop_causes;
    o.causes.begin = config.trace.window_start;
    o.causes.end = config.trace.window_end.value_or(never);
    o.cause_flows = config.trace.cause_flows;
    o.watchdog = config.flow_control.mode == flow_control_mode::pfc &&
                 config.flow_control.watchdog != watchdog_action::off;
    o.links_change = !topology.changes.empty();
    o.switches = config;
    o.marks = marks_frames(config, topology);
    o.probes = config.traffic.uses_pfabric();
    return o;
}

results_collector::results_collector(const run_directory& directory, const collector_options& options,
                                     fabric& made, std::vector<traffic_endpoint*> endpoints,
                                     std::vector<std::string> tags, const ideal_delays& delays)
    : m_directory(directory),
      m_options(options),
      m_fabric(made),
      m_endpoints(std::move(endpoints)),
      m_tags(std::move(tags)),
      m_ideal(made.plan(), delays),
      m_program(options.ideal_ranks),
      m_timeline(made, m_options.switches.device, options.warmup),
      m_senders(made, m_endpoints),
      m_statistics(options.size_bins),
      m_precision(options.until, options.warmup, m_tags) {
    if (options.flows) {
        m_flows.emplace(directory.create("flows.csv"));
        m_flows->write("flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts\n");
    }
    if (options.jobs) {
        m_jobs.emplace(directory.create("jobs.csv"));
        m_jobs->write(options.ideal_jobs
                          ? "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns,ideal_ns\n"
                          : "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns\n");
    }
    if (options.segments) {
        m_reroutes.emplace(directory.create("reroutes.csv"));
        m_reroutes->write(reroutes_header);
    }
    if (options.fairness_window > picoseconds{0}) {
        m_rates =
            std::make_unique<flow_rates>(made, m_endpoints, m_tags, options.fairness_window, options.warmup);
    }
    if (options.causes.pauses || options.causes.drops) {
        made.log_causes(options.causes);
    }
    if (options.occupancy_interval > picoseconds{0}) {
        start_samples(made, options.occupancy_interval);
    }
}

void results_collector::take_logs() {
    m_deliveries.clear();
    m_done.clear();
    for (host_id h = 0; h < m_endpoints.size(); ++h) {
        if (m_endpoints[h] == nullptr) {
            continue;
        }
        const host_log& log = m_endpoints[h]->log();
        m_deliveries.insert(m_deliveries.end(), log.deliveries.begin(), log.deliveries.end());
        for (const job_record& job : log.jobs) {
            m_done.push_back({job, h});
        }
    }
    // A host's own list is in order of time already.
    std::stable_sort(m_deliveries.begin(), m_deliveries.end(), [](const auto& a, const auto& b) {
        return std::make_pair(a.end, a.dst) < std::make_pair(b.end, b.dst);
    });
    std::stable_sort(m_done.begin(), m_done.end(), [](const host_job& a, const host_job& b) {
        return std::make_pair(a.job.end, a.host) < std::make_pair(b.job.end, b.host);
    });
    for (const delivery_record& delivery : m_deliveries) {
        ++m_flows_completed;
        if (m_options.ideal_jobs && !m_program.has(delivery.job)) {
            m_ideal_jobs.add(delivery);
        }
        if (delivery.start >= m_options.warmup) {
            m_statistics.add_flow({delivery.tag, delivery.flow_bytes, delivery.priority},
                                  delivery.end - delivery.start);
            if (m_precision.has_goals()) {
                m_precision.add_flow(delivery.tag, delivery.end - delivery.start, m_ideal.of(delivery));
            }
            if (m_flows) {
                m_joiner.add(delivery);
            }
        }
    }
    for (traffic_endpoint* endpoint : m_endpoints) {
        if (endpoint != nullptr) {
            for (const sender_record& record : endpoint->log().senders) {
                m_joiner.add(record);
            }
            endpoint->clear_log();
        }
    }
    m_joiner.take_ready([this](const completed_flow& flow) { write_flow(flow); });
    for (const host_job& done : m_done) {
        record_job(done.job);
    }
    if (m_reroutes) {
        take_reroutes();
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
    std::stable_sort(m_stays.begin(), m_stays.end(), [](const host_stay& a, const host_stay& b) {
        return std::make_pair(a.stay.to, a.host) < std::make_pair(b.stay.to, b.host);
    });
    for (const host_stay& each : m_stays) {
        if (each.stay.to >= m_options.warmup) {
            const host_id dst = m_fabric.host_of(each.stay.dst);
            m_reroutes->write(reroute_line(m_line, each.host, dst, each.stay, m_tags));
        }
    }
}

void results_collector::write_flow(const completed_flow& flow) {
    const delivery_record& d = flow.delivery;
    m_line.add(d.flow).add(d.job).add(d.src).add(d.dst).add(static_cast<std::uint64_t>(d.flow_bytes.count()));
    m_line.add(d.priority).add_name(tag_name(m_tags, d.tag)).add_ns(d.start).add_ns(d.end - d.start);
    const picoseconds ideal = m_ideal.of(d);
    ideal == never ? m_line.add_nothing() : m_line.add_ns(ideal);
    flow.sender_known ? m_line.add(flow.retransmits).add(flow.timeouts) : m_line.add_nothing(2);
    m_flows->write(m_line.end());
}

void results_collector::record_job(const job_record& job) {
    const picoseconds ideal = m_program.has(job.job) ? m_program.ideal_of(job.job)
                              : m_options.ideal_jobs ? m_ideal_jobs.take(job)
                                                     : never;
    if (m_program.has(job.job)) {
        m_program.add(job);
    }
    if (job.start < m_options.warmup) {
        return;
    }
    m_statistics.add_job({job.tag, job.job_bytes, job.priority}, job.end - job.start);
    m_precision.add_job(job.tag, job.end - job.start);
    if (m_jobs) {
        m_line.add(job.job).add_name(name_of(job.kind)).add(job.src);
        m_line.add(static_cast<std::uint64_t>(job.job_bytes.count())).add(job.transfers).add(job.priority);
        m_line.add_name(tag_name(m_tags, job.tag)).add_ns(job.start).add_ns(job.end - job.start);
        if (m_options.ideal_jobs) {
            ideal == never ? m_line.add_nothing() : m_line.add_ns(ideal);
        }
        m_jobs->write(m_line.end());
    }
}

class_mask results_collector::paused_classes() const {
    return static_cast<class_mask>(m_options.pausable_classes & classes_sent(m_fabric));
}

std::uint64_t results_collector::flows_started() const {
    std::uint64_t started = 0;
    for (const traffic_endpoint* endpoint : m_endpoints) {
        started += endpoint != nullptr ? endpoint->log().flows_started : 0;
    }
    return started;
}

// A run may come to its end before the warm-up does.
void results_collector::settle(picoseconds end) {
    m_fabric.settle(m_fabric.reached() > m_options.warmup ? std::max(end, m_options.warmup) : end);
}

run_summary results_collector::finish(bool complete, picoseconds end) {
    settle(end);
    run_summary summary;
    summary.frames = account_of(count_frames(m_fabric, m_options.links_change));
    if (!summary.frames.violation.empty()) {
        SC_REPORT_FATAL("/weir/invariant", summary.frames.violation.c_str());
    }
    take_logs();
    for (traffic_endpoint* endpoint : m_endpoints) {
        if (endpoint != nullptr) {
            endpoint->settle(end);
        }
    }
    take_logs();
    m_joiner.take_all([this](const completed_flow& flow) { write_flow(flow); });
    if (m_flows) {
        m_flows->finish();
    }
    if (m_jobs) {
        m_jobs->finish();
    }
    if (m_reroutes) {
        m_reroutes->finish();
    }
    if (m_rates) {
        m_rates->finish(end);
    }
    m_senders.finish(end);

    summary.version = m_options.version;
    summary.seed = m_options.seed;
    summary.complete = complete;
    summary.simulated = end;
    summary.packet_hops = packet_hops(m_fabric);
    summary.pauses = count_pauses(m_fabric, paused_classes());
    summary.resources = write_tables(end, false, summary.extra);
    if (m_program.is_there()) {
        summary.extra["program"] = m_program.summary();
    }
    if (m_precision.has_goals()) {
        summary.extra["until"] = m_precision.summary();
        const std::vector<std::string> short_of = m_precision.shortcomings();
        m_warnings.insert(m_warnings.end(), short_of.begin(), short_of.end());
    }
    summary.buffers = buffer_marks(m_fabric, m_options.switches);
    const auto sum = [this](auto&& of_endpoint) {
        std::uint64_t all = 0;
        for (const traffic_endpoint* endpoint : m_endpoints) {
            all += endpoint != nullptr ? of_endpoint(*endpoint) : 0;
        }
        return all;
    };
    if (m_options.marks) {
        summary.ecn_seen = sum([](const traffic_endpoint& e) { return e.counters().marked_segments; });
    }
    if (!m_detours.empty()) {
        summary.detours = detours_of(m_detours);
    }
    if (m_options.probes) {
        summary.probes = sum(
            [](const traffic_endpoint& e) { return e.counters().sent.frames_of(frame_kind::pfabric_probe); });
    }
    summary.goodput_bytes = sum([](const traffic_endpoint& e) { return e.goodput_bytes(); });
    summary.measured = std::max(picoseconds{0}, end - m_options.warmup);
    if (summary.measured == picoseconds{0}) {
        summary.goodput_bytes = 0;
    }
    summary.flows_started = flows_started();
    summary.flows_completed = m_flows_completed;
    summary.fct = m_statistics.fct();
    summary.jct = m_statistics.jct();
    summary.groups = m_statistics.groups();
    summary.tags = m_tags;
    m_directory.synchronise();  // it must not be found without them
    m_directory.write("summary.json", to_text(to_json(summary)));
    return summary;
}

std::vector<resource_summary> results_collector::write_tables(picoseconds end, bool failed,
                                                              nlohmann::ordered_json& extra) {
    const picoseconds measured = end > m_options.warmup ? end - m_options.warmup : end;
    std::vector<resource_use> resources = resources_of(m_fabric, m_options.switches.device, end, measured);
    m_timeline.finish(end);
    m_timeline.mark(resources);
    run_results results{m_directory, m_options,        m_fabric,  m_endpoints, m_tags,
                        m_timeline,  m_rates.get(),    m_senders, resources,   end,
                        measured,    paused_classes(), m_detours, m_warnings,  extra};
    write_run_tables(results, failed);
    return summary_of(resources);
}

void results_collector::write_failed() {
    nlohmann::ordered_json nowhere;
    write_tables(m_fabric.reached(), true, nowhere);
    m_directory.synchronise();
}

}  // namespace weir::tb
