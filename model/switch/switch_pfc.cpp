// A switch whose PFC is somebody else's: RTL, or a user's own block. The ports' own timers and requests keep
// what is asked for, what holds, and the counters.
#include "weir/model/switch/switch_node.h"

namespace weir {

void switch_node::bind_pfc() {
    if (pfc.bind_count() == 0) {
        return;
    }
    if (m_watchdog != nullptr) {
        SC_REPORT_FATAL("/weir/switch",
                        (std::string(name()) + ": a PFC watchdog cannot end the pauses of a PFC "
                                               "block that is bound")
                            .c_str());
    }
    m_pfc = pfc.operator->();
    m_pfc_look.assign(ports(), never);
}

// Returns the classes that were paused until now.
class_mask switch_node::follow_pfc(switch_port& p) {
    const class_mask paused = m_pfc->paused(p.number, m_now);
    return p.timers.follow(paused, m_pfc->next_change(p.number), m_now);
}

void switch_node::tell_pfc(switch_port& p, bool again) {
    m_pfc->request(p.number, p.requests.wanted(), again, m_now);
    look_at_pfc(p, first_frame);
}

void switch_node::change_pfc_link(switch_port& p, const link_change& change, bool comes_up) {
    if (change.rate.count() > 0) {
        m_pfc->set_rate(p.number, change.rate);
    }
    if (comes_up) {
        m_pfc->clear(p.number, m_now);
    }
    if (change.rate.count() > 0 || comes_up) {
        tell_pfc(p, true);
        follow_pfc(p);
        schedule_pause_expiry(p.number);
    }
}

// One event a port is enough: it follows what PFC says when it comes.
void switch_node::look_at_pfc(const switch_port& p, std::uint32_t reason) {
    const picoseconds next = m_pfc->next_offer(p.number);
    if (next > m_now && next < m_pfc_look[p.number]) {
        m_pfc_look[p.number] = next;
        m_agenda.schedule(next, switch_stages::pause_refresh, p.number, reason);
    }
}

void switch_node::on_pfc_look(switch_port& p, std::uint32_t reason) {
    if (m_pfc_look[p.number] != m_now) {
        return;  // an earlier one has taken its place
    }
    m_pfc_look[p.number] = never;
    if (m_pfc->next_offer(p.number) > m_now) {
        look_at_pfc(p, reason);
        return;
    }
    if (reason == refresh && m_causes != nullptr) {
        m_causes->note_xoff(p.number, p.requests.wanted(), no_slot);
    }
    p.needs_attention = true;
    transmit_later(p);
}

}  // namespace weir
