// Frames between two ranks, which are threads here: what a sender writes into the place of a far port is at the
// port itself after the barrier, with its annex, in the order of sending.
#include "weir/model/ranks/frame_exchange.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/thread_team.h"

using namespace weir;
using namespace weir::model;
using namespace weir::test;

namespace {

constexpr std::uint32_t far_end_node = 7;
constexpr unsigned far_ports = 3;

ethernet_frame sent_frame(std::uint16_t length) {
    ethernet_frame frame;
    frame.frame_bytes = length;
    return frame;
}

/// Rank 0 has senders, rank 1 the node whose ports 0 to 2 they lead to. Frames of port 2 carry annexes.
class two_parts {
 public:
    two_parts() {
        for (unsigned rank = 0; rank < 2; ++rank) {
            m_clocks[rank].end = 1us;
            m_exchanges.push_back(
                std::make_unique<frame_exchange>(*m_owners[rank], m_clocks[rank], m_team.rank(rank)));
        }
        port_config link;
        link.rate = 10_Gbps;
        link.latency = 2us;
        for (unsigned port = 0; port < far_ports; ++port) {
            const bool annexes = port == 2;
            auto& output = m_outputs.emplace_back(std::make_unique<wire_output>(*m_owners[0], port));
            output->connect(m_exchanges[0]->far_input(far_end_node, 1, port, link, annexes));
            output->configure(link);
            output->find_peer();
            auto& input =
                m_inputs.emplace_back(std::make_unique<wire_input>(*m_owners[1], port, m_clocks[1], received));
            input->configure(link);
            if (annexes) {
                input->carry_annexes();
            }
            m_exchanges[1]->add(far_end_node, *input, 0);
        }
        // No link leads back, but both are neighbours of each other.
    }
    void send(unsigned port, std::uint16_t length, picoseconds at) {
        ethernet_frame frame = sent_frame(length);
        if (m_outputs[port]->is_plain()) {
            m_outputs[port]->send(frame, at, m_outputs[port]->wire_time(bytes{length}), m_clocks[0], 0);
            return;
        }
        frame_annex annex;
        annex.switches = length;
        m_outputs[port]->send_noting(frame, at, at + 2us, 0, &annex);
    }
    void exchange() {
        m_team.run([&](rank_team& rank) { m_exchanges[rank.rank()]->exchange(); });
    }
    /// Lengths, in the order in which the node takes them; of port 2 annexes are compared.
    std::vector<std::vector<unsigned>> take() {
        std::vector<std::vector<unsigned>> lengths(far_ports);
        const unsigned side = m_clocks[1].writing;
        m_clocks[1].writing ^= 1;
        received.for_each(side, [&](const wire_arrival& arrival) {
            lengths[arrival.port()].push_back(arrival.frame.frame_bytes);
            if (arrival.port() == 2) {
                EXPECT_EQ(m_inputs[2]->take_annex().switches, arrival.frame.frame_bytes);
            }
        });
        received.clear(side);
        m_clocks[0].writing ^= 1;
        return lengths;
    }
    const frame_exchange& of(unsigned rank) const { return *m_exchanges[rank]; }
    bool is_empty() const { return !received.any(m_clocks[1].writing); }

 private:
    struct owner : sc_core::sc_module {
        explicit owner(const sc_core::sc_module_name& name) : sc_module(name) {}
    };
    thread_team m_team{2};
    std::unique_ptr<owner> m_owners[2] = {std::make_unique<owner>("here"), std::make_unique<owner>("there")};
    simulation_clock m_clocks[2];
    inbox received;
    std::vector<std::unique_ptr<frame_exchange>> m_exchanges;
    std::vector<std::unique_ptr<wire_output>> m_outputs;
    std::vector<std::unique_ptr<wire_input>> m_inputs;
};

TEST(frame_exchange, brings_frames_and_annexes_to_their_ports_in_the_order_of_sending) {
    two_parts parts;
    EXPECT_EQ(parts.of(0).neighbours(), 1U);
    EXPECT_EQ(parts.of(1).neighbours(), 1U);
    EXPECT_EQ(parts.of(0).cut_links(), 0U);
    EXPECT_EQ(parts.of(1).cut_links(), far_ports);
    for (std::uint16_t quantum = 0; quantum < 6; ++quantum) {
        std::vector<std::vector<unsigned>> expected(far_ports);
        const auto put = [&](unsigned port, std::uint16_t length, picoseconds at) {
            parts.send(port, length, at);
            expected[port].push_back(length);
        };
        const auto length = static_cast<std::uint16_t>(100 + quantum);
        if (quantum != 3) {  // nothing at all then
            put(2, length, 0ns);
            put(0, length, 100ns);
            put(2, static_cast<std::uint16_t>(length + 200), 300ns);
            put(2, static_cast<std::uint16_t>(length + 100), 600ns);
            put(1, length, 700ns);
        }
        EXPECT_TRUE(parts.is_empty());
        parts.exchange();
        EXPECT_EQ(parts.take(), expected) << quantum;
        EXPECT_TRUE(parts.is_empty());
    }
}

}  // namespace
