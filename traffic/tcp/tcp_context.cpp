#include "weir/traffic/tcp/tcp_context.h"

#include <utility>

#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/path_choices.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

tcp_constants::tcp_constants(const tcp_config& config)
    : mss(static_cast<std::uint64_t>(config.mss.count())),
      receive_window(static_cast<std::uint64_t>(config.receive_window.count())),
      largest_window(static_cast<std::uint64_t>(config.largest_window().count())),
      initial_window(mss * config.initial_window),
      header(static_cast<std::uint32_t>(config.header.count())),
      min_frame(static_cast<std::uint32_t>(config.min_frame.count())),
      full_frame(frame_length(header, mss, min_frame)),
      empty_frame(frame_length(header, 0, min_frame)),
      syn_frame(frame_length(header, static_cast<std::uint64_t>(config.syn_options.count()), min_frame)),
      duplicate_acks(config.duplicate_acks),
      ignores_duplicates_after_mark(config.ignore_duplicates_after_mark),
      ack_every(config.ack_every),
      min_rto(config.min_rto),
      initial_rto(config.first_rto()),
      max_rto(config.max_rto),
      rto_granularity(config.rto_granularity),
      rto_variance_factor(config.rto_variance_factor),
      rto_addition(config.rto_addition),
      rtt_clock(config.rtt_clock),
      delayed_ack_timeout(config.delayed_ack_timeout),
      reassembly_limit(config.reassembly_limit),
      caches_connections(config.connection_cache),
      handshake(config.handshake),
      handshake_ack(config.handshake_ack),
      samples_each_ack(config.samples == rtt_samples::each_ack) {}

tcp_context::tcp_context(const tcp_config& config)
    : tcp_context(config, congestion_kinds()[config.congestion.value_or(congestion_kind{})](config),
                  path_choices()[config.path_choice](config)) {}

tcp_context::tcp_context(const tcp_config& config, std::unique_ptr<const congestion_control> algorithm,
                         std::unique_ptr<const path_choice> path_rule)
    : tcp_constants(config),
      congestion(std::move(algorithm)),
      path(std::move(path_rule)),
      windows(congestion->state_bytes()),
      paths(path != nullptr ? path->state_bytes() : sizeof(path_state)),
      limits_grow(largest_window > receive_window),
      limits_differ(limits_grow),
      times_segments(samples_each_ack || congestion->wants_round_trips()),
      watches_segments(times_segments || congestion->ecn_capable() ||
                       (path != nullptr && path->marks_segments())),
      watches_acks(times_segments || limits_grow || path != nullptr || congestion->wants_telemetry() ||
                   congestion->wants_smoothed_round_trip()) {
    latches_echo = congestion->latches_echo();
}

// `windows` has a place for each slot that there is.
void tcp_context::open_limit(std::uint32_t slot, const write_schedule* written) {
    const auto begin = [this](std::uint32_t each) {
        limits.clear(each);
        limits.of<sender_limit>(each).bytes = receive_window;
    };
    for (std::uint32_t each = 0; !limits_differ && each < windows.slots(); ++each) {
        begin(each);
    }
    limits_differ = true;
    begin(slot);
    limits.of<sender_limit>(slot).written = written;
}

}  // namespace weir::traffic
