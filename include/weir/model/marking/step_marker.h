// Marks each frame that finds its queue at or above a threshold (DCTCP, SIGCOMM 2010, section 3.1; ECN
// thresholds of real switches), or above it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/model/config/largest_memory.h"
#include "weir/model/marking/marker.h"

namespace weir::model {

enum class step_rule : std::uint8_t { at_least, above, above_with_frame };
constexpr auto names_of(step_rule) {
    return enum_names<step_rule>({
        {step_rule::at_least, "at_least", "length >= K, as ns-3's RED with both thresholds at K"},
        {step_rule::above, "above", "length > K (DCTCP 3.1: greater than K)"},
        {step_rule::above_with_frame, "above_with_frame", "length + the frame itself > K"},
    });
}

/// Keys: [marking]. Defaults are DCTCP's at 1 Gb/s (SIGCOMM 2010, section 3.5).
struct step_config {
    /// For each class, or for all.
    std::vector<bytes> threshold{30'000_B};
    std::optional<std::vector<std::uint32_t>> threshold_frames;
    step_rule rule = step_rule::at_least;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("marking.kind = step");
        fields(
            field("threshold", &self::threshold)
                .memory()
                .range(0_B, largest_memory)
                .needs("marking.threshold_frames = auto")
                .help("K: a frame is marked if its queue holds this much; the frame itself is not counted. One "
                      "value for all classes, or one for each.")
                .source("DCTCP 3.5: 20 frames at 1 Gb/s"));
        fields(field("threshold_frames", &self::threshold_frames)
                   .range(0U, 1'000'000U)
                   .help("marking.threshold in frames. auto: marking.threshold counts.")
                   .source("DCTCP 3.1: K in packets"));
        fields(field("rule", &self::rule).help("How the length and the threshold are compared."));
    }
};

class step_marker final : public marker {
 public:
    enum class unit : std::uint8_t { bytes, frames };
    /// No queue is as long.
    static constexpr std::uint64_t never_marks = ~std::uint64_t{0};

    /// `from`: threshold of each queue, by port and class.
    step_marker(std::vector<std::uint64_t> from, unsigned classes, unit counted = unit::bytes,
                step_rule rule = step_rule::at_least)
        : m_from(std::move(from)),
          m_classes(classes),
          m_unit(counted),
          m_more(rule == step_rule::at_least ? 0 : 1),
          m_counts_itself(rule == step_rule::above_with_frame) {}

    frame_action decide(const queue_sight& queue) override {
        std::uint64_t length = m_unit == unit::bytes ? queue.bytes : queue.frames;
        if (m_counts_itself) {
            length += m_unit == unit::bytes ? queue.frame.frame_bytes : 1;
        }
        const std::uint64_t from = m_from[std::size_t{queue.port} * m_classes + queue.frame_class];
        return from != never_marks && length >= from + m_more ? frame_action::mark : frame_action::keep;
    }

 private:
    std::vector<std::uint64_t> m_from;
    unsigned m_classes;
    unit m_unit;
    /// Above the threshold: at least this much more.
    std::uint64_t m_more;
    bool m_counts_itself;
};

marker_entry step_marker_kind();

}  // namespace weir::model
