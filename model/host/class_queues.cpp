#include "weir/model/host/class_queues.h"

namespace weir::model {

void class_queues::add_flows(pfc_class c, flow_bytes_list& flows) const {
    for (frame_slot slot = m_queues[c].head(); slot != no_slot; slot = m_slab.route(slot).next) {
        flows.add(m_slab.frame(slot), m_slab.frame(slot).frame_bytes);
    }
}

}  // namespace weir::model
