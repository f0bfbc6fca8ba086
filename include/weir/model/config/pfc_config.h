// Parameters of link-level flow control. Defaults are DeTail's (technical report 2011, section 6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"

namespace weir::model {

struct switch_config;

enum class flow_control_mode : std::uint8_t { none, pause, pfc };
constexpr auto names_of(flow_control_mode) {
    return enum_names<flow_control_mode>({
        {flow_control_mode::none, "none", "frames are dropped when memory is full"},
        {flow_control_mode::pause, "pause", "IEEE 802.3x: pauses all classes together"},
        {flow_control_mode::pfc, "pfc", "IEEE 802.1Qbb: pauses each class separately"},
    });
}
enum class threshold_count : std::uint8_t { drain_bytes, class_bytes };
constexpr auto names_of(threshold_count) {
    return enum_names<threshold_count>({
        {threshold_count::drain_bytes, "drain_bytes",
         "bytes of the class and of all more urgent classes (DeTail 6.1)"},
        {threshold_count::class_bytes, "class_bytes", "bytes of the class"},
    });
}
/// Which terms the computed thresholds count (pfc_thresholds.h). Reserves set by hand have no terms.
enum class reserve_profile : std::uint8_t { worst_case, detail };
constexpr auto names_of(reserve_profile) {
    return enum_names<reserve_profile>({
        {reserve_profile::worst_case, "worst_case",
         "all terms of 802.1Qbb and the frame that crosses XOFF: no lossless frame is lost"},
        {reserve_profile::detail, "detail",
         "DeTail 6.1, equation 1: without the time of the PFC frame itself and without the frame that crosses "
         "XOFF, so frames can be lost. With pfc.mode = pause same as worst_case, because DeTail gives no "
         "threshold for PAUSE and reports no loss"},
    });
}
enum class charge_time : std::uint8_t {
    arrival,  ///< packet memory is charged, and XOFF decided, at a frame's last bit
    enqueue,  ///< after the lookup; adds the lookup delay to the reserve
    store     ///< as `enqueue`, by a shared memory itself, when the egress port is known
};
constexpr auto names_of(charge_time) {
    return enum_names<charge_time>({
        {charge_time::arrival, "arrival", "at the frame's last bit"},
        {charge_time::enqueue, "enqueue", "after the lookup; adds the lookup delay to the reserve"},
    });
}

/// What follows when a class under flow control loses a frame for want of memory.
enum class loss_action : std::uint8_t { end_run, counted };
constexpr auto names_of(loss_action) {
    return enum_names<loss_action>({
        {loss_action::end_run, "end_run", "the run ends with an error: thresholds or memory are wrong"},
        {loss_action::counted, "count", "the frame is lost and counted, as in a real switch"},
    });
}

/// What a switch's PFC watchdog does to a queue that is paused without end.
enum class watchdog_action : std::uint8_t { off, drop, forward };
constexpr auto names_of(watchdog_action) {
    return enum_names<watchdog_action>({
        {watchdog_action::off, "off", "no watchdog: queues wait for as long as they are paused"},
        {watchdog_action::drop, "drop",
         "frames that wait in the queue and frames that arrive for it are dropped"},
        {watchdog_action::forward, "forward", "frames of the queue are sent in spite of the pause"},
    });
}

/// Link-level flow control, at switches and (the reacting half) at hosts. Keys: [pfc].
struct pfc_config {
    flow_control_mode mode = flow_control_mode::none;
    /// DeTail's terms are for classes that are paused one by one: under 802.3x PAUSE, for which it gives no
    /// threshold and reports no loss, every term counts.
    reserve_profile profile = reserve_profile::worst_case;
    /// Not set: ingress_buffer / classes - reserve - (max_frame - 1 B), so that the frame that crosses it fits
    /// too; without that frame with `reserve_profile::detail`.
    std::optional<bytes> xoff;
    std::optional<bytes> xon;
    /// Not set: pfc_headroom.h.
    std::optional<bytes> reserve;
    threshold_count count = threshold_count::drain_bytes;
    charge_time charge = charge_time::arrival;
    pause_quanta quanta{65'535};
    static constexpr field_range quanta_range{pause_quanta{1}, pause_quanta{65'535}};
    double refresh = 0.5;
    std::optional<picoseconds> response;
    loss_action losses = loss_action::end_run;
    watchdog_action watchdog = watchdog_action::off;
    picoseconds watchdog_detection{400ms};
    picoseconds watchdog_restoration{2s};
    static constexpr field_range watchdog_time_range{picoseconds{1us}, picoseconds{100s}};
    std::optional<picoseconds> watchdog_interval;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* at_ingress = "switch.buffer = partitioned or input_buffered";
        constexpr const char* lossless = "pfc.mode = pause or pfc";
        constexpr const char* watched = "pfc.watchdog = drop or forward";
        fields(field("mode", &self::mode).help("Flow control of the links.").source("IEEE 802.3x, 802.1Qbb"));
        fields(field("profile", &self::profile)
                   .help("Terms from which pfc.reserve is computed if it is auto, and with it pfc.xoff.")
                   .source("IEEE 802.1Qbb; DeTail 6.1"));
        fields.all_need(at_ingress, lossless);
        fields(field("xoff", &self::xoff)
                   .memory()
                   .range(1_B, largest_memory)
                   .help("Occupancy of one ingress port and class at which XOFF is sent to the link partner. "
                         "auto: an equal share of switch.ingress_buffer for each class, less pfc.reserve and, "
                         "with pfc.profile = worst_case, less the frame that crosses XOFF.")
                   .source("DeTail 6.1: 11,546 B, pfc.profile = detail"));
        fields(field("xon", &self::xon)
                   .memory()
                   .range(0_B, largest_memory)
                   .help("Occupancy below which XON is sent. auto: the smaller of pfc.reserve and pfc.xoff.")
                   .source("DeTail 6.1: 4,838 B"));
        fields(field("reserve", &self::reserve)
                   .memory()
                   .range(0_B, largest_memory)
                   .help("Memory reserved per class for frames that arrive after XOFF was sent. auto: the "
                         "closed form with the terms of pfc.profile, computed from the highest rate and the "
                         "longest latency that the port's link has in the run.")
                   .source("DeTail 6.1, IEEE 802.1Qbb"));
        fields.all_need(at_ingress);
        fields(
            field("count", &self::count)
                .needs("pfc.mode = pfc")
                .help(
                    "Which bytes the thresholds count; 802.3x (pfc.mode = pause) counts all bytes of the port.")
                .source("DeTail 6.1"));
        fields(field("charge", &self::charge)
                   .help("When a frame is counted in packet memory and XOFF is decided."));
        fields.all_need(lossless);
        fields(field("quanta", &self::quanta)
                   .range(quanta_range)
                   .help("Pause duration that an XOFF announces, in quanta of 512 bit times.")
                   .source("DeTail 6.1: the maximum"));
        fields(field("refresh", &self::refresh)
                   .share()
                   .range(0.0, 1.0, range_ends::both_excluded)
                   .help("While a pause is still needed, XOFF is sent again after this share of the pause "
                         "duration (pfc.quanta)."));
        fields(field("response", &self::response)
                   .range(0_ps, 1s)
                   .help("T_R: time from the last bit of a PAUSE or PFC frame until the transmitter stops. "
                         "auto: depends on the link rate.")
                   .source("IEEE 802.3 annex 31B; DeTail 6.1: 1.024 us at 1 Gb/s"));
        fields(field("losses", &self::losses)
                   .help("What happens when a lossless class loses a frame because memory is full."));
        fields.all_need("pfc.mode = pfc");
        fields(field("watchdog", &self::watchdog)
                   .help("Action of each switch's PFC watchdog on a queue in a pause storm, that is, a queue "
                         "that is paused without end.")
                   .source("SONiC pfcwd: drop"));
        fields.all_need("pfc.mode = pfc", watched);
        fields(field("watchdog_detection", &self::watchdog_detection)
                   .range(watchdog_time_range)
                   .help("A storm is detected when a queue has been paused for this time and has sent none of "
                         "its frames.")
                   .source("SONiC pfcwd test plan: 400 ms"));
        fields(field("watchdog_restoration", &self::watchdog_restoration)
                   .range(watchdog_time_range)
                   .help("A storm ends when no XOFF for the queue has arrived for this time.")
                   .source("SONiC pfcwd test plan: 2 s"));
        fields(field("watchdog_interval", &self::watchdog_interval)
                   .range(100ns, 10s)
                   .help("Polling interval of the watchdog. At most watchdog_detection and at most "
                         "watchdog_restoration. auto: a quarter of the smaller of the two.")
                   .source("SONiC pfcwd: 100 ms to 3 s"));
    }

    /// The interval in use.
    picoseconds watchdog_period() const {
        return watchdog_interval.value_or(std::min(watchdog_detection, watchdog_restoration) / 4);
    }

    config_errors validate(const switch_config& device) const;
};

}  // namespace weir::model
