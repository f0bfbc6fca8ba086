#include "tb/setup/scheme_warnings.h"

#include <algorithm>
#include <string_view>

#include "tb/options/check_hosts.h"
#include "tb/options/schemes.h"
#include "weir/model/marking/marker.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/roce/rate_controls.h"
#include "weir/traffic/tcp/congestion_kinds.h"
#include "weir/traffic/tcp/path_choices.h"

namespace weir::tb {

namespace {

/// Who waits for marks in vain: `tcp.congestion = dctcp`.
std::vector<std::string> unheard(const run_config& config) {
    std::vector<std::string> all;
    const tcp_config& tcp = config.tcp;
    const bool has_tcp = config.traffic.uses_tcp();
    if (has_tcp && tcp.congestion && congestion_kinds()[*tcp.congestion](tcp)->ecn_capable()) {
        all.push_back("tcp.congestion = " + congestion_kinds().of(*tcp.congestion).name +
                      " cuts windows after losses only");
    }
    const auto path = has_tcp ? path_choices()[tcp.path_choice](tcp) : nullptr;
    if (path != nullptr && path->counts_marks()) {
        all.push_back("tcp.path_choice = " + path_choices().of(tcp.path_choice).name +
                      " changes paths after timeouts only");
    }
    if (config.traffic.uses_roce() && config.roce.rate_control != rate_control_kind::none) {
        all.push_back("roce.rate_control = " + rate_controls().of(config.roce.rate_control).name +
                      " never cuts a rate");
    }
    return all;
}

/// The scheme sets the kind of marker. One that is set by hand is told as an idle option.
bool scheme_marks(const run_config& config) {
    const std::vector<scheme_setting>& settings = find_scheme(config.scheme).settings;
    return std::any_of(settings.begin(), settings.end(), [&](const scheme_setting& each) {
        return std::string_view(each.key) == "marking.kind" &&
               each.value == marker_kinds().of(config.marking.kind).name;
    });
}

}  // namespace

std::vector<std::string> scheme_warnings(const run_config& config) {
    std::vector<std::string> all;
    for (const std::string& what : has_marks(config) ? std::vector<std::string>{} : unheard(config)) {
        all.push_back("no switch marks frames (marking.kind = " + marker_kinds().of(config.marking.kind).name +
                      "), so " + what);
    }
    if (marker_kinds()[config.marking.kind].marks && config.marking.kind != marker_kind::red &&
        !heeds_marks(config) && scheme_marks(config)) {
        all.push_back("switch.scheme = " + std::string(name_of(config.scheme)) +
                      ": marking.kind = " + marker_kinds().of(config.marking.kind).name +
                      " marks no frame, because no traffic heeds marks (tcp.congestion, roce.rate_control)");
    }
    if (config.marking.kind == marker_kind::red && config.marking.may_drop.value_or(false) &&
        config.flow_control.mode != flow_control_mode::none) {
        all.emplace_back(
            "marking.may_drop = on lets RED drop frames of lossless classes (pfc.mode); auto would mark them");
    }
    const bool drops = config.marking.may_drop.value_or(config.flow_control.mode == flow_control_mode::none);
    if (config.marking.kind == marker_kind::red && !drops && !heeds_marks(config)) {
        all.emplace_back(
            "marking.kind = red does nothing: no frame is ECN-capable (tcp.congestion, roce.rate_control), and "
            "none may be dropped (marking.may_drop)");
    }
    const bool in_order = balance_policies()[config.device.balance].keeps_paths &&
                          config.device.overflow != overflow_kind::detour;
    if (config.traffic.uses_roce() && config.roce.recovery == loss_recovery::go_back_n && !in_order) {
        all.emplace_back(
            "frames of a RoCE transfer take several paths (switch.balance, switch.overflow), and roce.recovery "
            "= go_back_n drops and repeats those that overtake others");
    }
    if (config.device.queue_order != queue_order_kind::fifo && has_crossbar(config.shared.kind) &&
        config.device.drop == drop_policy::ingress_tail) {
        all.emplace_back(
            "switch.drop = ingress_tail makes frames wait at ingress for room at egress, so none is dropped "
            "for one of a better rank (switch.queue_order); switch.drop = egress_tail does that");
    }
    return all;
}

}  // namespace weir::tb
