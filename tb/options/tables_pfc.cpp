// Options [pfc].
#include <algorithm>

#include "tb/options/option_tables.h"

namespace weir::tb {

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
    table.block("pfc", "Link-level flow control: switches send and obey pauses, hosts only obey them.")
        .add(config.flow_control);
}

}  // namespace weir::tb
