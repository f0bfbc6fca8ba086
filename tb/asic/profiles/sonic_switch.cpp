#include "tb/asic/profiles/sonic_switch.h"

#include <algorithm>
#include <tuple>

#include "tb/asic/sonic/sonic_names.h"

namespace weir::tb {

bool sonic_values::operator==(const sonic_values& b) const {
    return std::tie(minimum, dynamic_th, static_th, xon, xon_offset, headroom) ==
           std::tie(b.minimum, b.dynamic_th, b.static_th, b.xon, b.xon_offset, b.headroom);
}

sonic_switch::sonic_switch(const config_db& file, class_mask lossless, unsigned classes, unsigned ports,
                           bytes cell)
    : m_file(file),
      m_lossless(lossless),
      m_classes(classes),
      m_ports(ports),
      m_cell(std::max<std::int64_t>(1, cell.count())) {
    for (const sonic_side side : {sonic_side::ingress, sonic_side::egress}) {
        resolve(side, false);
        resolve(side, true);
    }
}

const sonic_map& sonic_switch::map(sonic_side side, unsigned port) const {
    return side == sonic_side::ingress ? m_file.ports[port].tc_to_pg : m_file.ports[port].tc_to_queue;
}

unsigned sonic_switch::number_of(sonic_side side, unsigned port, unsigned c) const {
    return map(side, port)[c];
}

const sonic_buffer& sonic_switch::buffer(sonic_side side, unsigned port, unsigned c) const {
    return buffers(side, port)[number_of(side, port, c)];
}

const sonic_buffers& sonic_switch::buffers(sonic_side side, std::size_t port) const {
    const sonic_port& p = m_file.ports[port];
    return side == sonic_side::ingress ? p.groups : p.queues;
}

bool sonic_switch::is_used(sonic_side side, std::size_t port, unsigned number) const {
    if (port >= m_ports) {
        return false;
    }
    const sonic_map& numbers = map(side, static_cast<unsigned>(port));
    return std::find(numbers.begin(), numbers.begin() + m_classes, number) != numbers.begin() + m_classes;
}

std::vector<std::string> sonic_switch::unused(sonic_side side) const {
    std::vector<std::string> all;
    for (unsigned n = 0; n < sonic_classes; ++n) {
        for (unsigned port = 0; port < m_ports; ++port) {
            const sonic_buffer& each = buffers(side, port)[n];
            if (each.has_profile() && !is_used(side, port, n)) {
                all.push_back(m_file.ports[port].name + "|" + std::to_string(n));
                break;
            }
        }
    }
    return all;
}

bytes sonic_switch::whole_cells(bytes size) const {
    return bytes{(size.count() + m_cell - 1) / m_cell * m_cell};
}

bytes sonic_switch::part_of(bytes minimum, sonic_side side, unsigned port, unsigned c) const {
    const sonic_map& numbers = map(side, port);
    const auto sharers = static_cast<std::int64_t>(classes_with(side, port, c));
    if (sharers == 1) {
        return minimum;
    }
    const std::int64_t cells = whole_cells(minimum).count() / m_cell;
    const bool has_more = std::count(numbers.begin(), numbers.begin() + c, numbers[c]) < cells % sharers;
    return bytes{(cells / sharers + (has_more ? 1 : 0)) * m_cell};
}

unsigned sonic_switch::classes_with(sonic_side side, unsigned port, unsigned c) const {
    const sonic_map& numbers = map(side, port);
    return static_cast<unsigned>(std::count(numbers.begin(), numbers.begin() + m_classes, numbers[c]));
}

void sonic_switch::resolve(sonic_side side, bool lossless) {
    kind_pool& found = m_pools[at(side)][lossless ? 1 : 0];
    for (unsigned port = 0; port < m_ports; ++port) {
        for (unsigned c = 0; c < m_classes; ++c) {
            const sonic_buffer& used = buffer(side, port, c);
            if (is_lossless(c) != lossless || !used.has_profile()) {
                continue;
            }
            const std::size_t pool = m_file.profiles[used.profile].pool;
            if (found.pool == sonic_buffer::none) {
                found.pool = pool;
            } else if (found.pool != pool && found.other == sonic_buffer::none) {
                found.other = pool;
                found.entry = used.entry;
            }
        }
    }
    if (found.pool != sonic_buffer::none) {
        return;
    }
    found.pool = m_file.pool_named(usual_pool(side, lossless));
    const auto of_side = [&](const sonic_pool& pool) { return pool.is_of(side); };
    const auto first = std::find_if(m_file.pools.begin(), m_file.pools.end(), of_side);
    if (found.pool == sonic_buffer::none && first != m_file.pools.end() &&
        std::none_of(first + 1, m_file.pools.end(), of_side)) {
        found.pool = static_cast<std::size_t>(first - m_file.pools.begin());
    }
}

void sonic_switch::tell_conflicts(sonic_messages& said) const {
    for (const sonic_side side : {sonic_side::ingress, sonic_side::egress}) {
        for (const bool lossless : {false, true}) {
            const kind_pool& found = m_pools[at(side)][lossless ? 1 : 0];
            if (found.other != sonic_buffer::none) {
                said.fail(std::string(buffer_table(side)) + "|" + found.entry,
                          "profile: is of pool " + m_file.pools[found.other].name + ", but other " +
                              (lossless ? "lossless " : "lossy ") + members_name(side) + " draw from " +
                              m_file.pools[found.pool].name + "; expected one pool for all of them" +
                              (m_lossless == 0 ? " (with pfc.mode = none all classes are lossy)" : ""));
            }
        }
    }
}

bool sonic_switch::is_common(sonic_side side) const {
    return pool(side, true) != sonic_buffer::none && pool(side, true) == pool(side, false);
}

bool sonic_switch::has_headroom_pool() const {
    const std::size_t lossless = pool(sonic_side::ingress, true);
    return lossless != sonic_buffer::none && m_file.pools[lossless].has_headroom_pool();
}

bool sonic_switch::sizes_include_reserved() const {
    const auto is_from = [&](const char* maker) { return m_file.device.find(maker) != std::string::npos; };
    return !has_headroom_pool() && !is_from("mlnx") && !is_from("mellanox") && !is_from("nvidia");
}

bytes sonic_switch::reserved_elsewhere(std::size_t pool) const {
    bytes sum{0};
    for (const sonic_side side : {sonic_side::ingress, sonic_side::egress}) {
        for (std::size_t port = 0; port < m_file.ports.size(); ++port) {
            for (unsigned n = 0; n < sonic_queues; ++n) {
                const sonic_buffer& each = buffers(side, port)[n];
                if (!each.has_profile() || m_file.profiles[each.profile].pool != pool ||
                    is_used(side, port, n)) {
                    continue;
                }
                const sonic_values values = values_of(m_file.profiles[each.profile], side, true);
                sum += whole_cells(values.minimum) +
                       (has_headroom_pool() ? 0_B : whole_cells(values.headroom.value_or(0_B)));
            }
        }
    }
    return sum;
}

bool sonic_switch::uses(std::size_t pool) const {
    return std::any_of(m_pools.begin(), m_pools.end(), [&](const auto& kinds) {
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](const kind_pool& each) { return each.pool == pool || each.other == pool; });
    });
}

sonic_values sonic_switch::values_of(const sonic_profile& profile, sonic_side side, bool lossless) const {
    sonic_values values;
    const bool includes_xoff = side == sonic_side::ingress && !has_headroom_pool();
    const bytes inside = includes_xoff ? std::min(profile.size, profile.xoff.value_or(0_B)) : 0_B;
    values.minimum = profile.size - inside;
    values.dynamic_th = profile.dynamic_th;
    values.static_th = profile.static_th;
    if (lossless && side == sonic_side::ingress) {
        values.xon = profile.xon.value_or(0_B);
        values.xon_offset = profile.xon_offset.value_or(0_B);
        values.headroom = profile.xoff;
    }
    return values;
}

}  // namespace weir::tb
