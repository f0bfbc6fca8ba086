#include "tb/verify/wave/switch_signals.h"

#include <numeric>
#include <optional>
#include <sstream>

#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::tb {

namespace {

constexpr unsigned count_bits = 32;
/// A threshold may be 1,024 times the memory.
constexpr unsigned threshold_bits = 48;

std::vector<std::string> hierarchy_of(const std::string& name) {
    std::vector<std::string> scopes;
    std::istringstream parts(name);
    for (std::string part; std::getline(parts, part, '.');) {
        scopes.push_back(part);
    }
    return scopes;
}

/// Name of a signal or a scope in the switch: `bytes_c3` for {"bytes", {}, 3}, `rx3` for {"rx", 3}.
struct signal_name {
    const char* text;
    std::optional<std::int64_t> number{};
    std::optional<unsigned> frame_class{};

    std::string whole() const {
        return text + (number ? std::to_string(*number) : "") +
               (frame_class ? "_c" + std::to_string(*frame_class) : "");
    }
};

}  // namespace

/// Visits the signals before the run: reads nothing.
class switch_signals::declaration {
 public:
    static constexpr bool reads = false;

    declaration(const std::string& device, std::vector<wave_signal>& signals)
        : m_device(hierarchy_of(device)), m_scopes(m_device), m_signals(signals) {}

    void enter(const signal_name& scope) {
        m_scopes = m_device;
        m_scopes.push_back(scope.whole());
    }
    template <class Read>
    void number(const signal_name& name, unsigned width, Read&&) {
        m_signals.push_back({m_scopes, name.whole(), width});
        m_words += (width + 63) / 64;
    }
    template <class Read>
    void bitmap(const signal_name& name, unsigned width, Read&& read) {
        number(name, width, read);
    }
    std::uint32_t words() const { return m_words; }

 private:
    std::vector<std::string> m_device;
    std::vector<std::string> m_scopes;
    std::vector<wave_signal>& m_signals;
    std::uint32_t m_words = 0;
};

/// Visits the signals after an instant: notes those that have another value than before.
class switch_signals::recording {
 public:
    static constexpr bool reads = true;

    recording(switch_signals& to, picoseconds now) : m_to(to), m_now(now) {}

    static void enter(const signal_name&) {}
    template <class Read>
    void number(const signal_name&, unsigned, Read&& read) {
        note(read());
    }
    template <class Read>
    void bitmap(const signal_name&, unsigned width, Read&& read) {
        const port_bitmap value = read();
        for (unsigned word = 0; word < (width + 63) / 64; ++word) {
            note(value.word(word));
        }
    }

 private:
    void note(std::uint64_t value) {
        std::uint64_t& known = m_to.m_known[m_word];
        if (known != value) {
            known = value;
            m_to.m_changes.push_back({m_now, m_to.m_first_word + m_word, value});
        }
        ++m_word;
    }

    switch_signals& m_to;
    picoseconds m_now;
    std::uint32_t m_word = 0;
};

bool has_wave_group(const run_config& config, wave_group group) {
    switch (group) {
        case wave_group::pause:
            return config.flow_control.mode != flow_control_mode::none;
        case wave_group::match:
            return organisation_of(config.device).has_crossbar();
        case wave_group::favored:
            return balance_policies()[config.device.balance].reads_favored_ports;
        case wave_group::pools:
            return organisation_of(config.device).is_shared;
        case wave_group::drain:
            // With one class it is what a port holds.
            return config.device.classes > 1;
        default:
            return true;
    }
}

switch_signals::switch_signals(const switch_node* device, const std::string& name, unsigned ports,
                               const run_config& config, std::uint32_t first_word,
                               std::vector<wave_signal>& signals)
    : m_device(device),
      m_config(config),
      m_end(config.trace.window_end.value_or(never)),
      m_first_word(first_word),
      m_ports(ports),
      m_connections(m_ports),
      m_wanted(m_ports) {
    for (const wave_group group : config.trace.wave.signals) {
        m_groups |= has_wave_group(config, group) ? 1U << static_cast<unsigned>(group) : 0;
    }
    declaration declare(name, signals);
    visit(declare);
    m_known.resize(declare.words());
}

// Every signal, always in the same order.
template <class Sink>
void switch_signals::visit(Sink& sink) {
    if (has(wave_group::drops)) {
        sink.number({"drops"}, count_bits, [&] { return count_of_drops(); });
    }
    for (unsigned port = 0; port < m_ports; ++port) {
        visit_port(sink, port);
    }
    for (unsigned slice = 0; has(wave_group::pools) && slice < m_config.shared.slices; ++slice) {
        visit_slice(sink, slice);
    }
    if (has(wave_group::favored)) {
        sink.enter({"egress_buffer"});
        const std::vector<bytes>& levels = m_config.device.balance_thresholds;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            for (unsigned c = 0; c < m_config.device.classes; ++c) {
                sink.bitmap({"favored_below_", levels[level].count(), c}, m_ports,
                            [&] { return m_device->egress_memory().view().favored[level * pfc_classes + c]; });
            }
        }
    }
}

