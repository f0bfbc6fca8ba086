#include "weir/model/flow_control/headroom_budget.h"

#include <algorithm>
#include <cmath>

#include "weir/base/unit_text.h"
#include "weir/model/flow_control/headroom_sources.h"
#include "weir/protocol/pause_frame.h"

namespace weir::model {

namespace {

constexpr std::int64_t million = 1'000'000;
constexpr bytes kibibyte{1024};
/// buffer_headroom_mellanox.lua
constexpr bytes spectrum_margin{2048};
constexpr bytes spectrum_xon{19 * 1024};
/// What reproduces column size of SN5600; 0.8 KiB there does not.
constexpr line_delay spectrum_mac_phy_of_size{delay_unit::millibytes, 800'000};

bool is_spectrum(headroom_profile profile) {
    return profile == headroom_profile::spectrum || profile == headroom_profile::spectrum4;
}

exact_bytes round_up(const exact_bytes& value, std::int64_t unit) {
    const exact_integer whole = numerator(value);
    const exact_integer part = denominator(value) * unit;
    return exact_bytes{(whole + part - 1) / part * unit};
}

bytes whole_bytes(const exact_bytes& value) {
    return bytes{static_cast<std::int64_t>(round_up(value, 1))};
}

exact_bytes exact(bytes value) {
    return exact_bytes{value.count()};
}

/// What a cable holds, one way.
exact_bytes bytes_on_cable(const headroom_budget_config& config) {
    return exact_bytes{config.cable.count()} * config.rate.count() /
           (exact_bytes{8'000} * config.propagation->count());
}

/// Everything that was left open, and where it comes from.
struct resolved {
    headroom_budget_config config;
    std::string response_source = "given";
    std::string mac_phy_source = "given";
    std::string tile_source = "given";
};

template <class T>
void fill(std::optional<T>& field, const T& value) {
    field = field.value_or(value);
}

resolved resolve(headroom_budget_config config) {
    resolved made;
    const bool spectrum = is_spectrum(config.profile);
    const bool detail = config.profile == headroom_profile::detail;
    fill(config.propagation, metres_per_second{spectrum ? 198'000'000 : 200'000'000});
    fill(config.port_mtu, detail ? 1'530_B : 9'216_B);
    fill(config.lossless_mtu, spectrum ? std::min(1'024_B, *config.port_mtu) : *config.port_mtu);
    fill(config.wire_overhead, detail ? 0_B : 20_B);
    fill(config.cell, !spectrum ? 0_B : config.profile == headroom_profile::spectrum ? 96_B : 192_B);
    if (!config.response) {
        const sourced_delay found = response_of(config.profile, config.rate);
        config.response = found.delay;
        made.response_source = found.source;
    }
    if (!config.mac_phy) {
        const sourced_delay found = mac_phy_of(config.profile, config.rate);
        config.mac_phy = found.delay;
        made.mac_phy_source = found.source;
    }
    if (spectrum && !config.tile) {
        const bool has_tiles = config.profile == headroom_profile::spectrum4;
        config.tile = line_delay{delay_unit::picoseconds, has_tiles ? 120'000 : 0};
        made.tile_source = "sonic-swss: 120 ns, Spectrum-4 and -5";
    }
    fill(config.lanes, config.rate >= 800_Gbps ? 8U : 4U);
    if (spectrum) {
        fill(config.small_packets, 1.0);
        fill(config.shared_headroom, false);
        fill(config.margin, true);
    }
    fill(config.xon, !spectrum ? 0_B : *config.lanes == 8 ? 2 * spectrum_xon : spectrum_xon);
    made.config = std::move(config);
    return made;
}

/// Cells that a frame of 64 B takes, by the formula's own reckoning.
exact_bytes cells_per_small_packet(const headroom_budget_config& config) {
    const std::int64_t cell = config.cell->count();
    const exact_bytes ratio = cell > 128 ? exact_bytes{cell} / 64 : exact_bytes{2 * cell} / (1 + cell);
    return config.profile == headroom_profile::spectrum4 ? round_up(ratio, 1) : ratio;
}

/// Memory per byte of all terms but the lossless frame.
exact_bytes spectrum_occupancy(const headroom_budget_config& config, double small_packets) {
    const exact_bytes p = exact_bytes{std::llround(small_packets * static_cast<double>(million))} / million;
    const exact_bytes mean = 64 * p + (1 - p) * config.lossless_mtu->count();
    const exact_bytes share = exact_bytes{64} / mean;
    return 1 - share + share * cells_per_small_packet(config);
}

exact_bytes mean_memory(const headroom_budget_config& config) {
    exact_bytes in_memory;
    exact_bytes on_wire;
    for (const frame_share& each : config.mix) {
        in_memory += exact_bytes{each.millionths} * memory_of(each.length, *config.cell).count();
        on_wire += exact_bytes{each.millionths} * (each.length + *config.wire_overhead).count();
    }
    return in_memory / on_wire;
}

class budget_maker {
 public:
    explicit budget_maker(const headroom_budget_config& config) : m_resolved(resolve(config)) {
        m_made.used = m_resolved.config;
    }

    headroom_budget make() {
        if (is_spectrum(used().profile)) {
            make_spectrum();
        } else {
            make_standard();
        }
        m_made.xon = *used().xon;
        m_made.size = used().size.value_or(m_made.size);
        return std::move(m_made);
    }

 private:
    const headroom_budget_config& used() const { return m_resolved.config; }

    /// `memory`: per byte on the wire.
    void add(const char* name, const exact_bytes& wire, const exact_bytes& memory, const std::string& source) {
        m_made.terms.push_back({name, wire, wire * memory, source});
        m_made.sum += wire * memory;
    }
    void add_given(const char* name, const line_delay& delay, int times, const exact_bytes& memory) {
        if (!delay.is_zero()) {
            add(name, times * bytes_of(delay, used().rate), memory, "given");
        }
    }
    // Memory only: the frame is here already when XOFF is decided.
    void add_crossing() {
        m_made.crossing = memory_of(*used().lossless_mtu, *used().cell);
        if (used().full_pool) {
            m_made.terms.push_back(
                {"frame that met XOFF", exact_bytes{0}, exact(m_made.crossing), "full pool"});
            m_made.sum += exact(m_made.crossing);
        }
    }
    std::string cable_source() const { return std::to_string(used().propagation->count()) + " m/s"; }
    picoseconds time(const exact_bytes& wire) const { return time_on_link(wire, used().rate); }

    // Neither frame is preempted: XOFF is decided just after our port has begun the largest frame, and the
    // partner begins one of the class just before its response time is over.
    void make_standard() {
        const headroom_budget_config& c = used();
        const bool mixed = !c.mix.empty();
        const crowded_length crowded = most_crowded(64_B, *c.lossless_mtu, *c.wire_overhead, *c.cell);
        const exact_bytes memory = mixed && *c.cell > 0_B ? mean_memory(c) : crowded.memory_per_wire_byte;
        m_made.memory_per_wire_byte = memory;
        m_made.memory_source = *c.cell == 0_B ? "single bytes, preamble and gap included"
                               : mixed        ? "mean of the mix"
                                              : "frames of " + to_text(crowded.length) + ", the worst length";
        const bool standard = c.profile == headroom_profile::ieee_802_1qbb;
        const char* const frames = standard ? "802.1Qbb" : "DeTail, eq. 1: T_O";
        const exact_bytes interfaces =
            bytes_of(*c.mac_phy, c.rate) + bytes_of(c.fec, c.rate) + bytes_of(c.gearbox, c.rate);
        add("our frame", exact(*c.port_mtu + *c.wire_overhead), memory, frames);
        if (standard) {
            add("PFC frame", exact(pause_frame_bytes + *c.wire_overhead), memory, "802.1Qbb: 672 bit times");
        }
        add("cable, both ways", 2 * bytes_on_cable(c), memory, cable_source());
        add("MAC and PHY, both ways", 2 * bytes_of(*c.mac_phy, c.rate), memory, m_resolved.mac_phy_source);
        add_given("FEC, both ways", c.fec, 2, memory);
        add_given("gearbox, both ways", c.gearbox, 2, memory);
        add("response", bytes_of(*c.response, c.rate), memory, m_resolved.response_source);
        add_given("pipeline", c.pipeline, 1, memory);
        add("partner's frame", exact(*c.lossless_mtu + *c.wire_overhead), memory, frames);
        add_crossing();
        m_made.rounded_to = std::max(*c.cell, 1_B);
        m_made.headroom = whole_bytes(round_up(m_made.sum, m_made.rounded_to.count()));
        m_made.size = *c.xon + m_made.headroom;
        m_made.link = {time(bytes_on_cable(c) + interfaces), time(bytes_of(*c.response, c.rate)),
                       time(bytes_of(c.pipeline, c.rate))};
    }

    /// All of the formula's terms but mac_phy and the margin, which headroom and size have each their own way.
    exact_bytes spectrum_sum(const exact_bytes& occupancy, const line_delay& mac_phy) const {
        const headroom_budget_config& c = used();
        const exact_bytes delays =
            2 * (bytes_on_cable(c) + bytes_of(c.gearbox, c.rate) + bytes_of(c.fec, c.rate)) +
            bytes_of(mac_phy, c.rate) + bytes_of(*c.response, c.rate) + bytes_of(*c.tile, c.rate) +
            bytes_of(c.pipeline, c.rate);
        return exact(*c.lossless_mtu) + occupancy * (exact(*c.port_mtu) + delays);
    }
    bool wants_margin(const exact_bytes& sum) const {
        const headroom_budget_config& c = used();
        return *c.margin && !*c.shared_headroom && *c.small_packets < 1.0 &&
               sum + spectrum_margin.count() < spectrum_sum(spectrum_occupancy(c, 1.0), *c.mac_phy);
    }

    void make_spectrum() {
        const headroom_budget_config& c = used();
        const std::string lua = "sonic-swss, buffer_headroom_mellanox.lua";
        const exact_bytes occupancy = spectrum_occupancy(c, *c.small_packets);
        m_made.memory_per_wire_byte = occupancy;
        m_made.memory_source = lua + ": small packets, cell";
        add("lossless frame", exact(*c.lossless_mtu), exact_bytes{1}, lua);
        add("port's frame", exact(*c.port_mtu), occupancy, lua);
        add("cable, both ways", 2 * bytes_on_cable(c), occupancy, cable_source());
        add_given("FEC, both ways", c.fec, 2, occupancy);
        add_given("gearbox, both ways", c.gearbox, 2, occupancy);
        add("MAC and PHY", bytes_of(*c.mac_phy, c.rate), occupancy, m_resolved.mac_phy_source);
        add("response", bytes_of(*c.response, c.rate), occupancy, m_resolved.response_source);
        if (!c.tile->is_zero()) {
            add("tile", bytes_of(*c.tile, c.rate), occupancy, m_resolved.tile_source);
        }
        add_given("pipeline", c.pipeline, 1, occupancy);
        if (wants_margin(m_made.sum)) {
            add("margin", exact(spectrum_margin), exact_bytes{1}, lua + ": far below its worst case");
        }
        add_crossing();
        m_made.rounded_to = kibibyte;
        m_made.headroom = whole_bytes(round_up(m_made.sum, kibibyte.count()));
        m_made.size = spectrum_size(occupancy);
        const exact_bytes way = bytes_on_cable(c) + bytes_of(c.gearbox, c.rate) + bytes_of(c.fec, c.rate) +
                                bytes_of(*c.mac_phy, c.rate) / 2;
        m_made.link = {time(way), time(bytes_of(*c.response, c.rate) + bytes_of(*c.tile, c.rate)),
                       time(bytes_of(c.pipeline, c.rate))};
    }

    bytes spectrum_size(const exact_bytes& occupancy) const {
        const headroom_budget_config& c = used();
        if (*c.shared_headroom) {
            return *c.xon;
        }
        const bool default_mac_phy = m_resolved.mac_phy_source != "given";
        exact_bytes headroom = spectrum_sum(occupancy, default_mac_phy ? spectrum_mac_phy_of_size : *c.mac_phy);
        headroom += wants_margin(headroom) ? spectrum_margin.count() : 0;
        const exact_bytes lanes = exact(*c.lanes == 8 ? *c.port_mtu : 0_B);
        return whole_bytes(
            round_up(round_up(headroom, kibibyte.count()) + c.xon->count() + lanes, kibibyte.count()));
    }

    resolved m_resolved;
    headroom_budget m_made;
};

}  // namespace

exact_bytes bytes_of(const line_delay& delay, bit_rate rate) {
    const exact_bytes count{delay.count};
    switch (delay.unit) {
        case delay_unit::picoseconds:
            return count * rate.count() / 8'000'000'000'000;
        case delay_unit::bit_times:
            return count / 8;
        case delay_unit::quanta:
            return count * 64;
        case delay_unit::millibytes:
            return count / 1000;
    }
    return {};
}

picoseconds time_on_link(const exact_bytes& count, bit_rate rate) {
    return picoseconds{static_cast<std::int64_t>(round_up(count * 8'000'000'000'000 / rate.count(), 1))};
}

crowded_length most_crowded(bytes min_length, bytes max_length, bytes wire_overhead, bytes cell) {
    crowded_length best{max_length, exact_bytes{1}};
    if (cell == 0_B) {
        return best;
    }
    best.memory_per_wire_byte = 0;
    // The shortest frame of each number of cells.
    for (bytes length = min_length; length <= max_length; length = memory_of(length, cell) + 1_B) {
        const exact_bytes ratio =
            exact_bytes{memory_of(length, cell).count()} / (length + wire_overhead).count();
        if (ratio > best.memory_per_wire_byte) {
            best = {length, ratio};
        }
    }
    return best;
}

headroom_budget make_headroom_budget(const headroom_budget_config& config) {
    return budget_maker(config).make();
}

}  // namespace weir::model
