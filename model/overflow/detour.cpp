#include "weir/model/overflow/detour.h"

#include <algorithm>

#include "weir/model/forwarding/flow_hash_selector.h"

namespace weir::model {

namespace {

/// Those of `ports` that have room for the frame, but for one.
port_bitmap with_room(const port_choice& choice, const port_bitmap& ports, unsigned but) {
    port_bitmap found;
    ports.for_each(
        [&](unsigned port) { found.assign(port, port != but && choice.ports.room->has_room(port)); });
    return found;
}

/// The ports for which `value_of` is lowest.
template <class Value>
port_bitmap lowest(const port_bitmap& ports, Value value_of) {
    port_bitmap found;
    std::uint64_t least = ~std::uint64_t{0};
    ports.for_each([&](unsigned port) {
        const std::uint64_t value = value_of(port);
        if (value < least) {
            found = port_bitmap{};
        }
        if (value <= least) {
            found.set(port);
        }
        least = std::min(least, value);
    });
    return found;
}

}  // namespace

detour::detour(const overflow_setup& setup)
    : m_config(setup.detour),
      m_classes(setup.device.classes),
      m_salt(hash_salt(setup.device.hash_salt, setup.seed, setup.node)),
      m_to_switches(setup.to_switches),
      m_lossless(setup.lossless) {}

frame_action detour::resolve(const port_choice& choice, unsigned selected, ethernet_frame& frame) {
    if (expires(choice, frame)) {
        return frame_action::drop_for(drop_reason::ttl_expired);
    }
    const auto c = static_cast<pfc_class>(std::min<unsigned>(frame.priority, m_classes - 1));
    const bool full = !choice.ports.room->has_room(selected);
    if (!full && !leaves_early(choice, selected, c)) {
        return frame_action::keep;
    }
    if (m_config.shortest_first) {
        const port_bitmap nearer = with_room(choice, choice.acceptable, selected);
        if (nearer.any()) {
            return frame_action::move_to(pick(choice, nearer));
        }
    }
    port_bitmap elsewhere = with_room(choice, choice.ports.to_switches, selected);
    if (!m_config.back && choice.ingress_port != no_port) {
        elsewhere.reset(choice.ingress_port);
    }
    if (elsewhere.any()) {
        const bool marks = m_config.mark && (frame.flags & ecn_capable) != 0;
        frame.flags = static_cast<std::uint8_t>(frame.flags | detoured | (marks ? ecn_marked : 0));
        ++frame.detours;
        return frame_action::move_to(pick(choice, elsewhere));
    }
    const bool waits = !full || (m_lossless >> c & 1) != 0;
    return waits ? frame_action::keep : frame_action::drop_for(drop_reason::no_detour);
}

// The count begins at the first switch, whatever the sender has left in its place.
bool detour::expires(const port_choice& choice, ethernet_frame& frame) const {
    const bool is_first = choice.ingress_port != no_port && !m_to_switches.test(choice.ingress_port);
    const unsigned hops = is_first ? 1 : frame.hops() + 1U;
    frame.set_hops(static_cast<std::uint8_t>(hops));
    return hops >= m_config.ttl;
}

bool detour::leaves_early(const port_choice& choice, unsigned selected, pfc_class c) const {
    if (m_config.policy != detour_policy::probabilistic) {
        return false;
    }
    const double share = early_share(c, choice.ports.room->fill(selected));
    return share > 0 && choice.ports.chance.uniform() < share;
}

double detour::early_share(pfc_class c, double fill) const {
    const double start = m_config.start + (1 - m_config.start) * c / m_classes;
    return start < 1 ? std::min(1.0, std::max(0.0, (fill - start) / (1 - start))) : 0.0;
}

unsigned detour::pick(const port_choice& choice, const port_bitmap& candidates) const {
    port_bitmap best = candidates;
    if (m_config.policy == detour_policy::load_aware) {
        best = lowest(candidates, [&](unsigned port) { return choice.ports.room->held(port); });
    } else if (m_config.policy == detour_policy::flow_based) {
        // Each flow ranks the ports in an order of its own (highest random weight), so that one that fills
        // moves only the flows that had chosen it.
        const std::uint64_t flow = flow_hash_of(choice.frame, m_salt);
        best = lowest(candidates, [&](unsigned port) { return random_stream::mix(flow + port); });
    }
    const unsigned count = best.count();
    return best.nth(count > 1 ? choice.ports.chance.below(count) : 0);
}

}  // namespace weir::model
