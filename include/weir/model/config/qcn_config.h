// Parameters of QCN (IEEE 802.1Qau, today clauses 30 to 33 of 802.1Q). Defaults are those of the standard's
// management objects (IEEE8021-CN-MIB), and of R. Pan's pseudo-code (IEEE 802.1, 2007) for what these do not
// have; the cross-layer study's (2012, table III) are named where they differ.
#pragma once

#include <cstdint>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"
#include "weir/protocol/frame.h"

namespace weir::model {

enum class qcn_quantiser : std::uint8_t { msb, scaled };
constexpr auto names_of(qcn_quantiser) {
    return enum_names<qcn_quantiser>({
        {qcn_quantiser::msb, "msb",
         "the six most significant bits of -F_b, out of as many as the largest needs (Pan). The largest "
         "notification is 32 to 63, depending on Q_eq: 40 for 66 KB"},
        {qcn_quantiser::scaled, "scaled",
         "-F_b x 63 / (Q_eq (2 w + 1)), so that the largest notification is 63 for every Q_eq"},
    });
}
enum class qcn_cycles : std::uint8_t { pan, select, reset };
constexpr auto names_of(qcn_cycles) {
    return enum_names<qcn_cycles>({
        {qcn_cycles::pan, "pan",
         "a phase begins when more than qcn.fast_recovery cycles are over; from then on cycles are half as "
         "long (Pan)"},
        {qcn_cycles::select, "select",
         "a phase begins with the last cycle of fast recovery; cycles of hyper-active increase are half as "
         "long "
         "(802.1Q's state machine)"},
        {qcn_cycles::reset, "reset",
         "as pan, and each notification sets the target rate to the current rate and begins a new cycle of "
         "the byte counter, whether or not one is over (cross-layer study, figure 2)"},
    });
}
/// Quantized congestion notification: congestion points at egress queues, reaction points in adapters. Keys:
/// [qcn].
struct qcn_config {
    bytes set_point{26'000};
    double weight = 2;
    bytes sample_interval{150'000};
    double jitter = 0.15;
    qcn_quantiser quantiser = qcn_quantiser::scaled;
    std::uint32_t priority = 7;
    qcn_cycles cycles = qcn_cycles::pan;
    double gain = 1.0 / 128;
    double least_share = 0.5;
    bytes byte_limit{150'000};
    picoseconds timer{15ms};
    double cycle_jitter = 0.15;
    std::uint32_t fast_recovery = 5;
    bit_rate active_increase{5'000'000};
    bit_rate hyper_increase{50'000'000};
    bool extra_fast_recovery = true;
    bit_rate min_rate{5'000'000};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* used = "marking.kind = qcn";
        fields.all_need(used);
        fields(field("set_point", &self::set_point)
                   .memory()
                   .range(64_B, largest_memory)
                   .help("Q_eq: length at which QCN tries to hold an egress queue.")
                   .source("IEEE8021-CN-MIB: 26,000 B; cross-layer study: 20 KB and 66 KB"));
        fields(field("weight", &self::weight)
                   .range(0.0, 1024.0)
                   .help("w: weight of the queue's growth since the last sample: F_b = (Q_eq - length) - w x "
                         "growth.")
                   .source("IEEE8021-CN-MIB: 2^1; cross-layer study: 2"));
        fields(field("sample_interval", &self::sample_interval)
                   .range(64_B, largest_memory)
                   .help("Bytes that arrive at an uncongested queue between two samples. The more congested "
                         "the last sample, the shorter the interval, down to about an eighth.")
                   .source("Pan, cross-layer study: 150 KB"));
        fields(field("jitter", &self::jitter)
                   .range(0.0, 0.9)
                   .share()
                   .help("Each interval between samples varies by up to this share of its length in both "
                         "directions, uniformly.")
                   .source("Pan: 15 %"));
        fields(field("quantiser", &self::quantiser)
                   .help("How F_b becomes the six bits of a notification.")
                   .source("scaled: HPE FlexFabric 5940 configuration guide, and G_d = 0.5 of the cross-layer "
                           "study for both of its set-points; msb: Pan"));
        fields(field("priority", &self::priority)
                   .range(0U, pfc_classes - 1)
                   .help("Priority of the notifications that switches send.")
                   .source("project: the most urgent one"));
        fields(field("cycles", &self::cycles)
                   .help("When a rate limiter goes on to active and hyper-active increase, and what a "
                         "notification resets.")
                   .source("Pan; IEEE 802.1Q; cross-layer study"));
        fields(
            field("gain", &self::gain)
                .range(0.0, 1.0, range_ends::low_excluded)
                .help("G_d: a notification cuts the rate by this share for each unit of its six bits.")
                .source("IEEE8021-CN-MIB: 2^-7, so that the largest halves it; cross-layer study: 0.5 of the "
                        "largest"));
        fields(field("least_share", &self::least_share)
                   .range(0.0, 0.99)
                   .share()
                   .help("A notification leaves at least this share of the rate.")
                   .source("IEEE8021-CN-MIB, cross-layer study: 50 %"));
        fields(field("byte_limit", &self::byte_limit)
                   .range(64_B, largest_memory)
                   .help("Bytes that a rate limiter sends in one cycle of its byte counter.")
                   .source("IEEE8021-CN-MIB, cross-layer study: 150,000 B"));
        fields(
            field("timer", &self::timer)
                .range(1us, 10s)
                .help("Duration of one cycle of a rate limiter's timer.")
                .source("IEEE8021-CN-MIB and the cross-layer study's table III: 15 ms; its figure 2: 10 ms"));
        fields(field("cycle_jitter", &self::cycle_jitter)
                   .range(0.0, 0.9)
                   .share()
                   .help("Each cycle of the byte counter and of the timer varies by up to this share of its "
                         "length in both directions, uniformly.")
                   .source("Pan: 15 %"));
        fields(field("fast_recovery", &self::fast_recovery)
                   .range(1U, 1000U)
                   .help("Cycles of fast recovery.")
                   .source("IEEE8021-CN-MIB, cross-layer study: 5"));
        fields(field("active_increase", &self::active_increase)
                   .range(1_bps, bit_rate{1'000'000'000'000})
                   .help("R_AI: what a cycle of active increase adds to the target rate.")
                   .source("IEEE8021-CN-MIB, cross-layer study: 5 Mb/s"));
        fields(field("hyper_increase", &self::hyper_increase)
                   .range(1_bps, bit_rate{1'000'000'000'000})
                   .help("R_HAI: what a cycle of hyper-active increase adds to the target rate, times the "
                         "cycles since it began.")
                   .source("IEEE8021-CN-MIB, cross-layer study: 50 Mb/s"));
        fields(field("extra_fast_recovery", &self::extra_fast_recovery)
                   .help("If the target rate is more than ten times the current rate, the first cycle after a "
                         "notification reduces it to an eighth.")
                   .source("Pan, cross-layer study: on"));
        fields(field("min_rate", &self::min_rate)
                   .range(1'000_bps, bit_rate{1'000'000'000'000})
                   .help("No notification cuts a rate below this.")
                   .source("IEEE8021-CN-MIB: 5 Mb/s; cross-layer study: 100 kb/s"));
    }
};

}  // namespace weir::model
