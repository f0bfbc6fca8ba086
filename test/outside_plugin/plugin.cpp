// A plugin: a crossbar arbiter and a congestion control, with an option of its own; a table, a metric and a
// chart.
#include "weir/base/plugin.h"

#include <memory>

#include "../extending/gentle_backoff.h"
#include "../extending/loss_metric.h"
#include "../extending/loss_table.h"
#include "../extending/obeyed_chart.h"
#include "../outside/fixed_priority_arbiter.h"
#include "tb/run/fields/options_from_outside.h"
#include "weir/base/config_field.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/congestion/congestion_kinds.h"

namespace outside {
namespace {

/// Keys: [abe].
struct abe_options {
    double left = 0.8;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(weir::field("left", &self::left)
                   .share()
                   .range(0.5, 1.0)
                   .needs("tcp.congestion = abe")
                   .help("Share of the window that a mark leaves (beta_ecn).")
                   .source("RFC 8511, section 3.1: 0.7 to 0.85"));
    }
};
abe_options abe;

}  // namespace
}  // namespace outside

WEIR_PLUGIN(outside) {
    weir::model::arbiter_kinds().add(
        {"fixed_priority", "the lowest port wins", {{[](const weir::model::block_setup&) {
             return std::make_unique<outside::fixed_priority_arbiter>("fixed_priority");
         }}}});
    weir::traffic::congestion_kinds().add({"abe", "NewReno with alternative backoff at marks (RFC 8511)",
                                           [](const weir::traffic::tcp_config& tcp) {
                                               return std::make_unique<outside::gentle_backoff>(
                                                   tcp, outside::abe.left);
                                           }});
    outside::add_loss_table();
    outside::add_loss_metric();
    outside::add_obeyed_chart();
    weir::tb::add_options("abe", "Alternative backoff with ECN.", outside::abe);
}
