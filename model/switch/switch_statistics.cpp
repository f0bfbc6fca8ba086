#include "weir/model/switch/switch_statistics.h"

namespace weir::model {

std::uint32_t switch_statistics::frames_held() const {
    std::uint32_t held = m_slab.used();
    if (held != 0) {
        for (const mac_port& mac : m_ports) {
            held -= mac.sending.frame != no_slot && mac.sending.end < m_clock.end ? 1 : 0;
        }
    }
    return held;
}

void switch_statistics::settle(picoseconds now) {
    catch_up(now);
    settle_matches(now);
    m_ingress->settle(now);
    m_egress->settle(now);
    std::int64_t ingress_bytes = 0;
    std::int64_t egress_bytes = 0;
    for (unsigned port = 0; port < ports(); ++port) {
        m_ports[port].timers.settle(now);
        ingress_bytes += m_ingress->occupancy(port).count();
        egress_bytes += m_egress->occupancy(port).count();
    }
    const std::int64_t charged_bytes = m_charged_bytes + m_memory->charged_bytes();
    if (ingress_bytes != charged_bytes) {
        violate(now, "ingress memory holds " + std::to_string(ingress_bytes) +
                         " B, frames that wait there have " + std::to_string(charged_bytes) + " B");
    }
    if (const std::string wrong = m_memory->check(); !wrong.empty()) {
        violate(now, wrong);
    }
    const frame_balance b = balance();
    if (b.received + b.originated != b.sent + b.dropped + b.inside) {
        violate(now, "frames in, out, dropped and inside do not add up");
    }
    if (b.inside == 0 && transmitting() == 0 && egress_bytes != 0) {
        violate(now, "egress memory holds " + std::to_string(egress_bytes) + " B without a frame");
    }
}

void switch_statistics::sample_every(picoseconds interval, std::uint32_t capacity) {
    m_sampler.enable(interval, capacity, 2 * ports());
    m_agenda.schedule(m_sampler.due(), switch_stages::sample, 0, 0);
}

void switch_statistics::on_sample(std::uint32_t payload) {
    if (payload == restart_payload) {
        restart_statistics();
    } else {
        take_sample();
    }
}

void switch_statistics::take_sample() {
    catch_up(m_now);
    pause_sample pauses;
    bool any = false;
    for (mac_port& mac : m_ports) {
        if (mac.has_pauses()) {
            mac.add_to(pauses, m_now);
            any = true;
        }
    }
    const pause_sample* const taken = any ? &pauses : nullptr;
    const std::uint32_t count = ports();
    if (m_path == frame_path::direct) {
        m_sampler.take(taken, [count, &in = *m_ingress.own(), &out = *m_egress.own()](std::uint32_t column) {
            const bytes fill = column < count ? in.occupancy(column) : out.occupancy(column - count);
            return static_cast<std::uint32_t>(fill.count());
        });
    } else {
        m_sampler.take(taken, [this, count](std::uint32_t column) {
            const bytes fill =
                column < count ? m_ingress->occupancy(column) : m_egress->occupancy(column - count);
            return static_cast<std::uint32_t>(fill.count());
        });
    }
    // It wakes up when it is next run, so nothing may be left to do in this quantum.
    const bool is_done =
        m_agenda.next_key() >= first_key_at(m_clock.end) && !m_instant_unfinished && !has_windows();
    if (is_done && is_empty() && !m_parameters.literal_engine) {
        m_sampler.sleep();
    } else {
        m_agenda.schedule(m_sampler.due(), switch_stages::sample, 0, 0);
    }
}

// Frames whose last bit has left may still be in the slab.
bool switch_statistics::is_empty() const {
    std::uint32_t gone = 0;
    for (const mac_port& mac : m_ports) {
        if (mac.timers.paused_mask() != 0 || mac.sending.busy(m_now)) {
            return false;
        }
        gone += mac.sending.frame != no_slot ? 1 : 0;
    }
    return m_slab.used() == gone;
}

void switch_statistics::wake_sampler() {
    m_sampler.wake(m_clock.begin);
    m_agenda.schedule(m_sampler.due(), switch_stages::sample, 0, 0);
}

void switch_statistics::restart_statistics_at(picoseconds at) {
    m_agenda.schedule(at, switch_stages::sample, 1, restart_payload);
}

void switch_statistics::restart_statistics() {
    const picoseconds now = m_now;
    settle(now);
    for (unsigned port = 0; port < ports(); ++port) {
        m_ports[port].restart_statistics();
    }
    m_ingress->restart_statistics(now);
    m_egress->restart_statistics(now);
    m_pipeline.reset_stats();
    m_memory->restart_statistics();
    restart_matches();
}

frame_balance switch_statistics::balance() const {
    frame_balance b = m_balance;
    b.inside = m_slab.used() - arriving() - m_control_frames - transmitting();
    return b;
}

std::string switch_statistics::waiting_ports() const {
    std::string text;
    for (unsigned port = 0; port < ports(); ++port) {
        const class_mask backlog = m_egress->backlog(port);
        if (backlog != 0) {
            text += " " + std::string(name()) + ".tx" + std::to_string(port) + " (classes " +
                    std::to_string(backlog) + ", paused " + std::to_string(m_ports[port].timers.paused_mask()) +
                    ")";
        }
        if (m_requests.classes() != 0 && m_ingress->occupancy(port) > 0_B) {
            text += " " + std::string(name()) + ".rx" + std::to_string(port) + " (" +
                    std::to_string(m_ingress->occupancy(port).count()) + " B in VOQs)";
        }
    }
    return text;
}

}  // namespace weir::model
