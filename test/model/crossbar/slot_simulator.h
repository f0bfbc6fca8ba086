// Slotted input-queued switches round a real arbiter, for queueing oracles; and means with confidence.
//
// A slot is: arrivals, one run of the arbiter, departures. The delay of a cell is the number of its
// departure slot less that of its arrival slot, so a cell that leaves in the slot of its arrival has delay
// 0. The mean delay comes from Little's law: cells queued at the end of a slot, summed over the slots,
// divided by the cells that arrived in them.
//
//   voq_switch<islip> crossbar(16, islip(16), 4);
//   double slots = mean_delay(crossbar, uniform_arrivals(16, 0.8, seed), 20'000, 200'000);
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/rng.h"
#include "weir/model/crossbar/arbiter.h"

namespace weir::test {

using namespace model;

/// Cells in virtual output queues without a limit; every slot begins with all ports free.
template <class Arbiter>
class voq_switch {
 public:
    voq_switch(unsigned ports, Arbiter arbiter, unsigned iterations)
        : m_arbiter(std::move(arbiter)),
          m_requests(ports),
          m_all(port_bitmap::first_ports(ports)),
          m_ports(ports),
          m_iterations(iterations),
          m_voq(ports * ports) {
        m_matches.reserve(ports);
    }

    void arrive(unsigned ingress, unsigned egress) {
        if (m_voq[ingress * m_ports + egress]++ == 0) {
            m_requests.add(ingress, egress, 0);
        }
        ++m_queued;
        ++m_arrived;
    }
    void serve() {
        m_matches.clear();
        m_arbiter.arbitrate(m_requests, m_all, m_all, m_iterations, m_matches);
        for (const crossbar_match& m : m_matches) {
            if (--m_voq[m.ingress_port * m_ports + m.egress_port] == 0) {
                m_requests.remove(m.ingress_port, m.egress_port, 0);
            }
        }
        m_queued -= m_matches.size();
    }

    std::uint64_t queued() const { return m_queued; }
    std::uint64_t arrived() const { return m_arrived; }

 private:
    Arbiter m_arbiter;
    crossbar_requests m_requests;
    port_bitmap m_all;
    unsigned m_ports;
    unsigned m_iterations;
    std::vector<std::uint32_t> m_voq;
    std::vector<crossbar_match> m_matches;
    std::uint64_t m_queued = 0;
    std::uint64_t m_arrived = 0;
};

/// A cell for each ingress port with probability `load` per slot; egress ports are equally likely.
class uniform_arrivals {
 public:
    uniform_arrivals(unsigned ports, double load, std::uint64_t seed)
        : m_random(seed, 0, random_purpose::arrivals),
          m_ports(ports),
          m_threshold(static_cast<std::uint64_t>(load * 0x1p32)) {}

    template <class Switch>
    void operator()(Switch& crossbar) {
        for (unsigned ingress = 0; ingress < m_ports; ++ingress) {
            const std::uint64_t draw = m_random();  // upper half: whether; lower half: whither
            if (draw >> 32 < m_threshold) {
                crossbar.arrive(ingress, static_cast<unsigned>((draw & 0xFFFF'FFFF) * m_ports >> 32));
            }
        }
    }

 private:
    random_stream m_random;
    unsigned m_ports;
    std::uint64_t m_threshold;
};

/// One busy egress port: each ingress port has a cell for it with probability load / ports.
class single_egress_arrivals {
 public:
    single_egress_arrivals(unsigned ports, double load, std::uint64_t seed)
        : m_random(seed, 0, random_purpose::arrivals),
          m_ports(ports),
          m_threshold(static_cast<std::uint64_t>(load / ports * 0x1p64)) {}

    template <class Switch>
    void operator()(Switch& crossbar) {
        for (unsigned ingress = 0; ingress < m_ports; ++ingress) {
            if (m_random() < m_threshold) {
                crossbar.arrive(ingress, 1);
            }
        }
    }

 private:
    random_stream m_random;
    unsigned m_ports;
    std::uint64_t m_threshold;
};

/// One busy egress port: a Poisson number of cells per slot, each at a random ingress port.
class poisson_arrivals {
 public:
    poisson_arrivals(unsigned ports, double load, std::uint64_t seed)
        : m_random(seed, 0, random_purpose::arrivals), m_ports(ports), m_none(std::exp(-load)) {}

    template <class Switch>
    void operator()(Switch& crossbar) {
        for (double p = m_random.uniform(); p > m_none; p *= m_random.uniform()) {
            crossbar.arrive(m_random.below(m_ports), 1);
        }
    }

 private:
    random_stream m_random;
    unsigned m_ports;
    double m_none;
};

/// Unit: slots. The first `warm_up` slots do not count.
template <class Switch, class Arrivals>
double mean_delay(Switch crossbar, Arrivals arrivals, std::uint64_t warm_up, std::uint64_t slots) {
    std::uint64_t cell_slots = 0;
    std::uint64_t arrived_before = 0;
    for (std::uint64_t slot = 0; slot < warm_up + slots; ++slot) {
        if (slot == warm_up) {
            cell_slots = 0;
            arrived_before = crossbar.arrived();
        }
        arrivals(crossbar);
        crossbar.serve();
        cell_slots += crossbar.queued();
    }
    return static_cast<double>(cell_slots) / static_cast<double>(crossbar.arrived() - arrived_before);
}

/// One FIFO per ingress port that never runs empty: only its first cell can be served. Returns the share
/// of ports matched per slot.
template <class Arbiter>
double saturated_fifo_throughput(unsigned ports, Arbiter arbiter, std::uint64_t warm_up, std::uint64_t slots,
                                 std::uint64_t seed) {
    random_stream random{seed, 0, random_purpose::destinations};
    crossbar_requests requests(ports);
    const port_bitmap all = port_bitmap::first_ports(ports);
    for (unsigned ingress = 0; ingress < ports; ++ingress) {
        requests.add(ingress, random.below(ports), 0);
    }
    std::vector<crossbar_match> matches;
    std::uint64_t served = 0;
    for (std::uint64_t slot = 0; slot < warm_up + slots; ++slot) {
        matches.clear();
        arbiter.arbitrate(requests, all, all, 1, matches);
        for (const crossbar_match& m : matches) {
            requests.remove(m.ingress_port, m.egress_port, 0);
            requests.add(m.ingress_port, random.below(ports), 0);
        }
        served += slot < warm_up ? 0 : matches.size();
    }
    return static_cast<double>(served) / static_cast<double>(slots * ports);
}

/// A mean and half of its 95 % confidence interval.
struct estimate {
    double mean;
    double half_width;
};

/// Seeds per estimate, and Student's t for them at 95 % (7 degrees of freedom).
inline constexpr unsigned seeds = 8;
inline constexpr double student_t = 2.365;

/// Mean over independent runs; `measure(seed)` makes one, for seeds 1 to 8.
template <class Measure>
estimate over_seeds(Measure&& measure) {
    double sum = 0;
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const double value = measure(seed);
        sum += value;
        squares += value * value;
    }
    const double mean = sum / seeds;
    const double variance = std::fmax(0, squares / seeds - mean * mean) * seeds / (seeds - 1);
    return {mean, student_t * std::sqrt(variance / seeds)};
}

}  // namespace weir::test
