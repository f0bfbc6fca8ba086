// A host's software: applications on top, transports below (transport_kinds.h), TCP and UDP among them.
//
// **Applications.** What a transfer's sender hears goes to the application that started it. What arrives
// goes to the application that claimed the transfer's tag, or to the first one.
//
// **Order.** Callbacks come after the transport's own work on a frame: an ACK precedes what the application
// sends in response. `on_sent` never comes out of `start_transfer`, but at the end of the call from the host.
//
//   endpoint_options options;
//   options.addresses = &addresses;
//   traffic_endpoint e(options);
//   e.add(std::move(queries));
//   e.start(host);
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/protocol/endpoint.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/host/records.h"
#include "weir/traffic/host/transports.h"

namespace weir::traffic {

class tcp_transport;
class udp_transport;

class traffic_endpoint final : public endpoint, public application_services, private transfer_events {
 public:
    /// All hosts of a fabric may share their options.
    explicit traffic_endpoint(std::shared_ptr<const endpoint_options> options);
    explicit traffic_endpoint(const endpoint_options& options)
        : traffic_endpoint(std::make_shared<const endpoint_options>(options)) {}

    /// Before `start`. Range: up to 256 applications.
    void add(std::unique_ptr<application> app);

    // endpoint
    void start(host_services& host) override;
    void receive(const ethernet_frame& frame) override;
    void receive_with(const frame_annex& annex, const ethernet_frame& frame) override;
    void wake() override;
    void ready() override;
    void end_warmup() override {
        m_delivered_in_warmup = m_context.counters.delivered_bytes;
        if (m_context.segments != nullptr) {
            m_context.segments->end_warmup();
            count_open_datagrams(-1);
        }
    }
    bool needs_kernel_thread() const override { return false; }

    // application_services
    picoseconds now() const override { return m_context.now; }
    host_id self() const override { return m_self; }
    host_id hosts() const override { return m_hosts; }
    bit_rate link_rate() const override { return m_context.host->link_rate(); }
    /// n x hosts + self for this host's n-th call, from 0.
    std::uint64_t next_flow() override { return m_flows++ * hosts() + m_self; }
    std::uint64_t next_job() override { return m_jobs++ * hosts() + m_self; }
    /// A transfer of no bytes or more than 2^48, to no host or to this one, of a class that does not exist,
    /// with a response of 4 GiB or more or a negative rate, or one that its transport refuses, is an
    /// application's error: it is not started, and ends the run.
    void start_transfer(const transfer_request& request) override;
    /// More than 2^place_bits pending timers of one host end the run.
    void set_timer(picoseconds time, std::uint64_t cookie) override;
    void job_done(const job_record& job) override {
        m_log.jobs.push_back({job, m_log.deliveries.size()});
        m_last_job_end = std::max(m_last_job_end, job.end);
    }

    /// Of all jobs that were reported here.
    picoseconds last_job_end() const { return m_last_job_end; }
    const host_log& log() const { return m_log; }
    void clear_log() { m_log.clear(); }
    const transport_counters& counters() const { return m_context.counters; }
    /// Null where segments are not logged.
    segment_log* segments() const { return m_context.segments.get(); }
    /// Payload handed to applications since the end of the warm-up, each byte once. Unit: B.
    std::uint64_t goodput_bytes() const { return m_context.counters.delivered_bytes - m_delivered_in_warmup; }
    /// Transfers started here that the sender is not done with.
    std::uint64_t flows_open() const { return m_open; }
    /// The first `most` of them, by transport and slot.
    std::vector<open_transfer> open_transfers(std::size_t most) const;
    /// Payload of a transfer to this host that has arrived here, each byte once. Unit: B. Only for transfers
    /// that this host's transports may still know of: those that their senders are not done with, and those of
    /// an unreliable transport that are not complete.
    std::uint64_t received_bytes(const open_transfer& transfer) {
        return made(transfer.transport).received_bytes(transfer);
    }
    /// True if transfers to this host with this tag are jobs by themselves.
    bool is_job(std::uint8_t tag) const {
        return !m_applications.empty() && m_applications[m_claims[tag]]->is_job(tag);
    }
    /// Jobs that this host has started and that are not done, in no particular order, but for those that are
    /// one transfer; their `end` is `never`.
    std::vector<job_record> open_jobs() const;
    /// What an application waits for (`application::waits_for`): the first that can name it.
    std::string waits_for() const;
    /// Nothing more will come from this host of its own accord.
    bool exhausted() const;
    /// At the end of a run: logs what is known of transfers still open, by transport and slot.
    void settle(picoseconds end);

