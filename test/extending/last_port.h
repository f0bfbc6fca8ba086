// A port selector: each frame takes the last one of its acceptable ports. All flows then share one path.
#pragma once

#include <memory>

#include "weir/model/switch/block_kinds.h"

namespace outside {

class last_port final : public weir::model::block_module<weir::model::port_selector_if> {
 public:
    using block_module::block_module;

    unsigned select(const weir::model::port_choice& choice) override {
        const unsigned ports = choice.acceptable.count();
        return ports == 0 ? weir::model::no_port : choice.acceptable.nth(ports - 1);
    }
};

inline weir::model::balance_policy add_last_port() {
    weir::model::balance_traits traits;
    traits.make = [](const weir::model::block_setup&) { return std::make_unique<last_port>("last_port"); };
    traits.keeps_paths = true;
    return weir::model::balance_policies().add({"last_port", "the last acceptable port", traits});
}

}  // namespace outside
