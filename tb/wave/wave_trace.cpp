#include "tb/wave/wave_trace.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "tb/text/name_pattern.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

switch_signal_options signals_of(const run_config& config) {
    const wave_options& wave = config.trace.wave;
    const auto wanted = [&](wave_group group) {
        return has_wave_group(config, group) &&
               std::find(wave.signals.begin(), wave.signals.end(), group) != wave.signals.end();
    };
    switch_signal_options o;
    o.occupancy = wanted(wave_group::occupancy);
    o.drain = wanted(wave_group::drain);
    o.pause = wanted(wave_group::pause);
    o.match = wanted(wave_group::match);
    o.favored = wanted(wave_group::favored);
    o.drops = wanted(wave_group::drops);
    o.pools = wanted(wave_group::pools);
    o.classes = config.device.classes;
    o.slices = config.shared.slices;
    for (unsigned c = 0; c < config.device.classes; ++c) {
        const bool lossless =
            config.flow_control.mode != flow_control_mode::none && config.shared.is_lossless(c);
        (lossless ? o.lossless_groups : o.lossy_groups) = true;
    }
    o.levels = config.device.balance_thresholds;
    o.trigger = wave.trigger;
    o.start = config.trace.window_start;
    o.end = config.trace.window_end.value_or(never);
    return o;
}

wave_limits limits_of(const capture_options& trace) {
    wave_limits limits;
    limits.start = trace.window_start;
    limits.end = trace.window_end.value_or(never);
    limits.triggered = trace.wave.trigger != wave_trigger::none;
    limits.before = trace.wave.before;
    limits.after = trace.wave.trigger == wave_trigger::deadlock ? never : trace.wave.after;
    limits.changes = trace.wave.limit;
    return limits;
}

/// As SystemC allows it.
std::string scope_of(const std::string& name) {
    std::string scope = name;
    for (char& c : scope) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return scope;
}

}  // namespace

bool has_wave_group(const run_config& config, wave_group group) {
    switch (group) {
        case wave_group::pause:
            return config.flow_control.mode != flow_control_mode::none;
        case wave_group::match:
            return has_crossbar(config.shared.kind);
        case wave_group::favored:
            return config.device.balance == balance_policy::adaptive;
        case wave_group::pools:
            return config.shared.kind == buffer_kind::shared;
        case wave_group::drain:
            // With one class it is what a port holds.
            return config.device.classes > 1;
        default:
            return true;
    }
}

std::vector<switch_id> switches_in_wave(const wave_options& options, const topology& plan,
                                        config_errors& errors) {
    std::vector<switch_id> chosen;
    std::vector<bool> used(options.switches.size());
    for (switch_id s = 0; options.format != wave_format::none && s < plan.switches(); ++s) {
        bool any = options.switches.empty();
        for (std::size_t t = 0; t < options.switches.size(); ++t) {
            if (fits_pattern(options.switches[t], plan.name(node_ref::of_switch(s)))) {
                used[t] = true;
                any = true;
            }
        }
        if (any) {
            chosen.push_back(s);
        }
    }
    for (std::size_t t = 0; options.format != wave_format::none && t < used.size(); ++t) {
        if (!used[t]) {
            errors.push_back(
                {{},
                 0,
                 "trace.wave_switches",
                 "'" + options.switches[t] +
                     "' matches no switch; expected names that `weir run --dry-run` lists, such as " +
                     plan.name(node_ref::of_switch(0)) + "; * stands for any text"});
        }
    }
    return chosen;
}

