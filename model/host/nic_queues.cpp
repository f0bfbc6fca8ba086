#include "weir/model/host/nic_queues.h"

#include "weir/model/host/class_queues.h"
#include "weir/model/host/rdma_queues.h"
#include "weir/model/host/voq_queues.h"

namespace weir::model {

registry<nic_kind, nic_traits>& nic_kinds() {
    static registry<nic_kind, nic_traits> list{
        {"class_queues",
         "a FIFO for each class, the most urgent class first; what does not fit is dropped",
         {[](const nic_setup& setup) { return std::make_unique<class_queues>(setup); }}},
        {"rdma",
         "the same, but RoCE and pFabric hand over a frame only when the previous one of its priority has left",
         {[](const nic_setup& setup) { return std::make_unique<rdma_queues>(setup); }}},
        {"voq",
         "a queue for each destination or transfer (host.voq), served in turn, with QCN's rate limiters; "
         "frames that do not fit wait in the transport, except those of UDP",
         {[](const nic_setup& setup) { return std::make_unique<voq_queues>(setup); }, true}},
    };
    return list;
}

nic_kind default_nic(bool notified, bool fetches) {
    return named<nic_kind>(notified ? "voq" : fetches ? "rdma" : "class_queues");
}

}  // namespace weir::model
