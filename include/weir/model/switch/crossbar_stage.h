// A switch's crossbar: from VOQs to egress memory, by whole frames or cell by cell.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/crossbar/cell_streams.h"
#include "weir/model/switch/packet_memory.h"
#include "weir/model/switch/prefetcher.h"

namespace weir::model {

class crossbar_stage {
 public:
    explicit crossbar_stage(const switch_core& core);

    /// The frame enters its VOQ and competes for the crossbar.
    template <class Path>
    void request(frame_slot slot, const frame_route& route);
    /// Does the same on `direct_path`: a frame that alone wants to cross in this instant needs no VOQ.
    void request_new(frame_slot slot, const frame_route& route);
    /// After all events of an instant.
    template <class Path>
    void finish_requests();
    template <class Path>
    [[gnu::noinline]] void on_slot();
    /// If there is a slot in this instant, it is over.
    void pass_slot() {
        if (m_streams.count() != 0) {
            pass_present_slot();
        }
    }
    /// The frame has crossed.
    template <class Path>
    void free_ports(const frame_route& route);

    /// Frames, or cells, that have begun to cross since the end of the warm-up, up to when the node was settled
    /// last.
    std::uint64_t matches() const { return m_matches_settled - m_matches_before; }
    void settle_matches(picoseconds now);
    void restart_matches() { m_matches_before = m_matches_settled; }
    /// Time of one cell, or of a frame with what it takes on the wire.
    picoseconds transfer_time(bytes wire_bytes) const { return m_crossbar(wire_bytes); }
    /// Fetches the lines that each frame reads first.
    void prefetch_free_ports() const { prefetch_lines<3>(&m_free_ingress); }

 private:
    [[gnu::always_inline]] void match_lone(frame_slot slot);
    template <class Path>
    [[gnu::noinline, gnu::flatten]] void arbitrate_frames();
    template <class Path>
    void take_from_voq(const crossbar_match& match);
    template <class Path>
    void begin_transfer(frame_slot slot, const stored_frame& stored);
    template <class Path>
    [[gnu::always_inline]] bool run_slot();
    template <class Path>
    void begin_cells(stored_frame& stored);
    template <class Path>
    [[gnu::always_inline]] void move_cell(const crossbar_match& match);
    void begin_stream(const crossbar_match& match);
    void end_stream(const crossbar_match& match);
    void stop_streams(const frame_route& rival);
    void stop_stream(unsigned egress_port);
    bool is_allowed(const crossbar_match& match);
    bool are_allowed();

    void pass_present_slot();

    switch_core& core();
    packet_memory& memory();
    const prefetcher& ahead();

    // Ports that take part in no transfer of a frame, and in no stream of cells.
    port_bitmap m_free_ingress;
    port_bitmap m_free_egress;
    serializer m_crossbar;
    std::vector<crossbar_match> m_matches;
    cell_streams m_streams;
    // An arbiter whose runs take time is busy until then.
    picoseconds m_arbiter_free{0};
    // When the node was settled last, without cells of streams that have not begun to cross; at the end of the
    // warm-up.
    std::uint64_t m_matches_settled = 0;
    std::uint64_t m_matches_before = 0;
};

}  // namespace weir::model
