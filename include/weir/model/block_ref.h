// A switch's way to one of its blocks: through the interface, or straight to the block that the project ships.
//
// Any module that implements the interface may be bound. Where all blocks are our own, a switch runs the instance of
// its code in which calls to them are resolved, and inlined, at compile time; that is all the difference there is.
//
//   block_ref<ingress_buffer_block, ingress_buffer_if> ingress;
//   ingress.bind(port.operator->());
//   ingress.as<Own>().charge(port, c, length, now);   // on a frame's path; Own: bool, a template's parameter
//   ingress->settle(now);                            // elsewhere
#pragma once

namespace weir {

template <class Own, class Interface>
class block_ref {
 public:
    void bind(Interface* block) {
        m_any = block;
        m_own = dynamic_cast<Own*>(block);
    }
    /// `true` only where `own()` is not null.
    template <bool IsOwn>
    auto& as() const {
        if constexpr (IsOwn) {
            return *m_own;
        } else {
            return *m_any;
        }
    }
    Interface* operator->() const { return m_any; }
    Interface& operator*() const { return *m_any; }
    /// Null where a module of another kind is bound.
    Own* own() const { return m_own; }

 private:
    Interface* m_any = nullptr;
    Own* m_own = nullptr;
};

}  // namespace weir
