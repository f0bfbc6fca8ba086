// A marker decides which frames are marked (ECN CE) or dropped early, by the length of their egress queue, as
// RED does. It is asked for each frame of the classes that are marked, as it comes to its queue or as it
// leaves (`marking.at`), whatever the organisation of the memory. One object serves all queues of a switch, and
// keeps for each what its rule needs. A switch without one pays nothing.
//
// Kinds are registered by name here; docs/extending.md has a worked example.
//
//   step_marker marker(std::vector<std::uint64_t>(ports * classes, 30'000), classes);
//   if (marker.decide(queue) == frame_action::mark) { ... }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/field_range.h"
#include "weir/base/registry.h"
#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/model/frame/frame_action.h"
#include "weir/model/link/port_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

struct marking_config;
struct qcn_config;

/// A kind that is registered: `named<marker_kind>("step")`. The first one marks nothing.
enum class marker_kind : std::uint8_t {};

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

class marker {
 public:
    virtual ~marker() = default;
    /// Does not move the frame. One that leaves its queue is neither trimmed nor dropped.
    virtual frame_action decide(const queue_sight& queue) = 0;
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
    /// A table by queue with what `of_class` returns for each queue's class.
    template <class OfClass>
    auto by_queue(OfClass of_class) const {
        std::vector<decltype(of_class(pfc_class{0}))> table;
        for (std::size_t queue = 0; queue < queues(); ++queue) {
            table.push_back(of_class(static_cast<pfc_class>(queue % classes)));
        }
        return table;
    }
};

/// The value for a class in a list with one value for each class, or one for all.
template <class T>
const T& value_of_class(const std::vector<T>& values, pfc_class c) {
    return values[c < values.size() ? c : values.size() - 1];
}
inline std::uint64_t bytes_of_class(const std::vector<bytes>& values, pfc_class c) {
    return static_cast<std::uint64_t>(value_of_class(values, c).count());
}
/// Refuses a list for `value_of_class` that has neither one value nor one for each class.
void check_class_values(range_check& check, const char* field, std::size_t values, unsigned classes);

/// Length of its queue below which a marker does nothing.
struct marking_start {
    /// The option that says so: `marking.threshold`.
    const char* key;
    bytes length{0};
    /// Replaces `length`.
    std::optional<std::uint32_t> frames;
};

struct marker_traits {
    /// None: nothing is marked.
    std::function<std::unique_ptr<marker>(const marker_setup&)> make;
    /// It marks frames of ECN-capable transports; hosts listen.
    bool marks = true;
    /// Null if it may act on queues of any length.
    std::function<marking_start(const marking_config&, const qcn_config&, pfc_class)> start = nullptr;
    /// Consequence if no queue becomes so long: `no frame is marked`.
    const char* in_vain = "";
    /// It has to be asked as a frame comes to its queue (`marking_time::enqueue`).
    bool counts_arrivals = false;
    /// It may drop a frame that cannot be marked (`marking.may_drop`).
    bool drops_early = false;
    /// It sends notifications to the sources of frames, whose adapters hold them back.
    bool notifies = false;
    /// Refuses options of its own that contradict each other. `classes`: those of a switch.
    std::function<void(range_check&, const marking_config&, unsigned classes)> check = nullptr;
};

registry<marker_kind, marker_traits>& marker_kinds();
using marker_entry = registry<marker_kind, marker_traits>::entry;
constexpr registered_names<marker_kind, marker_kinds> names_of(marker_kind) {
    return {};
}

}  // namespace weir::model
