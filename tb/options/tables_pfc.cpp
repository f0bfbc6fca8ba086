// Options [pfc].
#include <algorithm>

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<flow_control_mode> {
    static constexpr enum_name<flow_control_mode> list[] = {
        {flow_control_mode::none, "none", "frames are dropped when memory is full"},
        {flow_control_mode::pause, "pause", "IEEE 802.3x: pauses all classes together"},
        {flow_control_mode::pfc, "pfc", "IEEE 802.1Qbb: pauses each class separately"},
    };
};
template <>
struct enum_names<threshold_count> {
    static constexpr enum_name<threshold_count> list[] = {
        {threshold_count::drain_bytes, "drain_bytes",
         "bytes of the class and of all more urgent classes (DeTail 6.1)"},
        {threshold_count::class_bytes, "class_bytes", "bytes of the class"},
    };
};
template <>
struct enum_names<reserve_profile> {
    static constexpr enum_name<reserve_profile> list[] = {
        {reserve_profile::worst_case, "worst_case",
         "all terms of 802.1Qbb and the frame that crosses XOFF: no lossless frame is lost"},
        {reserve_profile::detail, "detail",
         "DeTail 6.1, equation 1: without the time of the PFC frame itself and without the frame that crosses "
         "XOFF, so frames can be lost. With pfc.mode = pause same as worst_case, because DeTail gives no "
         "threshold for PAUSE and reports no loss"},
    };
};
template <>
struct enum_names<charge_time> {
    static constexpr enum_name<charge_time> list[] = {
        {charge_time::arrival, "arrival", "at the frame's last bit"},
        {charge_time::enqueue, "enqueue", "after the lookup; adds the lookup delay to the reserve"},
    };
};

template <>
struct enum_names<watchdog_action> {
    static constexpr enum_name<watchdog_action> list[] = {
        {watchdog_action::off, "off", "no watchdog: queues wait for as long as they are paused"},
        {watchdog_action::drop, "drop",
         "frames that wait in the queue and frames that arrive for it are dropped"},
        {watchdog_action::forward, "forward", "frames of the queue are sent in spite of the pause"},
    };
};

void add_pfc_options(option_table& table, run_config& config) {
    pfc_config& pfc = config.pfc;
    auto block =
        table.block("pfc", "Link-level flow control: switches send and obey pauses, hosts only obey them.");
    const relevance lossless =
        only_with("pfc.mode", pfc.mode, {flow_control_mode::pause, flow_control_mode::pfc});
    const relevance partitioned = only_with_memory(config, buffer_kind::partitioned);
    block.add("mode", pfc.mode).doc("Flow control of the links.").source("IEEE 802.3x, 802.1Qbb");
    // Says nothing where nothing is reserved: an experiment is run under schemes with and without flow control.
    block.add("profile", pfc.profile)
        .doc("Which terms pfc.reserve, and with it pfc.xoff, are computed from when they are auto.")
        .source("IEEE 802.1Qbb; DeTail 6.1");
    block.add("xoff", pfc.xoff)
        .range(pfc_config::xoff_range)
        .matters(partitioned && lossless)
        .doc(
            "Occupancy of one ingress port and class at which XOFF is sent to the link partner. auto: an equal "
            "share of switch.ingress_buffer for each class, less pfc.reserve and, with pfc.profile = "
            "worst_case, less the frame that crosses XOFF.")
        .source("DeTail 6.1: 11,546 B, pfc.profile = detail");
    block.add("xon", pfc.xon)
        .range(pfc_config::xon_range)
        .matters(partitioned && lossless)
        .doc("Occupancy below which XON is sent. auto: the smaller of pfc.reserve and pfc.xoff.")
        .source("DeTail 6.1: 4,838 B");
    block.add("reserve", pfc.reserve)
        .range(pfc_config::reserve_range)
        .matters(partitioned && lossless)
        .doc(
            "Memory reserved per class for frames that arrive after XOFF was sent. auto: the closed form with "
            "the terms of pfc.profile, computed from the highest rate and the longest latency that the port's "
            "link has in the run.")
        .source("DeTail 6.1, IEEE 802.1Qbb");
    block.add("count", pfc.count)
        .matters(partitioned && only_with("pfc.mode", pfc.mode, {flow_control_mode::pfc}))
        .doc("Which bytes the thresholds count; 802.3x (pfc.mode = pause) counts all bytes of the port.")
        .source("DeTail 6.1");
    block.add("charge", pfc.charge)
        .matters(partitioned)
        .doc("When a frame is counted in packet memory and XOFF is decided.")
        .source("project");
    block.add("quanta", pfc.quanta)
        .range(pfc_config::quanta_range)
        .matters(lossless)
        .doc("Pause duration that an XOFF announces, in quanta of 512 bit times.")
        .source("DeTail 6.1: the maximum");
    block.add_share("refresh", pfc.refresh)
        .range(pfc_config::refresh_range)
        .matters(lossless)
        .doc(
            "While a pause is still needed, XOFF is sent again after this share of the pause duration "
            "(pfc.quanta).")
        .source("project");
    block.add("response", pfc.response)
        .range(pfc_config::response_range)
        .matters(lossless)
        .doc(
            "T_R: time from the last bit of a PAUSE or PFC frame until the transmitter stops. auto: depends on "
            "the link rate.")
        .source("IEEE 802.3 annex 31B; DeTail 6.1: 1.024 us at 1 Gb/s");
    block.add("watchdog", pfc.watchdog)
        .matters(only_with("pfc.mode", pfc.mode, {flow_control_mode::pfc}))
        .doc(
            "Action of each switch's PFC watchdog on a queue in a pause storm, that is, a queue that is paused "
            "without end.")
        .source("SONiC pfcwd: drop");
    const relevance watched =
        only_with("pfc.mode", pfc.mode, {flow_control_mode::pfc}) &&
        only_with("pfc.watchdog", pfc.watchdog, {watchdog_action::drop, watchdog_action::forward});
    block.add("watchdog_detection", pfc.watchdog_detection)
        .range(pfc_config::watchdog_time_range)
        .matters(watched)
        .doc("A storm is detected when a queue has been paused for this time and has sent none of its frames.")
        .source("SONiC pfcwd test plan: 400 ms");
    block.add("watchdog_restoration", pfc.watchdog_restoration)
        .range(pfc_config::watchdog_time_range)
        .matters(watched)
        .doc("A storm ends when no XOFF for the queue has arrived for this time.")
        .source("SONiC pfcwd test plan: 2 s");
    block.add("watchdog_interval", pfc.watchdog_interval)
        .range(pfc_config::watchdog_interval_range)
        .matters(watched)
        .doc(
            "Polling interval of the watchdog. At most watchdog_detection and at most watchdog_restoration. "
            "auto: a quarter of the smaller of the two.")
        .source("SONiC pfcwd: 100 ms to 3 s");
    table.check([&config] { return config.pfc.validate(config.device); });
    table.check([&pfc]() -> config_errors {
        const picoseconds most = std::min(pfc.watchdog_detection, pfc.watchdog_restoration);
        if (pfc.watchdog == watchdog_action::off || pfc.watchdog_period() <= most) {
            return {};
        }
        return {{"", 0, "pfc.watchdog_interval",
                 "'" + to_text(pfc.watchdog_period()) +
                     "' is out of range; expected up to pfc.watchdog_detection and pfc.watchdog_restoration (" +
                     to_text(most) + ")"}};
    });
}

}  // namespace weir
