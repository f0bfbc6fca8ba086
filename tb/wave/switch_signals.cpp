#include "tb/wave/switch_signals.h"

#include <numeric>
#include <sstream>
#include <utility>

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

std::string with_class(const std::string& name, unsigned c) {
    return name + "_c" + std::to_string(c);
}

}  // namespace

/// Visits the signals before the run: reads nothing.
class switch_signals::declaration {
 public:
    static constexpr bool reads = false;

    declaration(const std::string& device, std::vector<wave_signal>& signals)
        : m_device(hierarchy_of(device)), m_signals(signals) {}

    void enter(const char* side, unsigned port) {
        m_scopes = m_device;
        m_scopes.push_back(side + std::to_string(port));
    }
    void enter(const char* block) {
        m_scopes = m_device;
        m_scopes.emplace_back(block);
    }
    void enter_device() { m_scopes = m_device; }
    void number(const char* name, unsigned width, std::uint64_t) { add(name, width); }
    void number_of_class(const char* name, unsigned c, std::uint64_t) { add(with_class(name, c), count_bits); }
    void bitmap(const char* name, unsigned width, const port_bitmap&) { add(name, width); }
    void bitmap_of_class(const char* name, std::uint64_t value, unsigned c, unsigned width,
                         const port_bitmap&) {
        add(with_class(name + std::to_string(value), c), width);
    }
    std::uint32_t words() const { return m_words; }

 private:
    void add(std::string name, unsigned width) {
        m_signals.push_back({m_scopes, std::move(name), width});
        m_words += (width + 63) / 64;
    }

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

