// FlowBender (Kabbani, Vamanan, Hasan, Duchene; CoNEXT 2014): a sender leaves a path on which more than a share
// of a round trip's ACKs tell of marks, and one on which a timeout says that nothing comes through. Which path
// a number V means is up to the switches, which hash it with the addresses; so it may be a redundant one.
//
// V is added to the tag that the transfer began with. What F of a path is comes from the ACKs of segments that
// went by it: receivers answer with the tag of the segment that they answer. In the round trip after a change
// there are none of the new path; it is not judged. Beyond the basic algorithm (section 3): a random number
// of congested round trips (3.4.2), a lock on the best path after several changes in a row (5.1), change in
// steps of a tenth of the segments (5.2), probes by single segments, and numbers that are not taken again for a
// while (5.4).
//
//   flowbender path(flowbender_config{});
//   flowbender_state s;
//   path.open(s, 7);
//   path.on_ack(s, event);                    // s.tag is another one when the path is congested
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/traffic/congestion/path_choice.h"

namespace weir::traffic {

struct flowbender_config {
    static constexpr unsigned most_paths = 16;
    static constexpr const char* used = "tcp.path_choice = flowbender";

    double threshold = 0.05;
    unsigned rounds = 1;
    bool random_rounds = false;
    unsigned paths = 8;
    unsigned lock_after = 0;
    unsigned lock_rounds = 10;
    bool gradual = false;
    unsigned probe_every = 0;
    double probe_threshold = 0.02;
    unsigned avoid_rounds = 0;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(over_tcp, used);
        fields(field("threshold", &self::threshold)
                   .range(0.0, 1.0)
                   .share()
                   .help("T: a round trip is congested if more than this share of its ACKs tell of marks.")
                   .source("FlowBender 3.4: 5 %, 1 to 10 % tried"));
        fields(field("rounds", &self::rounds)
                   .range(1U, 255U)
                   .help("N: congested round trips in a row after which a sender takes another path.")
                   .source("FlowBender 3.4.1: 1; 2 tried"));
        fields(field("random_rounds", &self::random_rounds)
                   .help("Draw N anew after each change: one less, the same or one more, at least 1.")
                   .source("FlowBender 3.4.2"));
        fields(field("paths", &self::paths)
                   .range(2U, most_paths)
                   .help("Number of values of V.")
                   .source("FlowBender 3.3: 8"));
        fields(field("lock_after", &self::lock_after)
                   .range(0U, 255U)
                   .help("S: the S-th change without an uncongested round trip in between leads to the least "
                         "congested of the paths tried, and the sender stays there. 0: never.")
                   .source("FlowBender 5.1: 5, with N = 2"));
        fields(field("lock_rounds", &self::lock_rounds)
                   .range(1U, 65'535U)
                   .needs("flowbender.lock_after above 0")
                   .help("U: round trips for which the sender stays there (flowbender.lock_after).")
                   .source("FlowBender 5.1: 10"));
        fields(field("gradual", &self::gradual)
                   .help("A new path first gets every tenth segment, and a tenth more after each uncongested "
                         "round trip. After a congested one, another path is tried.")
                   .source("FlowBender 5.2"));
        fields(field("probe_every", &self::probe_every)
                   .range(0U, 65'535U)
                   .help("One segment in this many is a probe of another path: its ACK tells whether it was "
                         "marked. 0: no probes.")
                   .source("FlowBender 5.4; footnote 6: every 10th"));
        fields(field("probe_threshold", &self::probe_threshold)
                   .range(0.0, 1.0)
                   .share()
                   .needs("flowbender.probe_every above 0")
                   .help("T': above this share of marked ACKs a sender moves to the path of a probe that came "
                         "back unmarked; at most flowbender.threshold.")
                   .source("FlowBender 5.4 gives no number"));
        fields(field("avoid_rounds", &self::avoid_rounds)
                   .range(0U, 65'535U)
                   .help("Round trips for which a sender does not return to a congested path, unless it has "
                         "left all others too. 0: it may return at once.")
                   .source("FlowBender 5.4 gives no number"));
    }

    config_errors validate() const;
};

/// Zeros, but for `tag`, are its beginning; `open` has to be called.
struct flowbender_state : path_state {
    static constexpr std::uint8_t no_path = 255;

    /// Value of V that is in use, the one that gets a part of the segments, and the one whose probe came back
    /// without a mark.
    std::uint8_t path;
    std::uint8_t trial;
    std::uint8_t good;
    /// Of the probe that is on its way.
    std::uint8_t probed;
    /// Tenths of the segments that go by `trial`.
    std::uint8_t trial_tenths;
    /// Congested round trips in a row, and how many make the sender leave.
    std::uint8_t congested;
    std::uint8_t patience;
    /// Changes in a row, and the best of the paths that were left.
    std::uint8_t changes;
    std::uint8_t best;
    /// The tag with V = 0.
    std::uint16_t home;
    /// ACKs of this round trip by the present paths, those with marks, and both for `best`.
    std::uint32_t acks;
    std::uint32_t marked;
    std::uint32_t best_acks;
    std::uint32_t best_marked;
    std::uint32_t segments;
    /// Number of the round trip; the lock ends with this one.
    std::uint32_t round;
    std::uint32_t locked_until;
    std::uint32_t draws;
    std::uint64_t flow;
    /// The round trip is over when this is confirmed.
    std::uint64_t round_end;
    /// End of the probe's segment; 0: none is on its way.
    std::uint64_t probe_end;
    /// By path: not to be taken before this round trip.
    std::array<std::uint32_t, flowbender_config::most_paths> avoided_until;
};

class flowbender final : public path_choice {
 public:
    explicit flowbender(const flowbender_config& config) : m_config(config) {}

    std::size_t state_bytes() const override { return sizeof(flowbender_state); }
    void open(path_state& state, std::uint64_t flow) const override;
    void on_ack(path_state& state, const ack_event& ack) const override;
    void on_timeout(path_state& state) const override;
    bool counts_marks() const override { return true; }
    bool marks_segments() const override { return m_config.gradual || m_config.probe_every > 0; }
    std::uint16_t tag_of_segment(path_state& state, std::uint64_t end, bool again) const override;

 private:
    void end_round(flowbender_state& s) const;
    void take_probe(flowbender_state& s, const ack_event& ack) const;
    void leave(flowbender_state& s) const;
    void move_to(flowbender_state& s, std::uint8_t path) const;
    std::uint8_t another_path(flowbender_state& s) const;
    void draw_patience(flowbender_state& s) const;

    const flowbender_config m_config;
};

}  // namespace weir::traffic
