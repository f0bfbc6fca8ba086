// What the replays of a transmitter share (pfc-tx, mac10g): options, columns, data frames.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/verify/replay/replay_job.h"
#include "tb/verify/replay/scenario.h"
#include "weir/model/clocked/control_frame_mux.h"
#include "weir/model/clocked/pfc_transmit_control.h"
#include "weir/protocol/pause_frame.h"

namespace weir::tb {

/// Longest data frame of a stimulus, without FCS.
inline constexpr std::uint64_t most_frame_octets = 65'535;

/// Adds latencies, launch-edge, source-address.
void add_transmit_options(std::vector<replay_option>& options);
/// Reports options that do not go together.
void check_transmit_options(replay_job& job);
/// Source address of control frames.
mac_address source_address_of(const replay_job& job);

/// Columns of a transmitter's scenario.
struct pause_times {
    std::array<std::uint16_t, pfc_classes> quanta{};
    std::array<std::uint16_t, pfc_classes> refresh{};

    template <class Columns>
    static void describe(Columns& columns) {
        columns(
            column("quanta_k0..k7", &pause_times::quanta, "times of the eight classes, with blanks between"));
        columns(column("refresh_k0..k7", &pause_times::refresh, "the same of the times between refreshes"));
    }
};

pfc_transmit_config transmit_config_of(const replay_job& job, const scenario& of, const pause_times& times);

struct offered_frame {
    std::uint64_t cycle = 0;
    /// Without FCS. Unit: octet.
    unsigned octets = 0;
    /// As the stimuli name it.
    std::string id;
};

/// Data frames that are offered to a transmitter at given cycles, and sent beat by beat without gaps, in order.
///
///   frame_source source(frames, 64);
///   source.advance(cycle);
///   in.data_valid = source.valid();
///   if (source.valid() && mux.accepts_data()) { source.take(); }
class frame_source {
 public:
    /// In the order in which they are to be sent; `data_width` in bits.
    frame_source(const std::vector<offered_frame>& frames, unsigned data_width)
        : m_frames(frames), m_data_width(data_width) {}

    /// What the edge of this cycle sees.
    void advance(std::uint64_t cycle) {
        m_valid = m_next < m_frames.size() && (m_beat > 0 || m_frames[m_next].cycle <= cycle);
    }
    bool valid() const { return m_valid; }
    bool first() const { return m_beat == 0; }
    bool last() const { return m_valid && m_beat + 1 == frame_beats(frame().octets, m_data_width); }
    /// Of the beat. Call while `valid`.
    unsigned octets() const {
        const unsigned lanes = m_data_width / 8;
        return last() ? frame().octets - lanes * m_beat : lanes;
    }
    /// The frame that the beat belongs to, and its place in the list.
    const offered_frame& frame() const { return m_frames[m_next]; }
    std::size_t number() const { return m_next; }

    /// The beat has been accepted. Call after everything else of this cycle.
    void take() {
        if (last()) {
            ++m_next;
            m_beat = 0;
        } else {
            ++m_beat;
        }
    }

 private:
    const std::vector<offered_frame>& m_frames;
    unsigned m_data_width;
    std::size_t m_next = 0;
    unsigned m_beat = 0;
    bool m_valid = false;
};

}  // namespace weir::tb
