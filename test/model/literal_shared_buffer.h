// A shared memory's account that remembers nothing but the cells of each group and queue, and adds everything
// up anew: what the real one is compared with. It asks the real one for nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "weir/model/shared_buffer.h"

namespace weir {

using group_set = std::set<std::pair<unsigned, unsigned>>;

/// Every rule from the list of stored frames; nothing is remembered but who is paused, and which cells of a
/// group are headroom.
class literal_shared_buffer {
 public:
    /// Ports are a multiple of slices; sizes are multiples of a cell in each slice.
    literal_shared_buffer(const shared_buffer_config& config, unsigned ports, unsigned classes,
                          unsigned lossless, unsigned cell, unsigned headroom)
        : m_config(config),
          m_ports(ports),
          m_classes(classes),
          m_lossless(lossless),
          m_cell(cell),
          m_slices(config.slices),
          m_group_minimum(up(config.minimum)),
          m_headroom_limit(headroom / cell),
          m_queue_pool(pool_cells(*config.queue_pool)) {
        if (config.headroom_pool && lossless != 0) {
            m_headroom_pool = pool_cells(*config.headroom_pool);
        }
    }

    admission admit(const buffer_flow& f, unsigned cells) {
        const unsigned slice = slice_of(f);
        const bool lossless = is_lossless(f.frame_class);
        if (!lossless) {
            const unsigned queued = queue(slice, f.egress_port, f.frame_class);
            const unsigned minimum = up(m_config.queue_minimum);
            const unsigned shared = beyond(queued, minimum);
            const unsigned more = beyond(queued + cells, minimum) - shared;
            const unsigned free = queue_free(slice);
            if (more > 0 && (more > free || shared >= product(m_config.queue_alpha, free))) {
                return admission::egress_full;
            }
        }
        parts& p = m_parts[key(slice, f.ingress_port, f.frame_class)];
        const unsigned to_minimum = std::min(cells, m_group_minimum - p.minimum);
        const unsigned rest = cells - to_minimum;
        const unsigned left = free(slice, lossless);
        const bool shared = rest == 0 || (p.shared < threshold(slice, lossless) && rest <= left);
        if (!shared) {
            const bool pool_has_room = !m_headroom_pool || headroom(slice) + rest <= *m_headroom_pool;
            if (!lossless || p.headroom + rest > m_headroom_limit || !pool_has_room) {
                if (lossless) {
                    m_paused.insert({f.ingress_port, f.frame_class});
                }
                return admission::ingress_full;
            }
        }
        p.minimum += to_minimum;
        (shared ? p.shared : p.headroom) += rest;
        m_queues[key(slice, f.egress_port, f.frame_class)] += cells;
        for (unsigned port = 0; port < m_ports; ++port) {
            for (unsigned c = 0; c < m_classes; ++c) {
                const parts& each = m_parts[key(slice, port, c)];
                if (is_lossless(static_cast<pfc_class>(c)) &&
                    (each.headroom > 0 ||
                     (each.shared >= threshold(slice, true) && each.minimum == m_group_minimum &&
                      each.minimum + each.shared > down(m_config.xon)))) {
                    m_paused.insert({port, c});
                }
            }
        }
        return admission::stored;
    }

    void release(const buffer_flow& f, unsigned cells) {
        const unsigned slice = slice_of(f);
        parts& p = m_parts[key(slice, f.ingress_port, f.frame_class)];
        for (; cells > 0; --cells) {
            --(p.headroom > 0 ? p.headroom : p.shared > 0 ? p.shared : p.minimum);
            --m_queues[key(slice, f.egress_port, f.frame_class)];
        }
        if (!is_lossless(f.frame_class)) {
            return;
        }
        const group_set before = m_paused;
        for (const auto& [port, c] : before) {
            bool may = true;
            for (unsigned k = 0; k < m_slices; ++k) {
                const parts& each = m_parts[key(k, port, c)];
                const unsigned total = each.minimum + each.shared + each.headroom;
                const double below =
                    m_group_minimum + threshold(k, true) - static_cast<double>(up(m_config.xon_offset));
                may = may && each.headroom == 0 && (total <= down(m_config.xon) || total < below);
            }
            if (may) {
                m_paused.erase({port, c});
            }
        }
    }
    const group_set& paused() const { return m_paused; }

