// Which blocks a switch has, where a model is not the only choice. switch/block_kinds.h registers the kinds.
#pragma once

#include <cstdint>

#include "weir/base/config_field.h"

namespace weir::model {

/// The first one of each is the model.
enum class lookup_kind : std::uint8_t {};
enum class pfc_kind : std::uint8_t {};
enum class ingress_memory_kind : std::uint8_t {};
enum class egress_memory_kind : std::uint8_t {};

/// Keys: of [switch] and [mac].
struct block_choice {
    lookup_kind lookup{};
    ingress_memory_kind ingress_memory{};
    egress_memory_kind egress_memory{};
    pfc_kind pfc{};

    static constexpr const char* when_ingress = "switch.buffer = partitioned";
    static constexpr const char* when_egress = "switch.buffer = partitioned or output_queued";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("switch.tcam", &self::lookup)
                   .after("tcam_entries")
                   .help("Implementation of the destination lookup."));
        fields(field("switch.ingress_memory", &self::ingress_memory)
                   .after("ingress_buffer")
                   .needs(when_ingress)
                   .help("Implementation of packet memory and virtual output queues at ingress."));
        fields(field("switch.egress_memory", &self::egress_memory)
                   .after("egress_buffer")
                   .needs(when_egress)
                   .help("Implementation of packet memory and class queues at egress."));
        fields(field("mac.pfc", &self::pfc)
                   .needs("pfc.mode = pfc")
                   .help("Implementation of PFC in the MAC: turns pause requests into PFC frames, and received "
                         "PFC frames into pauses."));
    }
};

}  // namespace weir::model
