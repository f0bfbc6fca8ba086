// Where SystemC of IEEE 1666-2023 (3.0) differs from that of IEEE 1666-2011 (2.3).
#pragma once

#include <systemc>

// In the constructor of a module with processes: obsolete in 2023.
#if IEEE_1666_SYSTEMC >= 202301L
#define WEIR_HAS_PROCESS(module) static_assert(true)
#else
#define WEIR_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#endif

namespace weir {

/// Objects that are made while it lives are children of `module`, whose constructor has ended.
class child_scope {
 public:
    child_scope(const child_scope&) = delete;
    child_scope& operator=(const child_scope&) = delete;
#if IEEE_1666_SYSTEMC >= 202301L
    explicit child_scope(sc_core::sc_module& module) : m_scope(opener::open(module)) {}

 private:
    /// A module may open the scope itself; others by its leave.
    struct opener : sc_core::sc_module {
        static sc_core::sc_hierarchy_scope open(sc_core::sc_module& module) {
            return (module.*&opener::get_hierarchy_scope)();
        }
    };
    sc_core::sc_hierarchy_scope m_scope;
#else
    explicit child_scope(sc_core::sc_module& module) {
        m_context->hierarchy_push(&module);
    }
    ~child_scope() {
        m_context->hierarchy_pop();
    }

 private:
    sc_core::sc_simcontext* const m_context = sc_core::sc_get_curr_simcontext();
#endif
};

}  // namespace weir
