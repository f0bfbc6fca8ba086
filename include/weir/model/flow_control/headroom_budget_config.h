// What a PFC headroom budget (headroom_budget.h) is made from: link, frames, memory, and the formula.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

using weir::to_text;

/// Length of a cable or fibre. Unit: mm.
using millimetres = quantity<struct length_tag>;
/// Of a signal on it. Unit: m/s.
using metres_per_second = quantity<struct velocity_tag>;
/// `300m`, `1.5km`: exact, down to a millimetre.
std::string to_text(millimetres length);
/// `198000km/s`
std::string to_text(metres_per_second velocity);
enum class delay_unit : std::uint8_t {
    picoseconds,
    bit_times,
    quanta,      ///< 512 bit times
    millibytes,  ///< byte times / 1,000: 0.8 KiB is 819,200 of them
};

/// A delay of a link's end, in the unit that its source gives. A count in bits or bytes is a time at every
/// rate.
struct line_delay {
    delay_unit unit = delay_unit::picoseconds;
    std::int64_t count = 0;

    bool is_zero() const { return count == 0; }
};

enum class headroom_profile : std::uint8_t { ieee_802_1qbb, detail, spectrum, spectrum4 };
constexpr auto names_of(headroom_profile) {
    return enum_names<headroom_profile>({
        {headroom_profile::ieee_802_1qbb, "ieee_802_1qbb",
         "terms of IEEE 802.1Qbb: both frames, PFC frame, cable, interfaces, response; with cells, for the "
         "frame length that takes most memory"},
        {headroom_profile::detail, "detail",
         "DeTail's equation 1: the same terms without the PFC frame. Frames can be lost"},
        {headroom_profile::spectrum, "spectrum", "formula of sonic-swss that reproduces the tables of SN2700"},
        {headroom_profile::spectrum4, "spectrum4",
         "current formula of sonic-swss, which reproduces the tables of SN5600"},
    });
}

/// Frames of one length in a mix.
struct frame_share {
    /// Destination address to FCS. Unit: bytes.
    bytes length{0};
    /// Of all frames; the shares of a mix add up to 1. Unit: 1/1,000,000.
    std::int64_t millionths = 0;
};

