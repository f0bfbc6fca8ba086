#include "weir/model/host/nic_queues.h"

#include "weir/model/host/class_queues.h"

namespace weir::model {

registry<nic_kind, nic_maker>& nic_kinds() {
    static registry<nic_kind, nic_maker> list{
        {"class_queues", "a FIFO for each class, the most urgent class first; what does not fit is dropped",
         [](const nic_setup& setup) { return std::make_unique<class_queues>(setup); }},
    };
    return list;
}

}  // namespace weir::model
