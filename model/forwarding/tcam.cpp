#include "weir/model/forwarding/tcam.h"

#include <algorithm>

namespace weir::model {

namespace {

constexpr std::uint64_t low_bits(std::uint32_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

const char* describe(tcam_status status) {
    switch (status) {
        case tcam_status::done:
            return "done";
        case tcam_status::beyond_capacity:
            return "index is beyond the table's capacity";
        case tcam_status::slot_in_use:
            return "there is an entry at this index already";
        case tcam_status::slot_vacant:
            return "there is no entry at this index";
        case tcam_status::no_write_begun:
            return "no write of this index has begun";
        case tcam_status::bits_beyond_key:
            return "value or mask is wider than the key";
        case tcam_status::prefix_too_long:
            return "prefix length is above 32";
    }
    return "unknown status";
}

namespace detail {

template <class Word>
void ternary_scan<Word>::insert(std::uint32_t position, Word value, Word mask, std::uint32_t index) {
    if (m_size == m_value.size()) {
        // (key & 0) == 1 holds for no key.
        m_value.resize(m_size + group, 1);
        m_mask.resize(m_size + group, 0);
        m_index.resize(m_size + group, 0);
    }
    const auto open = [&](auto& column, auto content) {
        const auto begin = column.begin();
        std::move_backward(begin + position, begin + m_size, begin + m_size + 1);
        column[position] = content;
    };
    open(m_value, value);
    open(m_mask, mask);
    open(m_index, index);
    ++m_size;
}

template <class Word>
void ternary_scan<Word>::erase(std::uint32_t position) {
    const auto close = [&](auto& column) {
        const auto begin = column.begin();
        std::move(begin + position + 1, begin + m_size, begin + position);
    };
    close(m_value);
    close(m_mask);
    close(m_index);
    --m_size;
    m_value[m_size] = 1;
    m_mask[m_size] = 0;
}

template class ternary_scan<std::uint32_t>;
template class ternary_scan<std::uint64_t>;

}  // namespace detail

tcam::tcam(const tcam_config& config)
    : m_key_mask(low_bits(config.key_bits)), m_narrow(config.key_bits <= 32), m_config(config) {}

tcam_status tcam::insert(std::uint32_t index, const tcam_entry& entry, const port_bitmap& acceptable_ports) {
    const tcam_status status = check(index, entry);
    if (status == tcam_status::done && state_of(index) != slot_state::vacant) {
        return tcam_status::slot_in_use;
    }
    if (status == tcam_status::done) {
        store(index, entry, acceptable_ports);
    }
    return status;
}

tcam_status tcam::replace(std::uint32_t index, const tcam_entry& entry, const port_bitmap& acceptable_ports) {
    const tcam_status status = check(index, entry);
    if (status == tcam_status::done && state_of(index) == slot_state::vacant) {
        return tcam_status::slot_vacant;
    }
    if (status == tcam_status::done) {
        store(index, entry, acceptable_ports);
    }
    return status;
}

tcam_status tcam::write(std::uint32_t index, const tcam_entry& entry, const port_bitmap& acceptable_ports) {
    const tcam_status status = check(index, entry);
    if (status == tcam_status::done) {
        store(index, entry, acceptable_ports);
    }
    return status;
}

tcam_status tcam::erase(std::uint32_t index) {
    if (index >= m_config.entries) {
        return tcam_status::beyond_capacity;
    }
    if (state_of(index) == slot_state::vacant) {
        return tcam_status::slot_vacant;
    }
    set_state(index, slot_state::vacant);
    m_ports[index] = port_bitmap{};
    return tcam_status::done;
}

tcam_status tcam::set_prefix(std::uint32_t index, ipv4_address address, unsigned prefix_length,
                             const port_bitmap& acceptable_ports) {
    if (prefix_length > 32) {
        return tcam_status::prefix_too_long;
    }
    const std::uint64_t mask = low_bits(32) ^ low_bits(32 - prefix_length);
    return write(index, {to_uint(address) & mask, mask, prefix_length, true}, acceptable_ports);
}

// A line that is being written matches nothing, as in hardware that invalidates it first.
tcam_status tcam::begin_write(std::uint32_t index) {
    if (index >= m_config.entries) {
        return tcam_status::beyond_capacity;
    }
    set_state(index, slot_state::writing);
    return tcam_status::done;
}

tcam_status tcam::end_write(std::uint32_t index, const tcam_entry& entry, const port_bitmap& acceptable_ports) {
    const tcam_status status = check(index, entry);
    if (status == tcam_status::done && state_of(index) != slot_state::writing) {
        return tcam_status::no_write_begun;
    }
    if (status == tcam_status::done) {
        store(index, entry, acceptable_ports);
    }
    return status;
}

std::vector<std::uint32_t> tcam::all_matches(std::uint64_t key) const {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t index = 0; index < m_slots.size(); ++index) {
        if (matches(m_slots[index], key)) {
            indices.push_back(index);
        }
    }
    return indices;
}

tcam_status tcam::check(std::uint32_t index, const tcam_entry& entry) const {
    if (index >= m_config.entries) {
        return tcam_status::beyond_capacity;
    }
    if (((entry.value | entry.mask) & ~m_key_mask) != 0) {
        return tcam_status::bits_beyond_key;
    }
    return tcam_status::done;
}

tcam::slot_state tcam::state_of(std::uint32_t index) const {
    return index < m_slots.size() ? m_slots[index].state : slot_state::vacant;
}

bool tcam::matches(const slot& s, std::uint64_t key) const {
    if (s.state != slot_state::occupied || !s.entry.valid) {
        return false;
    }
    const std::uint64_t compared = key & s.entry.mask;
    return m_config.rule == ternary_rule::standard ? compared == (s.entry.value & s.entry.mask)
                                                   : compared == s.entry.value;
}

/// Whether there is a key that the line matches. Only such lines are in the scan.
bool tcam::is_matchable(const slot& s) const {
    return s.state == slot_state::occupied && s.entry.valid &&
           (m_config.rule == ternary_rule::standard || (s.entry.value & ~s.entry.mask) == 0);
}

/// Where the line stands, or would stand, in the order (priority descending, index ascending).
std::uint32_t tcam::scan_position(std::uint32_t index) const {
    const std::uint32_t priority = m_slots[index].entry.priority;
    std::uint32_t low = 0;
    std::uint32_t high = m_narrow ? m_scan32.size() : m_scan64.size();
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        const std::uint32_t other = m_narrow ? m_scan32.index_at(middle) : m_scan64.index_at(middle);
        const std::uint32_t other_priority = m_slots[other].entry.priority;
        if (other_priority > priority || (other_priority == priority && other < index)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void tcam::store(std::uint32_t index, const tcam_entry& entry, const port_bitmap& acceptable_ports) {
    set_state(index, slot_state::writing);
    m_slots[index].entry = entry;
    m_ports[index] = acceptable_ports;
    set_state(index, slot_state::occupied);
}

// Every change of a line goes through here, so that scan, count and memo follow it.
void tcam::set_state(std::uint32_t index, slot_state state) {
    if (index >= m_slots.size()) {
        m_slots.resize(index + 1);
        m_ports.resize(index + 1);
    }
    slot& s = m_slots[index];
    if (is_matchable(s)) {
        leave_scan(index);
    }
    if (s.state == slot_state::vacant && state != slot_state::vacant) {
        ++m_occupied;
    } else if (s.state != slot_state::vacant && state == slot_state::vacant) {
        --m_occupied;
    }
    s.state = state;
    if (is_matchable(s)) {
        enter_scan(index);
    }
}

void tcam::enter_scan(std::uint32_t index) {
    const std::uint32_t position = scan_position(index);
    const tcam_entry& e = m_slots[index].entry;
    if (m_narrow) {
        m_scan32.insert(position, static_cast<std::uint32_t>(e.value & e.mask),
                        static_cast<std::uint32_t>(e.mask), index);
    } else {
        m_scan64.insert(position, e.value & e.mask, e.mask, index);
    }
    const std::uint32_t matchable = m_narrow ? m_scan32.size() : m_scan64.size();
    if (m_memo.empty() && m_config.memo_entries != 0 && matchable > memo_from) {
        m_memo.resize(m_config.memo_entries);
        m_memo_mask = m_config.memo_entries - 1;
    }
    forget_answers();
}

void tcam::leave_scan(std::uint32_t index) {
    const std::uint32_t position = scan_position(index);
    if (m_narrow) {
        m_scan32.erase(position);
    } else {
        m_scan64.erase(position);
    }
    forget_answers();
}

void tcam::forget_answers() {
    if (++m_generation == 0) {
        // The counter has wrapped: lines of 2^32 changes ago would look valid.
        std::fill(m_memo.begin(), m_memo.end(), memo_line{});
        m_generation = 1;
    }
}

}  // namespace weir::model
