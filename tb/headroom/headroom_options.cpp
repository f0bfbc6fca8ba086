#include "tb/headroom/headroom_options.h"

#include <cmath>

#include "tb/headroom/profile_file.h"

namespace weir {

namespace {

constexpr detail::unit_scale length_units[] = {{"km", 1'000'000}, {"m", 1'000}, {"cm", 10}, {"mm", 1}};
constexpr detail::unit_scale velocity_units[] = {{"km/s", 1'000}, {"m/s", 1}};
/// In thousandths.
constexpr detail::unit_scale fine_byte_units[] = {
    {"MiB", 1'048'576'000}, {"MB", 1'000'000'000}, {"KiB", 1'024'000}, {"KB", 1'000'000}, {"B", 1'000}};
constexpr detail::unit_scale bit_time_units[] = {{"bt", 1}};
constexpr detail::unit_scale quanta_units[] = {{"q", 1}};
constexpr const char* delay_forms =
    "a number with ps, ns, us, ms or s, bt (bit times), q (512 bit times), B, KB or KiB";

std::string_view unit_of(std::string_view text) {
    const std::size_t at = text.find_last_of("0123456789. ");
    return at == std::string_view::npos ? text : text.substr(at + 1);
}

template <std::size_t Count>
bool has_unit(std::string_view text, const detail::unit_scale (&units)[Count]) {
    for (const detail::unit_scale& unit : units) {
        if (unit.suffix == unit_of(text)) {
            return true;
        }
    }
    return false;
}

template <std::size_t Count>
parse_result<line_delay> read_delay(std::string_view text, const detail::unit_scale (&units)[Count],
                                    delay_unit unit) {
    const auto read = detail::parse_scaled(text, units, delay_forms);
    return {{unit, read.value}, read.error};
}

}  // namespace

parse_result<millimetres> parse_length(std::string_view text) {
    const auto read = detail::parse_scaled(text, length_units, "a number with mm, cm, m or km");
    return {millimetres{read.value}, read.error};
}
std::string to_text(millimetres length) {
    constexpr detail::unit_scale printed[] = {{"km", 1'000'000}, {"m", 1'000}, {"mm", 1}};
    return detail::format_scaled(length.count(), printed, true);
}

parse_result<metres_per_second> parse_velocity(std::string_view text) {
    const auto read = detail::parse_scaled(text, velocity_units, "a number with m/s or km/s");
    return {metres_per_second{read.value}, read.error};
}

parse_result<line_delay> parse_delay(std::string_view text) {
    if (has_unit(text, fine_byte_units)) {
        return read_delay(text, fine_byte_units, delay_unit::millibytes);
    }
    if (has_unit(text, bit_time_units)) {
        return read_delay(text, bit_time_units, delay_unit::bit_times);
    }
    if (has_unit(text, quanta_units)) {
        return read_delay(text, quanta_units, delay_unit::quanta);
    }
    return read_delay(text, detail::time_units, delay_unit::picoseconds);
}
std::string to_text(const line_delay& delay) {
    switch (delay.unit) {
        case delay_unit::picoseconds:
            return to_text(picoseconds{delay.count});
        case delay_unit::bit_times:
            return std::to_string(delay.count) + "bt";
        case delay_unit::quanta:
            return std::to_string(delay.count) + "q";
        case delay_unit::millibytes: {
            constexpr detail::unit_scale printed[] = {{"KiB", 1'024'000}, {"B", 1'000}};
            if (delay.count % 1'024'000 == 0 && delay.count > 0) {
                return detail::format_scaled(delay.count, printed, false);
            }
            std::string text = std::to_string(delay.count / 1000);
            if (delay.count % 1000 != 0) {
                text += "." + std::to_string(1000 + delay.count % 1000).substr(1);
                text.erase(text.find_last_not_of('0') + 1);
            }
            return text + "B";
        }
    }
    return {};
}

parse_result<frame_share> parse_frame_share(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return {{},
                "'" + std::string(text) + "' is not an entry of a mix; expected LENGTH:SHARE, such as 64B:60%"};
    }
    const auto length = parse_bytes(text.substr(0, colon));
    const auto share = detail::parse_share(text.substr(colon + 1));
    if (!length || !share) {
        return {{}, length ? share.error : length.error};
    }
    if (share.value < 0 || share.value > 1) {
        return {{}, out_of_range(std::string(text), "shares from 0% to 100%")};
    }
    return {{length.value, std::llround(share.value * 1'000'000)}, {}};
}

template <>
struct text_form<millimetres> : plain_form<millimetres> {
    static parse_result<millimetres> parse(std::string_view text) { return parse_length(text); }
    static std::string format(millimetres value) { return to_text(value); }
    static std::string unit() { return "length"; }
};
template <>
struct text_form<metres_per_second> : plain_form<metres_per_second> {
    static parse_result<metres_per_second> parse(std::string_view text) { return parse_velocity(text); }
    static std::string format(metres_per_second value) {
        return detail::format_scaled(value.count(), velocity_units, false);
    }
    static std::string unit() { return "velocity"; }
};
template <>
struct text_form<line_delay> : plain_form<line_delay> {
    static parse_result<line_delay> parse(std::string_view text) { return parse_delay(text); }
    static std::string format(const line_delay& value) { return to_text(value); }
    static std::string unit() { return "time, bit times (bt), quanta (q) or bytes"; }
};
template <>
struct text_form<frame_share> : plain_form<frame_share> {
    static parse_result<frame_share> parse(std::string_view text) { return parse_frame_share(text); }
    static std::string format(const frame_share& value) {
        return to_text(value.length) + ":" + share_text(static_cast<double>(value.millionths) / 1'000'000);
    }
    static std::string unit() { return "LENGTH:SHARE"; }
};
template <>
struct text_form<std::int32_t> : plain_form<std::int32_t> {
    static parse_result<std::int32_t> parse(std::string_view text) {
        const bool negative = text.substr(0, 1) == "-";
        const auto read = detail::parse_count(negative ? text.substr(1) : text, INT32_MAX);
        const auto value = static_cast<std::int32_t>(read.value);
        return {negative ? -value : value, read.error};
    }
    static std::string format(std::int32_t value) { return std::to_string(value); }
    static std::string unit() { return "count"; }
};
template <>
struct enum_names<headroom_profile> {
    static constexpr enum_name<headroom_profile> list[] = {
        {headroom_profile::ieee_802_1qbb, "ieee_802_1qbb",
         "terms of IEEE 802.1Qbb: both frames, PFC frame, cable, interfaces, response; with cells, for the "
         "frame length that takes most memory"},
        {headroom_profile::detail, "detail",
         "DeTail's equation 1: the same terms without the PFC frame. Frames can be lost"},
        {headroom_profile::spectrum, "spectrum", "formula of sonic-swss that reproduces the tables of SN2700"},
        {headroom_profile::spectrum4, "spectrum4",
         "current formula of sonic-swss, which reproduces the tables of SN5600"}};
};

template <>
struct enum_names<attacked_memory> {
    static constexpr enum_name<attacked_memory> list[] = {
        {attacked_memory::port, "port", "a port's own memory, which its classes share"},
        {attacked_memory::shared, "shared",
         "a shared memory in which each group (port and class) has headroom of its own. With full_pool, the "
         "shared pool is full when a group reaches its threshold"},
        {attacked_memory::headroom_pool, "headroom_pool", "as shared, but all groups share one headroom pool"}};
};

std::string to_text(headroom_profile profile) {
    return text_form<headroom_profile>::format(profile);
}
std::string to_text(attacked_memory memory) {
    return text_form<attacked_memory>::format(memory);
}

namespace {

void add_link(option_table::block_writer& block, headroom_budget_config& c) {
    block.add("profile", c.profile)
        .doc("Formula to use. It also sets the values of the options below that are `auto`.")
        .source("docs/headroom.md");
    block.add("rate", c.rate)
        .range(headroom_budget_config::rate_range)
        .doc("Rate of the link in both directions.");
    block.add("cable", c.cable)
        .rule("0m to 1000km", [](millimetres v) { return headroom_budget_config::cable_range.holds(v); })
        .doc("Length of the cable or fibre.");
    block.add("propagation", c.propagation)
        .rule("1000km/s to 299792458m/s",
              [](metres_per_second v) { return headroom_budget_config::propagation_range.holds(v); })
        .doc(
            "Signal velocity on the cable. auto: 200000km/s (5 ns/m) with ieee_802_1qbb and detail, 198000km/s "
            "with spectrum.")
        .source("sonic-swss");
    block.add("port_mtu", c.port_mtu)
        .range(headroom_budget_config::mtu_range)
        .doc(
            "Largest frame (destination address to FCS) that the port carries; XOFF may have to wait until one "
            "has been sent. auto: 9216B; detail: 1530B.")
        .source("sonic-swss; DeTail 7.1");
    block.add("lossless_mtu", c.lossless_mtu)
        .range(headroom_budget_config::mtu_range)
        .doc("Largest frame of a lossless class. auto: port_mtu; spectrum: 1024B.")
        .source("sonic-swss");
    block.add("wire_overhead", c.wire_overhead)
        .range(headroom_budget_config::wire_overhead_range)
        .doc(
            "Preamble, start-of-frame delimiter and gap of each frame. auto: 20B; detail: 0B, because its "
            "1,530 B include them. The formula of spectrum does not count them, its simulation does.")
        .source("IEEE 802.3");
}

void add_delays(option_table::block_writer& block, headroom_budget_config& c) {
    block.add("response", c.response)
        .doc(
            "Response time of the link partner. auto: depends on the rate; detail: 2q at 1Gbps; spectrum: "
            "3.8KiB.")
        .source("802.1Qbb; sonic-swss; DeTail 6.1");
    block.add("mac_phy", c.mac_phy)
        .doc(
            "Delay of MAC and PHY. auto: with ieee_802_1qbb the interface delay of one end, which depends on "
            "the rate and is counted each way; detail: transceivers, 5us each way; spectrum: 0.8KiB, counted "
            "once.")
        .source("802.1Qbb; DeTail 7.1; sonic-swss");
    block.add("fec", c.fec)
        .doc("Delay of FEC at one end, in addition to mac_phy; counted each way.")
        .source("your PHY");
    block.add("gearbox", c.gearbox)
        .doc("Delay of the gearbox at one end; counted each way.")
        .source("sonic-swss");
    block.add("pipeline", c.pipeline)
        .doc("Time from a frame's last bit to the XOFF decision, if memory is charged after a lookup.")
        .source("your pipeline");
    block.add("tile", c.tile)
        .doc("Delay of the ASIC's tiles. Only in spectrum (auto: 0) and spectrum4 (auto: 120ns).")
        .source("sonic-swss");
}

void add_memory(option_table::block_writer& block, headroom_budget_config& c) {
    block.add("cell", c.cell)
        .range(headroom_budget_config::cell_range)
        .doc(
            "Cell size of the packet memory; 0B: memory is counted in bytes. auto: 0B; spectrum: 96B; "
            "spectrum4: 192B.")
        .source("SONiC's tables");
    block.add("mix", c.mix)
        .doc(
            "Lengths of lossless frames and their shares of all frames, such as 64B:60%, 1500B:40%. The result "
            "is a mean, not a bound. Empty: all frames have the length that takes most memory. Only in "
            "ieee_802_1qbb and detail, and with cells.");
    block.add_share("small_packets", c.small_packets)
        .range(headroom_budget_config::share_range)
        .doc(
            "Share of frames of 64 B; all other frames have lossless_mtu. Only in spectrum and spectrum4 "
            "(auto: 100%).")
        .source("sonic-swss: small_packet_percentage");
    block.add("shared_headroom", c.shared_headroom)
        .doc(
            "The switch has a shared headroom pool: no margin is added, and size is xon. Only in spectrum and "
            "spectrum4 (auto: false).")
        .source("sonic-swss");
    block.add("margin", c.margin)
        .doc(
            "Add 2 KiB if small_packets is below 100%, shared_headroom is off, and the result is more than 2 "
            "KiB below the worst case. Only in spectrum and spectrum4 (auto: true).")
        .source("sonic-swss");
    block.add("full_pool", c.full_pool)
        .doc(
            "The shared pool can be full when a frame reaches the threshold, for example with a large alpha or "
            "several groups; then this frame takes headroom, too. Switches with switch.buffer = shared use "
            "this if shared.headroom is auto.")
        .source("project: shared_memory.h");
    block.add("lossless_classes", c.lossless_classes)
        .range(headroom_budget_config::lossless_classes_range)
        .doc("Number of lossless classes per port; each has this headroom.");
    block.add("lanes", c.lanes)
        .range(headroom_budget_config::lanes_range)
        .doc(
            "Lanes of the port. With 8 lanes, spectrum doubles xon and adds port_mtu to size. Only in spectrum "
            "and spectrum4 (auto: 8 at 800Gbps and above, 4 below).")
        .source("sonic-swss");
    block.add("xon", c.xon)
        .range(headroom_budget_config::size_range)
        .doc("XON threshold. auto: with spectrum 19KiB, or 38KiB with 8 lanes; otherwise 0B.")
        .source("SONiC's tables");
    block.add("size", c.size)
        .range(headroom_budget_config::size_range)
        .doc(
            "Buffer size of the priority group. auto: with spectrum from its formula; otherwise xon + "
            "headroom.")
        .source("sonic-swss");
}

}  // namespace

option_table make_headroom_table(headroom_request& request) {
    option_table table;
    auto block =
        table.block("headroom", "PFC headroom of one port and class. `--rate` is short for `--headroom.rate`.");
    add_link(block, request.budget);
    add_delays(block, request.budget);
    add_memory(block, request.budget);
    block.add("speeds", request.speeds)
        .range(headroom_budget_config::rate_range)
        .doc("Link rates of the rows of --table; replaces rate.");
    block.add("cables", request.cables)
        .rule("0m to 1000km", [](millimetres v) { return headroom_budget_config::cable_range.holds(v); })
        .doc("Cable lengths of the rows of --table; replaces cable.");
    block.add("threshold", request.threshold)
        .rule(profile_row::threshold_range.text(field_text<std::int64_t>),
              [](std::int32_t v) { return profile_row::threshold_range.holds(v); })
        .doc("Value of the column threshold in a SONiC file: log2 of alpha. Headroom does not depend on it.");
    block.add("xon_offset", request.xon_offset)
        .range(headroom_budget_config::size_range)
        .doc(
            "Value of the column xon_offset in a SONiC file. auto: no such column. Headroom does not depend on "
            "it.");
    block.add("attacked_memory", request.attack.memory)
        .doc("Memory that --verify attacks, with all lossless classes at the same time.");
    block.add("attacked_ports", request.attack.ports)
        .range(verify_config::ports_range)
        .doc("Number of ports of a shared memory that --verify attacks at the same time.");
    block.add("seed", request.attack.seed).doc("Seed of the search of --verify.");
    block.add("search_cases", request.attack.cases)
        .range(headroom_request::search_cases_range)
        .doc(
            "Number of attacks that the search of --verify tries, not counting the computed attack and the "
            "sweeps (several hundred attacks per group). auto: up to 2,048, fewer if long links need many "
            "frames.");
    table.check([&request] { return request.budget.validate(); });
    return table;
}

}  // namespace weir