    /// Sizes of tables, for tests and memory reports: all transports together.
    std::size_t sender_slots() const { return sum(&transport::sender_slots); }
    std::size_t receiver_slots() const { return sum(&transport::receiver_slots); }
    /// Transfers that come in and are not complete, as far as known here.
    std::size_t incoming() const { return sum(&transport::incoming); }
    std::size_t pending_timers() const { return m_context.timers.size(); }

 private:
    struct sent_notice {
        std::uint32_t application;
        transfer_request request;
    };
    struct application_timer {
        std::uint64_t cookie;
        std::uint32_t application;
    };
    // transfer_events
    void delivered(const ethernet_frame& frame, transport_kind transport) override;
    void sent(const ethernet_frame& frame, transfer_owner owner, transport_kind transport, bit_rate rate,
              std::uint32_t retransmits, std::uint32_t timeouts) override;

    host_id source_of(const ethernet_frame& frame) const;
    /// Adds to the log, or takes from it (-1), what open transfers of UDP have sent.
    void count_open_datagrams(int sign);
    std::size_t sum(std::size_t (transport::*size)() const) const;
    [[gnu::noinline]] void notify_sent(const ethernet_frame& frame, transfer_owner owner,
                                       transport_kind transport, bit_rate rate);
    [[gnu::cold, gnu::noinline]] void refuse_timer();
    [[gnu::cold, gnu::noinline]] void refuse(const transfer_request& request, const char* mistake);
    void expire(const timer_entry& entry);
    void expire_application_timer(std::uint64_t index);
    void begin_call() { m_context.now = m_context.host->now(); }
    /// Reports what was sent, and asks for the next wake.
    void end_call() {
        if (!m_sent.empty()) {
            report_notices();
        }
        if (m_context.timers.next_time() < m_next_wake) {
            ask_for_wake();
        }
    }
    [[gnu::noinline]] void report_notices();
    [[gnu::noinline]] void ask_for_wake();
    template <class Call>
    void call_application(std::uint32_t index, Call&& call);

    /// A transport of this host, made when the first transfer or frame needs it.
    struct transport_place {
        std::unique_ptr<transport> made;
        timer_kind first_timer;
        /// A sender hears that all has arrived.
        bool confirms;
    };
    [[gnu::noinline]] transport& make(transport_kind kind);
    transport& made(transport_kind kind) {
        transport* const there = m_transports[static_cast<std::size_t>(kind)].made.get();
        return __builtin_expect(there != nullptr, 1) ? *there : make(kind);
    }

    std::shared_ptr<const endpoint_options> m_options;
    const address_map* m_addresses;
    transport_context m_context;
    /// By `transport_kind`.
    std::vector<transport_place> m_transports;
    /// Two of them, for the direct way of their frames and timers; null until they are made.
    tcp_transport* m_tcp = nullptr;
    udp_transport* m_udp = nullptr;
    /// Whose they are: `nobody` here, or a `transport_kind`.
    static constexpr std::uint8_t nobody = 0xFF;
    std::array<std::uint8_t, frame_kinds> m_by_frame;
    /// By `timer_kind`; `nobody`: an application's.
    std::vector<std::uint8_t> m_by_timer;
    host_id m_self = 0;
    host_id m_hosts = 0;
    ipv4_address m_address{};

    std::vector<std::unique_ptr<application>> m_applications;
    /// By application: it hears of sent transfers.
    std::vector<std::uint8_t> m_awaits_sent;
    /// Application that hears of received transfers, by tag.
    std::array<std::uint8_t, 256> m_claims{};
    /// Application that is being called.
    std::uint32_t m_current = 0;

    std::vector<application_timer> m_timers;
    std::vector<std::uint32_t> m_free_timers;
    std::uint32_t m_timers_set = 0;
    /// Wakes asked for and not come yet, the earliest last: each is earlier than the one before, because
    /// a wake is asked for only when nothing earlier is pending.
    std::vector<picoseconds> m_wakes{never};
    /// The last of them.
    picoseconds m_next_wake = never;

    std::vector<sent_notice> m_sent;
    std::uint64_t m_flows = 0;
    std::uint64_t m_jobs = 0;
    std::uint64_t m_open = 0;
    picoseconds m_last_job_end{0};
    std::uint64_t m_delivered_in_warmup = 0;
    host_log m_log;
};

}  // namespace weir::traffic
