// iSLIP: the iterative round-robin crossbar arbiter of McKeown, "The iSLIP Scheduling Algorithm for
// Input-Queued Switches", IEEE/ACM Transactions on Networking 7(2), 1999, with strict priority classes (its
// section on priorities).
//
// Each iteration has three steps. Request: every free ingress port asks every free egress port that it has
// an eligible frame for. Grant: each egress port takes its highest class that is asked for, and in it the
// ingress port at or after its grant pointer. Accept: each ingress port takes its highest granted class, and
// in it the egress port at or after its accept pointer. There is a grant pointer per egress port and class
// and an accept pointer per ingress port and class. Both move to one beyond the partner, and only for a
// grant that was accepted in the first iteration of a run: that is what desynchronises the egress ports
// under load, and what keeps any VOQ from starving.
//
//   islip arbiter(8);
//   crossbar_requests requests(8);
//   requests.add(0, 2, 7);
//   std::vector<crossbar_match> matches;
//   const port_bitmap all = port_bitmap::first_ports(8);
//   arbiter.arbitrate(requests, all, all, 4, matches);   // appends {0, 2, 7}; pointers: 1 and 3
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/model/crossbar/arbiter.h"

namespace weir::model {

/// Watches nothing. An observer has these members; iterations are counted from 0. A run that has nothing
/// left to grant ends early, so its last iterations may have no calls.
struct silent_observer {
    /// The egress port offers itself to the ingress port.
    void granted(unsigned, unsigned /*egress_port*/, unsigned /*ingress_port*/, pfc_class) {}
    /// The ingress port took that offer: a match.
    void accepted(unsigned, unsigned /*egress_port*/, unsigned /*ingress_port*/, pfc_class) {}
};

namespace detail {

/// A port_bitmap's first word: all that a switch of up to 64 ports needs, at half the instructions.
class port_word {
 public:
    constexpr port_word() = default;
    constexpr explicit port_word(const port_bitmap& ports) : m_bits(ports.word(0)) {}

    constexpr void set(unsigned port) { m_bits |= std::uint64_t{1} << port; }
    constexpr void reset(unsigned port) { m_bits &= ~(std::uint64_t{1} << port); }
    constexpr bool any() const { return m_bits != 0; }
    constexpr bool none() const { return m_bits == 0; }
    constexpr unsigned count() const { return static_cast<unsigned>(__builtin_popcountll(m_bits)); }
    constexpr unsigned first() const { return static_cast<unsigned>(__builtin_ctzll(m_bits)); }
    constexpr unsigned first_from(unsigned pointer) const {
        const std::uint64_t at_or_after = m_bits & (~std::uint64_t{0} << pointer);
        return static_cast<unsigned>(__builtin_ctzll(at_or_after != 0 ? at_or_after : m_bits));
    }
    constexpr unsigned nth(unsigned n) const {
        std::uint64_t bits = m_bits;
        for (; n > 0; --n) {
            bits &= bits - 1;
        }
        return static_cast<unsigned>(__builtin_ctzll(bits));
    }
    friend constexpr port_word operator&(port_word a, port_word b) { return a.m_bits &= b.m_bits, a; }

 private:
    std::uint64_t m_bits = 0;
};

/// Request, grant, accept, as iSLIP, PIM and round robin share them; `Rules` makes the choices:
///
///     unsigned grant(egress, class, candidates)     the ingress port chosen from a set that is not empty
///     bool prefers(ingress, class, offer, held, n)  whether the n-th offer (2, 3, ..) of a class replaces
///                                                   the one held
///     void accepted(ingress, egress, class, first)  a match, in the first iteration or not
///
/// Only ports with work are touched. After an iteration only the egress ports whose grant was refused can
/// be matched still: one that found no free ingress port to grant will not find one later, because free
/// ingress ports only become fewer. So a run ends as soon as every grant was accepted.
class request_grant_accept {
 public:
    explicit request_grant_accept(unsigned ports) : m_ports(ports) {}

