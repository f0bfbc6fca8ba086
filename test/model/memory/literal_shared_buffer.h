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

#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

using group_set = std::set<std::pair<unsigned, unsigned>>;

/// Every rule from the list of stored frames; nothing is remembered but who is paused, and which cells of a
/// group are headroom.
class literal_shared_buffer {
 public:
    /// Ports are a multiple of slices; sizes are multiples of a cell in each slice.
    literal_shared_buffer(const shared_buffer_config& config, unsigned ports, unsigned classes,
                          unsigned lossless, unsigned cell, unsigned headroom, const shared_profiles& profiles)
        : m_config(config),
          m_profiles(profiles),
          m_ports(ports),
          m_classes(classes),
          m_lossless(lossless),
          m_cell(cell),
          m_slices(config.slices),
          m_headroom(headroom) {
        if (config.headroom_pool && lossless != 0) {
            m_headroom_pool = pool_cells(*config.headroom_pool);
        }
    }

    admission admit(const buffer_flow& f, unsigned cells) {
        const unsigned slice = slice_of(f);
        const bool lossless = is_lossless(f.frame_class);
        if (!queue_takes(slice, f, cells)) {
            return admission::egress_full;
        }
        parts& p = m_parts[key(slice, f.ingress_port, f.frame_class)];
        const unsigned to_minimum = std::min(cells, minimum(f.ingress_port, f.frame_class) - p.minimum);
        const unsigned rest = cells - to_minimum;
        const unsigned left = free(slice, lossless);
        const bool shared =
            rest == 0 || (p.shared < threshold(slice, f.ingress_port, f.frame_class) && rest <= left);
        if (!shared) {
            const bool pool_has_room = !m_headroom_pool || headroom(slice) + rest <= *m_headroom_pool;
            const unsigned most =
                static_cast<unsigned>(
                    group(f.ingress_port, f.frame_class).headroom.value_or(bytes{m_headroom}).count()) /
                m_cell;
            if (!lossless || p.headroom + rest > most || !pool_has_room) {
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
                     (each.shared >= threshold(slice, port, c) && each.minimum == minimum(port, c) &&
                      each.minimum + each.shared > xon(port, c)))) {
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
        if (!is_lossless(f.frame_class) && !is_common()) {
            return;
        }
        const group_set before = m_paused;
        for (const auto& [port, c] : before) {
            bool may = true;
            for (unsigned k = 0; k < m_slices; ++k) {
                const parts& each = m_parts[key(k, port, c)];
                const unsigned total = each.minimum + each.shared + each.headroom;
                const double offset = up(group(port, c).xon_offset.value_or(m_config.xon_offset));
                const double below = minimum(port, c) + threshold(k, port, c) - offset;
                may = may && each.headroom == 0 && (total <= xon(port, c) || total < below);
            }
            if (may) {
                m_paused.erase({port, c});
            }
        }
    }
    const group_set& paused() const { return m_paused; }

    /// Of a pool in all slices together: lossy, lossless, headroom, lossy queues, lossless queues.
    std::array<unsigned, 5> pools() {
        std::array<unsigned, 5> all{};
        for (unsigned slice = 0; slice < m_slices; ++slice) {
            all[0] += is_common() ? 0 : pool(false) - free(slice, false);
            all[1] += pool(true) - free(slice, true);
            all[2] += headroom(slice);
            all[3] += is_common_queue() ? 0 : queue_used(slice, false);
            all[4] += queue_used(slice, true);
        }
        return all;
    }

    /// Of all slices together, beyond minima.
    struct sums {
        unsigned shared = 0, headroom = 0, queue = 0;
    };
    sums sums_of(unsigned port, pfc_class c) {
        sums all;
        for (unsigned slice = 0; slice < m_slices; ++slice) {
            all.shared += m_parts[key(slice, port, c)].shared;
            all.headroom += m_parts[key(slice, port, c)].headroom;
            all.queue += beyond(queue(slice, port, c), queue_minimum(port, c));
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
                   return is_common() || is_lossless(static_cast<pfc_class>(c)) == lossless ? p.shared : 0;
               });
    }
    unsigned headroom(unsigned slice) {
        return sum(slice, [](unsigned, unsigned, const parts& p) { return p.headroom; });
    }
    unsigned queue_used(unsigned slice, bool lossless) {
        return sum(slice, [&](unsigned port, unsigned c, const parts&) {
            return is_common_queue() || is_lossless(c) == lossless
                       ? beyond(queue(slice, port, c), queue_minimum(port, c))
                       : 0;
        });
    }
    /// Whether the queue's side has room: its own threshold, and the pool of its kind.
    bool queue_takes(unsigned slice, const buffer_flow& f, unsigned cells) {
        const bool lossless = is_lossless(f.frame_class);
        const unsigned queued = queue(slice, f.egress_port, f.frame_class);
        const unsigned least = queue_minimum(f.egress_port, f.frame_class);
        const unsigned shared = beyond(queued, least);
        const unsigned more = beyond(queued + cells, least) - shared;
        const unsigned used = queue_used(slice, lossless);
        const std::optional<bytes>& size =
            lossless || is_common_queue() ? m_config.lossless_queue_pool : m_config.queue_pool;
        const unsigned pool = pool_cells(size.value_or(m_config.memory));
        if (more == 0) {
            return true;
        }
        if (more + used > pool) {
            return false;
        }
        const queue_profile own = m_profiles.queues.empty()
                                      ? queue_profile{}
                                      : m_profiles.queues[f.egress_port * m_classes + f.frame_class];
        std::optional<double> alpha = own.alpha;
        std::optional<bytes> number = own.threshold;
        if (!alpha && !number) {
            alpha = lossless ? m_config.lossless_queue_alpha : m_config.queue_alpha;
            number = lossless ? m_config.lossless_queue_threshold : std::nullopt;
        }
        return number ? shared < down(*number) : !alpha || shared < product(*alpha, pool - used);
    }
    double threshold(unsigned slice, unsigned port, unsigned c) {
        const bool lossless = is_lossless(c);
        const group_profile own = group(port, c);
        std::optional<bytes> number = own.threshold;
        if (!number && !own.alpha && lossless) {
            number = m_config.threshold;
        }
        if (number) {
            return down(*number);
        }
        const double alpha = own.alpha.value_or(lossless ? m_config.alpha : m_config.lossy_alpha);
        return static_cast<double>(product(alpha, free(slice, lossless)));
    }
    group_profile group(unsigned port, unsigned c) const {
        return m_profiles.groups.empty() ? group_profile{} : m_profiles.groups[port * m_classes + c];
    }
    unsigned minimum(unsigned port, unsigned c) const {
        return up(group(port, c).minimum.value_or(m_config.minimum));
    }
    unsigned xon(unsigned port, unsigned c) const { return down(group(port, c).xon.value_or(m_config.xon)); }
    unsigned queue_minimum(unsigned port, unsigned c) const {
        if (!m_profiles.queues.empty() && m_profiles.queues[port * m_classes + c].minimum) {
            return up(*m_profiles.queues[port * m_classes + c].minimum);
        }
        return is_lossless(c) ? 0 : up(m_config.queue_minimum);
    }