wave_trace::wave_trace(const run_config& config, fabric& network, const std::vector<switch_id>& switches,
                       const run_directory& directory)
    : m_network(network),
      m_name(name_of(config.trace.wave.format)),
      m_options(config.trace.wave),
      m_ends_with_traffic(config.run.duration == picoseconds{0}) {
    std::vector<wave_signal> signals;
    std::uint32_t words = 0;
    for (const switch_id s : switches) {
        m_probes.push_back(
            std::make_unique<switch_signals>(network.device(s), signals_of(config), words, signals));
        words += m_probes.back()->words();
        network.device(s).set_probe(*m_probes.back());
    }
    m_file = create_wave_file(m_options.format, directory);
    m_file->declare(signals);
    std::vector<unsigned> widths;
    for (const wave_signal& signal : signals) {
        widths.push_back(signal.width);
    }
    m_window = std::make_unique<wave_window>(limits_of(config.trace), widths, *m_file);
    find_alike(switches);
}

// Where `s.0` and `s-0` both become `s_0`, the second one gets a number, which does not say which switch it is.
void wave_trace::find_alike(const std::vector<switch_id>& switches) {
    constexpr std::size_t most_listed = 8;
    const topology& plan = m_network.plan();
    std::map<std::string, std::size_t> count;
    for (std::uint32_t n = 0; n < plan.nodes(); ++n) {
        ++count[scope_of(plan.name(plan.node_at(n)))];
    }
    std::size_t found = 0;
    for (const switch_id s : switches) {
        const std::string& name = plan.name(node_ref::of_switch(s));
        if (count[scope_of(name)] > 1 && ++found <= most_listed) {
            m_alike += (m_alike.empty() ? "" : ", ") + std::string(m_network.device(s).name()) + " is " + name;
        }
    }
    if (found > most_listed) {
        m_alike += ", and " + std::to_string(found - most_listed) + " more";
    }
}

void wave_trace::gather() {
    for (const auto& probe : m_probes) {
        std::vector<wave_change>& changes = probe->changes();
        m_changes.insert(m_changes.end(), changes.begin(), changes.end());
        changes.clear();
    }
    m_window->add(m_changes);
}

picoseconds wave_trace::first_trigger(picoseconds until) const {
    picoseconds first = never;
    for (const auto& probe : m_probes) {
        first = std::min(first, probe->triggered_at());
    }
    return first <= until ? first : never;
}

// What comes after a run's end is not written, and nodes may run past it.
void wave_trace::take(picoseconds time) {
    if (m_window->closed()) {
        return;
    }
    gather();
    const picoseconds done = time - picoseconds{1};
    const picoseconds sure = m_ends_with_traffic ? std::min(done, m_network.last_activity()) : done;
    m_window->take(sure, first_trigger(sure));
    if (m_window->closed()) {
        for (const auto& probe : m_probes) {
            probe->stop();
        }
    }
}

void wave_trace::finish(picoseconds end) {
    gather();
    m_window->finish(end, first_trigger(end));
}

void wave_trace::finish_failed(picoseconds end, picoseconds deadlock) {
    gather();
    m_window->finish(end, m_options.trigger == wave_trigger::deadlock ? deadlock : first_trigger(end));
}

std::vector<std::string> wave_trace::warnings(const std::string& window) const {
    std::vector<std::string> texts;
    if (!m_alike.empty()) {
        texts.push_back(m_name + ": these names differ only in '.', '-' and '_': " + m_alike);
    }
    const std::string limit = "trace.wave_limit = " + std::to_string(m_options.limit) + " changes";
    if (!m_window->opened()) {
        texts.push_back(m_name + " has no value: " +
                        (m_options.trigger != wave_trigger::none
                             ? "the event of trace.wave_trigger did not occur"
                             : "nothing was recorded in " + window));
    }
    if (m_window->unchanged()) {
        texts.push_back(m_name +
                        " has no change: the chosen signals (trace.wave_signals) of the chosen switches "
                        "(trace.wave_switches) did not change in " +
                        window);
    }
    if (m_window->cut_at() != never) {
        texts.push_back(m_name + " ends at " + to_text(m_window->cut_at()) + ": " + limit);
    }
    if (m_window->begins_late()) {
        texts.push_back(m_name + " begins less than trace.wave_before ahead of the trigger: " + limit);
    }
    return texts;
}

}  // namespace weir::tb