    template <class Rules, class Observer>
    void run(const crossbar_requests& requests, const port_bitmap& free_ingress, const port_bitmap& free_egress,
             unsigned iterations, std::vector<crossbar_match>& matches, Rules rules, Observer&& observer) {
        if (m_ports <= 64) {
            iterate(requests, port_word(free_ingress), port_word(free_egress), iterations, matches, rules,
                    observer);
        } else {
            iterate(requests, free_ingress, free_egress, iterations, matches, rules, observer);
        }
    }

 private:
    template <class Set, class Rules, class Observer>
    void iterate(const crossbar_requests& requests, Set ingress_left, Set contenders, unsigned iterations,
                 std::vector<crossbar_match>& matches, Rules& rules, Observer& observer) {
        // until_maximal, which is 0, wraps to a bound that no run reaches: each iteration matches a pair.
        const unsigned last = iterations - 1;
        for (unsigned iteration = 0;; ++iteration) {
            unsigned grants = 0;
            unsigned holders = 0;
            for (unsigned left = requests.classes(); left != 0;) {
                const auto c = static_cast<pfc_class>(31 - __builtin_clz(left));
                left ^= 1U << c;
                Set asked = Set(requests.eligible_egress(c)) & contenders;
                for (unsigned g = 0; g < grants; ++g) {
                    asked.reset(m_granted[g]);  // has granted in a higher class
                }
                if (grants == 0 && left == 0 && asked.any()) {
                    // The usual case in a switch: one egress port has work. Its grant is accepted.
                    const unsigned egress = asked.first();
                    asked.reset(egress);
                    if (asked.none()) {
                        const Set candidates = Set(requests.eligible_ingress(egress, c)) & ingress_left;
                        if (!candidates.none()) {
                            const unsigned ingress = rules.grant(egress, c, candidates);
                            observer.granted(iteration, egress, ingress, c);
                            match(ingress, egress, c, iteration, matches, rules, observer);
                        }
                        return;
                    }
                    asked.set(egress);
                }
                while (!asked.none()) {
                    const unsigned egress = asked.first();
                    asked.reset(egress);
                    const Set candidates = Set(requests.eligible_ingress(egress, c)) & ingress_left;
                    if (candidates.none()) {
                        continue;
                    }
                    const unsigned ingress = rules.grant(egress, c, candidates);
                    observer.granted(iteration, egress, ingress, c);
                    m_granted[grants++] = static_cast<std::uint8_t>(egress);
                    // Classes come from the highest: an ingress port's first offer has its best class.
                    offer& held = m_held[ingress];
                    if (held.count == 0) {
                        held = offer{1, static_cast<std::uint8_t>(egress), c};
                        m_holders[holders++] = static_cast<std::uint8_t>(ingress);
                    } else if (held.frame_class == c &&
                               rules.prefers(ingress, c, egress, held.egress_port, ++held.count)) {
                        held.egress_port = static_cast<std::uint8_t>(egress);
                    }
                }
            }
            for (unsigned h = 0; h < holders; ++h) {
                const std::uint8_t ingress = m_holders[h];
                offer& held = m_held[ingress];
                held.count = 0;
                match(ingress, held.egress_port, held.frame_class, iteration, matches, rules, observer);
            }
            if (grants == holders || iteration == last) {
                return;
            }
            contenders = Set();
            for (unsigned g = 0; g < grants; ++g) {
                contenders.set(m_granted[g]);
            }
            for (unsigned h = 0; h < holders; ++h) {
                ingress_left.reset(m_holders[h]);
                contenders.reset(m_held[m_holders[h]].egress_port);
            }
        }
    }

    template <class Rules, class Observer>
    static void match(unsigned ingress, unsigned egress, pfc_class c, unsigned iteration,
                      std::vector<crossbar_match>& matches, Rules& rules, Observer& observer) {
        observer.accepted(iteration, egress, ingress, c);
        rules.accepted(ingress, egress, c, iteration == 0);
        matches.push_back({static_cast<std::uint8_t>(ingress), static_cast<std::uint8_t>(egress), c});
    }

