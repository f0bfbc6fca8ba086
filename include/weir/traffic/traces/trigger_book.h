// The triggers of a trace as a whole: who fires each and who waits for it, and what is wrong with that.
//
//   trigger_book book;
//   book.define(trigger, line);       // as the file is read, in any order
//   book.add_flow(flow, line);
//   book.check(false);                // never fired, fired too often, across hosts, ...
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

/// Who fires a trigger and who waits for it. Memory grows with the number of triggered flows only.
class trigger_book {
 public:
    struct problem {
        int line;
        std::string message;
    };

    /// False if the trigger is defined already.
    bool define(trace_trigger trigger, int line);
    void add_flow(const trace_flow& flow, int line);
    /// All that is wrong, in order of id: not defined, fired too often, never fired, across hosts.
    std::vector<problem> check(bool across_hosts_allowed) const;
    std::vector<trace_trigger> triggers() const;
    std::size_t defined() const { return m_defined; }

 private:
    struct waiting_flow {
        trigger_id fires;
        trigger_id fires_received;
    };
    struct entry {
        trace_trigger trigger;
        int defined_at = 0;
        int first_use = 0;
        std::uint64_t firing_flows = 0;
        /// Flows that fire it and wait for nothing themselves.
        std::uint64_t fired_by_started = 0;
        std::vector<waiting_flow> waiting;
        /// First host that fires or waits, and the first other one.
        host_id host = 0;
        host_id other_host = 0;
        int other_host_at = 0;
    };
    void use(entry& e, host_id host, int line);
    /// How many of each trigger's waiting flows start, if every flow that starts completes.
    std::map<trigger_id, std::uint64_t> reach() const;

    std::map<trigger_id, entry> m_entries;
    std::size_t m_defined = 0;
};

}  // namespace weir::traffic
