#include "weir/model/memory/queue_order.h"

namespace weir::model {

registry<queue_order_kind, queue_order_traits>& queue_orders() {
    static registry<queue_order_kind, queue_order_traits> list{
        {"fifo", "first in, first out; the new frame is dropped", {}},
        {"rank",
         "the flow of the lowest rank first; the frame of the highest rank is dropped (pFabric)",
         {[] { return std::make_unique<rank_order>(); }, true}},
    };
    return list;
}

}  // namespace weir::model