    unsigned up(bytes size) const { return (static_cast<unsigned>(size.count()) + m_cell - 1) / m_cell; }
    unsigned down(bytes size) const { return static_cast<unsigned>(size.count()) / m_cell; }
    unsigned pool_cells(bytes size) const { return down(size) / m_slices; }
    bool is_lossless(unsigned c) const { return (m_lossless >> c & 1) != 0; }
    /// Blocks of neighbouring ports, or as it is said of each pair.
    unsigned slice_of(const buffer_flow& f) const {
        if (!m_profiles.slices.empty()) {
            return m_profiles.slices[f.ingress_port * m_ports + f.egress_port];
        }
        const unsigned port = m_config.map == slice_map::egress ? f.egress_port : f.ingress_port;
        return port / (m_ports / m_slices);
    }
    bool has_kind(bool lossless) const {
        for (unsigned c = 0; c < m_classes; ++c) {
            if (is_lossless(c) == lossless) {
                return true;
            }
        }
        return false;
    }
    bool is_common() const { return m_config.common_pool.value_or(false) && has_kind(true) && has_kind(false); }
    bool is_common_queue() const {
        return m_config.common_queue_pool.value_or(false) && has_kind(true) && has_kind(false);
    }
    unsigned pool(bool lossless) const {
        return !has_kind(lossless)
                   ? 0
                   : pool_cells(lossless || is_common() ? *m_config.lossless_pool : *m_config.lossy_pool);
    }
    /// Rounded down, in whole millionths: a factor of six decimals times cells is no matter of a double.
    static std::int64_t product(double alpha, unsigned cells) {
        return std::llround(alpha * 1e6) * cells / 1'000'000;
    }

    const shared_buffer_config& m_config;
    const shared_profiles& m_profiles;
    unsigned m_ports;
    unsigned m_classes;
    unsigned m_lossless;
    unsigned m_cell;
    unsigned m_slices;
    std::int64_t m_headroom;
    std::optional<unsigned> m_headroom_pool;
    std::map<std::size_t, parts> m_parts;
    std::map<std::size_t, unsigned> m_queues;
    group_set m_paused;
};

}  // namespace weir::model
