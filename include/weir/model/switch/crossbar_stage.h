// A switch's crossbar: from VOQs to egress memory, by whole frames or cell by cell.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/crossbar/cell_streams.h"
#include "weir/model/switch/memory_stage.h"

namespace weir::model {

class crossbar_stage : public memory_stage {
 public:
    /// Since the end of the warm-up, up to when the node was settled last: frames, or cells, that have begun to
    /// cross.
    std::uint64_t matches() const { return m_matches_settled - m_matches_before; }
    /// Time of one cell, or of a frame with what it takes on the wire.
    picoseconds crossbar_time(bytes wire_bytes) const { return m_crossbar(wire_bytes); }

 protected:
    crossbar_stage(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                   const std::vector<port_config>& ports, const switch_parameters& parameters);

    /// The frame enters its VOQ and competes for the crossbar.
    template <frame_path Path>
    void request(frame_slot slot, const frame_route& route);
    /// The same on `frame_path::direct`: a frame that alone wants to cross in this instant needs no VOQ.
    void request_new(frame_slot slot, const frame_route& route);
    /// After all events of an instant.
    template <frame_path Path>
    void finish_requests();
    template <frame_path Path>
    [[gnu::noinline]] void on_slot();
    /// If there is a slot in this instant, it is over.
    void pass_slot() {
        if (m_streams.count() != 0) {
            m_slots.pass(m_now);
        }
    }
    /// The frame has crossed.
    template <frame_path Path>
    void free_ports(const frame_route& route);

    void settle_matches(picoseconds now);
    void restart_matches() { m_matches_before = m_matches_settled; }
    /// A frame that alone wants to cross, from its lookup to the end of the instant; or `no_slot`.
    frame_slot lone() const { return m_lone; }

    /// Some arbiter other than the default ones: its matches are checked.
    bool m_arbiter_is_foreign = false;

 private:
    [[gnu::always_inline]] void match_lone(frame_slot slot);
    template <frame_path Path>
    [[gnu::noinline, gnu::flatten]] void arbitrate_frames();
    template <frame_path Path>
    void take_from_voq(const crossbar_match& match);
    template <frame_path Path>
    void begin_transfer(frame_slot slot, const stored_frame& stored);
    template <frame_path Path>
    bool run_slot();
    template <frame_path Path>
    void begin_cells(stored_frame& stored);
    template <frame_path Path>
    void move_cell(const crossbar_match& match);
    void begin_stream(const crossbar_match& match);
    void end_stream(const crossbar_match& match);
    void stop_streams(const frame_route& rival);
    void stop_stream(unsigned egress_port);
    bool is_allowed(const crossbar_match& match);
    bool are_allowed();

 protected:
    // Ports that take part in no transfer of a frame, and in no stream of cells.
    port_bitmap m_free_ingress;
    port_bitmap m_free_egress;

 private:
    serializer m_crossbar;
    frame_slot m_lone = no_slot;
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