    /// Of a pool in all slices together: lossy, lossless, headroom, lossy queues.
    std::array<unsigned, 4> pools() {
        std::array<unsigned, 4> all{};
        for (unsigned slice = 0; slice < m_slices; ++slice) {
            all[0] += pool(false) - free(slice, false);
            all[1] += pool(true) - free(slice, true);
            all[2] += headroom(slice);
            all[3] += m_queue_pool - queue_free(slice);
        }
        return all;
    }

    /// Of all slices together, beyond minima.
    struct sums {
        unsigned shared = 0, headroom = 0, queue = 0;
    };
    sums sums_of(unsigned port, pfc_class c) {
        sums all;
        const unsigned minimum = is_lossless(c) ? 0 : up(m_config.queue_minimum);
        for (unsigned slice = 0; slice < m_slices; ++slice) {
            all.shared += m_parts[key(slice, port, c)].shared;
            all.headroom += m_parts[key(slice, port, c)].headroom;
            all.queue += beyond(queue(slice, port, c), minimum);
        }
        return all;
    }

 private:
    struct parts {
        unsigned minimum = 0, shared = 0, headroom = 0;
    };
    static unsigned beyond(unsigned cells, unsigned minimum) { return cells > minimum ? cells - minimum : 0; }
    std::size_t key(unsigned slice, unsigned port, unsigned c) const { return (slice * 1000 + port) * 8 + c; }
    unsigned queue(unsigned slice, unsigned port, unsigned c) { return m_queues[key(slice, port, c)]; }
    template <class Of>
    unsigned sum(unsigned slice, Of&& of) {
        unsigned all = 0;
        for (unsigned port = 0; port < m_ports; ++port) {
            for (unsigned c = 0; c < m_classes; ++c) {
                all += of(port, c, m_parts[key(slice, port, c)]);
            }
        }
        return all;
    }
    unsigned free(unsigned slice, bool lossless) {
        return pool(lossless) - sum(slice, [&](unsigned, unsigned c, const parts& p) {
                   return is_lossless(static_cast<pfc_class>(c)) == lossless ? p.shared : 0;
               });
    }
    unsigned headroom(unsigned slice) {
        return sum(slice, [](unsigned, unsigned, const parts& p) { return p.headroom; });
    }
    unsigned queue_free(unsigned slice) {
        const unsigned minimum = up(m_config.queue_minimum);
        return m_queue_pool - sum(slice, [&](unsigned port, unsigned c, const parts&) {
                   return is_lossless(static_cast<pfc_class>(c)) ? 0 : beyond(queue(slice, port, c), minimum);
               });
    }
    double threshold(unsigned slice, bool lossless) {
        if (lossless && m_config.threshold) {
            return down(*m_config.threshold);
        }
        return static_cast<double>(
            product(lossless ? m_config.alpha : m_config.lossy_alpha, free(slice, lossless)));
    }

    unsigned up(bytes size) const { return (static_cast<unsigned>(size.count()) + m_cell - 1) / m_cell; }
    unsigned down(bytes size) const { return static_cast<unsigned>(size.count()) / m_cell; }
    unsigned pool_cells(bytes size) const { return down(size) / m_slices; }
    bool is_lossless(unsigned c) const { return (m_lossless >> c & 1) != 0; }
    /// Blocks of neighbouring ports.
    unsigned slice_of(const buffer_flow& f) const {
        const unsigned port = m_config.map == slice_map::egress ? f.egress_port : f.ingress_port;
        return port / (m_ports / m_slices);
    }
    unsigned pool(bool lossless) const {
        for (unsigned c = 0; c < m_classes; ++c) {
            if (is_lossless(c) == lossless) {
                return pool_cells(lossless ? *m_config.lossless_pool : *m_config.lossy_pool);
            }
        }
        return 0;
    }
    /// Rounded down, in whole millionths: a factor of six decimals times cells is no matter of a double.
    static std::int64_t product(double alpha, unsigned cells) {
        return std::llround(alpha * 1e6) * cells / 1'000'000;
    }

    const shared_buffer_config& m_config;
    unsigned m_ports;
    unsigned m_classes;
    unsigned m_lossless;
    unsigned m_cell;
    unsigned m_slices;
    unsigned m_group_minimum;
    unsigned m_headroom_limit;
    unsigned m_queue_pool;
    std::optional<unsigned> m_headroom_pool;
    std::map<std::size_t, parts> m_parts;
    std::map<std::size_t, unsigned> m_queues;
    group_set m_paused;
};

}  // namespace weir
