// `host.broken`: adapters that pause their link without end.
//
//     h3                              host h3, all classes, from the start to the end
//     h3 classes=3,4 from=2ms to=9ms  those classes, from 2 ms on; at 9 ms it sends XON
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

struct parsed_adapters {
    std::vector<broken_adapter> adapters;
    /// Keys are `host.broken[n]` for the n-th text, from 0.
    config_errors errors;
};

/// `classes`: those in use in the fabric. Two texts that break one class of one host at the same time are an
/// error.
parsed_adapters parse_adapters(const topology& plan, unsigned classes, const std::vector<std::string>& texts);

}  // namespace weir::tb
