#include "weir/traffic/host/traffic_endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

namespace weir {

namespace {

/// An application timer's index: its number of order, so that timers of one instant fire in the order in
/// which they were set, and its place in the table.
constexpr unsigned place_bits = 24;

std::uint64_t window_segments(const tcp_config& tcp) {
    return static_cast<std::uint64_t>(tcp.receive_window / tcp.mss) + 1;
}

/// An object's number for a new transfer: the one freed last, or a new one.
template <class Slot>
std::uint32_t take_slot(std::vector<Slot>& slots, std::vector<std::uint32_t>& free) {
    if (free.empty()) {
        slots.emplace_back();
        return static_cast<std::uint32_t>(slots.size() - 1);
    }
    const std::uint32_t slot = free.back();
    free.pop_back();
    return slot;
}

/// Every transfer hashes to a path of its own, as one from a fresh port does.
std::uint16_t path_tag_of(std::uint64_t flow) {
    return static_cast<std::uint16_t>(random_stream::mix(flow) >> 48);
}

}  // namespace

traffic_endpoint::traffic_endpoint(const endpoint_options& options)
    : m_addresses(options.addresses),
      m_seed(options.seed),
      m_newreno(options.tcp.mss, options.tcp.slow_start_limit),
      m_context(options.tcp, options.congestion != nullptr ? *options.congestion : m_newreno),
      m_incoming(options.addresses->hosts()),
      m_bitmaps(window_segments(options.tcp)) {
    m_udp.config = options.udp;
    m_udp.wire_overhead = options.wire_overhead;
}

void traffic_endpoint::add(std::unique_ptr<application> app, const std::vector<std::uint8_t>& claimed_tags) {
    for (std::uint8_t tag : claimed_tags) {
        m_claims[tag] = static_cast<std::uint8_t>(m_applications.size());
    }
    m_applications.push_back(std::move(app));
}

void traffic_endpoint::start(host_services& host) {
    m_context.host = &host;
    m_self = host.id();
    m_address = host.address();
    m_udp.pacing = random_stream(m_seed, m_self, random_purpose::pacing);
    begin_call();
    for (std::uint32_t i = 0; i < m_applications.size(); ++i) {
        call_application(i, [this](application& app) { app.start(*this); });
    }
    end_call();
}

// Calls from the host --------------------------------------------------------------------------------

void traffic_endpoint::report_notices() {
    // A callback may finish further transfers.
    for (std::size_t i = 0; i < m_sent.size(); ++i) {
        const sent_notice notice = m_sent[i];
        call_application(notice.application, [&](application& app) { app.on_sent(*this, notice.request); });
    }
    m_sent.clear();
}

void traffic_endpoint::ask_for_wake() {
    const picoseconds next = m_context.timers.next_time();
    if (next <= latest_time) {
        m_wakes.push_back(next);
        m_next_wake = next;
        m_context.host->wake_at(next);
    }
}

template <class Call>
void traffic_endpoint::call_application(std::uint32_t index, Call&& call) {
    const std::uint32_t caller = std::exchange(m_current, index);
    call(*m_applications[index]);
    m_current = caller;
}

void traffic_endpoint::wake() {
    begin_call();
    while (m_wakes.back() <= m_context.now) {
        m_wakes.pop_back();
    }
    m_next_wake = m_wakes.back();
    while (m_context.timers.next_time() <= m_context.now) {
        expire(m_context.timers.pop());
    }
    end_call();
}

void traffic_endpoint::expire(const timer_entry& entry) {
    const std::uint64_t index = index_of_timer(entry.id);
    switch (kind_of_timer(entry.id)) {
        case timer_kind::tcp_retransmission:
            m_tcp_senders[index].on_timer(m_context, entry);
            break;
        case timer_kind::tcp_delayed_ack:
            m_receivers[index].on_timer(m_context, entry);
            break;
        case timer_kind::udp_pacing:
            if (m_udp_senders[index].on_timer(m_context, m_udp)) {
                finish_udp(static_cast<std::uint32_t>(index));
            }
            break;
        case timer_kind::application:
            expire_application_timer(index);
            break;
    }
}

void traffic_endpoint::expire_application_timer(std::uint64_t index) {
    const auto place = static_cast<std::uint32_t>(index & ((1U << place_bits) - 1));
    const application_timer timer = m_timers[place];
    m_free_timers.push_back(place);
    call_application(timer.application, [&](application& app) { app.on_timer(*this, timer.cookie); });
}

// The two functions of the common path; inline in `receive`.

inline void traffic_endpoint::receive_data(const ethernet_frame& frame) {
    std::uint32_t slot = m_incoming.receiver_of(frame.src, frame.transfer.ordinal());
    if (slot == incoming_transfers::none) {
        slot = begin_receiving(frame);
        if (slot == incoming_transfers::none) {
            return;
        }
    }
    if (m_receivers[slot].on_data(m_context, m_bitmaps, frame)) {
        finish_receiving(frame, slot);
    }
}

inline void traffic_endpoint::receive_ack(const ethernet_frame& frame) {
    const std::uint32_t slot = frame.connection;
    if (slot >= m_tcp_senders.size() || !m_tcp_senders[slot].is_sending(frame.transfer.flow)) {
        refuse();
    } else if (m_tcp_senders[slot].on_ack(m_context, frame)) {
        finish_tcp(slot);
    }
}

void traffic_endpoint::receive(const ethernet_frame& frame) {
    begin_call();
    m_context.counters.received.count(frame);
    if (frame.kind == frame_kind::tcp_data) {
        receive_data(frame);
    } else if (frame.kind == frame_kind::tcp_ack) {
        receive_ack(frame);
    } else {
        receive_other(frame);
    }
    end_call();
}

void traffic_endpoint::receive_other(const ethernet_frame& frame) {
    switch (frame.kind) {
        case frame_kind::udp:
            receive_datagram(frame);
            break;
        case frame_kind::tcp_syn:
            receive_syn(frame);
            break;
        case frame_kind::tcp_syn_ack:
            receive_syn_ack(frame);
            break;
        default:
            break;  // counted; for no transport of this endpoint
    }
}

// Receiving ------------------------------------------------------------------------------------------

std::uint32_t traffic_endpoint::begin_receiving(const ethernet_frame& frame) {
    const std::uint32_t ordinal = frame.transfer.ordinal();
    switch (m_incoming.stage_of(m_addresses->host_of(frame.src), frame.src, ordinal)) {
        case transfer_stage::begins:
            break;
        case transfer_stage::over:
            // The last ACK was lost or overtaken, or this segment was: the sender shall know in any case.
            ++m_context.counters.duplicate_segments;
            m_context.send(make_ack(frame, frame.transfer.flow_bytes, m_context.tcp.empty_frame));
            return incoming_transfers::none;
        case transfer_stage::impossible:
            refuse();
            return incoming_transfers::none;
    }
    const std::uint32_t slot = take_slot(m_receivers, m_free_receivers);
    m_incoming.begin(frame.src, ordinal, slot);
    m_receivers[slot].open(m_context, frame, slot);
    return slot;
}

void traffic_endpoint::finish_receiving(const ethernet_frame& frame, std::uint32_t slot) {
    m_free_receivers.push_back(slot);
    m_incoming.finish(frame.src, frame.transfer.ordinal());
    deliver(frame, transport_kind::tcp);
}

void traffic_endpoint::receive_datagram(const ethernet_frame& frame) {
    const transfer_fields& transfer = frame.transfer;
    if (transfer.sequence >= transfer.flow_bytes) {
        ++m_context.counters.outside_window;
        return;
    }
    const std::uint64_t payload = std::min(m_udp.payload(), transfer.flow_bytes - transfer.sequence);
    m_context.counters.delivered_bytes += payload;
    if (m_datagrams.add(transfer, payload, m_context.now)) {
        deliver(frame, transport_kind::udp);
    }
}

void traffic_endpoint::deliver(const ethernet_frame& frame, transport_kind transport) {
    const host_id src = m_addresses->host_of(frame.src);
    const transfer_fields& t = frame.transfer;
    const bytes flow_bytes{static_cast<std::int64_t>(t.flow_bytes)};
    m_log.deliveries.push_back({t.flow, t.job, src, m_self, flow_bytes, frame.priority, frame.tag, transport,
                                frame.flow_start, m_context.now});
    if (m_applications.empty()) {
        return;
    }
    const received_transfer received{
        src,       t.flow,   t.job, flow_bytes, bytes{frame.reply_bytes}, frame.flow_start, frame.priority,
        frame.tag, transport};
    call_application(m_claims[frame.tag], [&](application& app) { app.on_received(*this, received); });
}

// A receiver keeps no state before the first data, so any SYN is answered; the sender of one that was late
// takes no notice.
void traffic_endpoint::receive_syn(const ethernet_frame& frame) {
    ethernet_frame answer = make_ack(frame, 0, m_context.tcp.empty_frame);
    answer.kind = frame_kind::tcp_syn_ack;
    m_context.send(answer);
}

// Sending --------------------------------------------------------------------------------------------

void traffic_endpoint::receive_syn_ack(const ethernet_frame& frame) {
    const std::uint32_t slot = frame.connection;
    if (slot >= m_tcp_senders.size() || !m_tcp_senders[slot].is_sending(frame.transfer.flow)) {
        refuse();
    } else {
        m_tcp_senders[slot].on_syn_ack(m_context);
    }
}

void traffic_endpoint::start_transfer(const transfer_request& request) {
    const char* mistake = mistake_in(request, m_self, m_addresses->hosts());
    if (mistake == nullptr && m_ordinals.of(request.dst) == transfer_fields::ordinals) {
        mistake = "comes after 2^30 TCP transfers to the same host";
    }
    if (mistake != nullptr) {
        m_context.host->fail("transfer " + std::to_string(request.flow) + ": " + mistake);
        return;
    }
    ++m_log.flows_started;
    ++m_open;
    ethernet_frame header;
    header.src = m_address;
    header.dst = m_addresses->address_of(request.dst);
    header.transfer = {request.flow, request.job, 0, static_cast<std::uint64_t>(request.flow_bytes.count())};
    header.flow_start = m_context.now;
    header.reply_bytes = static_cast<std::uint32_t>(request.reply_bytes.count());
    header.path_tag = path_tag_of(request.flow);
    header.priority = request.priority;
    header.tag = request.tag;
    const transfer_owner owner{request.dst, m_current};
    if (request.transport == transport_kind::tcp) {
        header.kind = frame_kind::tcp_data;
        header.transfer.set_ordinal(m_ordinals.of(request.dst)++);
        const std::uint32_t slot = take_slot(m_tcp_senders, m_free_tcp_senders);
        m_tcp_senders[slot].open(m_context, header, owner, slot);
        return;
    }
    header.kind = frame_kind::udp;
    const std::uint32_t slot = take_slot(m_udp_senders, m_free_udp_senders);
    header.connection = udp_connections | slot;
    const bit_rate rate = request.udp_rate > 0_bps ? request.udp_rate : link_rate();
    if (m_udp_senders[slot].open(m_context, m_udp, header, owner, rate, slot)) {
        finish_udp(slot);
    }
}

void traffic_endpoint::finish_tcp(std::uint32_t slot) {
    const tcp_sender& sender = m_tcp_senders[slot];
    m_free_tcp_senders.push_back(slot);
    log_sender(sender.frame(), m_context.now, sender.retransmits(), sender.timeouts());
    report_sent(sender.frame(), sender.owner(), transport_kind::tcp, 0_bps);
}

void traffic_endpoint::finish_udp(std::uint32_t slot) {
    const udp_sender& sender = m_udp_senders[slot];
    m_free_udp_senders.push_back(slot);
    log_sender(sender.frame(), m_context.now, 0, 0);
    report_sent(sender.frame(), sender.owner(), transport_kind::udp, sender.rate());
}

void traffic_endpoint::log_sender(const ethernet_frame& frame, picoseconds time, std::uint32_t retransmits,
                                  std::uint32_t timeouts) {
    m_log.senders.push_back({frame.transfer.flow, time, retransmits, timeouts});
}

void traffic_endpoint::report_sent(const ethernet_frame& frame, transfer_owner owner, transport_kind transport,
                                   bit_rate rate) {
    --m_open;
    transfer_request request;
    request.dst = owner.dst;
    request.flow_bytes = bytes{static_cast<std::int64_t>(frame.transfer.flow_bytes)};
    request.priority = frame.priority;
    request.tag = frame.tag;
    request.transport = transport;
    request.flow = frame.transfer.flow;
    request.job = frame.transfer.job;
    request.reply_bytes = bytes{frame.reply_bytes};
    request.udp_rate = rate;
    if (owner.application < m_applications.size()) {
        m_sent.push_back({owner.application, request});
    }
}

void traffic_endpoint::set_timer(picoseconds time, std::uint64_t cookie) {
    std::uint32_t place;
    if (m_free_timers.empty()) {
        place = static_cast<std::uint32_t>(m_timers.size());
        if (place >= 1U << place_bits) {
            m_context.host->fail("more than " + std::to_string(place) + " timers of applications are pending");
            return;
        }
        m_timers.emplace_back();
    } else {
        place = m_free_timers.back();
        m_free_timers.pop_back();
    }
    m_timers[place] = {cookie, m_current};
    const std::uint64_t index = (std::uint64_t{m_timers_set++} << place_bits) | place;
    m_context.timers.push({time, timer_id(timer_kind::application, index)});
}

bool traffic_endpoint::exhausted() const {
    return m_open == 0 && std::all_of(m_applications.begin(), m_applications.end(),
                                      [](const auto& app) { return app->exhausted(); });
}

std::vector<open_transfer> traffic_endpoint::open_transfers(std::size_t most) const {
    std::vector<open_transfer> open;
    const auto add = [&](const ethernet_frame& frame, std::uint32_t timeouts,
                         std::optional<std::uint32_t> ordinal) {
        open.push_back({frame.transfer.flow, m_self, m_addresses->host_of(frame.dst),
                        bytes{static_cast<std::int64_t>(frame.transfer.flow_bytes)}, frame.flow_start, timeouts,
                        ordinal, frame.src});
    };
    for (std::size_t s = 0; s < m_tcp_senders.size() && open.size() < most; ++s) {
        if (m_tcp_senders[s].is_open()) {
            add(m_tcp_senders[s].frame(), m_tcp_senders[s].timeouts(),
                m_tcp_senders[s].frame().transfer.ordinal());
        }
    }
    for (std::size_t s = 0; s < m_udp_senders.size() && open.size() < most; ++s) {
        if (m_udp_senders[s].is_open()) {
            add(m_udp_senders[s].frame(), 0, std::nullopt);
        }
    }
    return open;
}

void traffic_endpoint::settle(picoseconds end) {
    for (const tcp_sender& sender : m_tcp_senders) {
        if (sender.is_open()) {
            log_sender(sender.frame(), end, sender.retransmits(), sender.timeouts());
        }
    }
    for (const udp_sender& sender : m_udp_senders) {
        if (sender.is_open()) {
            log_sender(sender.frame(), end, 0, 0);
        }
    }
}

}  // namespace weir
