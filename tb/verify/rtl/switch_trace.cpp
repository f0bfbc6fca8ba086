#include "tb/verify/rtl/switch_trace.h"

#include <array>

namespace weir::tb {

namespace {

/// While a frame is inside, no frame comes or leaves for less than that: the longest takes 8,192 edges on a
/// line, and its slots a few thousand.
constexpr std::int64_t longest_silence = 1 << 20;

/// Frames that wait for their edge, by ingress port.
class arrival_edges {
 public:
    arrival_edges(const switch_trace_setting& setting, const std::vector<traced_frame>& frames)
        : m_clock(setting.clock.count()), m_frames(frames), m_free(setting.ports) {}

    /// `take(index)` for each frame that this edge samples.
    template <class Take>
    void at(std::int64_t edge, Take&& take) {
        // A frame whose port has had one at this edge stays, and those of other ports pass it.
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_late.size(); ++i) {
            if (!give(edge, m_late[i], take)) {
                m_late[kept++] = m_late[i];
            }
        }
        m_late.resize(kept);
        for (; m_next < m_frames.size() && edge_of(m_next) <= edge; ++m_next) {
            if (!give(edge, m_next, take)) {
                m_late.push_back(m_next);
            }
        }
    }

 private:
    std::int64_t edge_of(std::size_t index) const {
        return (m_frames[index].arrival.count() + m_clock - 1) / m_clock;
    }
    template <class Take>
    bool give(std::int64_t edge, std::size_t index, Take&& take) {
        std::int64_t& free = m_free[m_frames[index].ingress_port];
        if (free > edge) {
            return false;
        }
        free = edge + 1;
        take(index);
        return true;
    }

    std::int64_t m_clock;
    const std::vector<traced_frame>& m_frames;
    std::vector<std::int64_t> m_free;
    std::vector<std::size_t> m_late;
    std::size_t m_next = 0;
};

}  // namespace

switch_trace_result run_switch_rtl(const switch_trace_setting& setting,
                                   const std::vector<traced_frame>& frames) {
    const std::unique_ptr<switch_pins> rtl = make_switch_pins(setting.ports);
    rtl->configure(setting.device);
    rtl->reset();
    switch_trace_result made;
    made.departures.resize(frames.size());
    std::vector<std::size_t> by_id(switch_rtl_ids);
    arrival_edges arrivals(setting, frames);
    std::size_t entered = 0;
    std::size_t left = 0;
    std::int64_t last_event = 0;
    // The edge after the reset is edge 0 of a slot.
    for (std::int64_t edge = static_cast<std::int64_t>(setting.phase) - switch_rtl_slot;
         left < frames.size() && !made.gave_up; ++edge) {
        arrivals.at(edge, [&](std::size_t index) {
            const traced_frame& f = frames[index];
            const auto id = static_cast<std::uint16_t>(entered++ % switch_rtl_ids);
            by_id[id] = index;
            last_event = edge;
            rtl->arrive(f.ingress_port, {f.egress_port, f.frame_class, f.frame_bytes, id});
        });
        rtl->clock();
        ++made.cycles;
        for (std::uint64_t bits = rtl->departing(); bits != 0; bits &= bits - 1) {
            const auto e = static_cast<unsigned>(__builtin_ctzll(bits));
            made.departures[by_id[rtl->departing_id(e)]] = setting.clock * (edge + 1);
            ++left;
            last_event = edge;
        }
        // More inside, and names would meet again.
        made.gave_up = rtl->overflow() || entered - left > switch_rtl_ids / 2 ||
                       (entered != left && edge - last_event > longest_silence);
    }
    return made;
}

}  // namespace weir::tb
