// A switch's way to one of its blocks: through the interface, or straight to the block that the project ships.
//
// Any module that implements the interface may be bound. On `frame_path::direct` and `inlined` all blocks are
// the default ones, and calls to them are resolved, and inlined, at compile time; that is all the difference
// there is.
//
//   block_ref<ingress_buffer_block, ingress_buffer_if> ingress;
//   ingress.bind(bound);
//   ingress.as<frame_path::direct>().charge(port, c, 1530, now);   // on that path
//   ingress->settle(now);                            // elsewhere
#pragma once

#include <type_traits>
#include <typeinfo>
#include <utility>

#include "weir/base/namespaces.h"
#include "weir/model/switch/frame_path.h"

namespace weir::model {

/// `Own` is the block, `Own::algorithm()` what it is a shell for.
template <class Own, class Interface>
class block_ref {
    using algorithm = std::remove_reference_t<decltype(std::declval<Own&>().algorithm())>;

 public:
    /// A class derived from `Own` is not our own block: it may override anything.
    void bind(Interface* block) {
        m_any = block;
        auto* const own = dynamic_cast<Own*>(block);
        m_own = own != nullptr && typeid(*own) == typeid(Own) ? &own->algorithm() : nullptr;
    }
    /// The default block's algorithm, or the interface. Paths other than `general` are taken only
    /// where all blocks are the default ones.
    template <frame_path Path>
    auto& as() const {
        if constexpr (Path != frame_path::general) {
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

}  // namespace weir::model
