// Convenience sockets for a user's own SystemC module at the end of a weir link.
//
//   struct probe : sc_core::sc_module {
//       weir::ethernet_sink from_switch{"from_switch"};
//       weir::ethernet_source to_switch{"to_switch"};
//       SC_CTOR(probe) { SC_METHOD(receive); sensitive << from_switch.arrived(); dont_initialize(); }
//       void receive() { while (auto frame = from_switch.next()) {} }
//   };
#pragma once

#include <map>
#include <optional>

#include "weir/protocol/ethernet_tlm.h"

namespace weir {

/// Target socket that copies each frame and hands it out at the kernel time of its first bit: the payload
/// event queue of this protocol.
class ethernet_sink : public ethernet_target_socket, private ethernet_fw_if {
 public:
    explicit ethernet_sink(const char* name) : ethernet_target_socket(name) {
        bind(*static_cast<ethernet_fw_if*>(this));
    }

    /// Notified when `next` has a frame.
    const sc_core::sc_event& arrived() const { return m_arrived; }
    /// The next frame whose first bit is here by now, in order of arrival; none if there is none. Asking
    /// past the last one arms `arrived` for the frames that are still on their way.
    std::optional<ethernet_frame> next() {
        if (m_frames.empty()) {
            return std::nullopt;
        }
        const auto first = m_frames.begin();
        if (first->first > sc_core::sc_time_stamp()) {
            m_arrived.notify(first->first - sc_core::sc_time_stamp());
            return std::nullopt;
        }
        const ethernet_frame frame = first->second;
        m_frames.erase(first);
        return frame;
    }

 private:
    tlm::tlm_sync_enum nb_transport_fw(ethernet_frame& frame, ethernet_phase&,
                                       sc_core::sc_time& delay) override {
        m_frames.emplace(sc_core::sc_time_stamp() + delay, frame);
        m_arrived.notify(m_frames.begin()->first - sc_core::sc_time_stamp());
        return tlm::TLM_COMPLETED;
    }
    void b_transport(ethernet_frame& frame, sc_core::sc_time& delay) override {
        ethernet_phase phase = ethernet_phase::first_bit;
        nb_transport_fw(frame, phase, delay);
    }
    bool get_direct_mem_ptr(ethernet_frame&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(ethernet_frame&) override { return 0; }

    std::multimap<sc_core::sc_time, ethernet_frame> m_frames;
    sc_core::sc_event m_arrived;
};

/// Initiator socket with nothing on its backward path.
class ethernet_source : public ethernet_initiator_socket, private ethernet_bw_if {
 public:
    explicit ethernet_source(const char* name) : ethernet_initiator_socket(name) {
        bind(*static_cast<ethernet_bw_if*>(this));
    }
    /// The frame's first bit reaches the other end after `delay`, at least the link's latency. The caller
    /// spaces frames by their transmission times.
    void send(ethernet_frame frame, sc_core::sc_time delay) {
        ethernet_phase phase = ethernet_phase::first_bit;
        (*this)->nb_transport_fw(frame, phase, delay);
    }

 private:
    tlm::tlm_sync_enum nb_transport_bw(ethernet_frame&, ethernet_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace weir
