// A scheduler: the classes of a port take turns, one frame each, whatever the length of their frames.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/model/switch/block_kinds.h"

namespace outside {

class class_turns final : public weir::model::block_module<weir::model::scheduler_if> {
 public:
    class_turns(sc_core::sc_module_name name, unsigned ports) : block_module(name), m_last(ports, 0) {}

    int select(unsigned port, weir::class_mask eligible, const std::uint32_t*) override {
        for (unsigned turn = 1; turn <= weir::pfc_classes; ++turn) {
            const unsigned c = (m_last[port] + turn) % weir::pfc_classes;
            if ((eligible >> c & 1) != 0) {
                return static_cast<int>(c);
            }
        }
        return weir::model::no_class;
    }
    void sent(unsigned port, int c, std::uint32_t) override { m_last[port] = static_cast<unsigned>(c); }
    void drained(unsigned, weir::class_mask) override {}

 private:
    // Class that was served last, by port.
    std::vector<unsigned> m_last;
};

inline weir::model::scheduler_kind add_class_turns() {
    weir::model::scheduler_traits traits;
    traits.make = [](const weir::model::block_setup& setup) {
        return std::make_unique<class_turns>("class_turns", setup.port_count());
    };
    return weir::model::scheduler_kinds().add({"class_turns", "classes take turns, frame by frame", traits});
}

}  // namespace outside
