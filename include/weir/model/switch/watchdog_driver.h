// A switch's PFC watchdog: what it sees of the queues, and what it does to them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "weir/model/config/pfc_config.h"
#include "weir/model/flow_control/pfc_watchdog.h"
#include "weir/model/switch/switch_services.h"

namespace weir::model {

class watchdog_driver {
 public:
    /// All outlive this. Range: `is_configured`.
    watchdog_driver(const pfc_config& config, switch_services& device)
        : m_config(config), m_device(device), m_watchdog(config, device.port_count()) {}

    static bool is_configured(const pfc_config& config) {
        return config.mode == flow_control_mode::pfc && config.watchdog != watchdog_action::off;
    }

    /// Looks at all queues.
    void look();
    /// What a PFC frame says beside the storms: those are noted, and while they are ignored, ignored.
    pause_fields heard(unsigned port, const pause_fields& fields);
    /// Classes of the port in a storm whose frames are dropped, those that wait and those that arrive.
    class_mask dropped_classes(unsigned port) const {
        return drops() ? m_watchdog.storms(port) : class_mask{0};
    }
    /// True: what comes in at the port, and in this class, is to be dropped, and has been counted.
    bool takes_arrival(unsigned port, pfc_class c);

    /// In the order of time; at most 65,536.
    const std::vector<watchdog_event>& events() const { return m_events; }

 private:
    bool drops() const { return m_config.watchdog == watchdog_action::drop; }
    pfc_watchdog::queue_view queue(unsigned port, pfc_class c) const;
    void note(unsigned port, pfc_class c, bool storm);
    void begin_storm(unsigned port, pfc_class c);

    /// When the present storm began: frames lost in those before; and on arrival in all.
    struct storm_losses {
        std::uint64_t before = 0;
        std::uint64_t arriving_before = 0;
        std::uint64_t arriving = 0;
    };

    const pfc_config& m_config;
    switch_services& m_device;
    pfc_watchdog m_watchdog;
    std::vector<watchdog_event> m_events;
    /// By port and class.
    std::map<std::pair<unsigned, pfc_class>, storm_losses> m_losses;
};

}  // namespace weir::model
