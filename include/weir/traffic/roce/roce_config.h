// Parameters of RoCEv2 at the hosts: frames, loss recovery, and DCQCN.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::traffic {

/// Kinds of a queue pair's rate control; roce/rate_controls.h registers them.
enum class rate_control_kind : std::uint8_t {};

/// What a queue pair does about a frame that is missing.
enum class loss_recovery : std::uint8_t { go_back_n, selective };
constexpr auto names_of(loss_recovery) {
    return enum_names<loss_recovery>({
        {loss_recovery::go_back_n, "go_back_n",
         "the receiver drops what comes behind a gap, and the sender goes back to the gap"},
        {loss_recovery::selective, "selective",
         "the receiver keeps what comes behind a gap, and the sender sends again what is missing"},
    });
}

/// DCQCN's reaction point. Keys: [roce]. Defaults are the paper's; its rates, for 40 Gb/s, scale with the
/// link's rate.
struct dcqcn_config {
    double gain = 1.0 / 256;
    picoseconds alpha_timer{55us};
    picoseconds increase_timer{55us};
    bytes byte_counter{10_MB};
    std::uint32_t fast_recovery = 5;
    /// Not set: the link's rate / 1000, / 100 and / 4000.
    std::optional<bit_rate> additive_increase;
    std::optional<bit_rate> hyper_increase;
    std::optional<bit_rate> min_rate;
    // Of `dcqcn_mellanox` alone.
    picoseconds decrease_interval{50us};
    double first_rate = 1;
    bool clamp_target = true;

    static constexpr const char* used = "roce_is_used";
    static constexpr const char* controlled = "roce.rate_control other than none";
    static constexpr const char* by_paper = "roce.rate_control = dcqcn";
    static constexpr const char* by_mellanox = "roce.rate_control = dcqcn_mellanox";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range rate_range{1_Mbps, 10'000_Gbps};
        constexpr field_range timer_range{picoseconds{1us}, picoseconds{1s}};
        fields.all_need(used, controlled);
        fields(field("gain", &self::gain)
                   .range(0.0, 1.0, range_ends::low_excluded)
                   .help("g: weight of the newest interval in alpha, the estimate of congestion.")
                   .source("DCQCN 5.2: 1/256; HPCC simulator's classes: 1/16"));
        fields(field("alpha_timer", &self::alpha_timer)
                   .range(timer_range)
                   .help("Time between two updates of alpha.")
                   .source("DCQCN 3.1: 55 us; HPCC simulator's runs: 1 us"));
        fields(field("increase_timer", &self::increase_timer)
                   .range(timer_range)
                   .help("Time between two increases of the rate.")
                   .source("DCQCN 5.2: 55 us; HPCC simulator: 1,500 us, its runs: 300 us"));
        fields.all_need(used, by_paper);
        fields(field("byte_counter", &self::byte_counter)
                   .range(1_B, 1'000'000'000'000_B)
                   .help("Bytes on the wire between two increases of the rate that the byte counter causes.")
                   .source("DCQCN 5.2: 10 MB"));
        fields.all_need(used, controlled);
        fields(field("fast_recovery", &self::fast_recovery)
                   .range(1U, 1000U)
                   .help("F: stages of fast recovery, before the target rate increases.")
                   .source("DCQCN 3.1: 5; HPCC simulator's runs: 1"));
        fields(field("additive_increase", &self::additive_increase)
                   .range(rate_range)
                   .help("What a stage of additive increase adds to the target rate. auto: the link's rate / "
                         "1000.")
                   .source("DCQCN 3.1: 40 Mb/s at 40 Gb/s; HPCC simulator's runs: 5 Mb/s at 25 Gb/s"));
        fields(field("hyper_increase", &self::hyper_increase)
                   .range(rate_range)
                   .help("What a stage of hyper increase adds to the target rate. auto: the link's rate / 100.")
                   .source("QCN's ratio, 10; HPCC simulator's runs: 50 Mb/s at 25 Gb/s"));
        fields(field("min_rate", &self::min_rate)
                   .range(rate_range)
                   .help("Lowest rate that a cut can reach, or the link's rate if that is lower. auto: the "
                         "link's rate / 4000.")
                   .source("Mellanox: 10 Mb/s at 40 Gb/s; HPCC simulator: 100 Mb/s"));
        fields.all_need(used, by_mellanox);
        fields(field("decrease_interval", &self::decrease_interval)
                   .range(timer_range)
                   .help("All CNPs within this time cut the rate once, at its end.")
                   .source("HPCC simulator, dcqcn_paper: 50 us; its classes: 4 us"));
        fields(field("first_rate", &self::first_rate)
                   .range(0.0, 1.0, range_ends::low_excluded)
                   .help("Factor of the rate at a transfer's first CNP.")
                   .source("HPCC simulator, RateOnFirstCnp: 1"));
        fields(field("clamp_target", &self::clamp_target)
                   .help("Every cut lowers the target rate to the rate before the cut. off: only the first cut "
                         "after an increase does.")
                   .source("DCQCN 3.1: on; HPCC simulator's classes: off"));
    }

