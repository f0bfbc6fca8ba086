#include "weir/traffic/apps/application.h"

#include <limits>

#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

const char* mistake_in(const transfer_request& request, host_id self, host_id hosts) {
    if (request.flow_bytes < 1_B) {
        return "has no bytes";
    }
    if (request.flow_bytes.count() > static_cast<std::int64_t>(largest_flow_bytes)) {
        return "has more than 2^48 B";
    }
    if (request.flow > transfer_fields::flow_mask || request.job > transfer_fields::job_mask) {
        return "number of its flow is not below 2^48, or that of its job not below 2^40";
    }
    if (request.dst >= hosts || request.dst == self) {
        return "destination is not a different host";
    }
    if (request.priority >= pfc_classes) {
        return "priority is not 0 to 7";
    }
    if (request.reply_bytes < 0_B ||
        request.reply_bytes.count() > std::int64_t{std::numeric_limits<std::uint32_t>::max()}) {
        return "response is not 0 B to 4 GiB - 1 B";
    }
    if (request.udp_rate < 0_bps) {
        return "rate is negative";
    }
    if (request.written != nullptr && request.transport != transport_kind::tcp) {
        return "is written over time, which only TCP waits for";
    }
    return nullptr;
}

void application_services::flow_done(const received_transfer& transfer) {
    job_done({transfer.job, job_kind::flow, transfer.src, transfer.flow_bytes, 1, transfer.priority,
              transfer.tag, transfer.start, now()});
}

}  // namespace weir::traffic