    /// The best offer of an iteration so far. A count of 0 says that there is none.
    struct offer {
        std::uint16_t count = 0;
        std::uint8_t egress_port = 0;
        pfc_class frame_class = 0;
    };
    std::array<offer, max_ports> m_held{};
    /// Egress ports that granted, and ingress ports that accepted, in this iteration.
    std::array<std::uint8_t, max_ports> m_granted{};
    std::array<std::uint8_t, max_ports> m_holders{};
    unsigned m_ports;
};

/// A round-robin pointer per port and class, each in [0, ports).
class arbiter_pointers {
 public:
    explicit arbiter_pointers(unsigned ports) : m_pointers(ports * pfc_classes), m_ports(ports) {}

    unsigned operator()(unsigned port, pfc_class c) const { return m_pointers[port * pfc_classes + c]; }
    void move_beyond(unsigned port, pfc_class c, unsigned partner) {
        const unsigned next = partner + 1;
        m_pointers[port * pfc_classes + c] = static_cast<std::uint8_t>(next == m_ports ? 0 : next);
    }
    /// Whether `a` comes before `b` in the order that begins at the pointer and wraps.
    bool before(unsigned port, pfc_class c, unsigned a, unsigned b) const {
        const unsigned pointer = (*this)(port, c);
        return static_cast<std::uint8_t>(a - pointer) < static_cast<std::uint8_t>(b - pointer);
    }

 private:
    std::vector<std::uint8_t> m_pointers;
    unsigned m_ports;
};

}  // namespace detail

class islip {
 public:
    static constexpr kind_text kind{"islip", "prioritised iSLIP (McKeown 1999)"};

    /// All pointers start at 0. Range of ports: 1 to max_ports.
    explicit islip(unsigned ports) : m_grant(ports), m_accept(ports), m_engine(ports) {}

    /// One run; appends its matches. Only ports of `free_ingress` and `free_egress` are matched, and only
    /// eligible pairs. `iterations` bounds the run; `until_maximal` leaves no eligible pair of free ports.
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations, std::vector<crossbar_match>& matches);

    /// A run whose only request is this pair: it is granted and accepted in the first iteration.
    bool arbitrate_lone(const crossbar_match& pair) {
        rules{*this}.accepted(pair.ingress_port, pair.egress_port, pair.frame_class, true);
        return true;
    }

    /// The same run, with every grant and accept reported (see `silent_observer`).
    template <class Observer>
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations, std::vector<crossbar_match>& matches,
                   Observer&& observer) {
        m_engine.run(requests, free_ingress, free_egress, iterations, matches, rules{*this}, observer);
    }

    /// Ingress port that this egress port prefers in its next grant of the class.
    unsigned grant_pointer(unsigned egress_port, pfc_class c) const { return m_grant(egress_port, c); }
    /// Egress port that this ingress port prefers in its next accept of the class.
    unsigned accept_pointer(unsigned ingress_port, pfc_class c) const { return m_accept(ingress_port, c); }

 private:
    struct rules {
        islip& m;

        template <class Set>
        unsigned grant(unsigned egress, pfc_class c, const Set& candidates) const {
            return candidates.first_from(m.m_grant(egress, c));
        }
        bool prefers(unsigned ingress, pfc_class c, unsigned offer, unsigned held, unsigned) const {
            return m.m_accept.before(ingress, c, offer, held);
        }
        void accepted(unsigned ingress, unsigned egress, pfc_class c, bool first_iteration) const {
            if (first_iteration) {
                m.m_grant.move_beyond(egress, c, ingress);
                m.m_accept.move_beyond(ingress, c, egress);
            }
        }
    };

    detail::arbiter_pointers m_grant;
    detail::arbiter_pointers m_accept;
    detail::request_grant_accept m_engine;
};

}  // namespace weir::model
