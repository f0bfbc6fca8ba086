#include "weir/traffic/host/traffic_endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

#include "weir/traffic/tcp/tcp_transport.h"
#include "weir/traffic/udp/udp_transport.h"

namespace weir::traffic {

namespace {

/// An application timer's index: its number of order, so that timers of one instant fire in the order in
/// which they were set, and its place in the table.
constexpr unsigned place_bits = 24;

/// Apart, so that a transport that confirms nothing does not pay for it.
[[gnu::noinline]] void log_sender(host_log& log, const sender_record& record) {
    log.senders.push_back(record);
}

[[gnu::noinline]] void log_unconfirmed(host_log& log, const delivery_record& record) {
    log.unconfirmed.push_back(record);
}

}  // namespace

traffic_endpoint::traffic_endpoint(std::shared_ptr<const endpoint_options> options)
    : m_options(std::move(options)), m_addresses(m_options->addresses) {
    if (m_options->logs_segments) {
        m_context.segments = std::make_unique<segment_log>(m_options->udp.payload);
    }
    m_by_frame.fill(nobody);
    m_by_timer.resize(static_cast<std::size_t>(timer_kind::first_free), nobody);
    m_transports.reserve(transports().entries().size());
    unsigned next_timer = 0;
    for (const auto& entry : transports().entries()) {
        if (next_timer == static_cast<unsigned>(timer_kind::application)) {
            next_timer = static_cast<unsigned>(timer_kind::first_free);
        }
        const auto kind = static_cast<std::uint8_t>(m_transports.size());
        m_transports.push_back({nullptr, static_cast<timer_kind>(next_timer), entry.traits.confirms});
        for (const frame_kind frame : entry.traits.frames) {
            m_by_frame[static_cast<std::size_t>(frame)] = kind;
        }
        m_by_timer.resize(std::max<std::size_t>(m_by_timer.size(), next_timer + entry.traits.timer_kinds),
                          nobody);
        std::fill_n(m_by_timer.begin() + next_timer, entry.traits.timer_kinds, kind);
        next_timer += entry.traits.timer_kinds;
    }
}

transport& traffic_endpoint::make(transport_kind kind) {
    transport_place& place = m_transports[static_cast<std::size_t>(kind)];
    const auto& traits = transports().entries()[static_cast<std::size_t>(kind)].traits;
    place.made = traits.make({m_context, *this, kind, place.first_timer}, *m_options);
    place.made->start();
    // Ours are always what the list of transports begins with.
    if (kind == transport_kind{}) {
        m_tcp = static_cast<tcp_transport*>(place.made.get());
    } else if (kind == datagram_transport) {
        m_udp = static_cast<udp_transport*>(place.made.get());
    }
    return *place.made;
}

void traffic_endpoint::add(std::unique_ptr<application> app) {
    if (const auto tag = app->claimed_tag()) {
        m_claims[*tag] = static_cast<std::uint8_t>(m_applications.size());
    }
    m_awaits_sent.push_back(app->awaits_sent() ? 1 : 0);
    m_applications.push_back(std::move(app));
}

void traffic_endpoint::start(host_services& host) {
    m_context.host = &host;
    m_self = host.id();
    m_address = host.address();
    m_hosts = m_addresses->hosts();
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

void traffic_endpoint::ready() {
    begin_call();
    if (!m_context.held.empty()) {
        m_context.send_held();
    }
    for (unsigned kinds = std::exchange(m_context.refused, 0U); kinds != 0; kinds &= kinds - 1) {
        made(static_cast<transport_kind>(m_by_frame[static_cast<unsigned>(__builtin_ctz(kinds))])).ready();
    }
    end_call();
}

void traffic_endpoint::expire(const timer_entry& entry) {
    const std::uint8_t owner = m_by_timer[static_cast<std::size_t>(kind_of_timer(entry.id))];
    if (owner == static_cast<std::uint8_t>(datagram_transport)) {
        m_udp->expire(entry);
    } else if (owner != nobody) {
        m_transports[owner].made->expire(entry);
    } else {
        expire_application_timer(index_of_timer(entry.id));
    }
}

void traffic_endpoint::expire_application_timer(std::uint64_t index) {
    const auto place = static_cast<std::uint32_t>(index & ((1U << place_bits) - 1));
    const application_timer timer = m_timers[place];
    m_free_timers.push_back(place);
    call_application(timer.application, [&](application& app) { app.on_timer(*this, timer.cookie); });
}

// The common path in one function.
[[gnu::flatten]] void traffic_endpoint::receive(const ethernet_frame& frame) {
    begin_call();
    m_context.counters.received.count(frame);
    if (__builtin_expect(m_context.segments != nullptr, 0)) {
        m_context.segments->on_frame(frame);
    }
    if (__builtin_expect(frame.is_trimmed(), 0)) {
        // No transport reads what is left of it, so its payload is lost as a dropped frame's is.
        end_call();
        return;
    }
    const std::uint8_t owner = m_by_frame[static_cast<std::size_t>(frame.kind)];
    if ((frame.kind == frame_kind::tcp_data || frame.kind == frame_kind::tcp_ack) && m_tcp != nullptr) {
        m_tcp->receive(frame);
    } else if (frame.kind == frame_kind::udp && m_udp != nullptr) {
        m_udp->receive(frame);
    } else if (owner != nobody) {
        made(static_cast<transport_kind>(owner)).receive(frame);
    }  // else counted; for no transport of this endpoint
    end_call();
}

void traffic_endpoint::receive_with(const frame_annex& annex, const ethernet_frame& frame) {
    m_context.annex = &annex;
    receive(frame);
    m_context.annex = nullptr;
}

// Numbers of transfers that hosts have given themselves say whose they are (`next_flow`), which is quicker than
// a search among all addresses.
inline host_id traffic_endpoint::source_of(const ethernet_frame& frame) const {
    const auto numbered = static_cast<host_id>(frame.transfer.flow % m_hosts);
    return m_addresses->address_of(numbered) == frame.src ? numbered : m_addresses->host_of(frame.src);
}

void traffic_endpoint::delivered(const ethernet_frame& frame, transport_kind transport) {
    const transfer_fields& t = frame.transfer;
    const received_transfer received{source_of(frame),
                                     t.flow,
                                     t.job,
                                     bytes{static_cast<std::int64_t>(t.flow_bytes)},
                                     bytes{t.reply_bytes},
                                     t.start(),
                                     frame.priority,
                                     t.tag,
                                     transport};
    const bool completes_job = is_job(received.tag);
    m_log.deliveries.push_back({received.flow, received.job, received.src, m_self, received.flow_bytes,
                                received.priority, received.tag, transport, received.start, m_context.now,
                                completes_job});
    if (completes_job) {
        m_last_job_end = m_context.now;
    }
    if (m_applications.empty()) {
        return;
    }
    call_application(m_claims[received.tag], [&](application& app) { app.on_received(*this, received); });
}

// Sending --------------------------------------------------------------------------------------------

void traffic_endpoint::refuse(const transfer_request& request, const char* mistake) {
    m_context.host->fail("transfer " + std::to_string(request.flow) + ": " + mistake);
}

void traffic_endpoint::start_transfer(const transfer_request& request) {
    const char* mistake = mistake_in(request, m_self, m_hosts);
    transport& chosen = made(request.transport);
    if (mistake == nullptr) {
        mistake = chosen.refusal(request.dst);
    }
    if (__builtin_expect(mistake != nullptr, 0)) {
        refuse(request, mistake);
        return;
    }
    ++m_log.flows_started;
    ++m_open;
    ethernet_frame header;
    header.src = m_address;
    header.dst = m_addresses->address_of(request.dst);
    header.transfer = {request.flow, request.job, 0, static_cast<std::uint64_t>(request.flow_bytes.count())};
    header.transfer.set_start(m_context.now);
    header.transfer.tag = request.tag;
    header.transfer.reply_bytes = static_cast<std::uint32_t>(request.reply_bytes.count());
    header.path_tag = path_tag_of(request.flow);
    header.priority = request.priority;

    chosen.open(header, {request.dst, m_current}, request);
}

void traffic_endpoint::sent(const ethernet_frame& frame, transfer_owner owner, transport_kind transport,
                            bit_rate rate, std::uint32_t retransmits, std::uint32_t timeouts) {
    --m_open;
    if (m_transports[static_cast<std::size_t>(transport)].confirms) {
        log_sender(m_log, {frame.transfer.flow, m_context.now, retransmits, timeouts});
    } else {
        log_unconfirmed(m_log, {frame.transfer.flow, frame.transfer.job, m_self, owner.dst,
                                bytes{static_cast<std::int64_t>(frame.transfer.flow_bytes)}, frame.priority,
                                frame.transfer.tag, transport, frame.transfer.start(), m_context.now});
    }
    if (m_context.segments != nullptr && transport == datagram_transport) {
        m_context.segments->of(frame).udp_sent_bytes += frame.transfer.flow_bytes;
    }
    if (owner.application < m_applications.size() && m_awaits_sent[owner.application] != 0) {
        notify_sent(frame, owner, transport, rate);
    }
}

void traffic_endpoint::notify_sent(const ethernet_frame& frame, transfer_owner owner, transport_kind transport,
                                   bit_rate rate) {
    transfer_request request;
    request.dst = owner.dst;
    request.flow_bytes = bytes{static_cast<std::int64_t>(frame.transfer.flow_bytes)};
    request.priority = frame.priority;
    request.tag = frame.transfer.tag;
    request.transport = transport;
    request.flow = frame.transfer.flow;
    request.job = frame.transfer.job;
    request.reply_bytes = bytes{frame.transfer.reply_bytes};
    request.udp_rate = rate;
    m_sent.push_back({owner.application, request});
}

void traffic_endpoint::refuse_timer() {
    m_context.host->fail("more than " + std::to_string(m_timers.size()) +
                         " timers of applications are pending");
}

void traffic_endpoint::set_timer(picoseconds time, std::uint64_t cookie) {
    std::uint32_t place;
    if (m_free_timers.empty()) {
        place = static_cast<std::uint32_t>(m_timers.size());
        if (place >= 1U << place_bits) {
            refuse_timer();
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

std::string traffic_endpoint::waits_for() const {
    std::string what;
    for (const auto& app : m_applications) {
        what = what.empty() ? app->waits_for() : what;
    }
    return what;
}

std::vector<open_transfer> traffic_endpoint::open_transfers(std::size_t most) const {
    std::vector<open_transfer> open;
    for (const transport_place& each : m_transports) {
        if (each.made != nullptr) {
            each.made->list_open(open, most);
        }
    }
    return open;
}

std::vector<job_record> traffic_endpoint::open_jobs() const {
    std::vector<job_record> open;
    for (const auto& app : m_applications) {
        app->list_open_jobs(open);
    }
    for (job_record& job : open) {
        job.src = m_self;
    }
    return open;
}

std::size_t traffic_endpoint::sum(std::size_t (transport::*size)() const) const {
    std::size_t all = 0;
    for (const transport_place& each : m_transports) {
        all += each.made != nullptr ? (*each.made.*size)() : 0;
    }
    return all;
}

void traffic_endpoint::settle(picoseconds end) {
    for (const open_transfer& transfer : open_transfers(m_open)) {
        if (m_transports[static_cast<std::size_t>(transfer.transport)].confirms) {
            log_sender(m_log, {transfer.flow, end, transfer.retransmits, transfer.timeouts});
        }
    }
    if (m_context.segments != nullptr) {
        count_open_datagrams(1);
    }
}

// Modulo 2^64: what went before the end of the warm-up is taken from what a transfer has sent when it ends.
void traffic_endpoint::count_open_datagrams(int sign) {
    for (const open_transfer& transfer : open_transfers(m_open)) {
        if (transfer.transport == datagram_transport) {
            m_context.segments->of(transfer.tag).udp_sent_bytes +=
                sign > 0 ? transfer.done_bytes : 0 - transfer.done_bytes;
        }
    }
}

}  // namespace weir::traffic