template <class Sink>
void switch_signals::visit_port(Sink& sink, unsigned port) {
    sink.enter({"rx", port});
    visit_memory(sink, [&](pfc_class c) { return m_device->ingress_memory().meter(port, c); });
    if (has(wave_group::pause)) {
        sink.number({"xoff"}, pfc_classes, [&] { return m_device->mac(port).requests.wanted(); });
    }
    sink.enter({"tx", port});
    visit_memory(sink, [&](pfc_class c) { return m_device->egress_memory().meter(port, c); });
    if (has(wave_group::pause)) {
        sink.number({"paused"}, pfc_classes, [&] { return m_device->mac(port).timers.paused_mask(); });
    }
    if (has(wave_group::match)) {
        sink.bitmap({"match"}, m_ports, [&] {
            port_bitmap connected;
            if (m_connections[port].ingress_port != no_port) {
                connected.set(m_connections[port].ingress_port);
            }
            return connected;
        });
    }
}

// Meters are those of the interface, so that it holds for any module that takes a buffer's place.
template <class Sink, class Meter>
void switch_signals::visit_memory(Sink& sink, Meter&& meter_of) {
    // With one class it is what the port holds.
    const unsigned classes = m_config.device.classes;
    const bool by_class = classes > 1;
    const bool has_fills = has(wave_group::occupancy) || has(wave_group::drain);
    class_counts fill{};
    for (unsigned c = 0; Sink::reads && has_fills && c < classes; ++c) {
        const occupancy_meter* const meter = meter_of(static_cast<pfc_class>(c));
        fill[c] = meter == nullptr ? 0 : static_cast<std::uint32_t>(meter->current().count());
    }
    if (has(wave_group::occupancy)) {
        sink.number({"bytes"}, count_bits,
                    [&] { return std::accumulate(fill.begin(), fill.end(), std::uint64_t{0}); });
        for (unsigned c = 0; by_class && c < classes; ++c) {
            sink.number({"bytes", {}, c}, count_bits, [&] { return fill[c]; });
        }
    }
    if (has(wave_group::drain) && by_class) {
        const class_counts drain = drain_of(fill);
        for (unsigned c = 0; c < classes; ++c) {
            sink.number({"drain_bytes", {}, c}, count_bits, [&] { return drain[c]; });
        }
    }
}

template <class Sink>
void switch_signals::visit_slice(Sink& sink, unsigned slice) {
    const auto number = [&](const char* name, unsigned width, auto cells_of) {
        sink.number({name}, width, [&] {
            const shared_buffer& memory = *m_device->shared_memory();
            return static_cast<std::uint64_t>(memory.bytes_of(cells_of(memory)).count());
        });
    };
    // The cells that are taken, and T: shared_buffer.h.
    const auto pool = [&](const char* taken, const char* threshold, bool lossless) {
        number(taken, count_bits, [=](const shared_buffer& memory) {
            return memory.pool(lossless) - memory.free_shared(slice, lossless);
        });
        number(threshold, threshold_bits,
               [=](const shared_buffer& memory) { return memory.threshold_of(slice, lossless); });
    };
    bool has_groups[] = {false, false};  // lossy, lossless
    for (unsigned c = 0; c < m_config.device.classes; ++c) {
        const bool lossless =
            m_config.flow_control.mode != flow_control_mode::none && m_config.shared.is_lossless(c);
        has_groups[lossless ? 1 : 0] = true;
    }
    sink.enter({"slice", slice});
    if (has_groups[1]) {
        pool("lossless_bytes", "lossless_threshold", true);
        number("headroom_bytes", count_bits,
               [=](const shared_buffer& memory) { return memory.headroom_used(slice); });
    }
    if (has_groups[0]) {
        pool("lossy_bytes", "lossy_threshold", false);
    }
}

std::uint64_t switch_signals::count_of_drops() const {
    const drop_counts& counts = m_device->stats().drops;
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void switch_signals::after_instant(picoseconds now, picoseconds next) {
    // The last instant before the window is looked at: it leaves what the window begins with.
    if (now >= m_end || next < m_config.trace.window_start) {
        return;
    }
    for (connection& c : m_connections) {
        if (c.until <= now) {
            c.ingress_port = no_port;
        }
    }
    recording record(*this, now);
    visit(record);
    if (m_config.trace.wave.trigger != wave_trigger::none) {
        look_for_trigger(now);
    }
}

// A crossbar connection ends when something happens in the switch: `until` is an instant of its own.
void switch_signals::on_match(unsigned ingress_port, unsigned egress_port, picoseconds until) {
    m_connections[egress_port] = {ingress_port, until};
}

void switch_signals::look_for_trigger(picoseconds now) {
    const std::uint64_t drops = count_of_drops();
    bool fires = m_config.trace.wave.trigger == wave_trigger::drop && drops != m_drops;
    m_drops = drops;
    for (unsigned port = 0; port < m_ports; ++port) {
        const class_mask wanted = m_device->mac(port).requests.wanted();
        fires = fires || (m_config.trace.wave.trigger == wave_trigger::xoff &&
                          (wanted & ~unsigned{m_wanted[port]}) != 0);
        m_wanted[port] = wanted;
    }
    if (fires && m_triggered_at == never && now >= m_config.trace.window_start) {
        m_triggered_at = now;
    }
}

}  // namespace weir::tb
