#include "weir/model/host/nic_queues.h"

#include "weir/model/host/class_queues.h"
#include "weir/model/host/rdma_queues.h"
#include "weir/model/host/voq_queues.h"
#include "weir/model/marking/marker.h"

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

void check_nic(range_check& check, const host_config& host, bool notified, bytes max_frame) {
    const auto obeys = [](const nic_traits& kind) { return kind.obeys_notifications; };
    const auto notifies = [](const marker_traits& kind) { return kind.notifies; };
    check.refuse(notified && host.nic && !obeys(nic_kinds()[*host.nic]), "host.nic",
                 "'{}' has no rate limiters for the notifications of " +
                     marker_kinds().condition("{marking.kind}", notifies) + "; expected " +
                     nic_kinds().names(obeys) + ", or auto",
                 nic_kinds().of(host.nic.value_or(nic_kind{})).name);
    check.require(host.nic_buffer == 0_B || host.nic_buffer >= max_frame, "host.nic_buffer", host.nic_buffer,
                  "0B, or at least {switch.max_frame} ({})", max_frame);
}

}  // namespace weir::model
