#include "weir/model/host/voq_queues.h"

#include "weir/model/host/nic_queues.h"

namespace weir::model {

voq_queues::voq_queues(const nic_setup& setup)
    : m_slab(setup.slab),
      m_rule(setup.qcn, setup.rate),
      m_kind(setup.config.voq),
      m_memory(setup.config.nic_buffer),
      m_rate(setup.rate),
      m_wire_overhead(setup.wire_overhead),
      m_ahead(fetched_ahead(setup.config.stack_out, setup.rate)),
      m_jitter(setup.qcn.cycle_jitter),
      m_classes(setup.classes),
      m_chance(setup.chance) {}

// --- a frame's way ---------------------------------------------------------------------------------------

send_outcome voq_queues::admit(const ethernet_frame& frame, bytes held, picoseconds now) {
    const pfc_class c = class_of(frame);
    const voq_number number = voq_with(key_of(frame.flow(), frame.dst, c), c, now);
    voq& v = m_voqs[number];
    const bytes free = m_memory - held;
    const bool is_full = m_memory > 0_B && bytes{v.held} + frame.length() > free;
    if (is_full && frame.kind == frame_kind::udp) {
        free_if_idle(number);
        return send_outcome::dropped;
    }
    if (v.has_refused || is_full) {
        return refuse(number);
    }
    if (is_fetched(frame)) {
        if (v.fetched > m_ahead) {
            v.has_refused_fetched = true;
            return send_outcome::not_this;
        }
        v.fetched += frame.frame_bytes;
    }
    v.held += frame.frame_bytes;
    return send_outcome::taken;
}

send_outcome voq_queues::refuse(voq_number number) {
    voq& v = m_voqs[number];
    if (!v.has_refused) {
        v.has_refused = true;
        v.refill_at = v.held / 2;
        if (v.held == 0) {
            m_starved.push_back(number);
        }
    }
    return send_outcome::not_this;
}

frame_slot voq_queues::enqueue(frame_slot slot, picoseconds now) {
    const ethernet_frame& frame = m_slab.frame(slot);
    const pfc_class c = m_slab.route(slot).frame_class;
    const voq_number number = voq_with(key_of(frame.flow(), frame.dst, c), c, now);
    voq& v = m_voqs[number];
    const bool is_first = v.frames.empty();
    v.frames.push(m_slab, slot);
    ++m_frames[c];
    m_backlog |= 1U << c;
    if (is_first) {
        line_up(number, now);
    }
    return no_slot;
}

static pfc_class most_urgent(unsigned classes) {
    return static_cast<pfc_class>(31U ^ static_cast<unsigned>(__builtin_clz(classes)));
}

frame_slot voq_queues::dequeue(class_mask classes, picoseconds now) {
    begin_turns(now);
    const unsigned eligible = m_ready & classes;
    if (eligible == 0) {
        return no_slot;
    }
    voq_number number = none;
    const frame_slot slot = take(most_urgent(eligible), number);
    sent(m_voqs[number], m_slab.frame(slot), now);
    take_next_turn(number, now);
    return slot;
}

frame_slot voq_queues::discard(picoseconds now) {
    while (!m_waiting.empty()) {
        const voq_number limited = m_waiting.front();
        stop_waiting(limited);
        take_turn(limited);
    }
    if (m_ready == 0) {
        return no_slot;
    }
    voq_number number = none;
    const frame_slot slot = take(most_urgent(m_ready), number);
    take_next_turn(number, now);
    return slot;
}

frame_slot voq_queues::take(pfc_class c, voq_number& number) {
    turn_list& turns = m_turns[c];
    number = turns.head;
    voq& v = m_voqs[number];
    turns.head = v.next;
    if (turns.head == none) {
        turns.tail = none;
        m_ready &= ~(1U << c);
    }
    const frame_slot slot = v.frames.pop(m_slab);
    if (--m_frames[c] == 0) {
        m_backlog &= ~(1U << c);
    }
    free_memory(v, m_slab.frame(slot));
    return slot;
}

void voq_queues::take_next_turn(voq_number number, picoseconds now) {
    if (m_voqs[number].frames.empty()) {
        free_if_idle(number);
    } else {
        line_up(number, now);
    }
}

void voq_queues::free_memory(voq& v, const ethernet_frame& frame) {
    v.held -= frame.frame_bytes;
    if (is_fetched(frame)) {
        v.fetched -= frame.frame_bytes;
        m_has_room_again = m_has_room_again || v.has_refused_fetched;
        v.has_refused_fetched = false;
    }
    if (v.has_refused && v.held <= v.refill_at) {
        v.has_refused = false;
        m_has_room_again = true;
    }
    for (const voq_number starved : m_starved) {
        m_voqs[starved].has_refused = false;
        m_has_room_again = true;
        free_if_idle(starved);  // what it refused may never come again
    }
    m_starved.clear();
}

void voq_queues::sent(voq& v, const ethernet_frame& frame, picoseconds now) {
    if (!v.limit.limits()) {
        return;
    }
    advance(v, now);
    const bool ends_cycle = v.limit.bytes_left < frame.frame_bytes;
    m_rule.on_sent(v.limit, frame.frame_bytes, ends_cycle ? cycle_factor() : 1);
    if (v.limit.limits()) {
        const auto wire_bits = static_cast<double>((frame.length() + m_wire_overhead).count() * 8);
        v.release = now + picoseconds{static_cast<std::int64_t>(wire_bits / v.limit.current * 1e12)};
    }
}

void voq_queues::add_flows(pfc_class c, flow_bytes_list& flows) const {
    for (const voq& v : m_voqs) {
        for (frame_slot slot = v.frame_class == c ? v.frames.head() : no_slot; slot != no_slot;
             slot = m_slab.route(slot).next) {
            flows.add(m_slab.frame(slot), m_slab.frame(slot).frame_bytes);
        }
    }
}

// --- rate limiters ---------------------------------------------------------------------------------------

bool voq_queues::takes_notification(const ethernet_frame& frame, picoseconds now) {
    if (frame.kind != frame_kind::qcn) {
        return false;
    }
    const notification_fields& said = frame.notification;
    const pfc_class c = said.sampled_class;
    const voq_number number = voq_with(key_of(said.flow, said.sampled_dst, c), c, now);
    voq& v = m_voqs[number];
    // Of a cycle that ends at this time the notification is the first.
    advance(v, now - 1_ps);
    const double before = v.limit.limits() ? v.limit.current : static_cast<double>(m_rate.count());
    const double of_bytes = cycle_factor();
    m_rule.on_notification(v.limit, said.feedback, now, of_bytes, cycle_factor());
    stretch_wait(v, now, before);
    if (v.place != none) {
        restore(v.place);
    }
    return true;
}

bit_rate voq_queues::rate_of(const ethernet_frame& frame, picoseconds now) {
    const pfc_class c = class_of(frame);
    const voq_number* number = m_numbers.find(key_of(frame.flow(), frame.dst, c));
    if (number == nullptr) {
        return m_rate;
    }
    voq& v = m_voqs[*number];
    advance(v, now);
    if (v.place != none) {
        restore(v.place);
    }
    return v.limit.limits() ? bit_rate{static_cast<std::int64_t>(v.limit.current)} : m_rate;
}

std::vector<rate_limit> voq_queues::rate_limits() const {
    std::vector<rate_limit> limits;
    for (const voq& v : m_voqs) {
        if (v.limit.limits()) {
            rate_limit& limit = limits.emplace_back();
            limit.frame_class = v.frame_class;
            limit.rate = bit_rate{static_cast<std::int64_t>(v.limit.current)};
            const std::uint64_t owner = v.key >> 3;
            if (m_kind == voq_of::destination) {
                limit.dst = ipv4_address{static_cast<std::uint32_t>(owner)};
            } else {
                limit.flow = owner;
            }
        }
    }
    return limits;
}

void voq_queues::advance(voq& v, picoseconds now) {
    while (v.limit.timer_at <= now) {
        const picoseconds at = v.limit.timer_at;
        const double before = v.limit.current;
        m_rule.on_timer(v.limit, cycle_factor());
        stretch_wait(v, at, before);
    }
}

void voq_queues::stretch_wait(voq& v, picoseconds now, double rate_before) {
    if (v.release > now) {
        const auto left = static_cast<double>((v.release - now).count());
        v.release = now + picoseconds{static_cast<std::int64_t>(left * rate_before / v.limit.current)};
    }
}

double voq_queues::cycle_factor() {
    return m_jitter > 0 ? 1 + m_jitter * (2 * m_chance.uniform() - 1) : 1;
}

picoseconds voq_queues::next_release(picoseconds /*now*/) const {
    return m_waiting.empty() ? never : m_voqs[m_waiting.front()].wake();
}

// --- turns and waits -------------------------------------------------------------------------------------

void voq_queues::line_up(voq_number number, picoseconds now) {
    voq& v = m_voqs[number];
    if (v.limit.limits()) {
        advance(v, now);
    }
    if (!v.limit.limits() || v.release <= now) {
        take_turn(number);
        return;
    }
    m_waiting.push_back(number);
    v.place = static_cast<voq_number>(m_waiting.size() - 1);
    restore(v.place);
}

void voq_queues::take_turn(voq_number number) {
    const pfc_class c = m_voqs[number].frame_class;
    turn_list& turns = m_turns[c];
    m_voqs[number].next = none;
    if (turns.tail == none) {
        turns.head = number;
    } else {
        m_voqs[turns.tail].next = number;
    }
    turns.tail = number;
    m_ready |= 1U << c;
}

void voq_queues::begin_turns(picoseconds now) {
    while (!m_waiting.empty() && m_voqs[m_waiting.front()].wake() <= now) {
        const voq_number number = m_waiting.front();
        voq& v = m_voqs[number];
        advance(v, now);
        if (v.release <= now) {
            stop_waiting(number);
            take_turn(number);
        } else {
            restore(0);
        }
    }
}

bool voq_queues::is_before(voq_number a, voq_number b) const {
    const picoseconds at_a = m_voqs[a].wake();
    const picoseconds at_b = m_voqs[b].wake();
    return at_a != at_b ? at_a < at_b : a < b;
}

void voq_queues::place(std::size_t at, voq_number number) {
    m_waiting[at] = number;
    m_voqs[number].place = static_cast<voq_number>(at);
}

// What stands there is the only one that may stand wrongly.
void voq_queues::restore(std::size_t at) {
    const voq_number moved = m_waiting[at];
    while (at > 0 && is_before(moved, m_waiting[(at - 1) / 2])) {
        place(at, m_waiting[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (std::size_t child = 2 * at + 1; child < m_waiting.size(); child = 2 * at + 1) {
        child += child + 1 < m_waiting.size() && is_before(m_waiting[child + 1], m_waiting[child]) ? 1 : 0;
        if (!is_before(m_waiting[child], moved)) {
            break;
        }
        place(at, m_waiting[child]);
        at = child;
    }
    place(at, moved);
}

void voq_queues::stop_waiting(voq_number number) {
    const std::size_t hole = m_voqs[number].place;
    const voq_number last = m_waiting.back();
    m_waiting.pop_back();
    m_voqs[number].place = none;
    if (last != number) {
        place(hole, last);
        restore(hole);
    }
}

// --- VOQs ------------------------------------------------------------------------------------------------

voq_queues::voq_number voq_queues::voq_with(std::uint64_t key, pfc_class c, picoseconds now) {
    const voq_number* known = m_numbers.find(key);
    return known != nullptr ? *known : make_voq(key, c, now);
}

voq_queues::voq_number voq_queues::make_voq(std::uint64_t key, pfc_class c, picoseconds now) {
    if (m_numbers.size() >= m_free_at) {
        free_idle(now);
        m_free_at = std::max<std::size_t>(16, 2 * m_numbers.size());
    }
    voq_number number = static_cast<voq_number>(m_voqs.size());
    if (m_free.empty()) {
        m_voqs.emplace_back();
    } else {
        number = m_free.back();
        m_free.pop_back();
    }
    m_voqs[number] = voq{};
    m_voqs[number].key = key;
    m_voqs[number].frame_class = c;
    m_numbers.add(key) = number;
    return number;
}

// Limiters whose rate has come back to the link's do nothing any more, and would be released by the next frame.
void voq_queues::free_idle(picoseconds now) {
    for (voq_number number = 0; number < m_voqs.size(); ++number) {
        voq& v = m_voqs[number];
        if (!v.limit.limits() || v.is_used()) {
            continue;
        }
        advance(v, now);
        if (v.limit.current >= static_cast<double>(m_rate.count())) {
            v.limit = qcn_limit{};
            free_if_idle(number);
        }
    }
}

void voq_queues::free_if_idle(voq_number number) {
    const voq& v = m_voqs[number];
    if (!v.limit.limits() && !v.is_used()) {
        m_numbers.remove(v.key);
        m_free.push_back(number);
    }
}

}  // namespace weir::model