    static void enter(const char*, unsigned) {}
    static void enter(const char*) {}
    static void enter_device() {}
    void number(const char*, unsigned, std::uint64_t value) { note(value); }
    void number_of_class(const char*, unsigned, std::uint64_t value) { note(value); }
    void bitmap(const char*, unsigned width, const port_bitmap& value) {
        for (unsigned word = 0; word < (width + 63) / 64; ++word) {
            note(value.word(word));
        }
    }
    void bitmap_of_class(const char*, std::uint64_t, unsigned, unsigned width, const port_bitmap& value) {
        bitmap(nullptr, width, value);
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

switch_signals::switch_signals(const switch_node* device, const std::string& name, unsigned ports,
                               const switch_signal_options& options, std::uint32_t first_word,
                               std::vector<wave_signal>& signals)
    : m_device(device),
      m_options(options),
      m_first_word(first_word),
      m_ports(ports),
      m_connections(m_ports),
      m_wanted(m_ports) {
    declaration declare(name, signals);
    visit(declare);
    m_known.resize(declare.words());
}

// Every signal, always in the same order.
template <class Sink>
void switch_signals::visit(Sink& sink) {
    if (m_options.drops) {
        sink.enter_device();
        std::uint64_t drops = 0;
        if constexpr (Sink::reads) {
            drops = count_of_drops();
        }
        sink.number("drops", count_bits, drops);
    }
    for (unsigned port = 0; port < m_ports; ++port) {
        visit_port(sink, port);
    }
    for (unsigned slice = 0; m_options.pools && slice < m_options.slices; ++slice) {
        visit_slice(sink, slice);
    }
    if (m_options.favored) {
        sink.enter("egress_buffer");
        for (std::size_t level = 0; level < m_options.levels.size(); ++level) {
            for (unsigned c = 0; c < m_options.classes; ++c) {
                port_bitmap favored;
                if constexpr (Sink::reads) {
                    favored = m_device->egress_memory().view().favored[level * pfc_classes + c];
                }
                sink.bitmap_of_class("favored_below_",
                                     static_cast<std::uint64_t>(m_options.levels[level].count()), c, m_ports,
                                     favored);
            }
        }
    }
}

template <class Sink>
void switch_signals::visit_port(Sink& sink, unsigned port) {
    const bool memory = m_options.occupancy || m_options.drain;
    class_counts fill{};
    sink.enter("rx", port);
    if constexpr (Sink::reads) {
        fill = memory ? fill_of(m_device->ingress_memory(), port) : fill;
    }
    visit_memory(sink, fill);
    if (m_options.pause) {
        class_mask wanted = 0;
        if constexpr (Sink::reads) {
            wanted = m_device->mac(port).requests.wanted();
        }
        sink.number("xoff", pfc_classes, wanted);
    }
    sink.enter("tx", port);
    if constexpr (Sink::reads) {
        fill = memory ? fill_of(m_device->egress_memory(), port) : fill;
    }
    visit_memory(sink, fill);
    if (m_options.pause) {
        class_mask paused = 0;
        if constexpr (Sink::reads) {
            paused = m_device->mac(port).timers.paused_mask();
        }
        sink.number("paused", pfc_classes, paused);
    }
    if (m_options.match) {
        port_bitmap connected;
        if (m_connections[port].ingress_port != no_port) {
            connected.set(m_connections[port].ingress_port);
        }
        sink.bitmap("match", m_ports, connected);
    }
}

template <class Sink>
void switch_signals::visit_memory(Sink& sink, const class_counts& fill) {
    if (m_options.occupancy) {
        sink.number("bytes", count_bits, std::accumulate(fill.begin(), fill.end(), std::uint64_t{0}));
        for (unsigned c = 0; m_options.classes > 1 && c < m_options.classes; ++c) {
            sink.number_of_class("bytes", c, fill[c]);
        }
    }
    // With one class it is what the port holds.
    if (m_options.drain && m_options.classes > 1) {
        const class_counts drain = drain_of(fill);
        for (unsigned c = 0; c < m_options.classes; ++c) {
            sink.number_of_class("drain_bytes", c, drain[c]);
        }
    }
}

template <class Sink>
void switch_signals::visit_slice(Sink& sink, unsigned slice) {
    sink.enter("slice", slice);
    if (m_options.lossless_groups) {
        visit_pool(sink, slice, true);
        std::uint64_t headroom = 0;
        if constexpr (Sink::reads) {
            const shared_buffer& memory = *m_device->shared_memory();
            headroom = static_cast<std::uint64_t>(memory.bytes_of(memory.headroom_used(slice)).count());
        }
        sink.number("headroom_bytes", count_bits, headroom);
    }
    if (m_options.lossy_groups) {
        visit_pool(sink, slice, false);
    }
}

// What of it is taken, and T: shared_buffer.h.
template <class Sink>
void switch_signals::visit_pool(Sink& sink, unsigned slice, bool lossless) {
    std::uint64_t taken = 0;
    std::uint64_t threshold = 0;
    if constexpr (Sink::reads) {
        const shared_buffer& memory = *m_device->shared_memory();
        const auto in_bytes = [&](std::uint64_t cells) {
            return static_cast<std::uint64_t>(memory.bytes_of(cells).count());
        };
        const std::uint64_t free = memory.free_shared(slice, lossless);
        taken = in_bytes(memory.pool(lossless) - free);
        threshold = in_bytes(memory.threshold_of(slice, lossless));
    }
    sink.number(lossless ? "lossless_bytes" : "lossy_bytes", count_bits, taken);
    sink.number(lossless ? "lossless_threshold" : "lossy_threshold", threshold_bits, threshold);
}

std::uint64_t switch_signals::count_of_drops() const {
    const drop_counts& counts = m_device->stats().drops;
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// Through the interface, so that it holds for any module that takes a buffer's place.
template <class Memory>
class_counts switch_signals::fill_of(const Memory& memory, unsigned port) const {
    class_counts fill{};
    for (unsigned c = 0; c < m_options.classes; ++c) {
        const occupancy_meter* const meter = memory.meter(port, static_cast<pfc_class>(c));
        fill[c] = meter == nullptr ? 0 : static_cast<std::uint32_t>(meter->current().count());
    }
    return fill;
}

void switch_signals::after_instant(picoseconds now, picoseconds next) {
    // The last instant before the window is looked at: it leaves what the window begins with.
    if (now >= m_options.end || next < m_options.start) {
        return;
    }
    for (connection& c : m_connections) {
        if (c.until <= now) {
            c.ingress_port = no_port;
        }
    }
    recording record(*this, now);
    visit(record);
    if (m_options.trigger != wave_trigger::none) {
        look_for_trigger(now);
    }
}

// A crossbar connection ends when something happens in the switch: `until` is an instant of its own.
void switch_signals::on_match(unsigned ingress_port, unsigned egress_port, picoseconds until) {
    m_connections[egress_port] = {ingress_port, until};
}

void switch_signals::look_for_trigger(picoseconds now) {
    const std::uint64_t drops = count_of_drops();
    bool fires = m_options.trigger == wave_trigger::drop && drops != m_drops;
    m_drops = drops;
    for (unsigned port = 0; port < m_ports; ++port) {
        const class_mask wanted = m_device->mac(port).requests.wanted();
        fires = fires || (m_options.trigger == wave_trigger::xoff && (wanted & ~unsigned{m_wanted[port]}) != 0);
        m_wanted[port] = wanted;
    }
    if (fires && m_triggered_at == never && now >= m_options.start) {
        m_triggered_at = now;
    }
}

}  // namespace weir::tb
