// Observes one switch while it runs, as a waveform does.
//
//   struct fill_log : switch_probe {
//       void after_instant(picoseconds now, picoseconds next) override { ... }
//       void on_match(unsigned ingress_port, unsigned egress_port, picoseconds until) override { ... }
//   };
//   fill_log log;
//   device.set_probe(log);    // before elaboration ends
//
// Called on the thread that advances the switch; must not change anything. Between two of its instants a switch
// holds what it held at the end of the first one.
#pragma once

#include "weir/base/time.h"

namespace weir::model {

class switch_probe {
 public:
    virtual ~switch_probe() = default;

    /// All that happens at `now` has happened, by now: an instant may go on, and then ends once more. `next`:
    /// when the next event comes that is known, or `never`; frames that are still on a wire may come before.
    virtual void after_instant(picoseconds now, picoseconds next) = 0;
    /// The crossbar connects two ports from now until `until`, when something happens in this switch again:
    /// the whole transfer in `frame` mode, a slot in `cell` mode.
    virtual void on_match(unsigned ingress_port, unsigned egress_port, picoseconds until) = 0;
};

}  // namespace weir::model
