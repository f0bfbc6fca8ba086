// The wire side of a 10G MAC's transmitter: takes a frame beat by beat and says when its start and its end
// leave on XGMII, and in which lane.
//
//     word   |S pre..SFD|data ...........|pad|FCS T idle|idle ...
//            start_cycle, start_lane          term_cycle, term_lane
//
// /S/ is the first of the 8 octets of preamble, /T/ the first after the FCS. A frame may start in every fourth
// octet: in lane 0, with words of 64 bits in lane 4 too. Between /T/ (included) and the next /S/ stand at least
// `idle_octets`, rounded to where a frame may start: down while the deficit idle count allows it (so that they
// are right on average), up without it (IEEE 802.3 clause 46.3.1.4). An idle transmitter starts in lane 0, one
// cycle after it sees a beat.
//
//   xgmii_transmitter wire(xgmii_config{64});
//   if (wire.clock(cycle, beat)) { sent(wire.frame()); }
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/config_error.h"

namespace weir::model {

struct xgmii_config {
    /// Unit: bit. Range: 32, 64.
    unsigned data_width = 64;
    /// Least distance from /T/ to the next /S/. Unit: octet. Range: 12-255. Default: 802.3's inter-frame gap.
    unsigned idle_octets = 12;
    /// Shorter frames are padded. With FCS. Unit: octet. Range: 64-255. Default: 802.3.
    unsigned minimum_frame = 64;
    /// Whether gaps are right on average, or never too short.
    bool deficit_idle_count = true;

    /// Keys are `section` + ".data_width" and so on.
    config_errors validate(const std::string& section) const;
};

/// Where a frame stands on XGMII. Cycles are those of the edge that samples the word.
struct xgmii_frame {
    std::int64_t start_cycle = 0;
    unsigned start_lane = 0;
    std::int64_t term_cycle = 0;
    unsigned term_lane = 0;
    /// From /S/ to the FCS: preamble, frame, padding, FCS.
    unsigned octets = 0;
};

/// What one rising clock edge samples.
struct xgmii_beat {
    bool valid = false;
    bool last = false;
    /// Of this beat: as many as the word has, or fewer if it is the last.
    unsigned octets = 0;
};

class xgmii_transmitter {
 public:
    static constexpr unsigned preamble_octets = 8;
    static constexpr unsigned fcs_octets = 4;
    /// Frames start at multiples of this. Unit: octet.
    static constexpr unsigned start_alignment = 4;

    /// `config.validate()` must be empty.
    explicit xgmii_transmitter(const xgmii_config& config)
        : m_config(config), m_lanes(config.data_width / 8), m_ready(takes_when_idle()) {}

    /// Whether the next edge takes an offered beat.
    bool ready() const { return m_ready; }
    /// The rising edge of this cycle. Returns whether it took a frame's last beat. A frame's beats come without
    /// gaps from the first one taken.
    bool clock(std::int64_t cycle, const xgmii_beat& beat);
    /// The frame that ended last; its /T/ may be still to come.
    const xgmii_frame& frame() const { return m_frame; }

 private:
    enum class state : std::uint8_t { idle, frame, gap };

    /// With narrow words the preamble takes longer than the pipeline, so that the first beat has to wait.
    bool takes_when_idle() const { return m_lanes == preamble_octets; }
    void begin(std::int64_t cycle);
    void end();

    xgmii_config m_config;
    unsigned m_lanes;
    state m_state = state::idle;
    bool m_ready;
    /// Of the frame that is taken.
    unsigned m_octets = 0;
    xgmii_frame m_frame;
    /// First edge at which the next frame can be seen, where it would start, and the octets by which the gap
    /// before it falls short.
    std::int64_t m_idle_from = 0;
    unsigned m_start_lane = 0;
    unsigned m_deficit = 0;
};

}  // namespace weir::model
