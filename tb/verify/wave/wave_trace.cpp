#include "tb/verify/wave/wave_trace.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tb/support/text/name_pattern.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/module_names.h"

namespace weir::tb {

namespace {

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

/// What one rank's switches have recorded.
struct recorded_changes {
    std::vector<wave_change> changes;
    /// The first one of all, or `never`.
    picoseconds trigger = never;

    template <class Octets>
    void fields(Octets& octets) {
        octets(changes, trigger);
    }
};

}  // namespace

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
    : m_network(network), m_name(name_of(config.trace.wave.format)), m_options(config.trace.wave) {
    std::vector<wave_signal> signals;
    const std::vector<std::string> names = module_names(network.plan());
    std::uint32_t words = 0;
    for (const switch_id s : switches) {
        switch_node* const device = network.is_here(node_ref::of_switch(s)) ? &network.device(s) : nullptr;
        auto probe = std::make_unique<switch_signals>(device, scope_of(names, s), network.plan().port_count(s),
                                                      config, words, signals);
        words += probe->words();
        if (device != nullptr) {
            device->set_probe(*probe);
            m_probes.push_back(std::move(probe));
        }
    }
    m_file = create_wave_file(m_options.format, directory);
    m_file->declare(signals);
    std::vector<unsigned> widths;
    for (const wave_signal& signal : signals) {
        widths.push_back(signal.width);
    }
    m_window = std::make_unique<wave_window>(limits_of(config.trace), widths, *m_file);
    find_alike(switches, names);
}

std::string wave_trace::scope_of(const std::vector<std::string>& names, switch_id s) const {
    return m_network.name() + ("." + names[m_network.plan().node_index(node_ref::of_switch(s))]);
}

// Where `s.0` and `s-0` both become `s_0`, the second one gets a number, which does not say which switch it is.
void wave_trace::find_alike(const std::vector<switch_id>& switches, const std::vector<std::string>& names) {
    constexpr std::size_t most_listed = 8;
    const topology& plan = m_network.plan();
    std::map<std::string, std::size_t> count;
    for (std::uint32_t n = 0; n < plan.nodes(); ++n) {
        ++count[module_name(plan.name(plan.node_at(n)))];
    }
    std::size_t found = 0;
    for (const switch_id s : switches) {
        const std::string& name = plan.name(node_ref::of_switch(s));
        if (count[module_name(name)] > 1 && ++found <= most_listed) {
            m_alike += (m_alike.empty() ? "" : ", ") + scope_of(names, s) + " is " + name;
        }
    }
    if (found > most_listed) {
        m_alike += ", and " + std::to_string(found - most_listed) + " more";
    }
}

// To rank 0's window. Returns the first trigger, which the other ranks, with windows that stay empty, need not
// know.
picoseconds wave_trace::gather() {
    recorded_changes own;
    for (const auto& probe : m_probes) {
        std::vector<wave_change>& changes = probe->changes();
        own.changes.insert(own.changes.end(), changes.begin(), changes.end());
        changes.clear();
        own.trigger = std::min(own.trigger, probe->triggered_at());
    }
    picoseconds trigger = never;
    std::vector<std::vector<wave_change>> parts;
    for (recorded_changes& part : gathered_parts(m_network.team(), std::move(own))) {
        parts.push_back(std::move(part.changes));
        trigger = std::min(trigger, part.trigger);
    }
    std::vector<wave_change> all = joined(std::move(parts));
    m_window->add(all);
    return trigger;
}

// Nodes may run past a run's end; a trigger that comes later is none.
static picoseconds up_to(picoseconds until, picoseconds trigger) {
    return trigger <= until ? trigger : never;
}

void wave_trace::take(picoseconds sure) {
    if (m_closed) {
        return;
    }
    const picoseconds trigger = gather();
    m_window->take(sure, up_to(sure, trigger));
    m_closed = on_any(m_network.team(), m_window->closed());
    if (m_closed) {
        for (const auto& probe : m_probes) {
            probe->stop();
        }
    }
}

void wave_trace::finish(picoseconds end) {
    const picoseconds trigger = gather();
    m_window->finish(end, up_to(end, trigger));
}

void wave_trace::finish_failed(picoseconds end, picoseconds deadlock) {
    const picoseconds trigger = gather();
    m_window->finish(end, m_options.trigger == wave_trigger::deadlock ? deadlock : up_to(end, trigger));
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
