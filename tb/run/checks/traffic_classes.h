// Which priorities a run's frames have, which classes these are in the switches, and whether any is lossless.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/run/options/load_config.h"

namespace weir::tb {

/// Priorities that the flows of a trace have, as bits; all of them if the trace has not been read.
using trace_priorities = class_mask;
constexpr trace_priorities unread_trace = 0xFF;

/// A priority that frames have.
struct priority_use {
    unsigned priority;
    /// The option that says so: `traffic.priorities`.
    std::string key;
    /// Frames with payload. The others answer them: ACKs, CNPs, notifications.
    bool is_data = true;
};

/// Includes what transports and switches send besides the transfers: CNPs and ACKs of RoCE, notifications of
/// QCN.
std::vector<priority_use> priorities_in_use(const run_config& config, trace_priorities in_trace = unread_trace);

/// The class in which switches put frames of a priority.
unsigned class_of(const run_config& config, unsigned priority);

/// Classes of frames with payload.
std::set<unsigned> data_classes(const run_config& config, trace_priorities in_trace = unread_trace);

/// True if some frame can be of a class that flow control keeps from being lost.
bool has_lossless_traffic(const run_config& config, trace_priorities in_trace = unread_trace);

/// Flow control is configured, and some traffic is of classes that it does not protect.
std::optional<std::string> lossy_traffic_warning(const run_config& config, trace_priorities in_trace);

/// Warning if `switch.classes` puts several of the priorities in use into one class. If a scheme sets
/// `switch.classes`, there is none unless an option gives one of these priorities to data: a trace that has
/// priorities may be run under a scheme that has none.
std::optional<std::string> merged_classes_warning(const loaded_config& loaded, trace_priorities in_trace);

}  // namespace weir::tb
