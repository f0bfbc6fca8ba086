// A switch's way to one of its blocks: through the interface, or straight to the block that the project ships.
//
// Any module that implements the interface may be bound. On paths whose `has_own_blocks` holds all blocks are
// the default ones, and calls to them are resolved, and inlined, at compile time. There is no other difference.
//
//   block_ref<ingress_buffer_block, ingress_buffer_if> ingress;
//   ingress.bind(bound);
//   ingress.as<direct_path>().charge(port, c, 1530, now);   // on that path
//   ingress->settle(now);                            // elsewhere
#pragma once

#include <type_traits>
#include <typeinfo>
#include <utility>

#include "weir/base/namespaces.h"
#include "weir/model/forwarding/adaptive_selector.h"
#include "weir/model/forwarding/flow_hash_selector.h"
#include "weir/model/switch/frame_path.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::model {

/// The algorithm of a block that is an `Own` and not of a class derived from it, which may override anything;
/// else null.
template <class Own, class Interface>
auto own_algorithm(Interface* block) -> std::remove_reference_t<decltype(std::declval<Own&>().algorithm())>* {
    auto* const own = dynamic_cast<Own*>(block);
    return own != nullptr && typeid(*own) == typeid(Own) ? &own->algorithm() : nullptr;
}

/// `Own` is the block, `Own::algorithm()` what it is a shell for.
template <class Own, class Interface>
class block_ref {
    using algorithm = std::remove_reference_t<decltype(std::declval<Own&>().algorithm())>;

 public:
    void bind(Interface* block) {
        m_any = block;
        m_own = own_algorithm<Own>(block);
    }
    /// The default block's algorithm if `Path` has such blocks only, else the interface.
    template <class Path>
    auto& as() const {
        if constexpr (Path::has_own_blocks) {
            return *m_own;
        } else {
            return *m_any;
        }
    }
    Interface* operator->() const { return m_any; }
    Interface& operator*() const { return *m_any; }
    /// Null where a module of another kind is bound.
    algorithm* own() const { return m_own; }

 private:
    Interface* m_any = nullptr;
    algorithm* m_own = nullptr;
};

/// A switch's way to its port selector, whichever path its frames take. Each frame asks it, so two of the
/// project's own are called directly.
class selector_ref {
 public:
    void bind(port_selector_if* block) {
        m_any = block;
        m_adaptive = own_algorithm<selector_block<adaptive_selector>>(block);
        m_flow_hash = own_algorithm<selector_block<flow_hash_selector>>(block);
    }
    unsigned select(const port_choice& choice) const {
        return m_adaptive != nullptr    ? m_adaptive->select(choice)
               : m_flow_hash != nullptr ? m_flow_hash->select(choice)
                                        : ask(choice);
    }

 private:
    /// Takes a copy, so that `select` can keep the parts of its argument in registers.
    [[gnu::noinline]] unsigned ask(port_choice choice) const { return m_any->select(choice); }

    port_selector_if* m_any = nullptr;
    adaptive_selector* m_adaptive = nullptr;
    flow_hash_selector* m_flow_hash = nullptr;
};

}  // namespace weir::model
