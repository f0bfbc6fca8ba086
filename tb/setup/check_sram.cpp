#include "tb/setup/check_sram.h"

#include "weir/base/unit_text.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/switch/switch_node.h"

namespace weir::tb {

config_errors check_sram(const run_config& config) {
    config_errors errors;
    const auto fail = [&](const char* key, const std::string& message) {
        errors.push_back({{}, 0, key, message});
    };
    const bool shared = config.shared.kind == buffer_kind::shared;
    const std::string slow = "sram.access_time = " + to_text(config.sram.access_time);
    if (config.sram.is_limited()) {
        if (config.device.memory_cell == 0_B) {
            fail("switch.memory_cell",
                 "0B does not say how much one access moves (" + slow + "); expected at least 1B");
        }
        if (config.device.queue_order != queue_order_kind::fifo) {
            fail("switch.queue_order", "'" + queue_orders().of(config.device.queue_order).name +
                                           "' may choose another frame while one is being read from memory (" +
                                           slow + "); expected fifo");
        }
        if (!shared && config.device.crossbar == crossbar_mode::cell) {
            fail("switch.crossbar",
                 "'cell' has slots of fixed length, but cells would have to wait for the memories (" + slow +
                     "); expected frame");
        }
        if (!shared && config.flow_control.charge == charge_time::enqueue) {
            fail("pfc.charge", "'enqueue' does not count frames that wait to be written (" + slow +
                                   ") in any memory; expected arrival");
        }
    }
    switch_parameters device;
    static_cast<switch_setup&>(device) = config;
    if (frames_wait_before_memory(device) && config.device.ingress_fifo < config.device.max_frame) {
        fail("switch.ingress_fifo", "'" + to_text(config.device.ingress_fifo) +
                                        "' is too small for a frame of switch.max_frame; expected at least " +
                                        to_text(config.device.max_frame));
    }
    return errors;
}

}  // namespace weir::tb
