#include "weir/model/ranks/frame_exchange.h"

#include <algorithm>
#include <cstring>

namespace weir::model {

std::size_t frame_exchange::neighbour(unsigned rank) {
    for (std::size_t i = 0; i < m_mail.size(); ++i) {
        if (m_mail[i].neighbour == rank) {
            return i;
        }
    }
    m_mail.push_back({rank, {}, {}});
    return m_mail.size() - 1;
}

wire_input& frame_exchange::far_input(std::uint32_t node, unsigned rank, unsigned port, const port_config& link,
                                      bool annexes) {
    far_node*& found = m_far_node_of[node];
    if (found == nullptr) {
        m_far_nodes.push_back(std::make_unique<far_node>());
        found = m_far_nodes.back().get();
        found->neighbour = neighbour(rank);
        found->node = node;
    }
    if (found->inputs.size() <= port) {
        found->inputs.resize(port + std::size_t{1});
    }
    std::unique_ptr<wire_input>& input = found->inputs[port];
    input = std::make_unique<wire_input>(m_owner, port, m_clock, found->mail);
    input->configure(link);
    if (annexes) {
        input->carry_annexes();
    }
    return *input;
}

wire_input* frame_exchange::find(std::uint32_t node, unsigned port) {
    const auto found = m_far_node_of.find(node);
    if (found == m_far_node_of.end() || port >= found->second->inputs.size()) {
        return nullptr;
    }
    return found->second->inputs[port].get();
}

void frame_exchange::add(std::uint32_t node, wire_input& input, unsigned rank) {
    neighbour(rank);
    std::vector<wire_input*>& inputs = m_inputs[node];
    inputs.resize(std::max<std::size_t>(inputs.size(), input.port() + std::size_t{1}));
    inputs[input.port()] = &input;
    ++m_cut_links;
}

void frame_exchange::set_lanes(unsigned lanes) {
    for (const auto& each : m_far_nodes) {
        each->mail.set_lanes(lanes);
    }
}

void frame_exchange::exchange() {
    for (rank_mail& mail : m_mail) {
        mail.sent.clear();
    }
    for (const auto& each : m_far_nodes) {
        if (each->mail.any(m_clock.writing)) {
            pack(*each);
        }
    }
    m_team.exchange(m_mail);
    for (const rank_mail& mail : m_mail) {
        unpack(mail.received);
    }
}

// The node, how many frames, and each of them as `wire_input::pack` has it.
void frame_exchange::pack(far_node& from) {
    const unsigned side = m_clock.writing;
    std::vector<char>& to = m_mail[from.neighbour].sent;
    const std::uint32_t head[] = {from.node, static_cast<std::uint32_t>(from.mail.size(side))};
    const char* const octets = reinterpret_cast<const char*>(head);
    to.insert(to.end(), octets, octets + sizeof(head));
    from.mail.for_each(side,
                       [&](const wire_arrival& arrival) { from.inputs[arrival.port()]->pack(arrival, to); });
    from.mail.clear(side);
}

void frame_exchange::unpack(const std::vector<char>& octets) {
    const char* from = octets.data();
    const char* const end = from + octets.size();
    while (from != end) {
        std::uint32_t head[2];
        std::memcpy(head, from, sizeof(head));
        from += sizeof(head);
        const std::vector<wire_input*>& inputs = m_inputs.at(head[0]);
        for (std::uint32_t left = head[1]; left > 0; --left) {
            wire_arrival arrival;
            std::memcpy(static_cast<void*>(&arrival), from, sizeof(arrival));
            from = inputs[arrival.port()]->unpack(from);
        }
    }
}

}  // namespace weir::model