    // With a link of rate `line`.
    bit_rate additive_rate(bit_rate line) const { return additive_increase.value_or(share_of(line, 1000)); }
    bit_rate hyper_rate(bit_rate line) const { return hyper_increase.value_or(share_of(line, 100)); }
    bit_rate least_rate(bit_rate line) const { return std::min(line, min_rate.value_or(share_of(line, 4000))); }

 private:
    static bit_rate share_of(bit_rate line, std::int64_t divisor) {
        return std::max(bit_rate{1}, line / divisor);
    }
};

/// Keys: [roce].
struct roce_config {
    bytes payload{1024};
    bytes header{62};
    rate_control_kind rate_control{};
    loss_recovery recovery = loss_recovery::go_back_n;
    /// Not set: no limit with `go_back_n`, `selective_window` with `selective`.
    std::optional<bytes> window;
    static constexpr bytes selective_window{1_MiB};
    std::uint32_t ack_every = 1;
    /// Not set: that of the data.
    std::optional<pfc_class> ack_priority;
    picoseconds ack_timeout{67'108'864ns};
    picoseconds nak_interval{500us};
    pfc_class cnp_priority = pfc_classes - 1;
    picoseconds cnp_interval{50us};
    dcqcn_config dcqcn{};
    static constexpr const char* used = dcqcn_config::used;
    static constexpr const char* controlled = dcqcn_config::controlled;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(used);
        fields(field("payload", &self::payload)
                   .range(1_B, 9'096_B)
                   .help("Payload of a full frame (path MTU). If RoCE is used, roce.payload + roce.header must "
                         "not exceed switch.max_frame.")
                   .source("InfiniBand 9.2: 256 to 4,096 B; HPCC simulator: 1,000 B"));
        fields(field("header", &self::header)
                   .range(62_B, 128_B)
                   .help("Ethernet, IPv4, UDP and InfiniBand transport headers, ICRC and FCS of every frame.")
                   .source("InfiniBand annex A17: 14 + 20 + 8 + 12 + 4 + 4 B"));
        fields(field("rate_control", &self::rate_control)
                   .help("How a queue pair sets its rate. With none it sends at its link's rate, and pauses "
                         "alone slow it down. Rates follow marks: see marking.kind.")
                   .source("DCQCN (SIGCOMM 2015) 3"));
        fields(field("recovery", &self::recovery)
                   .help("What follows a lost frame.")
                   .source("DCQCN 2.3: go-back-N; IRN (SIGCOMM 2018) 3.1: selective"));
        fields(field("window", &self::window)
                   .range(1_B, 1_MiB * 1024)
                   .help("Maximum number of unacknowledged bytes of a queue pair; at least roce.payload x "
                         "roce.ack_every, at most 1048576 x roce.payload with roce.recovery = selective. auto: "
                         "no limit with go_back_n, 1 MiB with selective.")
                   .source("DCQCN: none; IRN 3.2: a bandwidth-delay product"));
        fields(field("ack_every", &self::ack_every)
                   .range(1U, 256U)
                   .help("Frames per ACK. The last frame of a transfer is always confirmed.")
                   .source("HPCC simulator, L2_ACK_INTERVAL: 1"));
        fields(field("ack_priority", &self::ack_priority)
                   .range(pfc_class{0}, pfc_class{pfc_classes - 1})
                   .help("Priority of ACKs and NAKs. auto: that of the data.")
                   .source("HPCC simulator, ACK_HIGH_PRIO: 0"));
        fields(field("ack_timeout", &self::ack_timeout)
                   .range(1us, 60s)
                   .help("A sender repeats unacknowledged frames if no new acknowledgement has arrived for "
                         "this long.")
                   .source("InfiniBand 9.7.6.1.3: 4.096 us x 2^14, perftest's default"));
        fields(field("nak_interval", &self::nak_interval)
                   .range(0_ps, 1s)
                   .needs("roce.recovery = go_back_n")
                   .help("A receiver that still misses the same frame after this long sends another NAK.")
                   .source("HPCC simulator, NACK Generation Interval: 500 us"));
        fields.all_need(used, controlled);
        fields(field("cnp_priority", &self::cnp_priority)
                   .range(pfc_class{0}, pfc_class{pfc_classes - 1})
                   .help("Priority of congestion notification packets (CNPs).")
                   .source("DCQCN 3.3: a high one"));
        fields(field("cnp_interval", &self::cnp_interval)
                   .range(0_ps, 1s)
                   .help("Least time between two CNPs of a queue pair. 0: one for each marked frame.")
                   .source("DCQCN 3.1, 4: 50 us"));
        fields.part(&self::dcqcn);
    }

    /// Most bytes that are not confirmed.
    bytes effective_window() const {
        const bytes unset = recovery == loss_recovery::selective ? selective_window : largest_window;
        return window.value_or(unset);
    }
    config_errors validate() const;

 private:
    /// No limit: longer than any transfer.
    static constexpr bytes largest_window{std::int64_t{1} << 50};
};

}  // namespace weir::traffic
