// Parameters of detours (DIBS: Zarifis et al., EuroSys 2014).
#pragma once

#include <cstdint>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"

namespace weir::model {

enum class detour_policy : std::uint8_t { random, load_aware, flow_based, probabilistic };
constexpr auto names_of(detour_policy) {
    return enum_names<detour_policy>({
        {detour_policy::random, "random", "any of them, with equal probability (DIBS, section 2)"},
        {detour_policy::load_aware, "load_aware", "the one that holds, and will get, the fewest bytes"},
        {detour_policy::flow_based, "flow_based",
         "the one that the flow's hash ranks first: frames of a flow go the same way while it has room"},
        {detour_policy::probabilistic, "probabilistic",
         "as random, but detours begin before the port is full, for low classes earlier than for high ones"},
    });
}

/// Where frames go whose port is full. Keys: [detour].
struct detour_config {
    detour_policy policy = detour_policy::random;
    bool shortest_first = true;
    bool back = true;
    std::uint32_t ttl = 255;
    bool mark = true;
    double start = 0.5;
    bool lossless = false;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* used = "switch.overflow = detour";
        fields.all_need(used);
        fields(field("policy", &self::policy)
                   .help("Which of the ports that have room a frame takes.")
                   .source("DIBS 2, 7: random"));
        fields(field("shortest_first", &self::shortest_first)
                   .help("A frame first tries the other ports of its shortest paths, which is not a detour. "
                         "off: it takes any port to a switch, which always counts as a detour.")
                   .source("DIBS 5.1: the available ports AND the desired ones"));
        fields(field("back", &self::back)
                   .help("A frame may be sent back by the port that it came by.")
                   .source("DIBS 2, fig. 1"));
        fields(field("ttl", &self::ttl)
                   .range(2U, 255U)
                   .help("Number of links that a frame may cross, those of hosts included. A switch drops a "
                         "frame that has crossed this many (drop reason ttl_expired). At least the number of "
                         "links of the longest path.")
                   .source("DIBS 5.5.3: 255, 12 to 48"));
        fields(field("mark", &self::mark)
                   .needs("marks_are_heeded")
                   .help("Detoured frames are marked (ECN CE), if their transport is ECN-capable.")
                   .source("DIBS 5.3"));
        fields(field("start", &self::start)
                   .range(0, 1)
                   .share()
                   .needs("detour.policy = probabilistic")
                   .help("Fill of a port's memory from which frames of the lowest class are detoured; for "
                         "class c of n it is start + (1 - start) c / n. The probability grows linearly from 0 "
                         "at this fill to 1 at a full port.")
                   .source("project; DIBS 7 gives no numbers"));
        fields(field("lossless", &self::lossless)
                   .needs("pfc.mode = pause or pfc")
                   .help("Allows detours of lossless classes. A frame without a detour is held. Detours may "
                         "close circles of pauses (docs/deadlock.md)."));
    }
};

}  // namespace weir::model
