// Which ports of a switch lead nearer to which destinations, for all switches of a fabric: breadth-first
// searches from 64 destinations at a time, one bit each.
//
// Two neighbours' distances to one destination differ by at most one, so distances are kept modulo 3, as three
// sets of destinations per switch; a destination that cannot be reached is in none. The memory is 3 bits per
// switch and destination.
//
//   next_hops hops(graph, groups);
//   hops.ports_to_all(switch_number, ports);   // ports[g]: towards group g
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

/// The links between switches that are up, in one array: per switch a run of neighbours by port.
struct switch_graph {
    struct edge {
        switch_id to;
        unsigned port;
    };
    std::vector<std::uint32_t> first;
    std::vector<edge> edges;

    switch_graph(const topology& t, const std::vector<bool>& link_up) {
        for (switch_id s = 0; s < t.switches(); ++s) {
            first.push_back(static_cast<std::uint32_t>(edges.size()));
            const node_ref here = node_ref::of_switch(s);
            for (unsigned p = 0; p < t.ports(here).size(); ++p) {
                const node_ref next = t.far_end(here, p).node;
                if (!next.is_host() && link_up[t.ports(here)[p]]) {
                    edges.push_back({next.index, p});
                }
            }
        }
        first.push_back(static_cast<std::uint32_t>(edges.size()));
    }
    std::uint32_t switches() const { return static_cast<std::uint32_t>(first.size() - 1); }
    template <class Visit>
    void for_each(switch_id s, Visit&& visit) const {
        for (std::uint32_t i = first[s]; i < first[s + 1]; ++i) {
            visit(edges[i]);
        }
    }
};

class next_hops {
 public:
    /// `destinations[g]`: where group g is; `nowhere` if it cannot be reached.
    static constexpr switch_id nowhere = ~switch_id{0};
    next_hops(const switch_graph& graph, const std::vector<switch_id>& destinations)
        : m_graph(graph), m_batches((destinations.size() + 63) / 64), m_rest(graph.switches() * m_batches) {
        for (std::size_t batch = 0; batch < m_batches; ++batch) {
            search(batch, destinations);
        }
    }

    /// For each group the ports of `s` over which it is one link nearer; none where `s` is its destination.
    void ports_to_all(switch_id s, std::vector<port_bitmap>& ports) const {
        std::fill(ports.begin(), ports.end(), port_bitmap{});
        unsigned words = 0;
        m_graph.for_each(s, [&](const switch_graph::edge& e) { words = std::max(words, e.port / 64 + 1); });
        for (std::size_t batch = 0; batch < m_batches; ++batch) {
            std::array<std::array<word, 64>, port_bitmap::words> by_port{};
            const remainders& here = rest(s, batch);
            m_graph.for_each(s, [&](const switch_graph::edge& e) {
                const remainders& there = rest(e.to, batch);
                by_port[e.port / 64][e.port % 64] =
                    (here[0] & there[2]) | (here[1] & there[0]) | (here[2] & there[1]);
            });
            for (unsigned w = 0; w < words; ++w) {
                transpose(by_port[w]);
                for (std::size_t g = batch * 64; g < ports.size() && g < (batch + 1) * 64; ++g) {
                    ports[g].set_word(w, by_port[w][g % 64]);
                }
            }
        }
    }

 private:
    using word = std::uint64_t;
    /// Groups of one batch whose distance leaves 0, 1 or 2 when divided by 3.
    using remainders = std::array<word, 3>;

    remainders& rest(switch_id s, std::size_t batch) { return m_rest[s * m_batches + batch]; }
    const remainders& rest(switch_id s, std::size_t batch) const { return m_rest[s * m_batches + batch]; }

    void search(std::size_t batch, const std::vector<switch_id>& destinations) {
        const std::uint32_t switches = m_graph.switches();
        std::vector<word> seen(switches, 0);
        std::vector<word> here(switches, 0);
        std::vector<word> next(switches, 0);
        std::vector<switch_id> active;
        std::vector<switch_id> touched;
        for (std::size_t g = batch * 64; g < destinations.size() && g < (batch + 1) * 64; ++g) {
            if (destinations[g] != nowhere) {
                active.push_back(destinations[g]);
                here[destinations[g]] |= word{1} << g % 64;
            }
        }
        for (unsigned distance = 0; !active.empty(); ++distance) {
            for (switch_id s : active) {
                seen[s] |= here[s];
                rest(s, batch)[distance % 3] |= here[s];
            }
            touched.clear();
            for (switch_id s : active) {
                m_graph.for_each(s, [&](const switch_graph::edge& e) {
                    const word fresh = here[s] & ~seen[e.to];
                    if (fresh != 0 && next[e.to] == 0) {
                        touched.push_back(e.to);
                    }
                    next[e.to] |= fresh;
                });
            }
            for (switch_id s : active) {
                here[s] = 0;
            }
            for (switch_id s : touched) {
                here[s] = next[s];
                next[s] = 0;
            }
            active.swap(touched);
        }
    }

    /// Bit j of row i becomes bit i of row j (Warren, Hacker's Delight, section 7-3).
    static void transpose(std::array<word, 64>& rows) {
        word mask = 0x00000000FFFFFFFF;
        for (unsigned step = 32; step != 0; step >>= 1, mask ^= mask << step) {
            for (unsigned row = 0; row < 64; row = ((row | step) + 1) & ~step) {
                const word swapped = ((rows[row] >> step) ^ rows[row | step]) & mask;
                rows[row] ^= swapped << step;
                rows[row | step] ^= swapped;
            }
        }
    }

    const switch_graph& m_graph;
    std::size_t m_batches;
    std::vector<remainders> m_rest;
};

}  // namespace weir::model
