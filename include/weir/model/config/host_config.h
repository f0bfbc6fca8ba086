// Parameters of a host's stack and NIC.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/delay_distribution.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"

namespace weir::model {

/// Kinds of a NIC's queues and rate limiters; host/nic_queues.h registers them.
enum class nic_kind : std::uint8_t {};

/// What has a queue, and with QCN a rate limiter, of its own in an adapter.
enum class voq_of : std::uint8_t { destination, transfer };
constexpr auto names_of(voq_of) {
    return enum_names<voq_of>({
        {voq_of::destination, "destination", "all that a host sends to one destination in one class"},
        {voq_of::transfer, "transfer", "one transfer, and its acknowledgements at the other host"},
    });
}

/// Hosts and their NICs. Keys: [host].
struct host_config {
    picoseconds stack_out{0};
    picoseconds stack_in{0};
    delay_shape stack_distribution = delay_shape::fixed;
    double stack_deviation = 0.5;
    bytes nic_buffer{0};
    std::optional<nic_kind> nic;
    voq_of voq = voq_of::destination;
    static constexpr const char* has_voqs = "adapter_has_voqs";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("stack_out", &self::stack_out)
                   .range(0_ps, 1s)
                   .help("Delay of a frame from the transport to the NIC's queue, or its mean.")
                   .source("cross-layer study: 9.5 us"));
        fields(field("stack_in", &self::stack_in)
                   .range(0_ps, 1s)
                   .help("Delay from the arrival of a frame's last bit to the transport, or its mean.")
                   .source("cross-layer study: 24 us"));
        fields(field("stack_distribution", &self::stack_distribution)
                   .needs("host.stack_out or host.stack_in above 0")
                   .help("Distribution of both delays, drawn for each frame. A frame does not overtake the one "
                         "ahead of it: it comes out right behind it.")
                   .source("cross-layer study: figure 5, a picture, of which table III has the means"));
        fields(field("stack_deviation", &self::stack_deviation)
                   .share()
                   .range(0.0, 10.0, range_ends::low_excluded)
                   .needs("host.stack_distribution = exponential or lognormal",
                          "host.stack_out or host.stack_in above 0")
                   .help("Standard deviation of both delays, as a share of their mean, before frames wait for "
                         "those ahead of them."));
        fields(field("nic_buffer", &self::nic_buffer)
                   .range(0_B, largest_memory)
                   .help("Memory of the NIC for frames that wait for transmission. At least switch.max_frame. "
                         "0: unlimited. Frames that do not fit are dropped; with host.nic = voq they wait in "
                         "the transport, except those of UDP.")
                   .source("cross-layer study: 512 KB"));
        fields(
            field("nic", &self::nic)
                .help("Queues and rate limiters of the NIC. auto: voq with marking.kind = qcn, else rdma with "
                      "traffic.transport = roce or pfabric, else class_queues."));
        fields(field("voq", &self::voq)
                   .needs(has_voqs)
                   .help("What has its own queue in the adapter, and with QCN its own rate limiter.")
                   .source("cross-layer study III-B4: a VOQ for each destination"));
    }

    delay_distribution out_delays() const { return {stack_out, stack_distribution, stack_deviation}; }
    delay_distribution in_delays() const { return {stack_in, stack_distribution, stack_deviation}; }

    config_errors validate() const;
};

}  // namespace weir::model
