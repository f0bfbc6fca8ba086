#include "weir/traffic/roce/roce_context.h"

#include "weir/traffic/roce/rate_controls.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

/// The ACK extended transport header.
static constexpr std::uint32_t ack_header = 4;

roce_constants::roce_constants(const roce_config& config, bytes overhead)
    : payload(static_cast<std::uint64_t>(config.payload.count())),
      window(static_cast<std::uint64_t>(config.effective_window().count())),
      header(static_cast<std::uint32_t>(config.header.count())),
      full_frame(frame_length(header, payload)),
      ack_frame(frame_length(header, ack_header)),
      ack_every(config.ack_every),
      selective(config.recovery == loss_recovery::selective),
      ack_timeout(config.ack_timeout),
      nak_interval(config.nak_interval),
      cnp_interval(config.cnp_interval),
      cnp_priority(config.cnp_priority),
      ack_priority(config.ack_priority),
      wire_overhead(overhead) {}

roce_context::roce_context(const roce_config& config, bytes overhead, bit_rate line, timer_kind first_timer)
    : roce_constants(config, overhead),
      control(rate_controls()[config.rate_control](config, line)),
      heeds_marks(control->heeds_marks()),
      pacing(first_timer),
      retransmission(static_cast<timer_kind>(static_cast<unsigned>(first_timer) + 1)),
      rates(control->state_bytes()),
      bitmaps(selective ? window / payload + 1 : 1) {}

}  // namespace weir::traffic
