// The receiving end of a link that changes during the run: it has to know when each frame left, because that
// decides how fast the frame comes in, whether an error can hit it, and whether a cut has met it.
//
// Frames leave, arrive and end in one order, so a list of those that were sent in a quantum and a queue of
// those whose last bit is still to come hold all of it.
#pragma once

#include <array>
#include <boost/circular_buffer.hpp>

#include "weir/model/link/link_history.h"
#include "weir/model/link/mail_notes.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// When a frame's first bit left, and what the link was then.
struct departure_record {
    picoseconds sent;
    const port_config& link;
};

class changing_link {
 public:
    explicit changing_link(const port_config& start) : m_history(start), m_in_flight(1) {}

    void add(const link_change& change) { m_history.add(change); }
    const link_history& history() const { return m_history; }

    /// On the wire, of a frame that left at `sent`.
    picoseconds length_of(const ethernet_frame& frame, picoseconds sent) const {
        const port_config& link = m_history.at(sent);
        return transmission_time(frame.length() + link.wire_overhead, link.rate);
    }
    /// By the sender's thread: the next frame on this side left at `sent`.
    void note(unsigned side, picoseconds sent) { m_sent[side].put(sent); }
    /// What was noted of the next frame of this side, which goes on to another process.
    picoseconds pass_on(unsigned side) { return m_sent[side].take(); }
    /// By the receiving node: the next frame of this side is taken.
    void take(unsigned side) {
        if (m_in_flight.full()) {
            m_in_flight.set_capacity(2 * m_in_flight.capacity());
        }
        m_in_flight.push_back(m_sent[side].take());
    }
    /// The last bit of the first frame that was taken and not finished is here.
    departure_record finish() {
        const picoseconds sent = m_in_flight.front();
        m_in_flight.pop_front();
        return {sent, m_history.at(sent)};
    }

 private:
    link_history m_history;
    std::array<mail_notes<picoseconds>, 2> m_sent;
    boost::circular_buffer<picoseconds> m_in_flight;
};

}  // namespace weir::model
