#include "tb/run/run_traces.h"

#include <algorithm>

#include "tb/text/window_text.h"

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

void run_traces::take(picoseconds time) {
    if (!m_network.team().is_alone() && ++m_barriers % barriers_per_take != 0) {
        return;
    }
    const picoseconds done = time - 1_ps;
    const picoseconds sure = m_ends_with_traffic ? std::min(done, m_network.last_activity()) : done;
    if (m_capture) {
        m_capture->take(sure);
    }
    if (m_wave) {
        m_wave->take(sure);
    }
    if (m_journeys) {
        m_journeys->take(sure);
    }
    if (m_path) {
        m_path->take(sure);
    }
}

void run_traces::finish(picoseconds end) {
    m_ended = end;
    if (m_capture) {
        m_capture->finish(end);
    }
    if (m_wave) {
        m_wave->finish(end);
    }
    if (m_journeys) {
        m_journeys->finish(end);
    }
    if (m_path) {
        m_path->finish(end);
    }
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
    if (m_capture) {
        m_capture->finish(end);
    }
    if (m_wave) {
        m_wave->finish_failed(end, deadlock ? last : never);
    }
    if (m_journeys) {
        m_journeys->finish(end);
    }
    if (m_path) {
        m_path->finish(end);
    }
}

std::vector<std::string> run_traces::warnings() const {
    const std::string window = window_text("trace", m_window_start, m_window_end, m_ended);
    std::vector<std::string> all;
    const auto add = [&](const auto& trace) {
        if (trace) {
            const std::vector<std::string> more = trace->warnings(window);
            all.insert(all.end(), more.begin(), more.end());
        }
    };
    add(m_capture);
    add(m_wave);
    add(m_journeys);
    add(m_path);
    return all;
}

}  // namespace weir::tb
