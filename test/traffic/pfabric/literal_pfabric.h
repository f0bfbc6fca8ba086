// pFabric's two ends as its paper says them (SIGCOMM 2013, section 4.3), frame by frame, on sets: an oracle.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "weir/base/time.h"

namespace weir::test {

/// What an ACK says: all frames before `next` have arrived, and perhaps one behind a gap.
struct literal_ack {
    std::uint64_t next;
    std::optional<std::uint64_t> which;
};

class literal_pfabric_receiver {
 public:
    literal_ack take(std::uint64_t frame) {
        m_arrived.insert(frame);
        return {next(), frame > next() ? std::optional(frame) : std::nullopt};
    }
    std::uint64_t next() const {
        std::uint64_t first = 0;
        while (m_arrived.count(first) != 0) {
            ++first;
        }
        return first;
    }

 private:
    std::set<std::uint64_t> m_arrived;
};

struct literal_pfabric_sender {
    std::uint64_t frames;
    std::uint32_t window;
    picoseconds rto;
    std::uint32_t probe_after;
    std::uint64_t reach;

    std::set<std::uint64_t> confirmed{};
    /// Since the last timeout.
    std::set<std::uint64_t> under_way{};
    std::set<std::uint64_t> ever_sent{};
    std::uint32_t slow_start_end = window;
    std::uint32_t acks = 0;
    std::uint32_t in_row = 0;
    std::uint64_t timeouts = 0;
    std::uint64_t retransmits = 0;
    bool probing = false;
    picoseconds deadline = never;

    std::uint64_t first_missing() const {
        std::uint64_t first = 0;
        while (confirmed.count(first) != 0) {
            ++first;
        }
        return first;
    }
    std::uint64_t left() const { return frames - confirmed.size(); }
    /// What is sent now; nothing where the window, the receiver's or the end forbids it.
    std::optional<std::uint64_t> to_send() const {
        const std::uint64_t first = first_missing();
        for (std::uint64_t f = first; f < frames && f - first < reach; ++f) {
            if (confirmed.count(f) == 0 && under_way.count(f) == 0) {
                return !probing && under_way.size() < window ? std::optional(f) : std::nullopt;
            }
        }
        return std::nullopt;
    }
    void send(std::uint64_t frame, picoseconds now) {
        retransmits += ever_sent.count(frame);
        ever_sent.insert(frame);
        under_way.insert(frame);
        deadline = deadline == never ? now + rto : deadline;
    }
    void hear(literal_ack ack, picoseconds now) {
        const std::uint64_t before = left();
        const std::uint64_t first = first_missing();
        for (std::uint64_t f = 0; f < ack.next; ++f) {
            confirm(f);
        }
        if (ack.which) {
            confirm(*ack.which);
        }
        if (ack.next > first) {
            deadline = under_way.empty() ? never : now + rto;
        }
        if (probing) {
            probing = false;
            in_row = 0;
            deadline = never;
        }
        if (left() == 0) {
            deadline = never;
        } else if (left() < before) {
            in_row = 0;
            if (window < slow_start_end) {
                ++window;
            } else if (++acks >= window) {
                acks = 0;
                ++window;
            }
        }
    }
    /// True: a probe is sent.
    bool time_out(picoseconds now) {
        ++timeouts;
        slow_start_end = window / 2 < 2 ? 2 : window / 2;
        window = 1;
        acks = 0;
        under_way.clear();
        probing = ++in_row >= probe_after;
        deadline = probing ? now + rto : never;
        return probing;
    }

 private:
    void confirm(std::uint64_t frame) {
        confirmed.insert(frame);
        under_way.erase(frame);
    }
};

}  // namespace weir::test
