#include "weir/traffic/udp/udp_sender.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>

namespace weir::traffic {

namespace {

/// A drawn gap is cut off here, so that no sum of times overflows. Unit: ps.
constexpr double longest_gap = static_cast<double>(latest_time.count());

picoseconds draw_gap(picoseconds mean, random_stream& stream) {
    const boost::random::exponential_distribution<double> unit(1.0);
    const double gap = unit(stream) * static_cast<double>(mean.count());
    return picoseconds{std::llround(std::min(gap, longest_gap))};
}

/// Rounded up. A gap that does not fit becomes the largest number, which says just that.
std::uint32_t gap_in_us(picoseconds gap) {
    const std::int64_t whole = (gap + 1us - 1_ps) / 1us;
    return static_cast<std::uint32_t>(std::min<std::int64_t>(whole, transfer_fields::ordinals - 1));
}

}  // namespace

void udp_context::set_gap(std::uint16_t frame_bytes, bit_rate rate) {
    const picoseconds gap = std::min(transmission_time(bytes{frame_bytes} + wire_overhead, rate), latest_time);
    m_gap = {frame_bytes, rate, gap, gap_in_us(gap)};
}

bool udp_sender::open(transport_context& context, udp_context& udp, const ethernet_frame& header,
                      transfer_owner owner, bit_rate rate, std::uint32_t slot) {
    m_frame = header;
    m_owner = owner;
    m_home = header.path_tag;
    m_next = 0;
    m_rate = rate;
    m_slot = slot;
    m_open = true;
    const std::uint64_t full_payload = std::min(udp.payload(), header.transfer.flow_bytes);
    const std::uint16_t frame =
        frame_length(static_cast<std::uint64_t>(udp.config.header.count()), full_payload);
    const udp_context::sending_gap& sending = udp.gap_of(frame, rate);
    m_gap = sending.gap;
    m_frame.transfer.set_gap_us(sending.gap_us);
    return send_next(context, udp);
}

bool udp_sender::on_timer(transport_context& context, udp_context& udp) {
    return send_next(context, udp);
}

void udp_sender::choose_path(const udp_context& udp) {
    const std::uint64_t datagram = m_next / udp.payload();
    const std::uint64_t path = datagram / udp.config.path_every % udp.config.paths;
    m_frame.path_tag = static_cast<std::uint16_t>(m_home + path);
}

bool udp_sender::send_next(transport_context& context, udp_context& udp) {
    const std::uint64_t flow_bytes = m_frame.transfer.flow_bytes;
    const std::uint64_t payload = std::min(udp.payload(), flow_bytes - m_next);
    m_frame.transfer.sequence = m_next & transfer_fields::length_mask;
    m_frame.frame_bytes = frame_length(static_cast<std::uint64_t>(udp.config.header.count()), payload);
    if (__builtin_expect(udp.config.path_every != 0, 0)) {
        choose_path(udp);
    }
    m_next += payload;
    const bool last = m_next == flow_bytes;
    m_frame.flags = flag_if(last, last_segment);
    context.send(m_frame);
    if (last) {
        m_open = false;
        return true;
    }
    const picoseconds gap = udp.config.random_gaps ? draw_gap(m_gap, udp.pacing) : m_gap;
    context.timers.push({context.now + gap, timer_id(timer_kind::udp_pacing, m_slot)});
    return false;
}

}  // namespace weir::traffic
