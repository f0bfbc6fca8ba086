// One memory for all ports (shared_buffer.h): when its lookup is done a frame is stored in its egress queue or
// lost, and its memory is free when its last bit has left.
#pragma once

#include <string>
#include <vector>

#include "weir/model/memory/arrival_fifo.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/shared_buffer.h"
#include "weir/model/switch/memory_path.h"

namespace weir::model {

class shared_path : public memory_path {
 public:
    explicit shared_path(switch_path& device);
    static registry<buffer_kind, memory_organisation>::entry kind();

    picoseconds look_up(unsigned port, frame_slot slot, picoseconds now, lookup_pipeline& pipeline) override;
    bool has_room(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes,
                  std::uint64_t class_bytes) const override;
    double fill(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes) const override;
    bool has_crossbar() const override { return false; }
    entry enter(frame_slot slot, stored_frame& stored, picoseconds now) override;
    void transferred(frame_slot slot) override;
    void leave(const frame_route& route, picoseconds at) override;

    std::int64_t charged_bytes() const override { return m_charged_bytes; }
    std::string check() const override { return m_memory.check(); }
    void restart_statistics() override;
    std::uint64_t lost_for_lookup() const override { return m_lost_for_lookup; }
    const shared_buffer* shared() const override { return &m_memory; }
    std::unique_ptr<marker> make_marker() const override;
    std::unique_ptr<cause_recorder> make_causes(const cause_options& options) const override;

 protected:
    const shared_buffer& memory() const { return m_memory; }
    arrival_fifo& fifo(unsigned port) { return m_fifos[port]; }

 private:
    /// The frame is admitted. Default: it is in its slice at once.
    virtual void write(unsigned /*slice*/, frame_slot slot) { transferred(slot); }
    /// A frame is lost because others of its port wait for their place in memory.
    virtual void note_lost_for_memory(unsigned /*port*/) {}
    bool has_room_before_lookup(unsigned port, frame_slot slot);
    void lose(frame_slot slot, admission answer);
    void apply_pauses(frame_slot crossing);
    std::string fifo_loss_text(unsigned port, const stored_frame& stored);
    std::string loss_text(const frame_route& route) const;

    shared_buffer m_memory;
    // By port; empty where nothing waits in front of the memory.
    std::vector<arrival_fifo> m_fifos;
    std::uint64_t m_lost_for_lookup = 0;
    std::int64_t m_charged_bytes = 0;
};

}  // namespace weir::model
