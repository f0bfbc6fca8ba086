#include "weir/model/host/nic_queues.h"

namespace weir::model {

registry<nic_kind, nic_maker>& nic_kinds() {
    static registry<nic_kind, nic_maker> list{
        {"class_queues", "a FIFO for each class, the most urgent class first; what does not fit is dropped",
         [](const nic_setup&) { return nullptr; }},
    };
    return list;
}

}  // namespace weir::model