/// What is not set is the profile's own (docs/headroom.md has the table).
struct headroom_budget_config {
    headroom_profile profile = headroom_profile::ieee_802_1qbb;
    bit_rate rate{100'000'000'000};
    millimetres cable{5'000};
    std::optional<metres_per_second> propagation;
    std::optional<bytes> port_mtu;
    std::optional<bytes> lossless_mtu;
    std::optional<bytes> wire_overhead;
    std::optional<line_delay> response;
    std::optional<line_delay> mac_phy;
    line_delay fec;
    line_delay gearbox;
    line_delay pipeline;
    std::optional<line_delay> tile;
    std::optional<bytes> cell;
    std::vector<frame_share> mix;
    std::optional<double> small_packets;
    std::optional<bool> shared_headroom;
    std::optional<bool> margin;
    bool full_pool = false;
    std::uint32_t lossless_classes = 1;
    std::optional<std::uint32_t> lanes;
    std::optional<bytes> xon;
    std::optional<bytes> size;
    static constexpr field_range rate_range{1_Mbps, 10'000_Gbps};
    static constexpr field_range cable_range{millimetres{0}, millimetres{1'000'000'000}};
    static constexpr const char* cables = "0m to 1000km";
    static bool in_cable_range(const millimetres& length) { return cable_range.holds(length); }
    static constexpr field_range mtu_range{64_B, 65'535_B};
    static constexpr field_range size_range{0_B, bytes{std::int64_t{1} << 40}};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("profile", &self::profile)
                   .help("Formula to use. It also sets the values of the options below that are `auto`.")
                   .source("docs/headroom.md"));
        fields(field("rate", &self::rate).range(rate_range).help("Rate of the link in both directions."));
        fields(field("cable", &self::cable).rule(cables, in_cable_range).help("Length of the cable or fibre."));
        fields(field("propagation", &self::propagation)
                   .range(metres_per_second{1'000'000}, metres_per_second{299'792'458})
                   .help("Signal velocity on the cable. auto: 200000km/s (5 ns/m) with ieee_802_1qbb and "
                         "detail, 198000km/s with spectrum.")
                   .source("sonic-swss"));
        fields(field("port_mtu", &self::port_mtu)
                   .range(mtu_range)
                   .help("Largest frame (destination address to FCS) that the port carries; XOFF may have to "
                         "wait until one has been sent. auto: 9216B; detail: 1530B.")
                   .source("sonic-swss; DeTail 7.1"));
        fields(field("lossless_mtu", &self::lossless_mtu)
                   .range(mtu_range)
                   .help("Largest frame of a lossless class. auto: port_mtu; spectrum: 1024B.")
                   .source("sonic-swss"));
        fields(field("wire_overhead", &self::wire_overhead)
                   .range(0_B, 1000_B)
                   .help("Preamble, start-of-frame delimiter and gap of each frame. auto: 20B; detail: 0B, "
                         "because its 1,530 B include them. The formula of spectrum does not count them, its "
                         "simulation does.")
                   .source("IEEE 802.3"));
        fields(field("response", &self::response)
                   .help("Response time of the link partner. auto: depends on the rate; detail: 2q at 1Gbps; "
                         "spectrum: 3.8KiB.")
                   .source("802.1Qbb; sonic-swss; DeTail 6.1"));
        fields(field("mac_phy", &self::mac_phy)
                   .help("Delay of MAC and PHY. auto: with ieee_802_1qbb the interface delay of one end, which "
                         "depends on the rate and is counted each way; detail: transceivers, 5us each way; "
                         "spectrum: 0.8KiB, counted once.")
                   .source("802.1Qbb; DeTail 7.1; sonic-swss"));
        fields(field("fec", &self::fec)
                   .help("Delay of FEC at one end, in addition to mac_phy; counted each way.")
                   .source("your PHY"));
        fields(field("gearbox", &self::gearbox)
                   .help("Delay of the gearbox at one end; counted each way.")
                   .source("sonic-swss"));
        fields(
            field("pipeline", &self::pipeline)
                .help("Time from a frame's last bit to the XOFF decision, if memory is charged after a lookup.")
                .source("your pipeline"));
        fields(field("tile", &self::tile)
                   .help("Delay of the ASIC's tiles. Only in spectrum (auto: 0) and spectrum4 (auto: 120ns).")
                   .source("sonic-swss"));
        fields(field("cell", &self::cell)
                   .range(0_B, 65'535_B)
                   .help("Cell size of the packet memory; 0B: memory is counted in bytes. auto: 0B; spectrum: "
                         "96B; spectrum4: 192B.")
                   .source("SONiC's tables"));
        fields(field("mix", &self::mix)
                   .help("Lengths of lossless frames and their shares of all frames, such as 64B:60%, "
                         "1500B:40%. The result is a mean, not a bound. Empty: all frames have the length that "
                         "takes most memory. Only in ieee_802_1qbb and detail, and with cells."));
        fields(field("small_packets", &self::small_packets)
                   .share()
                   .range(0.0, 1.0)
                   .help("Share of frames of 64 B; all other frames have lossless_mtu. Only in spectrum and "
                         "spectrum4 (auto: 100%).")
                   .source("sonic-swss: small_packet_percentage"));
        fields(field("shared_headroom", &self::shared_headroom)
                   .help("The switch has a shared headroom pool: no margin is added, and size is xon. Only in "
                         "spectrum and spectrum4 (auto: false).")
                   .source("sonic-swss"));
        fields(field("margin", &self::margin)
                   .help("Add 2 KiB if small_packets is below 100%, shared_headroom is off, and the result is "
                         "more than 2 KiB below the worst case. Only in spectrum and spectrum4 (auto: true).")
                   .source("sonic-swss"));
        fields(field("full_pool", &self::full_pool)
                   .help("The shared pool can be full when a frame reaches the threshold, for example with a "
                         "large alpha or several groups; then this frame takes headroom, too. Switches with "
                         "switch.buffer = shared use this if shared.headroom is auto.")
                   .source("project: shared_memory.h"));
        fields(field("lossless_classes", &self::lossless_classes)
                   .range(1U, 8U)
                   .help("Number of lossless classes per port; each has this headroom."));
        fields(field("lanes", &self::lanes)
                   .range(1U, 16U)
                   .help("Lanes of the port. With 8 lanes, spectrum doubles xon and adds port_mtu to size. "
                         "Only in spectrum and spectrum4 (auto: 8 at 800Gbps and above, 4 below).")
                   .source("sonic-swss"));
        fields(field("xon", &self::xon)
                   .memory()
                   .range(size_range)
                   .help("XON threshold. auto: with spectrum 19KiB, or 38KiB with 8 lanes; otherwise 0B.")
                   .source("SONiC's tables"));
        fields(field("size", &self::size)
                   .memory()
                   .range(size_range)
                   .help("Buffer size of the priority group. auto: with spectrum from its formula; otherwise "
                         "xon + headroom.")
                   .source("sonic-swss"));
    }

    /// Keys are `headroom.FIELD`.
    config_errors validate() const;
};

}  // namespace weir::model
