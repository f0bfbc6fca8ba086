#include "tb/run/simulation/run_traces.h"

#include <algorithm>
#include <type_traits>

#include "tb/support/text/window_text.h"

namespace weir::tb {

run_traces::run_traces(const prepared_run& run, fabric& network, const run_directory& directory)
    : m_network(network),
      m_ends_with_traffic(run.loaded.config.run.duration == 0_ps),
      m_window_start(run.loaded.config.trace.window_start),
      m_window_end(run.loaded.config.trace.window_end.value_or(never)) {
    const run_config& config = run.loaded.config;
    if (!run.captured.empty()) {
        m_capture.emplace(config.trace,
                          header_lengths{config.tcp.header, config.udp.header, config.roce.header,
                                         config.roce.payload, config.pfabric.header},
                          network, run.captured, m_taps, directory.create("trace.pcapng"));
    }
    if (!run.waved.empty()) {
        m_wave.emplace(config, network, run.waved, directory);
    }
    if (!run.journeyed.empty()) {
        m_journeys.emplace(config, run.topology.changes, network, run.journeyed, m_taps, directory);
    }
    if (!config.trace.frame_path.empty()) {
        m_path.emplace(config, run.topology.changes, network, m_taps, directory);
    }
}

template <class Visit>
void run_traces::for_each(Visit&& visit) {
    const auto visit_one = [&](auto& trace) {
        if (trace) {
            visit(*trace);
        }
    };
    visit_one(m_capture);
    visit_one(m_wave);
    visit_one(m_journeys);
    visit_one(m_path);
}

void run_traces::take(picoseconds time) {
    if (!m_network.team().is_alone() && ++m_barriers % barriers_per_take != 0) {
        return;
    }
    const picoseconds done = time - 1_ps;
    const picoseconds sure = m_ends_with_traffic ? std::min(done, m_network.last_activity()) : done;
    for_each([&](auto& trace) { trace.take(sure); });
}

void run_traces::finish(picoseconds end) {
    m_ended = end;
    for_each([&](auto& trace) { trace.finish(end); });
}

// All nodes have got as far as a violation. A deadlock is found some time after it, depending on the quantum,
// and no sooner than this.
void run_traces::finish_failed(const sc_core::sc_report& report) {
    const std::string_view kind = report.get_msg_type();
    const bool deadlock = kind == deadlock_report_type;
    if (!deadlock && kind != violation_report_type) {
        return;
    }
    const picoseconds last = m_network.last_activity();
    const picoseconds end =
        deadlock ? last + m_network.engine().deadlock_after() : m_network.engine().first_violation().time;
    for_each([&](auto& trace) {
        if constexpr (std::is_same_v<decltype(trace), wave_trace&>) {
            trace.finish_failed(end, deadlock ? last : never);
        } else {
            trace.finish(end);
        }
    });
}

std::vector<std::string> run_traces::warnings() {
    const std::string window = window_text("trace", m_window_start, m_window_end, m_ended);
    std::vector<std::string> all;
    for_each([&](const auto& trace) {
        const std::vector<std::string> more = trace.warnings(window);
        all.insert(all.end(), more.begin(), more.end());
    });
    return all;
}

}  // namespace weir::tb
