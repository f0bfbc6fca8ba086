// A sender that leaves a congested path, as FlowBender does (CoNEXT 2014): when more than a share of a round
// trip's ACKs told of marks, several round trips on end, it takes another tag; and when a timeout says that
// nothing comes through.
#pragma once

#include <memory>

#include "weir/traffic/tcp/path_choices.h"

namespace outside {

struct bending_config {
    /// T: share of marked ACKs beyond which a round trip counts as congested. Paper: 5 %.
    double most_marked = 0.05;
    /// N: congested round trips on end that make a sender leave. Paper: 1.
    unsigned patience = 1;
    /// V: number of paths to choose from. Paper: 8.
    std::uint16_t paths = 8;
};

struct bending_state : weir::traffic::path_state {
    std::uint32_t acks;
    std::uint32_t marked;
    /// Congested round trips on end.
    std::uint32_t congested;
    /// The round trip is over when this is confirmed.
    std::uint64_t round_end;
};

class bending_path final : public weir::traffic::path_choice {
 public:
    explicit bending_path(const bending_config& config) : m_config(config) {}

    std::size_t state_bytes() const override { return sizeof(bending_state); }
    void on_ack(weir::traffic::path_state& state, const weir::traffic::ack_event& ack) const override {
        auto& s = static_cast<bending_state&>(state);
        ++s.acks;
        s.marked += ack.ecn_echo ? 1 : 0;
        if (ack.una <= s.round_end) {
            return;
        }
        const bool congested = s.marked > m_config.most_marked * s.acks;
        s.congested = congested ? s.congested + 1 : 0;
        if (s.congested >= m_config.patience) {
            bend(s);
        }
        s.acks = s.marked = 0;
        s.round_end = ack.max;
    }
    void on_timeout(weir::traffic::path_state& state) const override {
        bend(static_cast<bending_state&>(state));
    }

 private:
    /// The next of `paths` tags: the tag's remainder changes, and comes round.
    void bend(bending_state& s) const {
        const auto base = static_cast<std::uint16_t>(s.tag - s.tag % m_config.paths);
        s.tag = static_cast<std::uint16_t>(base + (s.tag % m_config.paths + 1) % m_config.paths);
        s.congested = 0;
    }

    bending_config m_config;
};

inline weir::traffic::path_kind add_bending_path(const bending_config& config = {}) {
    return weir::traffic::path_choices().add(
        {"bending", "leaves a path whose frames come back marked",
         [config](const weir::traffic::tcp_config&) { return std::make_unique<bending_path>(config); }});
}

}  // namespace outside
