// Which frames are marked (ECN CE) or dropped early, by the length of their egress queue: RED and its
// relatives. A marker is asked for each frame of the classes that are marked, as it comes to its queue or as it
// leaves (`marking.at`), whatever the organisation of the memory. One object serves all queues of a switch, and
// keeps for each what its rule needs. A switch without one pays nothing.
//
// Kinds are registered by name here; docs/extending.md has a worked example.
//
//   step_marker marker(std::vector<std::uint64_t>(ports * classes, 30'000), classes);
//   if (marker.decide(queue) == marking::mark) { ... }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/model/config/marking_config.h"
#include "weir/model/config/qcn_config.h"
#include "weir/model/link/port_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// An egress queue, that of one class at one port, as a frame comes to it or leaves it. That frame is not
/// counted.
struct queue_sight {
    picoseconds now;
    unsigned port;
    pfc_class frame_class;
    const ethernet_frame& frame;
    /// Memory that its frames hold (whole cells where memory has cells), and how many they are. One that is
    /// being sent counts until its last bit has left. With `marking_count::bound`, those in VOQs for it too.
    std::uint64_t bytes;
    std::uint32_t frames;
    /// Since when there is no frame; `never` while there is one.
    picoseconds empty_since;
    /// Of this switch, for its markers alone.
    random_stream& chance;
};

enum class marking : std::uint8_t {
    pass,
    mark,  ///< CE, where the frame is of an ECN-capable transport
    drop   ///< as it comes to its queue only
};

class marker {
 public:
    virtual ~marker() = default;
    virtual marking decide(const queue_sight& queue) = 0;
};

/// A way in for frames that a switch makes itself (QCN's messages): they are looked up as others are, and go to
/// the egress queue without having been in ingress memory.
class frame_origin {
 public:
    virtual void originate(const ethernet_frame& frame) = 0;

 protected:
    ~frame_origin() = default;
};

struct marker_setup {
    const marking_config& config;
    const qcn_config& qcn;
    /// The switch: its index among the nodes, its ports and classes.
    unsigned node;
    const std::vector<port_config>& links;
    unsigned classes;
    /// Classes that flow control protects from loss.
    class_mask lossless;
    /// Outlives the marker.
    frame_origin& origin;

    /// Of a port's class, for tables by queue.
    std::size_t queue(unsigned port, pfc_class c) const { return std::size_t{port} * classes + c; }
    std::size_t queues() const { return links.size() * classes; }
};

/// Length of its queue below which a marker does nothing.
struct marking_start {
    /// The option that says so: `marking.threshold`.
    const char* key;
    bytes length{0};
    /// Replaces `length`.
    std::optional<std::uint32_t> frames;
};

struct marker_traits {
    /// Makes null where nothing is marked.
    std::function<std::unique_ptr<marker>(const marker_setup&)> make;
    /// It marks frames of ECN-capable transports; hosts listen.
    bool marks = true;
    /// Null if it may act on queues of any length.
    std::function<marking_start(const marking_config&, const qcn_config&, pfc_class)> start = nullptr;
    /// Consequence if no queue becomes so long: `no frame is marked`.
    const char* in_vain = "";
};

registry<marker_kind, marker_traits>& marker_kinds();
constexpr registered_names<marker_kind, marker_kinds> names_of(marker_kind) {
    return {};
}

}  // namespace weir::model
